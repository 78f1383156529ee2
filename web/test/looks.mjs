// What is looked for on every screen, by axe and with a ruler. Each look gives what is wrong, in words.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** What breaks WCAG 2.2 A and AA and best practice. */
export async function access(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (values) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    return violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join("; ")}`);
  }, rules);
}

/** Nothing overflows, everything that can be touched is large enough and, on a tall panel, within reach; what every screen has, stands. */
export function layout(page, size) {
  return page.evaluate(({ kiosk, tall }) => {
    const faults = [];
    const root = document.documentElement;
    const mm = Number.parseFloat(getComputedStyle(root).getPropertyValue("--mm"));
    const least = kiosk ? Math.min(18 * mm, 0.11 * Math.min(innerWidth, innerHeight)) : 44;
    const box = (e) => e.getBoundingClientRect();
    const isIn = (b) => b.width > 0 && b.top >= -1 && b.left >= -1 && b.bottom <= innerHeight + 1 && b.right <= innerWidth + 1;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) faults.push(`page is ${root.scrollWidth} x ${root.scrollHeight}`);
    const dialog = document.querySelector("dialog[open]");
    const open = dialog ?? document;
    const seen = (selector) => [...open.querySelectorAll(selector)].filter((e) => e.checkVisibility());
    for (const target of seen("button, input")) {
      const b = box(target);
      const name = target.textContent || target.className;
      const key = target.classList.contains("key");
      if (!key && (b.width < least - 0.5 || b.height < least - 0.5)) faults.push(`${name} is ${b.width} x ${b.height}, want ${least}`);
      if (kiosk && !isIn(b)) faults.push(`${name} is cut off at ${b.left} ${b.top} ${b.right} ${b.bottom}`);
      if (kiosk && tall && !key && b.top < innerHeight * 0.38) faults.push(`${name} is out of reach at ${b.top}`);
      if (target.scrollWidth > target.clientWidth + 1 && target.tagName === "BUTTON") faults.push(`${name} overflows`);
    }
    for (const text of seen("h1, h2, p, .card-place, .bubble, .card, .sheet")) {
      if (box(text).right > innerWidth + 1 && !text.closest(".choices")) faults.push(`${text.className}: ${text.textContent} leaves the screen`);
    }
    if (dialog) return faults;
    if (!isIn(box(document.querySelector(".ask-box")))) faults.push("no question box");
    const ask = document.querySelector(".ask-box");
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    const { font, paddingLeft, paddingRight } = getComputedStyle(ask);
    pen.font = font;
    const wanted = pen.measureText(ask.placeholder).width + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    if (innerWidth >= 300 && wanted > ask.clientWidth + 1) faults.push(`${ask.placeholder} is ${wanted} wide in a box of ${ask.clientWidth}`);
    if (!seen(".languages .language").some((e) => isIn(box(e)))) faults.push("no language switch");
    const lantern = box(document.querySelector(".akari"));
    if (lantern.height < Math.min(60, 0.12 * innerHeight) || lantern.bottom > innerHeight + 1 || lantern.width < 40) faults.push(`the lantern is ${lantern.width} x ${lantern.height} at ${lantern.top}`);
    const main = box(document.querySelector(".main"));
    const captions = document.querySelector(".captions:not(.is-cut)");
    const lines = [...(captions?.querySelectorAll(".caption:not(.is-on-card), .progress") ?? [])].filter((e) => e.checkVisibility());
    if (captions && lines.length > 0) {
      const line = Number.parseFloat(getComputedStyle(lines[0]).lineHeight) || 20;
      const shown = Math.min(box(captions).bottom, main.bottom) - Math.max(box(captions).top, main.top);
      if (shown < Math.min(2 * line, captions.scrollHeight) - 3) faults.push(`${shown / line} lines of captions`);
    }
    for (const part of seen(".main > .bubble, .main > .sheet, .main > .cards")) {
      if (kiosk && box(part).bottom > main.bottom + 1) faults.push(`${part.className} sinks below its panel`);
    }
    const today = document.querySelector(".today > .cards");
    if (kiosk && today && today.scrollHeight > today.clientHeight + 1) faults.push("what is on today does not fit");
    const name = document.createRange();
    for (const credit of seen(".credit > :last-child")) {
      name.selectNodeContents(credit);
      if (today && box(name).top < box(today).bottom) faults.push("the credit lies over what is on today");
    }
    for (const part of seen(".noren h1 > *")) {
      name.selectNodeContents(part);
      for (const key of seen(".controls-last button")) {
        const [a, b] = [box(name), box(key)];
        if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) faults.push(`${part.textContent} lies below ${key.textContent}`);
      }
    }
    const cards = document.querySelector(".main > .cards:not(.is-rich)");
    if (kiosk && cards && cards.children.length > 1 && cards.scrollHeight > cards.clientHeight + 1) faults.push(`${cards.children.length} cards do not fit`);
    return faults;
  }, { kiosk: size.kiosk, tall: size.height > size.width });
}
