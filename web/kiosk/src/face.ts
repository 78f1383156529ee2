// A figure's face as nine numbers and its pose as seven. An emotion sets the nine; a mouth shape replaces the three of the
// mouth, so every emotion can speak every vowel. Between two faces the numbers glide.

import type { Emotion, Mouth } from "./api";

export interface Face {
  /** 0 shut, 1 open, more is wide. */
  eyeOpen: number;
  /** 0 round eyes, 1 arched with joy. */
  eyeSmile: number;
  /** -1 low, 1 high. */
  browHeight: number;
  /** 1 raised in the middle, as in worry; -1 the reverse. */
  browAngle: number;
  /** 0 shut, 1 as far as it goes. */
  mouthOpen: number;
  /** 0 pursed, 1 broad. */
  mouthWidth: number;
  /** 1 smiles, -1 turns down. */
  mouthCurve: number;
  /** How rosy the cheeks are, 0 to 1. */
  cheek: number;
  /** Degrees; negative leans to its left. */
  tilt: number;
  /** Degrees between an upper arm that hangs and this one, outwards. */
  upperLeft: number;
  upperRight: number;
  /** Degrees by which the elbow turns the forearm further outwards. */
  foreLeft: number;
  foreRight: number;
  /** Whether a finger of the right or left hand points: 0 to 1, and 0 to -1. */
  finger: number;
  /** How deep it bows, 0 to 1. */
  bow: number;
  /** How far it leaps up, 0 to 1. */
  hop: number;
}

/** What arms and back do. Tilt adds to that of the face. */
export type Pose = Pick<Face, "upperLeft" | "upperRight" | "foreLeft" | "foreRight" | "finger" | "bow" | "hop" | "tilt">;

export const parameters = [
  "eyeOpen",
  "eyeSmile",
  "browHeight",
  "browAngle",
  "mouthOpen",
  "mouthWidth",
  "mouthCurve",
  "cheek",
  "tilt",
  "upperLeft",
  "upperRight",
  "foreLeft",
  "foreRight",
  "finger",
  "bow",
  "hop",
] as const satisfies readonly (keyof Face)[];

const faces: Record<Emotion, Omit<Face, Exclude<keyof Pose, "tilt">>> = {
  neutral: {
    eyeOpen: 1,
    eyeSmile: 0,
    browHeight: 0,
    browAngle: 0,
    mouthOpen: 0,
    mouthWidth: 0.5,
    mouthCurve: 0.4,
    cheek: 0.55,
    tilt: 0,
  },
  happy: {
    eyeOpen: 1,
    eyeSmile: 1,
    browHeight: 0.5,
    browAngle: 0.1,
    mouthOpen: 0.5,
    mouthWidth: 0.85,
    mouthCurve: 0.9,
    cheek: 1,
    tilt: -3,
  },
  sad: {
    eyeOpen: 0.72,
    eyeSmile: 0,
    browHeight: 0.1,
    browAngle: 1,
    mouthOpen: 0,
    mouthWidth: 0.5,
    mouthCurve: -0.65,
    cheek: 0.3,
    tilt: 4,
  },
  relaxed: {
    eyeOpen: 0.92,
    eyeSmile: 0.12,
    browHeight: 0.15,
    browAngle: 0.12,
    mouthOpen: 0.14,
    mouthWidth: 0.66,
    mouthCurve: 0.8,
    cheek: 0.8,
    tilt: -2,
  },
  surprised: {
    eyeOpen: 1.28,
    eyeSmile: 0,
    browHeight: 1.25,
    browAngle: 0.2,
    mouthOpen: 0.5,
    mouthWidth: 0.12,
    mouthCurve: 0,
    cheek: 0.6,
    tilt: 0,
  },
};

const shapes: Record<Exclude<Mouth, "closed">, { open: number; width: number; curve: number }> = {
  a: { open: 0.85, width: 0.6, curve: 0.35 },
  i: { open: 0.3, width: 0.85, curve: 0.4 },
  u: { open: 0.3, width: 0.15, curve: 0 },
  e: { open: 0.5, width: 0.7, curve: 0.35 },
  o: { open: 0.65, width: 0.28, curve: 0.05 },
};

/** The arms hang, hands a little out, as of somebody who is about to help. */
export const rest: Pose = { upperLeft: 33, upperRight: 33, foreLeft: -16, foreRight: -16, finger: 0, bow: 0, hop: 0, tilt: 0 };

/** The face of an emotion in a pose, speaking where mouth is given. A sad face keeps its mouth turned down at every vowel; a grave one never smiles. */
export function faceOf(emotion: Emotion, mouth: Mouth | null, pose: Pose = rest, grave = false): Face {
  const still = faces[emotion];
  const face = { ...still, ...pose, tilt: still.tilt + pose.tilt };
  if (mouth === null) return face;
  if (mouth === "closed") return { ...face, mouthOpen: 0 };
  const { open, width, curve } = shapes[mouth];
  const sad = emotion === "sad";
  return {
    ...face,
    mouthOpen: sad ? open * 0.75 : open,
    mouthWidth: (width + face.mouthWidth) / 2,
    mouthCurve: sad ? -0.55 : grave ? -0.15 : Math.max(curve, face.mouthCurve * 0.6),
  };
}

/** Arms have more weight than lips. */
const slow = new Set<keyof Face>(["tilt", "upperLeft", "upperRight", "foreLeft", "foreRight", "finger", "bow"]);

/** Moves from one face towards another by as much as fits into ms; after 180 ms nineteen twentieths of a face are done, and after 360 of a pose. */
export function glide(from: Face, to: Face, ms: number): Face {
  const moved = { ...from };
  for (const p of parameters) moved[p] = from[p] + (to[p] - from[p]) * (1 - Math.exp(-Math.max(0, ms) / (slow.has(p) ? 120 : 60)));
  return moved;
}

/** Whether two faces look the same. */
export function isLike(a: Face, b: Face): boolean {
  return parameters.every((p) => Math.abs(a[p] - b[p]) < (angles.has(p) ? 0.15 : 0.004));
}

const angles = new Set<keyof Face>(["tilt", "upperLeft", "upperRight", "foreLeft", "foreRight"]);
