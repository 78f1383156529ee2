import assert from "node:assert/strict";
import { test } from "node:test";
import type { Emotion } from "../kiosk/src/api";
import { decodeShapes } from "../kiosk/src/decode";
import { faceOf, glide, parameters, rest } from "../kiosk/src/face";
import { beats, durationOf, mouthAt, shapeAt } from "../kiosk/src/speech";

test("Japanese is spoken at eight moras a second", () => {
  assert.deepEqual(beats("こんにちは", "ja").map((b) => b.mouth), ["o", "closed", "i", "i", "a"]);
  assert.equal(durationOf(beats("あいうえおかきく", "ja")), 1000);
  assert.equal(durationOf(beats("カフェ", "ja")), 375);
  assert.equal(durationOf(beats("水曜", "ja")), 500, "a kanji counts two moras");
  assert.equal(durationOf(beats("。", "ja")), 250);
  assert.deepEqual(beats("〔🎉〕", "ja"), []);
});

test("English is spoken at about fourteen characters a second", () => {
  const text = "The first is the TypeScript study group on Wednesday evening";
  const seconds = durationOf(beats(text, "en")) / 1000;
  assert.ok(Math.abs(text.length / seconds - 14) < 1.5, `${text.length / seconds} characters a second, want 14`);
});

test("the mouth follows the beats and rests after the last", () => {
  const sentence = beats("あい", "ja");
  assert.deepEqual([0, 124, 126, 260].map((ms) => mouthAt(sentence, ms)), ["a", "a", "i", "closed"]);
});

test("the mouth follows a sound", () => {
  const shapes = decodeShapes([[0, "n"], [40, "a"], [180.5, "u"], [300, ""], [320, "x"]]);
  assert.deepEqual([-1, 0, 39, 40, 181, 400].map((ms) => shapeAt(shapes, ms)), ["closed", "closed", "closed", "a", "u", "closed"]);
  assert.equal(shapeAt([], 10), "closed");
});

const emotions: Emotion[] = ["neutral", "happy", "sad", "relaxed", "surprised"];

test("a vowel changes the mouth and nothing else", () => {
  for (const emotion of emotions) {
    const still = faceOf(emotion, null);
    const speaking = faceOf(emotion, "a");
    for (const p of parameters) if (!p.startsWith("mouth")) assert.equal(speaking[p], still[p], `${emotion} ${p}`);
    assert.ok(speaking.mouthOpen > 0.5, `${emotion} opens its mouth for a`);
  }
});

test("a sad face never smiles while it speaks", () => {
  for (const mouth of ["a", "i", "u", "e", "o", "closed"] as const) assert.ok(faceOf("sad", mouth).mouthCurve < 0, mouth);
});

test("nobody smiles who warns", () => {
  for (const mouth of ["a", "i", "u", "e", "o"] as const) assert.ok(faceOf("surprised", mouth, rest, true).mouthCurve < 0, mouth);
});

test("a face stays where it is when time goes back", () => {
  const face = faceOf("sad", null);
  assert.deepEqual(glide(face, faceOf("happy", null), -2000), face);
});

test("a face arrives within 180 ms, a pose within 360, and never overshoots", () => {
  const [from, to] = [faceOf("sad", null), faceOf("happy", null)];
  let face = from;
  for (let ms = 0; ms < 360; ms += 16) {
    face = glide(face, to, 16);
    if (ms > 164 && ms < 181) assert.ok(Math.abs(to.mouthOpen - face.mouthOpen) <= 0.06 * Math.abs(to.mouthOpen - from.mouthOpen), "mouth after 180 ms");
  }
  for (const p of parameters) {
    const whole = to[p] - from[p];
    assert.ok(Math.abs(to[p] - face[p]) <= Math.abs(whole) * 0.06, `${p} = ${face[p]}, want nearly ${to[p]}`);
    assert.ok((to[p] - face[p]) * whole >= 0, `${p} overshoots`);
  }
});
