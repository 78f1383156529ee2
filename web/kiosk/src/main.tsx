import { render } from "preact";
import type { Language } from "./api";
import { App } from "./app";
import { startKiosk } from "./kiosk";
import { pixelsPerMillimetre } from "./size";
import "./style/tokens.css";
import "./style/layout.css";
import "./style/parts.css";
import "./style/motion.css";

const settings = new URLSearchParams(location.search);

/** The language of the house: ?lang=, else what the browser asks for. */
function homeLanguage(): Language {
  const wanted = settings.get("lang") ?? navigator.language;
  return wanted.startsWith("ja") ? "ja" : "en";
}

function setMillimetre(): void {
  const px = pixelsPerMillimetre(innerWidth, innerHeight, Number(settings.get("diagonal")));
  document.documentElement.style.setProperty("--mm", `${px.toFixed(3)}px`);
}

setMillimetre();
addEventListener("resize", setMillimetre);
const root = document.getElementById("kiosk");
if (root !== null) render(<App kiosk={startKiosk(homeLanguage())} />, root);
