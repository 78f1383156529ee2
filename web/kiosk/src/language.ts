// Which language a visitor types in.

import type { Language } from "./api";

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const english = /\b(?:an?|the|is|are|am|can|could|do|does|what|where|when|which|who|how|why|i|you|we|my|there|any|to|for|of|have|please)\b/i;

/** The language of a question, or null where its letters do not say: "Wi-Fi" and 営業時間 are written in more than one. */
export function writtenIn(question: string): Language | null {
  if (kana.test(question)) return "ja";
  return english.test(question) ? "en" : null;
}
