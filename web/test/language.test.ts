import assert from "node:assert/strict";
import { test } from "node:test";
import { writtenIn } from "../kiosk/src/language";

test("what is typed tells its language, or nothing", () => {
  for (const [question, language] of [
    ["トイレはどこ", "ja"],
    ["Engineer Cafeの場所", "ja"],
    ["wi-fi ある?", "ja"],
    ["Is it free?", "en"],
    ["where can I park", "en"],
    ["What's on today?", "en"],
    ["Wi-Fi", null],
    ["Engineer Cafe", null],
    ["営業時間", null],
    ["厕所在哪里", null],
    ["3D", null],
    ["", null],
  ] as const) {
    assert.equal(writtenIn(question), language, question);
  }
});
