// A VRM model from the venue's file: binary glTF with a humanoid, expressions, and who may use it for what.

import type { VRM, VRMMeta } from "@pixiv/three-vrm";
import { VRMLoaderPlugin, VRMUtils } from "@pixiv/three-vrm";
import { ClampToEdgeWrapping, LinearFilter, MirroredRepeatWrapping, NearestFilter, RepeatWrapping, Texture } from "three";
import type { GLTFLoaderPlugin, GLTFParser } from "three/examples/jsm/loaders/GLTFLoader.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { credentials } from "../key";

/** How long a file may take to come, in milliseconds: some have thirty megabytes. */
const patience = 60_000;

/** The widest picture on a model, in pixels: four times that is what a card of today holds easily. */
const widest = 4096;

/** Loads a model. It fails where the file, or a part of it, is not what it should be. */
export async function loadModel(address: string): Promise<VRM> {
  const response = await fetch(address, { headers: credentials, signal: AbortSignal.timeout(patience) });
  if (!response.ok) throw new Error(`GET ${address}: ${response.status}`);
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new PackedTextures(parser));
  const gltf = await loader.parseAsync(await response.arrayBuffer(), "");
  const vrm = gltf.userData["vrm"] as VRM | undefined;
  if (vrm === undefined) throw new Error(`${address} is no VRM`);
  VRMUtils.removeUnnecessaryVertices(gltf.scene);
  VRMUtils.combineSkeletons(gltf.scene);
  VRMUtils.rotateVRM0(vrm); // they look the other way
  vrm.scene.traverse((part) => (part.frustumCulled = false));
  return vrm;
}

const wraps: Record<number, Texture["wrapS"]> = { 33071: ClampToEdgeWrapping, 33648: MirroredRepeatWrapping, 10497: RepeatWrapping };

/** Unpacks pictures that are in the file itself. The loader's own way is by addresses that the policy of the page forbids. */
class PackedTextures implements GLTFLoaderPlugin {
  readonly name = "ANNAI_packed_textures";

  constructor(private readonly parser: GLTFParser) {}

  loadTexture(index: number): Promise<Texture> {
    return this.unpack(index);
  }

  private async unpack(index: number): Promise<Texture> {
    const { textures, images, samplers } = this.parser.json;
    const { source, sampler } = textures[index];
    const image = images[source];
    if (image?.bufferView === undefined) throw new Error("a picture is not in the file");
    const bytes = (await this.parser.getDependency("bufferView", image.bufferView)) as ArrayBuffer;
    const blob = new Blob([bytes], { type: image.mimeType });
    const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
    if (Math.max(bitmap.width, bitmap.height) > widest) throw new Error(`a picture is ${bitmap.width} pixels wide`);
    const texture = new Texture(bitmap);
    const { wrapS = 10497, wrapT = 10497, magFilter = 9729 } = samplers?.[sampler] ?? {};
    texture.flipY = false;
    texture.wrapS = wraps[wrapS] ?? RepeatWrapping;
    texture.wrapT = wraps[wrapT] ?? RepeatWrapping;
    texture.magFilter = magFilter === 9728 ? NearestFilter : LinearFilter;
    texture.needsUpdate = true;
    this.parser.associations.set(texture, { textures: index });
    return texture;
  }
}

export type { VRM, VRMMeta };
