// What is kept for when there is no server: the answers to the venue's questions and an apology. They are asked for while
// the server is there; the service worker keeps them and their sounds over a restart.

import { Cell, useCell } from "./cell";
import { list, object, string } from "./api";
import type { Language, Sentence } from "./api";
import { getJSON } from "./client";
import { decodeCard, decodeSentence } from "./decode";
import type { Kiosk } from "./kiosk";
import type { Kept as Answer, State } from "./state";
import { Text } from "./text";

interface Store {
  apology: Sentence | null;
  answers: Answer[];
}

const none: Record<Language, Store> = { ja: { apology: null, answers: [] }, en: { apology: null, answers: [] } };
const store = new Cell(none);

const languages: Language[] = ["ja", "en"];
/** How many questions the screen has room for. */
const shown = 4;
const refreshEvery = 1_800_000;

const own = {
  ja: "いまお答えできること",
  en: "What I can answer now",
};

/** Asks for what is to be kept, now and then, and says the apology when the line breaks within an answer. */
export function keepAnswers(kiosk: Kiosk, pin: (sentence: Sentence) => Promise<void>): void {
  const refresh = async (language: Language) => {
    const json = object(await getJSON(`/kept?language=${language}`));
    const asOf = string(json["asOf"]);
    const apology = decodeSentence(json["apology"]);
    const answers = list(json["answers"]).map((answer): Answer => {
      const v = object(answer);
      return { question: string(v["question"]), sentences: list(v["sentences"]).map(decodeSentence), cards: list(v["cards"]).map(decodeCard), asOf };
    });
    store.value = { ...store.value, [language]: { apology, answers } };
    await pin(apology);
  };
  const all = () => languages.forEach((language) => refresh(language).catch(() => undefined));
  all();
  setInterval(() => kiosk.state.value.online && all(), refreshEvery);
  let broken = 0;
  kiosk.state.follow(() => {
    const { turn, online } = kiosk.state.value;
    if (online || turn?.status !== "broken" || turn.number === broken) return;
    broken = turn.number;
    const { apology } = store.value[turn.language];
    if (apology !== null && turn.sentences.length > 0) kiosk.aside(apology);
  });
}

/** The questions that can be answered without a server. */
export function Kept({ state, recall }: { state: State; recall: (answer: Answer) => void }) {
  const { answers } = useCell(store)[state.language];
  const open = answers.filter(({ question }) => question !== state.turn?.question).slice(0, shown);
  if (open.length === 0) return null;
  return (
    <section class="choices is-suggestions is-kept" aria-labelledby="choices">
      <h2 class="choices-title" id="choices">
        {own[state.language]}
      </h2>
      <ul>
        {open.map((answer) => (
          <li key={answer.question}>
            <button type="button" class="button" aria-label={answer.question} onClick={() => recall(answer)}>
              <span>
                <Text text={answer.question} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
