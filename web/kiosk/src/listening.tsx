// The screen while the kiosk listens: that it does, how loud the visitor is, what was understood, and what to do where it can't.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Akari } from "./akari";
import type { Language } from "./api";
import { followLevel } from "./hear";
import type { Verbs } from "./kiosk";
import type { Listening as Phase, State } from "./state";
import "./style/listening.css";
import { Text } from "./text";

interface Words {
  talk: string;
  opening: string;
  on: string;
  working: string;
  denied: string;
  missing: string;
  silent: string;
  failed: string;
  hint: (example: string) => string;
  hears: string;
  done: string;
  cancel: string;
  again: string;
  type: string;
  /** The other language, to be changed to. */
  other: string;
}

const words: Record<Language, Words> = {
  ja: {
    talk: "話す",
    opening: "マイクを開いています",
    on: "お話しください",
    working: "聞き取っています",
    denied: "マイクの使用が\u200b許可されていません。文字でお尋ねください。",
    missing: "マイクが\u200b見つかりません。文字でお尋ねください。",
    silent: "声が\u200b聞こえませんでした。マイクの近くで、もう一度お話しください。",
    failed: "すみません、いまは\u200b声を聞き取れません。文字でお尋ねください。",
    hint: (example) => `「${example}」などと話せます`,
    hears: "日本語で聞いています",
    done: "話し終わりました",
    cancel: "やめる",
    again: "もう一度話す",
    type: "文字で入力",
    other: "日本語",
  },
  en: {
    talk: "Speak",
    opening: "Opening the microphone",
    on: "Please speak",
    working: "Working out what you said",
    denied: "The microphone is not allowed here. Please type your question.",
    missing: "There is no microphone. Please type your question.",
    silent: "I heard nothing. Please come closer and say it again.",
    failed: "Sorry, I can't hear right now. Please type your question.",
    hint: (example) => `You can say: “${example}”`,
    hears: "Listening in English",
    done: "I'm done",
    cancel: "Cancel",
    again: "Speak again",
    type: "Type it",
    other: "English",
  },
};

/** The key to talk: a tap begins, and whoever holds it may let it go when it is said. */
export function Talk({ language, verbs }: { language: Language; verbs: Verbs }) {
  const press = (event: Event) => {
    event.preventDefault();
    verbs.listen("press");
  };
  return (
    <button
      type="button"
      class="button is-main is-talk"
      onPointerDown={(event) => event.button === 0 && press(event)}
      onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && !event.repeat && press(event)}
      onClick={(event) => event.detail === 0 && verbs.listen("begin")}
    >
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={microphone} />
      </svg>
      <span>{words[language].talk}</span>
    </button>
  );
}

const microphone = "M12 4a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V7a3 3 0 0 1 3-3zM6 11.500a6 6 0 0 0 12 0M12 17.500V21";

export function Listening({ state, of, verbs }: { state: State; of: Phase; verbs: Verbs }) {
  const { language } = state;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  const other: Language = language === "ja" ? "en" : "ja";
  const hears = of.busy;
  const cancel = (event: Event) => {
    event.preventDefault();
    verbs.listen("cancel");
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.repeat) event.preventDefault(); // a key that is held down is one answer
    event.stopPropagation(); // Escape means this dialog alone
  };
  return (
    <dialog class={`listening is-${of.phase}`} ref={dialog} aria-labelledby="listening" onCancel={cancel} onKeyDown={onKey}>
      <div class="listening-top">
        <Akari emotion={hears ? "happy" : "sad"} gesture="" thinking={of.phase === "working"} turn={0} free={false} language={language} mouth={shut} />
        {hears ? <Level /> : <Closed />}
        <div role={hears ? "status" : "alert"}>
          <h2 id="listening">
            <span>
              <Text text={words[language][of.phase]} />
            </span>
            <span class="listening-other" lang={other}>
              <Text text={words[other][of.phase]} />
            </span>
          </h2>
        </div>
        {hears && (
          <p class="listening-said" aria-live="polite">
            {of.interim !== "" ? of.interim : <Hint state={state} />}
          </p>
        )}
      </div>
      <div class="listening-buttons">
        {hears ? (
          <Hearing phase={of.phase} language={language} other={other} verbs={verbs} />
        ) : (
          <Problem phase={of.phase} language={language} verbs={verbs} />
        )}
      </div>
    </dialog>
  );
}

const shut = () => null;

function Hint({ state: { language, venue } }: { state: State }) {
  const example = venue?.suggestions.map((s) => s[language]).find((text) => text !== "");
  return (
    <span class="listening-hint">
      {words[language].hears}
      {example !== undefined && (
        <span>
          <Text text={words[language].hint(example)} />
        </span>
      )}
    </span>
  );
}

interface Buttons {
  phase: Phase["phase"];
  language: Language;
  verbs: Verbs;
}

function Hearing({ phase, language, other, verbs }: Buttons & { other: Language }) {
  const w = words[language];
  const change = () => {
    verbs.speak(other);
    verbs.listen("begin");
  };
  return (
    <>
      <button type="button" class="button is-done" autofocus aria-disabled={phase === "working"} onClick={() => verbs.listen("end")}>
        <span>{w.done}</span>
      </button>
      <button type="button" class="button" onClick={() => verbs.listen("cancel")}>
        <span>{w.cancel}</span>
      </button>
      <button type="button" class="button" lang={other} onClick={change}>
        <span>{words[other].other}</span>
      </button>
    </>
  );
}

function Problem({ phase, language, verbs }: Buttons) {
  const w = words[language];
  const main = useRef<HTMLButtonElement>(null);
  useEffect(() => main.current?.focus({ preventScroll: true }), [phase]);
  const type = () => {
    verbs.listen("cancel");
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(".ask-box")?.focus());
  };
  return (
    <>
      <button type="button" class="button is-main" ref={main} onClick={() => verbs.listen("begin")}>
        <span>{w.again}</span>
      </button>
      <button type="button" class="button" onClick={type}>
        <span>{w.type}</span>
      </button>
    </>
  );
}

const bars = 9;

/** How loud the visitor is, so that it is seen that sound arrives. Each frame moves some attributes; nothing is drawn anew. */
function Level() {
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const lines = [...(svg.current?.querySelectorAll("line") ?? [])];
    return followLevel((loud) => {
      lines.forEach((line, i) => {
        const away = Math.abs(i - (bars - 1) / 2) / bars;
        const half = 3 + 46 * Math.max(0, loud - away * 0.7);
        line.setAttribute("y1", (55 - half).toFixed(1));
        line.setAttribute("y2", (55 + half).toFixed(1));
      });
    });
  }, []);
  return (
    <svg class="listening-level" ref={svg} viewBox="0 0 220 110" aria-hidden="true">
      {Array.from({ length: bars }, (_, i) => (
        <line key={i} x1={30 + 20 * i} x2={30 + 20 * i} />
      ))}
    </svg>
  );
}

/** A microphone that is off. */
function Closed() {
  return (
    <svg class="listening-closed" viewBox="0 0 24 24" aria-hidden="true">
      <path d={`${microphone}M4 4l16 16`} />
    </svg>
  );
}
