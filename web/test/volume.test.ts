import assert from "node:assert/strict";
import { test } from "node:test";
import { volumeAt } from "../kiosk/src/volume";

test("the volume is that of the hour, and the operator's before the venue's", () => {
  const venue = { volume: 80, hours: [{ from: "12:00", until: "13:00", volume: 40 }, { from: "21:00", until: "09:00", volume: 0 }] };
  const at = (time: string, own = {}) => volumeAt(venue, own, time);
  assert.deepEqual(["11:59", "12:00", "13:00", "20:59", "21:00", "03:00", "09:00"].map((time) => at(time)), [80, 40, 80, 80, 0, 0, 80]);
  assert.deepEqual([at("21:00", { volume: 30 }), at("12:00", { volume: 30, quiet: true })], [30, 0]);
  assert.deepEqual([volumeAt({}, {}, "12:00"), volumeAt({ volume: 300 }, {}, "12:00")], [100, 100], "a server that says nothing, or nonsense");
});
