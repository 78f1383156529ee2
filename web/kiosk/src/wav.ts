// Sound as a file: WAV, mono, 16 bits at 16 kHz, which every recogniser reads.

const rate = 16_000;

/** The chunks of a recording as a file. */
export async function wavOf(chunks: Float32Array<ArrayBuffer>[], from: number): Promise<Blob> {
  return encode(await resampled(chunks, from));
}

async function resampled(chunks: Float32Array<ArrayBuffer>[], from: number): Promise<Float32Array> {
  const length = chunks.reduce((n, chunk) => n + chunk.length, 0);
  const whole = new AudioBuffer({ length: Math.max(1, length), sampleRate: from });
  let at = 0;
  for (const chunk of chunks) {
    whole.copyToChannel(chunk, 0, at);
    at += chunk.length;
  }
  const context = new OfflineAudioContext(1, Math.max(1, Math.ceil((length * rate) / from)), rate);
  const source = new AudioBufferSourceNode(context, { buffer: whole });
  source.connect(context.destination);
  source.start();
  return (await context.startRendering()).getChannelData(0);
}

/** Samples, 16,000 a second, as a file. */
export function encode(samples: Float32Array): Blob {
  const bytes = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (at: number, letters: string) => [...letters].forEach((c, i) => bytes.setUint8(at + i, c.charCodeAt(0)));
  text(0, "RIFF");
  bytes.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, 2 * rate, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  text(36, "data");
  bytes.setUint32(40, 2 * samples.length, true);
  samples.forEach((v, i) => bytes.setInt16(44 + 2 * i, Math.round(Math.max(-1, Math.min(1, v)) * 32767), true));
  return new Blob([bytes], { type: "audio/wav" });
}
