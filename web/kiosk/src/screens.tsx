// What is read, screen by screen. Nothing here is touched: on a tall panel it hangs above the reach of a seated visitor.

import { useEffect } from "preact/hooks";
import type { CalendarEvent, Language } from "./api";
import type { Readable } from "./cell";
import { useCell } from "./cell";
import { CardList } from "./cards";
import { titleIn } from "./language";
import { useScrollPanel } from "./scroll";
import type { Screen, State, Turn } from "./state";
import { captionsOf, cardsIn, cardsOf, nextEvent, toldOnCards } from "./state";
import { Text } from "./text";
import { clockOf } from "./time";
import { words } from "./words";

interface MainProps {
  state: State;
  screen: Screen;
  now: Readable<number>;
  /** What goes by while nobody is there, or null. */
  ambient: typeof import("./ambient") | null;
}

export function Main({ state, screen, now, ambient }: MainProps) {
  switch (screen) {
    case "attract":
      return <Attract state={state} now={now} ambient={ambient} />;
    case "answering":
    case "choose":
    case "confirm":
    case "alarm":
      return state.turn === null ? null : <Answer state={state} turn={state.turn} />;
    case "failed":
      return <Failed state={state} />;
    case "offline":
      return <Offline state={state} />;
  }
}

function Attract({ state, now, ambient }: Omit<MainProps, "screen">) {
  const { language, venue, today } = state;
  const other: Language = language === "ja" ? "en" : "ja";
  const time = useCell(now);
  const event = today === null ? null : nextEvent(today, time);
  const none = today?.complete === false ? words[language].unknownToday : words[language].nothingToday;
  return (
    <>
      <h2 class="greeting">
        <span class="greeting-own">
          <Text text={words[language].askMe} />
        </span>
        <span class="greeting-other" lang={other}>
          <Text text={words[other].askMe} />
        </span>
      </h2>
      {venue !== null && ambient !== null && <ambient.Ambient state={state} venue={venue} now={now} />}
      {venue !== null && today !== null && ambient === null && (
        <section class="today" aria-labelledby="today">
          <h3 id="today">{words[language].today}</h3>
          {event === null ? (
            <p class="today-none">
              <Text text={none} />
            </p>
          ) : (
            <CardList cards={[{ ...event, type: "event" }]} zone={venue.timezone} language={language} />
          )}
        </section>
      )}
    </>
  );
}

function Answer({ state, turn }: { state: State; turn: Turn }) {
  const { language, fits } = state;
  const zone = state.venue?.timezone ?? "Asia/Tokyo";
  const told = turn.speaking === null ? undefined : toldOnCards(turn)[turn.speaking];
  const [card, ...others] = cardsIn(turn);
  const alone = others.length === 0 && card?.type !== "map";
  return (
    <>
      <Bubble turn={turn}>
        <Captions turn={turn} language={language} fits={fits} zone={zone} />
      </Bubble>
      <CardList
        cards={cardsOf(turn, fits)}
        zone={zone}
        language={language}
        first={alone ? 0 : turn.firstCard + 1}
        spoken={told === undefined ? undefined : told - turn.firstCard}
      />
    </>
  );
}

function Bubble({ turn, children }: { turn: Turn | null; children: preact.ComponentChildren }) {
  return (
    <section class="bubble" aria-labelledby="question">
      <h2 class="question" id="question">
        <span>
          <Text text={turn?.question ?? ""} />
        </span>
      </h2>
      {children}
    </section>
  );
}

/** The answer sentence by sentence, scrolling in its own panel and following what is being said. What stands on a card is only spoken. */
function Captions({ turn, language, fits, zone }: { turn: Turn; language: Language; fits: number; zone: string }) {
  const panel = useScrollPanel<HTMLDivElement>();
  const captions = captionsOf(turn);
  const told = toldOnCards(turn);
  const isOnCard = (i: number) => {
    const card = told[i] ?? -1;
    return card >= turn.firstCard && card < turn.firstCard + fits;
  };
  useEffect(() => {
    const said = panel.current?.querySelector(".is-spoken") ?? panel.current?.querySelector(".caption:last-of-type");
    if (captions.length > 1) said?.scrollIntoView({ block: "nearest" });
  }, [captions.length, turn.speaking]);
  const keep = [...turn.cards.map((card) => titleIn(card.title, turn.language)), ...(turn.interrupt?.options ?? [])];
  return (
    <div class="captions" ref={panel} role="region" aria-label={words[language].answer}>
      <div role="status" aria-live="polite" aria-atomic="false" lang={turn.language}>
        {captions.map((sentence, i) => (
          <p key={`${turn.number}/${i}`} class={`caption${i === turn.speaking ? " is-spoken" : ""}${isOnCard(i) ? " is-on-card" : ""}`}>
            <span>
              <Text text={sentence.text} keep={keep} />
            </span>
          </p>
        ))}
        {captions.length === 0 && turn.interrupt !== null && <p class="caption">{turn.interrupt.question}</p>}
        {turn.asOf !== "" && (
          <p class="caption is-note" lang={language}>
            {words[language].asOf(clockOf(Date.parse(turn.asOf), zone, language).time)}
          </p>
        )}
        {turn.status === "stopped" && (
          <p class="caption is-note" lang={language}>
            <Text text={words[language].stopped} />
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

function Lines({ text, kind = "caption" }: { text: string; kind?: string }) {
  return (
    <>
      {sentencesOf(text).map((sentence) => (
        <p key={sentence} class={kind}>
          <Text text={sentence} />
        </p>
      ))}
    </>
  );
}

function Failed({ state }: { state: State }) {
  const { turn, language } = state;
  const panel = useScrollPanel<HTMLDivElement>();
  return (
    <Bubble turn={turn}>
      <div class="captions" ref={panel} role="alert">
        <Lines text={turn?.failure?.text || words[language].failed} />
      </div>
    </Bubble>
  );
}

/** Without the server: what was said so far with an apology, or that it will be back; and what is on today, as far as known. */
function Offline({ state }: { state: State }) {
  const { language, venue, today, turn } = state;
  const panel = useScrollPanel<HTMLDivElement>();
  const w = words[language];
  const known = turn === null && today !== null && today.complete && venue !== null && today.events.length > 0;
  return (
    <>
      <section class="bubble" aria-labelledby="offline">
        <Cut turn={turn} today={today?.events ?? []} />
        <div class="captions" ref={panel} role="alert">
          <h2 class="caption" id="offline">
            <Text text={w.offline} />
          </h2>
          <Lines text={(turn?.status === "broken" && turn.sentences.length > 0 ? w.brokenOff : w.offlineMore) + w.staff} kind="caption is-note" />
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

function Cut({ turn, today }: { turn: Turn | null; today: CalendarEvent[] }) {
  const panel = useScrollPanel<HTMLDivElement>();
  if (turn === null || turn.sentences.length === 0) return null;
  return (
    <div class="captions is-cut" lang={turn.language} ref={panel}>
      {turn.sentences.map(({ text }, i) => (
        <p key={i} class="caption">
          <Text text={text} keep={today.map((event) => titleIn(event.title, turn.language))} />
        </p>
      ))}
    </div>
  );
}
