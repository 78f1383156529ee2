// What arms and back do, moment by moment: the gestures of the contract, and a few of the figure's own. A gesture is a
// function of the seconds since it began; it is over when it gives back null.

import type { Pose } from "./face";
import { rest } from "./face";

/** What a gesture may depend on. */
export interface Moment {
  /** Seconds since it began. */
  t: number;
  /** Whether something is being said, and whether what is said is not over. */
  speaking: boolean;
  /** Where a card is that is spoken of: degrees between straight down and the way to it, negative to its left; null where there is none. */
  card: number | null;
}

type Gesture = (now: Moment) => Partial<Pose> | null;

/** 0 at the ends of a time and 1 between, with soft slopes of rise seconds. */
function swell(t: number, lasts: number, rise: number): number {
  const edge = Math.min(t, lasts - t) / rise;
  const x = Math.max(0, Math.min(1, edge));
  return x * x * (3 - 2 * x);
}

const wave = (turns: number): Gesture => ({ t }) => {
  const lasts = turns * 0.62 + 0.7;
  if (t > lasts) return null;
  const swing = 20 * Math.sin((t / 0.62) * 2 * Math.PI) * swell(t, lasts, 0.5);
  return { upperRight: 98, foreRight: 50 + swing, upperLeft: 26, tilt: -2 };
};

/** Small beats of both hands, in turn, with what is said. */
function beats(t: number): Partial<Pose> {
  const [left, right] = [Math.sin(t * 2.3), Math.sin(t * 2.3 + 2.1)];
  return { upperLeft: 29 + 5 * left, foreLeft: 34 + 13 * left, upperRight: 29 + 5 * right, foreRight: 34 + 13 * right, tilt: 1.2 * Math.sin(t * 1.1) };
}

const gestures: Record<string, Gesture> = {
  wave: wave(3),
  hello: (now) => {
    const pose = wave(4)(now);
    return pose && { ...pose, hop: now.t < 0.42 ? Math.sin((now.t / 0.42) * Math.PI) : 0 };
  },
  present: ({ t, speaking }) => {
    if (t > 2.6) return speaking ? beats(t - 2.6) : null;
    return { upperRight: 58, foreRight: 30 + 4 * Math.sin(t * 3), upperLeft: 28, foreLeft: 4, tilt: 1.5 };
  },
  explain: ({ t, speaking }) => (speaking || t < 1.2 ? beats(t) : null),
  bow: ({ t }) => (t > 1.9 ? null : { bow: swell(t, 1.9, 0.62), upperLeft: 15, upperRight: 15, foreLeft: -10, foreRight: -10 }),
  tilt: ({ t, speaking }) => (t > 2.4 && !speaking ? null : { tilt: 7, upperLeft: 38, foreLeft: 20 }),
  think: ({ t }) => ({ upperRight: 68, foreRight: 129 + 3 * Math.sin(t * 2.6), upperLeft: 26, foreLeft: -26, tilt: 5 }),
  point: ({ t }) => (t > 2.6 ? null : { upperRight: 82, foreRight: 4, finger: 1, tilt: 2 }),
  alert: () => ({ upperLeft: 104, upperRight: 104, foreLeft: 38, foreRight: 38 }),
  hop: ({ t }) => (t > 0.4 ? null : { hop: 0.5 * Math.sin((t / 0.4) * Math.PI), upperLeft: 42, upperRight: 42 }),
  nod: ({ t }) => (t > 0.7 ? null : { bow: 0.28 * swell(t, 0.7, 0.3) }),
  glow: ({ t }) => (t > 2.2 ? null : { tilt: 4 * Math.sin((t / 2.2) * 2 * Math.PI) }),
};

/** The arm on the side of a card stretches towards it. */
function pointing(card: number): Partial<Pose> {
  const angle = Math.max(24, Math.min(118, Math.abs(card)));
  return card < 0
    ? { upperLeft: angle, foreLeft: 4, finger: -1, upperRight: 26, foreRight: -6, tilt: -2 }
    : { upperRight: angle, foreRight: 4, finger: 1, upperLeft: 26, foreLeft: -6, tilt: 2 };
}

/** The pose of a gesture at a moment, or null once it is over. What is pointed at comes first. */
export function poseOf(gesture: string, now: Moment): Pose | null {
  const pose = now.card !== null && gesture !== "think" && gesture !== "alert" ? pointing(now.card) : gestures[gesture]?.(now);
  return pose ? { ...rest, ...pose } : null;
}
