// The curtain over the door: whose guide this is, and what time it is there.

import type { State } from "./state";
import { clockOf } from "./time";
import { words } from "./words";

export function Header({ state, now }: { state: State; now: { readonly value: number } }) {
  const { venue, language } = state;
  return (
    <header class="noren">
      <div class="noren-cloth">
        <span class="crest" aria-hidden="true" lang="ja">
          案
        </span>
        <h1>
          {venue !== null && <span class="venue">{venue.name[language] || venue.name.ja}</span>}
          <span class="guide">{words[language].title}</span>
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
  now: { readonly value: number };
  zone: string;
  language: State["language"];
}

function Clock({ now, zone, language }: ClockProps) {
  const clock = clockOf(now.value, zone, language);
  return (
    <p class="clock">
      <span class="clock-day">{clock.day}</span> <time class="clock-time">{clock.time}</time>
    </p>
  );
}
