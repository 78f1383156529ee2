// Writes a VRM 1.0 model, for tests: a figure of boxes with the bones that VRM wants, expressions, a picture and a licence.

import { deflateSync } from "node:zlib";

/** Bones with their parent and place relative to it; the model stands on the floor and looks at the camera. */
const bones = {
  hips: [null, [0, 0.9, 0]],
  spine: ["hips", [0, 0.1, 0]],
  chest: ["spine", [0, 0.15, 0]],
  neck: ["chest", [0, 0.2, 0]],
  head: ["neck", [0, 0.06, 0]],
  leftUpperLeg: ["hips", [0.09, -0.05, 0]],
  leftLowerLeg: ["leftUpperLeg", [0, -0.4, 0]],
  leftFoot: ["leftLowerLeg", [0, -0.4, 0]],
  rightUpperLeg: ["hips", [-0.09, -0.05, 0]],
  rightLowerLeg: ["rightUpperLeg", [0, -0.4, 0]],
  rightFoot: ["rightLowerLeg", [0, -0.4, 0]],
  leftUpperArm: ["chest", [0.15, 0.13, 0]],
  leftLowerArm: ["leftUpperArm", [0.2, 0, 0]],
  leftHand: ["leftLowerArm", [0.2, 0, 0]],
  rightUpperArm: ["chest", [-0.15, 0.13, 0]],
  rightLowerArm: ["rightUpperArm", [-0.2, 0, 0]],
  rightHand: ["rightLowerArm", [-0.2, 0, 0]],
};

/** Boxes: the bone that each hangs on, its corners, and its material. */
const boxes = [
  ["hips", [-0.13, -0.12, -0.08], [0.13, 0.1, 0.08], 1],
  ["chest", [-0.15, -0.14, -0.09], [0.15, 0.17, 0.09], 1],
  ["head", [-0.13, 0, -0.12], [0.13, 0.27, 0.12], 0],
  ["head", [-0.14, 0.2, -0.13], [0.14, 0.3, 0.125], 2],
  ["leftUpperArm", [0, -0.05, -0.05], [0.2, 0.05, 0.05], 1],
  ["leftLowerArm", [0, -0.055, -0.055], [0.18, 0.055, 0.055], 1],
  ["leftHand", [-0.02, -0.04, -0.04], [0.07, 0.04, 0.04], 0],
  ["rightUpperArm", [-0.2, -0.05, -0.05], [0, 0.05, 0.05], 1],
  ["rightLowerArm", [-0.18, -0.055, -0.055], [0, 0.055, 0.055], 1],
  ["rightHand", [-0.07, -0.04, -0.04], [0.02, 0.04, 0.04], 0],
  ["leftUpperLeg", [-0.06, -0.42, -0.06], [0.06, 0, 0.06], 2],
  ["leftLowerLeg", [-0.055, -0.4, -0.055], [0.055, 0, 0.055], 2],
  ["rightUpperLeg", [-0.06, -0.42, -0.06], [0.06, 0, 0.06], 2],
  ["rightLowerLeg", [-0.055, -0.4, -0.055], [0.055, 0, 0.055], 2],
];
/** What moves in the face: a box, and the same box as a morph target has it. */
const features = {
  mouth: [[-0.045, 0.05, 0.12], [0.045, 0.06, 0.126], [-0.05, 0.02, 0.12], [0.05, 0.075, 0.126]],
  eyeLeft: [[0.04, 0.12, 0.12], [0.07, 0.17, 0.126], [0.04, 0.142, 0.12], [0.07, 0.15, 0.126]],
  eyeRight: [[-0.07, 0.12, 0.12], [-0.04, 0.17, 0.126], [-0.07, 0.142, 0.12], [-0.04, 0.15, 0.126]],
};
const expressions = { aa: "mouth", ih: "mouth", ou: "mouth", ee: "mouth", oh: "mouth", happy: null, sad: null, relaxed: null, surprised: null, neutral: null, angry: null, blink: "eyes" };

/** Fields of the licence that VRM 1.0 wants. */
export const licence = {
  name: "箱のはこ",
  version: "1.0",
  authors: ["annai"],
  licenseUrl: "https://vrm.dev/licenses/1.0/",
  avatarPermission: "everyone",
  commercialUsage: "corporation",
  creditNotation: "required",
  allowRedistribution: true,
  modification: "allowModificationRedistribution",
};

export function writeVRM(meta = licence) {
  const parts = [];
  const views = [];
  const accessors = [];
  const add = (buffer, target) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    const padded = Buffer.concat([buffer, Buffer.alloc((4 - (buffer.length % 4)) % 4)]);
    parts.push(padded);
    views.push({ buffer: 0, byteOffset: offset, byteLength: buffer.length, ...(target ? { target } : {}) });
    return views.length - 1;
  };
  const accessor = (view, componentType, count, type, more = {}) => accessors.push({ bufferView: view, componentType, count, type, ...more }) - 1;
  const vectors = (list, more) => accessor(add(Buffer.from(new Float32Array(list.flat()).buffer), 34962), 5126, list.length, "VEC3", more);

  const indices = accessor(add(Buffer.from(new Uint16Array([0, 1, 2, 3, 4, 5].flatMap((f) => [0, 1, 2, 0, 2, 3].map((i) => 4 * f + i))).buffer), 34963), 5123, 36, "SCALAR");
  const normals = vectors(sides.flatMap(({ normal }) => [normal, normal, normal, normal]));
  const uv = accessor(add(Buffer.from(new Float32Array([0, 1, 2, 3, 4, 5].flatMap(() => [0, 1, 1, 1, 1, 0, 0, 0])).buffer), 34962), 5126, 24, "VEC2");
  const corners = (low, high) => sides.flatMap(({ corners }) => corners.map((c) => c.map((side, axis) => (side ? high : low)[axis])));
  const bounds = (list) => ({ min: [0, 1, 2].map((a) => Math.min(...list.map((v) => v[a]))), max: [0, 1, 2].map((a) => Math.max(...list.map((v) => v[a]))) });

  const names = Object.keys(bones);
  const nodes = names.map((name) => ({ name, translation: bones[name][1], children: names.map((n, i) => (bones[n][0] === name ? i : -1)).filter((i) => i >= 0) }));
  const meshes = [];
  const hang = (bone, low, high, material, morph) => {
    const [points, moved] = [corners(low, high), morph && corners(...morph)];
    const attributes = { POSITION: vectors(points, bounds(points)), NORMAL: normals, TEXCOORD_0: uv };
    const deltas = moved?.map((p, i) => p.map((x, axis) => x - points[i][axis]));
    const targets = deltas && { targets: [{ POSITION: vectors(deltas, bounds(deltas)) }] };
    meshes.push({ primitives: [{ attributes, indices, material, ...targets }], ...(targets ? { weights: [0] } : {}) });
    nodes[names.indexOf(bone)].children.push(nodes.push({ mesh: meshes.length - 1 }) - 1);
    return nodes.length - 1;
  };
  for (const [bone, low, high, material] of boxes) hang(bone, low, high, material);
  const nodeOf = Object.fromEntries(Object.entries(features).map(([name, [low, high, ...morph]]) => [name, hang("head", low, high, 2, morph)]));
  for (const node of nodes) if (node.children?.length === 0) delete node.children;
  const bind = (name) => ({ node: nodeOf[name], index: 0, weight: 1 });
  const binds = { mouth: [bind("mouth")], eyes: [bind("eyeLeft"), bind("eyeRight")] };
  const picture = add(png(8, (x, y) => ((x + y) % 2 ? [11, 110, 105] : [23, 130, 124])));
  const color = (r, g, b) => ({ pbrMetallicRoughness: { baseColorFactor: [r, g, b, 1], metallicFactor: 0, roughnessFactor: 0.9 } });
  const json = {
    asset: { version: "2.0", generator: "annai's tests" },
    extensionsUsed: ["VRMC_vrm"],
    extensions: {
      VRMC_vrm: {
        specVersion: "1.0",
        meta,
        humanoid: { humanBones: Object.fromEntries(names.map((name, node) => [name, { node }])) },
        expressions: { preset: Object.fromEntries(Object.entries(expressions).map(([name, what]) => [name, { morphTargetBinds: what ? binds[what] : [] }])) },
        lookAt: { offsetFromHeadBone: [0, 0.14, 0], type: "bone", ...Object.fromEntries(["HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"].map((n) => [`rangeMap${n}`, { inputMaxValue: 90, outputScale: 10 }])) },
      },
    },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    meshes,
    materials: [color(1, 0.87, 0.7), { pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } }, color(0.05, 0.08, 0.16)],
    textures: [{ source: 0, sampler: 0 }],
    samplers: [{ magFilter: 9728, wrapS: 33071, wrapT: 33071 }],
    images: [{ bufferView: picture, mimeType: "image/png" }],
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: parts.reduce((sum, part) => sum + part.length, 0) }],
  };
  return glb(json, Buffer.concat(parts));
}

/** The six sides of a box: its normal, and for each corner whether it is at the high end of each axis. */
const sides = [0, 1, 2].flatMap((axis) =>
  [0, 1].map((high) => {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const corner = (a, b) => [0, 1, 2].map((i) => (i === axis ? high : i === u ? a : i === v ? b : 0));
    const round = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    return { normal: [0, 1, 2].map((i) => (i === axis ? (high ? 1 : -1) : 0)), corners: high ? round : round.reverse() };
  }),
);

/** Binary glTF 2.0 of a description and its data. */
export function glb(json, data) {
  const text = Buffer.from(JSON.stringify(json));
  const described = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const head = (...numbers) => Buffer.from(new Uint32Array(numbers).buffer);
  return Buffer.concat([
    head(0x46546c67, 2, 28 + described.length + data.length),
    head(described.length, 0x4e4f534a), described,
    head(data.length, 0x004e4942), data,
  ]);
}

/** A square picture, one pixel after the other. */
function png(size, pixel) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // eight bits, red green blue
  const rows = Array.from({ length: size }, (_, y) => Buffer.from([0, ...Array.from({ length: size }, (_, x) => pixel(x, y)).flat()]));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows))), chunk("IEND", Buffer.alloc(0))]);
}

function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
