import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeEvents, decodeVenue } from "../kiosk/src/api";
import type { Slide } from "../kiosk/src/slides";
import { isDark, seasonOf, slidesOf } from "../kiosk/src/slides";
import type { Today } from "../kiosk/src/state";

const zone = "Asia/Tokyo";
const now = Date.parse("2026-01-14T12:00:00+09:00");
const venue = (more: Record<string, unknown> = {}) =>
  decodeVenue({ name: { ja: "館" }, timezone: zone, suggestions: [{ ja: "一？", en: "One?" }, { ja: "二？", en: "" }], ...more });
const event = (title: string, start: string, end: string, more = {}) => ({ title, start: `2026-01-14T${start}:00+09:00`, end: `2026-01-14T${end}:00+09:00`, ...more });
const today = (events: unknown[], complete = true): Today => decodeEvents({ events, complete });
const told = (slides: Slide[]) => slides.map((s) => (s.kind === "event" ? s.event.title : s.kind));
const slides = (t: Today | null, v = venue(), language: "ja" | "en" = "ja", at = now) => slidesOf({ venue: v, today: t, language }, at);

test("today's events come in turn: what is ahead, then what is on; not what is over or cancelled", () => {
  const events = [event("over", "09:00", "10:00"), event("on", "11:00", "13:00"), event("late", "19:00", "20:00"), event("soon", "14:00", "15:00"), event("off", "16:00", "17:00", { status: "cancelled" })];
  assert.deepEqual(told(slides(today(events))), ["soon", "late", "on", "question"]);
});

test("what could not be looked up is not said to be nothing", () => {
  assert.deepEqual(told(slides(today([]))), ["none", "question"]);
  assert.deepEqual(told(slides(today([], false))), ["unknown", "question"]);
  assert.deepEqual(told(slides(null)), ["question"], "not asked yet");
  assert.deepEqual(told(slides(today([event("soon", "14:00", "15:00")], false))), ["soon", "question"]);
});

test("hours are told where they are known, and of this day", () => {
  const open = [{ from: "2026-01-14T09:00:00+09:00", until: "2026-01-14T12:00:00+09:00" }, { from: "2026-01-14T13:00:00+09:00", until: "2026-01-14T22:00:00+09:00" }];
  const hours = (day: unknown, language: "ja" | "en" = "ja") => slides(null, venue({ today: day }), language).filter((s) => s.kind === "hours");
  assert.deepEqual(hours({ date: "2026-01-14", open }), [{ kind: "hours", text: "9:00〜12:00、13:00〜22:00".replace("9:", "09:"), note: "" }]);
  assert.deepEqual(hours({ date: "2026-01-14", open: [], reason: { ja: "館内整理日", en: "stocktaking" } }, "en"), [{ kind: "hours", text: "Closed today", note: "stocktaking" }]);
  assert.deepEqual(hours({ date: "2026-01-13", open }), [], "those of yesterday");
  assert.deepEqual(hours(null), []);
});

test("the question of the day changes with the day, in the language that it has", () => {
  const question = (at: number, language: "ja" | "en" = "ja") => slides(null, venue(), language, at).find((s) => s.kind === "question");
  assert.notDeepEqual(question(now), question(now + 86_400_000));
  assert.deepEqual(question(now, "en"), { kind: "question", text: "One?" });
});

test("season and light follow the venue's clock", () => {
  const at = (text: string) => Date.parse(text);
  assert.deepEqual(["2026-02-28", "2026-03-01", "2026-07-01", "2026-11-30", "2026-12-01"].map((d) => seasonOf(at(`${d}T12:00:00+09:00`), zone)), ["winter", "spring", "summer", "autumn", "winter"]);
  assert.deepEqual(["06:00", "08:00", "16:00", "17:10", "23:59"].map((t) => isDark(at(`2026-01-14T${t}:00+09:00`), zone)), [true, false, false, true, true]);
  assert.equal(isDark(at("2026-06-15T18:30:00+09:00"), zone), false);
});
