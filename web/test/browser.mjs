// The kiosk in a headless Chromium, and the way to each of its screens.

import { chromium } from "playwright-core";

/** The screens that the page must fit. On those that are no kiosk, which are held in the hand, reach is no question. */
export const sizes = [
  { name: "320x568", kiosk: false },
  { name: "390x844", kiosk: false },
  { name: "768x1024", kiosk: true },
  { name: "800x1280", kiosk: true },
  { name: "1024x768", kiosk: true },
  { name: "1080x1920", kiosk: true },
  { name: "1280x800", kiosk: true },
  { name: "1280x1024", kiosk: true },
  { name: "1920x1080", kiosk: true },
  { name: "3840x2160", kiosk: true },
].map((size) => {
  const [width, height] = size.name.split("x").map(Number);
  return { ...size, width, height };
});

/** The panel that most visits are to. */
const panel = sizes.find((size) => size.name === "1080x1920");

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser, with further arguments. Close it when done. */
export function startBrowser(args = []) {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: [...quiet, ...args] });
}

/** Opens the kiosk on a page of its own and collects what must not happen: console errors and foreign requests. */
export async function openPage(browser, base, language, { query = "", size = panel, address = "/kiosk", held = false, deaf = false, ready = async () => undefined, ...context } = {}) {
  const visit = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    locale: language === "ja" ? "ja-JP" : "en-GB",
    reducedMotion: "reduce",
    serviceWorkers: "block",
    ...context,
  });
  const page = await visit.newPage();
  page.setDefaultTimeout(90_000); // a busy machine is waited for
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`)) faults.push(`foreign request: ${request.url()}`);
  });
  if (held) await page.clock.install();
  if (deaf) await page.route("**/venue", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), hearing: false } });
  });
  await ready(page);
  await page.goto(`${base}${address}?lang=${language}${query}`);
  await page.locator(".today").waitFor();
  return { page, faults, close: () => visit.close() };
}

/** Opens the kiosk of the fake server, with a clock that a test may move. */
export async function openKiosk(browser, base, language, options = {}) {
  await post(base, "clear");
  return openPage(browser, base, language, { address: "/kiosk/", held: true, ...options });
}

/** Steers the fake server: "up", "down", "step", "clear". */
export async function post(base, what) {
  await fetch(`${base}/fake/${what}`, { method: "POST" });
}

/** Types a question and sends it. */
export async function ask(page, question) {
  await page.locator(".ask-box").fill(question);
  await page.keyboard.press("Enter");
}

const settled = (page) => page.locator(".choices.is-suggestions, .choices.is-options, .answers, .on-alarm").first().waitFor();

/** The screens, each with the way there from the first one. */
export const screens = {
  attract: async () => undefined,
  thinking: async (page) => {
    await ask(page, "slow three");
    await page.locator(".progress").waitFor();
  },
  answering: async (page) => {
    await ask(page, question(page, "今週のイベントを教えてください (three)", "What's on this week? (three)"));
    await settled(page);
  },
  alarm: async (page) => {
    await ask(page, question(page, "火事です (fire)", "There is a fire"));
    await settled(page);
  },
  odd: async (page) => {
    await ask(page, "今月のイベントをぜんぶ教えて ten");
    await settled(page);
    await page.locator(".is-more").waitFor();
  },
  long: async (page) => {
    await ask(page, `long ${"とても長い質問です。".repeat(12)}`);
    await page.locator(".caption").nth(12).waitFor();
  },
  confirm: async (page) => {
    await ask(page, question(page, "定例を入れて (confirm)", "Add a review (confirm)"));
    await page.locator(".answers").waitFor();
  },
  choose: async (page) => {
    await ask(page, question(page, "カフェは何時まで？ (clarify)", "When does the café close? (clarify)"));
    await settled(page);
  },
  failed: async (page) => {
    await ask(page, "refused");
    await page.locator(".on-failed").waitFor();
  },
  offline: async (page) => {
    await post(new URL(page.url()).origin, "down");
    await ask(page, "drop");
    await page.locator(".on-offline").waitFor();
  },
  cut: async (page) => {
    await ask(page, "hang");
    await page.locator(".caption").waitFor();
    await post(new URL(page.url()).origin, "down");
    await page.clock.runFor(6000);
    await page.locator(".on-offline .is-cut").waitFor();
  },
  keyboard: async (page) => {
    await page.locator(".is-keyboard").click();
    await page.locator(".keys").waitFor();
  },
  large: async (page) => {
    await screens.answering(page);
    await page.locator(".is-large-text").click();
  },
  poster: async (page) => {
    await ask(page, "three");
    await settled(page);
    await openPoster(page);
    await page.locator(".poster-sheet").waitFor();
  },
  notice: async (page) => {
    await page.locator(".credit").click();
    await page.locator("dialog pre").getByText(/Mei[\s\S]*NAIST[\s\S]*preact/).waitFor();
  },
  staff: async (page) => {
    await page.locator(".is-staff").evaluate((key) => key.click()); // hidden on a telephone
    await page.locator("dialog.counter").waitFor();
  },
  called: async (page) => {
    await screens.staff(page);
    await page.locator("dialog .is-main").click();
    await page.locator("dialog.counter").getByText(/10:24/).waitFor();
  },
  uncalled: async (page) => {
    await screens.staff(page);
    await post(new URL(page.url()).origin, "down");
    await page.locator("dialog .is-main").click();
    await page.locator("dialog.counter").getByText(/092-000-0000/).waitFor();
    await post(new URL(page.url()).origin, "up");
  },
  taken: async (page) => {
    await screens.answering(page);
    await page.locator(".is-take button").evaluate((key) => key.click());
    await page.locator("dialog.counter .code svg").waitFor();
  },
  helped: async (page) => {
    await screens.answering(page);
    await beSilent(page, 30);
    await page.locator(".helped .button").nth(1).waitFor();
  },
  lock: async (page) => {
    for (let i = 0; i < 5; i++) await page.keyboard.press("Escape");
    await page.locator("dialog.corner").waitFor();
  },
  corner: async (page) => {
    await screens.lock(page);
    await page.keyboard.type("246810");
    await page.keyboard.press("Enter");
    await page.locator(".corner-inside .corner-buttons button").first().click();
    await page.locator(".corner dl").getByText(/ms|ミリ秒/).nth(1).waitFor();
  },
  kept: async (page) => {
    const log = new URL("/fake/log", page.url());
    const fetched = async () => ((await (await fetch(log)).json()) ?? []).some((r) => r.path === "/speech/kept-sorry.wav");
    while (!(await fetched())) await new Promise((done) => setTimeout(done, 50));
    await new Promise((done) => setTimeout(done, 300)); // in the other language too
    await screens.offline(page);
    await page.locator(".is-kept .button").nth(1).click();
    await page.locator(".on-answering .card").waitFor();
  },
  farewell: async (page) => {
    await ask(page, "one");
    await settled(page);
    await beSilent(page, 30);
    await beSilent(page, 47);
    await page.locator("dialog.farewell").waitFor();
  },
};

/** Opens the poster of the first event. */
export async function openPoster(page) {
  await page.locator(".is-poster button").click();
  await page.locator("dialog.poster").waitFor();
}

function question(page, ja, en) {
  return page.url().includes("lang=ja") ? ja : en;
}

/** Lets seconds pass without a touch, in steps long enough for every sentence to be over. */
export async function beSilent(page, seconds) {
  for (let left = seconds; left > 0; left -= 10) await page.clock.fastForward(Math.min(left, 10) * 1000);
}

/**
 * Makes the page's time stand still, so that it passes only as a test says. It is held at a moment ahead, which a slow
 * machine may have passed by when it gets there: then at a later one.
 */
export async function holdTime(page) {
  for (let ahead = 100; ; ahead *= 2) {
    try {
      return await page.clock.pauseAt(await page.evaluate((ms) => Date.now() + ms, ahead));
    } catch (error) {
      if (ahead > 1000) throw error;
    }
  }
}

/** Waits until nothing changes its place any more and ends all movement that has an end, so that what is measured stands still. */
export async function standStill(page) {
  await page.evaluate(async () => {
    const places = () => [...document.querySelectorAll(".main, .main > *, .cards > *, .deck *, dialog *")].map((e) => {
      const { x, y, width, height } = e.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    }).join();
    for (let frames = 0, same = 0, before = ""; frames < 60 && same < 3; frames++) {
      await new Promise((done) => requestAnimationFrame(done));
      const now = places();
      same = now === before ? same + 1 : 0;
      before = now;
    }
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getTiming().iterations !== Infinity) animation.finish();
    }
  });
}
