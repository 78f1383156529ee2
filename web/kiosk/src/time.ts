// Dates and times as they are shown. Every instant is drawn in the venue's zone, never in the browser's; a date without
// a time is drawn as it stands.

import type { Language } from "./api";

export interface When {
  start?: string;
  end?: string;
  allDay?: boolean;
}

/** The leaf of a calendar: what stands on the square beside an event. */
export interface Leaf {
  month: string;
  day: string;
  weekday: string;
  /** 0 is Sunday. */
  weekdayNumber: number;
}

const locales: Record<Language, string> = { ja: "ja-JP", en: "en-GB" };

function format(date: Date, zone: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locales[language], { timeZone: zone, ...options }).format(date);
}

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** A date becomes noon of that day in UTC, to be drawn in UTC; a time stays what it is. Null for what is neither. */
function place(text: string | undefined, zone: string): { date: Date; zone: string } | null {
  if (text === undefined) return null;
  const date = new Date(isDate(text) ? `${text}T12:00:00Z` : text);
  if (Number.isNaN(date.getTime())) return null;
  return { date, zone: isDate(text) ? "UTC" : zone };
}

/** "2026-01-15" of an instant. */
export function dayOf(now: number, zone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(now);
}

export function leafOf(when: When, zone: string, language: Language): Leaf | null {
  const start = place(when.start, zone);
  if (start === null) return null;
  const draw = (options: Intl.DateTimeFormatOptions) => format(start.date, start.zone, language, options);
  const weekday = new Intl.DateTimeFormat("en", { timeZone: start.zone, weekday: "short" }).format(start.date);
  return {
    month: draw({ month: language === "ja" ? "long" : "short" }),
    day: new Intl.DateTimeFormat("en", { timeZone: start.zone, day: "numeric" }).format(start.date),
    weekday: draw({ weekday: "short" }),
    weekdayNumber: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(weekday),
  };
}

/** "19:00〜21:00", "終日", "10:00〜1月17日(土) 18:00": what the leaf, which has the first day, does not say. */
export function spanOf(when: When, zone: string, language: Language, allDay: string): string {
  const start = place(when.start, zone);
  if (start === null) return "";
  const end = place(when.end, zone) ?? start;
  const to = language === "ja" ? "〜" : " – ";
  const until = language === "ja" ? "〜" : "–";
  const oneDay = dayOf(start.date.getTime(), start.zone) === dayOf(lastMoment(start.date, end.date), end.zone);
  if (when.allDay === true) return oneDay ? allDay : `${day(start, language)}${to}${day(end, language)}`;
  const from = time(start, language);
  if (end.date.getTime() <= start.date.getTime()) return from;
  if (oneDay) return `${from}${until}${time(end, language)}`;
  return `${from}${to}${day(end, language)} ${time(end, language)}`;
}

/** An event that ends at midnight belongs to the day before. */
function lastMoment(start: Date, end: Date): number {
  return end > start ? end.getTime() - 1 : end.getTime();
}

function day({ date, zone }: { date: Date; zone: string }, language: Language): string {
  if (language === "en") return format(date, zone, language, { weekday: "short", day: "numeric", month: "short" });
  return format(date, zone, language, { month: "long", day: "numeric", weekday: "short" });
}

function time({ date, zone }: { date: Date; zone: string }, language: Language): string {
  return format(date, zone, language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** The clock on the wall: its time and its day with the weekday. */
export function clockOf(now: number, zone: string, language: Language): { time: string; day: string } {
  const here = { date: new Date(now), zone };
  return { time: time(here, language), day: day(here, language) };
}
