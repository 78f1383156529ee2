// The service worker of the kiosk: without the server the page opens all the same, with what was last known of the venue,
// of today, and with the answers to the venue's own questions and their sounds. It keeps nothing of what visitors say:
// their questions never come by here, and of sounds only those of the venue's answers are kept. The build fills in the
// files and the version.

const files = ["assets/ambient-CIBoRPFN.js","assets/ambient-ntFB5SBl.css","assets/appearance-C4CmuC96.js","assets/avatar-BM84Oyit.css","assets/avatar-BdffLvXA.js","assets/breaks-Hu9nkqKQ.js","assets/code-C2mQQ5Y_.js","assets/code-a-pS_Gop.css","assets/confirm-BGGGhLQm.css","assets/confirm-BS6f_OK8.js","assets/corner-Bu0yCd5u.js","assets/corner-DRH-p0Qy.css","assets/counter-B4--9q72.js","assets/counter-Bh5J6rsb.css","assets/cues-BexAY5Kb.js","assets/decode-SVr2B38n.js","assets/dialog-DptiLdlD.css","assets/drawn-BOXOcQB-.css","assets/drawn-GgiIpjbx.js","assets/duties-BSj-oDsv.js","assets/duties-Cu4ec61A.css","assets/farewell-BBu3nVtb.js","assets/film-Cu9PveBf.css","assets/film-DxDSnHO7.js","assets/hear-CWJv_FiE.js","assets/index-Cls1HjZO.js","assets/index-DWXOc3Y1.css","assets/kept-DhOJG4p1.js","assets/keyboard-CamNqncW.css","assets/keyboard-chybPlFv.js","assets/life-DzbmqCDo.js","assets/listening-B5u51ske.css","assets/listening-CCXSvh81.js","assets/poster-D02ww72-.css","assets/poster-D4OLS-VA.js","assets/preact-DgF342om.js","assets/puppet-D9Ek_P9B.js","assets/recorder.worklet-BQfBdcdC.js","assets/say--RWJ-gu8.js","assets/season-DL1SX1WO.js","assets/season-gcjqqPbJ.css","assets/slides-B1UxJk_w.js","assets/sound-B1axtEgl.js","assets/stream-CUSuurgr.js"].map((name) => `/kiosk/${name}`);
const page = "/kiosk/";
const shell = "kiosk-ab30d0daa338";
const facts = "kiosk-facts";
const sounds = "kiosk-sounds";
/** How long the server may take for the page, and for facts, before what was kept is taken. */
const patience = { page: 4000, facts: 1500, kept: 15_000 };

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll([...files, page, "/kiosk/akari.svg"])));
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("kiosk-") && ![shell, facts, sounds].includes(name);
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
  else if (pathname === "/kept") event.respondWith(getFact(request, (response) => event.waitUntil(keepSounds(request, response))));
  else if (pathname.startsWith("/speech/")) event.respondWith(caches.match(request.url, { cacheName: sounds }).then((kept) => kept ?? fetch(request)));
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

/** A fact from the server, or the one that was kept, which says so in a header. Of each there is one, or one in each language. */
async function getFact(request, came = () => undefined) {
  const cache = await caches.open(facts);
  try {
    const response = await inTime(request, new URL(request.url).pathname === "/kept" ? patience.kept : patience.facts);
    if (response.ok) {
      came(response.clone());
      await keep(cache, request, response.clone());
    }
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
    if (pathname !== "/kept" && new URL(old.url).pathname === pathname && old.url !== request.url) await cache.delete(old);
  }
  await cache.put(request.url, response);
}

/** Keeps the sounds of the answers that came, and drops those of a language that are not among them any more. */
async function keepSounds(request, response) {
  const language = new URL(request.url).searchParams.get("language") ?? "ja";
  const { apology, answers } = await response.json();
  const wanted = [apology, ...answers.flatMap(({ sentences }) => sentences)].map(({ audio }) => audio).filter(Boolean);
  const cache = await caches.open(sounds);
  const held = await cache.match("/kept-sounds?language=" + language).then((list) => list?.json() ?? [], () => []);
  for (const address of held) if (!wanted.includes(address)) await cache.delete(address);
  for (const address of wanted) {
    for (const part of [address, address.replace(/wav$/, "json")]) {
      if ((await cache.match(part)) !== undefined) continue;
      const sound = await fetch(part, { headers: request.headers, cache: "no-store" }).catch(() => null);
      if (sound?.ok) await cache.put(part, sound);
    }
  }
  const list = new Response(JSON.stringify(wanted.flatMap((address) => [address, address.replace(/wav$/, "json")])));
  await cache.put("/kept-sounds?language=" + language, list);
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
