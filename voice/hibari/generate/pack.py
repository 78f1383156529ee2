"""Writes the data of package hibari from the files of the Python package hibari-tts: the weights of both networks as one file of
tensors, and the lexicons, the tagger and the tokenizer's words as sorted lines. Run by scripts/voice-en.

    pack.py DIRECTORY
"""
import gzip
import hashlib
import json
import os
import sys

import hibari
import numpy as np
import onnx
from onnx import numpy_helper

ASSETS = os.path.join(os.path.dirname(hibari.__file__), "assets")
SOURCES = {
    "hibari.onnx": "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8",
    "oov.onnx": "d3cfd8122c5f172a98c8de38268bf1213ee09f2c2ae4df6e055fc6532590fe76",
    "oov.json": "b462e6e5dbdf0e7346c732385d0dd844f612f1770871441c56932bff4ca75d8c",
    "vocab.json": "70abefbe8a1c8865e43e0a43bbdc25b91a33e4aa053479d443ccf23e20a59e5d",
    "normalize.json": "d478ff05404bc43ac3e0468e306674e51085f1b1afc94cdef7c7ea4fb0d56bd8",
    "tokenizer_exceptions.json": "ddf3a3da07bdcf5144270ea4530191d8580fb4fd6f5ae93296e87916e795659a",
    "tagger.json.gz": "d2da7502284bbbe45d49e0b7ce3ce67bdab82254150f4317f1b8559b4d38d0eb",
    "lexicon_us_gold.json.gz": "63ae94f8ef0e906d5b24fe9b59ffcbd1529aca5686a774610e43973cbaa86ad2",
    "lexicon_us_silver.json.gz": "c4c2546ebf1eb07010331e7ef785a431aa17ba8e7bfb6b4af8d654ee96a71fd3",
}


def source(name):
    with open(os.path.join(ASSETS, name), "rb") as f:
        data = f.read()
    digest = hashlib.sha256(data).hexdigest()
    if digest != SOURCES[name]:
        sys.exit(f"pack.py: {name} has the checksum {digest}, not {SOURCES[name]}")
    return gzip.decompress(data) if name.endswith(".gz") else data


def compressed(path, data):
    """Writes a compressed file that is the same each time."""
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 9, f, 0) as z:
        z.write(data)


class Tensors:
    """A file that internal/tensorfile reads."""

    def __init__(self):
        self.list, self.blobs = [], []

    def add(self, name, array, kind, scale=0.0):
        array = np.ascontiguousarray(array, {"f32": "<f4", "f16": "<f2", "i8": "i1"}[kind])
        self.list.append({"name": name, "dtype": kind, "shape": list(array.shape), "bytes": array.nbytes, "scale": scale})
        self.blobs.append(array.tobytes())

    def vector(self, name, array):
        self.add(name, np.asarray(array, np.float32).reshape(-1), "f32")

    def matrix(self, name, weights, scale, bias, gain=None):
        """y = x * weights * scale + bias, and that times gain. Outputs are padded to a multiple of 16."""
        out = weights.shape[1]
        pad = -out % 16
        gain = np.ones(out, np.float32) if gain is None else gain
        scale = np.broadcast_to(np.float32(scale), out) * gain
        self.add(name + ".w", np.pad(weights, ((0, 0), (0, pad))), "i8")
        self.vector(name + ".s", np.pad(scale, (0, pad)))
        self.vector(name + ".b", np.pad(bias * gain, (0, pad)))

    def dense(self, name, weights, bias):
        """y = x * weights + bias, with weights of half precision."""
        pad = -weights.shape[1] % 16
        self.add(name + ".w", np.pad(weights, ((0, 0), (0, pad))), "f16")
        self.vector(name + ".b", np.pad(bias, (0, pad)))

    def norm(self, name, gain, shift):
        self.vector(name + ".g", gain)
        self.vector(name + ".b", shift)

    def write(self, path, magic, header):
        start = len(magic) + 4 + 64 * 1024  # the header is padded with spaces to this
        at = start
        for tensor, blob in zip(self.list, self.blobs):
            tensor["offset"] = at
            at += len(blob)
        text = json.dumps(header | {"tensors": self.list}, ensure_ascii=False, separators=(",", ":")).encode()
        text = text.ljust(64 * 1024)
        compressed(path, magic + len(text).to_bytes(4, "little") + text + b"".join(self.blobs))


class Graph:
    """The constants of an ONNX file, by what they are used for."""

    def __init__(self, name):
        self.graph = onnx.load_from_string(source(name)).graph
        self.constants = {i.name: numpy_helper.to_array(i) for i in self.graph.initializer}

    def __getitem__(self, name):
        return self.constants[name]

    def quantized(self, bias):
        """The matrix of bytes in front of the addition of a bias, and its scale: the first in the order of the graph."""
        made = {output: node for node in self.graph.node for output in node.output}
        add = next(n for n in self.graph.node if n.op_type == "Add" and bias in n.input)
        scaled = made[next(i for i in add.input if i != bias)]
        for name in scaled.input:
            node = made[name]
            if node.op_type == "Cast":
                weights = made[node.input[0]].input[1]
            else:
                scale = node.input[1]
        return self[weights], float(self[scale])

    def product(self, bias):
        """The matrix of floats in front of the addition of a bias."""
        made = {output: node for node in self.graph.node for output in node.output}
        add = next(n for n in self.graph.node if n.op_type == "Add" and bias in n.input)
        return self[made[next(i for i in add.input if i != bias)].input[1]]


def convolution(out, graph, name, to):
    """A ConvNeXt block: a step over time, a normalization and two linear ones."""
    out.add(to + ".dw.w", graph[name + ".dw.weight"][:, 0, :].T, "f32")
    out.vector(to + ".dw.b", graph[name + ".dw.bias"])
    out.norm(to + ".norm", graph[name + ".norm.weight"], graph[name + ".norm.bias"])
    out.matrix(to + ".pw1", *graph.quantized(name + ".pw1.bias"), graph[name + ".pw1.bias"])
    out.matrix(to + ".pw2", *graph.quantized(name + ".pw2.bias"), graph[name + ".pw2.bias"], graph[name + ".gamma"])


ATTENTION = {"qkv": "self_attn.in_proj_bias", "out": "self_attn.out_proj.bias", "up": "linear1.bias", "down": "linear2.bias"}


def text(out, graph, name, to):
    out.add(to + ".emb", graph[name + ".emb.weight"], "f16")
    for i in range(2):
        convolution(out, graph, f"{name}.convs.{i}", f"{to}.conv{i}")
    for part, bias in ATTENTION.items():
        bias = f"{name}.attn.{bias}"
        out.matrix(f"{to}.attn.{part}", *graph.quantized(bias), graph[bias])
    for n in ("norm1", "norm2"):
        out.norm(f"{to}.attn.{n}", graph[f"{name}.attn.{n}.weight"], graph[f"{name}.attn.{n}.bias"])
    out.norm(to + ".norm", graph[name + ".norm.weight"], graph[name + ".norm.bias"])


def dense(out, graph, name, to):
    """A convolution of floats as a matrix: inputs are the values of a row, row after row."""
    w = graph[name + ".weight"]  # outputs, inputs, kernel
    out.dense(to, w.transpose(2, 1, 0).reshape(-1, w.shape[0]), graph[name + ".bias"])


def voice(out):
    graph = Graph("hibari.onnx")
    text(out, graph, "pn.text", "prosody")
    dense(out, graph, "pn.dur.0", "dur0")
    dense(out, graph, "pn.dur.2", "dur1")
    dense(out, graph, "pn.pro_in", "prosody.in")
    for i in range(6):
        convolution(out, graph, f"pn.pro.{i}", f"prosody.dec{i}")
    dense(out, graph, "pn.pro_out", "prosody.out")
    text(out, graph, "m.text", "sound")
    dense(out, graph, "m.dec_in", "sound.in")
    for i in range(8):
        convolution(out, graph, f"m.dec.{i}", f"sound.dec{i}")
    out.norm("sound.last", graph["m.dec_norm.weight"], graph["m.dec_norm.bias"])
    out.matrix("sound.head", *graph.quantized("m.head.bias"), graph["m.head.bias"])


def unknown_words(out):
    graph = Graph("oov.onnx")
    out.add("word.emb", graph["m.emb.weight"], "f16")
    out.add("word.pos", graph["m.pos"], "f32")
    for i in range(4):
        name, to = f"m.layers.{i}", f"word.{i}"
        for part, bias in ATTENTION.items():
            bias = f"{name}.{bias}"
            out.dense(f"{to}.{part}", graph.product(bias), graph[bias])
        for n in ("norm1", "norm2"):
            out.norm(f"{to}.{n}", graph[f"{name}.{n}.weight"], graph[f"{name}.{n}.bias"])
    out.norm("word.norm", graph["m.norm.weight"], graph["m.norm.bias"])
    out.dense("word.head", graph.product("m.head.bias"), graph["m.head.bias"])


def lines(path, rows):
    """Sorted lines of a key, a tab and a value, in a compressed file."""
    rows = sorted((k.encode(), v.encode()) for k, v in rows)
    compressed(path, b"".join(k + b"\t" + v + b"\n" for k, v in rows))


def reading(value):
    """One reading, or "tag=reading" for each part of speech."""
    if isinstance(value, str):
        return value
    return " ".join(f"{tag}={ps or ''}" for tag, ps in sorted(value.items()))


def main(directory):
    to = lambda name: os.path.join(directory, name)
    out = Tensors()
    voice(out)
    unknown_words(out)
    words = json.loads(source("oov.json"))
    vocabulary = sorted(json.loads(source("vocab.json")).items(), key=lambda item: item[1])
    out.write(to("hibari.bin.gz"), b"HIBARI01", {
        "phonemes": "".join(c for c, _ in vocabulary), "ids": [i for _, i in vocabulary],
        "letters": "".join(words["in"]), "spoken": "".join(words["out"]),
    })
    for name in ("gold", "silver"):
        lexicon = json.loads(source(f"lexicon_us_{name}.json.gz"))
        lines(to(name + ".tsv.gz"), ((word, reading(value)) for word, value in lexicon.items()))
    tagger = json.loads(source("tagger.json.gz"))
    rows = [("#tags", " ".join(tagger["tags"]))]
    rows += [("=" + word, tag) for word, tag in tagger["tagdict"].items()]
    rows += [("<" + word, "") for word in tagger["vocab"]]
    rows += [(">" + feature, " ".join(f"{t}:{round(10 * w)}" for t, w in weights.items())) for feature, weights in tagger["weights"].items()]
    lines(to("tagger.tsv.gz"), rows)
    special = json.loads(source("tokenizer_exceptions.json"))
    lines(to("tokens.tsv.gz"), ((word, " ".join(parts)) for word, parts in special.items() if word.strip()))
    with open(to("normalize.tsv"), "w", encoding="utf-8") as f:
        for kind, words in json.loads(source("normalize.json")).items():
            for word in words:
                value = words[word] if isinstance(words, dict) else []
                f.write("\t".join([kind, word, *([value] if isinstance(value, str) else value)]) + "\n")


main(sys.argv[1])
