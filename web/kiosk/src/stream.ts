// A streamed answer: how it is asked for and watched. It is loaded after the first screen.

import { decodeFailure } from "./api";
import type { QueryRequest, StreamEvent } from "./api";
import { isHealthy, RefusedError } from "./client";
import { decodeStreamEvent } from "./decode";
import { credentials } from "./key";
import { readEvents } from "./sse";

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

// A pulled cable shows after silence + probe = 4.5 s. A server that is alive may think for as long as patience lasts.
const silenceLimit = 2500;
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
