// What a screen that is on all day owes: it keeps itself for when the server can't be reached, does not go dark, and takes
// a new page over while nobody looks. It is loaded after the first screen is drawn.

import { Cell } from "./cell";
import { credentials, device } from "./key";
import type { Kiosk } from "./kiosk";
import "./style/forced.css";
import "./style/picture.css";
import "./style/trouble.css";
import { clockOf } from "./time";
import { readOwn, volumeAt } from "./volume";

/** Keeps the page, so that it opens without the server; tells when a newer page has come. */
export function keepPage(isNew: () => void): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return; // over plain HTTP from another machine there is none
  const known = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => known && isNew());
  serviceWorker.register("/kiosk/sw.js", { scope: "/kiosk" }).catch(() => undefined);
}

/** Keeps the screen on while the page is seen. */
export function stayAwake(): void {
  const request = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => undefined);
  };
  document.addEventListener("visibilitychange", request);
  request();
}

/** A long press or a drag opens nothing on a public screen. */
export function holdStill(): void {
  for (const name of ["contextmenu", "dragstart"]) {
    addEventListener(name, (event) => {
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
    });
  }
}

const beatEvery = 60_000;
const lookEvery = 5000;
/** The corner opens by so many touches of the crest, or Escapes, in so many milliseconds. */
const knocks = 5;
const knockTime = 3000;

/** The version of this page: what the build named its script by. */
export const version = /-([\w-]+)\.js$/.exec(document.querySelector("script")?.src ?? "")?.[1] ?? "dev";

/** How loud it is now, in percent. */
export const volume = new Cell(100);

/** Does what the house asks of its kiosks: they say that they live, are as loud as it is wished, keep answers, and have a corner for the operator. */
export function keepHouse(kiosk: Kiosk): void {
  if (device !== "") {
    void beat(kiosk);
    setInterval(() => void beat(kiosk), beatEvery);
  }
  void import("./say").then(({ pin, setVolume }) => {
    volume.follow(() => setVolume(volume.value));
    setVolume(volume.value);
    void import("./kept").then(({ keepAnswers }) => keepAnswers(kiosk, pin), () => undefined);
  }, () => undefined);
  const look = () => setLoudness(kiosk);
  look();
  setInterval(look, lookEvery);
  followKnocks(() => void import("./corner").then(({ open }) => open(kiosk), () => undefined));
}

/** Looks how loud it is to be now. */
export function setLoudness(kiosk: Kiosk): void {
  const { venue } = kiosk.state.value;
  if (venue === null) return;
  volume.value = volumeAt(venue.kiosk, readOwn(), clockOf(kiosk.now.value, venue.timezone, "en").time);
  kiosk.quiet(volume.value === 0);
}

async function beat(kiosk: Kiosk): Promise<void> {
  const body = JSON.stringify({ version, language: kiosk.state.value.language });
  const headers = { ...credentials, "Content-Type": "application/json" };
  await fetch("/heartbeat", { method: "POST", headers, body, signal: AbortSignal.timeout(lookEvery) }).catch(() => undefined);
}

/** Calls open after five touches of the crest in a row, or five times Escape, for who has a keyboard and no touch. */
function followKnocks(open: () => void): void {
  let times: number[] = [];
  const knock = () => {
    const now = performance.now();
    times = [...times.filter((time) => now - time < knockTime), now];
    if (times.length < knocks) return;
    times = [];
    open();
  };
  addEventListener("pointerdown", ({ target, clientX }) => {
    if (target instanceof Element && target.closest(".noren-cloth") !== null && clientX < innerWidth / 3) knock();
    else times = [];
  });
  addEventListener("keydown", ({ key, repeat }) => {
    if (key === "Escape" && !repeat) knock();
  });
}
