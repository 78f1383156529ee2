"""What the reader begins with: the file of the encoder of rag/embedded, its weights and its tokenizer.

All text is in lower case and normalised as rag/embedded does it.
"""

import json
import pathlib
import struct
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENCODER = ROOT / "internal/encoder/data/use-ml3-ja-en-q4.bin"
ADAPTATION = ROOT / "rag/embedded/data/adaptation.bin"
EMBEDDING = 512
BLOCK = 64  # values of an embedding that share a scale
UNK, BOS, EOS = 0, 1, 2
SPACE = "\u2581"


class Encoder:
    """The file of the encoder; its weights as the adaptation of rag/embedded has them."""

    def __init__(self):
        self.tensors = {**read_tensors(ENCODER), **read_tensors(ADAPTATION)}
        pieces = [p for p, in self.tensors["pieces"]]
        self.tokenizer = Tokenizer(self.tensors["norm"], pieces, self.tensors["scores"])

    def embeddings(self):
        blocks = (self.tensors["emb.q"] - 7.5).reshape(-1, EMBEDDING // BLOCK, BLOCK)
        return (blocks * self.tensors["emb.s"][..., None]).reshape(-1, EMBEDDING).astype(np.float32)

    def weights(self):
        """Returns all learnt weights by name but the embeddings; a matrix is [in, out]."""
        out = {}
        for name, t in self.tensors.items():
            if name[-2:] in (".w", ".b", ".g"):
                out[name] = t * self.tensors.get(name[:-1] + "s", np.float32(1)) if name.endswith(".w") else t
        return out


def contents(path):
    """Returns the bytes of a file, unpacked where its name ends in .zst."""
    if pathlib.Path(path).suffix == ".zst":
        return subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout
    return pathlib.Path(path).read_bytes()


def read_header(path):
    data = contents(path)
    return json.loads(data[12 : 12 + struct.unpack("<I", data[8:12])[0]])


def read_tensors(path):
    """Returns the tensors of a file by name: arrays of their shape, or lists of tuples of strings."""
    data, of = contents(path), read_header(path)["tensors"]
    return {t["name"]: read_tensor(data[t["offset"] :][: t["bytes"]], t) for t in of}


def read_tensor(raw, t):
    kind, shape = t["dtype"], t["shape"]
    if kind in ("kv", "str"):
        return read_records(raw, shape[0], 2 if kind == "kv" else 1)
    if kind == "u4":
        pairs = np.frombuffer(raw, np.uint8)
        return np.stack([pairs & 15, pairs >> 4], -1).reshape(shape)
    values = np.frombuffer(raw, {"f32": "<f4", "f16": "<f2", "i8": "i1"}[kind]).astype(np.float32)
    return (values * np.float32(t.get("scale") or 1) if kind == "i8" else values).reshape(shape)


def read_records(raw, count, fields):
    strings, at = [], 0
    for _ in range(count * fields):
        end = at + 1 + raw[at]
        strings.append(raw[at + 1 : end].decode())
        at = end
    return list(zip(*[iter(strings)] * fields))


class Tokenizer:
    """Cuts texts into the pieces of a vocabulary whose scores have the highest sum (SentencePiece's unigram model)."""

    def __init__(self, norm, pieces, scores):
        self.norm = dict(norm)
        self.longest_key = max(map(len, self.norm))
        self.pieces, self.scores = pieces, [np.float32(s) for s in scores]
        self.ids = {}
        for i, p in enumerate(pieces):
            if i > EOS and p:
                self.ids.setdefault(p, i)
        self.longest_piece = max(map(len, self.ids))
        self.unk = np.float32(min(self.scores) - np.float32(10))
        self.known = {}

    def tokens(self, text):
        """Returns the ids of a text, without those of its beginning and end; none of an empty one."""
        if text not in self.known:
            self.known[text] = self.best(self.normalize(text))
        return self.known[text]

    def normalize(self, text):
        out, at = [], 0
        while at < len(text):
            length = next((n for n in range(self.longest_key, 0, -1) if text[at : at + n] in self.norm), 0)
            out.append(self.norm[text[at : at + length]] if length else text[at])
            at += length or 1
        return "".join(SPACE + word for word in "".join(out).lower().split(" ") if word)

    def best(self, text):
        score, back = [0.0] + [None] * len(text), [None] * (len(text) + 1)
        f32 = np.float32
        for start in range(len(text)):
            here = score[start]
            for end in range(start + 1, min(start + self.longest_piece, len(text)) + 1):
                i = self.ids.get(text[start:end], UNK)
                if i == UNK and end > start + 1:
                    continue
                s = f32(here) + (self.unk if i == UNK else self.scores[i])
                if score[end] is None or s > score[end]:
                    score[end], back[end] = s, (start, i)
        ids, at = [], len(text)
        while at > 0:
            at, i = back[at]
            if i != UNK or not ids or ids[-1] != UNK:
                ids.append(i)
        return ids[::-1]
