// The screen as a thing to touch: whether our own keyboard is wanted, and how large letters and millimetres are.

import { pixelsPerMillimetre } from "./size";

const settings = new URLSearchParams(location.search);

/** On what is smaller than this, in pixels, people have a keyboard that they know. */
const smallestPanel = 600;

/** Whether to bring a keyboard: ?keyboard=own or system, else where a panel has touch and nothing finer. */
export function hasOwnKeyboard(): boolean {
  const wanted = settings.get("keyboard");
  if (wanted !== null) return wanted === "own";
  return matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) >= smallestPanel;
}

/** Whether the browser was told to make letters as large as the key for large text does, or larger. */
export let hasLargeLetters = false;

/** Sets --mm, and --scale by the size of letters that the browser was told. */
function setSizes(): void {
  const { style } = document.documentElement;
  const px = pixelsPerMillimetre(innerWidth, innerHeight, Number(settings.get("diagonal")));
  style.setProperty("--mm", `${px.toFixed(3)}px`);
  const letters = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  hasLargeLetters = letters >= 1.25;
  style.setProperty("--letters", String(Math.min(1.5, Math.max(1, letters || 1))));
}

/** Keeps the question box above the keyboard of the system, which lies over the page. */
function followSystemKeyboard(): void {
  const view = visualViewport;
  if (!view) return;
  const follow = () => {
    const hidden = view.scale > 1.01 ? 0 : Math.max(0, innerHeight - view.height - view.offsetTop);
    const root = document.documentElement;
    root.classList.toggle("has-system-keys", hidden > 0.15 * innerHeight);
    root.style.setProperty("--hidden", `${hidden}px`);
  };
  view.addEventListener("resize", follow);
  view.addEventListener("scroll", follow);
}

export function startScreen(): void {
  setSizes();
  addEventListener("resize", setSizes);
  followSystemKeyboard();
}
