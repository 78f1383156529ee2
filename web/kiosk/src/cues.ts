// Short quiet sounds, made here, for what a visitor might miss while looking elsewhere: that the question was taken, that
// something is asked back, that it went wrong, that the page is about to be cleared. The sound key turns them off too.

import type { Readable } from "./cell";
import type { State } from "./state";
import { screenOf } from "./state";

/** A note: when it begins in seconds, its pitch in hertz, how long it rings. */
type Note = [begins: number, pitch: number, rings: number];

export type Cue = "taken" | "asks" | "sorry" | "still" | "hello";

/** Notes of a pentatonic scale, so that they never clash with each other. */
const cues: Record<Cue, Note[]> = {
  taken: [[0, 587, 0.18], [0.08, 880, 0.3]],
  asks: [[0, 659, 0.4], [0.16, 880, 0.5]],
  sorry: [[0, 440, 0.35], [0.18, 330, 0.5]],
  still: [[0, 880, 0.9], [0.5, 880, 0.9]],
  hello: [[0, 1175, 0.5], [0.09, 1568, 0.7]],
};

/** As loud as a whisper beside the voice. */
const loudness = 0.045;

function play(cue: Cue, out: AudioNode): void {
  const { context } = out;
  for (const [begins, pitch, rings] of cues[cue]) {
    const at = context.currentTime + 0.01 + begins;
    // A small bell: the note, and an overtone that dies away sooner.
    for (const [part, share] of [[1, 1], [2.76, 0.22]] as const) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.frequency.value = pitch * part;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(loudness * share, at + 0.008);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + rings / part);
      tone.connect(volume).connect(out);
      tone.start(at);
      tone.stop(at + rings / part);
    }
  }
}

/** The cue for the way from one state to the next, or null. */
export function cueOf(before: State, now: State): Cue | null {
  if (!now.sound) return null;
  const [from, to] = [screenOf(before), screenOf(now)];
  if (now.farewell !== null && before.farewell === null) return "still";
  if ((to === "failed" || to === "offline") && from !== to) return before.turn === null ? null : "sorry";
  if ((to === "choose" || to === "confirm") && from !== to) return "asks";
  return now.turn !== null && now.turn.number !== before.turn?.number ? "taken" : null;
}

/** Plays the cues of a visit, where something can be heard. */
export function startCues(state: Readable<State>, audible: () => AudioNode | null): void {
  const heard = (cue: Cue | null) => {
    const out = audible();
    if (cue !== null && out !== null && state.value.venue?.voice) play(cue, out);
  };
  let before = state.value;
  state.follow(() => {
    const cue = cueOf(before, state.value);
    before = state.value;
    heard(cue);
  });
  addEventListener("pointerdown", ({ target }) => {
    const { turn, sound } = state.value;
    const above = target instanceof Element && target.closest(".deck, dialog") === null;
    if (above && turn === null && sound) heard("hello");
  });
}
