// Builds the unit tests with the bundler that is here anyway, and runs them with Node's own runner.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const tests = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
const outDir = mkdtempSync(join(tmpdir(), "annai-web-"));
await build({
  configFile: false,
  root: here,
  logLevel: "error",
  ssr: { noExternal: true },
  build: { ssr: true, outDir, emptyOutDir: true, rolldownOptions: { input: tests.map((name) => join(here, name)) } },
});
const { status } = spawnSync(process.execPath, ["--test", outDir], { stdio: "inherit" });
rmSync(outDir, { recursive: true });
process.exit(status ?? 1);
