// How many cards fit below the words. The words have two lines at least; a card that is not shown yet is taken to be as high as the highest.

import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";

const most = 5;
/** As many are shown where the page scrolls. */
const scrolled = 3;

/** Measures after every drawing and whenever the panel changes. A panel that scrolls can be reached by keyboard. */
export function useFits(main: RefObject<HTMLElement | null>, report: (cards: number) => void): void {
  const limit = useRef({ room: "", most, grew: false, told: most, first: "" });
  useEffect(() => {
    const box = main.current;
    if (box === null) return undefined;
    const measure = () => {
      box.tabIndex = getComputedStyle(box).overflowY === "auto" && box.scrollHeight > box.clientHeight + 1 ? 0 : -1;
      const fits = fitting(box);
      if (fits === null) return;
      // More cards may bring more keys, which take the room again: what went up and then down stays down.
      const room = [innerWidth, innerHeight, box.querySelector(".question")?.textContent, document.querySelector(".choices") !== null].join();
      const first = box.querySelector(".leaf-number")?.textContent ?? "";
      if (limit.current.room !== room) limit.current = { ...limit.current, room, most, grew: false };
      // Lower cards on the next page do not bring back those of the page before.
      else if (limit.current.first !== first) limit.current.most = Math.min(limit.current.most, limit.current.told);
      const shown = box.querySelectorAll(".card").length;
      if (fits > shown) limit.current.grew = true;
      if (fits < shown && limit.current.grew) limit.current.most = Math.min(limit.current.most, fits);
      const told = Math.min(fits, limit.current.most);
      limit.current = { ...limit.current, told, first };
      report(told);
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
  if (list === null || list.offsetHeight === 0 || bubble === null || box.clientHeight === 0) return null;
  const style = getComputedStyle(box);
  if (style.overflowY === "auto") return scrolled;
  const px = (text: string) => Number.parseFloat(text) || 0;
  const inner = box.clientHeight - px(style.paddingTop) - px(style.paddingBottom) - px(style.rowGap);
  const gap = px(getComputedStyle(list).rowGap);
  const heights = [...list.children].map((card) => (card as HTMLElement).offsetHeight + gap);
  let room = inner - px(getComputedStyle(bubble).minHeight) + gap;
  let fits = 0;
  for (const height of heights) {
    if (height > room) return Math.max(1, fits);
    room -= height;
    fits++;
  }
  return Math.min(most, Math.max(1, fits + Math.floor(room / Math.max(...heights))));
}
