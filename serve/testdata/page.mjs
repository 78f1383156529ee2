// Uses the page of an example as somebody who tries it, in a headless Chromium, and prints what came of it as JSON.
//
// node page.mjs support|summarise URL [PICTURE]
import { startBrowser } from "../../web/test/browser.mjs";

const [name, url, picture] = process.argv.slice(2);
const said = { faults: [] };
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
page.setDefaultTimeout(20000);
page.on("console", (message) => message.type() === "error" && said.faults.push(message.text()));
page.on("pageerror", (error) => said.faults.push(String(error)));

const status = (text) => page.locator("#status", { hasText: text }).waitFor();
const classOf = (node) => page.locator(`svg text:has-text("${node}")`).evaluate((text) => text.previousElementSibling.getAttribute("class"));
const run = () => page.locator("#run").click();

async function send(text) {
  await page.locator("#input").fill(text);
  await run();
}

const uses = {
  async support() {
    await send("A-7 and A-8 came broken.");
    await status("waits for your answer");
    said.questions = await page.locator(".question code").allTextContents();
    said.waits = await classOf("tools");
    const open = (text) => page.locator(".question", { hasText: text }).last();
    await open("A-7").getByRole("button", { name: "Edit" }).click();
    await page.locator("#input").fill((await page.locator("#input").inputValue()).replace("A-7", "A-9"));
    await run();
    await page.locator("#log > .human").nth(1).waitFor();
    await status("waits for your answer");
    await open("A-8").getByRole("button", { name: "Reject" }).click();
    await status("done");
    said.last = await page.locator("#log > .ai").last().evaluate((e) => e.childNodes[1].textContent);
    said.ran = await classOf("tools");
  },
  async summarise() {
    said.sample = JSON.parse(await page.locator("#input").inputValue());
    await send(JSON.stringify({ texts: ["a b c d e", "f g h i j"] }));
    await status("done");
    said.state = JSON.parse(await page.locator("#state").textContent()).summary;
    said.ran = await classOf("map");
    await page.locator("#new").click();
    said.fresh = await classOf("map");
    await send("{");
    await status("this is no JSON");
  },
};

try {
  await page.goto(url);
  await page.locator("svg rect").first().waitFor();
  await page.locator("#about", { hasText: /./ }).waitFor();
  said.nodes = await page.locator("svg text title").allTextContents();
  await uses[name]();
  if (picture) await page.screenshot({ path: picture, fullPage: true });
  await page.setViewportSize({ width: 360, height: 700 });
  said.fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  if (picture) await page.screenshot({ path: picture.replace(".png", "-small.png"), fullPage: true });
} finally {
  await browser.close();
}
console.log(JSON.stringify(said));
