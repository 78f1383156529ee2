// Pictures of every screen against the real server: node test/screens.mjs BASE_URL FOLDER [OWNER_KEY] [SCREEN,SCREEN] [SIZE,SIZE].
// The server wants --now 2026-01-14T12:00:00+09:00 and the demonstration venue; with a data folder and the owner's key there are the
// screens of an owner too.

import { mkdirSync } from "node:fs";
import { ask, openPage, sizes, standStill, startBrowser } from "./browser.mjs";

const settled = (page) => page.locator(".choices.is-suggestions, .choices.is-options, .answers, .on-alarm").first().waitFor();
const said = (ja, en) => async (page, language) => {
  await ask(page, language === "ja" ? ja : en);
  await settled(page);
};

/** The screens of visitors, each with the way there. */
export const real = {
  idle: async () => undefined,
  greeting: said("こんにちは", "Hello"),
  week: said("今週のイベントは？", "What's on this week?"),
  today: said("今日のイベントは？", "What's on today?"),
  printers: said("3Dプリンターは使えますか", "How can I use the 3D printers?"),
  wifi: said("Wi-Fiはありますか？", "Is there Wi-Fi?"),
  choose: said("カフェは何時まで？", "When does the cafe close?"),
  alarm: said("火事です", "There is a fire"),
  failed: async (page, language) => {
    await page.route("**/query", (route) => route.fulfill({ status: 503, contentType: "application/json", body: "{}" }));
    await ask(page, language === "ja" ? "今日のイベントは？" : "What's on today?");
    await page.locator(".on-failed").waitFor();
  },
  offline: async (page, language) => {
    for (const path of ["query", "healthz", "venue", "events*"]) await page.route(`**/${path}`, (route) => route.abort());
    await ask(page, language === "ja" ? "今日のイベントは？" : "What's on today?");
    await page.locator(".on-offline").waitFor();
  },
  keyboard: async (page) => {
    await page.locator(".is-keyboard").click();
    await page.locator(".keys").waitFor();
  },
  large: async (page, language) => {
    await said("今週のイベントは？", "What's on this week?")(page, language);
    await page.locator(".is-large-text").click();
  },
};

/** The screens of an owner. */
export const owners = {
  confirm: said("明日の14時半に定例を入れて", "Add a review tomorrow at 2:30 pm in room B1"),
  remove: said("山田さんと打ち合わせを削除して", "Delete the entry with 山田さん"),
};

async function main(base, out, key, only, onlySizes) {
  const browser = await startBrowser();
  mkdirSync(out, { recursive: true });
  if (key) await makeEntry(base, key);
  const wanted = Object.entries({ ...real, ...(key ? owners : {}) }).filter(([name]) => !only || only.includes(name));
  for (const language of ["ja", "en"]) {
    for (const [name, go] of wanted) {
      const hash = name in owners ? `#key=${key}` : "";
      const { page, close } = await openPage(browser, base, language, { query: `&keyboard=own${hash}` });
      await go(page, language);
      for (const size of sizes.filter((s) => !onlySizes || onlySizes.includes(s.name))) {
        await page.setViewportSize({ width: size.width, height: size.height });
        await standStill(page);
        await page.screenshot({ path: `${out}/${name}-${language}-${size.name}.png` });
      }
      await close();
    }
  }
  await browser.close();
}

/** Something that is in the way tomorrow. */
async function makeEntry(base, key) {
  const say = (query) =>
    fetch(`${base}/query`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, sessionId: "screens", language: "ja" }),
    });
  await say("明日の14時に山田さんと打ち合わせを入れて");
  await say("はい");
}

if (import.meta.filename === process.argv[1]) {
  const [base, out, key, only, onlySizes] = process.argv.slice(2);
  await main(base, out, key, only ? only.split(",") : undefined, onlySizes?.split(","));
}
