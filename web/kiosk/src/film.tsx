// The film of the day, over the whole screen of a kiosk that nobody uses. A touch anywhere ends it. It is loaded when it
// is first wanted, so that the first load stays small.

import { useEffect, useState } from "preact/hooks";
import type { Language } from "./api";
import { getJSON } from "./client";
import "./style/film.css";
import { words } from "./words";

/** While a film is made, and while one plays: then the calendar may have changed. */
const askAgain = { making: 15_000, ready: 300_000 };

/** A server that makes no films is not asked again. */
let off = false;

interface Preview {
  status: string;
  videoUrl: string;
}

async function getPreview(language: Language): Promise<Preview> {
  const shape = innerWidth > innerHeight ? "landscape" : "portrait";
  const answer = (await getJSON(`/preview?language=${language}&shape=${shape}`)) as Partial<Preview>;
  return { status: String(answer.status), videoUrl: answer.videoUrl ?? "" };
}

interface Props {
  language: Language;
  wake: () => void;
}

export function Film({ language, wake }: Props) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const look = async () => {
      const { status, videoUrl } = await getPreview(language).catch(() => ({ status: "", videoUrl: "" }));
      if (gone) return;
      off = status === "off";
      setAddress(status === "ready" ? videoUrl : "");
      if (!off) timer = setTimeout(() => void look(), status === "making" ? askAgain.making : askAgain.ready);
    };
    if (!off) void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [language]);
  if (address === "") return null;
  const other = language === "ja" ? "en" : "ja";
  return (
    <button type="button" class="film" onClick={wake}>
      <video
        key={address}
        src={address}
        muted
        loop
        autoplay
        playsInline
        disablePictureInPicture
        aria-hidden="true"
        tabIndex={-1}
        onError={() => setAddress("")}
      />
      <span class="film-hint">
        <span>{words[language].touch}</span> <small lang={other}>{words[other].touch}</small>
      </span>
    </button>
  );
}
