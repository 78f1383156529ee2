// How many cards fit below the words. The words have two lines at least; cards are as high as the highest of them.

import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";

const most = 5;
/** As many are shown where the page scrolls. */
const scrolled = 3;

/** Measures after every drawing and whenever the panel changes. */
export function useFits(main: RefObject<HTMLElement | null>, report: (cards: number) => void): void {
  const limit = useRef({ room: "", most });
  useEffect(() => {
    const box = main.current;
    if (box === null) return undefined;
    const measure = () => {
      const fits = fitting(box);
      if (fits === null) return;
      // More cards may bring more keys, which take the room again: where it was less once, it stays less.
      const room = `${innerWidth} ${innerHeight} ${box.querySelector(".question")?.textContent}`;
      if (limit.current.room !== room) limit.current = { room, most };
      if (fits < box.querySelectorAll(".card").length) limit.current.most = Math.min(limit.current.most, fits);
      report(Math.min(fits, limit.current.most));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(box);
    measure();
    return () => watch.disconnect();
  });
}

function fitting(box: HTMLElement): number | null {
  const list = box.querySelector<HTMLElement>(".cards:not(.is-rich)");
  const bubble = box.querySelector<HTMLElement>(".bubble");
  if (list === null || bubble === null) return null;
  const style = getComputedStyle(box);
  if (style.overflowY === "auto") return scrolled;
  const px = (text: string) => Number.parseFloat(text) || 0;
  const inner = box.clientHeight - px(style.paddingTop) - px(style.paddingBottom) - px(style.rowGap);
  const gap = px(getComputedStyle(list).rowGap);
  const tallest = Math.max(...[...list.children].map((card) => (card as HTMLElement).offsetHeight));
  const room = inner - px(getComputedStyle(bubble).minHeight);
  return Math.min(most, Math.max(1, Math.floor((room + gap) / (tallest + gap))));
}
