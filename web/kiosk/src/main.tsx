import { render } from "preact";
import type { Language } from "./api";
import { App } from "./app";
import { startKiosk } from "./kiosk";
import { loadBreaks } from "./text";
import { startScreen } from "./touch";
import "./style/tokens.css";
import "./style/parts.css";
import "./style/layout.css";
import "./style/motion.css";

/** On what is smaller than this, in pixels, somebody looks at a device of their own. */
const smallestPanel = 600;

/** The language of the house: ?lang=, else that of a visitor's own device; a panel's browser says nothing about who stands before it. */
function homeLanguage(): Language {
  const given = new URLSearchParams(location.search).get("lang");
  const wanted = given ?? (Math.min(innerWidth, innerHeight) < smallestPanel ? navigator.language : "ja");
  return wanted.startsWith("ja") ? "ja" : "en";
}

startScreen();
const root = document.getElementById("kiosk");
if (root !== null) {
  const kiosk = startKiosk(homeLanguage());
  render(<App kiosk={kiosk} />, root);
  loadBreaks();
  import("./appearance").then(({ followAppearance }) => followAppearance(kiosk.state), () => undefined);
  Promise.all([import("./cues"), import("./sound")]).then(
    ([{ startCues }, { audible }]) => startCues(kiosk.state, audible),
    () => undefined,
  );
  import("./duties").then(
    ({ keepPage, keepHouse, stayAwake, holdStill }) => {
      keepPage(kiosk.renew);
      stayAwake();
      keepHouse(kiosk);
      holdStill();
    },
    () => undefined,
  );
}
