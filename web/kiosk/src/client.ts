// The server as functions. Two things can go wrong with an answer, and they are told apart: the server refused
// (RefusedError, with words to say) or it could not be reached or fell silent (any other error).

import { decodeEvents, decodeFailure, decodeStreamEvent, decodeVenue } from "./api";
import type { EventsResponse, Failure, QueryRequest, StreamEvent, Venue } from "./api";
import { credentials } from "./key";
import { readEvents } from "./sse";

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

/**
 * Asks, and yields the events of the answer; the last one is final or error, otherwise it throws.
 * The answer counts as broken when nothing is heard for a while and the server does not answer GET /healthz either.
 */
export async function* ask(request: QueryRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const broken = new AbortController();
  const watch = watchSilence(() => broken.abort());
  try {
    const response = await fetch("/query", {
      method: "POST",
      headers: { ...credentials, "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(request),
      signal: AbortSignal.any([signal, broken.signal]),
    });
    watch.heard();
    if (!response.ok) throw new RefusedError(decodeFailure(await response.json()));
    if (response.body === null) throw new Error("the answer has no body");
    for await (const { name, data } of readEvents(response.body, watch.heard)) {
      const event = decodeStreamEvent(name, data);
      if (event === null) continue;
      yield event;
      if (event.name === "final" || event.name === "error") return;
    }
    throw new Error("the answer ended early");
  } finally {
    watch.end();
  }
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

// A pulled cable shows after silence + probe = 4.5 s. A server that is alive may think for as long as patience lasts.
const silenceLimit = 2500;
const probeLimit = 2000;
const patience = 30_000;

function watchSilence(giveUp: () => void): { heard: () => void; end: () => void } {
  let lastHeard = Date.now();
  let lastSign = lastHeard;
  let probing = false;
  const look = async () => {
    if (Date.now() - lastHeard >= patience) giveUp();
    if (probing || Date.now() - lastSign < silenceLimit) return;
    probing = true;
    const asked = Date.now();
    if (await isHealthy()) lastSign = Date.now();
    else if (lastSign < asked) giveUp();
    probing = false;
  };
  const timer = setInterval(() => void look(), 250);
  const heard = () => {
    lastHeard = lastSign = Date.now();
  };
  return { heard, end: () => clearInterval(timer) };
}

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
