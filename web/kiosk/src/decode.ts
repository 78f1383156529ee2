// The events of a streamed answer as they are read from the wire. Lists that Go sends as null become empty here.

import { decodeFailure, language, list, number, object, string } from "./api";
import type { Answer, Card, Confirmation, Emotion, Interrupt, JSONObject, Mouth, Sentence, Shapes, StreamEvent } from "./api";

/** Reads the data of the stream event called name. Null for one this page has no use for; throws on broken JSON. */
export function decodeStreamEvent(name: string, data: string): StreamEvent | null {
  switch (name) {
    case "run.started": {
      const v = object(JSON.parse(data));
      return { name, runId: string(v["runId"]), language: language(v["language"]) };
    }
    case "node.started": {
      const v = object(JSON.parse(data));
      return { name, label: { ja: string(v["labelJa"]), en: string(v["labelEn"]) } };
    }
    case "sentence": {
      const v = object(JSON.parse(data));
      return { name, index: number(v["i"]), sentence: decodeSentence(v) };
    }
    case "cards":
      return { name, cards: list(object(JSON.parse(data))["cards"]).map(decodeCard) };
    case "suggestions":
      return { name, suggestions: list(object(JSON.parse(data))["suggestions"]).map(string) };
    case "confirm":
      return { name, interrupt: interrupt(JSON.parse(data)) };
    case "final":
      return { name, answer: decodeAnswer(JSON.parse(data)) };
    case "error":
      return { name, failure: decodeFailure(JSON.parse(data)) };
    default:
      return null;
  }
}

export function decodeAnswer(json: unknown): Answer {
  const v = object(json);
  return {
    language: language(v["language"]),
    speech: list(v["speech"]).map(decodeSentence),
    cards: list(v["cards"]).map(decodeCard),
    suggestions: list(v["suggestions"]).map(string),
    interrupt: v["interrupt"] ? interrupt(v["interrupt"]) : null,
    gesture: string(object(v["vrm"])["gesture"]),
    route: string(object(object(v["metadata"])["processingInfo"])["route"]),
    offer: string(v["offer"]),
  };
}

export function decodeCard(json: unknown): Card {
  const v = object(json);
  return { ...v, title: string(v["title"]), rows: list(v["rows"]).map(field), points: list(v["points"]).map(point) } as Card;
}

function interrupt(json: unknown): Interrupt {
  const v = object(json);
  return {
    id: string(v["id"]),
    kind: string(v["kind"]),
    question: string(v["question"]),
    options: list(v["options"]).map(string),
    confirmation: v["confirmation"] ? confirmation(object(v["confirmation"])) : null,
  };
}

function confirmation(v: JSONObject): Confirmation {
  return {
    do: string(v["do"]),
    intro: string(v["intro"]),
    ask: string(v["ask"]),
    fields: list(v["fields"]).map(field),
    warnings: list(v["warnings"]).map(string),
    notes: list(v["notes"]).map(string),
  };
}

function point(json: unknown): { east: number; north: number } {
  const v = object(json);
  return { east: number(v["east"]), north: number(v["north"]) };
}

function field(json: unknown): { label: string; value: string } {
  const v = object(json);
  return { label: string(v["label"]), value: string(v["value"]) };
}

export function decodeSentence(json: unknown): Sentence {
  const v = object(json);
  const filler = v["filler"] === true ? { filler: true } : {};
  return { text: string(v["text"]), emotion: emotion(v["emotion"]), audio: string(v["audio"]), mouth: decodeShapes(v["mouth"]), ...filler };
}

/** Reads how a mouth moves: [[0, "a"], [95, "n"], ...]. */
export function decodeShapes(json: unknown): Shapes {
  return list(json).map(shape);
}

function shape(json: unknown): [number, Mouth] {
  const [begins, mouth] = list(json);
  return [number(begins), shapes.find((s) => s === mouth) ?? "closed"];
}

const shapes: Mouth[] = ["a", "i", "u", "e", "o"];

function emotion(v: unknown): Emotion {
  switch (v) {
    case "happy":
    case "sad":
    case "relaxed":
    case "surprised":
      return v;
    default:
      return "neutral";
  }
}
