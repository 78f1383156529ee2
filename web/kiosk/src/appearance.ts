// The colours that the venue has chosen; the server has seen to it that they can be read.

import type { Appearance } from "./api";
import type { Readable } from "./cell";
import type { State } from "./state";

/** What the style sheets take for each colour of a venue. */
function colours({ color, coat, tie, glow }: Appearance): Record<string, string> {
  const light = (share: number, other: string) => glow && `color-mix(in srgb, ${glow} ${share}%, ${other})`;
  return {
    "--own": color,
    "--coat": coat || color,
    "--tie": tie,
    "--glow-0": light(22, "#fff"),
    "--glow-1": light(55, "#fff"),
    "--glow-2": glow,
    "--glow-3": light(84, "#8a3a10"),
  };
}

/** Gives the page the colours of the venue, and changes them with it. */
export function followAppearance(state: Readable<State>): void {
  let known: Appearance | undefined;
  const follow = () => {
    const appearance = state.value.venue?.appearance;
    if (appearance === undefined || appearance === known) return;
    known = appearance;
    for (const [name, value] of Object.entries(colours(appearance))) document.documentElement.style.setProperty(name, value);
  };
  state.follow(follow);
  follow();
}
