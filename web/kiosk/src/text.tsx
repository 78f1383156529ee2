// Words on the screen. Where their lines may break is worked out by a part that comes after the first load; until it is
// there, the browser breaks them.

import { Cell, useCell } from "./cell";

type Breaks = typeof import("./breaks");

const breaks = new Cell<Breaks | null>(null);

export function loadBreaks(): void {
  import("./breaks").then((part) => (breaks.value = part), () => undefined);
}

/** A text. Names in keep are not broken where another place is near. */
export function Text({ text, keep }: { text: string; keep?: string[] | undefined }) {
  const part = useCell(breaks);
  return part === null ? <>{text}</> : <part.Phrases text={text} keep={keep} />;
}
