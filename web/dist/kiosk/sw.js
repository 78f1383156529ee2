// The service worker of the kiosk: without the server the page opens all the same, with what was last known of the venue
// and of today. It keeps nothing of what visitors say: questions and answers never come by here. The build fills in the
// files and the version.

<<<<<<< HEAD
const files = ["assets/breaks-C9SVXARv.js","assets/code-YjCNVTfa.js","assets/code-a-pS_Gop.css","assets/confirm-BkTXaDSf.css","assets/confirm-DARQvFhq.js","assets/decode-C7zf4TdN.js","assets/dialog-Cfz3zEXh.css","assets/duties-B2GenY6U.js","assets/duties-By0j34pU.css","assets/farewell-Bs6T5gvR.js","assets/film-BqG7ejAh.js","assets/film-Cu9PveBf.css","assets/hear-DS6MwOjn.js","assets/index-BeeNixEw.css","assets/index-Sst_-PrI.js","assets/keyboard-CKklWeWG.js","assets/keyboard-lmXcY2-o.css","assets/listening-B3Vyj1Yr.js","assets/listening-DoD1940m.css","assets/poster-D02ww72-.css","assets/poster-zLJQaEYC.js","assets/preact-D0LW8DDp.js","assets/recorder.worklet-BQfBdcdC.js","assets/say-BNLYbYqV.js","assets/stream-CCU2OmpG.js"].map((name) => `/kiosk/${name}`);
const page = "/kiosk/";
const shell = "kiosk-11e591c3a8aa";
=======
const files = ["assets/breaks-CBlxgztS.js","assets/code-BAbaLW3z.js","assets/code-a-pS_Gop.css","assets/confirm-BkTXaDSf.css","assets/confirm-hRpd4Iem.js","assets/corner-CgfF25KH.css","assets/corner-DJ38D4l0.js","assets/counter-CZC9IZcB.css","assets/counter-CsvDc6sC.js","assets/decode-BjE7NZp6.js","assets/dialog-Cfz3zEXh.css","assets/drawn-DAwit36y.css","assets/drawn-eI3qi0MH.js","assets/duties-By0j34pU.css","assets/duties-forMi8tr.js","assets/farewell-DlPLYasi.js","assets/film-Cu9PveBf.css","assets/film-DbCCLhHt.js","assets/index-BeeNixEw.css","assets/index-Bz2K12wb.js","assets/kept-BzMIJIbV.js","assets/keyboard-C3CkCVes.js","assets/keyboard-lmXcY2-o.css","assets/made-BDYH1yoU.js","assets/poster-D-qCBNDQ.js","assets/poster-D02ww72-.css","assets/preact-B7TPhW6A.js","assets/say-DM9DNgic.js","assets/stream-CgIlVL31.js"].map((name) => `/kiosk/${name}`);
const page = "/kiosk/";
const shell = "kiosk-3b16a6e50931";
>>>>>>> duties
const facts = "kiosk-facts";
/** How long the server may take for the page, and for facts, before what was kept is taken. */
const patience = { page: 4000, facts: 1500 };

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll([...files, page, "/kiosk/akari.svg"])));
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("kiosk-") && name !== shell && name !== facts;
  const clean = async () => {
    await Promise.all((await caches.keys()).filter(old).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(clean());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (pathname === "/venue" || pathname === "/events") event.respondWith(getFact(request));
  else if (files.includes(pathname)) event.respondWith(caches.match(request, { cacheName: shell }).then((kept) => kept ?? fetch(request)));
});

async function openPage(request) {
  try {
    const response = await inTime(request, patience.page);
    if (response.status < 500) return response;
  } catch {
    // What was kept is all there is.
  }
  return (await caches.match(page, { cacheName: shell })) ?? Response.error();
}

/** A fact from the server, or the one that was kept, which says so in a header. Of each there is one. */
async function getFact(request) {
  const cache = await caches.open(facts);
  try {
    const response = await inTime(request, patience.facts);
    if (response.ok) await keep(cache, request, response.clone());
    if (response.status < 500) return response;
  } catch {
    // What was kept is all there is.
  }
  const kept = await cache.match(request.url);
  if (kept === undefined) return Response.error();
  const headers = new Headers(kept.headers);
  headers.set("X-Kept", "1");
  return new Response(kept.body, { status: 200, headers });
}

async function keep(cache, request, response) {
  const { pathname } = new URL(request.url);
  for (const old of await cache.keys()) {
    if (new URL(old.url).pathname === pathname && old.url !== request.url) await cache.delete(old);
  }
  await cache.put(request.url, response);
}

async function inTime(request, ms) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    return await fetch(request, { signal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}
