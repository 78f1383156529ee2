// Speaks a question to the kiosk of a real server: node test/spoken.mjs BASE_URL LANGUAGE WAV. The file is what the browser's
// microphone hears, once. Prints what the page shows as the question and as the answer, as JSON.

import { openPage, startBrowser } from "./browser.mjs";

const [base, language, wav] = process.argv.slice(2);
const browser = await startBrowser([
  "--use-fake-ui-for-media-stream",
  "--use-fake-device-for-media-stream",
  `--use-file-for-fake-audio-capture=${wav}%noloop`,
]);
const { page, faults } = await openPage(browser, base, language, { permissions: ["microphone"] });
const began = Date.now();
await page.locator(".is-talk").click();
await page.locator(".caption, .listening-closed").first().waitFor({ timeout: 90_000 });
const problem = page.locator("dialog.listening");
if ((await problem.count()) > 0) throw new Error(`the kiosk says ${await problem.innerText()}`);
const ms = Date.now() - began;
await page.locator(".choices.is-suggestions, .choices.is-options").first().waitFor();
const answer = (await page.locator(".caption").allTextContents()).join("\n");
const question = await page.locator(".question").textContent();
const left = await page.evaluate(() => ({ dialog: document.querySelectorAll(".listening").length }));
await browser.close();
if (faults.length > 0 || left.dialog > 0) throw new Error(`faults: ${faults}, dialogs: ${left.dialog}`);
const plain = (text) => text.replaceAll("\u200b", "").replaceAll("\u00a0", " ");
console.log(JSON.stringify({ question: plain(question), answer: plain(answer), ms }));
