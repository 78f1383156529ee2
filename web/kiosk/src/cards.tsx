// Cards: a leaf of the calendar, the title, when and where.

import type { Card, Language } from "./api";
import { useScrollPanel } from "./scroll";
import { leafOf, spanOf } from "./time";
import { words } from "./words";

interface Props {
  cards: Card[];
  zone: string;
  language: Language;
}

export function CardList({ cards, zone, language }: Props) {
  const panel = useScrollPanel<HTMLUListElement>();
  if (cards.length === 0) return null;
  return (
    <ul class="cards" ref={panel} aria-label={words[language].events}>
      {cards.map((card, i) => (
        <CardItem key={`${card.start}${card.title}${i}`} card={card} zone={zone} language={language} />
      ))}
    </ul>
  );
}

/** A title that needs two lines is set smaller, so that three cards always fit. */
function isLong(title: string): boolean {
  return [...title].reduce((width, character) => width + (character > "\u02ff" ? 1 : 0.55), 0) > 22;
}

function CardItem({ card, zone, language }: { card: Card; zone: string; language: Language }) {
  const w = words[language];
  const span = card.type === "date" ? "" : spanOf(card, zone, language, w.allDay);
  const cancelled = card.status === "cancelled";
  return (
    <li class={cancelled ? "card is-cancelled" : "card"}>
      <LeafSquare card={card} zone={zone} language={language} />
      <div class="card-text">
        <p class={isLong(card.title) ? "card-title is-long" : "card-title"}>
          {cancelled && <strong class="badge">{w.cancelled}</strong>}
          {card.status === "tentative" && <strong class="badge is-quiet">{w.tentative}</strong>}
          <span>{card.title}</span>
        </p>
        <p class="card-facts">
          {(span || card.when) && <span class="card-time">{span || card.when}</span>}
          {card.location && (
            <span class="card-place">
              <Pin />
              {inLanguage(card.location, language)}
            </span>
          )}
          {card.type === "passage" && card.description && <span class="card-note">{card.description}</span>}
        </p>
      </div>
    </li>
  );
}

/** The half of a place that is in the language, where it is written in both ("1F メインホール / 1F Main Hall"). */
export function inLanguage(place: string, language: Language): string {
  const halves = place.split(" / ");
  const own = halves.filter((half) => /[\u3005-\u30ff\u4e00-\u9fff]/.test(half) === (language === "ja"));
  return (own.length > 0 ? own : halves).join(" / ");
}

function LeafSquare({ card, zone, language }: { card: Card; zone: string; language: Language }) {
  const leaf = leafOf(card, zone, language);
  if (leaf === null) return null;
  return (
    <p class={`leaf on-${leaf.weekdayNumber === 0 ? "sunday" : leaf.weekdayNumber === 6 ? "saturday" : "workday"}`}>
      <span class="leaf-month">{leaf.month}</span> <span class="leaf-day">{leaf.day}</span>{" "}
      <span class="leaf-weekday">{leaf.weekday}</span>
    </p>
  );
}

function Pin() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2.500a7 7 0 0 1 7 7c0 5-7 12-7 12s-7-7-7-12a7 7 0 0 1 7-7z" fill="none" stroke="currentColor" stroke-width="2.5" />
      <circle cx="12" cy="9.5" r="2.3" fill="currentColor" />
    </svg>
  );
}
