// What one may ask by a touch: the preset questions, what to ask next, the options of an open question, more cards.

import type { Verbs } from "./kiosk";
import type { Screen, State, Turn } from "./state";
import { cardsPerPage } from "./state";
import { words } from "./words";

interface Props {
  state: State;
  screen: Screen;
  verbs: Verbs;
}

const choicesShown = 3;

export function Choices({ state, screen, verbs }: Props) {
  const { language, venue, turn } = state;
  const w = words[language];
  const all = (venue?.suggestions ?? []).map((s) => s[language]);
  const presets = all.filter((text) => text !== "" && text !== turn?.question).slice(0, choicesShown);
  switch (screen) {
    case "attract":
      return <Questions title={w.examples} kind="presets" texts={presets} verbs={verbs} />;
    case "confirm":
      return <Questions title={w.choose} kind="options" texts={turn?.interrupt?.options ?? []} verbs={verbs} />;
    case "answering": {
      const paged = turn !== null && turn.cards.length > cardsPerPage;
      const offered = turn?.suggestions ?? [];
      const own = offered.length > 0 || turn?.status === "streaming";
      const texts = (own ? offered : presets).slice(0, paged ? choicesShown - 1 : choicesShown);
      return (
        <Questions title={w.next} kind="suggestions" texts={texts} verbs={verbs} lang={own ? turn?.language : language}>
          {paged && <More turn={turn} state={state} verbs={verbs} />}
        </Questions>
      );
    }
    case "failed":
      return <Questions title={w.next} kind="suggestions" texts={presets} verbs={verbs} lang={language} />;
    case "offline":
      return null;
  }
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
            <button type="button" class={kind === "options" ? "button is-main" : "button"} lang={lang} onClick={() => verbs.ask(text)}>
              <span>{text}</span>
              <Arrow />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Turns the page of the cards; after the last page comes the first. */
function More({ turn, state, verbs }: { turn: Turn; state: State; verbs: Verbs }) {
  const w = words[state.language];
  const last = Math.min(turn.firstCard + cardsPerPage, turn.cards.length);
  return (
    <li>
      <button type="button" class="button is-more" onClick={verbs.more}>
        <span>{w.more}</span>
        <small role="status">{w.shown(turn.firstCard + 1, last, turn.cards.length)}</small>
      </button>
    </li>
  );
}

function Arrow() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M9 5l7 7-7 7" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
