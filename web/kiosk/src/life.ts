// The life of a figure, whichever it is: its face follows the mood, its arms the gesture, its eyes whatever is going on; it
// blinks, looks around and greets. Frames are drawn only while something moves: a figure at rest costs nothing but a
// blink now and then.

import type { Emotion, Mouth } from "./api";
import type { Face } from "./face";
import { faceOf, glide, isLike, rest } from "./face";
import { poseOf } from "./gestures";

export interface Mood {
  emotion: Emotion;
  /** What the answer does with its arms, as the contract names it; "" for nothing. */
  gesture: string;
  thinking: boolean;
  /** The number of the question that is answered; 0 where nobody has asked. */
  turn: number;
  /** Whether nobody has asked, so that it may do as it likes. */
  free: boolean;
  mouth: () => Mouth | null;
}

/** Where eyes look: right and down, -1 to 1. */
export interface Look {
  x: number;
  y: number;
}

export interface Figure {
  element: Element;
  /** Draws a face: lids are 1 open and 0 shut beside what the face says. Of what is still, it draws what is soft itself. */
  draw: (face: Face, look: Look, lids: number, ms: number) => void;
  /** Breathes, a little at a time, also between frames. */
  breathe: (now: number) => void;
  /** Fades to what is drawn next, for those who want no movement. */
  fade: () => void;
  /** Where its right shoulder is on the screen, and between its eyes. */
  shoulder: () => { x: number; y: number };
  eyes: () => { x: number; y: number };
  /** Whether it has to be drawn all the time, because parts of it move by themselves. */
  restless: boolean;
}

export interface Life {
  /** Says that the mood has changed. */
  wake: () => void;
  end: () => void;
}

const straight: Look = { x: 0, y: 0 };
const thoughtful: Look = { x: 0.3, y: -1 };

/** How often a figure at rest breathes on, in milliseconds: its moves are so slow that no eye sees the steps. */
const breathEvery = 125;

/** How long it looks at a touch, in milliseconds. */
const attention = 1500;

export function live(figure: Figure, mood: () => Mood): Life {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const eyes = follow(figure, () => mood());
  let doing = { gesture: "", since: 0, over: true };
  let known = { gesture: "", turn: -1, thinking: false, emotion: "" };
  let face = faceOf(mood().emotion, null, rest);
  let look = straight;
  let last = 0;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let blinkAt = performance.now() + 2500;
  let idleAt = performance.now() + 9000;

  /** Begins a gesture. */
  const act = (gesture: string) => {
    doing = { gesture, since: performance.now(), over: false };
    wake();
  };

  /** What the mood of now makes it do, where that has changed. */
  function follows(): void {
    const { gesture, turn, thinking, emotion } = mood();
    if (gesture === known.gesture && turn === known.turn && thinking === known.thinking && emotion === known.emotion) return;
    const leaves = turn === 0 && known.turn > 0;
    const begins = known.turn === -1;
    if (calm.matches && known.turn !== -1) figure.fade();
    const same = gesture === known.gesture && turn === known.turn && thinking === known.thinking;
    known = { gesture, turn, thinking, emotion };
    if (same) return;
    const next = thinking ? "think" : leaves ? "bow" : begins ? "wave" : gesture;
    doing = { gesture: next, since: performance.now(), over: false };
  }

  function target(now: number): Face {
    const { emotion, mouth, gesture } = mood();
    const said = mouth();
    const shape = calm.matches ? twoStates(said) : said;
    const t = calm.matches ? 0.9 : (now - doing.since) / 1000;
    const pose = poseOf(doing.gesture, { t, speaking: said !== null, card: eyes.card() });
    doing.over = pose === null;
    return faceOf(emotion, shape, pose ?? rest, gesture === "alert");
  }

  function draw(now: number): void {
    frame = 0;
    const ms = Math.max(0, Math.min(now - last, 100)); // a frame of a slow machine has the time at which it was begun
    last = now;
    follows();
    const { thinking, mouth } = mood();
    const goal = target(now);
    const at = thinking ? thoughtful : eyes.at(now);
    face = calm.matches ? goal : glide(face, goal, ms);
    const share = calm.matches ? 1 : 1 - Math.exp(-ms / 40);
    look = { x: look.x + (at.x - look.x) * share, y: look.y + (at.y - look.y) * share };
    if (now > blinkAt + 150) blinkAt = now + 2800 + Math.random() * 3400;
    const shut = !calm.matches && !thinking && now >= blinkAt;
    figure.draw(face, look, shut ? 0.06 : 1, ms);
    if (!calm.matches) figure.breathe(now);
    const settled = doing.over || doing.gesture === "alert" || (calm.matches && mouth() === null);
    const still = settled && mouth() === null && !shut && isLike(face, goal) && Math.hypot(at.x - look.x, at.y - look.y) < 0.02;
    if (still && !figure.restless) sleep(now);
    else frame = requestAnimationFrame(draw);
  }

  /** Rests until the next blink, or until something happens. */
  function sleep(now: number): void {
    const next = calm.matches ? Infinity : Math.min(blinkAt, mood().free ? idleAt : Infinity, eyes.until(now));
    clearTimeout(timer);
    if (next !== Infinity) timer = setTimeout(stir, Math.max(0, next - now) + 1);
  }

  function stir(): void {
    const now = performance.now();
    if (mood().free && doing.over && now >= idleAt) {
      idleAt = now + 7000 + Math.random() * 9000;
      const some = pastimes[Math.floor(Math.random() * pastimes.length)] ?? "glance";
      if (some === "glance") eyes.glance(now);
      else return act(some);
    }
    wake();
  }

  function wake(): void {
    clearTimeout(timer);
    if (frame !== 0) return;
    last = performance.now() - 16;
    frame = requestAnimationFrame(draw);
  }

  /** Whoever touches what is above the counter is greeted. */
  const onTouch = (event: PointerEvent) => {
    eyes.touched(event);
    const above = event.target instanceof Element && event.target.closest(".deck, dialog") === null;
    if (above && mood().free && !calm.matches) act("hello");
    wake();
  };
  const onHide = () => document.hidden || wake();
  const walk = walker(figure.element);
  const breath = setInterval(() => frame === 0 && !calm.matches && figure.breathe(performance.now()), breathEvery);
  addEventListener("pointerdown", onTouch);
  document.addEventListener("visibilitychange", onHide);
  wake();
  return {
    wake: () => {
      if (!calm.matches) walk();
      eyes.seek();
      wake();
    },
    end: () => {
      removeEventListener("pointerdown", onTouch);
      document.removeEventListener("visibilitychange", onHide);
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      clearInterval(breath);
      frame = -1;
    },
  };
}

/** Walks from where the screen had a figure to where it has it now, swinging on the way. */
function walker(element: Element): () => void {
  let last: DOMRect | null = null;
  return () => {
    const place = element.parentElement;
    if (place === null) return;
    const [from, to] = [last, place.getBoundingClientRect()];
    last = to;
    if (from === null || to.height === 0 || Math.abs(from.x - to.x) + Math.abs(from.height - to.height) < 8) return;
    const scale = from.height / to.height;
    const moved = `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y - to.y}px) scale(${scale})`;
    element.animate([{ transformOrigin: "50% 0", transform: moved }, { transformOrigin: "50% 0", transform: "none" }], { duration: 420, easing: "cubic-bezier(.3,.1,.2,1)" });
    const lean = from.x < to.x ? 5 : -5;
    element.animate([{ rotate: "0deg" }, { rotate: `${lean}deg` }, { rotate: `${-0.7 * lean}deg` }, { rotate: "0deg" }], { duration: 640, easing: "ease-in-out" });
  };
}

/** What it does while nobody asks. */
const pastimes = ["glance", "glance", "glance", "wave", "glow", "hop"];

/** With reduced motion a mouth is open or shut, no more. */
function twoStates(mouth: Mouth | null): Mouth | null {
  return mouth === null || mouth === "closed" ? mouth : "e";
}

/** Where the eyes go: to a touch, to the card that is spoken of, to what is being typed, or for a moment somewhere. */
function follow(figure: Figure, mood: () => Mood) {
  let spot: { look: Look; until: number } | null = null;
  let held: Look | null = null;
  let card: number | null = null;
  const towards = (x: number, y: number): Look => {
    const from = figure.eyes();
    const far = Math.max(1, Math.hypot(x - from.x, y - from.y));
    return { x: (x - from.x) / far, y: (y - from.y) / far };
  };
  return {
    touched: (event: PointerEvent) => {
      spot = { look: towards(event.clientX, event.clientY), until: performance.now() + attention };
    },
    glance: (now: number) => {
      const side = Math.random() < 0.5 ? -1 : 1;
      spot = { look: { x: side * (0.5 + 0.4 * Math.random()), y: 0.35 * Math.random() - 0.1 }, until: now + 900 + 900 * Math.random() };
    },
    /** Looks for what is spoken of and for what is typed. */
    seek: () => {
      const spoken = mood().turn > 0 ? document.querySelector(".card.is-spoken") : null;
      const typed = document.querySelector<HTMLInputElement>(".ask-box");
      const seen = spoken ?? (typed !== null && typed.value !== "" ? typed : null);
      const box = seen?.getBoundingClientRect();
      held = box === undefined ? null : towards(box.left + box.width * 0.3, box.top + box.height / 2);
      card = spoken !== null && box !== undefined ? angleTo(figure.shoulder(), box) : null;
    },
    card: () => card,
    until: (now: number) => (spot !== null && spot.until > now ? spot.until : Infinity),
    at: (now: number): Look => (spot !== null && now < spot.until ? spot.look : (held ?? straight)),
  };
}

/** Degrees between straight down and the way from a shoulder to the nearest part of a box; negative to the left. */
function angleTo(from: { x: number; y: number }, box: DOMRect): number {
  const x = Math.max(box.left + 0.1 * box.width, Math.min(from.x, box.right - 0.1 * box.width)) - from.x;
  const y = box.top + box.height / 2 - from.y;
  return (Math.atan2(x, y) * 180) / Math.PI;
}
