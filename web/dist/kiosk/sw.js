// The service worker of the kiosk: without the server the page opens all the same, with what was last known of the venue
// and of today. It keeps nothing of what visitors say: questions and answers never come by here. The build fills in the
// files and the version.

const files = ["assets/ambient-BtkocDHt.js","assets/ambient-ntFB5SBl.css","assets/appearance-C4CmuC96.js","assets/avatar-BM84Oyit.css","assets/avatar-DqnxRu7U.js","assets/breaks-OaGTB6Bo.js","assets/code-DaBaWuqZ.js","assets/code-a-pS_Gop.css","assets/confirm-BkTXaDSf.css","assets/confirm-DCxSNnEZ.js","assets/cues-BM6TUUjJ.js","assets/decode-CuN8g8Ov.js","assets/dialog-Cfz3zEXh.css","assets/duties-B2GenY6U.js","assets/duties-By0j34pU.css","assets/farewell-DIkK3u9V.js","assets/film-Cu9PveBf.css","assets/film-X8YUvDY5.js","assets/index-BGNw9EmI.css","assets/index-VnR47g9r.js","assets/keyboard-DqqIGlbv.js","assets/keyboard-lmXcY2-o.css","assets/life-DzbmqCDo.js","assets/poster-BMEHU7vd.js","assets/poster-D02ww72-.css","assets/preact-7qIMhwLo.js","assets/puppet-D9Ek_P9B.js","assets/say-qfI2mlAd.js","assets/season-gcjqqPbJ.css","assets/season-p-ltYc0N.js","assets/slides-CsvJ1YVP.js","assets/sound-DKoeHf9z.js","assets/stream-CkfSPzLE.js"].map((name) => `/kiosk/${name}`);
const page = "/kiosk/";
const shell = "kiosk-2734fa33fa4e";
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
