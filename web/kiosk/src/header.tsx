// The curtain over the door: whose guide this is, and what time it is there.

import type { Readable } from "./cell";
import { useCell } from "./cell";
import type { State } from "./state";
import { Text } from "./text";
import { clockOf } from "./time";
import { words } from "./words";

export function Header({ state, now }: { state: State; now: Readable<number> }) {
  const { venue, language } = state;
  return (
    <header class="noren">
      <div class="noren-cloth">
        {venue?.appearance.crestUrl ? (
          <img class="crest is-picture" src={venue.appearance.crestUrl} alt="" />
        ) : (
          <span class="crest" aria-hidden="true" lang="ja">
            {venue?.appearance.crest || "案"}
          </span>
        )}
        <h1>
          {venue !== null && <span class="venue"><Text text={venue.name[language] || venue.name.ja} /></span>}
          <span class="guide">{words[language].title}</span>
          {venue?.demo === true && <span class="demo">{words[language].demo}</span>}
        </h1>
        {venue !== null && <Clock now={now} zone={venue.timezone} language={language} />}
      </div>
      <div class="noren-hem" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
    </header>
  );
}

interface ClockProps {
  now: Readable<number>;
  zone: string;
  language: State["language"];
}

function Clock({ now, zone, language }: ClockProps) {
  const clock = clockOf(useCell(now), zone, language);
  return (
    <p class="clock">
      <span class="clock-day">{clock.day}</span> <time class="clock-time">{clock.time}</time>
    </p>
  );
}
