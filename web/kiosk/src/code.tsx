// The QR code of an address, with the name of where it leads. It is loaded when an answer has one.

import { encode } from "uqr";
import type { Language } from "./api";
import "./style/code.css";
import { Text } from "./text";

const own = {
  ja: { more: "くわしくはスマートフォンで", label: (host: string) => `${host} のQRコード` },
  en: { more: "More on your phone", label: (host: string) => `QR code of ${host}` },
};

/** A longer address makes a code too fine for a telephone. */
const longest = 200;

export function Code({ url, language }: { url: string; language: Language }) {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || url.length > longest) return null;
  const { data, size } = encode(url, { ecc: "M", border: 2 });
  const dots = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  const w = own[language];
  return (
    <figure class="code">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={w.label(address.host)} shape-rendering="crispEdges">
        <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
        <path d={dots.join("")} fill="#14213d" />
      </svg>
      <figcaption>
        <span>
          <Text text={w.more} />
        </span> <small>
          {address.host.split(/(?<=\.)/).map((label) => (
            <>
              {label}
              <wbr />
            </>
          ))}
        </small>
      </figcaption>
    </figure>
  );
}
