// The voice of the page: sentences as sound from the server, and the shape of the mouth at each moment of them. Nothing is
// kept beyond the visit, and the browser is told to keep nothing.

import { object } from "./api";
import type { Mouth, Sentence, Shapes } from "./api";
import { decodeShapes } from "./decode";
import { credentials } from "./key";
import { shapeAt } from "./speech";

/** A sound, and when in its milliseconds the mouth takes which shape. */
export interface Sound {
  samples: AudioBuffer;
  mouth: Shapes;
}

/** A sound that is being played. */
export interface Playing {
  /** The shape of the mouth at this moment. */
  mouth: () => Mouth;
  /** Ends it at once. */
  end: () => void;
}

/** How long a sound may take to come before the sentence goes on without it, in milliseconds. */
const patience = 4000;
/** How many sounds are held, so that a sentence is there when the one before it ends, and once more. */
const held = 12;

let context: AudioContext | null = null;
let gain: GainNode | null = null;
/** How loud sounds are, 1 at most. */
let loudness = 1;
/** How loud they are in quiet mode, for a visitor who turns the voice on. */
const softest = 0.3;
/** What is kept for when there is no server, as it came. */
const pinned = new Map<string, ArrayBuffer>();
const sounds = new Map<string, Promise<Sound>>();

/** Gets ready to play: browsers let a page be heard after it was touched. */
export function unlock(): void {
  if (context === null) {
    context = new AudioContext();
    gain = context.createGain();
    gain.gain.value = loudness;
    gain.connect(context.destination);
  }
  if (context.state === "suspended") context.resume().catch(() => undefined);
}

/** Sets how loud sounds are, in percent. */
export function setVolume(percent: number): void {
  loudness = percent === 0 ? softest : percent / 100;
  if (gain !== null) gain.gain.value = loudness;
}

/** Keeps the sound of a sentence, so that it is there without a server. */
export async function pin({ audio }: Sentence): Promise<void> {
  if (audio === "" || pinned.has(audio)) return;
  pinned.set(audio, await (await get(audio)).arrayBuffer());
}

/** Where sounds go to, or null while nothing can be heard. */
export function audible(): AudioNode | null {
  return context?.state === "running" ? gain : null;
}

/** Forgets every sound. */
export function forget(): void {
  sounds.clear();
}

/** Fetches the sound of a sentence, so that it is there when it is wanted. */
export function load({ audio, mouth }: Sentence): Promise<Sound> {
  const known = sounds.get(audio);
  if (known !== undefined) return known;
  const coming = fetchSound(audio, mouth);
  coming.catch(() => sounds.delete(audio));
  for (const old of sounds.keys()) if (sounds.size >= held) sounds.delete(old);
  sounds.set(audio, coming);
  return coming;
}

async function fetchSound(audio: string, known: Shapes): Promise<Sound> {
  if (context === null) throw new Error("nothing can be heard yet");
  const samples = await context.decodeAudioData(await (await get(audio)).arrayBuffer());
  if (known.length > 0) return { samples, mouth: known };
  return { samples, mouth: decodeShapes(object(await (await get(audio.replace(/wav$/, "json"))).json())["mouth"]) };
}

async function get(address: string): Promise<Response> {
  const known = pinned.get(address);
  if (known !== undefined) return new Response(known.slice(0));
  const response = await fetch(address, { headers: credentials, cache: "no-store", signal: AbortSignal.timeout(patience) });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}

/** Plays the sound of a sentence; over is called when it has ended by itself, and failed where it can't be heard. */
export function play(sentence: Sentence, over: () => void, failed: () => void): Playing {
  let source: AudioBufferSourceNode | null = null;
  let shapes: Shapes = [];
  let began = 0;
  let ended = false;
  const start = ({ samples, mouth }: Sound) => {
    if (ended) return;
    if (context === null || context.state !== "running") return failed();
    shapes = mouth;
    source = context.createBufferSource();
    source.buffer = samples;
    source.connect(gain ?? context.destination);
    source.onended = () => {
      source = null;
      if (!ended) over();
    };
    began = context.currentTime;
    source.start();
  };
  load(sentence).then(start, () => ended || failed());
  return {
    mouth: () => (context === null || source === null ? "closed" : shapeAt(shapes, (context.currentTime - began) * 1000)),
    end: () => {
      ended = true;
      source?.stop();
    },
  };
}
