// What one may ask by a touch: the preset questions, what to ask next, the options of an open question, more cards.

import type { Verbs } from "./kiosk";
import { isAlike } from "./language";
import type { Screen, State, Turn } from "./state";
import { cardsIn, cardsOf, postersOf } from "./state";
import { Text } from "./text";
import { words } from "./words";

interface Props {
  state: State;
  screen: Screen;
  verbs: Verbs;
  /** The keys of the desk, once they are loaded. */
  counter: typeof import("./counter") | null;
}

/** As many preset questions as the front shows; small screens hide the last of them. */
const presetsShown = 6;
const choicesShown = 3;

export function Choices({ state, screen, verbs, counter }: Props) {
  const { language, turn } = state;
  const w = words[language];
  switch (screen) {
    case "attract":
      return <Questions title={w.examples} kind="presets" texts={presetsOf(state).slice(0, presetsShown)} verbs={verbs} />;
    case "choose":
      return (
        <Questions title={w.choose} kind="options" texts={turn?.interrupt?.options ?? []} verbs={verbs} lang={turn?.language} />
      );
    case "answering":
      return turn === null ? null : <Next state={state} turn={turn} verbs={verbs} counter={counter} />;
    case "failed":
      return <Questions title={w.next} kind="suggestions" texts={presetsOf(state).slice(0, choicesShown)} verbs={verbs} />;
    case "confirm":
    case "alarm":
    case "offline":
      return null;
  }
}

/** The venue's questions that this visitor has not asked yet, in one wording or another. */
function presetsOf({ venue, asked, language }: State): string[] {
  const all = (venue?.suggestions ?? []).map((s) => s[language]);
  return all.filter((text) => text !== "" && !asked.some((question) => isAlike(question, text)));
}

/** What the server suggests; where it only offers the venue's questions, those that are new to the visitor. */
function Next({ state, turn, verbs, counter }: Omit<Props, "screen"> & { turn: Turn }) {
  const w = words[state.language];
  const venues = new Set(state.venue?.suggestions.flatMap((s) => [s.ja, s.en]));
  const own = turn.suggestions.filter((text) => !venues.has(text) && text !== w.detailsOf(1));
  const offered = turn.status === "streaming" ? turn.suggestions : [...own, ...presetsOf(state)];
  const shown = cardsOf(turn, state.fits);
  const listed = turn.cards.length > 1 && shown.every((card) => card.type === "event");
  const paged = cardsIn(turn).length > state.fits;
  const poster = postersOf(turn).length > 0;
  const take = counter?.canTake(state) === true;
  const extra = Number(listed) + Number(paged) + Number(poster) + Number(take);
  if (offered.length + extra === 0) return null;
  return (
    <Questions title={w.next} kind="suggestions" texts={offered.slice(0, Math.min(choicesShown, Math.max(1, 4 - extra)))} verbs={verbs}>
      {paged && <More turn={turn} state={state} verbs={verbs} />}
      {listed && <Details state={state} first={turn.firstCard} count={shown.length} verbs={verbs} />}
      {take && <counter.TakeKey state={state} turn={turn} />}
      {poster && (
        <li class="is-poster">
          <button type="button" class="button" onClick={() => verbs.poster(0)}>
            {w.poster}
          </button>
        </li>
      )}
    </Questions>
  );
}

interface QuestionsProps {
  title: string;
  kind: "presets" | "options" | "suggestions";
  texts: string[];
  verbs: Verbs;
  lang?: string | undefined;
  children?: preact.ComponentChildren;
}

function Questions({ title, kind, texts, verbs, lang, children }: QuestionsProps) {
  if (texts.length === 0 && !children) return null;
  return (
    <section class={`choices is-${kind}`} aria-labelledby="choices">
      <h2 class={kind === "suggestions" ? "choices-title is-quiet" : "choices-title"} id="choices">
        {title}
      </h2>
      <ul>
        {children}
        {texts.map((text) => (
          <li key={text}>
            <button type="button" class="button" lang={lang} aria-label={text} onClick={() => verbs.ask(text)}>
              <span>
                <Text text={text} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A key for each card that is shown, since the cards themselves may hang out of reach. */
function Details({ state, first, count, verbs }: { state: State; first: number; count: number; verbs: Verbs }) {
  const w = words[state.language];
  return (
    <li class="details">
      <span>{w.details}</span>
      {Array.from({ length: count }, (_, i) => first + i + 1).map((number) => (
        <button type="button" class="button" key={number} aria-label={`${number}: ${w.detailsOf(number)}`} onClick={() => verbs.ask(w.detailsOf(number))}>
          {number}
        </button>
      ))}
    </li>
  );
}

/** Turns the page of the cards; after the last page comes the first. */
function More({ turn, state, verbs }: { turn: Turn; state: State; verbs: Verbs }) {
  const w = words[state.language];
  const all = cardsIn(turn).length;
  const last = Math.min(turn.firstCard + state.fits, all);
  return (
    <li>
      <button type="button" class="button is-more" onClick={verbs.more}>
        <span>{last === all ? w.first : w.more}</span>
        <small role="status">{w.shown(turn.firstCard + 1, last, all)}</small>
      </button>
    </li>
  );
}
