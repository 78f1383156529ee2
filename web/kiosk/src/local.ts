// The browser's own recogniser, where it works on this machine: sound goes to nobody. One that asks a service of its maker is
// not used.

import type { Language } from "./api";
import type { Listener, Told } from "./hear";

/** What we need of the Web Speech API. Its types are in no library yet. */
interface Recogniser extends EventTarget {
  lang: string;
  interimResults: boolean;
  continuous: boolean;
  processLocally: boolean;
  start: () => void;
  stop: () => void;
  abort: () => void;
}

interface RecogniserClass {
  new (): Recogniser;
  available?: (options: { langs: string[]; processLocally: boolean }) => Promise<string>;
}

interface Result {
  isFinal: boolean;
  [index: number]: { transcript: string } | undefined;
}

const codes: Record<Language, string> = { ja: "ja-JP", en: "en-US" };
/** The longest speech, in milliseconds. */
const longest = 20_000;

function recogniserClass(): RecogniserClass | null {
  return (globalThis as unknown as { SpeechRecognition?: RecogniserClass }).SpeechRecognition ?? null;
}

/** Whether the browser hears both languages on this machine. */
export async function hearsHere(): Promise<boolean> {
  const known = recogniserClass();
  if (known?.available === undefined || !("processLocally" in known.prototype)) return false;
  try {
    return (await known.available({ langs: Object.values(codes), processLocally: true })) === "available";
  } catch {
    return false;
  }
}

/** Has the browser hear. */
export function listenHere(language: Language, told: Told): Listener {
  const known = recogniserClass();
  if (known === null) throw new Error("there is no recogniser");
  const recogniser = new known();
  recogniser.lang = codes[language];
  recogniser.interimResults = true;
  recogniser.processLocally = true;
  let text = "";
  let problem: "denied" | "missing" | "failed" | undefined;
  const timer = setTimeout(() => recogniser.stop(), longest);
  recogniser.addEventListener("start", told.open);
  recogniser.addEventListener("result", (event) => {
    const results = [...(event as unknown as { results: Iterable<Result> }).results];
    text = results.map((result) => result[0]?.transcript ?? "").join("").trim();
    told.interim(text);
  });
  recogniser.addEventListener("error", (event) => {
    const { error } = event as unknown as { error: string };
    if (error === "not-allowed" || error === "service-not-allowed") problem = "denied";
    else if (error === "audio-capture") problem = "missing";
    else if (error !== "no-speech") problem = "failed";
  });
  recogniser.addEventListener("end", () => {
    clearTimeout(timer);
    told.over(text, text === "" ? problem : undefined);
  });
  recogniser.start();
  return { end: () => recogniser.stop(), cancel: () => recogniser.abort() };
}
