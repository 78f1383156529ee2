// Server-sent events read from a fetch, because EventSource cannot POST. Follows the WHATWG rules for lines, fields and
// comments; reconnecting is left to the caller.

export interface ServerSentEvent {
  /** The event's name, "message" where the stream names none. */
  name: string;
  data: string;
  /** The last id seen on the stream, "" before the first. */
  id: string;
}

/** Takes text in pieces of any size and gives back the events that each piece completes. */
export class EventParser {
  #rest = "";
  #first = true;
  #name = "";
  #data: string[] = [];
  #id = "";

  push(text: string): ServerSentEvent[] {
    if (this.#first && text !== "") {
      this.#first = false;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    this.#rest += text;
    const events: ServerSentEvent[] = [];
    for (let line = this.#nextLine(); line !== null; line = this.#nextLine()) {
      const event = this.#take(line);
      if (event !== null) events.push(event);
    }
    return events;
  }

  /** A line ends with LF, CR or CRLF. A CR at the very end waits: the LF may still come. */
  #nextLine(): string | null {
    const end = this.#rest.search(/[\r\n]/);
    if (end < 0) return null;
    const crAtEnd = this.#rest[end] === "\r" && end === this.#rest.length - 1;
    if (crAtEnd) return null;
    const line = this.#rest.slice(0, end);
    const width = this.#rest.startsWith("\r\n", end) ? 2 : 1;
    this.#rest = this.#rest.slice(end + width);
    return line;
  }

  #take(line: string): ServerSentEvent | null {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#name = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #dispatch(): ServerSentEvent | null {
    const event = { name: this.#name || "message", data: this.#data.join("\n"), id: this.#id };
    const empty = this.#data.length === 0;
    this.#name = "";
    this.#data = [];
    return empty ? null : event;
  }
}

/** Reads the events of a body. Heard is called for every piece that arrives, comments included. */
export async function* readEvents(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<ServerSentEvent> {
  const parser = new EventParser();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
