// The HTTP contract as this page reads it: the Go types of package api, and what a stream of POST /query may hold.
// Lists that Go sends as null become empty here, so that nothing further in has to ask.

export type Language = "ja" | "en";

/** A face: the word that sentences carry. */
export type Emotion = "happy" | "sad" | "relaxed" | "surprised" | "neutral";

export interface LocalText {
  ja: string;
  en: string;
}

export interface Venue {
  name: LocalText;
  timezone: string;
  website: string;
  demo: boolean;
  now: string;
  suggestions: LocalText[];
  /** Whether the server hears speech. */
  hearing: boolean;
  /** Whose voice answers are heard in, in words that have to be shown; null where they can't be heard. */
  voice: { credit: string } | null;
  /** What its kiosks do besides, as desk.ts and volume.ts read it. */
  kiosk: JSONObject;
  /** When it is open on the day of now, or null where that is not known. */
  today: VenueDay | null;
  appearance: Appearance;
}

export interface VenueDay {
  date: string;
  open: { from: string; until: string }[];
  /** Why it is closed or has other hours, or null. */
  reason: LocalText | null;
}

/** How the venue wants its kiosk to look; "" is as we have it. */
export interface Appearance {
  color: string;
  coat: string;
  tie: string;
  glow: string;
  crest: string;
  crestUrl: string;
  avatarUrl: string;
}

/** An entry in a public calendar. Start and end are times with offsets, or dates (end included) if allDay. */
export interface CalendarEvent {
  id: string;
  title: string;
  start: string;
  end: string;
  allDay: boolean;
  location: string;
  status: string;
  notice?: string;
  picture?: string;
}

export interface EventsResponse {
  events: CalendarEvent[];
  complete: boolean;
  asOf: string;
}

export interface Card {
  type: string;
  title: string;
  start?: string;
  end?: string;
  allDay?: boolean;
  location?: string;
  description?: string;
  url?: string;
  when?: string;
  status?: string;
  notice?: string;
  /** Where a small picture of it is. */
  picture?: string;
  /** Where the poster is that a visitor had made of it. */
  poster?: string | undefined;
  /** A table: of a price list what is paid for and how much it is, of a map places and how far they are. */
  rows?: { label: string; value: string }[];
  /** Where the places of a map are, in metres from the venue. */
  points?: { east: number; north: number }[];
}

/** Mouth shapes: the five vowels of Japanese, and closed. */
export type Mouth = "a" | "i" | "u" | "e" | "o" | "closed";

export interface Sentence {
  text: string;
  emotion: Emotion;
  /** Where the sentence is to be heard; "" where there is no voice. */
  audio: string;
  /** Empty also where it is known only once there is sound; then it is where that is, with .json. */
  mouth: Shapes;
  /** Whether it only says that the answer takes a moment. */
  filler?: boolean;
}

/** When, in milliseconds of a sound, the mouth takes which shape. */
export type Shapes = [number, Mouth][];

export interface Interrupt {
  id: string;
  kind: string;
  question: string;
  options: string[];
  /** What a yes or no is asked about, or null where something else is asked. The first option is then the yes. */
  confirmation: Confirmation | null;
}

export interface Confirmation {
  /** What a yes does: add, change or remove, or the same with a task. */
  do: string;
  intro: string;
  ask: string;
  fields: { label: string; value: string }[];
  warnings: string[];
  notes: string[];
}

export interface Answer {
  language: Language;
  speech: Sentence[];
  cards: Card[];
  suggestions: string[];
  interrupt: Interrupt | null;
  gesture: string;
  /** The node that answered. */
  route: string;
  /** What the visitor wants beside words: "staff", or "" for nothing. */
  offer: string;
}

/** What went wrong, in words that can be said. Text has lost its emotion tag. */
export interface Failure {
  code: string;
  text: string;
}

export interface QueryRequest {
  query: string;
  language: Language;
  sessionId: string;
  stream: true;
}

/** One event of a streamed POST /query. The last one of a whole stream is final or error. */
export type StreamEvent =
  | { name: "run.started"; runId: string; language: Language }
  | { name: "node.started"; label: LocalText }
  | { name: "sentence"; index: number; sentence: Sentence }
  | { name: "cards"; cards: Card[] }
  | { name: "suggestions"; suggestions: string[] }
  | { name: "confirm"; interrupt: Interrupt }
  | { name: "final"; answer: Answer }
  | { name: "error"; failure: Failure };

export type JSONObject = Record<string, unknown>;

/** Reads the error envelope. What is no envelope has the empty text. */
export function decodeFailure(json: unknown): Failure {
  const v = object(json);
  return { code: string(object(v["error"])["code"]), text: withoutTag(string(v["text"])) };
}

/** Reads GET /venue. Suggestions that are missing are simply not offered. */
export function decodeVenue(json: unknown): Venue {
  const v = object(json);
  return {
    name: localText(v["name"]),
    timezone: string(v["timezone"]),
    website: string(v["website"]),
    demo: v["demo"] === true,
    now: string(v["now"]),
    suggestions: list(v["suggestions"]).map(localText),
    kiosk: object(v["kiosk"]),
    hearing: v["hearing"] === true,
    voice: v["voice"] ? { credit: string(object(v["voice"])["credit"]) } : null,
    today: v["today"] ? venueDay(object(v["today"])) : null,
    appearance: appearance(object(v["appearance"])),
  };
}

function venueDay(v: JSONObject): VenueDay {
  return {
    date: string(v["date"]),
    open: list(v["open"]).map((span) => ({ from: string(object(span)["from"]), until: string(object(span)["until"]) })),
    reason: v["reason"] ? localText(v["reason"]) : null,
  };
}

function appearance(v: JSONObject): Appearance {
  const [color, coat, tie, glow] = [v["color"], v["coat"], v["tie"], v["glow"]].map(string) as [string, string, string, string];
  return { color, coat, tie, glow, crest: string(v["crest"]), crestUrl: string(v["crestUrl"]), avatarUrl: string(v["avatarUrl"]) };
}

/** Reads GET /events. */
export function decodeEvents(json: unknown): EventsResponse {
  const v = object(json);
  return {
    events: list(v["events"]).map((e) => {
      const event = object(e);
      return {
        id: string(event["id"]),
        title: string(event["title"]),
        start: string(event["start"]),
        end: string(event["end"]),
        allDay: event["allDay"] === true,
        location: string(event["location"]),
        status: string(event["status"]),
        notice: string(event["notice"]),
        picture: string(event["picture"]),
      };
    }),
    complete: v["complete"] === true,
    asOf: string(v["asOf"]),
  };
}

/** "[sad]I am sorry" without its tag. */
export function withoutTag(text: string): string {
  return text.replace(/^\s*\[[a-z]+\]\s*/, "");
}

export function language(v: unknown): Language {
  return v === "en" ? "en" : "ja";
}

function localText(json: unknown): LocalText {
  const v = object(json);
  return { ja: string(v["ja"]), en: string(v["en"]) };
}

export function object(v: unknown): JSONObject {
  return typeof v === "object" && v !== null ? (v as JSONObject) : {};
}

export function list(v: unknown): unknown[] {
  return Array.isArray(v) ? v : [];
}

export function string(v: unknown): string {
  return typeof v === "string" ? v : "";
}

export function number(v: unknown): number {
  return typeof v === "number" ? v : 0;
}
