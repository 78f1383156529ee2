// Cards: a leaf of the calendar, the title, when and where; or what a piece of knowledge says that was not said aloud.

import { useEffect, useState } from "preact/hooks";
import type { Card, Language } from "./api";
import { inLanguage, titleIn } from "./language";
import { useScrollPanel } from "./scroll";
import { Text } from "./text";
import { leafOf, spanOf } from "./time";
import { words } from "./words";

interface Props {
  cards: Card[];
  zone: string;
  language: Language;
  /** The number of the first card among all, where they are counted; 0 where there is one, which has all the room. */
  first?: number | undefined;
  /** Which of them is being spoken of. */
  spoken?: number | undefined;
}

export function CardList({ cards, zone, language, first, spoken }: Props) {
  const panel = useScrollPanel<HTMLUListElement>();
  if (cards.length === 0) return null;
  const rich = first === 0;
  return (
    <ul class={rich ? "cards is-rich" : "cards"} ref={panel} aria-label={words[language].events}>
      {cards.map((card, i) => (
        <CardItem
          key={`${card.start}${card.title}${i}`}
          card={card}
          zone={zone}
          language={language}
          number={first !== undefined && !rich ? first + i : null}
          spoken={i === spoken}
          rich={rich}
        />
      ))}
    </ul>
  );
}

interface ItemProps extends Pick<Props, "zone" | "language"> {
  card: Card;
  number: number | null;
  spoken: boolean;
  rich: boolean;
}

function CardItem({ card, zone, language, number, spoken, rich }: ItemProps) {
  const w = words[language];
  const span = card.type === "date" ? "" : spanOf(card, zone, language, w.allDay);
  const cancelled = card.status === "cancelled";
  const notice = noticeOf(card.notice, language);
  const title = card.type === "passage" ? (card.title.split(" / ")[0] ?? "") : titleIn(card.title, language);
  const drawn = card.type === "prices" || card.type === "map";
  const picture = card.picture || card.poster;
  const note = !drawn && (card.type === "passage" || rich) ? card.description : "";
  return (
    <li class={`card is-${card.type}${card.type === "passage" && !note ? " is-empty" : ""}${cancelled ? " is-cancelled" : ""}${spoken ? " is-spoken" : ""}`}>
      <LeafSquare card={card} zone={zone} language={language} number={number} />
      <div class="card-text">
        <p class="card-title">
          {cancelled && !notice && <strong class="badge">{w.cancelled}</strong>}
          {notice && <strong class={cancelled ? "badge" : "badge is-quiet"}>{notice}</strong>}
          {card.status === "tentative" && <strong class="badge is-quiet">{w.tentative}</strong>}
          <span>
            <Text text={title} />
          </span>
        </p>
        {(span || card.when || card.location) && card.type !== "passage" && (
          <p class="card-facts">
            {(span || card.when) && <span class="card-time">{span || card.when}</span>}
            {card.location && (
              <span class="card-place">
                <Pin />
                {inLanguage(card.location, language)}
              </span>
            )}
          </p>
        )}
        {drawn && <Later load={() => import("./drawn")} of={(part) => <part.Drawn card={card} language={language} />} />}
        {note && (
          <p class="card-note">
            <Text text={note} />
          </p>
        )}
      </div>
      {picture && (
        <span class="picture">
          <img src={picture} alt="" loading="lazy" decoding="async" onError={({ currentTarget }) => (currentTarget.hidden = true)} />
        </span>
      )}
      {rich && card.url !== undefined && <Later load={() => import("./code")} of={(part) => <part.Code url={card.url ?? ""} language={language} />} />}
    </li>
  );
}

/** A part of a card that few cards have: the address of where more is said, a price list. */
function Later<Part>({ load, of }: { load: () => Promise<Part>; of: (part: Part) => preact.ComponentChild }) {
  const [part, setPart] = useState<{ part: Part } | null>(null);
  useEffect(() => {
    load().then((part) => setPart({ part }), () => undefined);
  }, []);
  return part && <>{of(part.part)}</>;
}

/** The word for what is to be known of an event, if there is one. */
function noticeOf(notice: string | undefined, language: Language): string {
  const w = words[language];
  return notice === "full" ? w.full : notice === "reserved" ? w.reserved : notice === "postponed" ? w.postponed : "";
}

function LeafSquare({ card, zone, language, number }: Pick<ItemProps, "card" | "zone" | "language" | "number">) {
  const leaf = leafOf(card, zone, language);
  if (leaf === null) return null;
  return (
    <p class={`leaf on-${leaf.weekdayNumber === 0 ? "sunday" : leaf.weekdayNumber === 6 ? "saturday" : "workday"}`}>
      {number !== null && <span class="leaf-number">{number}</span>} <span class="leaf-month">{leaf.month}</span>{" "}
      <span class="leaf-day">{leaf.day}</span> <span class="leaf-weekday">{leaf.weekday}</span>
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
