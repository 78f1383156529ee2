// The microphone: from when it is open until the visitor has stopped to talk. It is off at once when it is not needed.

import type { Told } from "./hear";
import { wavOf } from "./wav";
import recorder from "./recorder.worklet?worker&url";

/** The longest speech, in seconds, and how long nothing may be said before it is over. */
const longest = 20;
const patience = 7;
/** How long it is quiet after a question, in seconds, and how long something was said before. */
const pauseAfter = 1.2;
const leastSaid = 0.25;
/** Louder than this is speech, and than so many times the noise of the room. */
const quietest = 0.008;
const aboveNoise = 3;

export interface Recording {
  /** What was said, as WAV; null: nothing was. Rejected where there is no microphone. */
  sound: Promise<Blob | null>;
  /** Stops; what was said so far is the recording. */
  end: () => void;
}

/** Records until it is quiet, as told, or end is called; or until gone is aborted, which forgets all. */
export function record(told: Told, gone: AbortSignal): Recording {
  const enough = new AbortController();
  return { sound: recorded(told, gone, enough.signal), end: () => enough.abort() };
}

async function recorded(told: Told, gone: AbortSignal, enough: AbortSignal): Promise<Blob | null> {
  const context = new AudioContext(); // while the touch counts that browsers want for it
  let stream: MediaStream | null = null;
  const chunks: Float32Array<ArrayBuffer>[] = [];
  try {
    await context.audioWorklet.addModule(recorder); // so that nothing is lost once the microphone is open
    const opened = (stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    }));
    if (gone.aborted || enough.aborted) return null;
    const node = new AudioWorkletNode(context, "recorder");
    const pace = new Pace(context.sampleRate);
    await new Promise<void>((done) => {
      for (const signal of [gone, enough]) signal.addEventListener("abort", () => done());
      for (const track of opened.getTracks()) track.addEventListener("ended", () => done());
      node.port.onmessage = ({ data }: MessageEvent<Float32Array<ArrayBuffer>>) => {
        chunks.push(data);
        const loud = loudnessOf(data);
        told.level(Math.min(1, Math.sqrt(loud * 4)));
        pace.hear(loud, data.length);
        if (pace.isLong()) done();
        else if (pace.isOver()) told.quiet();
      };
      context.createMediaStreamSource(opened).connect(node).connect(context.destination);
      told.open();
    });
    if (gone.aborted || !pace.wasSpoken()) return null;
    return await wavOf(chunks, context.sampleRate);
  } finally {
    for (const track of stream?.getTracks() ?? []) track.stop();
    context.close().catch(() => undefined);
    told.level(0);
  }
}

function loudnessOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, v) => sum + v * v, 0) / samples.length);
}

/** Tells speech from the noise of the room, and how long there was which. */
class Pace {
  #rate: number;
  #noise = 1;
  #loudest = 0;
  #all = 0;
  #said = 0;
  #silent = 0;

  constructor(rate: number) {
    this.#rate = rate;
  }

  hear(loud: number, samples: number): void {
    const seconds = samples / this.#rate;
    this.#all += seconds;
    this.#loudest = Math.max(this.#loudest, loud);
    // The noise is what it is between words: it falls at once, and rises slowly.
    this.#noise = loud < this.#noise ? loud : Math.min(loud, this.#noise * (1 + seconds / 4) + 1e-6);
    if (loud > Math.max(quietest, aboveNoise * this.#noise)) {
      this.#said += seconds;
      this.#silent = 0;
    } else this.#silent += seconds;
  }

  isLong(): boolean {
    return this.#all >= longest;
  }

  isOver(): boolean {
    return this.#silent >= (this.#said >= leastSaid ? pauseAfter : patience);
  }

  /** Whether anything was loud enough to be worth hearing; in doubt it is. */
  wasSpoken(): boolean {
    return this.#loudest > quietest / 2;
  }
}
