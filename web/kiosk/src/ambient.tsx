// The front while nobody uses it: today's events, the hours and a question of the day go by.

import { useEffect, useState } from "preact/hooks";
import type { Language, Venue } from "./api";
import { CardList } from "./cards";
import type { Readable } from "./cell";
import { useCell } from "./cell";
import type { Slide } from "./slides";
import { slidesOf } from "./slides";
import type { State } from "./state";
import "./style/ambient.css";
import { Text } from "./text";
import { words } from "./words";

/** How long one slide stays, in milliseconds: twice as long as it takes to be read. */
const stays = 8000;

const own = {
  ja: { hours: "きょうの開館時間", question: "きょうの質問", ask: "…と、聞いてみてください" },
  en: { hours: "Opening hours today", question: "Question of the day", ask: "Go on, ask me" },
};

interface Props {
  state: State;
  venue: Venue;
  now: Readable<number>;
}

export function Ambient({ state, venue, now }: Props) {
  const minute = Math.floor(useCell(now) / 60_000) * 60_000;
  const slides = slidesOf(state, minute);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((t) => t + 1), stays);
    return () => clearInterval(timer);
  }, []);
  const shown = turn % Math.max(1, slides.length);
  return (
    <div class="ambient">
      {slides.map((slide, i) => (
        <section key={i} class={i === shown ? "today slide is-shown" : "today slide"} aria-hidden={i !== shown}>
          <SlideOf slide={slide} language={state.language} zone={venue.timezone} />
        </section>
      ))}
      <p class="slide-dots" aria-hidden="true">
        {slides.length > 1 && slides.map((_, i) => <i key={i} class={i === shown ? "is-shown" : ""} />)}
      </p>
    </div>
  );
}

function SlideOf({ slide, language, zone }: { slide: Slide; language: Language; zone: string }) {
  const w = words[language];
  const o = own[language];
  switch (slide.kind) {
    case "event":
      return (
        <>
          <h3>{w.today}</h3>
          <CardList cards={[{ ...slide.event, type: "event" }]} zone={zone} language={language} />
        </>
      );
    case "none":
    case "unknown":
      return (
        <>
          <h3>{w.today}</h3>
          <p class="today-none"><Text text={slide.kind === "none" ? w.nothingToday : w.unknownToday} /></p>
        </>
      );
    case "hours":
      return (
        <>
          <h3>{o.hours}</h3>
          <p class="slide-fact">
            <strong>{slide.text}</strong> {slide.note !== "" && <small>{slide.note}</small>}
          </p>
        </>
      );
    case "question":
      return (
        <>
          <h3>{o.question}</h3>
          <p class="slide-fact is-question">
            <strong>
              <Text text={language === "ja" ? `「${slide.text}」` : `“${slide.text}”`} />
            </strong>{" "}
            <small>{o.ask}</small>
          </p>
        </>
      );
  }
}
