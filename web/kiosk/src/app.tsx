// The page: a header, the lantern, what it says, and below that everything that can be touched. Each screen fills the
// same places, so that the eye stays where it was.

import { useEffect, useRef, useState } from "preact/hooks";
import { Akari } from "./akari";
import { Controls } from "./controls";
import { Choices } from "./choices";
import { Farewell } from "./farewell";
import { Header } from "./header";
import type { Kiosk } from "./kiosk";
import { Main } from "./screens";
import { emotionOf, isBusy, isThinking, screenOf } from "./state";
import { words } from "./words";

export function App({ kiosk }: { kiosk: Kiosk }) {
  const state = kiosk.state.value;
  const screen = screenOf(state);
  const main = useRef<HTMLElement>(null);
  const { language, venue, turn, farewell } = state;

  const bare = screen !== "attract" && (turn === null ? state.today === null : turn.cards.length === 0);

  useEffect(() => {
    document.documentElement.lang = language;
    const name = venue?.name[language] ?? "";
    document.title = [name, words[language].title].filter(Boolean).join(" ");
  }, [language, venue]);

  // A button that was pressed and is gone leaves the keyboard nowhere; it goes on from the answer.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [screen, turn?.number, turn?.poster == null, farewell === null]);

  useEffect(() => followEscape(kiosk), [kiosk]);

  const poster = useLater(turn?.poster != null, () => import("./poster"), () => kiosk.poster(null));
  const resting = kiosk.resting.value && screen === "attract";
  const film = useLater(resting, () => import("./film"), kiosk.wake);

  return (
    <div class={`kiosk on-${screen}`}>
      <Header state={state} now={kiosk.now} />
      <div class={bare ? "stage is-bare" : "stage"}>
        <Akari emotion={emotionOf(state)} thinking={isThinking(state)} language={language} mouth={kiosk.mouth} />
      </div>
      <main class={bare ? "main is-bare" : "main"} ref={main} tabIndex={-1}>
        <Main state={state} screen={screen} now={kiosk.now} />
      </main>
      <div class="deck">
        <Choices state={state} screen={screen} verbs={kiosk} />
        <Controls state={state} screen={screen} verbs={kiosk} />
      </div>
      {poster !== null && turn?.poster != null && <poster.Poster turn={turn} language={language} verbs={kiosk} />}
      {film !== null && resting && <film.Film language={language} wake={kiosk.wake} />}
      <Farewell state={state} verbs={kiosk} />
    </div>
  );
}

/** A part of the page that is loaded when it is first wanted: few visitors want it, and the first load is small. */
function useLater<Part>(wanted: boolean, load: () => Promise<Part>, giveUp: () => void): Part | null {
  const [part, setPart] = useState<{ part: Part } | null>(null);
  useEffect(() => {
    if (wanted && part === null) load().then((part) => setPart({ part }), giveUp);
  }, [wanted]);
  return part?.part ?? null;
}

/** Escape stops what is going on; where nothing is, it goes back to the start. */
function followEscape(kiosk: Kiosk): () => void {
  const onKey = (event: KeyboardEvent) => {
    const state = kiosk.state.value;
    if (event.key !== "Escape" || event.isComposing || state.farewell !== null) return;
    if (state.turn?.poster != null) kiosk.poster(null);
    else if (isBusy(state)) kiosk.stop();
    else if (state.turn !== null) kiosk.reset();
    else kiosk.write("");
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
