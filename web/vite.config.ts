import { defineConfig } from "vite";

// The kiosk is the only page so far. Its files go to dist/kiosk, which web.go embeds. Nothing is inlined as data: or
// script, because the page runs under "default-src 'self'".
export default defineConfig({
  root: "kiosk",
  base: "/kiosk/",
  build: {
    outDir: "../dist/kiosk",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  server: {
    // `npm run dev` beside `annai serve`: the page from here, the answers from there.
    proxy: Object.fromEntries(
      ["/query", "/venue", "/events", "/healthz", "/runs", "/sessions", "/tools", "/media", "/preview"].map((path) => [path, "http://127.0.0.1:8080"]),
    ),
  },
});
