import assert from "node:assert/strict";
import { test } from "node:test";
import { cueOf } from "../kiosk/src/cues";
import { begin, reduce } from "../kiosk/src/state";

const front = begin("ja", "s-1");
const asked = reduce(front, { type: "ask", turn: 1, question: "q" });

test("each thing a visitor might miss has its cue", () => {
  assert.equal(cueOf(front, asked), "taken");
  assert.equal(cueOf(asked, asked), null);
  const interrupt = { id: "i", kind: "clarify", question: "?", options: ["a"], confirmation: null };
  const asks = reduce(asked, { type: "stream", turn: 1, event: { name: "confirm", interrupt } });
  assert.equal(cueOf(asked, asks), "asks");
  assert.equal(cueOf(asks, asks), null, "once");
  assert.equal(cueOf(asked, reduce(asked, { type: "refused", turn: 1, failure: { code: "", text: "" } })), "sorry");
  assert.equal(cueOf(asked, reduce(asked, { type: "broken" })), "sorry");
  assert.equal(cueOf(front, reduce(front, { type: "broken" })), null, "nobody is there to be told");
  const still = reduce(asked, { type: "farewell", seconds: 20 });
  assert.equal(cueOf(asked, still), "still");
  assert.equal(cueOf(still, reduce(still, { type: "farewell", seconds: 19 })), null, "not each second");
});

test("the sound key turns cues off", () => {
  const silent = reduce(front, { type: "sound", on: false });
  assert.equal(cueOf(silent, reduce(silent, { type: "ask", turn: 1, question: "q" })), null);
});
