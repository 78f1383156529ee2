import assert from "node:assert/strict";
import { test } from "node:test";
import { hearsHere } from "../kiosk/src/local";
import type { Event, State } from "../kiosk/src/state";
import { begin, isBusy, isUsed, reduce } from "../kiosk/src/state";
import { encode } from "../kiosk/src/wav";

test("a recording is WAV of 16 bits at 16 kHz, and what is too loud is cut", async () => {
  const bytes = new DataView(await encode(new Float32Array([0, 0.5, -1, 2])).arrayBuffer());
  const text = (at: number) => String.fromCharCode(...[0, 1, 2, 3].map((i) => bytes.getUint8(at + i)));
  assert.deepEqual([text(0), text(8), text(12), text(36)], ["RIFF", "WAVE", "fmt ", "data"]);
  assert.deepEqual([bytes.getUint16(22, true), bytes.getUint32(24, true), bytes.getUint16(34, true)], [1, 16_000, 16]);
  assert.deepEqual([bytes.getUint32(4, true), bytes.getUint32(40, true), bytes.byteLength], [44, 8, 52]);
  assert.deepEqual([0, 1, 2, 3].map((i) => bytes.getInt16(44 + 2 * i, true)), [0, 16_384, -32_767, 32_767]);
});

test("only a recogniser that works on this machine is used", async () => {
  const of = (answer: string | null, local = true) => {
    class Recogniser {
      static available = answer === null ? undefined : async ({ processLocally }: { processLocally: boolean }) => (processLocally ? answer : "available");
    }
    if (local) Object.defineProperty(Recogniser.prototype, "processLocally", { value: false });
    Object.assign(globalThis, { SpeechRecognition: Recogniser });
    return hearsHere();
  };
  assert.equal(await of("available"), true);
  assert.equal(await of("downloadable"), false, "one that would have to be fetched");
  assert.equal(await of("available", false), false, "one that knows no such wish");
  assert.equal(await of(null), false, "one that can't be asked");
  Reflect.deleteProperty(globalThis, "SpeechRecognition");
  assert.equal(await hearsHere(), false, "no recogniser");
});

test("who speaks is there, and nothing of it is left for the next visitor", () => {
  const after = (...events: Event[]): State => events.reduce(reduce, begin("ja", "kiosk-1"));
  const on: Event = { type: "listening", listening: { phase: "on", interim: "what", busy: true } };
  const silent: Event = { type: "listening", listening: { phase: "silent", interim: "", busy: false } };
  assert.deepEqual([isBusy(after(on)), isUsed(after(on))], [true, true]);
  assert.deepEqual([isBusy(after(silent)), isUsed(after(silent))], [false, true], "who says nothing may have gone");
  const next = after({ type: "ears", ears: true }, on, { type: "reset", session: "kiosk-2" });
  assert.deepEqual([next.listening, next.ears], [null, true]);
  assert.equal(after(on, { type: "broken" }).listening, null);
});
