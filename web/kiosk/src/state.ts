// What the kiosk knows, and how each thing that happens changes it. State is made by folding events, so a visit can be
// replayed in a test; nothing here reads a clock, draws or talks to the server.

import type {
  CalendarEvent,
  Card,
  Emotion,
  EventsResponse,
  Failure,
  Interrupt,
  Language,
  LocalText,
  Sentence,
  StreamEvent,
  Venue,
} from "./api";
import { inLanguage, titleIn } from "./language";

export interface State {
  /** What the visitor reads; the home language is what a new visitor gets. */
  language: Language;
  homeLanguage: Language;
  session: string;
  venue: Venue | null;
  today: Today | null;
  /** Whether the server can be reached. Without it the screen is offline, whatever else is known. */
  online: boolean;
  /** The words in the question box. */
  draft: string;
  /** What this visitor has asked, so that it is not offered again. */
  asked: string[];
  /** How many cards fit on the screen. */
  fits: number;
  /** Whether letters are larger, and whether our own keyboard is open. */
  large: boolean;
  keys: boolean;
  /** Whether the voice is to be heard. */
  sound: boolean;
  /** Whether the house is quiet: the voice is off unless this visitor turned it on. */
  quiet: boolean;
  /** Whether the kiosk can hear; and what becomes of what is said, or null while the microphone is off. */
  ears: boolean;
  listening: Listening | null;
  turn: Turn | null;
  /** Seconds left to say "I am still here", or null while nobody is being asked. */
  farewell: number | null;
}

/** An answer that was kept for when there is no server. */
export interface Kept {
  question: string;
  sentences: Sentence[];
  cards: Card[];
  /** As of when it is, in RFC 3339. */
  asOf: string;
}

/**
 * What becomes of what a visitor says. Denied and missing are about the microphone; silent: nothing was said; failed: it could
 * not be heard.
 */
export interface Listening {
  phase: "opening" | "on" | "working" | "denied" | "missing" | "silent" | "failed";
  /** What was understood so far, where that is known. */
  interim: string;
  /** Whether it goes on by itself: the first three phases do, and have an end. */
  busy: boolean;
}

export interface Today {
  events: CalendarEvent[];
  complete: boolean;
  asOf: string;
}

/** One question and what came back. */
export interface Turn {
  /** Counts questions, so that late words of an old answer are known as such. */
  number: number;
  question: string;
  /** The language of the answer, which stays when the visitor switches the page. */
  language: Language;
  runId: string | null;
  progress: LocalText | null;
  sentences: Sentence[];
  /** The sentence being spoken, or null. */
  speaking: number | null;
  /** Said once more: captions come back one by one. */
  repeating: boolean;
  cards: Card[];
  /** The first card of the page that is shown. */
  firstCard: number;
  /** Which of postersOf is shown as a poster, or null. */
  poster: number | null;
  suggestions: string[];
  interrupt: Interrupt | null;
  gesture: string;
  route: string;
  /** What the visitor wants beside words. */
  offer: string;
  status: "streaming" | "done" | "stopped" | "refused" | "broken";
  /** What was said before the line broke, and is not said again when the answer goes on. */
  heard: string[];
  /** Of an answer that was kept for when there is no server: as of when it is. */
  asOf: string;
  failure: Failure | null;
}

export type Screen = "attract" | "answering" | "choose" | "confirm" | "alarm" | "failed" | "offline";

export type Event =
  | { type: "venue"; venue: Venue }
  | { type: "today"; today: EventsResponse }
  | { type: "language"; language: Language }
  | { type: "draft"; draft: string }
  | { type: "ask"; turn: number; question: string; heard?: string[] }
  | { type: "recall"; turn: number; answer: Kept }
  | { type: "stream"; turn: number; event: StreamEvent }
  | { type: "refused"; turn: number; failure: Failure }
  | { type: "broken" }
  | { type: "recovered" }
  | { type: "spoken"; turn: number; index: number }
  | { type: "stop" }
  | { type: "repeat" }
  | { type: "more" }
  | { type: "fits"; cards: number }
  | { type: "large"; on: boolean }
  | { type: "keys"; open: boolean }
  | { type: "sound"; on: boolean }
  | { type: "quiet"; on: boolean }
  | { type: "ears"; ears: boolean }
  | { type: "listening"; listening: Listening | null }
  | { type: "poster"; shown: number | null; made?: string | undefined }
  | { type: "farewell"; seconds: number }
  | { type: "stay" }
  | { type: "reset"; session: string };

export function begin(homeLanguage: Language, session: string): State {
  return {
    language: homeLanguage,
    homeLanguage,
    session,
    venue: null,
    today: null,
    online: true,
    draft: "",
    asked: [],
    fits: 3,
    large: false,
    keys: false,
    sound: true,
    quiet: false,
    ears: false,
    listening: null,
    turn: null,
    farewell: null,
  };
}

export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case "venue":
      return { ...state, venue: event.venue };
    case "today":
      return { ...state, today: event.today };
    case "language":
      return { ...state, language: event.language };
    case "draft":
      return { ...state, draft: event.draft };
    case "ask":
      return {
        ...state,
        draft: "",
        asked: [...state.asked, event.question],
        keys: false,
        turn: { ...newTurn(event.turn, event.question, state.language), heard: event.heard ?? [] },
        farewell: null,
      };
    case "recall":
      return { ...state, keys: false, turn: recall(newTurn(event.turn, event.answer.question, state.language), event.answer) };
    case "stream":
      return withTurn(state, event.turn, (turn) => hear(turn, event.event));
    case "refused":
      return withTurn(state, event.turn, (turn) => refuse(turn, event.failure));
    case "broken":
      return breakOff(state);
    case "recovered":
      return { ...state, online: true };
    case "spoken":
      return withTurn(state, event.turn, (turn) => (turn.speaking === event.index ? next(turn) : turn));
    case "stop":
      return withTurn(state, state.turn?.number, stop);
    case "repeat":
      return withTurn(state, state.turn?.number, repeat);
    case "more":
      return withTurn(state, state.turn?.number, (turn) => nextPage(turn, state.fits));
    case "fits":
      return fit(state, event.cards);
    case "large":
      return { ...state, large: event.on };
    case "keys":
      return { ...state, keys: event.open };
    case "sound":
      return { ...state, sound: event.on };
    case "quiet":
      return { ...state, quiet: event.on, sound: isUsed(state) ? state.sound : !event.on };
    case "ears":
      return { ...state, ears: event.ears };
    case "listening":
      return { ...state, listening: event.listening, keys: false };
    case "poster":
      return withTurn(state, state.turn?.number, (turn) => {
        const of = event.made && postersOf(turn)[event.shown ?? 0];
        return { ...turn, poster: event.shown, cards: of ? turn.cards.map((card) => (card === of ? { ...card, poster: event.made } : card)) : turn.cards };
      });
    case "farewell":
      return { ...state, farewell: event.seconds };
    case "stay":
      return { ...state, farewell: null };
    case "reset":
      return {
        ...begin(state.homeLanguage, event.session),
        venue: state.venue,
        today: state.today,
        online: state.online,
        fits: state.fits,
        quiet: state.quiet,
        sound: !state.quiet,
        ears: state.ears,
      };
  }
}

export function screenOf(state: State): Screen {
  const { turn } = state;
  if (isCut(state)) return "offline";
  if (turn === null) return "attract";
  if (turn.status === "refused") return "failed";
  if (turn.interrupt !== null) return turn.interrupt.confirmation === null ? "choose" : "confirm";
  return turn.gesture === "alert" ? "alarm" : "answering";
}

/** Whether there is no server, and no answer on the screen that was kept for that. */
function isCut({ online, turn }: State): boolean {
  return !online && !turn?.asOf;
}

/** Whether the kiosk is working or talking, so that silence is no sign of absence. */
export function isBusy(state: State): boolean {
  if (state.listening?.busy) return true;
  return !isCut(state) && state.turn !== null && (state.turn.status === "streaming" || state.turn.speaking !== null);
}

/** Whether a visitor left anything that a next visitor must not see. */
export function isUsed(state: State): boolean {
  return state.turn !== null || state.listening !== null || state.draft !== "" || state.language !== state.homeLanguage || state.large || state.keys || state.sound === state.quiet;
}

/** The face to show. */
export function emotionOf(state: State): Emotion {
  const { turn } = state;
  if (isCut(state)) return "sad";
  if (turn === null) return "happy";
  if (turn.status === "refused") return "sad";
  if (turn.gesture === "alert") return "surprised";
  if (turn.sentences.length === 0) return turn.interrupt !== null ? "surprised" : "neutral";
  const said = turn.speaking ?? turn.sentences.length - 1;
  return turn.sentences[said]?.emotion ?? "neutral";
}

/** Whether the lantern is looking something up and has nothing to say yet. */
export function isThinking(state: State): boolean {
  return state.online && state.turn?.status === "streaming" && state.turn.speaking === null;
}

/** The captions on the screen: all that came, or while repeating those said so far. */
export function captionsOf(turn: Turn): Sentence[] {
  if (!turn.repeating || turn.speaking === null) return turn.sentences;
  return turn.sentences.slice(0, turn.speaking + 1);
}

/** All cards that there are to show. Of a description, what was said is left out. A piece of knowledge that is empty
 * then goes, unless it stands alone and leads on. */
export function cardsIn(turn: Turn): Card[] {
  const said = turn.sentences.map((s) => s.text).join("");
  const cards = turn.cards.map((card) => {
    const wasSaid = (s: string) => (card.type === "passage" ? isIn(s, said) : said.includes(s.trim()));
    const description = (card.description ?? "").split(/(?<=[。！？]|[.!?] )/u).filter((s) => !wasSaid(s)).join("");
    return { ...card, description };
  });
  const telling = cards.filter((card) => card.type !== "passage" || card.description !== "");
  return telling.length > 0 ? telling : cards.filter((card) => card.url !== undefined).slice(0, 1);
}

/** Whether most pairs of letters of a sentence are in a text: 9:00 is said as 9時. */
function isIn(sentence: string, text: string): boolean {
  const letters = [...sentence.replace(/:00/g, "時")];
  const found = letters.filter((letter, i) => i > 0 && text.includes(`${letters[i - 1]}${letter}`)).length;
  return found >= 0.75 * (letters.length - 1);
}

/** The page of cards that is shown. */
export function cardsOf(turn: Turn, fits: number): Card[] {
  return cardsIn(turn).slice(turn.firstCard, turn.firstCard + fits);
}

/** The card that each sentence tells of, -1 where none does: by its title, or by its place behind a sentence that has the title. Of a single card nothing is left out of the sentences. */
export function toldOnCards({ cards, sentences, language }: Turn): number[] {
  const titles = cards.filter((c) => c.type === "event").length > 1 ? cards.map((c) => titleIn(c.title, language)) : [];
  let before = -1;
  return sentences.map(({ text }) => {
    const named = titles.findIndex((title) => title !== "" && text.includes(title));
    const place = inLanguage(cards[before]?.location ?? "", language);
    return (before = named < 0 && place !== "" && text.includes(place) ? before : named);
  });
}

/** The cards that there can be a poster of: events that take place. */
export function postersOf(turn: Turn): Card[] {
  return turn.cards.filter((card) => card.type === "event" && card.start !== undefined && card.status !== "cancelled");
}

/** The event to put on the front door: the next one that still starts today, else what is going on. */
export function nextEvent(today: Today, now: number): CalendarEvent | null {
  const open = today.events.filter((e) => e.status !== "cancelled" && (e.allDay || Date.parse(e.end) > now));
  const timed = open.filter((e) => !e.allDay).sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
  return timed.find((e) => Date.parse(e.start) >= now) ?? timed[0] ?? open[0] ?? null;
}

function newTurn(number: number, question: string, language: Language): Turn {
  return {
    number,
    question,
    language,
    runId: null,
    progress: null,
    sentences: [],
    speaking: null,
    repeating: false,
    cards: [],
    firstCard: 0,
    poster: null,
    suggestions: [],
    interrupt: null,
    gesture: "",
    route: "",
    offer: "",
    status: "streaming",
    failure: null,
    heard: [],
    asOf: "",
  };
}

function recall(turn: Turn, { sentences, cards, asOf }: Kept): Turn {
  return { ...turn, sentences, cards, asOf, speaking: 0, status: "done" };
}

function withTurn(state: State, number: number | undefined, change: (turn: Turn) => Turn): State {
  if (state.turn === null || state.turn.number !== number) return state;
  return { ...state, turn: change(state.turn) };
}

function hear(turn: Turn, event: StreamEvent): Turn {
  if (turn.status !== "streaming") return turn;
  switch (event.name) {
    case "run.started":
      return { ...turn, runId: event.runId, language: event.language };
    case "node.started":
      return { ...turn, progress: event.label };
    case "sentence":
      return say(turn, event.index, event.sentence);
    case "cards":
      return { ...turn, cards: event.cards, firstCard: 0, poster: null };
    case "suggestions":
      return { ...turn, suggestions: event.suggestions };
    case "confirm":
      return { ...turn, interrupt: event.interrupt };
    case "final":
      return finish(turn, event.answer);
    case "error":
      return refuse(turn, event.failure);
  }
}

/** A sentence that came before is not said twice. */
function say(turn: Turn, index: number, sentence: Sentence): Turn {
  if (index < turn.sentences.length) return turn;
  const sentences = [...turn.sentences, sentence];
  const begins = turn.speaking === null && !turn.heard.includes(sentence.text);
  return { ...turn, sentences, speaking: begins ? sentences.length - 1 : turn.speaking };
}

/** The final event repeats all; what did not come before is taken from it. */
function finish(turn: Turn, answer: Extract<StreamEvent, { name: "final" }>["answer"]): Turn {
  const before = turn.sentences.filter((s) => s.filler).length;
  const whole = answer.speech.reduce((t, sentence, i) => say(t, before + i, sentence), turn);
  return {
    ...whole,
    language: answer.language,
    cards: answer.cards.length > 0 ? answer.cards : turn.cards,
    suggestions: answer.suggestions.length > 0 ? answer.suggestions : turn.suggestions,
    interrupt: answer.interrupt,
    gesture: answer.gesture,
    route: answer.route,
    offer: answer.offer,
    progress: null,
    status: "done",
  };
}

function refuse(turn: Turn, failure: Failure): Turn {
  return { ...turn, status: "refused", failure, speaking: null, progress: null };
}

/** What was said before the line broke stays. */
function breakOff(state: State): State {
  if (!state.online && state.turn?.status !== "streaming") return state;
  const cut = withTurn(state, state.turn?.number, (turn) => {
    if (turn.status !== "streaming") return { ...turn, speaking: null };
    const heard = turn.sentences.slice(0, turn.speaking ?? undefined).map((s) => s.text);
    return { ...turn, status: "broken", speaking: null, progress: null, heard };
  });
  return { ...cut, online: false, keys: false, listening: null, farewell: null };
}

/** Another number of cards fits: the page that is shown is the one with the first card of before. */
function fit(state: State, cards: number): State {
  if (cards === state.fits) return state;
  const changed = { ...state, fits: cards };
  return withTurn(changed, state.turn?.number, (turn) => ({ ...turn, firstCard: turn.firstCard - (turn.firstCard % cards) }));
}

function next(turn: Turn): Turn {
  const from = (turn.speaking ?? 0) + 1;
  const following = turn.sentences.findIndex((s, i) => i >= from && (turn.repeating || !turn.heard.includes(s.text)));
  return { ...turn, speaking: following < 0 ? null : following, repeating: turn.repeating && following >= 0 };
}

function stop(turn: Turn): Turn {
  const status = turn.status === "streaming" ? "stopped" : turn.status;
  return { ...turn, status, speaking: null, repeating: false, progress: null };
}

function repeat(turn: Turn): Turn {
  const sentences = turn.sentences.filter((s) => !s.filler);
  return sentences.length === 0 ? turn : { ...turn, sentences, speaking: 0, repeating: true };
}

function nextPage(turn: Turn, fits: number): Turn {
  const following = turn.firstCard + fits;
  return { ...turn, firstCard: following < cardsIn(turn).length ? following : 0 };
}
