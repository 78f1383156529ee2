// What a visitor may do besides asking: call staff, say whether an answer helped, take it along. What is under way is held
// here and gone with the visit; no word of a visitor is sent.

import { object, string } from "./api";
import type { JSONObject, Language, LocalText } from "./api";
import { Cell } from "./cell";
import { credentials } from "./key";
import type { Turn } from "./state";

/** How far a call for staff is: told only once they were. */
export type Call = { step: "ask" | "calling" | "failed"; id: string } | { step: "told"; id: string; at: string };

/** The page of an answer for a telephone. */
export type Page = { step: "making" | "failed" } | { step: "made"; url: string };

export interface Desk {
  call: Call | null;
  page: Page | null;
  /** The turn on which there was a word, and whether it was taken. */
  voted: { turn: number; taken: boolean | null } | null;
}

const empty: Desk = { call: null, page: null, voted: null };
export const desk = new Cell<Desk>(empty);

/** Longer than the server tries to reach staff. */
const staffPatience = 16_000;
const patience = 5000;

/** Makes everything as it is for the next visitor. */
export function clear(): void {
  desk.value = empty;
}

/** What the venue has for its kiosks. */
export function offers(kiosk: JSONObject): { staff: boolean; phone: boolean; where: LocalText; number: string } {
  const where = object(kiosk["staffWhere"]);
  return {
    staff: kiosk["staffCall"] === true,
    phone: kiosk["phone"] === true,
    where: { ja: string(where["ja"]), en: string(where["en"]) },
    number: string(kiosk["staffPhone"]),
  };
}

/** Asks whether staff are to be called. */
export function askForStaff(): void {
  set({ call: { step: "ask", id: randomName() } });
}

export function closeCall(): void {
  set({ call: null });
}

/** Calls staff. One that failed may be tried again under its name, so that they are not called twice. */
export async function callStaff(id: string, language: Language): Promise<void> {
  set({ call: { step: "calling", id } });
  const still = () => desk.value.call?.id === id;
  try {
    const answer = object(await (await post("/staff-calls", { id, language }, staffPatience)).json());
    if (still()) set({ call: { step: "told", id, at: string(answer["at"]) } });
  } catch {
    if (still()) set({ call: { step: "failed", id } });
  }
}

/** Says whether the answer helped. */
export async function vote(turn: Turn, helpful: boolean): Promise<void> {
  const mine = (taken: boolean | null) => set({ voted: { turn: turn.number, taken } });
  mine(null);
  const sent = post("/feedback", { runId: turn.runId, route: turn.route, helpful }, patience);
  const taken = await sent.then(() => true, () => false);
  if (desk.value.voted?.turn === turn.number) mine(taken);
}

/** Has a page made of the answer. */
export async function takeAlong(turn: Turn, sessionId: string): Promise<void> {
  const mine: Page = { step: "making" };
  set({ page: mine });
  const poster = turn.cards.findLast((card) => card.poster)?.poster ?? "";
  try {
    const answer = object(await (await post("/handovers", { sessionId, runId: turn.runId, poster }, patience)).json());
    if (desk.value.page === mine) set({ page: { step: "made", url: string(answer["url"]) } });
  } catch {
    if (desk.value.page === mine) set({ page: { step: "failed" } });
  }
}

export function closePage(): void {
  set({ page: null });
}

function set(change: Partial<Desk>): void {
  desk.value = { ...desk.value, ...change };
}

async function post(path: string, body: unknown, ms: number): Promise<Response> {
  const headers = { ...credentials, "Content-Type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(ms) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
}
