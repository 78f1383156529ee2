// Where lines may break. Japanese is cut into phrases, each of which goes to the next line as a whole; one that is longer
// than a line breaks between its words. Words with a hyphen, such as Wi-Fi, stay in one piece in both languages.

import type { ComponentChild } from "preact";

const hiragana = /[\u3041-\u309f]/;
const han = /\p{Script=Han}/u;
const japanese = /[\u3041-\u30ff\u4e00-\u9fff]/;
const closing = /[、。，．・：；！？」』）］】》〉〜…,.;:!?)\]”’]/;
const opening = /[「『（［【《〈(["“‘]/;
const polite = /[おご]/;
/** A phrase of so many characters fits on every line. */
const short = 7;
/** A name of more may break at its spaces. */
const longestName = 16;

/** The phrases of a Japanese text: each ends in hiragana or a mark, and begins with anything else. What is in keep is not cut. */
export function phrasesOf(text: string, keep: string[] = []): string[] {
  const held = new Set<number>();
  for (const whole of keep.filter(Boolean)) {
    for (let at = text.indexOf(whole); at >= 0; at = text.indexOf(whole, at + 1)) {
      for (let i = at + 1; i < at + whole.length; i++) held.add(i);
    }
  }
  const words = new Map(wordsOf(text).map(({ index, segment }) => [index, segment]));
  const phrases: string[] = [];
  let from = 0;
  for (let i = 1; i < text.length; i++) {
    const word = words.get(i);
    if (held.has(i) || word === undefined) continue;
    const particle = /[がをは]/.test(words.get(i - 1) ?? "") && word.length > 1;
    if (!particle && !isSeam(text, i)) continue;
    phrases.push(text.slice(from, i));
    from = i;
  }
  return [...phrases, text.slice(from)];
}

/** The words of a text, as the browser's dictionary knows them. */
function wordsOf(text: string): Intl.SegmentData[] {
  return [...new Intl.Segmenter("ja", { granularity: "word" }).segment(text)];
}

/** Whether a phrase begins with the word at i. */
function isSeam(text: string, i: number): boolean {
  const [before = "", at = "", next = ""] = [text[i - 1], text[i], text[i + 1]];
  if (closing.test(at) || /[\s\u200b]/.test(at) || opening.test(before) || /[\u00a0\u2060]/.test(before)) return false;
  if (/[\s\u200b、。，！？]/.test(before)) return true; // U+200B is a seam that somebody put there
  if (/[」』）］】)]/.test(before)) return !hiragana.test(at);
  if (polite.test(at) && han.test(next)) return true;
  if (polite.test(before) && han.test(at)) return false;
  if (/(?:^|[、。])もう$/.test(text.slice(Math.max(0, i - 3), i))) return false;
  return hiragana.test(before) && !hiragana.test(at);
}

/** A text in which dates, hours and names that are known have no space or dash where a line may break. */
export function glued(text: string, names: string[] = []): string {
  const dates = text.replace(/\b((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (?=\d)/g, "$1\u00a0");
  const hours = dates.replace(/(\d–)(?=\d)/g, "$1\u2060");
  const kept = names.filter((name) => name.includes(" ") && name.length <= longestName);
  return kept.reduce((whole, name) => whole.replaceAll(name, name.replaceAll(" ", "\u00a0")), hours);
}

/** A text with the places where it may break. */
export function Phrases({ text, keep }: { text: string; keep: string[] | undefined }) {
  const whole = glued(text, keep);
  if (!japanese.test(text)) return <>{latin(whole)}</>;
  const names = keep?.map((name) => glued(name, keep));
  return (
    <>
      {phrasesOf(whole, names).map((phrase, i) => (
        <>
          <span key={i} class="phrase">
            {phrase.length <= short ? phrase.trimEnd() : inside(phrase.trimEnd())}
          </span>
          {/\s$/.test(phrase) && " "}
        </>
      ))}
    </>
  );
}

/** Words with a hyphen in one piece, and times with what half of the day they are in. */
function latin(text: string): ComponentChild[] {
  const parts = text.replace(/(\d) (?=[AP]M\b|[ap]\.m\.)/g, "$1\u00a0").split(/([A-Za-z0-9]+(?:-[A-Za-z0-9]+)+)/);
  return parts.map((part, i) => (i % 2 === 1 ? <span class="word">{part}</span> : part));
}

/** A long phrase may break between its words, but not before what only ends it, and not within a time or a date. */
function inside(phrase: string): ComponentChild[] {
  const words = wordsOf(phrase).map(({ segment }) => segment);
  return words.flatMap((word, i) => {
    const [last = "", first = ""] = [words[i - 1]?.at(-1), word[0]];
    const rest = words.slice(i).join("");
    const begins = !hiragana.test(first) || /^(?:でき|いただ|くださ|ござい)/.test(rest) || (word.length > 2 && !/^(?:です|でし|ます|まし|ませ|から|まで|だけ|など)/.test(word));
    const may = i > 0 && begins && !closing.test(first) && !opening.test(last) && !/[0-9:〜/\u00a0\u2060-]/.test(last) && !/[-(]/.test(first);
    return may ? [<wbr key={i} />, word] : [word];
  });
}
