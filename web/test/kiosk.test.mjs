import { openKiosk, screens, sizes, standStill, startBrowser } from "./browser.mjs";
const [base, shots] = process.argv.slice(2);
const only = process.env.ONLY?.split(",");
const browser = await startBrowser();
for (const language of ["ja", "en"]) for (const [screen, go] of Object.entries(screens)) {
  if (only && !only.includes(screen)) continue;
  const { page, faults, close } = await openKiosk(browser, base, language);
  await go(page);
  for (const size of sizes) {
    await page.setViewportSize({ width: size.width, height: size.height });
    await standStill(page);
    await page.screenshot({ path: `${shots}/${size.name}-${screen}-${language}.png` });
  }
  console.log(language, screen, faults.join(" | "));
  await close();
}
await browser.close();
