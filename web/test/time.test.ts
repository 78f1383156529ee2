import assert from "node:assert/strict";
import { test } from "node:test";
import { pixelsPerMillimetre } from "../kiosk/src/size";
import { clockOf, dayOf, leafOf, spanOf } from "../kiosk/src/time";

const zone = "Asia/Tokyo";
const span = (start: string, end: string, allDay = false) => [
  spanOf({ start, end, allDay }, zone, "ja", "終日"),
  spanOf({ start, end, allDay }, zone, "en", "All day"),
];

test("times are those of the venue, whatever the offset they came with", () => {
  assert.deepEqual(span("2025-01-15T10:00:00Z", "2025-01-15T12:00:00Z"), ["19:00〜21:00", "19:00–21:00"]);
  assert.deepEqual(span("2025-01-15T22:00:00+09:00", "2025-01-16T00:00:00+09:00"), ["22:00〜00:00", "22:00–00:00"]);
  assert.deepEqual(span("2025-01-15T19:00:00+09:00", ""), ["19:00", "19:00"]);
});

test("days are told by their dates, with the weekday", () => {
  assert.deepEqual(span("2025-01-17", "2025-01-17", true), ["終日", "All day"]);
  assert.deepEqual(span("2025-01-17", "2025-01-19", true), ["1月17日(金)〜1月19日(日)", "Fri 17 Jan – Sun 19 Jan"]);
  assert.deepEqual(span("2025-01-17T22:00:00+09:00", "2025-01-18T05:00:00+09:00"), [
    "22:00〜1月18日(土) 05:00",
    "22:00 – Sat 18 Jan 05:00",
  ]);
  assert.deepEqual(span("soon", "later"), ["", ""]);
});

test("the leaf of the calendar has month, day and weekday", () => {
  assert.deepEqual(leafOf({ start: "2024-12-31T15:30:00Z" }, zone, "ja"), { month: "1月", day: "1", weekday: "水", weekdayNumber: 3 });
  assert.deepEqual(leafOf({ start: "2025-01-19" }, zone, "en"), { month: "Jan", day: "19", weekday: "Sun", weekdayNumber: 0 });
  assert.equal(leafOf({}, zone, "en"), null);
});

test("the clock and the day are the venue's", () => {
  const now = Date.parse("2025-01-15T15:05:00Z");
  assert.deepEqual(clockOf(now, zone, "ja"), { time: "00:05", day: "1月16日(木)" });
  assert.deepEqual(clockOf(now, zone, "en"), { time: "00:05", day: "Thu 16 Jan" });
  assert.equal(dayOf(now, zone), "2025-01-16");
});

test("a millimetre follows the diagonal, the panel or the style sheet", () => {
  assert.equal(pixelsPerMillimetre(1080, 1920, 43).toFixed(2), "2.02");
  assert.equal(pixelsPerMillimetre(1080, 1920, Number.NaN).toFixed(2), "2.02");
  assert.equal(pixelsPerMillimetre(1280, 800, 10.1).toFixed(2), "5.88");
  assert.equal(pixelsPerMillimetre(390, 844, 0).toFixed(2), "3.78");
});
