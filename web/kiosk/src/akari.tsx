// Akari, the paper-lantern guide: a drawing of our own whose face and arms follow twelve numbers. The drawing is made once; after
// that every frame moves a handful of attributes, so speaking costs no rendering.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Emotion, Language, Mouth } from "./api";
import type { Face } from "./face";
import { faceOf, glide } from "./face";
import { words } from "./words";

interface Props {
  emotion: Emotion;
  /** What the answer does with its arms, as the contract names it; "" for nothing. */
  gesture: string;
  thinking: boolean;
  language: Language;
  mouth: () => Mouth | null;
}

const ribs = [122, 150, 180, 210, 240, 270, 298];
const body =
  "M142 92H258C328 98 358 158 358 212C358 266 328 326 258 332H142C72 326 42 266 42 212C42 158 72 98 142 92Z";

export function Akari({ emotion, gesture, thinking, language, mouth }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const mood = useRef({ emotion, gesture, thinking, mouth });
  mood.current = { emotion, gesture, thinking, mouth };
  useEffect(() => (svg.current === null ? undefined : animate(svg.current, () => mood.current)), []);
  useWalk(svg);
  const { guide, faces } = words[language];
  return (
    <svg
      ref={svg}
      class={thinking ? "akari is-thinking" : "akari"}
      viewBox="0 0 400 500"
      role="img"
      aria-label={language === "ja" ? `${guide}。${faces[emotion]}` : `${guide}, ${faces[emotion]}`}
    >
      <Light />
      <g data-part="swing">
        <Cord />
        <g data-part="breath">
          <Coat />
          <Lantern />
          <Arms />
          <FaceParts />
        </g>
      </g>
    </svg>
  );
}

function Light() {
  return (
    <>
      <defs>
        <radialGradient id="halo">
          <stop offset="0" stop-color="#ffd27d" stop-opacity="0.75" />
          <stop offset="0.55" stop-color="#ffe1a8" stop-opacity="0.38" />
          <stop offset="1" stop-color="#fff1d6" stop-opacity="0" />
        </radialGradient>
        <radialGradient id="paper" cx="0.5" cy="0.56" r="0.62">
          <stop offset="0" stop-color="#fff6dd" />
          <stop offset="0.5" stop-color="#ffe3a6" />
          <stop offset="0.82" stop-color="#ffc873" />
          <stop offset="1" stop-color="#f3a648" />
        </radialGradient>
        <clipPath id="shell">
          <path d={body} />
        </clipPath>
        <clipPath id="lips">
          <path data-part="lips" d="" />
        </clipPath>
      </defs>
      <circle data-part="halo" cx="200" cy="218" r="270" fill="url(#halo)" />
    </>
  );
}

function Cord() {
  return (
    <g>
      <path d="M200-700V24" stroke="#14213d" stroke-width="5" />
      <circle cx="200" cy="31" r="10" fill="none" stroke="#14213d" stroke-width="5" />
    </g>
  );
}

function Coat() {
  return (
    <g>
      <path d="M166 462v18q0 12 -13 12h-8q-11 0 -11 -10q0 -8 10 -10V462Z" fill="#14213d" />
      <path d="M234 462v18q0 12 13 12h8q11 0 11 -10q0 -8 -10 -10V462Z" fill="#14213d" />
      <path d="M146 334C124 352 114 410 111 456Q111 468 123 468H277Q289 468 289 456C286 410 276 352 254 334Z" fill="#0b6e69" />
      <path d="M112.500 440H287.500L288.800 452H111.300Z" fill="#bfe3dd" />
      <path d="M168 330H232L206 408H194Z" fill="#fff6e2" />
      <path d="M160 330H178L206 420V468H194V420Z" fill="#14213d" />
      <path d="M240 330H222L194 420V468H206V420Z" fill="#14213d" />
      <path d="M190 350H210L206 364L213 396L200 410L187 396L194 364Z" fill="#ff7a59" />
    </g>
  );
}

function Arms() {
  return (
    <g>
      <g data-part="armLeft">
        <circle cx="84" cy="436" r="16" fill="#ffdf9f" />
        <path d="M146 338C104 346 76 378 66 420Q64 431 75 434L103 440Q113 441 115 431C120 408 130 388 150 374Z" fill="#0a5f5b" />
        <path d="M66.500 417.500L115.500 428L113 438L64.500 428Z" fill="#bfe3dd" />
      </g>
      <g data-part="armRight">
        <circle cx="316" cy="436" r="16" fill="#ffdf9f" />
        <path d="M254 338C296 346 324 378 334 420Q336 431 325 434L297 440Q287 441 285 431C280 408 270 388 250 374Z" fill="#0a5f5b" />
        <path d="M333.500 417.500L284.500 428L287 438L335.500 428Z" fill="#bfe3dd" />
      </g>
    </g>
  );
}

function Lantern() {
  return (
    <g>
      <path d="M144 86L154 52Q157 42 168 42H232Q243 42 246 52L256 86Z" fill="#14213d" />
      <path d={body} fill="url(#paper)" />
      <g clip-path="url(#shell)" fill="none" stroke="#d98c2f" stroke-width="3" stroke-opacity="0.34">
        {ribs.map((y) => (
          <path key={y} d={`M30 ${y}Q200 ${y + 16} 370 ${y}`} />
        ))}
      </g>
      <g class="akari-glow" clip-path="url(#shell)" fill="none" stroke="#fff7dc" stroke-width="13" stroke-linecap="round">
        <path d="M30 122Q200 138 370 122" />
        <path d="M30 109Q200 125 370 109" />
        <path d="M30 96Q200 112 370 96" />
      </g>
      <path d="M134 82H266Q274 82 274 90T266 98H134Q126 98 126 90T134 82Z" fill="#1d2c4f" />
      <path d="M134 326H266Q274 326 274 334T266 342H134Q126 342 126 334T134 326Z" fill="#1d2c4f" />
    </g>
  );
}

function FaceParts() {
  return (
    <g>
      <g data-part="cheeks" fill="#ff7a59">
        <ellipse cx="110" cy="256" rx="26" ry="15" />
        <ellipse cx="290" cy="256" rx="26" ry="15" />
      </g>
      <g data-part="gaze" fill="#14213d" stroke="#14213d" stroke-width="5" stroke-linejoin="round">
        <path data-part="eyeLeft" d="" />
        <path data-part="eyeRight" d="" />
        <g data-part="sparkle" fill="#fff" stroke="none">
          <circle cx="149" cy="199" r="5.5" />
          <circle cx="243" cy="199" r="5.5" />
          <circle cx="158" cy="216" r="2.5" />
          <circle cx="252" cy="216" r="2.5" />
        </g>
      </g>
      <g fill="none" stroke="#14213d" stroke-width="7" stroke-linecap="round">
        <path data-part="browLeft" d="M134 166Q152 157 170 164" />
        <path data-part="browRight" d="M266 166Q248 157 230 164" />
      </g>
      <path data-part="mouth" d="" fill="#7c2620" stroke="#14213d" stroke-width="6" stroke-linejoin="round" stroke-linecap="round" />
      <ellipse data-part="tongue" clip-path="url(#lips)" cx="200" cy="300" rx="26" ry="15" fill="#ff7a59" />
    </g>
  );
}

/** Walks from where the screen had the lantern to where it has it now, in 240 ms. */
function useWalk(svg: RefObject<SVGSVGElement | null>): void {
  const last = useRef<DOMRect | null>(null);
  useLayoutEffect(() => {
    const box = svg.current;
    if (box === null) return;
    const [from, to] = [last.current, box.getBoundingClientRect()];
    last.current = to;
    const still = from === null || to.height === 0 || Math.abs(from.x - to.x) + Math.abs(from.height - to.height) < 8;
    if (still || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const moved = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.height / to.height})`;
    box.animate([{ transformOrigin: "0 0", transform: moved }, { transformOrigin: "0 0", transform: "none" }], { duration: 240, easing: "ease-out" });
  });
}

type Part = (name: string, attribute: string, value: string) => void;

/** Draws the face every frame until it is told to end. Attributes that did not change are not written. */
function animate(svg: SVGSVGElement, mood: () => Omit<Props, "language">): () => void {
  const written = new Map<string, string>();
  const parts = new Map([...svg.querySelectorAll<SVGElement>("[data-part]")].map((e) => [e.dataset["part"] ?? "", e]));
  const part: Part = (name, attribute, value) => {
    const key = `${name} ${attribute}`;
    if (written.get(key) === value) return;
    written.set(key, value);
    parts.get(name)?.setAttribute(attribute, value);
  };
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const gaze = followTouch(svg);
  const blink = blinker();
  let face = faceOf(mood().emotion, null, mood().gesture);
  let look = { x: 0, y: 0 };
  let last = performance.now();
  let frame = requestAnimationFrame(draw);

  function draw(now: number): void {
    frame = requestAnimationFrame(draw);
    const { emotion, gesture, thinking, mouth } = mood();
    const spoken = calm.matches ? twoStates(mouth()) : mouth();
    const ms = Math.min(now - last, 100);
    last = now;
    face = glide(face, faceOf(emotion, spoken, gesture), ms);
    const goal = thinking ? { x: 3, y: -13 } : gaze.at(now);
    const share = 1 - Math.exp(-ms / 40);
    look = { x: look.x + (goal.x - look.x) * share, y: look.y + (goal.y - look.y) * share };
    drawFace(part, face, thinking ? 1 : blink(now), look);
    drawMotion(part, face, calm.matches ? null : now, gesture === "wave");
  }
  return () => {
    cancelAnimationFrame(frame);
    gaze.end();
  };
}

function drawFace(part: Part, face: Face, lids: number, look: { x: number; y: number }): void {
  const open = face.eyeOpen * lids;
  part("eyeLeft", "d", eye(152, open, face.eyeSmile));
  part("eyeRight", "d", eye(248, open, face.eyeSmile));
  part("gaze", "transform", `translate(${round(look.x)} ${round(look.y)})`);
  part("sparkle", "opacity", String(round(Math.max(0, Math.min(1, open * 2 - 0.8) * (1 - face.eyeSmile * 1.4)))));
  const lift = -16 * face.browHeight;
  const turn = 15 * face.browAngle;
  part("browLeft", "transform", `translate(0 ${round(lift)}) rotate(${round(-turn)} 152 163)`);
  part("browRight", "transform", `translate(0 ${round(lift)}) rotate(${round(turn)} 248 163)`);
  part("cheeks", "opacity", String(round(0.16 + 0.4 * face.cheek)));
  const shape = lips(face);
  part("mouth", "d", shape);
  part("lips", "d", shape);
  part("tongue", "cy", String(round(266 + 10 * face.mouthCurve + 55 * face.mouthOpen)));
}

function drawMotion(part: Part, face: Face, now: number | null, waves: boolean): void {
  const breath = now === null ? 0 : Math.sin((now / 5000) * 2 * Math.PI);
  const sway = now === null ? 0 : Math.sin((now / 7300) * 2 * Math.PI) * 0.9;
  part("breath", "transform", `translate(0 ${round(4 * breath + 16 * face.bow)})`);
  const wave = waves && now !== null ? 9 * Math.sin((now / 900) * 2 * Math.PI) * Math.max(0, Math.sin((now / 7200) * 2 * Math.PI)) : 0;
  part("armLeft", "transform", `rotate(${round(face.armLeft)} 138 354)`);
  part("armRight", "transform", `rotate(${round(-face.armRight - wave)} 262 354)`);
  part("swing", "transform", `rotate(${round(face.tilt + sway)} 200 -60)`);
  part("halo", "opacity", String(round(0.86 + 0.14 * breath)));
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

/** With reduced motion a mouth is open or shut, no more. */
function twoStates(mouth: Mouth | null): Mouth | null {
  return mouth === null || mouth === "closed" ? mouth : "e";
}

/** The openness of the lids by blinking: shut for a moment every three to six seconds. */
function blinker(): (now: number) => number {
  let next = performance.now() + 3000;
  return (now) => {
    if (now > next + 150) next = now + 3000 + Math.random() * 3000;
    return now >= next ? 0.06 : 1;
  };
}

/** Looks at where the screen was touched, for a second and a half. */
function followTouch(svg: SVGSVGElement): { at: (now: number) => { x: number; y: number }; end: () => void } {
  let target = { x: 0, y: 0 };
  let until = 0;
  const onTouch = (event: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    const x = event.clientX - (box.left + box.width / 2);
    const y = event.clientY - (box.top + box.height * 0.42);
    const far = Math.max(1, Math.hypot(x, y));
    target = { x: (x / far) * 9, y: (y / far) * 9 };
    until = performance.now() + 1500;
  };
  addEventListener("pointerdown", onTouch);
  return {
    at: (now) => (now < until ? target : { x: 0, y: 0 }),
    end: () => removeEventListener("pointerdown", onTouch),
  };
}
