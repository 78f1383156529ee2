// The page: a header, the lantern, what it says, and below that everything that can be touched. Each screen fills the
// same places, so that the eye stays where it was.

import { useEffect, useRef, useState } from "preact/hooks";
import { Akari } from "./akari";
import { useCell } from "./cell";
import { Controls } from "./controls";
import { Choices } from "./choices";
import { useFits } from "./fits";
import { Header } from "./header";
import type { Kiosk } from "./kiosk";
import { Main } from "./screens";
import { cardsIn, emotionOf, isBusy, isThinking, screenOf } from "./state";
import type { Screen, State } from "./state";
import { words } from "./words";

export function App({ kiosk }: { kiosk: Kiosk }) {
  const state = useCell(kiosk.state);
  const screen = screenOf(state);
  const main = useRef<HTMLElement>(null);
  const { language, venue, turn, farewell } = state;

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
  useFits(main, kiosk.fit);

  const poster = useLater(turn?.poster != null, () => import("./poster"), () => kiosk.poster(null));
  const resting = useCell(kiosk.resting) && screen === "attract";
  const film = useLater(resting, () => import("./film"), kiosk.wake);
  const parting = useLater(turn !== null || farewell !== null, () => import("./farewell"), () => undefined);
  const counter = useLater(venue !== null, () => import("./counter"), () => undefined);
  const asked = screen === "confirm" ? (turn?.interrupt?.confirmation ?? null) : null;
  const confirm = useLater(asked !== null, () => import("./confirm"), () => undefined);
  const sheet = confirm !== null && asked !== null && turn !== null;

  return (
    <div class={classesOf(state, screen)}>
      <Header state={state} now={kiosk.now} />
      <div class="stage">
        <Akari
          emotion={emotionOf(state)}
          gesture={turn?.gesture ?? (screen === "attract" ? "wave" : "")}
          thinking={isThinking(state)}
          language={language}
          mouth={kiosk.mouth}
        />
      </div>
      <main class="main" ref={main} tabIndex={-1}>
        {sheet ? <confirm.Sheet state={state} turn={turn} of={asked} /> : <Main state={state} screen={screen} now={kiosk.now} />}
      </main>
      <div class="deck">
        {sheet ? (
          <confirm.Answers turn={turn} of={asked} verbs={kiosk} />
        ) : counter !== null && !state.online ? (
          <counter.Kept state={state} recall={kiosk.recall} />
        ) : (
          <Choices state={state} screen={screen} verbs={kiosk} counter={counter} />
        )}
        <Controls state={state} screen={screen} verbs={kiosk} counter={counter} />
      </div>
      {poster !== null && turn?.poster != null && <poster.Poster turn={turn} language={language} verbs={kiosk} />}
      {film !== null && resting && <film.Film language={language} wake={kiosk.wake} />}
      {counter !== null && <counter.Dialogs state={state} />}
      {parting !== null && <parting.Farewell state={state} verbs={kiosk} />}
    </div>
  );
}

/** What the style sheets ask for: the screen, whether there are cards, and what the visitor wishes. */
function classesOf(state: State, screen: Screen): string {
  const { turn, today } = state;
  const bare =
    screen === "answering" || screen === "choose" || screen === "alarm" || screen === "failed"
      ? turn === null || cardsIn(turn).length === 0 || screen === "failed"
      : screen === "offline" && (turn !== null || !today?.complete || today.events.length === 0);
  return ["kiosk", `on-${screen}`, bare && "is-bare", state.large && "is-large", state.keys && "has-keys"].filter(Boolean).join(" ");
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
    else if (state.keys) kiosk.type(false);
    else if (isBusy(state)) kiosk.stop();
    else if (state.turn !== null) kiosk.reset();
    else kiosk.write("");
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
