// Visits the kiosk as a person would: node test/kiosk.test.mjs BASE_URL [SCREENSHOTS]. The server at BASE_URL is the
// fake of fake_test.go. Every check says what it did, what came and what was wanted.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ask, beSilent, holdTime, openKiosk, openPoster, post, screens, sizes, standStill, startBrowser } from "./browser.mjs";
import { access, layout } from "./looks.mjs";

const [base, shots] = process.argv.slice(2);
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

const seen = async () => (await fetch(`${base}/fake/log`)).json().then((log) => log ?? []);
const captions = (page) => page.locator(".caption").allTextContents();
const focused = (page) => page.evaluate(() => document.activeElement.textContent);
const face = (page) => page.locator(".akari").getAttribute("aria-label");

/** Waits until read gives what is wanted, and fails with what it gave instead. */
async function eventually(what, read, wanted, ms = 60_000) {
  const end = performance.now() + ms;
  for (let got = await read(); ; got = await read()) {
    if (typeof wanted === "function" ? wanted(got) : JSON.stringify(got) === JSON.stringify(wanted)) return got;
    if (performance.now() > end) assert.fail(`${what} = ${JSON.stringify(got)}, want ${wanted}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** A visit that must end without console errors and without a request to anybody else. */
function visit(name, language, act, { expected = /^$/, ...options } = {}) {
  test(name, async () => {
    const kiosk = await openKiosk(browser, base, language, options);
    try {
      await act(kiosk.page);
      assert.deepEqual(kiosk.faults.filter((fault) => !expected.test(fault)), [], "faults on the page");
    } finally {
      await kiosk.close();
    }
  });
}

const failedLoad = /^Failed to load resource/;

visit("a question asked by keyboard alone is answered", "ja", async (page) => {
  await page.locator(".credit").waitFor(); // it comes after the first load
  for (let i = 0; i < 4; i++) await page.keyboard.press("Tab"); // whose voice it is, then the questions
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Wi-Fi/, "fourth stop of the tab key");
  for (let i = 0; i < 2; i++) await page.keyboard.press("Tab");
  await page.keyboard.type("今週のイベントは？ three");
  await page.keyboard.press("Enter");
  await eventually("captions", () => captions(page), (got) => got.length === 3);
  assert.equal(await page.locator(".question").textContent(), "今週のイベントは？ three");
  const cards = await page.locator(".card").allInnerTexts();
  assert.equal(cards.length, 3, `cards: ${cards}`);
  for (const part of ["15", "水", "TypeScript勉強会", "19:00〜21:00", "1F メインホール"]) assert.ok(cards[0].includes(part), `first card ${cards[0]} has ${part}`);
  assert.ok(cards[1].includes("1月17日(金)〜1月19日(日)"), `card of several days: ${cards[1]}`);
  assert.ok(cards[2].includes("中止"), `cancelled card: ${cards[2]}`);
  assert.equal(await page.evaluate(() => document.activeElement.className), "ask-box", "focus stays in the box");
  const query = (await seen()).find((r) => r.path === "/query").body;
  assert.match(query.sessionId, /^kiosk-[0-9a-f-]{36}$/);
  assert.deepEqual(query, { query: "今週のイベントは？ three", language: "ja", sessionId: query.sessionId, stream: true });
  await page.keyboard.press("Escape"); // stops the voice
  await page.locator(".actions").getByText("もう一度聞く").waitFor();
  await page.keyboard.press("Escape"); // goes back
  await page.locator(".on-attract").waitFor();
});

visit("nothing fades that is shown to its end", "en", async (page) => {
  await ask(page, "three");
  await page.locator(".card").first().waitFor();
  const faded = await page.evaluate(async () => {
    const ending = document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime < 60_000);
    await Promise.all(ending.map((a) => a.finished.catch(() => {})));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [...document.querySelectorAll(".captions, .cards")].map((p) => [p.classList.contains("has-more"), p.scrollHeight - p.clientHeight - p.scrollTop > 1]);
  });
  assert.equal(faded.length, 2, "captions and cards");
  for (const [fades, goesOn] of faded) assert.equal(fades, goesOn, `a panel that fades: ${fades}, that goes on: ${goesOn}`);
}, { reducedMotion: "no-preference" });

visit("captions come sentence by sentence, and the face with them", "en", async (page) => {
  assert.equal(await face(page), "Akari, your guide, smiling");
  await ask(page, "slow none");
  await page.locator(".progress").getByText("Checking the calendar").waitFor();
  await eventually("face", () => face(page), "Akari, your guide, looking calm");
  assert.deepEqual(await captions(page), []);
  await post(base, "step");
  await eventually("captions", () => captions(page), (got) => got.length === 1);
  await eventually("face", () => face(page), "Akari, your guide, looking sorry");
  assert.equal(await page.locator("[role=status] .caption").count(), 1, "captions are in a polite region");
  await page.clock.fastForward(10_000); // a slow server that is alive is waited for
  await post(base, "step");
  await eventually("captions", () => captions(page), (got) => got.length === 2);
});

visit("the mouth moves while a sentence is spoken, and rests after", "ja", async (page) => {
  const mouth = () => page.locator("[data-part=mouth]").getAttribute("d");
  await ask(page, "one");
  await page.locator(".is-spoken").waitFor();
  await holdTime(page);
  const shapes = new Set();
  for (let i = 0; i < 12; i++) {
    shapes.add(await mouth());
    await page.clock.runFor(90);
  }
  assert.ok(shapes.size > 4, `${shapes.size} mouth shapes in a second, want more than 4`);
  await beSilent(page, 30);
  await eventually("spoken captions", () => page.locator(".is-spoken").count(), 0);
}, { reducedMotion: "no-preference" });

/** The sounds that were begun and ended early on the page. */
async function listen(page) {
  await page.evaluate(() => {
    window.heard = { begun: 0, cut: 0 };
    addEventListener("click", () => (window.clicked = performance.now()), true);
    const { start, stop } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...args) {
      window.heard.begun++;
      return start.apply(this, args);
    };
    AudioBufferSourceNode.prototype.stop = function (...args) {
      window.heard.cut++;
      window.silent = performance.now();
      return stop.apply(this, args);
    };
  });
}
const heard = (page) => page.evaluate(() => window.heard);

visit("Akari walks to where the next screen has it, unless less motion is wished for", "ja", async (page) => {
  const walks = (page, within = 0) =>
    page.evaluate(async (within) => {
      for (const end = performance.now() + within; ; await new Promise((done) => requestAnimationFrame(done))) {
        const ways = document.querySelector(".akari").getAnimations().flatMap(({ effect }) => effect.getKeyframes());
        if (ways.some(({ transform, translate }) => /[1-9]/.test(`${transform ?? ""}${translate ?? ""}`))) return true;
        if (performance.now() >= end) return false;
      }
    }, within);
  await page.waitForTimeout(500);
  const walked = walks(page, 20_000); // every frame is looked at: a walk is short
  await ask(page, "three");
  assert.ok(await walked, "no animation has moved Akari");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.locator(".choices.is-suggestions").waitFor();
  await eventually("the walk that was begun", () => walks(page), false);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  for (let i = 0; i < 5; i++) assert.equal(await walks(page), false, "a walk with less motion wished for");
}, { held: false, reducedMotion: "no-preference" });

visit("an answer is heard, sentence by sentence, with the mouth in time", "en", async (page) => {
  await listen(page);
  const shapes = new Set();
  await ask(page, "aloud three");
  for (const end = performance.now() + 30_000; performance.now() < end && ((await heard(page)).begun < 3 || (await page.locator(".is-spoken").count()) > 0); ) {
    shapes.add(await page.locator("[data-part=mouth]").getAttribute("d"));
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.deepEqual(await heard(page), { begun: 3, cut: 0 });
  assert.ok(shapes.size > 4, `${shapes.size} mouth shapes, want more than 4`);
  const fetched = async () => (await seen()).map((r) => r.path).filter((path) => /^\/speech\/\d/.test(path));
  assert.deepEqual((await fetched()).sort(), ["/speech/0.wav", "/speech/1.json", "/speech/1.wav", "/speech/2.wav"]);
  await page.getByText("Say it again").click(); // from what was kept
  await eventually("sounds", () => heard(page), (got) => got.begun === 4);
  assert.equal((await fetched()).length, 4);
}, { held: false, reducedMotion: "no-preference" });

visit("stop and the sound key silence at once", "en", async (page) => {
  await listen(page);
  await ask(page, "aloud one");
  await page.evaluate(async () => { // from within the page: a slow machine would be over with the answer before a touch from without
    while (window.heard.begun < 1) await new Promise((done) => setTimeout(done, 5));
    document.querySelector(".is-stop").click();
  });
  assert.deepEqual(await heard(page), { begun: 1, cut: 1 });
  const took = await page.evaluate(() => window.silent - window.clicked);
  assert.ok(took >= 0 && took <= 150, `silent ${took} ms after the touch, want at most 150`);
  await page.locator(".is-sound").click();
  await eventually("sound key", () => page.locator(".is-sound").getAttribute("aria-pressed"), "false");
  await ask(page, "aloud one");
  await page.locator(".is-spoken").waitFor();
  await new Promise((done) => setTimeout(done, 300));
  assert.deepEqual(await heard(page), { begun: 1, cut: 1 });
}, { held: false });

visit("what can't be heard is said in silence", "ja", async (page) => {
  await ask(page, "mute one");
  await page.locator(".is-spoken").waitFor();
  await beSilent(page, 30);
  await eventually("spoken captions", () => page.locator(".is-spoken").count(), 0);
}, { expected: /^Failed to load resource/ });

visit("stop cancels the run and keeps what was said", "ja", async (page) => {
  await ask(page, "slow three");
  await post(base, "step");
  await eventually("captions", () => captions(page), (got) => got.length === 1);
  await page.getByRole("button", { name: "止める" }).click();
  const run = await eventually("cancelled runs", async () => (await seen()).filter((r) => /^\/runs\/run-\d+\/cancel$/.test(r.path)), (got) => got.length === 1);
  assert.equal(run[0].method, "POST");
  await post(base, "step");
  assert.equal((await captions(page)).length, 2, "the sentence and a note that it stopped");
  assert.equal(await page.locator(".is-spoken").count(), 0);
  await page.getByRole("button", { name: "もう一度聞く" }).click();
  await page.locator(".is-spoken").waitFor();
});

visit("ten cards are paged by as many as fit", "en", async (page) => {
  await ask(page, "ten");
  await page.locator(".card").nth(1).waitFor();
  await standStill(page);
  const shown = async () => (await page.locator(".is-more").innerText()).replace(/\s+/g, " ");
  const fits = await page.locator(".card").count();
  assert.ok(fits >= 2 && fits <= 5, `${fits} cards on a panel`);
  assert.equal(await shown(), `Show more 1–${fits} of 10`);
  for (let first = 1 + fits; first <= 10; first += fits) {
    await page.locator(".is-more").click();
    const last = Math.min(10, first + fits - 1);
    const range = first === last ? "10" : `${first}–${last}`;
    await eventually("page", shown, `${last === 10 ? "Back to the first" : "Show more"} ${range} of 10`);
    await eventually("number of the first card", () => page.locator(".leaf-number").first().textContent(), String(first));
  }
  await page.locator(".is-more").click();
  await eventually("page", shown, `Show more 1–${fits} of 10`);
  assert.equal(await page.locator(".card b").count(), 0, "a title is text, not markup");
  await page.getByRole("button", { name: "Tell me about the second one" }).click();
  await eventually("asked", async () => (await seen()).filter((r) => r.path === "/query").at(-1).body.query, "Tell me about the second one");
});

visit("a confirmation shows its fields, and the safe answer has the focus", "ja", async (page) => {
  await screens.confirm(page);
  const rows = await page.locator(".sheet dl > div").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split("\n")[0]), ["予定", "日時", "カレンダー"]);
  assert.equal(await page.locator(".sheet s").textContent(), "2025年1月15日(水) 19:00〜21:00");
  assert.match(await page.locator(".sheet-warnings").textContent(), /山田さんと打ち合わせ/);
  assert.doesNotMatch(await page.locator("body").innerText(), /markdown/, "the question as the text has it");
  await eventually("focus", () => focused(page), "やめておきます");
  for (const size of sizes) {
    await page.setViewportSize(size);
    const [no, yes] = await page.locator(".answers .button").evaluateAll((all) => all.map((b) => b.getBoundingClientRect()).map((b) => [b.left, b.top, b.height]));
    assert.ok(no[0] < yes[0] && no[1] === yes[1] && no[2] === yes[2], `no ${no} is left of yes ${yes} and as high on ${size.name}`);
  }
  const asked = async () => (await seen()).filter((r) => r.path === "/query").map((r) => r.body.query).at(-1);
  await page.keyboard.press("Enter");
  await eventually("asked by the key that has the focus", asked, "やめておきます");
  await screens.confirm(page);
  await page.getByRole("button", { name: "はい、登録してください" }).click();
  await eventually("asked", asked, "はい、登録してください");
});

visit("a question is typed on our own keyboard", "ja", async (page) => {
  const box = page.locator(".ask-box");
  await page.touchscreen.tap(540, 1650).catch(() => undefined);
  await box.click();
  await page.locator(".keys").waitFor();
  assert.equal(await box.getAttribute("inputmode"), "none", "the keyboard of the system stays away");
  for (const key of ["か", "濁点", "つ", "小さい字", "こ", "う", "1文字消す"]) await page.locator(".keys").getByRole("button", { name: key, exact: true }).click();
  assert.equal(await box.inputValue(), "がっこ");
  await page.locator(".keys").getByRole("button", { name: "ABC" }).click();
  for (const key of "one") await page.locator(".keys").getByRole("button", { name: key, exact: true }).click();
  assert.equal(await box.inputValue(), "がっこone");
  await page.getByRole("button", { name: "送信" }).click();
  await eventually("captions", () => captions(page), (got) => got.length === 2);
  await eventually("keyboards left open", () => page.locator(".keys").count(), 0);
}, { query: "&keyboard=own", hasTouch: true });

visit("letters grow by a key, and are small again for the next visitor", "en", async (page) => {
  const size = () => page.locator(".ask-box").evaluate((box) => Number.parseFloat(getComputedStyle(box).fontSize));
  const before = await size();
  await page.getByRole("button", { name: "Large text" }).click();
  await eventually("letters", size, (got) => got > before * 1.2);
  await beSilent(page, 70);
  await eventually("size", size, before);
});

visit("what was asked is not offered again", "en", async (page) => {
  await ask(page, "Is there Wi-Fi in here? long");
  await page.locator(".caption").nth(12).waitFor();
  await eventually("chips", () => page.locator(".choices li:not(.is-take) .button").allTextContents(), (got) => got.length === 3 && !got.some((text) => /Wi-Fi/.test(text)));
});

visit("pictures of events come late or not at all, and nothing moves", "ja", async (page) => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="900"><rect width="300" height="900"/></svg>';
  let come;
  const late = new Promise((done) => (come = done));
  await page.route("**/pictures/*.jpg", async (route) => {
    await late;
    await route.fulfill(/gone/.test(route.request().url()) ? { status: 404 } : { contentType: "image/svg+xml", body: drawing });
  });
  await ask(page, "今週は？ pictures");
  await page.locator(".choices.is-suggestions").waitFor();
  await standStill(page);
  const places = () => page.locator(".card, .card-text, .picture").evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
  const before = await places();
  come();
  const states = () => page.locator(".picture img").evaluateAll((all) => all.map((img) => (img.hidden ? "hidden" : img.naturalWidth > 0 ? "shown" : "comes")));
  await eventually("pictures", states, ["shown", "hidden"]);
  assert.deepEqual(await places(), before, "where things are once pictures came");
  await checkAccess(page, "answering with pictures");
}, { expected: failedLoad });

visit("the poster of an event is shown and printed", "ja", async (page) => {
  await ask(page, "three");
  await page.locator(".card").nth(2).waitFor();
  await openPoster(page);
  const sheet = page.locator("dialog.poster img");
  await sheet.waitFor();
  const asked = async () => (await seen()).filter((r) => r.path === "/tools/imagen_generate_poster").map((r) => r.body);
  assert.deepEqual(await asked(), [{
    eventTitle: "TypeScript勉強会", eventDescription: "参加者30名募集中です。", eventStart: "2025-01-15T19:00:00+09:00", eventEnd: "2025-01-15T21:00:00+09:00",
    place: "1F メインホール", style: "modern", language: "ja", format: "svg", dimensions: { width: 1240, height: 1754 },
  }]);
  assert.equal(await sheet.getAttribute("alt"), "ポスター: TypeScript勉強会");
  await page.evaluate(() => { globalThis.print = () => { globalThis.printed = (globalThis.printed ?? 0) + 1; }; });
  await page.getByRole("button", { name: "印刷する" }).click();
  assert.equal(await page.evaluate(() => globalThis.printed), 1, "times printed");
  await page.getByRole("button", { name: "ほかのデザイン" }).click();
  await eventually("designs", async () => (await asked()).map((r) => r.style), ["modern", "classic"]);
  await page.getByRole("button", { name: "つぎのイベント" }).click();
  await eventually("events", async () => (await asked()).at(-1).eventTitle, (got) => got !== "TypeScript勉強会");
  assert.ok(!(await asked()).some((r) => /中止|C\+\+/.test(r.eventTitle)), "no poster of what is cancelled");
  await sheet.waitFor();
  await page.emulateMedia({ media: "print" });
  const onPaper = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && e.children.length === 0 && e.getClientRects().length > 0).map((e) => e.tagName));
  assert.deepEqual([...new Set(onPaper)].sort(), ["H2", "IMG"], "what is on the paper");
  const paper = await sheet.boundingBox();
  assert.ok(paper.width > 1000 && paper.x === 0 && paper.y === 0, `the poster on the paper: ${JSON.stringify(paper)}`);
  await page.emulateMedia({ media: "screen" });
  await page.keyboard.press("Escape");
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
  assert.equal(await page.locator(".card").count(), 3, "the answer is still there");
  assert.deepEqual(await page.locator(".card").evaluateAll((cards) => cards.map((card) => card.querySelectorAll(".picture img").length)), [1, 1, 0], "posters on cards");
  await page.locator(".is-take button").click();
  const taken = await eventually("pages made", () => sentTo("/handovers"), (got) => got.length === 1);
  assert.equal(taken[0].body.poster, "/kiosk/akari.svg", "the poster goes along");
});

visit("a poster that can't be made is said in words", "en", async (page) => {
  await ask(page, "one");
  await page.locator(".card").waitFor();
  await page.locator(".is-spoken").waitFor();
  await openPoster(page);
  await page.locator(".poster-sheet").waitFor();
  await post(base, "down");
  await page.getByRole("button", { name: "Another design" }).click();
  await page.getByText("I'm sorry, I couldn't make the poster.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Print" }).isDisabled(), "nothing to print");
  assert.equal(await page.getByRole("button", { name: "Next event" }).count(), 0, "there is one event");
  await post(base, "up");
  await page.getByRole("button", { name: "Close" }).click();
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
}, { expected: failedLoad });

const sentTo = async (path) => (await seen()).filter((r) => r.path === path);

visit("staff have been told once the server says so, else what to do is said", "en", async (page) => {
  await screens.staff(page);
  await eventually("focus on the safe choice", () => focused(page), "No");
  await page.keyboard.press("Enter");
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
  assert.deepEqual(await sentTo("/staff-calls"), [], "calls after a no");
  await screens.uncalled(page);
  const failed = await page.locator("dialog").innerText();
  assert.match(failed, /could not reach[\s\S]*the staff at the 1F desk[\s\S]*092-000-0000/);
  assert.doesNotMatch(failed, /have been told/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Staff have been told, at 10:24.").waitFor();
  const [first, second, ...more] = await sentTo("/staff-calls");
  assert.deepEqual([first.body, first.device, more.length], [{ id: second.body.id, language: "en" }, "hall", 0], "both tries are one call");
  await beSilent(page, 25);
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
}, { query: "&device=hall", expected: failedLoad });

visit("who says that somebody should come is asked, and staff are told", "ja", async (page) => {
  await ask(page, "誰か来てください (somebody)");
  await page.locator("dialog.counter").getByText("スタッフを呼びますか？").waitFor();
  assert.deepEqual(await sentTo("/staff-calls"), [], "calls before a yes");
  await page.keyboard.press("Escape");
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
  await page.getByText("お声がけください").waitFor();
  await ask(page, "やっぱり呼んで (somebody)");
  await page.locator("dialog .is-main").click();
  await page.getByText("10:24に、スタッフへ伝わりました。").waitFor();
  assert.equal((await sentTo("/staff-calls")).length, 1, "calls");
});

visit("whether an answer helped is said once, without words", "ja", async (page) => {
  await ask(page, "one secret");
  await beSilent(page, 30);
  await page.getByRole("button", { name: "役に立った", exact: true }).click();
  await page.getByText("ありがとうございます").waitFor();
  const [word, ...more] = await sentTo("/feedback");
  assert.match(word.body.runId, /^run-/);
  assert.deepEqual([word.body, more.length], [{ runId: word.body.runId, route: "event", helpful: true }, 0]);
  await ask(page, "three");
  await beSilent(page, 30);
  await page.getByRole("button", { name: "役に立たなかった" }).waitFor();
});

visit("an answer is taken along on a telephone, until the visit ends", "en", async (page) => {
  await screens.taken(page);
  const [given] = await sentTo("/handovers");
  const [{ body: asked }] = await sentTo("/query");
  assert.deepEqual([given.body.sessionId, given.body.poster], [asked.sessionId, ""]);
  assert.match(given.body.runId, /^run-/);
  assert.equal(await page.locator("dialog .code svg").getAttribute("aria-label"), "QR code of guide.example");
  await page.keyboard.press("Escape");
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
  assert.equal(await page.locator(".card").count(), 3, "the answer is still there");
  await page.locator(".is-take button").click();
  await page.locator("dialog .code svg").waitFor();
  await beSilent(page, 70);
  await beSilent(page, 30);
  await page.locator(".on-attract").waitFor();
  assert.equal(await page.locator("dialog").count(), 0, "dialogs after the reset");
});

visit("the house is quiet in its quiet hours, unless a visitor turns the voice on", "ja", async (page) => {
  const pressed = () => page.locator(".is-sound").getAttribute("aria-pressed");
  assert.equal(await pressed(), "true");
  await page.route("**/venue", async (route) => {
    const venue = await (await route.fetch()).json();
    await route.fulfill({ json: { ...venue, kiosk: { ...venue.kiosk, hours: [{ from: "10:00", until: "11:00", volume: 0 }] } } });
  });
  await page.reload();
  await page.locator(".today").waitFor();
  await eventually("sound key", pressed, "false");
  await page.locator(".is-sound").click();
  await beSilent(page, 10);
  assert.equal(await pressed(), "true", "a visitor's wish");
  await beSilent(page, 60);
  await eventually("sound key of the next visitor", pressed, "false");
});

visit("five touches and a code open the operator's corner", "en", async (page) => {
  for (let i = 0; i < 4; i++) await page.mouse.click(60, 60);
  await page.mouse.click(500, 700); // something else between
  await page.mouse.click(60, 60);
  assert.equal(await page.locator("dialog").count(), 0, "four touches, and one later");
  for (let i = 0; i < 4; i++) await page.mouse.click(60, 60);
  await page.locator("dialog.corner").waitFor();
  for (const digit of "111111") await page.locator(".corner-keys").getByRole("button", { name: digit, exact: true }).click();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByText("That code is not right.").waitFor();
  assert.equal(await page.locator(".corner-inside").count(), 0);
  await page.keyboard.press("Escape");
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
  await screens.corner(page);
  const kept = () => page.evaluate(() => Object.values(localStorage).join());
  assert.match(await page.locator(".corner").innerText(), /80 %[\s\S]*hall/);
  await page.getByRole("button", { name: "Softer" }).click();
  await page.getByText("70 %").waitFor();
  await eventually("volume that is kept", kept, '{"volume":70}');
  await page.getByRole("button", { name: "Quiet mode" }).click();
  await page.getByText("0 %", { exact: true }).waitFor();
  await page.getByRole("button", { name: "As the venue has it" }).click();
  await page.getByText("80 %").waitFor();
  await eventually("volume that is kept", kept, "");
  await page.getByRole("button", { name: "Close" }).click();
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
}, { query: "&device=hall", expected: failedLoad });

visit("a kiosk with a name says that it lives", "ja", async (page) => {
  await beSilent(page, 61);
  const beats = await eventually("heartbeats", () => sentTo("/heartbeat"), (got) => got.length >= 2);
  assert.match(beats[0].body.version, /^[\w-]{8}$/);
  assert.deepEqual([beats[0].device, beats[0].body.language], ["hall", "ja"]);
}, { query: "&device=hall" });

visit("what is cut off is apologised for aloud, and known questions are answered without a server", "en", async (page) => {
  await listen(page);
  await eventually("apologies fetched", async () => (await sentTo("/speech/kept-sorry.wav")).length, (got) => got >= 1);
  await post(base, "down");
  await ask(page, "aloud one drop");
  await page.locator(".on-offline .is-cut").waitFor();
  await eventually("sounds", () => heard(page), (got) => got.begun >= 1);
  await page.getByText("What I can answer now").waitFor();
  await page.getByRole("button", { name: "How late are you open?" }).click();
  await page.locator(".on-answering .caption").getByText("Until 10 PM.").waitFor();
  await page.getByText("As of 10:20").waitFor();
  await page.getByRole("button", { name: "What's on today?" }).click();
  await page.locator(".card").waitFor();
  await page.getByRole("button", { name: "Say it again" }).waitFor(); // silence is counted once all was said
  await beSilent(page, 70);
  await eventually("screens", () => page.locator(".on-offline").count(), 1);
  assert.doesNotMatch(await page.locator("body").innerText(), /drop|Until 10/, "what is left after the reset");
}, { held: true, expected: failedLoad });

visit("a kiosk that nobody uses plays the film of the day until it is touched", "en", async (page) => {
  await beSilent(page, 31);
  const film = page.locator(".film video");
  await eventually("time of the film", () => film.evaluate((v) => v.currentTime).catch(() => 0), (got) => got > 0);
  const plays = await film.evaluate((v) => [v.muted, v.loop, v.controls, v.videoWidth, v.videoHeight]);
  assert.deepEqual(plays, [true, true, false, 180, 320], "muted, loop, controls, width, height");
  assert.equal((await seen()).filter((r) => r.path === "/preview").length, 1, "requests for the film");
  await checkAccess(page, "the film");
  await page.getByRole("button", { name: "Touch the screen" }).click({ position: { x: 500, y: 1100 } });
  await eventually("films", () => page.locator(".film").count(), 0);
  assert.equal((await seen()).filter((r) => r.path === "/query").length, 0, "what is below was touched too");
  await beSilent(page, 31);
  await film.waitFor();
  await page.keyboard.press("Tab");
  await eventually("films", () => page.locator(".film").count(), 0);
}, { reducedMotion: "no-preference" });

visit("no film plays for those who want less motion, and none on a phone", "ja", async (page) => {
  await beSilent(page, 61);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.setViewportSize({ width: 390, height: 844 });
  await beSilent(page, 61);
  assert.deepEqual((await seen()).filter((r) => r.path === "/preview"), [], "requests for the film");
});

visit("an open question is answered by its buttons", "en", async (page) => {
  await screens.choose(page);
  await eventually("face", () => face(page), "Akari, your guide, looking surprised");
  await page.getByRole("button", { name: "The café saino" }).click();
  await eventually("cards", () => page.locator(".card").count(), 1);
  const asked = (await seen()).filter((r) => r.path === "/query").map((r) => r.body);
  assert.equal(asked[1].query, "The café saino");
  assert.equal(asked[1].sessionId, asked[0].sessionId, "the conversation goes on");
});

visit("a key in the address goes with every request, and out of the address", "ja", async (page) => {
  assert.equal(new URL(page.url()).hash, "", "what is left of the key in the address");
  await page.reload();
  await page.locator(".today").waitFor();
  await ask(page, "今週のイベントは？ three");
  await eventually("captions", () => captions(page), (got) => got.length === 3);
  const sent = (await seen()).filter((r) => r.path === "/query");
  assert.deepEqual(sent.map((r) => r.authorization), ["Bearer annai_a+b/c="]);
}, { query: "#key=annai_a%2Bb/c=" });

visit("the language switches at once", "ja", async (page) => {
  await page.getByRole("button", { name: "English" }).click();
  await page.getByText("What's on this week?").waitFor();
  await eventually("language", () => page.locator("html").getAttribute("lang"), "en");
  await eventually("title", () => page.title(), "Engineer Cafe Guide");
  await page.getByText("What's on this week?").click();
  await eventually("captions", () => captions(page), (got) => got[0] === "There are three events this week.");
  assert.equal((await seen()).find((r) => r.path === "/query").body.language, "en");
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByRole("button", { name: "止める" }).waitFor();
  await eventually("language of an answer, which it keeps", () => page.locator("[role=status]").first().getAttribute("lang"), "en");
});

visit("a panel speaks the language of the house, a telephone that of its browser", "en", async (page) => {
  for (const [width, height, language] of [[1080, 1920, "ja"], [390, 844, "en"]]) {
    await page.setViewportSize({ width, height });
    await page.goto(`${base}/kiosk/`);
    await page.locator(".today").waitFor();
    await eventually(`language on ${width} x ${height}`, () => page.locator("html").getAttribute("lang"), language);
  }
});

visit("what is typed is answered in its language", "ja", async (page) => {
  await ask(page, "What is on this week? one");
  await eventually("captions", () => captions(page), (got) => got.length > 0);
  await eventually("language", () => page.locator("html").getAttribute("lang"), "en");
  await ask(page, "Wi-Fi one");
  await eventually("questions", async () => (await seen()).filter((r) => r.path === "/query").length, 2);
  assert.equal(await page.locator("html").getAttribute("lang"), "en", "what says no language changes none");
  await ask(page, "今週のイベントは？ one");
  const sent = await eventually("questions", async () => (await seen()).filter((r) => r.path === "/query").map((r) => r.body.language), (got) => got.length === 3);
  assert.deepEqual(sent, ["en", "en", "ja"]);
  assert.equal(await page.evaluate(() => document.activeElement.className), "ask-box", "focus stays in the box");
});

visit("after silence the visitor is asked, and wiped", "ja", async (page) => {
  await page.getByRole("button", { name: "English" }).click();
  await ask(page, "one secret question");
  await eventually("cards", () => page.locator(".card").count(), 1);
  const [{ body: first }] = (await seen()).filter((r) => r.path === "/query");
  await beSilent(page, 20); // the answer is spoken
  await beSilent(page, 46);
  await page.locator("dialog").waitFor();
  await eventually("focus", () => focused(page), "Continue / 続ける");
  await page.keyboard.press("Enter");
  await eventually("dialogs", () => page.locator("dialog").count(), 0);
  await page.locator(".ask-box").fill("another secret");
  await beSilent(page, 46);
  await page.locator("dialog").waitFor();
  await beSilent(page, 25);
  await page.locator(".on-attract").waitFor();
  await eventually("sessions forgotten", async () => (await seen()).filter((r) => r.method === "DELETE").map((r) => r.path), [`/sessions/${first.sessionId}`]);
  const left = await page.evaluate(async () => ({
    text: document.documentElement.outerHTML + [...document.querySelectorAll("input")].map((i) => i.value).join(),
    stored: localStorage.length + sessionStorage.length + document.cookie.length,
    databases: (await indexedDB.databases()).length + (await caches.keys()).length,
    lang: document.documentElement.lang,
  }));
  assert.doesNotMatch(left.text, /secret/, "visitor text in the page after the reset");
  assert.deepEqual({ stored: left.stored, databases: left.databases, lang: left.lang }, { stored: 0, databases: 0, lang: "ja" });
  await ask(page, "one");
  const sessions = await eventually("sessions", async () => (await seen()).filter((r) => r.path === "/query").map((r) => r.body.sessionId), (got) => got.length === 2);
  assert.notEqual(sessions[1], sessions[0], "a new visitor has a new session");
});

visit("a refusal is said in words and can be tried again", "ja", async (page) => {
  await ask(page, "refused");
  await page.getByText("すみません、ただいま混み合っています。").waitFor();
  await eventually("face", () => face(page), "案内役のあかり。申し訳なさそうな顔");
  assert.doesNotMatch(await page.locator("body").innerText(), /\[sad\]|overloaded|503/);
  await page.getByRole("button", { name: "もう一度ためす" }).click();
  await eventually("questions", async () => (await seen()).filter((r) => r.path === "/query").length, 2);
  await ask(page, "three fails");
  await page.locator(".on-failed").waitFor();
}, { expected: failedLoad });

visit("an answer that is cut off keeps what was said, and is asked again once by itself", "ja", async (page) => {
  await post(base, "down");
  await ask(page, "three drop");
  await page.locator(".on-offline .is-cut").getByText("今週はイベントが3件あります。").waitFor();
  await eventually("face", () => face(page), "案内役のあかり。申し訳なさそうな顔");
  await post(base, "up");
  await eventually("questions", async () => {
    await beSilent(page, 4);
    return (await seen()).filter((r) => r.path === "/query").length;
  }, 2);
  await eventually("screens", async () => {
    await beSilent(page, 4);
    return page.locator(".on-failed").count();
  }, 1);
  assert.equal((await seen()).filter((r) => r.path === "/query").length, 2, "it is asked again once");
}, { expected: failedLoad });

visit("a server that is gone is noticed while nobody asks", "ja", async (page) => {
  const screens = (on) => async () => {
    await beSilent(page, 5); // a look at the server may still be on its way
    return page.locator(on).count();
  };
  await post(base, "away");
  await eventually("screens", screens(".on-offline"), 1);
  await post(base, "up");
  await eventually("screens", screens(".on-attract"), 1);
}, { expected: failedLoad });

visit("the page opens without the server, and comes back by itself", "ja", async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await eventually("kept files", () => page.evaluate(async () => (await caches.keys()).length), (got) => got >= 1);
  await page.reload();
  await page.locator(".today").waitFor();
  await eventually("kept facts", () => page.evaluate(async () => (await caches.keys()).length), 3);
  await eventually("kept sounds", () => page.evaluate(async () => (await (await caches.open("kiosk-sounds")).keys()).length), 8);
  await post(base, "away");
  await page.reload();
  await page.locator(".on-offline").waitFor();
  await page.getByText("エンジニアカフェ").waitFor();
  await post(base, "up");
  await beSilent(page, 9);
  await page.locator(".on-attract .today").waitFor();
  await ask(page, "one secret");
  await page.locator(".card").waitFor();
  const kept = await page.evaluate(async () => {
    const names = [];
    for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) names.push(new URL(request.url).pathname);
    return names.filter((name) => !name.startsWith("/kiosk/"));
  });
  const sounds = ["hours", "sorry", "today"].flatMap((name) => [`/speech/kept-${name}.json`, `/speech/kept-${name}.wav`]);
  assert.deepEqual([...new Set(kept)].sort(), ["/events", "/kept", "/kept-sounds", ...sounds, "/venue"], "what is kept of the server's answers");
  await post(base, "away");
  await page.reload();
  await page.locator(".on-offline").waitFor();
  await page.getByRole("button", { name: "何時まで開いていますか？" }).click();
  await page.getByText("22時までです。").waitFor();
  assert.equal(await page.evaluate(() => fetch("/speech/kept-hours.wav").then((r) => r.headers.get("Content-Type"))), "audio/wav", "its sound");
}, { serviceWorkers: "allow", expected: failedLoad });

visit("a keyboard of the system lifts the question box alone", "ja", async (page) => {
  const lantern = () => page.locator(".akari").evaluate((e) => e.getBoundingClientRect().height);
  await standStill(page);
  const before = await lantern();
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, "height", { value: innerHeight * 0.55 });
    visualViewport.dispatchEvent(new Event("resize"));
  });
  const end = () => page.locator(".ask").evaluate((e) => e.getBoundingClientRect().bottom);
  await eventually("end of the question box", end, (got) => got <= 1920 * 0.55 + 1);
  await eventually("height of the lantern", lantern, (got) => Math.abs(got - before) < 2);
});

visit("a pulled cable shows as offline within five seconds", "en", async (page) => {
  await ask(page, "hang");
  await eventually("captions", () => captions(page), (got) => got.length === 1);
  await holdTime(page);
  await post(base, "down");
  await page.clock.runFor(5000);
  await page.locator(".on-offline").waitFor();
  await page.clock.resume();
  await post(base, "up");
  await beSilent(page, 6);
  await page.locator(".on-answering").waitFor();
  await eventually("questions", async () => (await seen()).filter((r) => r.path === "/query").length, 2);
}, { expected: failedLoad });

visit("the theme for more contrast is readable too", "ja", async (page) => {
  await screens.answering(page);
  await standStill(page);
  await checkAccess(page, "answering with more contrast");
}, { contrast: "more" });

test("the first load is at most 30 kB", async () => {
  const page = await (await fetch(`${base}/kiosk/`)).text();
  const files = new Set([...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((m) => m[1]));
  let size = gzipSync(page).length;
  for (const file of files) {
    const text = Buffer.from(await (await fetch(base + file)).arrayBuffer());
    size += gzipSync(text, { level: 9 }).length;
    for (const [, name] of text.toString().matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) files.add(`/kiosk/assets/${name}`);
  }
  assert.ok(files.size > 3, `files of the first load: ${[...files]}`);
  assert.ok(size <= 30_000, `first load = ${size} bytes gzipped, want at most 30000`);
});

/** Where there is least room. */
const narrow = ["320x568", "768x1024", "1024x768"];
/** The same rules hold here as on 1024x768 and 1920x1080; what is drawn there is looked at before the real server. */
const alike = ["1280x1024", "3840x2160"];
/** The screens that are measured on every size, and in English, which is longer and breaks in fewer places. */
const full = ["attract", "answering", "helped", "kept", "alarm", "confirm", "choose", "offline", "keyboard", "large", "farewell"];
/** Those of them that all others are made like. */
const first = ["attract", "answering"];

/** Where a screen is looked at. With pictures that is everywhere. */
function sizesOf(screen, language) {
  if (shots || (language === "ja" && first.includes(screen))) return sizes;
  if (language === "ja" && full.includes(screen)) return sizes.filter(({ name }) => !alike.includes(name));
  const names = language === "ja" ? ["390x844", "1080x1920", ...narrow] : full.includes(screen) ? ["390x844", ...narrow] : [];
  return sizes.filter(({ name }) => names.includes(name));
}

/** Where all rules of access are tried: the names of what is there do not change with the size, and what is hidden or small does. */
function triedOn(screen, language) {
  if (language === "en") return first.includes(screen) || screen === "confirm" ? ["390x844"] : [];
  return full.includes(screen) ? ["390x844", "1080x1920"] : ["1080x1920"];
}

for (const language of ["ja", "en"]) {
  for (const [screen, go] of Object.entries(screens)) {
    const looked = sizesOf(screen, language);
    if (looked.length === 0) continue;
    visit(`${screen} in ${language} is accessible and fits its screens`, language, async (page) => {
      await go(page);
      for (const size of looked) {
        const where = `${screen} ${language} ${size.name}`;
        await page.setViewportSize(size);
        await standStill(page);
        if (triedOn(screen, language).includes(size.name)) await checkAccess(page, where);
        await checkLayout(page, size, where);
        if (shots) await page.screenshot({ path: `${shots}/${screen}-${language}-${size.name}.png` });
      }
    }, { expected: failedLoad, query: screen === "keyboard" ? "&keyboard=own" : "" });
  }
}

async function checkAccess(page, where) {
  assert.deepEqual(await access(page), [], `axe on ${where}`);
}

async function checkLayout(page, size, where) {
  assert.deepEqual(await layout(page, size), [], `layout of ${where}`);
}
