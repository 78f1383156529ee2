// A kiosk that nobody uses: what its page and its server keep in memory, every five minutes. Usage: idle.mjs BASE PID MINUTES
import { readFileSync } from "node:fs";
import { openPage, startBrowser } from "./browser.mjs";

const [base, pid, minutes] = [process.argv[2], process.argv[3], Number(process.argv[4] ?? 60)];
const every = Math.min(5, minutes);
const browser = await startBrowser(["--autoplay-policy=no-user-gesture-required"]);
const { page, faults, close } = await openPage(browser, base, "ja", { query: "&diagonal=43&device=idle", reducedMotion: "no-preference", serviceWorkers: "allow" });
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");
await devtools.send("HeapProfiler.enable");

/** The memory that a process holds, in MB. */
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

async function look() {
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name) => metrics.find((metric) => metric.name === name).value;
  return [of("JSHeapUsedSize") / 1024 / 1024, of("Nodes"), of("JSEventListeners"), of("Documents"), of("TaskDuration"), resident(pid)];
}

console.log("minute  heap MB  nodes  listeners  documents  busy s  server MB");
const begun = Date.now();
for (let minute = 0; minute <= minutes; minute += every) {
  await new Promise((done) => setTimeout(done, begun + minute * 60_000 + 3000 - Date.now()));
  const [heap, nodes, listeners, documents, busy, server] = await look();
  console.log(`${minute}  ${heap.toFixed(2)}  ${nodes}  ${listeners}  ${documents}  ${busy.toFixed(0)}  ${server.toFixed(0)}`);
}
if (faults.length > 0) console.log("faults:", faults);
await close();
await browser.close();
