// What is read, screen by screen. Nothing here is touched: on a tall panel it hangs above the reach of a seated visitor.

import { useEffect } from "preact/hooks";
import type { Language } from "./api";
import { CardList } from "./cards";
import { useScrollPanel } from "./scroll";
import type { Screen, State, Turn } from "./state";
import { captionsOf, cardsOf, nextEvent } from "./state";
import { clockOf } from "./time";
import { words } from "./words";

interface MainProps {
  state: State;
  screen: Screen;
  now: { readonly value: number };
}

export function Main({ state, screen, now }: MainProps) {
  switch (screen) {
    case "attract":
      return <Attract state={state} now={now} />;
    case "answering":
    case "confirm":
      return state.turn === null ? null : <Answer state={state} turn={state.turn} />;
    case "failed":
      return <Failed state={state} />;
    case "offline":
      return <Offline state={state} />;
  }
}

function Attract({ state, now }: Omit<MainProps, "screen">) {
  const { language, venue, today } = state;
  const other: Language = language === "ja" ? "en" : "ja";
  const event = today === null ? null : nextEvent(today, now.value);
  const none = today?.complete === false ? words[language].unknownToday : words[language].nothingToday;
  return (
    <>
      <h2 class="greeting">
        <span class="greeting-own">{words[language].askMe}</span>
        <span class="greeting-other" lang={other}>
          {words[other].askMe}
        </span>
      </h2>
      {venue !== null && today !== null && (
        <section class="today" aria-labelledby="today">
          <h3 id="today">{words[language].today}</h3>
          {event === null ? (
            <p class="today-none">{none}</p>
          ) : (
            <CardList cards={[{ ...event, type: "event" }]} zone={venue.timezone} language={language} />
          )}
        </section>
      )}
    </>
  );
}

function Answer({ state, turn }: { state: State; turn: Turn }) {
  const { language } = state;
  const zone = state.venue?.timezone ?? "Asia/Tokyo";
  return (
    <>
      <section class="bubble" aria-labelledby="question">
        <h2 class="question" id="question">
          {turn.question}
        </h2>
        <Captions turn={turn} language={language} />
      </section>
      <CardList cards={cardsOf(turn)} zone={zone} language={language} />
    </>
  );
}

/** The answer sentence by sentence, scrolling in its own panel and following what is being said. */
function Captions({ turn, language }: { turn: Turn; language: Language }) {
  const panel = useScrollPanel<HTMLDivElement>();
  const captions = captionsOf(turn);
  const asked = turn.interrupt?.question ?? "";
  const askedApart = asked !== "" && !captions.some((c) => c.text.includes(asked));
  useEffect(() => {
    const said = panel.current?.querySelector(".is-spoken") ?? panel.current?.querySelector(".caption:last-of-type");
    if (captions.length > 1) said?.scrollIntoView({ block: "nearest" });
  }, [captions.length, turn.speaking]);
  return (
    <div class="captions" ref={panel} role="region" aria-label={words[language].answer}>
      <div role="status" aria-live="polite" aria-atomic="false" lang={turn.language}>
        {captions.map((sentence, i) => (
          <p key={`${turn.number}/${i}`} class={i === turn.speaking ? "caption is-spoken" : "caption"}>
            <span>{sentence.text}</span>
          </p>
        ))}
        {askedApart && <p class="caption">{asked}</p>}
        {turn.status === "stopped" && (
          <p class="caption is-note" lang={language}>
            {words[language].stopped}
          </p>
        )}
      </div>
      {turn.status === "streaming" && captions.length === 0 && (
        <p class="progress">
          {turn.progress?.[language] || words[language].thinking}{" "}
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
        </p>
      )}
    </div>
  );
}

/** Japanese reads better with each sentence on a line of its own; English flows on. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[。！？])/u);
}

function Failed({ state }: { state: State }) {
  const { turn, language } = state;
  return (
    <section class="bubble" aria-labelledby="question">
      <h2 class="question" id="question">
        {turn?.question}
      </h2>
      <div class="captions" role="alert">
        {sentencesOf(turn?.failure?.text || words[language].failed).map((sentence) => (
          <p key={sentence} class="caption">
            {sentence}
          </p>
        ))}
      </div>
    </section>
  );
}

function Offline({ state }: { state: State }) {
  const { language, venue, today } = state;
  const w = words[language];
  const known = today !== null && today.complete && venue !== null && today.events.length > 0;
  return (
    <>
      <section class="bubble" aria-labelledby="offline">
        <div class="captions" role="alert">
          <h2 class="caption" id="offline">
            {w.offline}
          </h2>
          {sentencesOf(w.offlineMore + w.staff).map((sentence) => (
            <p key={sentence} class="caption is-note">
              {sentence}
            </p>
          ))}
        </div>
      </section>
      {known && (
        <section class="today" aria-labelledby="today">
          <h3 id="today">
            {w.today} <small>{w.asOf(clockOf(Date.parse(today.asOf), venue.timezone, language).time)}</small>
          </h3>
          <CardList
            cards={today.events.slice(0, 2).map((event) => ({ ...event, type: "event" }))}
            zone={venue.timezone}
            language={language}
          />
        </section>
      )}
    </>
  );
}
