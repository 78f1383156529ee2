// How loud the kiosk is: as the venue says for the time of day, or as the operator set this one.

import { list, object, string } from "./api";
import type { JSONObject } from "./api";

/** What the operator set at this kiosk; it stays when the browser starts again. */
export interface Own {
  /** Percent, in place of the venue's. */
  volume?: number;
  /** Whether nothing is to be heard. */
  quiet?: boolean;
}

const name = "annai-kiosk";

export function readOwn(): Own {
  try {
    const kept = object(JSON.parse(localStorage.getItem(name) ?? "{}"));
    return {
      ...(typeof kept["volume"] === "number" && { volume: clamp(kept["volume"]) }),
      ...(kept["quiet"] === true && { quiet: true }),
    };
  } catch {
    return {};
  }
}

export function writeOwn(own: Own): void {
  if (own.volume === undefined && !own.quiet) localStorage.removeItem(name);
  else localStorage.setItem(name, JSON.stringify(own));
}

/** The volume in percent at a time of the venue, "18:30". 0 is quiet mode. */
export function volumeAt(kiosk: JSONObject, own: Own, time: string): number {
  if (own.quiet) return 0;
  if (own.volume !== undefined) return own.volume;
  const hours = list(kiosk["hours"]).map(object);
  const now = hours.find((h) => isWithin(time, string(h["from"]), string(h["until"])));
  const volume = (now ?? kiosk)["volume"];
  return typeof volume === "number" ? clamp(volume) : 100;
}

/** Whether a time is in hours that may be over midnight. */
function isWithin(time: string, from: string, until: string): boolean {
  return from < until ? time >= from && time < until : time >= from || time < until;
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}
