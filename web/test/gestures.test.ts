import assert from "node:assert/strict";
import { test } from "node:test";
import { rest } from "../kiosk/src/face";
import type { Pose } from "../kiosk/src/face";
import { poseOf } from "../kiosk/src/gestures";

const at = (gesture: string, t: number, speaking = false, card: number | null = null) => poseOf(gesture, { t, speaking, card });

/** What a pose differs in most from one at rest. */
function effort(pose: Pose | null): number {
  return pose === null ? 0 : Math.max(...Object.keys(rest).map((p) => Math.abs(pose[p as keyof Pose] - rest[p as keyof Pose])));
}

test("every gesture of the contract is seen, and is over by itself once nothing is said", () => {
  for (const gesture of ["present", "explain", "bow", "tilt", "point", "wave"]) {
    const most = Math.max(...[0.3, 0.6, 0.9, 1.1].map((t) => effort(at(gesture, t))));
    assert.ok(most >= 0.5, `${gesture}: ${most}`);
    assert.equal(at(gesture, 12), null, `${gesture} after 12 s`);
  }
});

test("hands go on with what is said", () => {
  for (const gesture of ["present", "explain"]) assert.ok(effort(at(gesture, 20, true)) > 5, gesture);
});

test("thinking and warning last", () => {
  for (const gesture of ["think", "alert"]) assert.ok(effort(at(gesture, 60)) > 30, gesture);
});

test("an unknown gesture and idle are rest", () => {
  for (const gesture of ["", "idle", "juggle"]) assert.equal(at(gesture, 0.1), null, gesture);
});

test("the arm on the side of the card points at it, whatever the gesture was", () => {
  const [right, left] = [at("explain", 1, true, 80), at("present", 1, true, -60)];
  assert.ok(right !== null && right.upperRight === 80 && right.finger === 1 && right.upperLeft < 40, JSON.stringify(right));
  assert.ok(left !== null && left.upperLeft === 60 && left.finger === -1 && left.upperRight < 40, JSON.stringify(left));
  assert.equal(at("alert", 1, true, 80)?.finger, 0, "a warning points at nothing");
});

test("no gesture begins or ends with a jump that arms can't follow", () => {
  for (const gesture of ["present", "explain", "bow", "tilt", "point", "wave", "hello", "hop", "nod", "think"]) {
    for (let t = 0; t < 8; t += 0.016) {
      const [now, next] = [at(gesture, t, t < 4), at(gesture, t + 0.016, t < 4)];
      if (now === null || next === null) continue;
      for (const p of ["upperLeft", "upperRight", "foreLeft", "foreRight"] as const) assert.ok(Math.abs(now[p] - next[p]) < 8 || Math.abs(t - 2.6) < 0.02, `${gesture} ${p} at ${t}`);
    }
  }
});
