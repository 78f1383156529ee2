// A visit to the kiosk of a real server, and what is left of it: node test/forgotten.mjs BASE_URL MARK. The visitor's words have
// MARK in them. Asks, takes an answer along, says that it helped, begins to type, and finishes; then prints as JSON where in the
// browser the words are still found, and the address of the page for the telephone.

import { ask, openPage, startBrowser } from "./browser.mjs";

const [base, mark] = process.argv.slice(2);
const browser = await startBrowser();
const { page, faults } = await openPage(browser, base, "ja", { query: "&device=test", serviceWorkers: "allow" });
await page.evaluate(() => navigator.serviceWorker.ready);
await page.reload(); // now the service worker sees all that is asked
await page.locator(".today").waitFor();

const done = () => page.locator(".choices.is-suggestions").waitFor();
await ask(page, `${mark}、今日のイベントは？`);
await done();
await page.locator(".is-take button").click();
await page.locator("dialog.counter .code svg").waitFor();
await page.keyboard.press("Escape");
await ask(page, `${mark}はどこですか`);
await done();
if (!(await page.content()).includes(mark)) throw new Error("the words were never on the page");
await page.locator(".is-stop").click().catch(() => undefined);
await page.locator(".helped .button").first().click();
await page.locator(".ask-box").fill(`${mark}の`);
const over = page.waitForResponse((response) => response.request().method() === "DELETE");
await page.getByRole("button", { name: "おわる" }).click();
await over;
await page.locator(".on-attract").waitFor();

/** Every place in which a page can keep something, as text. */
const places = await page.evaluate(async () => {
  const kept = {
    dom: document.documentElement.outerHTML + [...document.querySelectorAll("input")].map((box) => box.value).join(),
    address: location.href + JSON.stringify(history.state) + document.title + document.cookie + window.name,
    storage: JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }),
    databases: JSON.stringify(await indexedDB.databases()),
    requests: performance.getEntries().map(({ name }) => name).join(),
    caches: "",
  };
  let files = 0;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      kept.caches += `${request.url} ${[...(response?.headers ?? [])].join()} ${await response?.text()}\n`;
      files++;
    }
  }
  return { ...kept, files };
});
const { files, ...texts } = places;
const found = Object.keys(texts).filter((place) => texts[place].includes(mark) || texts[place].includes(encodeURIComponent(mark)));
await browser.close();
console.log(JSON.stringify({ found, files, faults }));
