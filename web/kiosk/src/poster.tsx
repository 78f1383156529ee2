// The poster of an event, to look at, to photograph its QR code, and to print.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Card, Language } from "./api";
import { inLanguage, titleIn } from "./language";
import { credentials } from "./key";
import type { Verbs } from "./kiosk";
import type { Turn } from "./state";
import { postersOf } from "./state";
import "./style/dialog.css";
import "./style/poster.css";
import { words } from "./words";

/** What only this dialog says; it is loaded later than all other words. */
const own = {
  ja: {
    making: "ポスターを作っています",
    failed: "すみません、ポスターを作れませんでした。",
    print: "印刷する",
    otherDesign: "ほかのデザイン",
    nextEvent: "つぎのイベント",
    close: "とじる",
  },
  en: {
    making: "Making the poster",
    failed: "I'm sorry, I couldn't make the poster.",
    print: "Print",
    otherDesign: "Another design",
    nextEvent: "Next event",
    close: "Close",
  },
};

const styles = ["modern", "classic", "vibrant"] as const;

/** A4, so that it fills the paper. */
const dimensions = { width: 1240, height: 1754 };

/** What the tool takes at most. */
const longest = { title: 160, place: 120, url: 300 };

export function Poster({ turn, language, verbs }: { turn: Turn; language: Language; verbs: Verbs }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const [style, setStyle] = useState(0);
  const cards = postersOf(turn);
  const shown = turn.poster ?? 0;
  const card = cards[shown];
  const picture = usePicture(card === undefined ? null : requestFor(card, language, styles[style] ?? "modern"), (address) => verbs.poster(shown, address));
  if (card === undefined) return null;
  const w = own[language];
  const name = `${words[language].poster}: ${titleIn(card.title, language)}`;
  return (
    <dialog
      class="poster"
      ref={dialog}
      aria-labelledby="poster"
      onCancel={(event) => {
        event.preventDefault();
        verbs.poster(null);
      }}
    >
      <div class="poster-top">
        <h2 id="poster">{name}</h2>
        {typeof picture === "string" ? (
          <img class="poster-sheet" src={picture} alt={name} />
        ) : (
          <p role="status">{picture === null ? w.failed : w.making}</p>
        )}
      </div>
      <div class="dialog-buttons">
        <button type="button" class="button is-main" disabled={typeof picture !== "string"} onClick={() => print()}>
          <span>{w.print}</span>
        </button>
        <button type="button" class="button" onClick={() => setStyle((style + 1) % styles.length)}>
          <span>{w.otherDesign}</span>
        </button>
        {cards.length > 1 && (
          <button type="button" class="button" onClick={() => verbs.poster((shown + 1) % cards.length)}>
            <span>{w.nextEvent}</span>
          </button>
        )}
        <button type="button" class="button" autofocus onClick={() => verbs.poster(null)}>
          <span>{w.close}</span>
        </button>
      </div>
    </dialog>
  );
}

function requestFor(card: Card, language: Language, style: PosterRequest["style"]): PosterRequest {
  const place = inLanguage(card.location ?? "", language);
  const cut = (text: string, most: number) => [...text].slice(0, most).join("");
  const url = card.url ?? "";
  return {
    eventTitle: cut(titleIn(card.title, language), longest.title),
    eventDescription: card.description || undefined,
    eventStart: card.start,
    eventEnd: card.end || undefined,
    place: cut(place, longest.place) || undefined,
    url: /^https?:/.test(url) && url.length <= longest.url ? url : undefined,
    style,
    language,
    format: "svg",
    dimensions,
  };
}

/** The address of the picture; undefined while it is made, null where it can't be. */
function usePicture(request: PosterRequest | null, made: (address: string) => void): string | null | undefined {
  const wanted = JSON.stringify(request);
  const [poster, setPoster] = useState<{ of: string; address: string | null } | null>(null);
  useEffect(() => {
    if (request === null) return;
    const late = new AbortController();
    makePoster(request, late.signal).then(
      (address) => {
        setPoster({ of: wanted, address });
        made(address);
      },
      () => late.signal.aborted || setPoster({ of: wanted, address: null }),
    );
    return () => late.abort();
  }, [wanted]);
  return poster?.of === wanted ? poster.address : undefined;
}

/** What the poster of an event is made of: the input of the tool imagen_generate_poster. */
interface PosterRequest {
  eventTitle: string;
  eventDescription?: string | undefined;
  eventStart?: string | undefined;
  eventEnd?: string | undefined;
  place?: string | undefined;
  url?: string | undefined;
  style: "modern" | "classic" | "vibrant";
  language: Language;
  format: "svg";
  dimensions: { width: number; height: number };
}

/** Has a poster made, and returns where its picture is. */
async function makePoster(request: PosterRequest, signal: AbortSignal): Promise<string> {
  const response = await fetch("/tools/imagen_generate_poster", {
    method: "POST",
    headers: { ...credentials, "Content-Type": "application/json", "Accept-Language": request.language },
    body: JSON.stringify(request),
    signal,
  });
  if (!response.ok) throw new Error(`no poster: status ${response.status}`);
  return String(((await response.json()) as { imageUrl: unknown }).imageUrl);
}
