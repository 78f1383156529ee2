// What is always at hand: stop, once more, finish; the question box; the language.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Language } from "./api";
import type { Verbs } from "./kiosk";
import { writtenIn } from "./language";
import type { Screen, State } from "./state";
import { isBusy } from "./state";
import { hasOwnKeyboard } from "./touch";
import { words } from "./words";

interface Props {
  state: State;
  screen: Screen;
  verbs: Verbs;
  /** The keys of the desk, once they are loaded. */
  counter: typeof import("./counter") | null;
  /** The key to talk, where the kiosk hears. */
  Talk?: typeof import("./listening").Talk | undefined;
}

const longestQuestion = 2000;

export function Controls({ state, screen, verbs, counter, Talk }: Props) {
  const w = words[state.language];
  return (
    <section class="controls" aria-label={w.question}>
      {screen !== "attract" && <Actions state={state} screen={screen} verbs={verbs} counter={counter} />}
      <QuestionBox state={state} screen={screen} verbs={verbs} Talk={Talk} />
      <div class="controls-last">
        <LanguageSwitch language={state.language} verbs={verbs} />
        <button type="button" class="language is-large-text" aria-pressed={state.large} aria-label={w.large} onClick={() => verbs.enlarge(!state.large)}>
          <span>{w.large}</span>
        </button>
        {state.venue?.voice && (
          <button type="button" class="language is-sound" aria-pressed={state.sound} aria-label={w.sound} onClick={() => verbs.sound(!state.sound)}>
            <Icon path={state.sound ? "M4 10v4h3l5 4V6l-5 4zM15 9.500a4 4 0 0 1 0 5M17.500 7a8 8 0 0 1 0 10" : "M4 10v4h3l5 4V6l-5 4zM16 10l4 4M20 10l-4 4"} />
          </button>
        )}
        {counter !== null && <counter.StaffKey state={state} />}
      </div>
    </section>
  );
}

function Actions({ state, screen, verbs, counter }: Props) {
  const w = words[state.language];
  const busy = isBusy(state);
  const canRepeat = (state.turn?.sentences.length ?? 0) > 0;
  const failed = screen === "failed" || screen === "offline";
  return (
    <div class="actions">
      {failed ? (
        <button type="button" class="button is-main" onClick={verbs.retry}>
          <Icon path="M19 12a7 7 0 1 1-2.2-5.1M19 3v5h-5" />
          <span>{w.retry}</span>
        </button>
      ) : busy ? (
        <button key="now" type="button" class="button is-stop" onClick={verbs.stop}>
          <Icon path="M7 7h10v10H7z" filled />
          <span>{w.stop}</span>
        </button>
      ) : (
        canRepeat && (
          <button key="now" type="button" class="button" onClick={verbs.repeat}>
            <Icon path="M19 12a7 7 0 1 1-2.2-5.1M19 3v5h-5" />
            <span>{w.repeat}</span>
          </button>
        )
      )}
      {screen !== "offline" && (
        <button type="button" class="button" onClick={verbs.reset}>
          <span>{w.finish}</span>
        </button>
      )}
      {counter !== null && <counter.AnswerKeys state={state} screen={screen} />}
    </div>
  );
}

function QuestionBox({ state, screen, verbs, Talk }: Omit<Props, "counter">) {
  const w = words[state.language];
  const box = useRef<HTMLInputElement>(null);
  const keyboard = useKeyboard(state.keys);
  const send = (event: Event) => {
    event.preventDefault();
    const language = writtenIn(state.draft);
    if (language !== null) verbs.speak(language);
    if (state.draft.trim() === "") box.current?.focus();
    else if (screen === "offline") verbs.retry();
    else verbs.ask(state.draft);
  };
  const own = hasOwnKeyboard();
  return (
    <>
      <form class="ask" onSubmit={send}>
        <input
          ref={box}
          class="ask-box"
          type="text"
          name="question"
          aria-label={w.question}
          placeholder={w.placeholder}
          value={state.draft}
          onInput={(event) => verbs.write(event.currentTarget.value)}
          onPointerUp={() => own && verbs.type(true)}
          inputMode={own ? "none" : "text"}
          maxLength={longestQuestion}
          autocomplete="off"
          enterKeyHint="send"
          spellcheck={false}
        />
        {own && (
          <button type="button" class="button is-keyboard" aria-label={w.keyboard} aria-expanded={state.keys} onClick={() => verbs.type(!state.keys)}>
            <Icon path="M3 6.500h18v11H3zM6.500 10h.1M10 10h.1M13.500 10h.1M17 10h.1M8 14h8" />
          </button>
        )}
        {Talk && state.draft === "" && screen !== "offline" ? (
          <Talk language={state.language} verbs={verbs} />
        ) : (
          <button type="submit" class="button is-main">
            <span>{w.send}</span>
          </button>
        )}
      </form>
      {state.keys && keyboard !== null && <keyboard.Keyboard language={state.language} box={box} verbs={verbs} />}
    </>
  );
}

/** Our own keyboard, loaded when it is first wanted. */
function useKeyboard(wanted: boolean): typeof import("./keyboard") | null {
  const [part, setPart] = useState<typeof import("./keyboard") | null>(null);
  useEffect(() => {
    if (wanted && part === null) import("./keyboard").then(setPart, () => undefined);
  }, [wanted]);
  return part;
}

const languages: { code: Language; name: string }[] = [
  { code: "ja", name: "日本語" },
  { code: "en", name: "English" },
];

function LanguageSwitch({ language, verbs }: { language: Language; verbs: Verbs }) {
  return (
    <div class="languages" role="group" aria-label={words[language].language}>
      {languages.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          class="language"
          lang={code}
          aria-pressed={code === language}
          onClick={() => verbs.speak(code)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function Icon({ path, filled = false }: { path: string; filled?: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={path}
        fill={filled ? "currentColor" : "none"}
        stroke="currentColor"
        stroke-width="2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
