import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFailure, withoutTag } from "../kiosk/src/api";
import type { Card, StreamEvent } from "../kiosk/src/api";
import { decodeAnswer, decodeStreamEvent } from "../kiosk/src/decode";
import type { Event, State } from "../kiosk/src/state";
import {
  begin,
  captionsOf,
  cardsIn,
  cardsOf,
  emotionOf,
  isBusy,
  isThinking,
  isUsed,
  nextEvent,
  reduce,
  screenOf,
  toldOnCards,
} from "../kiosk/src/state";

const replay = (events: Event[]): State => events.reduce(reduce, begin("ja", "kiosk-1"));
const heard = (event: StreamEvent, turn = 1): Event => ({ type: "stream", turn, event });
const sentence = (index: number, text: string): Event =>
  heard({ name: "sentence", index, sentence: { text, emotion: index === 0 ? "happy" : "sad", audio: "", mouth: [] } });
const asked: Event = { type: "ask", turn: 1, question: "今週は？" };
const card = (title: string): Card => ({ type: "event", title });
const final = (more: Record<string, unknown> = {}): Event =>
  heard({ name: "final", answer: decodeAnswer({ language: "ja", speech: [], ...more }) });

test("a question is answered sentence by sentence", () => {
  const started = replay([asked, heard({ name: "run.started", runId: "r", language: "en" })]);
  assert.equal(screenOf(started), "answering");
  assert.ok(isThinking(started) && isBusy(started));
  assert.equal(emotionOf(started), "neutral");
  const talking = [sentence(0, "A"), sentence(1, "B")].reduce(reduce, started);
  assert.deepEqual([talking.turn?.speaking, talking.turn?.language, talking.turn?.runId], [0, "en", "r"]);
  assert.equal(emotionOf(talking), "happy");
  const second = reduce(talking, { type: "spoken", turn: 1, index: 0 });
  assert.equal(emotionOf(second), "sad");
  const done = [final(), { type: "spoken", turn: 1, index: 1 } as Event].reduce(reduce, second);
  assert.deepEqual([done.turn?.status, done.turn?.speaking, isBusy(done)], ["done", null, false]);
});

test("what only says that the answer takes a moment is no part of it", () => {
  const wait = { text: "One moment.", emotion: "neutral" as const, audio: "", mouth: [], filler: true };
  const speech = [{ text: "A", emotion: "happy" }, { text: "B", emotion: "sad" }];
  const waiting = replay([asked, heard({ name: "sentence", index: 0, sentence: wait }), sentence(1, "A")]);
  const done = reduce(waiting, final({ speech }));
  assert.deepEqual(done.turn?.sentences.map((s) => s.text), ["One moment.", "A", "B"]);
  const again = reduce(done, { type: "repeat" });
  assert.deepEqual(again.turn?.sentences.map((s) => s.text), ["A", "B"]);
});

test("the final event fills in what did not come before, and repeats nothing", () => {
  const speech = [
    { text: "A", emotion: "happy" },
    { text: "B", emotion: "odd" },
  ];
  const state = replay([asked, sentence(0, "A"), final({ speech, cards: [card("x")], suggestions: null })]);
  const unheard = { audio: "", mouth: [] };
  assert.deepEqual(state.turn?.sentences, [{ text: "A", emotion: "happy", ...unheard }, { text: "B", emotion: "neutral", ...unheard }]);
  assert.deepEqual([state.turn?.cards.length, state.turn?.suggestions], [1, []]);
});

test("a poster that was made is on the card of its event, and no other", () => {
  const event = (title: string, status = ""): Card => ({ ...card(title), start: "2026-01-14", status });
  const state = replay([asked, final({ cards: [event("gone", "cancelled"), event("a"), event("b")] }), { type: "poster", shown: 1 }]);
  const made = reduce(state, { type: "poster", shown: 1, made: "/media/1.svg" });
  const closed = reduce(made, { type: "poster", shown: null });
  assert.deepEqual(closed.turn?.cards.map((c) => c.poster), [undefined, undefined, "/media/1.svg"]);
  assert.deepEqual([made.turn?.poster, closed.turn?.poster], [1, null]);
});

test("late words of an old answer change nothing", () => {
  const state = replay([asked, { type: "ask", turn: 2, question: "b" }]);
  assert.equal(reduce(state, sentence(0, "late")), state);
  assert.equal(reduce(state, { type: "refused", turn: 1, failure: { code: "", text: "" } }), state);
  assert.equal(reduce(state, { type: "spoken", turn: 1, index: 0 }), state);
});

test("stop keeps what was said and takes nothing more", () => {
  const stopped = replay([asked, sentence(0, "A"), sentence(1, "B"), { type: "stop" }, sentence(2, "C")]);
  assert.deepEqual([stopped.turn?.status, stopped.turn?.speaking, stopped.turn?.sentences.length], ["stopped", null, 2]);
  const again = reduce(stopped, { type: "repeat" });
  assert.ok(again.turn !== null);
  assert.deepEqual([again.turn.speaking, captionsOf(again.turn).length], [0, 1]);
  const ended = [0, 1].map((index): Event => ({ type: "spoken", turn: 1, index })).reduce(reduce, again);
  assert.ok(ended.turn !== null);
  assert.deepEqual([ended.turn.speaking, captionsOf(ended.turn).length], [null, 2]);
});

test("cards turn in pages of three and begin again", () => {
  const state = replay([asked, heard({ name: "cards", cards: ["a", "b", "c", "d"].map(card) })]);
  const titles = (s: State) => (s.turn === null ? [] : cardsOf(s.turn, s.fits).map((c) => c.title));
  const second = reduce(state, { type: "more" });
  assert.deepEqual([titles(state), titles(second), titles(reduce(second, { type: "more" }))], [["a", "b", "c"], ["d"], ["a", "b", "c"]]);
});

test("an interrupt makes the screen a question", () => {
  const interrupt = { id: "i", kind: "clarify", question: "どちら？", options: ["A", "B"], confirmation: null };
  const confirmation = { do: "add", ask: "登録？", fields: [{ label: "予定", value: "定例" }], warnings: ["重なり"] };
  assert.equal(screenOf(replay([asked, heard({ name: "confirm", interrupt }), final({ interrupt })])), "choose");
  const state = replay([asked, final({ interrupt: { ...interrupt, confirmation } })]);
  assert.equal(screenOf(state), "confirm");
  assert.deepEqual(state.turn?.interrupt?.confirmation, { ...confirmation, intro: "", notes: [] });
  assert.equal(screenOf(replay([asked, heard({ name: "confirm", interrupt }), final()])), "answering");
});

test("a refusal, by status or by event, shows its words and a sad face", () => {
  const failure = { code: "internal", text: "すみません" };
  for (const event of [heard({ name: "error", failure }), { type: "refused", turn: 1, failure } as Event]) {
    const state = replay([asked, sentence(0, "A"), event]);
    assert.deepEqual([screenOf(state), emotionOf(state), state.turn?.failure, isBusy(state)], ["failed", "sad", failure, false]);
  }
});

test("a broken answer goes offline and keeps what was said", () => {
  const broken = replay([asked, sentence(0, "A"), { type: "broken" }]);
  assert.deepEqual([screenOf(broken), broken.turn?.status, broken.turn?.sentences.length, emotionOf(broken)], ["offline", "broken", 1, "sad"]);
  const back = reduce(broken, { type: "recovered" });
  assert.deepEqual([back.online, back.turn?.question, isBusy(back)], [true, "今週は？", false]);
});

test("what was said before the line broke is not said again", () => {
  const broken = replay([asked, sentence(0, "A"), sentence(1, "B"), { type: "spoken", turn: 1, index: 0 }, { type: "broken" }]);
  assert.deepEqual(broken.turn?.heard, ["A"]);
  const again = [
    { type: "recovered" }, { type: "ask", turn: 2, question: "今週は？", heard: broken.turn?.heard ?? [] },
    heard({ name: "sentence", index: 0, sentence: { text: "A", emotion: "happy", audio: "", mouth: [] } }, 2),
  ] as Event[];
  const first = again.reduce(reduce, broken);
  assert.deepEqual([first.turn?.sentences.length, first.turn?.speaking], [1, null], "shown, and not said");
  const second = reduce(first, heard({ name: "sentence", index: 1, sentence: { text: "B", emotion: "happy", audio: "", mouth: [] } }, 2));
  assert.equal(second.turn?.speaking, 1, "it goes on where it broke");
  assert.equal(reduce({ ...second, online: false }, { type: "repeat" }).turn?.speaking, 0, "once more is all of it");
});

test("an answer that was kept is shown without a server", () => {
  const answer = { question: "何時まで？", sentences: [{ text: "22時", emotion: "relaxed" as const, audio: "", mouth: [] }], cards: [], asOf: "2025-01-15T10:20:00+09:00" };
  const offline = replay([{ type: "broken" }]);
  const shown = reduce(offline, { type: "recall", turn: 1, answer });
  assert.deepEqual([screenOf(offline), screenOf(shown), isBusy(shown), emotionOf(shown)], ["offline", "answering", true, "relaxed"]);
  assert.equal(reduce(shown, { type: "broken" }), shown, "that there is no server is no news");
  const lost = [{ type: "ask", turn: 2, question: "x" }, { type: "broken" }] as Event[];
  assert.equal(screenOf(lost.reduce(reduce, shown)), "offline");
});

test("quiet mode is for all visitors, and the voice for one", () => {
  const quiet = replay([{ type: "quiet", on: true }]);
  assert.deepEqual([quiet.sound, isUsed(quiet)], [false, false]);
  const loud = reduce(quiet, { type: "sound", on: true });
  assert.deepEqual([loud.sound, isUsed(loud)], [true, true]);
  assert.equal(reduce(loud, { type: "quiet", on: false }).sound, true);
  assert.equal(reduce(loud, { type: "reset", session: "kiosk-2" }).sound, false);
});

test("of several cards those that are on the screen are not written once more", () => {
  const cards = [card("朝の会 (Morning)"), card("夜の会 (Evening)")];
  const state = replay([asked, sentence(0, "2件あります。"), sentence(1, "9時から、朝の会です。"), sentence(2, "夜の会です。"), heard({ name: "cards", cards })]);
  assert.ok(state.turn !== null);
  assert.deepEqual(toldOnCards(state.turn), [-1, 0, 1]);
  const placed = cards.map((c) => ({ ...c, location: "1F ホール / 1F Hall" }));
  const sentences = ["朝の会は9時からです。", "場所は、1F ホールです。", "夜の会です。", "場所は、1F ホールです。", "予約は要りません。"].map((text) => ({ text, emotion: "happy" as const, audio: "", mouth: [] }));
  assert.deepEqual(toldOnCards({ ...state.turn, cards: placed, sentences }), [0, 0, 1, 1, -1], "a place behind its event is on the card");
  assert.deepEqual(toldOnCards({ ...state.turn, cards: cards.slice(0, 1) }), [-1, -1, -1], "a single card leaves out nothing");
});

test("a piece of knowledge shows what was not said, and nothing else", () => {
  const passage = (description: string, url?: string): Card => ({ type: "passage", title: "Wi-Fi", description, ...(url ? { url } : {}) });
  const of = (...cards: Card[]) => {
    const { turn } = replay([asked, sentence(0, "開館時間は、9時から22時までです。"), heard({ name: "cards", cards })]);
    return turn === null ? [] : cardsIn(turn).map((c) => c.description);
  };
  assert.deepEqual(of(passage("開館時間は、9:00から22:00までです。")), []);
  assert.deepEqual(of(passage("開館時間は、9時から22時までです。月曜は休みです。")), ["月曜は休みです。"]);
  assert.deepEqual(of(passage("開館時間は、9時から22時までです。", "https://venue.example/")), [""]);
  const event = { ...card("朝の会"), description: "開館時間は、9時から22時までです。途中からでもどうぞ。" };
  assert.deepEqual(of(event, passage("開館時間は、9時から22時までです。", "https://venue.example/")), ["途中からでもどうぞ。"]);
});

test("more or fewer cards may fit, and the page stays where its first card was", () => {
  const state = replay([asked, heard({ name: "cards", cards: ["a", "b", "c", "d", "e"].map(card) }), { type: "more" }, { type: "fits", cards: 2 }]);
  assert.deepEqual(state.turn === null ? [] : cardsOf(state.turn, state.fits).map((c) => c.title), ["c", "d"]);
});

test("a reset leaves nothing of the visitor", () => {
  const used = replay([{ type: "draft", draft: "x" }, { type: "language", language: "en" }, asked, sentence(0, "A"), { type: "farewell", seconds: 3 }]);
  assert.ok(isUsed(used));
  const fresh = reduce(used, { type: "reset", session: "kiosk-2" });
  assert.deepEqual(fresh, begin("ja", "kiosk-2"));
  assert.ok(!isUsed(fresh));
});

test("the door shows the next event of the day, else the one going on", () => {
  const event = (title: string, start: string, end: string, more = {}) => ({
    id: title, title, start, end, allDay: false, location: "", status: "confirmed", ...more,
  });
  const events = [
    event("all day", "2025-01-15", "2025-01-15", { allDay: true }),
    event("late", "2025-01-15T19:00:00+09:00", "2025-01-15T21:00:00+09:00"),
    event("early", "2025-01-15T10:00:00+09:00", "2025-01-15T12:00:00+09:00"),
    event("off", "2025-01-15T11:00:00+09:00", "2025-01-15T12:00:00+09:00", { status: "cancelled" }),
  ];
  const at = (time: string) => nextEvent({ events, complete: true, asOf: "" }, Date.parse(`2025-01-15T${time}+09:00`))?.title;
  assert.deepEqual([at("09:00:00"), at("10:30:00"), at("20:00:00"), at("22:00:00")], ["early", "late", "late", "all day"]);
});

test("the wire is read with nulls and unknown events", () => {
  assert.deepEqual(decodeStreamEvent("cards", '{"cards":null}'), { name: "cards", cards: [] });
  assert.equal(decodeStreamEvent("node.finished", "{}"), null);
  assert.throws(() => decodeStreamEvent("final", "{broken"));
  assert.deepEqual(decodeFailure("nonsense"), { code: "", text: "" });
  assert.equal(withoutTag("[sad]すみません、[1]は"), "すみません、[1]は");
});
