// Akari's drawing as a figure that can be moved: a face becomes a handful of attributes, and those that did not change are
// not written.

import type { Face } from "./face";
import type { Figure, Look } from "./life";

type Part = (name: string, attribute: string, value: string) => void;

export function puppet(svg: SVGSVGElement): Figure {
  const written = new Map<string, string>();
  const parts = new Map([...svg.querySelectorAll<SVGElement>("[data-part]")].map((e) => [e.dataset["part"] ?? "", e]));
  const part: Part = (name, attribute, value) => {
    const key = `${name} ${attribute}`;
    if (written.get(key) === value) return;
    written.set(key, value);
    parts.get(name)?.setAttribute(attribute, value);
  };
  /** A point of the drawing on the screen. It is drawn as large as fits, in the middle. */
  const at = (x: number, y: number) => {
    const box = svg.getBoundingClientRect();
    const scale = Math.min(box.width / 400, box.height / 500);
    return { x: box.left + box.width / 2 + (x - 200) * scale, y: box.top + box.height / 2 + (y - 250) * scale };
  };
  return {
    element: svg,
    restless: false,
    draw: (face, look, lids) => {
      drawFace(part, face, lids * (1 - 0.92 * Math.max(0, Math.min(1, (face.bow - 0.3) / 0.4))), look);
      drawPose(part, face);
    },
    breathe: (now) => {
      svg.style.translate = `0 ${(0.8 * Math.sin((now / 5000) * 2 * Math.PI)).toFixed(2)}%`;
      svg.style.rotate = `${(0.9 * Math.sin((now / 7300) * 2 * Math.PI)).toFixed(2)}deg`;
    },
    fade: () => void svg.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: 240, easing: "ease-out" }),
    shoulder: () => at(shoulder.x, shoulder.y),
    eyes: () => at(200, 208),
  };
}

function drawFace(part: Part, face: Face, lids: number, look: Look): void {
  const open = face.eyeOpen * lids;
  const smile = face.eyeSmile * Math.max(0, 1 - face.bow);
  part("eyeLeft", "d", eye(152, open, smile));
  part("eyeRight", "d", eye(248, open, smile));
  part("gaze", "transform", `translate(${round(9 * look.x)} ${round(11 * look.y)})`);
  part("sparkle", "opacity", String(round(Math.max(0, Math.min(1, open * 2 - 0.8) * (1 - smile * 1.4)))));
  const lift = -16 * face.browHeight;
  const turn = 15 * face.browAngle;
  part("browLeft", "transform", `translate(0 ${round(lift)}) rotate(${round(-turn)} 152 163)`);
  part("browRight", "transform", `translate(0 ${round(lift)}) rotate(${round(turn)} 248 163)`);
  part("cheeks", "opacity", String(round(0.16 + 0.4 * face.cheek)));
  const shape = lips(face);
  part("mouth", "d", shape);
  part("lips", "d", shape);
  part("tongue", "cy", String(round(266 + 10 * face.mouthCurve + 55 * face.mouthOpen)));
  // The light is a little brighter with each vowel.
  part("halo", "opacity", String(round(0.86 + 0.14 * face.mouthOpen)));
}

/** The head sinks onto the collar in a bow, and the face runs ahead of it. */
function drawPose(part: Part, face: Face): void {
  part("swing", "transform", `rotate(${round(face.tilt)} 200 -60)`);
  part("cord", "transform", `translate(0 ${round(40 * face.bow - 30 * face.hop)})`);
  part("whole", "transform", `translate(0 ${round(8 * face.bow - 30 * face.hop)})`);
  part("head", "transform", `translate(0 ${round(338 - 338 * (1 - 0.07 * face.bow) + 12 * face.bow)}) scale(1 ${round2(1 - 0.07 * face.bow)})`);
  part("features", "transform", `translate(0 ${round(30 * face.bow)})`);
  drawArm(part, "Left", face.upperLeft, face.foreLeft, Math.max(0, -face.finger));
  drawArm(part, "Right", face.upperRight, face.foreRight, Math.max(0, face.finger));
}

const shoulder = { x: 254, y: 362 };
const length = { upper: 51, fore: 52 };

interface Point {
  x: number;
  y: number;
}

function drawArm(part: Part, side: "Left" | "Right", upper: number, fore: number, finger: number): void {
  const { sleeve, cuff, hand } = arm(upper, fore);
  part(`sleeve${side}`, "d", sleeve);
  part(`cuff${side}`, "d", cuff);
  part(`hand${side}`, "transform", hand);
  part(`finger${side}`, "d", `M-5.5 0V${round(4 + 24 * finger)}a5.5 5.5 0 0 0 11 0V0`);
}

/** The outlines of a right arm; the drawing mirrors them for the left. */
function arm(upper: number, fore: number): { sleeve: string; cuff: string; hand: string } {
  const [a, b] = [upper, upper + fore].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  const elbow = { x: shoulder.x + length.upper * Math.sin(a), y: shoulder.y + length.upper * Math.cos(a) };
  const wrist = { x: elbow.x + length.fore * Math.sin(b), y: elbow.y + length.fore * Math.cos(b) };
  const bend = { x: 1.5 * elbow.x - (shoulder.x + wrist.x) / 4, y: 1.5 * elbow.y - (shoulder.y + wrist.y) / 4 };
  const outer: Point[] = [];
  const inner: Point[] = [];
  for (let i = 0; i <= 8; i++) {
    const t = i / 8;
    const along = (s: number, c: number, w: number) => s * (1 - t) ** 2 + 2 * c * t * (1 - t) + w * t * t;
    const slope = (s: number, c: number, w: number) => 2 * ((c - s) * (1 - t) + (w - c) * t);
    const [x, y] = [along(shoulder.x, bend.x, wrist.x), along(shoulder.y, bend.y, wrist.y)];
    const [dx, dy] = [slope(shoulder.x, bend.x, wrist.x), slope(shoulder.y, bend.y, wrist.y)];
    const half = (19 + 6 * t * t) / Math.max(1, Math.hypot(dx, dy));
    outer.push({ x: x - dy * half, y: y + dx * half });
    inner.push({ x: x + dy * half, y: y - dx * half });
  }
  const write = (points: Point[]) => `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}Z`;
  const end = { x: wrist.x + 8 * Math.sin(b), y: wrist.y + 8 * Math.cos(b) };
  const turn = (-b * 180) / Math.PI;
  return {
    sleeve: write([...outer, ...inner.toReversed()]),
    cuff: write([...outer.slice(7), ...inner.slice(7).toReversed()]),
    hand: `translate(${round(end.x)} ${round(end.y)}) rotate(${round(turn)})`,
  };
}

/** An eye is two lids. A smile lifts the lower one until only an arch is left. */
function eye(x: number, open: number, smile: number): string {
  const half = 13 + 3 * smile;
  const up = 26 * (open * (1 - smile) + smile * Math.min(1, open));
  const low = 26 * (open * (1 - smile) - smile * 0.72 * Math.min(1, open));
  const y = 208 + 8 * smile;
  const left = round(x - half);
  const right = round(x + half);
  return `M${left} ${y}C${left} ${round(y - up)} ${right} ${round(y - up)} ${right} ${y}C${right} ${round(y + low)} ${left} ${round(y + low)} ${left} ${y}Z`;
}

/** The mouth is two curves between its corners; shut, they are one. */
function lips(face: Face): string {
  const half = 12 + 36 * face.mouthWidth;
  const corner = 258 - 9 * face.mouthCurve;
  const upper = corner + 26 * face.mouthCurve - 22 * face.mouthOpen * (1 - Math.max(0, face.mouthCurve));
  const lower = corner + 26 * face.mouthCurve + 74 * face.mouthOpen;
  const bow = half * 0.62;
  const c = (y: number, from: number, to: number) =>
    `C${round(200 + from)} ${round(y)} ${round(200 + to)} ${round(y)}`;
  return `M${round(200 - half)} ${round(corner)}${c(upper, -bow, bow)} ${round(200 + half)} ${round(corner)}${c(lower, bow, -bow)} ${round(200 - half)} ${round(corner)}Z`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

function round2(n: number): number {
  return Math.round(n * 1000) / 1000;
}
