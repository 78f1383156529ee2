// The venue's own figure: a VRM model in Akari's place, with the same life. Where it can't be shown, Akari stays.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { FigureProps } from "../akari";
import { useLife } from "../akari";
import type { Language } from "../api";
import { live } from "../life";
import { words } from "../words";
import type { VRM } from "./load";
import { loadModel } from "./load";
import { stageModel } from "./stage";
import "../style/avatar.css";

export { About } from "./licence";
export type Model = VRM;

/** Loads the model, and sees whether it can be drawn before Akari makes room. */
export async function load(address: string): Promise<Model> {
  if (document.createElement("canvas").getContext("webgl2") === null) throw new Error("no WebGL");
  return loadModel(address);
}

interface Props extends FigureProps {
  model: Model;
  /** Called once it is drawn, and when it can't be drawn any more. */
  show: () => void;
  lost: () => void;
}

export function Avatar({ model, show, lost, ...props }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const gone = useRef<() => void>(() => undefined);
  const life = useLife(props, async (mood) => {
    if (canvas.current === null) return null;
    try {
      const { figure, end } = stageModel(model, canvas.current, mood, lost);
      gone.current = end;
      requestAnimationFrame(() => requestAnimationFrame(show)); // the first frame may take a second
      return live(figure, mood);
    } catch {
      lost();
      return null;
    }
  });
  useEffect(() => () => gone.current(), []);
  useLayoutEffect(() => life.current?.wake());
  return <canvas ref={canvas} class="avatar" role="img" aria-label={labelOf(model, props, props.language)} />;
}

/** Who it is and how it looks, for those who listen to the page. */
function labelOf(model: Model, { emotion }: FigureProps, language: Language): string {
  const name = nameOf(model);
  return [name, words[language].faces[emotion]].filter(Boolean).join(language === "ja" ? "。" : ", ");
}

function nameOf({ meta }: Model): string {
  return (meta.metaVersion === "1" ? meta.name : meta.title) ?? "";
}
