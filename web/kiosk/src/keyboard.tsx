// A keyboard of our own, for panels that bring none: kana in the order of the fifty sounds, and Latin letters. Nothing is
// converted; what is written in kana is understood. It is loaded when it is first opened.

import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { Language } from "./api";
import type { Verbs } from "./kiosk";
import "./style/keyboard.css";

/** Row by row, from the left; a space is no key. */
const kana = ["あかさたなはまやらわ゛", "いきしちにひみ り ゜", "うくすつぬふむゆるを小", "えけせてねへめ れ ー", "おこそとのほもよろん、"];
const latin = ["1234567890-", "qwertyuiop'", "asdfghjkl ?", "zxcvbnm,.@ "];

type Layout = "kana" | "latin";

const own = {
  ja: { keyboard: "キーボード", delete: "1文字消す", clear: "全部消す", space: "空白", close: "とじる", voiced: "濁点", half: "半濁点", small: "小さい字", long: "長音" },
  en: { keyboard: "Keyboard", delete: "Delete", clear: "Clear all", space: "Space", close: "Close", voiced: "voiced mark", half: "half-voiced mark", small: "small letter", long: "long sound" },
};

/** What each mark makes of the kana before it; once more takes it back. */
const marks: Record<string, [string, string]> = {
  "゛": ["かきくけこさしすせそたちつてとはひふへほう", "がぎぐげござじずぜぞだぢづでどばびぶべぼゔ"],
  "゜": ["はひふへほ", "ぱぴぷぺぽ"],
  小: ["あいうえおつやゆよわ", "ぁぃぅぇぉっゃゅょゎ"],
};

/** The kana with the mark, without it if it had it, or with it after another; null where it has none. */
export function marked(letter: string, mark: string): string | null {
  const [plain, changed] = marks[mark] ?? ["", ""];
  if (letter === "") return null;
  const bare = bareOf(letter);
  if (changed.includes(letter) && letter !== bare) return bare;
  const at = plain.indexOf(bare);
  return at < 0 ? null : (changed[at] ?? null);
}

function bareOf(letter: string): string {
  for (const [plain, changed] of Object.values(marks)) {
    const at = changed.indexOf(letter);
    if (at >= 0) return plain[at] ?? letter;
  }
  return letter;
}

interface Props {
  language: Language;
  box: RefObject<HTMLInputElement | null>;
  verbs: Verbs;
}

export function Keyboard({ language, box, verbs }: Props) {
  const [layout, setLayout] = useState<Layout>(language === "ja" ? "kana" : "latin");
  const w = own[language];
  /** Puts text in place of what is marked and so many characters before it. */
  const put = (text: string, before = 0) => {
    const input = box.current;
    if (input === null) return;
    const start = input.selectionStart ?? input.value.length;
    const end = input.selectionEnd ?? start;
    const from = start === end ? Math.max(0, start - before) : start;
    if (input.value.length + text.length > input.maxLength) return;
    input.setRangeText(text, from, end, "end");
    verbs.write(input.value);
  };
  const press = (key: string) => {
    if (!(key in marks)) return put(key);
    const input = box.current;
    const changed = marked(input?.value[(input.selectionStart ?? 0) - 1] ?? "", key);
    if (changed !== null) put(changed, 1);
  };
  const names: Record<string, string> = { "゛": w.voiced, "゜": w.half, 小: w.small, ー: w.long };
  const rows = layout === "kana" ? kana : latin;
  return (
    <div class={`keys is-${layout}`} role="group" aria-label={w.keyboard} onPointerDown={(event) => event.preventDefault()}>
      <div class="keys-letters" lang={layout === "kana" ? "ja" : "en"}>
        {rows.flatMap((row, y) =>
          [...row].map((key, x) =>
            key === " " ? (
              <i key={`${y}/${x}`} />
            ) : (
              <button key={`${y}/${x}`} type="button" class="key" aria-label={names[key]} onClick={() => press(key)}>
                {key}
              </button>
            ),
          ),
        )}
      </div>
      <div class="keys-more">
        <button type="button" class="key" aria-label={w.delete} onClick={() => put("", 1)}>
          ⌫
        </button>
        <button type="button" class="key" onClick={() => verbs.write("")}>
          {w.clear}
        </button>
        <button type="button" class="key" onClick={() => put(layout === "kana" ? "　" : " ")}>
          {w.space}
        </button>
        <button type="button" class="key" lang={layout === "kana" ? "en" : "ja"} onClick={() => setLayout(layout === "kana" ? "latin" : "kana")}>
          {layout === "kana" ? "ABC" : "かな"}
        </button>
        <button type="button" class="key is-close" onClick={() => verbs.type(false)}>
          {w.close}
        </button>
      </div>
    </div>
  );
}
