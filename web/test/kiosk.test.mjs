// Visits the kiosk as a person would: node test/kiosk.test.mjs BASE_URL [SCREENSHOTS]. The server at BASE_URL is the
// fake of fake_test.go. Every check says what it did, what came and what was wanted.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ask, beSilent, holdTime, openKiosk, openPoster, post, screens, sizes, standStill, startBrowser } from "./browser.mjs";

const [base, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

const seen = async () => (await fetch(`${base}/fake/log`)).json().then((log) => log ?? []);
const captions = (page) => page.locator(".caption").allTextContents();
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
  for (let i = 0; i < 3; i++) await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Wi-Fi/, "third stop of the tab key");
  await page.keyboard.press("Tab");
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
  assert.equal(await face(page), "Akari, your guide, looking calm");
  assert.deepEqual(await captions(page), []);
  await post(base, "step");
  await eventually("captions", () => captions(page), (got) => got.length === 1);
  assert.equal(await face(page), "Akari, your guide, looking sorry");
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

visit("ten cards are paged by three", "en", async (page) => {
  await ask(page, "ten");
  await page.locator(".card").nth(2).waitFor();
  const shown = async () => (await page.locator(".is-more").innerText()).replace(/\s+/g, " ");
  assert.equal(await shown(), "Show more 1–3 of 10");
  for (const next of ["4–6 of 10", "7–9 of 10", "10 of 10", "1–3 of 10"]) {
    await page.locator(".is-more").click();
    await eventually("page", shown, `Show more ${next}`);
  }
  assert.equal(await page.locator(".card b").count(), 0, "a title is text, not markup");
});

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

visit("a kiosk that nobody uses plays the film of the day until it is touched", "en", async (page) => {
  await beSilent(page, 31);
  const film = page.locator(".film video");
  await eventually("time of the film", () => film.evaluate((v) => v.currentTime).catch(() => 0), (got) => got > 0);
  const plays = await film.evaluate((v) => [v.muted, v.loop, v.controls, v.videoWidth, v.videoHeight]);
  assert.deepEqual(plays, [true, true, false, 180, 320], "muted, loop, controls, width, height");
  assert.equal((await seen()).filter((r) => r.path === "/preview").length, 1, "requests for the film");
  await page.evaluate(axe);
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
  await screens.confirm(page);
  assert.equal(await face(page), "Akari, your guide, looking surprised");
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
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  assert.equal(await page.title(), "Engineer Cafe Guide");
  await page.getByText("What's on this week?").click();
  await eventually("captions", () => captions(page), (got) => got[0] === "There are three events this week.");
  assert.equal((await seen()).find((r) => r.path === "/query").body.language, "en");
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByRole("button", { name: "止める" }).waitFor();
  assert.equal(await page.locator("[role=status]").first().getAttribute("lang"), "en", "an answer keeps its language");
});

visit("what is typed is answered in its language", "ja", async (page) => {
  await ask(page, "What is on this week? one");
  await eventually("captions", () => captions(page), (got) => got.length > 0);
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
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
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Continue / 続ける");
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
  assert.equal(await face(page), "案内役のあかり。申し訳なさそうな顔");
  assert.doesNotMatch(await page.locator("body").innerText(), /\[sad\]|overloaded|503/);
  await page.getByRole("button", { name: "もう一度ためす" }).click();
  await eventually("questions", async () => (await seen()).filter((r) => r.path === "/query").length, 2);
  await ask(page, "three fails");
  await page.locator(".on-failed").waitFor();
}, { expected: failedLoad });

visit("an answer that is cut off shows as offline and recovers by itself", "ja", async (page) => {
  await screens.offline(page);
  assert.equal(await face(page), "案内役のあかり。申し訳なさそうな顔");
  await post(base, "up");
  await beSilent(page, 9);
  await page.locator(".on-attract").waitFor();
  assert.equal(await page.locator(".ask-box").inputValue(), "drop", "the question waits to be sent again");
}, { expected: failedLoad });

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
  await page.locator(".on-attract").waitFor();
}, { expected: failedLoad });

visit("the theme for more contrast is readable too", "ja", async (page) => {
  await screens.answering(page);
  await standStill(page);
  await page.evaluate(axe);
  await checkAccess(page, "answering with more contrast");
}, { contrast: "more" });

test("the first load is at most 30 kB", async () => {
  const page = await (await fetch(`${base}/kiosk/`)).text();
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((m) => m[1]);
  let size = gzipSync(page).length;
  for (const file of files) size += gzipSync(Buffer.from(await (await fetch(base + file)).arrayBuffer())).length;
  assert.ok(size <= 30_000, `first load = ${size} bytes gzipped, want at most 30000`);
});

for (const language of ["ja", "en"]) {
  for (const [screen, go] of Object.entries(screens)) {
    visit(`${screen} in ${language} is accessible and fits its screens`, language, async (page) => {
      await go(page);
      await page.evaluate(axe);
      for (const size of sizes) {
        await page.setViewportSize({ width: size.width, height: size.height });
        await standStill(page);
        await checkAccess(page, `${screen} ${language} ${size.name}`);
        await checkLayout(page, size, `${screen} ${language} ${size.name}`);
        if (shots) await page.screenshot({ path: `${shots}/${size.name}-${screen}-${language}.png` });
      }
    }, { expected: failedLoad });
  }
}

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

async function checkAccess(page, where) {
  const found = await page.evaluate(async (values) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    return violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join("; ")}`);
  }, rules);
  assert.deepEqual(found, [], `axe on ${where}`);
}

/** Nothing overflows, everything that can be touched is large enough and, on a tall panel, within reach. */
async function checkLayout(page, size, where) {
  const found = await page.evaluate(({ kiosk, tall }) => {
    const faults = [];
    const root = document.documentElement;
    const mm = Number.parseFloat(getComputedStyle(root).getPropertyValue("--mm"));
    const least = kiosk ? 18 * mm : 44;
    if (document.body.scrollWidth > innerWidth) faults.push(`page is ${document.body.scrollWidth} wide`);
    if (kiosk && root.scrollHeight > innerHeight) faults.push(`page is ${root.scrollHeight} high`);
    const open = document.querySelector("dialog") ?? document;
    for (const target of open.querySelectorAll("button, input")) {
      const box = target.getBoundingClientRect();
      const name = target.textContent || target.className;
      if (box.width < least - 0.5 || box.height < least - 0.5) faults.push(`${name} is ${box.width} x ${box.height}`);
      if (kiosk && (box.bottom > innerHeight || box.right > innerWidth || box.left < 0)) faults.push(`${name} is cut off`);
      if (kiosk && tall && box.top < innerHeight * 0.55) faults.push(`${name} is out of reach at ${box.top}`);
      if (target.scrollWidth > target.clientWidth + 1 && target.tagName === "BUTTON") faults.push(`${name} overflows`);
    }
    for (const text of open.querySelectorAll("h1, h2, p, .card-place, .bubble, .card")) {
      const box = text.getBoundingClientRect();
      if (box.right > innerWidth + 1) faults.push(`${text.className}: ${text.textContent} leaves the screen`);
    }
    for (const part of document.querySelectorAll(".main .bubble, .main .cards, .card-text")) {
      const box = part.getBoundingClientRect();
      const main = document.querySelector(".main").getBoundingClientRect();
      if (kiosk && box.bottom > main.bottom + 1) faults.push(`${part.className} sinks below its panel`);
      if (part.className.startsWith("cards") && part.scrollHeight > part.clientHeight + 1) faults.push("cards do not fit");
    }
    return faults;
  }, { kiosk: size.kiosk, tall: size.height > size.width });
  assert.deepEqual(found, [], `layout of ${where}`);
}
