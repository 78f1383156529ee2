// A sketch of where the venue lies among the places around it: no map of somebody else's, only directions and distances
// drawn to scale, with north above. The places are numbered as in the list beside it.

import type { Card, Language } from "./api";
import "./style/map.css";
import { Text } from "./text";

const own = {
  ja: { here: "ここ", north: "北", sketch: "略図", list: "近くの場所" },
  en: { here: "Here", north: "N", sketch: "Sketch", list: "Places nearby" },
};

const size = 200;
const margin = 24;
/** The strip below for the scale and where north is. */
const strip = 22;
/** Lengths of the scale, in metres. */
const lengths = [50, 100, 200, 500, 1000, 2000, 5000];

export function Sketch({ card, language }: { card: Card; language: Language }) {
  const w = own[language];
  const rows = card.rows ?? [];
  const points = (card.points ?? []).slice(0, rows.length);
  const all = [{ east: 0, north: 0 }, ...points];
  const east = all.map((p) => p.east);
  const north = all.map((p) => p.north);
  const span = Math.max(200, Math.max(...east) - Math.min(...east), Math.max(...north) - Math.min(...north));
  const scale = (size - 2 * margin) / span;
  const middle = { east: (Math.max(...east) + Math.min(...east)) / 2, north: (Math.max(...north) + Math.min(...north)) / 2 };
  const place = (p: { east: number; north: number }) => ({ x: size / 2 + (p.east - middle.east) * scale, y: size / 2 - (p.north - middle.north) * scale });
  const here = place({ east: 0, north: 0 });
  const length = lengths.findLast((metres) => metres * scale <= size / 3) ?? 50;
  return (
    <div class="sketch">
      <svg viewBox={`0 0 ${size} ${size + strip}`} role="img" aria-label={w.sketch}>
        {points.map(place).map(({ x, y }, i) => (
          <path key={i} class="sketch-way" d={`M${here.x} ${here.y}L${x} ${y}`} />
        ))}
        {points.map(place).map(({ x, y }, i) => (
          <g key={i} transform={`translate(${x} ${y})`}>
            <circle r="11" class="sketch-place" />
            <text y="4.500">{i + 1}</text>
          </g>
        ))}
        <g transform={`translate(${here.x} ${here.y})`}>
          <path class="sketch-here" d="M0 3c-3-6-8-9-8-15a8 8 0 0 1 16 0c0 6-5 9-8 15z" />
          <circle cy="-12" r="3" fill="#fff" />
          <text class="sketch-label" y="16">{w.here}</text>
        </g>
        <g class="sketch-scale">
          <path d={`M10 208v4h${length * scale}v-4`} />
          <text x={16 + length * scale} y="214">{length < 1000 ? `${length} m` : `${length / 1000} km`}</text>
          <path d="M170 214v-14m-4 5 4-5 4 5" />
          <text x="178" y="213">{w.north}</text>
        </g>
      </svg>
      <ol aria-label={w.list}>
        {rows.map(({ label, value }, i) => (
          <li key={i}>
            <span class="sketch-number" aria-hidden="true">
              {i + 1}
            </span>
            <span>
              <Text text={label} />
            </span>
            <span class="sketch-value">{value}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
