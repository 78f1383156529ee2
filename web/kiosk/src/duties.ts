// What a screen that is on all day owes: it keeps itself for when the server can't be reached, does not go dark, and takes
// a new page over while nobody looks. It is loaded after the first screen is drawn.

import "./style/forced.css";

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
