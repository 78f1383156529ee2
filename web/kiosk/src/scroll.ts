// Panels that scroll in place. One that holds more than it shows can be reached by keyboard and fades where it goes on.

import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";

/** A ref for a panel; the panel is measured after every drawing, when it is scrolled, when what is in it has come in, which makes it
 * higher until then, and when the window changes. */
export function useScrollPanel<T extends HTMLElement>(): RefObject<T | null> {
  const panel = useRef<T>(null);
  useEffect(() => {
    const box = panel.current;
    if (box === null) return undefined;
    const mark = () => markOverflow(box);
    mark();
    box.addEventListener("scroll", mark, { passive: true });
    box.addEventListener("animationend", mark);
    addEventListener("resize", mark);
    return () => {
      box.removeEventListener("scroll", mark);
      box.removeEventListener("animationend", mark);
      removeEventListener("resize", mark);
    };
  });
  return panel;
}

function markOverflow(panel: HTMLElement): void {
  const hidden = panel.scrollHeight - panel.clientHeight;
  if (hidden > 1) panel.tabIndex = 0;
  else panel.removeAttribute("tabindex");
  panel.classList.toggle("has-more", hidden - panel.scrollTop > 1);
  panel.classList.toggle("has-less", panel.scrollTop > 1);
}
