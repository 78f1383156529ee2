// A sentence is said: with the server's voice and the mouth in time with it, or in silence where nothing can be heard.

import type { Language, Mouth, Sentence } from "./api";
import { forget, load, pin, play, setVolume, unlock } from "./sound";
import { beats, durationOf, mouthAt } from "./speech";

/** A sentence that is being said. */
export interface Saying {
  /** The shape of the mouth at this moment. */
  mouth: () => Mouth;
  /** Ends it at once. */
  end: () => void;
}

/** How long it is quiet between two sentences, in milliseconds: after one that was heard, and after one that was not. */
const breath = { heard: 180, silent: 250 };

/** Says a sentence, aloud where that is wished and can be, and calls over at its end. */
export function say(sentence: Sentence, language: Language, aloud: boolean, over: () => void): Saying {
  if (!aloud || sentence.audio === "") return saySilently(sentence, language, over);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silent: Saying | null = null;
  const playing = play(
    sentence,
    () => (timer = setTimeout(over, breath.heard)),
    () => (silent = saySilently(sentence, language, over)),
  );
  return {
    mouth: () => (silent ?? playing).mouth(),
    end: () => {
      clearTimeout(timer);
      playing.end();
      silent?.end();
    },
  };
}

function saySilently(sentence: Sentence, language: Language, over: () => void): Saying {
  const shapes = beats(sentence.text, language);
  const since = performance.now();
  const timer = setTimeout(over, durationOf(shapes) + breath.silent);
  return { mouth: () => mouthAt(shapes, performance.now() - since), end: () => clearTimeout(timer) };
}

/** Gets a sentence ready that will be said. */
export function prepare(sentence: Sentence): void {
  if (sentence.audio !== "") load(sentence).catch(() => undefined);
}

export { forget, pin, setVolume, unlock };

