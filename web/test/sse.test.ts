import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser, readEvents } from "../kiosk/src/sse";

const stream =
  'id: 1\nevent: run.started\ndata: {"runId":"r"}\n\n: a comment\n\nevent: sentence\ndata: {"i":0,\ndata:"text":"今週は🎉"}\n\ndata:\n\nid: 3\ndata:  two spaces\n\nevent: cut\ndata: lost';
const wanted = [
  { name: "run.started", data: '{"runId":"r"}', id: "1" },
  { name: "sentence", data: '{"i":0,\n"text":"今週は🎉"}', id: "1" },
  { name: "message", data: "", id: "1" },
  { name: "message", data: " two spaces", id: "3" },
];

test("a stream gives the same events with LF, CR and CRLF, however it is cut", () => {
  for (const [name, end] of Object.entries({ LF: "\n", CR: "\r", CRLF: "\r\n" })) {
    const text = stream.replaceAll("\n", end);
    for (const size of [1, 2, 3, 7, 1000]) {
      const parser = new EventParser();
      const events = [];
      for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
      assert.deepEqual(events, wanted, `${name} in pieces of ${size}`);
    }
  }
});

test("a byte order mark at the very beginning is no part of the first field", () => {
  assert.deepEqual(new EventParser().push("\uFEFFdata: a\n\n"), [{ name: "message", data: "a", id: "" }]);
});

test("unknown fields, fields without a colon and ids with NUL are passed over", () => {
  const events = new EventParser().push("retry: 10\nfoo: bar\ndata\nid: a\0b\n\n");
  assert.deepEqual(events, [{ name: "message", data: "", id: "" }]);
});

test("a body is decoded across broken characters, and every piece counts as heard", async () => {
  const bytes = new TextEncoder().encode("data: 水曜日\n\n");
  let heard = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEvents(body, () => heard++)) events.push(event.data);
  assert.deepEqual(events, ["水曜日"]);
  assert.equal(heard, bytes.length);
});
