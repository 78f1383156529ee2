// The figure and the front that lives, as a person sees them: node test/figure.test.mjs BASE_URL. The server at BASE_URL is the
// fake of fake_test.go; WebGL is drawn without a card.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { ask, openKiosk, post, standStill } from "./browser.mjs";
import { writeVRM } from "./vrm.mjs";

const [base] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => {
  const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run", "--disable-background-networking"];
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
});
after(() => browser.close());

/** A visit on a small panel, with what the venue says besides. It must end without faults on the page. */
function visit(name, act, { language = "ja", venue = {}, model, expected = /^$/, prepare, ...options } = {}) {
  test(name, async () => {
    const routed = {
      newContext: async (settings) => {
        const context = await browser.newContext(settings);
        await context.route("**/venue", async (route) => {
          const known = await (await route.fetch()).json();
          await route.fulfill({ json: { ...known, ...venue } });
        });
        if (model !== undefined) await context.route("**/venue/avatar/*", (route) => route.fulfill(model));
        if (prepare) await context.addInitScript(prepare);
        return context;
      },
    };
    const kiosk = await openKiosk(routed, base, language, { held: false, size: { width: 800, height: 1280 }, ...options });
    try {
      await act(kiosk.page);
      assert.deepEqual(kiosk.faults.filter((fault) => !expected.test(fault)), [], "faults on the page");
    } finally {
      await kiosk.close();
    }
  });
}

const moving = { reducedMotion: "no-preference" };
const attribute = (page, part, name) => page.locator(`[data-part=${part}]`).getAttribute(name);

/** Waits until read gives what is wanted. */
async function eventually(what, read, wanted, ms = 30_000) {
  const end = performance.now() + ms;
  for (let got = await read(); !wanted(got); got = await read()) {
    if (performance.now() > end) assert.fail(`${what} = ${JSON.stringify(got)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function checkAccess(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target)}`), [], what);
}

visit("Akari thinks with a hand at the cheek, points at the card that is spoken of, and bows at the end", async (page) => {
  await eventually("the arm at rest", () => attribute(page, "sleeveRight", "d"), (d) => d?.split("L").length === 18);
  const hand = () => attribute(page, "handRight", "transform");
  await ask(page, "slow three");
  await eventually("the hand while thinking", hand, (at) => Number(at.match(/ (-?[\d.]+)\)/)[1]) < 345);
  for (let i = 0; i < 4; i++) await post(base, "step");
  await page.locator(".card.is-spoken").waitFor();
  const fingers = async () => Math.max(...(await Promise.all(["Left", "Right"].map(async (side) => Number((await attribute(page, `finger${side}`, "d")).match(/V([\d.]+)/)[1])))));
  await eventually("a finger", fingers, (long) => long > 20);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "おわる" }).click();
  await eventually("the head in a bow", () => attribute(page, "head", "transform"), (at) => Number(at.match(/scale\(1 ([\d.]+)/)[1]) < 0.96);
}, moving);

visit("a figure at rest draws nothing", async (page) => {
  await page.locator("[data-part=head][transform]").waitFor();
  await page.waitForTimeout(4500); // its greeting
  const frames = await page.evaluate(async () => {
    const { requestAnimationFrame } = window;
    let drawn = 0;
    window.requestAnimationFrame = (callback) => (drawn++, requestAnimationFrame(callback));
    await new Promise((done) => setTimeout(done, 2000));
    return [drawn, document.getAnimations().filter((a) => a.playState === "running").length];
  });
  assert.ok(frames[0] < 60, `${frames[0]} frames in 2 s, want those of a blink`);
  assert.equal(frames[1], 0, "running animations");
}, moving);

visit("whoever wants no movement sees fades", async (page) => {
  await page.locator("[data-part=head][transform]").waitFor();
  await ask(page, "three");
  await page.locator(".card.is-spoken").waitFor();
  const moved = await page.evaluate(() =>
    document.getAnimations().flatMap((a) => a.effect.getKeyframes().flatMap(Object.keys)).filter((key) => ["transform", "translate", "rotate", "scale"].includes(key)),
  );
  assert.deepEqual(moved, []);
  assert.equal(await page.locator(".akari").evaluate((svg) => svg.style.translate + svg.style.rotate), "");
});

const evening = { now: "2025-01-15T18:30:00+09:00", today: { date: "2025-01-15", open: [{ from: "2025-01-15T09:00:00+09:00", until: "2025-01-15T22:00:00+09:00" }] } };

visit("a front that nobody uses shows today's events, the hours and a question in turn, until a touch", async (page) => {
  await page.clock.fastForward(31_000);
  await page.locator(".ambient").waitFor();
  const slides = await page.locator(".slide").allTextContents();
  for (const part of ["TypeScript", "09:00〜22:00", "きょうの質問"]) assert.equal(slides.filter((text) => text.includes(part)).length, 1, `${part} in ${slides}`);
  const shown = () => page.locator(".slide").evaluateAll((all) => all.findIndex((slide) => slide.classList.contains("is-shown")));
  const first = await shown();
  await page.clock.fastForward(8000);
  await eventually("the next slide", shown, (i) => i !== first);
  assert.equal(await page.locator(".kiosk.is-evening").count(), 1, "it is dark at half past six in January");
  await standStill(page);
  await checkAccess(page, "the front in the evening");
  await page.mouse.click(400, 300);
  await page.locator(".ambient").waitFor({ state: "detached" });
}, { ...moving, held: true, venue: evening });

visit("colours and crest are the venue's", async (page) => {
  await page.locator(".crest", { hasText: "図" }).waitFor();
  await eventually("curtain", () => page.locator(".noren-cloth").evaluate((e) => getComputedStyle(e).backgroundColor), (c) => c === "rgb(122, 31, 61)");
  await checkAccess(page, "with a colour of the venue");
}, { venue: { appearance: { color: "#7a1f3d", glow: "#ffd9a0", crest: "図" } } });

const avatar = { appearance: { avatarUrl: "/venue/avatar/1.vrm" } };

/** How many of the pixels of the stage are of the model's coat. */
async function coat(page) {
  const picture = (await page.locator(".stage").screenshot()).toString("base64");
  const viewer = await browser.newPage();
  const share = await viewer.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const { width, height } = image;
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, width, height);
    let green = 0;
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 1] > pixels[i] + 25) green++;
    return green / (width * height);
  }, picture);
  await viewer.close();
  return share;
}

visit("a VRM model stands in Akari's place, with its licence", async (page) => {
  await page.locator("canvas.avatar").waitFor();
  await eventually("coat of the model", () => coat(page), (share) => share > 0.05);
  assert.equal(await page.locator("canvas.avatar").getAttribute("aria-label"), "箱のはこ。うれしい顔");
  await page.locator(".akari").waitFor({ state: "detached" });
  await page.locator(".is-about").click();
  const told = await page.locator("dialog.licence").innerText();
  for (const part of ["箱のはこ", "annai", "だれでも", "法人も可", "クレジット表記", "https://vrm.dev/licenses/1.0/"]) assert.ok(told.includes(part), `${part} in ${told}`);
  await checkAccess(page, "the licence");
  await page.keyboard.press("Escape");
  await page.locator("dialog.licence").waitFor({ state: "detached" });
  await page.locator("canvas.avatar").evaluate((canvas) => canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await page.locator(".akari").waitFor();
}, { venue: avatar, model: { body: writeVRM(), contentType: "model/gltf-binary" } });

for (const [what, options] of Object.entries({
  "a file that is not there": { model: { status: 404, body: "" } },
  "a file that is no VRM": { model: { body: Buffer.from("\x89PNG and so on") } },
  "a file that is cut off": { model: { body: writeVRM().subarray(0, 9000) } },
  "a browser without WebGL": {
    model: { body: writeVRM() },
    prepare: () => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more);
      };
    },
  },
})) {
  visit(`Akari stays with ${what}`, async (page) => {
    const tried = what.startsWith("a browser") ? page.waitForTimeout(700) : page.waitForResponse("**/venue/avatar/*");
    await tried;
    await page.waitForTimeout(300);
    assert.deepEqual([await page.locator(".akari").count(), await page.locator("canvas.avatar, .is-about").count()], [1, 0]);
  }, { venue: avatar, expected: /^Failed to load resource/, ...options });
}
