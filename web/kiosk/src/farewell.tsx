// "Are you still there?": before a visit is wiped, its visitor has twenty seconds to say no to it.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Language } from "./api";
import type { Verbs } from "./kiosk";
import type { State } from "./state";
import "./style/dialog.css";
import { words } from "./words";

/** What only this dialog says; it is loaded later than all other words. */
const own = {
  ja: {
    stillThere: "まだ使っていますか？",
    secondsLeft: (seconds: number) => `あと${seconds}秒で、はじめの画面に戻ります。`,
    stay: "続ける",
    finish: words.ja.finish,
  },
  en: {
    stillThere: "Are you still there?",
    secondsLeft: (seconds: number) => `Back to the start in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    stay: "Continue",
    finish: words.en.finish,
  },
};

const seconds = 20;
const radius = 88;
const around = 2 * Math.PI * radius;

export function Farewell({ state, verbs }: { state: State; verbs: Verbs }) {
  const { farewell, language } = state;
  const dialog = useRef<HTMLDialogElement>(null);
  const open = farewell !== null;
  useLayoutEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  if (farewell === null) return null;
  const other: Language = language === "ja" ? "en" : "ja";
  const stay = (event: Event) => {
    event.preventDefault();
    verbs.stay();
  };
  return (
    <dialog class="farewell" ref={dialog} aria-labelledby="farewell" aria-describedby="farewell-left" onCancel={stay}>
      <div class="farewell-top">
        <h2 id="farewell">
          <span>{own[language].stillThere}</span>
          <span class="farewell-other" lang={other}>
            {own[other].stillThere}
          </span>
        </h2>
        <Ring left={farewell} />
        <p id="farewell-left">{own[language].secondsLeft(farewell)}</p>
      </div>
      <div class="dialog-buttons">
        <button type="button" class="button is-main is-big" autofocus onClick={verbs.stay}>
          <span>
            <Both language={language} other={other} word="stay" />
          </span>
        </button>
        <button type="button" class="button is-big" onClick={verbs.reset}>
          <span>
            <Both language={language} other={other} word="finish" />
          </span>
        </button>
      </div>
    </dialog>
  );
}

function Both({ language, other, word }: { language: Language; other: Language; word: "stay" | "finish" }) {
  return (
    <>
      {own[language][word]} <small lang={other}>/ {own[other][word]}</small>
    </>
  );
}

function Ring({ left }: { left: number }) {
  const share = Math.max(0, Math.min(1, left / seconds));
  return (
    <svg class="ring" viewBox="0 0 200 200" aria-hidden="true">
      <circle cx="100" cy="100" r={radius} class="ring-track" />
      <circle
        cx="100"
        cy="100"
        r={radius}
        class="ring-left"
        stroke-dasharray={around.toFixed(1)}
        stroke-dashoffset={(around * (1 - share)).toFixed(1)}
        transform="rotate(-90 100 100)"
      />
      <text x="100" y="124" text-anchor="middle">
        {left}
      </text>
    </svg>
  );
}
