// The server as functions. Two things can go wrong with an answer, and they are told apart: the server refused
// (RefusedError, with words to say) or it could not be reached or fell silent (any other error).

import { decodeEvents, decodeVenue } from "./api";
import type { EventsResponse, Failure, Venue } from "./api";
import { credentials } from "./key";

/** The server answered with its error envelope. */
export class RefusedError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

/** The venue. Kept says that the server could not be reached, and that it is the one that the service worker has kept. */
export async function getVenue(): Promise<{ venue: Venue; kept: boolean }> {
  const response = await get("/venue");
  return { venue: decodeVenue(await response.json()), kept: response.headers.has("X-Kept") };
}

/** The public events of one day, "2026-01-15" in the venue's zone. */
export async function getEvents(day: string): Promise<EventsResponse> {
  return decodeEvents(await getJSON(`/events?from=${day}&to=${day}`));
}

export function cancelRun(runId: string): Promise<void> {
  return tell("POST", `/runs/${encodeURIComponent(runId)}/cancel`);
}

export function forgetSession(sessionId: string): Promise<void> {
  return tell("DELETE", `/sessions/${encodeURIComponent(sessionId)}`);
}

/** Whether the server answers within two seconds. */
export async function isHealthy(): Promise<boolean> {
  const probe = withLimit((signal) => fetch("/healthz", { cache: "no-store", signal }));
  return probe.then((response) => response.ok).catch(() => false);
}

const probeLimit = 2000;

export async function getJSON(path: string): Promise<unknown> {
  return (await get(path)).json();
}

async function get(path: string): Promise<Response> {
  const response = await withLimit((signal) => fetch(path, { cache: "no-store", headers: credentials, signal }));
  if (!response.ok) throw new Error(`GET ${path}: status ${response.status}`);
  return response;
}

/** For courtesies that may fail: the server forgets by itself in time. */
async function tell(method: string, path: string): Promise<void> {
  await withLimit((signal) => fetch(path, { method, headers: credentials, keepalive: true, signal })).catch(() => undefined);
}

async function withLimit<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), probeLimit);
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
  }
}
