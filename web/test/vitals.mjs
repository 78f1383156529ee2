// Measures how soon the front is there on a slow device: node test/vitals.mjs BASE_URL [SLOWER] [RUNS]. The browser's processor is SLOWER
// times as slow as this machine's (4), the line has 1.6 Mbit/s and 150 ms there and back, and nothing is in any cache. Prints a line of
// JSON for each size: the median of each time in milliseconds. Where much else is done on this machine, lcp is about that; work is what
// the page itself takes of the processor until then, and reckoned is the time that this and the line take on a machine of its own.

import { gzipSync } from "node:zlib";
import { sizes, startBrowser } from "./browser.mjs";

const [base, slower = "4", runs = "5"] = process.argv.slice(2);
const browser = await startBrowser();

/** The time until a page on another machine is asked for and its first files are there: two ways there and back, and the bytes. */
const way = 150;
const rate = 200; // bytes a millisecond

/** What the page's own thread did until its largest words were drawn, in milliseconds. */
async function work(size) {
  const context = await browser.newContext({ viewport: { width: size.width, height: size.height }, locale: "ja-JP", serviceWorkers: "block" });
  const page = await context.newPage();
  await browser.startTracing(page, { categories: ["toplevel", "loading", "devtools.timeline"] });
  await page.goto(`${base}/kiosk?lang=ja`);
  await page.locator(".today .card").waitFor();
  await page.waitForTimeout(2000);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await context.close();
  const drawn = traceEvents.filter((e) => e.name === "largestContentfulPaint::Candidate").at(-1);
  const began = traceEvents.find((e) => e.name === "navigationStart" && e.pid === drawn.pid && e.args.data?.documentLoaderURL?.startsWith(base));
  const tasks = traceEvents.filter((e) => /RunTask$/.test(e.name) && e.pid === drawn.pid && e.tid === drawn.tid && e.ts >= (began?.ts ?? 0) && e.ts <= drawn.ts);
  return tasks.reduce((sum, e) => sum + (e.tdur ?? 0) / 1000, 0);
}

/** Bytes of the first load, compressed. */
async function firstLoad() {
  const page = await (await fetch(`${base}/kiosk/`)).text();
  let bytes = gzipSync(page).length;
  for (const [, name] of page.matchAll(/(?:src|href)="(\/kiosk\/assets[^"]+)"/g)) bytes += gzipSync(Buffer.from(await (await fetch(base + name)).arrayBuffer()), { level: 9 }).length;
  return bytes;
}

/** First contentful paint, largest contentful paint with its element, shifts of the layout, and how long the page was blocked. */
async function load(size) {
  const context = await browser.newContext({ viewport: { width: size.width, height: size.height }, locale: "ja-JP", serviceWorkers: "block" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 });
  await session.send("Emulation.setCPUThrottlingRate", { rate: Number(slower) });
  await page.addInitScript(() => {
    window.seen = { fcp: 0, lcp: 0, element: "", cls: 0, blocked: 0 };
    const watch = (type, see) => new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
    watch("paint", (e) => e.name === "first-contentful-paint" && (window.seen.fcp = e.startTime));
    watch("largest-contentful-paint", (e) => Object.assign(window.seen, { lcp: e.startTime, element: `${e.element?.tagName}.${e.element?.className}` }));
    watch("layout-shift", (e) => (window.seen.cls += e.value));
    watch("longtask", (e) => (window.seen.blocked += Math.max(0, e.duration - 50)));
  });
  await page.goto(`${base}/kiosk?lang=ja`);
  await page.locator(".today .card").waitFor();
  await page.waitForTimeout(3000);
  const seen = await page.evaluate(() => window.seen);
  await context.close();
  return seen;
}

const bytes = await firstLoad();
for (const size of sizes.filter(({ name }) => ["390x844", "800x1280", "1080x1920", "1920x1080"].includes(name))) {
  const all = [];
  for (let i = 0; i < Number(runs); i++) all.push(await load(size));
  const median = (name) => all.map((seen) => seen[name]).sort((a, b) => a - b)[Math.floor(all.length / 2)];
  const works = [];
  for (let i = 0; i < Number(runs); i++) works.push(await work(size));
  const own = works.sort((a, b) => a - b)[Math.floor(works.length / 2)];
  const reckoned = Math.round(2 * way + bytes / rate + Number(slower) * own);
  console.log(JSON.stringify({ size: size.name, slower: Number(slower), fcp: Math.round(median("fcp")), lcp: Math.round(median("lcp")), cls: Number(median("cls").toFixed(3)), blocked: Math.round(median("blocked")), largest: all[0].element, work: Math.round(own), reckoned }));
}
await browser.close();
