// What the visitor says becomes a question: from the microphone to the server as one short WAV, or through the browser's own
// recogniser where that works on this machine. The sound is held until it was heard, and nowhere else. It is loaded after
// the first screen is drawn.

import type { Language, Venue } from "./api";
import type { Readable } from "./cell";
import { findEars } from "./ears";
import type { Ears } from "./ears";
import type { Listen } from "./kiosk";
import { listenHere } from "./local";
import { record } from "./record";
import type { Event, Listening, State } from "./state";
import { isBusy } from "./state";
import { NotHeardError, transcribe } from "./transcribe";

/** What hearing needs of the visit. */
export interface Visit {
  state: Readable<State>;
  dispatch: (event: Event) => void;
  ask: (question: string) => unknown;
  stop: () => void;
  present: () => void;
}

/** Who listens, from the first sound to the text. */
export interface Listener {
  /** The visitor has said it: the rest is worked out. */
  end: () => void;
  /** All is given up, and the microphone is off at once. */
  cancel: () => void;
}

/** What a listener tells. */
export interface Told {
  /** The microphone is open. */
  open: () => void;
  /** How loud it is, 0 to 1. */
  level: (loud: number) => void;
  /** What was understood so far. */
  interim: (text: string) => void;
  /** The visitor has stopped to talk, or talked long enough. */
  quiet: () => void;
  /** The microphone is off, and what was said is worked out. */
  working: () => void;
  /** It is over: what was said, "" for nothing, or why it could not be heard. */
  over: (text: string, problem?: "denied" | "missing" | "failed") => void;
}

let meter: (loud: number) => void = () => {};

/** Calls show with how loud the visitor is, 0 to 1, until what it returns is called. */
export function followLevel(show: (loud: number) => void): () => void {
  meter = show;
  show(0);
  return () => (meter = () => {});
}

/** A key that is held for longer is let go when the visitor has spoken, in milliseconds. */
const heldAfter = 500;

let letGo = () => {};

/** Makes the kiosk hear where it can. Gives back what begins and ends it. */
export function startHearing(visit: Visit): (what: Listen) => void {
  const { state, dispatch } = visit;
  let ears: Ears | null = null;
  let known: Venue | null = null;
  let listener: Listener | null = null;

  const show = (phase: Listening["phase"], interim = "") => {
    const busy = phase === "opening" || phase === "on" || phase === "working";
    dispatch({ type: "listening", listening: { phase, interim, busy } });
  };

  function forget(): Listener | null {
    const was = listener;
    listener = null;
    meter(0);
    letGo();
    return was;
  }

  function begin(pressed: boolean): void {
    if (ears === null) return;
    if (isBusy(state.value)) visit.stop(); // whoever wants to talk is not talked to meanwhile
    let interim = "";
    let held = () => false;
    const mine: Listener = (ears === "local" ? listenHere : listenWithServer)(state.value.language, {
      open: () => listener === mine && show("on"),
      level: (loud) => meter(loud),
      interim: (text) => {
        interim = text;
        if (listener === mine) show("on", interim);
      },
      quiet: () => listener === mine && !held() && mine.end(),
      working: () => listener === mine && show("working", interim),
      over: (text, problem) => {
        if (listener !== mine) return;
        forget();
        visit.present();
        if (problem !== undefined || text === "") return show(problem ?? "silent");
        dispatch({ type: "listening", listening: null });
        visit.ask(text);
      },
    });
    listener = mine;
    if (pressed) held = followKey(() => listener === mine && mine.end());
    show("opening");
  }

  const follow = () => {
    const { venue, listening } = state.value;
    if (listening === null && listener !== null) forget()?.cancel(); // the visit is over, or the server gone
    if (venue === null || venue === known) return;
    known = venue;
    findEars(venue).then((found) => {
      ears = found;
      if (state.value.ears !== (ears !== null)) dispatch({ type: "ears", ears: ears !== null });
    }, () => undefined);
  };
  state.follow(follow);
  follow();

  return (what) => {
    visit.present();
    if (what === "end") return listener?.end();
    forget()?.cancel();
    dispatch({ type: "listening", listening: null });
    if (what !== "cancel") begin(what === "press");
  };
}

/** Follows the key or finger that is down; ends when one that was held for long is let go. Gives back whether it is down. */
function followKey(release: () => void): () => boolean {
  const since = performance.now();
  let down = true;
  const up = ({ type, target }: globalThis.Event) => {
    if (type === "blur" && target !== window) return; // the screen to listen takes the focus from what had it
    letGo();
    if (performance.now() - since > heldAfter) release();
  };
  const signs = ["pointerup", "pointercancel", "keyup", "blur"];
  letGo = () => {
    down = false;
    for (const sign of signs) removeEventListener(sign, up, true);
  };
  for (const sign of signs) addEventListener(sign, up, true);
  return () => down;
}

/** Records, and has the server hear it. */
function listenWithServer(language: Language, told: Told): Listener {
  const gone = new AbortController();
  const recording = record(told, gone.signal);
  const hear = async () => {
    const wav = await recording.sound;
    if (wav === null) return "";
    told.working();
    return transcribe(wav, language, gone.signal);
  };
  hear().then(told.over, (error: unknown) => told.over("", error instanceof NotHeardError ? "failed" : problemOf(error)));
  return { end: recording.end, cancel: () => gone.abort() };
}

/** Why there is no microphone: somebody said no, or there is none. */
function problemOf(error: unknown): "denied" | "missing" | "failed" {
  if (!(error instanceof DOMException)) return "failed";
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return "denied";
  return error.name === "NotFoundError" || error.name === "NotReadableError" || error.name === "OverconstrainedError" ? "missing" : "failed";
}
