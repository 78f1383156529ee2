// Speaks to the kiosk as a person would: node test/listening.test.mjs BASE_URL. The server at BASE_URL is the fake of fake_test.go,
// the microphone the browser's own, which beeps.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { ask, openPage, post, sizes, standStill, startBrowser } from "./browser.mjs";

const [base] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => {
  browser = await startBrowser(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]);
});
after(() => browser.close());

/** Where there is least room. */
const narrow = ["320x568", "768x1024", "1024x768"];
const seen = async (path) => ((await (await fetch(`${base}/fake/log`)).json()) ?? []).filter((r) => r.path === path);
const heard = (what) => post(base, `hear/${what}`);
const shown = (page, phase) => page.locator(`dialog.listening.is-${phase}`).waitFor();
const text = async (locator) => (await locator.textContent()).replaceAll("\u200b", "");

/** Whether the page has a microphone open, as the browser knows it. */
const tracks = (page) => page.evaluate(() => globalThis.opened.filter((track) => track.readyState === "live").length);

/** A visit that must end without a fault, and with the microphone off. */
function visit(name, language, act, { prepare = () => undefined, expected = /^$/, ...options } = {}) {
  test(name, async () => {
    await post(base, "clear");
    await heard("one");
    const kiosk = await openPage(browser, base, language, {
      address: "/kiosk/",
      permissions: ["microphone"],
      ready: async (page) => {
        await page.addInitScript(() => {
          globalThis.opened = [];
          const media = navigator.mediaDevices;
          const open = media.getUserMedia.bind(media);
          media.getUserMedia = async (wanted) => {
            const stream = await open(wanted);
            globalThis.opened.push(...stream.getTracks());
            return stream;
          };
        });
        await page.addInitScript(prepare);
      },
      ...options,
    });
    try {
      await act(kiosk.page);
      assert.equal(await tracks(kiosk.page), 0, "open microphones");
      assert.deepEqual(kiosk.faults.filter((fault) => !expected.test(fault)), [], "faults on the page");
    } finally {
      await kiosk.close();
    }
  });
}

/** Waits until the bars move with a sound: the microphone of the browser beeps once a second. */
async function sounds(page) {
  const loud = () => page.locator(".listening-level line").evaluateAll((lines) => Math.max(...lines.map((l) => l.y2.baseVal.value - l.y1.baseVal.value)));
  let loudest = 0;
  for (let i = 0; i < 60 && loudest < 20; i++) {
    loudest = Math.max(loudest, await loud());
    await page.waitForTimeout(50);
  }
  assert.ok(loudest >= 20, `the bars move with the voice: ${loudest}`);
}

visit("a tap on the key to talk and one at the end ask what was said", "ja", async (page) => {
  await ask(page, "aloud three");
  await page.locator(".is-spoken").waitFor();
  await page.locator(".is-talk").click();
  await shown(page, "on");
  assert.equal(await page.locator(".is-spoken").count(), 0, "sentences that are spoken while the visitor speaks");
  assert.match(await text(page.locator(".listening")), /お話しください.*Please speak.*日本語で聞いています/);
  await sounds(page);
  await page.locator(".listening .is-done").click();
  await page.locator(".question", { hasText: "one" }).waitFor();
  assert.equal(await page.locator("dialog.listening").count(), 0);
  const [{ body }] = await seen("/v1/audio/transcriptions");
  assert.equal(body.language, "ja");
  assert.equal(body.wav, true);
  assert.equal(Math.round(body.rate), 16_000);
  assert.ok(body.seconds > 0.2 && body.seconds < 20, `${body.seconds} s were sent`);
  assert.equal((await seen("/query")).at(-1).body.query, "one");
});

visit("who holds the key asks by letting it go", "en", async (page) => {
  const key = await page.locator(".is-talk").boundingBox();
  await page.mouse.move(key.x + key.width / 2, key.y + key.height / 2);
  await page.mouse.down();
  await shown(page, "on");
  await page.waitForTimeout(600); // longer than a tap
  await sounds(page);
  await page.mouse.up();
  await page.locator(".question", { hasText: "one" }).waitFor();
  assert.equal((await seen("/v1/audio/transcriptions"))[0].body.language, "en");
});

visit("the keyboard talks too: a key that is held, and Escape", "en", async (page) => {
  await page.locator(".is-talk").focus();
  await page.keyboard.down(" ");
  await shown(page, "on");
  await page.waitForTimeout(600);
  await sounds(page);
  await page.keyboard.up(" ");
  await page.locator(".question", { hasText: "one" }).waitFor();
  await page.keyboard.press("Escape"); // the voice
  await page.locator(".is-talk").focus();
  await page.keyboard.press("Enter");
  await shown(page, "on");
  await page.keyboard.press("Escape");
  await page.locator("dialog.listening").waitFor({ state: "detached" });
  assert.equal((await seen("/v1/audio/transcriptions")).length, 1, "what was cancelled is not sent");
  await page.locator(".on-answering").waitFor();
});

visit("what is not heard is told from nothing that was said", "ja", async (page) => {
  await heard("nothing");
  await page.locator(".is-talk").click();
  await shown(page, "on");
  await sounds(page);
  await page.locator(".listening .is-done").click();
  await shown(page, "silent");
  assert.match(await text(page.locator(".listening h2")), /声が聞こえませんでした.*I heard nothing/);
  await heard("not");
  await page.locator(".listening .is-main").click();
  await shown(page, "on");
  await sounds(page);
  await page.locator(".listening .is-done").click();
  await shown(page, "failed");
  assert.match(await text(page.locator(".listening h2")), /声を聞き取れません.*I can't hear right now/);
  await page.locator(".listening .button").nth(1).click();
  await page.waitForFunction(() => document.activeElement.className === "ask-box");
  assert.equal((await seen("/query")).length, 0);
}, { expected: /^Failed to load resource/ });

visit("why there is no microphone is said in both languages", "ja", async (page) => {
  for (const [problem, error, told] of [
    ["denied", "NotAllowedError", /許可されていません.*not allowed/],
    ["missing", "NotFoundError", /マイクが見つかりません.*no microphone/],
  ]) {
    await page.evaluate((name) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", name));
    }, error);
    await page.locator(".is-talk").click();
    await shown(page, problem);
    assert.match(await text(page.locator(".listening h2")), told);
    if (problem === "denied") await checkAccess(page, problem);
    await page.keyboard.press("Escape");
    await page.locator("dialog.listening").waitFor({ state: "detached" });
  }
});

visit("the end of a visit ends the listening, and nothing of it is left", "ja", async (page) => {
  await heard("never");
  await page.locator(".is-talk").click();
  await shown(page, "on");
  await sounds(page);
  await page.locator(".listening .is-done").click();
  await shown(page, "working");
  await page.locator(".listening .button").nth(1).click();
  await page.locator("dialog.listening").waitFor({ state: "detached" });
  assert.equal(await tracks(page), 0);
  await heard("a secret one");
  await page.locator(".is-talk").click();
  await shown(page, "on");
  await sounds(page);
  await page.locator(".listening .is-done").click();
  await page.locator(".question", { hasText: "secret" }).waitFor();
  await page.locator(".choices.is-suggestions").waitFor();
  await page.locator(".actions").getByText("おわる").click();
  await page.locator(".on-attract").waitFor();
  const left = await page.evaluate(async () => ({
    page: document.documentElement.outerHTML.includes("secret"),
    stored: JSON.stringify({ ...localStorage, ...sessionStorage }).includes("secret"),
    caches: (await caches.keys()).length,
    databases: (await indexedDB.databases()).length,
  }));
  assert.deepEqual(left, { page: false, stored: false, caches: 0, databases: 0 });
});

visit("a browser that hears on this machine is used where the server does not, and shows what it understands", "en", async (page) => {
  await page.locator(".is-talk").click();
  await page.locator(".listening-said", { hasText: "what is" }).waitFor();
  await page.locator(".listening .is-done").click();
  await page.locator(".question", { hasText: "what is on one" }).waitFor();
  assert.equal((await seen("/v1/audio/transcriptions")).length, 0, "sounds that were sent");
  assert.deepEqual(await page.evaluate(() => globalThis.recognised), { lang: "en-US", processLocally: true });
}, {
  deaf: true,
  prepare: () => {
    class Local extends EventTarget {
      processLocally = false;
      static available = async ({ processLocally }) => (processLocally ? "available" : "unavailable");
      #say(type, more) {
        this.dispatchEvent(Object.assign(new Event(type), more));
      }
      start() {
        globalThis.recognised = { lang: this.lang, processLocally: this.processLocally };
        setTimeout(() => this.#say("start"));
        setTimeout(() => this.#say("result", { results: [[{ transcript: "what is" }]] }), 50);
      }
      stop() {
        this.#say("result", { results: [[{ transcript: "what is on one" }]] });
        this.#say("end");
      }
      abort() {
        this.#say("end");
      }
    }
    Object.defineProperty(Local.prototype, "processLocally", { value: false, writable: true });
    globalThis.SpeechRecognition = Local;
  },
});

test("the listening fits every size and keeps the rules of access, in both languages", async () => {
  for (const language of ["ja", "en"]) {
    await post(base, "clear");
    const { page, close } = await openPage(browser, base, language, { address: "/kiosk/", permissions: ["microphone"] });
    await page.locator(".is-talk").click();
    await shown(page, "on");
    for (const size of sizes.filter(({ name }) => language === "ja" || narrow.includes(name))) {
      await page.setViewportSize({ width: size.width, height: size.height });
      await standStill(page);
      const out = await page.evaluate(() => {
        const parts = [...document.querySelectorAll(".listening :is(h2 > span, .listening-said, .button, svg)")];
        return parts.map((e) => ({ box: e.getBoundingClientRect(), name: `${e.tagName}.${e.getAttribute("class")} ${e.textContent}` }))
          .filter(({ box }) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.height < 8)
          .map(({ name }) => name);
      });
      assert.deepEqual(out, [], `what does not fit ${size.name} in ${language}`);
    }
    await page.setViewportSize({ width: 1080, height: 1920 });
    await checkAccess(page, `listening in ${language}`);
    await close();
  }
});

/** No violation of WCAG 2.2 A and AA and of best practice. */
async function checkAccess(page, what) {
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target)}`));
  assert.deepEqual(violations, [], what);
}
