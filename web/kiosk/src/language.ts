// Which language a visitor types in.

import type { Language } from "./api";

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const english = /\b(?:an?|the|is|are|am|can|could|do|does|what|where|when|which|who|how|why|i|you|we|my|there|any|to|for|of|have|please)\b/i;

/** Three words or more before a name in Japanese letters: "Delete the entry with 山田さん". */
const named = /^[^\u3041-\u30ff\u4e00-\u9fff]*?(?:\S+\s+){3}(?=[\u30a1-\u30fa\u4e00-\u9fff])/;

/** The language of a question, or null where its letters do not say: "Wi-Fi" and 営業時間 are written in more than one. */
export function writtenIn(question: string): Language | null {
  if (kana.test(question) && !english.test(named.exec(question)?.[0] ?? "")) return "ja";
  return english.test(question) ? "en" : null;
}

const japanese = /[\u3005-\u30ff\u4e00-\u9fff]/;

/** The half of a text that is in the language, where it is written in both, with " / " between them. */
export function inLanguage(text: string, language: Language): string {
  return half(text.split(" / "), language).join(" / ");
}

/** The half of a title like "冬のもくもく会 (Winter Mokumoku Night)" that is in the language. */
export function titleIn(title: string, language: Language): string {
  const [, outer, inner] = /^(.*\S) \(([^()]*)\)$/.exec(title) ?? [];
  if (outer === undefined || inner === undefined) return inLanguage(title, language);
  return japanese.test(outer) === japanese.test(inner) ? title : half([outer, inner], language).join(" ");
}

function half(parts: string[], language: Language): string[] {
  const own = parts.filter((part) => japanese.test(part) === (language === "ja"));
  return own.length > 0 ? own : parts;
}

/** Whether two questions are about the same: all that one of them names, the other names too. */
export function isAlike(a: string, b: string): boolean {
  const [few = [], many = []] = [namesIn(a), namesIn(b)].sort((first, second) => first.length - second.length);
  return few.length > 0 && few.every((word) => many.includes(word));
}

/** The words of a question that name something. */
function namesIn(question: string): string[] {
  const words = question.toLowerCase().match(/\p{Script=Han}+|[ァ-ヴー]+|[a-z0-9][a-z0-9-]*/gu) ?? [];
  return words.filter((word) => word.length > 1 && !english.test(word) && !/^(?:教|使|on|at|in|use|about|tell|what-s|it)$/.test(word));
}
