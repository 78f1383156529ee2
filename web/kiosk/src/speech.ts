// The mouth in time with the words. Without a sound a sentence takes as long as a calm voice would need: eight moras a second in
// Japanese, fourteen characters a second in English.

import type { Language, Mouth, Shapes } from "./api";

/** One shape and how long it is held, in milliseconds. */
export interface Beat {
  mouth: Mouth;
  ms: number;
}

const moraMs = 1000 / 8;
const letterMs = 1000 / 14;
const pauseMs = 250;

/** The shapes of a sentence in order. Kanji have no reading here, so they get two moras of changing vowels. */
export function beats(text: string, language: Language): Beat[] {
  return [...text].flatMap((character) => (language === "ja" ? japanese(character) : english(character)));
}

export function durationOf(sentence: Beat[]): number {
  return sentence.reduce((sum, beat) => sum + beat.ms, 0);
}

/** The shape at a time since the sentence began. */
export function mouthAt(sentence: Beat[], ms: number): Mouth {
  let end = 0;
  for (const beat of sentence) {
    end += beat.ms;
    if (ms < end) return beat.mouth;
  }
  return "closed";
}

/** The shape at a time in milliseconds of a sound. */
export function shapeAt(shapes: Shapes, ms: number): Mouth {
  return shapes.findLast(([begins]) => begins <= ms)?.[1] ?? "closed";
}

const rows: Record<Exclude<Mouth, "closed">, string> = {
  a: "あかさたなはまやらわがざだばぱぁゃ",
  i: "いきしちにひみりぎじぢびぴぃ",
  u: "うくすつぬふむゆるぐずづぶぷぅゅゔ",
  e: "えけせてねへめれげぜでべぺぇ",
  o: "おこそとのほもよろをごぞどぼぽぉょ",
};
const vowelOfKana = new Map(
  Object.entries(rows).flatMap(([vowel, kana]) => [...kana].map((k): [string, Mouth] => [k, vowel as Mouth])),
);
const vowels: Mouth[] = ["a", "i", "u", "e", "o"];

function japanese(character: string): Beat[] {
  if (/[、。！？!?,.…\s]/u.test(character)) return [{ mouth: "closed", ms: pauseMs }];
  const kana = hiragana(character);
  const vowel = vowelOfKana.get(kana);
  if (vowel !== undefined) return [{ mouth: vowel, ms: moraMs }];
  if (kana === "ん" || kana === "っ") return [{ mouth: "closed", ms: moraMs }];
  if (kana === "ー") return [{ mouth: "a", ms: moraMs }];
  if (/[\p{Script=Han}0-9０-９〇々]/u.test(character)) return [someVowel(character, 0), someVowel(character, 3)];
  if (/\p{Letter}/u.test(character)) return [someVowel(character, 0)];
  return [];
}

function english(character: string): Beat[] {
  if (/[.!?,;:]/.test(character)) return [{ mouth: "closed", ms: pauseMs }];
  const letter = character.toLowerCase();
  if (letter === "y") return [{ mouth: "i", ms: letterMs }];
  const vowel = vowels.find((v) => v === letter);
  if (vowel !== undefined) return [{ mouth: vowel, ms: letterMs * 1.6 }];
  if (/[bmp\s]/.test(letter)) return [{ mouth: "closed", ms: letterMs * 0.8 }];
  return /[\p{Letter}\p{Number}]/u.test(character) ? [{ mouth: "e", ms: letterMs * 0.8 }] : [];
}

function someVowel(character: string, turn: number): Beat {
  const code = (character.codePointAt(0) ?? 0) + turn;
  return { mouth: vowels[code % vowels.length] ?? "a", ms: moraMs };
}

function hiragana(character: string): string {
  return character.replace(/[ァ-ヴ]/g, (k) => String.fromCharCode(k.charCodeAt(0) - 0x60));
}
