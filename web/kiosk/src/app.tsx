// The page: a header, the lantern, what it says, and below that everything that can be touched. Each screen fills the
// same places, so that the eye stays where it was.

import { useEffect, useRef, useState } from "preact/hooks";
import type { FigureProps } from "./akari";
import { Akari } from "./akari";
import type { Model } from "./avatar/avatar";
import { useCell } from "./cell";
import { Controls } from "./controls";
import { Choices } from "./choices";
import { useFits } from "./fits";
import { Header } from "./header";
import type { Kiosk } from "./kiosk";
import { Main } from "./screens";
import { cardsIn, emotionOf, isBusy, isThinking, screenOf } from "./state";
import type { Screen, State } from "./state";
import { hasLargeLetters } from "./touch";
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
  const ears = useLater(state.ears, () => import("./listening"), () => undefined);
  const resting = useCell(kiosk.resting) && screen === "attract";
  const film = useLater(resting, () => import("./film"), kiosk.wake);
  const ambient = useLater(venue !== null, () => import("./ambient"), () => undefined);
  const season = useLater(venue !== null, () => import("./season"), () => undefined);
  const around = season === null || venue === null ? null : season.around(kiosk.now.value, venue.timezone);
  const figure = useModel(venue?.appearance.avatarUrl ?? "");
  const parting = useLater(turn !== null || farewell !== null, () => import("./farewell"), () => undefined);
  const counter = useLater(venue !== null, () => import("./counter"), () => undefined);
  const asked = screen === "confirm" ? (turn?.interrupt?.confirmation ?? null) : null;
  const confirm = useLater(asked !== null, () => import("./confirm"), () => undefined);
  const sheet = confirm !== null && asked !== null && turn !== null;

  const mood: FigureProps = {
    emotion: emotionOf(state),
    gesture: turn?.gesture ?? "",
    thinking: isThinking(state),
    turn: turn?.number ?? 0,
    free: screen === "attract" && farewell === null,
    language,
    mouth: kiosk.mouth,
  };
  return (
    <div class={`${classesOf(state, screen)}${around?.dark ? " is-evening" : ""}`}>
      <Header state={state} now={kiosk.now} />
      <div class="stage">
        {season !== null && around !== null && resting && <season.Drift season={around.season} />}
        {figure?.shown !== true && <Akari {...mood} ornament={season !== null && around !== null && <season.Ornament season={around.season} />} />}
        {figure !== null && <figure.Avatar {...mood} {...figure} />}
      </div>
      <main class="main" ref={main} tabIndex={-1}>
        {sheet ? <confirm.Sheet state={state} turn={turn} of={asked} /> : <Main state={state} screen={screen} now={kiosk.now} ambient={resting ? ambient : null} />}
        {counter !== null && screen === "attract" && <counter.Credit state={state} />}
        {figure !== null && screen === "attract" && <figure.About model={figure.model} language={language} />}
      </main>
      <div class="deck">
        {sheet ? (
          <confirm.Answers turn={turn} of={asked} verbs={kiosk} />
        ) : counter !== null && !state.online ? (
          <counter.Kept state={state} recall={kiosk.recall} />
        ) : (
          <Choices state={state} screen={screen} verbs={kiosk} counter={counter} />
        )}
        <Controls state={state} screen={screen} verbs={kiosk} counter={counter} Talk={ears?.Talk} />
      </div>
      {poster !== null && turn?.poster != null && <poster.Poster turn={turn} language={language} verbs={kiosk} />}
      {film !== null && resting && <film.Film language={language} wake={kiosk.wake} />}
      {ears !== null && state.listening !== null && <ears.Listening state={state} of={state.listening} verbs={kiosk} />}
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
  return ["kiosk", `on-${screen}`, bare && "is-bare", (state.large || hasLargeLetters) && "is-large", state.keys && "has-keys"].filter(Boolean).join(" ");
}

/** A part of the page that is loaded when it is first wanted: few visitors want it, and the first load is small. */
function useLater<Part>(wanted: boolean, load: () => Promise<Part>, giveUp: () => void): Part | null {
  const [part, setPart] = useState<{ part: Part } | null>(null);
  useEffect(() => {
    if (wanted && part === null) load().then((part) => setPart({ part }), giveUp);
  }, [wanted]);
  return part?.part ?? null;
}

interface Figure extends Pick<typeof import("./avatar/avatar"), "Avatar" | "About"> {
  model: Model;
  /** Whether it was drawn, so that Akari may go. */
  shown: boolean;
  show: () => void;
  lost: () => void;
}

/** The venue's own figure, once it is loaded; null, which is Akari, before that and where it fails. */
function useModel(address: string): Figure | null {
  const [figure, setFigure] = useState<Figure | null>(null);
  useEffect(() => {
    let gone = false;
    const lost = () => setFigure(null);
    const begin = async () => {
      const { Avatar, About, load } = await import("./avatar/avatar");
      const model = await load(address);
      const show = () => setFigure((figure) => figure && { ...figure, shown: true });
      if (!gone) setFigure({ Avatar, About, model, lost, show, shown: false });
    };
    if (address !== "") begin().catch(lost);
    return () => {
      gone = true;
    };
  }, [address]);
  return figure;
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
