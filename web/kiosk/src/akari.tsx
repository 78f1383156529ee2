// Akari, the paper-lantern guide: a drawing of our own. It is drawn once, with a smile; life.ts moves it, which comes after the
// first load.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Language } from "./api";
import type { Life, Mood } from "./life";
import { words } from "./words";

export interface FigureProps extends Mood {
  language: Language;
  /** What the season has it wear. */
  ornament?: ComponentChildren;
}

const ribs = [122, 150, 180, 210, 240, 270, 298];
const body =
  "M142 92H258C328 98 358 158 358 212C358 266 328 326 258 332H142C72 326 42 266 42 212C42 158 72 98 142 92Z";
const coat = "var(--coat, #0b6e69)";
const sleeve = "color-mix(in srgb, var(--coat, #0b6e69) 86%, #000)";
const trim = "color-mix(in srgb, var(--coat, #0b6e69) 26%, #fff)";
const smile = "M157 250C174 272 226 272 243 250C226 310 174 310 157 250Z";
const tie = "var(--tie, #ff7a59)";

export function Akari(props: FigureProps) {
  const svg = useRef<SVGSVGElement>(null);
  const life = useLife(props, async (mood) => {
    const [{ puppet }, { live }] = await Promise.all([import("./puppet"), import("./life")]);
    return svg.current === null ? null : live(puppet(svg.current), mood);
  });
  useLayoutEffect(() => life.current?.wake());
  const { language, thinking } = props;
  return (
    <svg ref={svg} class={thinking ? "akari is-thinking" : "akari"} viewBox="0 0 400 500" role="img" aria-label={labelOf(props, language)}>
      <Light />
      <g data-part="swing">
        <Cord />
        <g data-part="whole">
          <Coat />
          <g data-part="head">
            <Lantern />
            <FaceParts />
            {props.ornament}
          </g>
          <Arm side="Left" />
          <Arm side="Right" />
        </g>
      </g>
    </svg>
  );
}

/** Who it is and how it looks, for those who listen to the page. */
export function labelOf({ emotion }: Mood, language: Language): string {
  const { guide, faces } = words[language];
  return language === "ja" ? `${guide}。${faces[emotion]}` : `${guide}, ${faces[emotion]}`;
}

/** Brings a figure to life, once what moves it is loaded; one that can't be stands still. */
export function useLife(props: FigureProps, begin: (mood: () => Mood) => Promise<Life | null>) {
  const mood = useRef<Mood>(props);
  mood.current = props;
  const life = useRef<Life | null>(null);
  useEffect(() => {
    let gone = false;
    begin(() => mood.current).then(
      (begun) => (gone ? begun?.end() : (life.current = begun)),
      () => undefined,
    );
    return () => {
      gone = true;
      life.current?.end();
    };
  }, []);
  return life;
}

function Light() {
  return (
    <>
      <defs>
        <radialGradient id="halo">
          <stop offset="0" stop-color="var(--glow-2, #ffd27d)" stop-opacity="0.75" />
          <stop offset="0.55" stop-color="var(--glow-1, #ffe1a8)" stop-opacity="0.38" />
          <stop offset="1" stop-color="#fff1d6" stop-opacity="0" />
        </radialGradient>
        <radialGradient id="paper" cx="0.5" cy="0.56" r="0.62">
          <stop offset="0" stop-color="var(--glow-0, #fff6dd)" />
          <stop offset="0.5" stop-color="var(--glow-1, #ffe3a6)" />
          <stop offset="0.82" stop-color="var(--glow-2, #ffc873)" />
          <stop offset="1" stop-color="var(--glow-3, #f3a648)" />
        </radialGradient>
        <clipPath id="shell">
          <path d={body} />
        </clipPath>
        <clipPath id="lips">
          <path data-part="lips" d={smile} />
        </clipPath>
      </defs>
      <circle data-part="halo" cx="200" cy="218" r="270" fill="url(#halo)" opacity="0.9" />
    </>
  );
}

function Cord() {
  return (
    <g data-part="cord">
      <path d="M200-700V24" stroke="var(--cord, #14213d)" stroke-width="5" />
      <circle cx="200" cy="31" r="10" fill="none" stroke="var(--cord, #14213d)" stroke-width="5" />
    </g>
  );
}

function Coat() {
  return (
    <g>
      <path d="M166 462v18q0 12 -13 12h-8q-11 0 -11 -10q0 -8 10 -10V462Z" fill="#14213d" />
      <path d="M234 462v18q0 12 13 12h8q11 0 11 -10q0 -8 -10 -10V462Z" fill="#14213d" />
      <path d="M146 334C124 352 114 410 111 456Q111 468 123 468H277Q289 468 289 456C286 410 276 352 254 334Z" fill={coat} />
      <path d="M112.500 440H287.500L288.800 452H111.300Z" fill={trim} />
      <path d="M168 330H232L206 408H194Z" fill="#fff6e2" />
      <path d="M160 330H178L206 420V468H194V420Z" fill="#14213d" />
      <path d="M240 330H222L194 420V468H206V420Z" fill="#14213d" />
      <path d="M190 350H210L206 364L213 396L200 410L187 396L194 364Z" fill={tie} />
    </g>
  );
}

/** The right arm as it hangs; the left one mirrors it. */
const sleeveAtRest = "M239 373L251 392L260 411L265 430L268 450L317 439L308 416L297 393L284 372L269 351Z";
const cuffAtRest = "M267 440L268 450L317 439L313 427Z";
const handAtRest = "translate(295 452) rotate(-17)";
const fingerAtRest = "M-5.5 0V4a5.5 5.5 0 0 0 11 0V0";
const mirror = "translate(400 0) scale(-1 1)";

/** A sleeve that widens to its cuff, and a mitten of a hand. */
function Arm({ side }: { side: "Left" | "Right" }) {
  return (
    <g transform={side === "Left" ? mirror : undefined}>
      <g data-part={`hand${side}`} fill="#ffdf9f" stroke="#c9822b" stroke-width="3" stroke-opacity="0.75" transform={handAtRest}>
        <path data-part={`finger${side}`} d={fingerAtRest} />
        <circle cx="-11" cy="-4" r="7" />
        <circle r="15" />
      </g>
      <path data-part={`sleeve${side}`} d={sleeveAtRest} fill={sleeve} stroke={sleeve} stroke-width="4" stroke-linejoin="round" />
      <path data-part={`cuff${side}`} d={cuffAtRest} fill={trim} />
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
    <g data-part="features">
      <g data-part="cheeks" fill="#ff7a59" opacity="0.6">
        <ellipse cx="110" cy="256" rx="26" ry="15" />
        <ellipse cx="290" cy="256" rx="26" ry="15" />
      </g>
      <g data-part="gaze" fill="#14213d" stroke="#14213d" stroke-width="5" stroke-linejoin="round">
        <path data-part="eyeLeft" d="M136 216C136 190 168 190 168 216C168 197 136 197 136 216Z" />
        <path data-part="eyeRight" d="M232 216C232 190 264 190 264 216C264 197 232 197 232 216Z" />
        <g data-part="sparkle" opacity="0" fill="#fff" stroke="none">
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
      <path data-part="mouth" d={smile} fill="#7c2620" stroke="#14213d" stroke-width="6" stroke-linejoin="round" stroke-linecap="round" />
      <ellipse data-part="tongue" clip-path="url(#lips)" cx="200" cy="302" rx="26" ry="15" fill="#ff7a59" />
    </g>
  );
}
