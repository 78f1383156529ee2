// The server hears a recording.

import { object, string } from "./api";
import type { Language } from "./api";
import { credentials } from "./key";

/** How long the server may take, in milliseconds: a little longer than it gives its own service. */
const patience = 23_000;

/** The server could not hear, or could not be reached. */
export class NotHeardError extends Error {}

/** What was said; "" where nothing was. */
export async function transcribe(wav: Blob, language: Language, gone: AbortSignal): Promise<string> {
  const form = new FormData();
  form.append("language", language);
  form.append("response_format", "json");
  form.append("file", wav, "speech.wav");
  const late = AbortSignal.timeout(patience);
  try {
    const response = await fetch("/v1/audio/transcriptions", {
      method: "POST",
      body: form,
      headers: { ...credentials, "Accept-Language": language },
      cache: "no-store",
      signal: AbortSignal.any([gone, late]),
    });
    const answer = object(await response.json());
    if (!response.ok || typeof answer["text"] !== "string") throw new NotHeardError(`status ${response.status}`);
    return string(answer["text"]).trim();
  } catch (error) {
    throw error instanceof NotHeardError ? error : new NotHeardError(String(error));
  }
}
