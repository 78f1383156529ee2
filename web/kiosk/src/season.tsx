// What the season brings: an ornament that Akari wears, and what drifts by while nobody is there.

import { useEffect, useState } from "preact/hooks";
import type { Season } from "./slides";
import { isDark, seasonOf } from "./slides";
import "./style/season.css";

/** The season and the light at the venue. */
export function around(now: number, zone: string): { season: Season; dark: boolean } {
  return { season: seasonOf(now, zone), dark: isDark(now, zone) };
}

/** What is worn, in the drawing of the lantern: it goes with the head. */
export function Ornament({ season }: { season: Season }) {
  switch (season) {
    case "spring":
      return (
        <g transform="translate(244 74) rotate(14)">
          <Petals />
        </g>
      );
    case "summer":
      return <WindBell />;
    case "autumn":
      return (
        <g transform="translate(240 72) rotate(24) scale(1.15)">
          <path d={mapleLeaf} fill="#d24a2c" stroke="#8f2d18" stroke-width="1.6" stroke-linejoin="round" />
          <path d="M0 16V-14M0 6L-13-4M0 6L13-4" stroke="#8f2d18" stroke-width="1.4" fill="none" stroke-linecap="round" />
        </g>
      );
    case "winter":
      return <Scarf />;
  }
}

const mapleLeaf = "M0-24L5-13L13-18L12-8L24-8L16 1L20 8L8 8L0 16L-8 8L-20 8L-16 1L-24-8L-12-8L-13-18L-5-13Z";
const petal = "M0 0C-9-5-10-16-4-21L0-17L4-21C10-16 9-5 0 0Z";

/** A cherry blossom. */
function Petals() {
  return (
    <g>
      {[0, 72, 144, 216, 288].map((turn) => (
        <path key={turn} d={petal} transform={`rotate(${turn})`} fill="#f9c3d2" stroke="#d97793" stroke-width="1.4" />
      ))}
      <circle r="4" fill="#d9557d" />
    </g>
  );
}

/** A bell of glass with a strip of paper, which turns in the wind. */
function WindBell() {
  return (
    <g>
      <path d="M268 91Q320 92 352 76" fill="none" stroke="#1d2c4f" stroke-width="5" stroke-linecap="round" />
      <g transform="rotate(3 352 77)">
        <path d="M352 77V104" stroke="#7d8bab" stroke-width="2" />
        <path d="M331 130C329 96 375 96 373 130Q352 136 331 130Z" fill="#cfeaf2" fill-opacity="0.95" stroke="#3d7f95" stroke-width="2.5" />
        <path d="M341 115q5.5-6 11 0q5.5 6 11 0" fill="none" stroke="#e8613c" stroke-width="3" stroke-linecap="round" />
        <path d="M352 132V148" stroke="#7d8bab" stroke-width="2" />
        <path d="M343 148H361V194H343Z" fill="#fffdf6" stroke="#3d7f95" stroke-width="2" />
        <path d="M352 157V167M352 173V186" stroke="#3d7f95" stroke-width="3" stroke-linecap="round" />
      </g>
    </g>
  );
}

/** A scarf over the collar. */
function Scarf() {
  return (
    <g>
      <path d="M150 342L136 408Q134 416 142 418L164 422Q171 423 172 416L180 344Z" fill="#a8322b" />
      <path d="M139 394L175 400L174 408L137 402Z" fill="#fff3df" />
      <path d="M138 418v8M146 420v8M154 421v8M162 422v8" stroke="#a8322b" stroke-width="4" stroke-linecap="round" />
      <path d="M122 322Q116 346 136 352Q200 366 264 352Q284 346 278 322Q200 344 122 322Z" fill="#c23f36" />
      <path d="M160 331L156 356L172 358L176 333ZM226 333L230 358L246 355L242 330Z" fill="#fff3df" />
    </g>
  );
}

/** How often something drifts by, in milliseconds: what moves all day wears out screens and whoever works beside them. */
const between = 60_000;

/** What drifts by now and then: petals, fireflies, leaves or snow. */
export function Drift({ season }: { season: Season }) {
  const [time, setTime] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTime((t) => t + 1), between);
    return () => clearInterval(timer);
  }, []);
  return (
    <div key={time} class={`drift is-${season}`} aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((i) => (
        <svg key={i} viewBox="-26 -26 52 52">
          {season === "spring" && <path d={petal} fill="#f6b3c6" transform="translate(0 10)" />}
          {season === "summer" && <circle r="9" fill="#f3c94b" fill-opacity="0.85" />}
          {season === "autumn" && <path d={mapleLeaf} fill={i % 2 ? "#d98a2b" : "#cc4b2e"} />}
          {season === "winter" && <circle r="11" class="snow" />}
        </svg>
      ))}
    </div>
  );
}
