// Hands the samples of the microphone on, some hundredths of a second at a time. It runs beside the page.

declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

const size = 2048;

class Recorder extends AudioWorkletProcessor {
  #held = new Float32Array(size);
  #count = 0;

  process(inputs: Float32Array[][]): boolean {
    const samples = inputs[0]?.[0];
    if (samples === undefined) return true;
    this.#held.set(samples, this.#count);
    this.#count += samples.length;
    if (this.#count < size) return true;
    this.port.postMessage(this.#held, [this.#held.buffer]);
    this.#held = new Float32Array(size);
    this.#count = 0;
    return true;
  }
}

registerProcessor("recorder", Recorder);

export {};
