// Looks at every screen of the kiosk before a real server: node test/screens.mjs BASE_URL WHAT, where WHAT is JSON with the owner's
// key, the code of the corner, and where wanted a folder for pictures and the screens, languages and sizes (all). The server is that
// of screens_test.go in cmd/annai. Every screen is measured on each size, and looked at by axe on one of each tier. Says all that is wrong.

import { mkdirSync } from "node:fs";
import { ask, beSilent, openPage, openPoster, sizes, standStill, startBrowser } from "./browser.mjs";
import { access, layout } from "./looks.mjs";

const [base, what] = process.argv.slice(2);
const { key, code, folder, only, languages = ["ja", "en"], wanted = sizes.map((size) => size.name) } = JSON.parse(what);

/** One size of each tier. */
const tiers = ["390x844", "800x1280", "1024x768", "1080x1920"];

const settled = (page) => page.locator(".choices.is-suggestions, .choices.is-options, .answers, .on-alarm").first().waitFor();

/** Lets all be said, in no time. */
async function saidToItsEnd(page) {
  for (let i = 0; i < 60 && (await page.locator(".is-stop").count()) > 0; i++) {
    await page.clock.fastForward(5000);
    await page.waitForTimeout(30);
  }
}

const said = (ja, en) => async (page, language) => {
  await ask(page, language === "ja" ? ja : en);
  await settled(page);
  await saidToItsEnd(page);
};
const week = said("今週のイベントは？", "What's on this week?");
const today = said("今日のイベントは？", "What's on today?");

/** How many answers are there that a page keeps for when there is no server. */
const answered = new WeakMap();

/** Cuts the line, once what is to be kept is there: no request gets through any more. */
async function cutLine(page) {
  while (answered.get(page) < 2) await page.waitForTimeout(50);
  await page.waitForTimeout(300);
  await page.context().setOffline(true);
}

/**
 * The screens, each with the way there and what the browser is to be like. On each size `each` is done anew. Sounds do not come, so
 * that answers are over at once, but where `voice` is said.
 */
const screens = {
  front: { go: async () => undefined },
  resting: { go: (page) => beSilent(page, 31), reducedMotion: "no-preference" },
  evening: {
    go: async () => undefined,
    ready: (page) => page.route("**/venue", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), now: "2026-01-14T18:30:00+09:00" } });
    }),
  },
  thinking: {
    go: async (page, language) => {
      await page.route("**/query", () => undefined);
      await ask(page, language === "ja" ? "今週のイベントは？" : "What's on this week?");
      await page.locator(".progress").waitFor();
    },
  },
  speaking: {
    go: async (page, language) => {
      await ask(page, language === "ja" ? "今週のイベントは？" : "What's on this week?");
      await settled(page);
    },
    voice: true,
    each: async (page) => {
      if ((await page.locator(".is-stop").count()) === 0) await page.locator(".actions .button").first().click();
      await page.locator(".is-spoken").first().waitFor();
    },
  },
  greeting: { go: said("こんにちは", "Hello") },
  week: { go: week },
  month: { go: said("今月のイベントは？", "What's on this month?") },
  today: { go: today },
  none: { go: said("3月31日のイベントは？", "What's on on March 31?") },
  detail: { go: async (page, language) => {
    await week(page, language);
    await page.locator(".details .button").first().evaluate((button) => button.click());
    await page.locator(".question").getByText(language === "ja" ? "1つ目" : "first").waitFor();
    await settled(page);
    await saidToItsEnd(page);
  } },
  price: { go: said("会議室の料金は？", "How much is a meeting room?") },
  way: { go: said("最寄り駅からの行き方は？", "How do I get there from the station?") },
  printers: { go: said("3Dプリンターは使えますか", "How can I use the 3D printers?") },
  wifi: { go: said("Wi-Fiはありますか？", "Is there Wi-Fi?") },
  unknown: { go: said("ピアノは弾けますか？", "May I play the piano?") },
  choose: { go: said("カフェは何時まで？", "When does the cafe close?") },
  alarm: { go: said("火事です", "There is a fire") },
  failed: {
    go: async (page, language) => {
      await page.route("**/query", (route) => route.fulfill({ status: 503, contentType: "application/json", body: "{}" }));
      await ask(page, language === "ja" ? "今日のイベントは？" : "What's on today?");
      await page.locator(".on-failed").waitFor();
    },
  },
  away: {
    go: async (page) => {
      await cutLine(page);
      await beSilent(page, 21);
      await page.locator(".on-offline").waitFor();
    },
  },
  offline: {
    go: async (page, language) => {
      await cutLine(page);
      await ask(page, language === "ja" ? "今日のイベントは？" : "What's on today?");
      await page.locator(".on-offline").waitFor();
    },
  },
  cut: {
    go: async (page, language) => {
      await page.route("**/query", async (route) => {
        const response = await route.fetch();
        const stream = await response.text();
        await cutLine(page);
        const parts = stream.split("\n\n");
        const told = parts.findIndex((part) => part.includes("event: sentence"));
        await route.fulfill({ response, body: `${parts.slice(0, told + 2).join("\n\n")}\n\n` });
      });
      await ask(page, language === "ja" ? "今週のイベントは？" : "What's on this week?");
      await page.locator(".on-offline .is-cut").waitFor();
    },
  },
  kept: {
    go: async (page, language) => {
      await screens.offline.go(page, language);
      await page.locator(".is-kept .button").first().click();
      await page.locator(".on-answering .caption").first().waitFor();
      await saidToItsEnd(page);
    },
  },
  keyboard: { go: openKeys },
  latin: { go: async (page, language) => {
    await openKeys(page);
    await page.locator(".keys").getByRole("button", { name: language === "ja" ? "ABC" : "かな" }).click();
  } },
  asking: { go: async (page, language) => {
    await week(page, language);
    await openKeys(page);
  } },
  systemkeys: {
    query: "&keyboard=system",
    go: (page) => page.locator(".ask-box").fill("今日"),
    each: (page) => page.evaluate(() => {
      Object.defineProperty(visualViewport, "height", { get: () => innerHeight * 0.55, configurable: true });
      visualViewport.dispatchEvent(new Event("resize"));
    }),
  },
  large: { go: async (page, language) => {
    await week(page, language);
    await page.locator(".is-large-text").click();
  } },
  frontlarge: { go: (page) => page.locator(".is-large-text").click() },
  frontzoom: { go: async () => undefined, zoom: 2 },
  weekzoom: { go: week, zoom: 2 },
  confirmzoom: { go: (page, language) => screens.confirm.go(page, language), zoom: 2, owner: true },
  keyboardzoom: { go: openKeys, zoom: 2 },
  fronttext: { go: async () => undefined, letters: 32 },
  weektext: { go: week, letters: 32 },
  forced: { go: week, forcedColors: "active" },
  contrast: { go: week, contrast: "more" },
  listening: {
    permissions: ["microphone"],
    go: async (page) => {
      await page.locator(".is-talk").click();
      await page.locator(".listening.is-on").waitFor();
    },
    each: async (page) => {
      if ((await page.locator(".listening.is-on").count()) > 0) return;
      await page.keyboard.press("Escape");
      await page.locator(".is-talk").click();
      await page.locator(".listening.is-on").waitFor();
    },
  },
  deaf: {
    go: async (page) => {
      await page.locator(".is-talk").click();
      await page.locator(".listening-closed").waitFor();
    },
  },
  poster: { go: async (page, language) => {
    await week(page, language);
    await page.locator(".is-poster button").evaluate((button) => button.click());
    await page.locator(".poster-sheet").waitFor();
  } },
  posted: { go: async (page, language) => {
    await screens.poster.go(page, language);
    await page.keyboard.press("Escape");
    await page.locator(".card .picture img").waitFor();
  } },
  postedalone: { go: async (page, language) => {
    await today(page, language);
    await page.locator(".is-poster button").evaluate((button) => button.click());
    await page.locator(".poster-sheet").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".card .picture img").waitFor();
  } },
  staff: { go: openStaff },
  called: { go: async (page) => {
    await openStaff(page);
    await page.locator("dialog .is-main").click();
    await page.locator("dialog.counter").getByText(/1\d:\d\d/).waitFor();
  } },
  uncalled: {
    query: "&device=closed", // staff are not told what comes from there
    go: async (page) => {
      await openStaff(page);
      await page.locator("dialog .is-main").click();
      await page.locator("dialog.counter .is-main").waitFor({ timeout: 60_000 });
    },
  },
  taken: { go: async (page, language) => {
    await week(page, language);
    await page.locator(".is-take button").evaluate((button) => button.click());
    await page.locator("dialog.counter .code svg").waitFor();
  } },
  helped: { go: async (page, language) => {
    await today(page, language);
    await page.locator(".helped .button").first().evaluate((button) => button.click());
    await page.locator(".helped p").waitFor({ state: "attached" });
  } },
  lock: { go: knock },
  corner: {
    voice: true,
    go: async (page) => {
      await knock(page);
      await page.keyboard.type(code);
      await page.keyboard.press("Enter");
      await page.locator(".corner-inside .corner-buttons button").first().click();
      await page.locator(".corner dl").getByText(/ms|ミリ秒/).nth(1).waitFor();
    },
  },
  farewell: { go: async (page, language) => {
    await today(page, language);
    await beSilent(page, 47);
    await page.locator("dialog.farewell").waitFor();
  } },
  walk: { go: walk },
  confirm: { go: said("明日の14時半に定例を入れて", "Add a review tomorrow at 2:30 pm in room B1"), owner: true },
  remove: { go: said("山田さんと打ち合わせを削除して", "Delete the entry with 山田さん"), owner: true },
};

async function openKeys(page) {
  await page.locator(".ask-box").click();
  await page.locator(".keys").waitFor();
}

async function openStaff(page) {
  await page.locator(".is-staff").evaluate((button) => button.click()); // hidden on a telephone
  await page.locator("dialog.counter").waitFor();
}

async function knock(page) {
  for (let i = 0; i < 5; i++) await page.keyboard.press("Escape");
  await page.locator("dialog.corner").waitFor();
}

/** A visit by keyboard alone: each stop of the Tab key can be seen, and that it is there. */
async function walk(page, language) {
  const tabTo = async (selector) => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate((selector) => {
        const e = document.activeElement;
        const b = e.getBoundingClientRect();
        const { outlineStyle, outlineWidth } = getComputedStyle(e);
        return {
          name: e.getAttribute("aria-label") || e.textContent,
          left: e === document.body, // for the browser's own bars
          seen: b.width > 0 && b.top >= -1 && b.left >= -1 && b.bottom <= innerHeight + 1 && b.right <= innerWidth + 1,
          ring: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 3,
          wanted: e.matches(selector),
        };
      }, selector);
      if (!stop.left && !(stop.seen && stop.ring)) throw new Error(`the Tab key stops at ${stop.name}, which is not seen or has no ring`);
      if (stop.wanted) return;
    }
    throw new Error(`the Tab key never comes to ${selector}`);
  };
  await tabTo(".is-presets .button");
  await page.keyboard.press("Enter");
  await settled(page);
  await saidToItsEnd(page);
  await tabTo(".actions .button");
  await page.keyboard.press("Enter"); // says it again
  await page.locator(".is-stop").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".is-stop").waitFor({ state: "detached" });
  await tabTo(".ask-box");
  await page.keyboard.type(language === "ja" ? "今週のイベントは？" : "What's on this week?");
  await page.keyboard.press("Enter");
  await page.locator(".details").waitFor();
  await saidToItsEnd(page);
  await tabTo(".details .button");
  await page.keyboard.press("Enter");
  await page.locator(".details").waitFor({ state: "detached" });
  await saidToItsEnd(page);
  await page.locator(".is-staff").waitFor();
  await tabTo(".is-staff");
  await page.keyboard.press("Enter");
  await page.locator("dialog.counter").waitFor();
  await page.keyboard.press("Enter"); // the safe choice has the focus
  await page.locator("dialog.counter").waitFor({ state: "detached" });
  await tabTo('.language[aria-pressed="false"][lang]');
  await page.keyboard.press("Enter");
  await page.waitForFunction((language) => document.documentElement.lang !== language, language);
  for (let i = 0; i < 3 && (await page.locator(".on-attract").count()) === 0; i++) {
    await page.keyboard.press("Escape"); // the first one may only silence what is said
    await page.waitForTimeout(2000);
  }
  await page.locator(".on-attract").waitFor();
}

/** Something that is in the way tomorrow. */
async function makeEntry() {
  for (const query of ["明日の14時に山田さんと打ち合わせを入れて", "はい"]) {
    await fetch(`${base}/query`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, sessionId: "screens", language: "ja" }),
    });
  }
}

/** Opens a screen, looks at it on every size, and gives what is wrong. */
async function look(browser, name, language) {
  const { go, each = async () => undefined, ready = async () => undefined, voice = false, owner = false, zoom = 1, letters, query = "&keyboard=own", ...context } = screens[name];
  const { page, faults, close } = await openPage(browser, base, language, {
    held: !voice,
    query: `${query}${owner ? `#key=${key}` : ""}`,
    deviceScaleFactor: zoom,
    ready: async (page) => {
      answered.set(page, 0);
      page.on("requestfinished", (request) => request.url().includes("/kept?") && answered.set(page, answered.get(page) + 1));
      if (!voice) await page.route("**/speech/**", (route) => route.abort());
      if (letters) await (await page.context().newCDPSession(page)).send("Page.setFontSizes", { fontSizes: { standard: letters, fixed: letters } });
      await ready(page);
    },
    ...context,
  });
  const wrong = [];
  try {
    await go(page, language);
    for (const size of sizes.filter((size) => wanted.includes(size.name))) {
      const [width, height] = [size.width / zoom, size.height / zoom];
      const where = `${name} ${language} ${size.name}`;
      await page.setViewportSize({ width, height });
      await each(page);
      await standStill(page);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${language}-${size.name}.jpg`, type: "jpeg", quality: 80 });
      if (Math.min(width, height) < 300) continue; // no page need fit less
      const found = await layout(page, { kiosk: size.kiosk && width > 640 && height > 480, width, height });
      if (tiers.includes(size.name)) found.push(...(await access(page)));
      wrong.push(...found.map((fault) => `${where}: ${fault}`));
    }
    wrong.push(...faults.filter((fault) => !/^Failed to load resource/.test(fault)).map((fault) => `${name} ${language}: ${fault}`));
  } catch (error) {
    wrong.push(`${name} ${language}: ${error.message ?? error}`);
    if (folder) await page.screenshot({ path: `${folder}/${name}-${language}-failed.jpg`, type: "jpeg" }).catch(() => undefined);
  } finally {
    await close();
  }
  return wrong;
}

/** The pages beside the kiosk, on a telephone and on a desk. */
async function lookAtPages(browser) {
  const wrong = [];
  for (const path of ["/connect", "/docs"]) {
    for (const [width, height] of [[390, 844], [1280, 800]]) {
      const page = await browser.newPage({ viewport: { width, height } });
      await page.goto(base + path, { waitUntil: "networkidle" });
      const found = await access(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) found.push(`is ${wide} pixels wide`);
      if (folder) await page.screenshot({ path: `${folder}/page${path.replace("/", "-")}-${width}x${height}.jpg`, type: "jpeg", quality: 80 });
      wrong.push(...found.map((fault) => `${path} on ${width}x${height}: ${fault}`));
      await page.close();
    }
  }
  return wrong;
}

const browser = await startBrowser(["--use-fake-device-for-media-stream"]);
if (folder) mkdirSync(folder, { recursive: true });
await makeEntry();
const wrong = await lookAtPages(browser);
if (wrong.length > 0) console.log(wrong.join("\n"));
for (const name of only ?? Object.keys(screens)) {
  for (const language of languages) {
    const found = await look(browser, name, language);
    if (found.length > 0) console.log(found.join("\n"));
    wrong.push(...found);
  }
}
await browser.close();
if (wrong.length > 0) process.exitCode = 1;
