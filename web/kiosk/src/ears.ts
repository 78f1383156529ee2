// Whether the kiosk hears, and with what. Browsers give the microphone only to https: and to the machine itself.

import type { Venue } from "./api";
import { hearsHere } from "./local";

/** The server hears, or the browser does on this machine. */
export type Ears = "server" | "local";

/** What hears: the server, which knows the words of the venue, else the browser where that needs nobody else. */
export async function findEars(venue: Venue): Promise<Ears | null> {
  const microphone = navigator.mediaDevices?.getUserMedia !== undefined && typeof AudioWorkletNode === "function";
  if (venue.hearing && microphone) return "server";
  return (await hearsHere()) ? "local" : null;
}
