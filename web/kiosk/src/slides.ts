// What the front shows in turn while nobody is there, and in which light: all of it from the server and the clock. What
// could not be looked up is left out, and never said to be nothing.

import type { CalendarEvent, Language } from "./api";
import type { State } from "./state";
import { clockOf, dayOf } from "./time";

export type Slide =
  | { kind: "event"; event: CalendarEvent }
  | { kind: "none" }
  | { kind: "unknown" }
  | { kind: "hours"; text: string; note: string }
  | { kind: "question"; text: string };

/** So many of today's events, so that the rest comes round. */
const most = 6;

/** The slides of a moment: today's events in turn, when it is open, and a question of the day. */
export function slidesOf(state: Pick<State, "venue" | "today" | "language">, now: number): Slide[] {
  const { venue, today, language } = state;
  if (venue === null) return [];
  return [
    ...(today === null ? [] : eventsOf(today.events, today.complete, now)),
    ...hoursOf(venue.today, dayOf(now, venue.timezone), venue.timezone, language),
    ...questionOf(venue.suggestions.map((s) => s[language]).filter((text) => text !== ""), dayOf(now, venue.timezone)),
  ];
}

function eventsOf(events: CalendarEvent[], complete: boolean, now: number): Slide[] {
  const begins = (e: CalendarEvent) => (e.allDay ? Infinity : Date.parse(e.start));
  const left = events.filter((e) => e.status !== "cancelled" && (e.allDay || Date.parse(e.end) > now)).sort((a, b) => begins(a) - begins(b));
  // What has not begun comes first, as on the front.
  const ahead = [...left.filter((e) => begins(e) >= now), ...left.filter((e) => begins(e) < now)];
  const slides: Slide[] = ahead.slice(0, most).map((event) => ({ kind: "event", event }));
  if (slides.length > 0) return slides;
  return [{ kind: complete ? "none" : "unknown" }];
}

const own = {
  ja: { closed: "きょうはお休みです", until: "〜", and: "、" },
  en: { closed: "Closed today", until: "–", and: ", " },
};

/** Nothing where the hours are not known, or are those of another day. */
function hoursOf(day: NonNullable<State["venue"]>["today"], today: string, zone: string, language: Language): Slide[] {
  if (day === null || day.date !== today) return [];
  const w = own[language];
  const clock = (text: string) => clockOf(Date.parse(text), zone, language).time;
  const spans = day.open.map(({ from, until }) => `${clock(from)}${w.until}${clock(until)}`);
  const note = day.reason?.[language] || day.reason?.ja || "";
  return [{ kind: "hours", text: spans.length === 0 ? w.closed : spans.join(w.and), note }];
}

/** Another question each day. */
function questionOf(questions: string[], today: string): Slide[] {
  const text = questions[Math.floor(Date.parse(`${today}T00:00:00Z`) / 86_400_000) % Math.max(1, questions.length)];
  return text === undefined ? [] : [{ kind: "question", text }];
}

export type Season = "spring" | "summer" | "autumn" | "winter";

/** The season of a day, as Japan counts them. */
export function seasonOf(now: number, zone: string): Season {
  const seasons: Season[] = ["winter", "spring", "summer", "autumn"];
  return seasons[Math.floor((monthOf(now, zone) % 12) / 3)] ?? "winter";
}

/** When the sun rises and sets in the middle of each month at 35 degrees north, 135 east, in minutes of the day. */
const sun: [rises: number, sets: number][] = [
  [425, 1030], [402, 1062], [367, 1088], [324, 1113], [293, 1138], [284, 1154],
  [295, 1152], [318, 1125], [341, 1083], [364, 1040], [393, 1010], [418, 1005],
];

/** Whether it is dark outside, from a little before sunset. */
export function isDark(now: number, zone: string): boolean {
  const [hours, minutes] = clockOf(now, zone, "en").time.split(":").map(Number) as [number, number];
  const [rises, sets] = sun[monthOf(now, zone) - 1] ?? [360, 1080];
  const minute = 60 * hours + minutes;
  return minute < rises || minute > sets - 15;
}

function monthOf(now: number, zone: string): number {
  return Number(dayOf(now, zone).slice(5, 7));
}
