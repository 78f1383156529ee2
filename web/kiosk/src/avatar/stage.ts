// A VRM model on its stage: light, a camera, and the face and pose of a figure as expressions and bones.

import type { VRM } from "@pixiv/three-vrm";
import { VRMUtils } from "@pixiv/three-vrm";
import { AmbientLight, DirectionalLight, Object3D, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import type { Emotion, Mouth } from "../api";
import type { Face } from "../face";
import type { Figure, Look, Mood } from "../life";

/** Pictures a second of a model that is quiet; one that speaks has as many as the screen. */
const quietRate = 30;

const lips: Record<Exclude<Mouth, "closed">, string> = { a: "aa", i: "ih", u: "ou", e: "ee", o: "oh" };
const moods: Exclude<Emotion, "neutral">[] = ["happy", "sad", "relaxed", "surprised"];

const radians = (degrees: number) => (degrees * Math.PI) / 180;

export interface Staged {
  figure: Figure;
  /** Frees all that the model holds. */
  end: () => void;
}

/** Puts a model on a canvas. It throws where there is no WebGL; lost is called when it is taken away. */
export function stageModel(vrm: VRM, canvas: HTMLCanvasElement, mood: () => Mood, lost: () => void): Staged {
  const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true, powerPreference: "low-power" });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const scene = new Scene();
  const sun = new DirectionalLight(0xffffff, 2.2);
  sun.position.set(0.6, 1.4, 1);
  scene.add(vrm.scene, new AmbientLight(0xffffff, 0.9), sun);
  vrm.scene.updateWorldMatrix(true, true);

  const place = (bone: "head" | "hips" | "leftUpperArm") => vrm.humanoid.getNormalizedBoneNode(bone)?.getWorldPosition(new Vector3()) ?? new Vector3(0, 1.2, 0);
  const [head, hips] = [place("head"), place("hips")];
  const torso = Math.max(0.05, head.y - hips.y);
  const camera = new PerspectiveCamera(24, 0.8, 0.05, 60);
  const target = new Object3D();
  scene.add(target);
  if (vrm.lookAt) vrm.lookAt.target = target;

  /** From the knees to a hand's breadth above the head, whatever the shape of the canvas. */
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 1.5));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    const tall = torso * 2.15;
    const needed = Math.max(tall, (torso * 1.7) / camera.aspect);
    camera.position.set(0, hips.y - torso * 0.45 + tall / 2, needed / 2 / Math.tan(radians(camera.fov / 2)));
    camera.updateProjectionMatrix();
    renderer.render(scene, camera);
  };
  const size = new ResizeObserver(fit);
  size.observe(canvas);

  const express = expressions(vrm, mood);
  let clock = 0;
  let since = 0;
  const draw = (face: Face, look: Look, lids: number, ms: number) => {
    clock += ms / 1000;
    since += ms;
    if (since < 900 / quietRate && mood().mouth() === null && !calm.matches) return;
    express(lids, calm.matches ? 1000 : since);
    pose(vrm, face, look, calm.matches ? 0 : Math.sin(clock * 1.25));
    target.position.set(look.x * 1.4, head.y - look.y * 0.9, 2);
    vrm.update(since / 1000);
    since = 0;
    renderer.render(scene, camera);
  };

  const onLost = (event: Event) => {
    event.preventDefault();
    lost();
  };
  canvas.addEventListener("webglcontextlost", onLost);
  const onScreen = (at: Vector3) => {
    const box = canvas.getBoundingClientRect();
    const { x, y } = at.clone().project(camera);
    return { x: box.left + ((x + 1) / 2) * box.width, y: box.top + ((1 - y) / 2) * box.height };
  };
  return {
    figure: {
      element: canvas,
      get restless() {
        return !calm.matches;
      },
      draw,
      breathe: () => undefined, // it does, in each frame
      fade: () => void canvas.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: 240, easing: "ease-out" }),
      shoulder: () => onScreen(place("leftUpperArm")),
      eyes: () => onScreen(place("head")),
    },
    end: () => {
      size.disconnect();
      canvas.removeEventListener("webglcontextlost", onLost);
      VRMUtils.deepDispose(vrm.scene);
      renderer.dispose();
    },
  };
}

/** The mood as expressions, each gliding to its weight. A feeling is milder while it speaks, so that the mouth stays free. */
function expressions(vrm: VRM, mood: () => Mood): (lids: number, ms: number) => void {
  const weights = new Map<string, number>();
  const glide = (name: string, goal: number, share: number) => {
    const weight = (weights.get(name) ?? 0) + (goal - (weights.get(name) ?? 0)) * share;
    weights.set(name, weight);
    vrm.expressionManager?.setValue(name, weight);
  };
  return (lids, ms) => {
    const { emotion, mouth } = mood();
    const said = mouth();
    for (const name of moods) glide(name, name === emotion ? (said === null ? 0.75 : 0.45) : 0, 1 - Math.exp(-ms / 110));
    for (const [vowel, name] of Object.entries(lips)) glide(name, vowel === said ? 0.85 : 0, 1 - Math.exp(-ms / 45));
    vrm.expressionManager?.setValue("blink", 1 - lids);
  };
}

/** Face and look as bones. What is right of the screen is the model's left. */
function pose(vrm: VRM, face: Face, look: Look, breath: number): void {
  const bone = (name: Parameters<VRM["humanoid"]["getNormalizedBoneNode"]>[0]) => vrm.humanoid.getNormalizedBoneNode(name);
  const turn = (name: Parameters<typeof bone>[0], x: number, y: number, z: number) => bone(name)?.rotation.set(x, y, z);
  const lean = radians(-face.tilt);
  turn("spine", 0.32 * face.bow + 0.006 * breath, 0, 0.25 * lean);
  turn("chest", 0.26 * face.bow + 0.012 * breath, 0, 0.2 * lean);
  turn("neck", 0.2 * face.bow + 0.08 * look.y, 0.16 * look.x, 0.4 * lean);
  turn("head", 0.16 * face.bow + 0.1 * look.y, 0.2 * look.x, 0.6 * lean);
  arm("left", 1, face.upperRight, face.foreRight, Math.max(0, face.finger));
  arm("right", -1, face.upperLeft, face.foreLeft, Math.max(0, -face.finger));
  vrm.scene.position.y = 0.05 * face.hop;

  /** Arms are stretched out sideways where they are not turned. Elbows bend forwards, and up as far as the pose says. */
  function arm(side: "left" | "right", sign: 1 | -1, upper: number, fore: number, finger: number): void {
    const hangs = Math.max(0, 1 - upper / 60);
    turn(`${side}UpperArm`, 0, sign * -0.12 * (1 - hangs), sign * radians(Math.min(upper, 150) - 82 + 0.02 * breath));
    turn(`${side}LowerArm`, 0, sign * (fore < 0 ? radians(fore * 0.9) : -0.25), sign * radians(Math.max(0, fore)));
    for (const name of ["Middle", "Ring", "Little"] as const) {
      for (const joint of ["Proximal", "Intermediate", "Distal"] as const) turn(`${side}${name}${joint}`, 0, 0, sign * -(0.18 + 1.15 * finger));
    }
  }
}
