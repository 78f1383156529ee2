// The visit: what a touch, an answer, a second or a silence sets in motion. It owns the one state and every timer;
// screens only read the state and call the verbs here.

import type { Language, Mouth, Sentence } from "./api";
import type { Readable } from "./cell";
import { Cell } from "./cell";
import { cancelRun, forgetSession, getEvents, getVenue, isHealthy, RefusedError } from "./client";
import type { Saying } from "./say";
import type { Event, Kept, State } from "./state";
import { begin, isBusy, isUsed, reduce, screenOf } from "./state";
import { dayOf } from "./time";

/** What asks; it comes after the first load. */
const loadStream = () => import("./stream");

const farewellAfter = 45;
const farewellAfterQuestion = 60;
const farewellLasts = 20;
const refreshEvery = 300_000;
const probeEvery = 3000;
const healthEvery = 20_000;
const restAfter = 30;
/** On what is smaller than this, in pixels, nobody looks from afar. */
const smallestShow = 600;

export type Listen = "press" | "begin" | "end" | "cancel";

/** Verbs are what screens may do. */
export interface Verbs {
  ask: (question: string) => void;
  stop: () => void;
  repeat: () => void;
  more: () => void;
  /** Shows that one of the events as a poster; null shows none. Made is where it is, once it is made. */
  poster: (shown: number | null, made?: string) => void;
  retry: () => void;
  write: (draft: string) => void;
  /** Opens or closes our own keyboard, and makes letters large or not. */
  type: (open: boolean) => void;
  enlarge: (on: boolean) => void;
  /** Lets the voice be heard or not. */
  sound: (on: boolean) => void;
  /** Shows an answer that was kept. */
  recall: (answer: Kept) => void;
  speak: (language: Language) => void;
  /** Listens to the visitor, who may hold what was pressed for it; has what was said worked out; or gives it up. */
  listen: (what: Listen) => void;
  stay: () => void;
  reset: () => void;
}

export interface Kiosk extends Verbs {
  state: Readable<State>;
  /** The venue's time in milliseconds, moving once a second. */
  now: Readable<number>;
  /** Whether nobody uses the kiosk, so that it may show something by itself. */
  resting: Readable<boolean>;
  /** Ends the rest. */
  wake: () => void;
  /** Says how many cards fit. */
  fit: (cards: number) => void;
  /** Opens the page anew, once nobody uses it. */
  renew: () => void;
  /** Says whether the house is quiet. */
  quiet: (on: boolean) => void;
  /** Says a sentence beside what is answered. */
  aside: (sentence: Sentence) => void;
  /** The shape of the mouth at this moment, or null while nothing is said. */
  mouth: () => Mouth | null;
}

export function startKiosk(homeLanguage: Language): Kiosk {
  const state = new Cell(begin(homeLanguage, newSession()));
  const now = new Cell(Date.now());
  const resting = new Cell(false);
  const aside = new Cell<Sentence | null>(null);
  const dispatch = (event: Event) => {
    state.value = reduce(state.value, event);
  };
  let serverAhead = 0;
  let turns = 0;
  let used = false;
  let answer: AbortController | null = null;
  let lastSign = Date.now();
  let refreshed = 0;
  let probed = 0;
  let checked = 0;
  let refreshing = false;
  let renewing = false;
  /** Whether the last question was asked once more by itself, after the line had broken. */
  let repeated = false;

  const present = () => {
    lastSign = Date.now();
  };

  async function ask(question: string, again = false): Promise<void> {
    const query = question.trim();
    if (query === "") return;
    repeated = again;
    present();
    const cancelled = abandon();
    const turn = ++turns;
    const mine = (answer = new AbortController());
    used = true;
    dispatch({ type: "ask", turn, question: query, heard: again ? (state.value.turn?.heard ?? []) : [] });
    const { language, session: sessionId } = state.value;
    try {
      const [{ ask: askServer }] = await Promise.all([loadStream(), cancelled]);
      for await (const event of askServer({ query, language, sessionId, stream: true }, mine.signal)) {
        if (mine.signal.aborted) return;
        dispatch({ type: "stream", turn, event });
      }
    } catch (error) {
      if (mine.signal.aborted) return;
      if (error instanceof RefusedError) dispatch({ type: "refused", turn, failure: error.failure });
      else if (state.value.turn?.number === turn) dispatch({ type: "broken" });
    } finally {
      present();
    }
  }

  /** Ends the answer that is under way, here and on the server, and waits for the server to know. */
  async function abandon(): Promise<void> {
    const { turn } = state.value;
    answer?.abort();
    answer = null;
    if (turn?.status === "streaming" && turn.runId !== null) await cancelRun(turn.runId);
  }

  function stop(): void {
    present();
    aside.value = null;
    void abandon();
    dispatch({ type: "stop" });
  }

  function reset(): void {
    const { session } = state.value;
    const cancelled = abandon();
    aside.value = null;
    dispatch({ type: "reset", session: newSession() });
    if (used) void cancelled.then(() => forgetSession(session));
    used = false;
    present();
  }

  async function refresh(): Promise<void> {
    if (refreshing) return;
    refreshing = true;
    try {
      const { venue, kept } = await getVenue();
      if (!kept) serverAhead = Date.parse(venue.now) - Date.now() || 0;
      now.value = Date.now() + serverAhead;
      dispatch({ type: "venue", venue });
      dispatch({ type: "today", today: await getEvents(dayOf(Date.now() + serverAhead, venue.timezone)) });
      if (kept) return dispatch({ type: "broken" });
      refreshed = checked = Date.now();
      recover();
    } catch {
      // An event list that fails while the server lives is shown as unknown; a first start needs the venue.
      if (state.value.venue === null || !(await isHealthy())) dispatch({ type: "broken" });
      else {
        refreshed = Date.now();
        dispatch({ type: "today", today: { events: [], complete: false, asOf: "" } });
        recover();
      }
    } finally {
      refreshing = false;
    }
  }

  /** The server is back: what was cut off is asked again, once; whoever tries again does so by hand. */
  function recover(): void {
    if (state.value.online) return;
    const { turn } = state.value;
    dispatch({ type: "recovered" });
    if (turn?.status !== "broken") return;
    if (repeated) dispatch({ type: "refused", turn: turn.number, failure: { code: "", text: "" } });
    else void ask(turn.question, true);
  }

  /** From the offline screen: looks again, and asks again what was left unanswered. */
  async function retry(): Promise<void> {
    present();
    const { turn, draft } = state.value;
    if (state.value.online) return ask(turn?.question ?? draft);
    repeated = false;
    await refresh();
    if (turn?.status !== "broken" && state.value.online && state.value.draft !== "") await ask(state.value.draft);
  }

  function watchIdle(): void {
    const { farewell, turn } = state.value;
    if (isBusy(state.value)) return present();
    const silent = (Date.now() - lastSign) / 1000;
    const patience = turn?.interrupt ? farewellAfterQuestion : farewellAfter;
    const left = Math.ceil(patience + farewellLasts - silent);
    if (left <= 0 && isUsed(state.value)) return reset();
    if (silent < patience || !isUsed(state.value)) return;
    if (turn === null && state.value.draft === "") return reset();
    if (!state.value.online) return;
    if (farewell !== left) dispatch({ type: "farewell", seconds: left });
  }

  /** Moving pictures are for those who want them, and for a screen that can be seen from afar. */
  function mayRest(): boolean {
    const silent = (Date.now() - lastSign) / 1000;
    return (
      silent >= restAfter &&
      state.value.online &&
      screenOf(state.value) === "attract" &&
      !isUsed(state.value) &&
      Math.min(innerWidth, innerHeight) >= smallestShow &&
      !matchMedia("(prefers-reduced-motion: reduce)").matches
    );
  }

  /** A server that is gone is noticed before a visitor is. */
  async function checkHealth(): Promise<void> {
    checked = Date.now();
    if (!(await isHealthy()) && !(await isHealthy()) && state.value.turn === null) dispatch({ type: "broken" });
  }

  function wake(): void {
    present();
    resting.value = false;
  }

  function tick(): void {
    now.value = Date.now() + serverAhead;
    watchIdle();
    // A touch ends a rest when it is over, so that it does not go through to what is below.
    resting.value = mayRest() || (resting.value && screenOf(state.value) === "attract");
    const { online, turn } = state.value;
    if (!online && Date.now() - probed >= probeEvery) {
      probed = Date.now();
      void refresh();
    }
    if (online && turn === null && Date.now() - refreshed >= refreshEvery) {
      refreshed = checked = Date.now();
      void refresh();
    }
    if (online && turn === null && Date.now() - checked >= healthEvery) void checkHealth();
    if (renewing && online && !isUsed(state.value)) location.reload();
  }

  const mouth = followSpeech(state, aside, (turn, index) => dispatch({ type: "spoken", turn, index }));
  for (const sign of ["pointerdown", "keydown", "wheel"] as const) {
    addEventListener(sign, () => state.value.farewell === null && present(), { passive: true });
  }
  addEventListener("keydown", () => (resting.value = false));
  loadStream().catch(() => undefined);
  let listen: (what: Listen) => void = () => {};
  import("./hear").then((part) => (listen = part.startHearing({ state, dispatch, ask, stop, present })), () => undefined);
  setInterval(tick, 1000);
  tick();

  return {
    state,
    now,
    resting,
    wake,
    mouth,
    ask: (question) => void ask(question),
    stop,
    repeat: () => dispatch({ type: "repeat" }),
    more: () => dispatch({ type: "more" }),
    poster: (shown, made) => dispatch({ type: "poster", shown, made }),
    retry: () => void retry(),
    write: (draft) => dispatch({ type: "draft", draft }),
    type: (open) => dispatch({ type: "keys", open }),
    sound: (on) => dispatch({ type: "sound", on }),
    quiet: (on) => on !== state.value.quiet && dispatch({ type: "quiet", on }),
    aside: (sentence) => (aside.value = sentence),
    recall: (answer) => dispatch({ type: "recall", turn: ++turns, answer }),
    enlarge: (on) => dispatch({ type: "large", on }),
    fit: (cards) => dispatch({ type: "fits", cards }),
    renew: () => (renewing = true),
    listen: (what) => listen(what),
    speak: (language) => dispatch({ type: "language", language }),
    stay: () => {
      present();
      dispatch({ type: "stay" });
    },
    reset,
  };
}

/** How a sentence is said; a part that comes after the first load. */
type Speech = Pick<typeof import("./say"), "say" | "prepare" | "unlock" | "forget">;

/** The mouth of a page that could not load how to speak: it stays shut for as long as a sentence takes to be read. */
const mute: Speech = {
  say: (_sentence, _language, _aloud, over) => {
    const timer = setTimeout(over, 3000);
    return { mouth: () => "closed", end: () => clearTimeout(timer) };
  },
  prepare: () => undefined,
  unlock: () => undefined,
  forget: () => undefined,
};

/** Says the sentence that the state names, and says when it is over. Gives back the mouth at this moment. */
function followSpeech(state: Readable<State>, aside: Cell<Sentence | null>, spoken: (turn: number, index: number) => void): () => Mouth | null {
  let speech: Speech | null = null;
  let key = "";
  let saying: Saying | null = null;
  const follow = () => {
    if (speech === null) return;
    const { turn, online, sound, language } = state.value;
    const other = aside.value;
    if (turn === null) speech.forget();
    const index = online || turn?.asOf ? (turn?.speaking ?? null) : null;
    const sentence = other ?? (turn === null || index === null ? undefined : turn.sentences[index]);
    const following = turn === null || index === null ? undefined : turn.sentences[index + 1];
    if (following !== undefined && sound) speech.prepare(following);
    const nextKey = sentence === undefined ? "" : `${other?.text ?? turn?.number}/${index}/${sound}`;
    if (nextKey === key) return;
    key = nextKey;
    saying?.end();
    saying = null;
    if (sentence === undefined) return;
    saying = speech.say(sentence, turn?.language ?? language, sound, () => {
      if (other !== null) aside.value = null;
      else if (turn !== null && index !== null) spoken(turn.number, index);
    });
  };
  const begin = (loaded: Speech) => {
    speech = loaded;
    const unlock = () => state.value.venue?.voice && loaded.unlock();
    for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, unlock, { passive: true });
    follow();
  };
  import("./say").then(begin, () => begin(mute));
  state.follow(follow);
  aside.follow(follow);
  return () => saying?.mouth() ?? null;
}

/** A name that says nothing about anyone. randomUUID is missing where the page came over plain HTTP. */
function newSession(): string {
  if (typeof crypto.randomUUID === "function") return `kiosk-${crypto.randomUUID()}`;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `kiosk-${[...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")}`;
}
