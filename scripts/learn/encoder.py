"""The sentence encoder of rag/embedded in JAX, so that something can be learnt through it: the file of the model, the tokenizer, the network.

The network is in two parts: features makes m of the tokens of a text, which is most of the work and all that is learnt anew; head makes a vector of m.
Every user compares both with rag/embedded/testdata/golden.json first (check). Shapes: n texts of t tokens, d = 512 dimensions.
"""
import hashlib
import json
import pathlib
import struct
import sys
import unicodedata

import jax
import jax.numpy as jnp
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "internal/encoder/data/use-ml3-ja-en-q4.bin"
GOLDEN = ROOT / "rag/embedded/testdata/golden.json"
AGREEMENT = 2e-4  # how far apart numbers of two implementations may be

DIM = 512
HEAD = ("d0.w", "d1.w", "p1.w", "d2.w", "d3.w", "p3.w")
WIDTHS = (8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128)  # how many tokens texts are filled up to
TOGETHER = 64  # how many texts are computed at once
WINDOWS = ((2, 0), (3, 1), (5, 2))  # how many tokens each has, and how many of them come before its own
UNK, BOS, EOS = 0, 1, 2
SPACE = "\u2581"  # how the vocabulary writes the space before a word


def read_model(path):
    """Returns the header of the model file and its tensors by name: arrays of their shape, or lists of records (tuples of str)."""
    data = path.read_bytes()
    end = 12 + struct.unpack("<I", data[8:12])[0]
    header = json.loads(data[12:end])
    return header, {t["name"]: read_tensor(data[t["offset"]:][:t["bytes"]], t) for t in header["tensors"]}


def read_tensor(raw, t):
    kind, shape = t["dtype"], t["shape"]
    if kind in ("kv", "str"):
        return read_records(raw, shape[0], 2 if kind == "kv" else 1)
    if kind == "u4":
        pairs = np.frombuffer(raw, np.uint8)
        return np.stack([pairs & 15, pairs >> 4], -1).reshape(shape)
    values = np.frombuffer(raw, {"f32": np.float32, "f16": np.float16, "i8": np.int8}[kind]).astype(np.float32)
    return (values * np.float32(t["scale"]) if kind == "i8" else values).reshape(shape)


def read_records(raw, count, fields):
    """Returns count tuples of fields strings; each has its length before it, a byte."""
    strings, at = [], 0
    for _ in range(count * fields):
        end = at + 1 + raw[at]
        strings.append(raw[at + 1:end].decode())
        at = end
    return list(zip(*[iter(strings)] * fields))


class Tokenizer:
    """Cuts texts into the pieces of the vocabulary whose scores have the highest sum (SentencePiece's unigram model)."""

    def __init__(self, header, tensors):
        self.norm = dict(tensors["norm"])
        self.longest_key = max(map(len, self.norm))
        self.pieces = [p for p, in tensors["pieces"]]
        self.ids = {p: i for i, p in enumerate(self.pieces) if i > EOS and p}
        self.longest_piece = max(map(len, self.ids))
        self.scores = list(tensors["scores"])  # their sums are of float32, as everywhere
        self.unk = np.float32(min(self.scores) - header["unk_penalty"])

    def tokens(self, text):
        """Returns the ids of a text; none if no piece of it has a letter or a digit."""
        ids = self.best(self.normalize(text))
        known = "".join(self.pieces[i] for i in ids if i != UNK)
        return [BOS, *ids, EOS] if any(unicodedata.category(c)[0] in "LN" for c in known) else []

    def normalize(self, text):
        """Replaces what the file says, the longest key first, and writes one mark before each word."""
        out, at = [], 0
        while at < len(text):
            length = next((n for n in range(self.longest_key, 0, -1) if text[at:at + n] in self.norm), 0)
            out.append(self.norm[text[at:at + length]] if length else text[at])
            at += length or 1
        return "".join(SPACE + word for word in "".join(out).split(" ") if word)

    def best(self, text):
        """Returns the ids of the best pieces of normalised text; a run of unknown characters is one."""
        reached = [(np.float32(0), 0, UNK)] + [None] * len(text)  # the best way to each place: score, from where, by which id
        for start in range(len(text)):
            for end in range(start + 1, min(start + self.longest_piece, len(text)) + 1):
                i = self.ids.get(text[start:end], UNK)
                if i == UNK and end > start + 1:
                    continue
                score = reached[start][0] + (self.unk if i == UNK else self.scores[i])
                if reached[end] is None or score > reached[end][0]:
                    reached[end] = (score, start, i)
        ids, at = [], len(text)
        while at > 0:
            _, at, i = reached[at]
            if i != UNK or not ids or ids[-1] != UNK:
                ids.append(i)
        return ids[::-1]


class Network:
    """The network: embeddings, which stay as they are, and the weights by name, of which those of features can be learnt."""

    def __init__(self, header, tensors):
        self.header = header
        blocks = (tensors["emb.q"].astype(np.float32) - 7.5).reshape(len(tensors["emb.q"]), -1, 64)
        self.embeddings = (blocks * tensors["emb.s"][..., None]).reshape(-1, DIM)
        weights = {name: jnp.array(t) for name, t in tensors.items() if name.split(".")[-1] in ("w", "b", "g")}
        self.head = {name: weights.pop(name) for name in HEAD}
        self.weights = weights

    def batches(self, tokens):
        """Yields texts, given as lists of ids, with others of like length, so that few shapes are compiled: their numbers, their embedded tokens [n,t,d]
        and the mask [n,t,1]; behind the last text stand empty ones."""
        widths = [next((w for w in WIDTHS if w >= len(ids)), len(ids)) for ids in tokens]
        for width in sorted(set(widths)):
            same = [i for i, w in enumerate(widths) if w == width]
            for some in (same[at:at + TOGETHER] for at in range(0, len(same), TOGETHER)):
                ids, mask = np.zeros((TOGETHER, width), np.int32), np.zeros((TOGETHER, width, 1), np.float32)
                for row, i in enumerate(some):
                    ids[row, :len(tokens[i])] = tokens[i]
                    mask[row, :len(tokens[i])] = 1
                yield some, self.embeddings[ids], mask

    def all_features(self, weights, tokens):
        """Returns m [n,d] of n texts, given as lists of ids."""
        out = np.zeros((len(tokens), DIM), np.float32)
        for some, e, mask in self.batches(tokens):
            out[some] = features(weights, e, mask)[:len(some)]
        return out

    def gradient(self, weights, tokens, slopes):
        """Returns the gradient of a value by the weights, where slopes [n,d] is that by m of n texts."""
        total = None
        for some, e, mask in self.batches(tokens):
            g = np.zeros((TOGETHER, DIM), np.float32)
            g[:len(some)] = slopes[some]
            part = pulled_back(weights, e, mask, g)
            total = part if total is None else summed(total, part)
        return total


def layer_norm(x, gain, shift):
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12) * gain + shift


def window(x, size, left):
    """Returns [n,t,size*c] of x [n,t,c]: each token with its neighbours, zero where there are none."""
    padded = jnp.pad(x, ((0, 0), (left, size - 1 - left), (0, 0)))
    return jnp.concatenate([padded[:, i:i + x.shape[1]] for i in range(size)], -1)


@jax.jit
def features(w, e, mask):
    """Returns m [n,d] of embedded tokens e [n,t,d]; mask [n,t,1] is 1 where there is a token, 0 behind the last."""
    parts = [e * mask]
    for size, left in WINDOWS:
        own = lambda name: w[name % size]
        x = layer_norm(parts[0] @ own("proj%d.w") + own("proj%d.b"), own("ln%d.g"), own("ln%d.b")) * mask
        h = (jax.nn.relu(window(x, size, left) @ own("conv%da.w") + own("conv%da.b")) + x) * mask
        parts.append((jax.nn.relu(window(h, size, left) @ own("conv%db.w") + own("conv%db.b")) + h) * mask)
    f = layer_norm(jnp.concatenate(parts, -1), w["ln.g"], w["ln.b"]) * mask
    count = jnp.maximum(mask.sum(1), 1)
    return (f.sum(1) @ w["cnn.w"] + count * w["cnn.b"]) / jnp.sqrt(count)


@jax.jit
def pulled_back(w, e, mask, slopes):
    """Returns the gradient by the weights of a value whose gradient by features is slopes."""
    return jax.grad(lambda w: (features(w, e, mask) * slopes).sum())(w)


summed = jax.jit(lambda a, b: jax.tree.map(jnp.add, a, b))


def unit(v):
    return v / jnp.linalg.norm(v, axis=-1, keepdims=True)


def head(w, m):
    """Returns the vectors [...,d], of unit length, of m [...,d]."""
    y0 = jax.nn.relu(m @ w["d0.w"])
    y1 = jax.nn.relu(y0 @ w["d1.w"] + m @ w["p1.w"])
    y2 = jax.nn.relu(y1 @ w["d2.w"])
    return unit(jnp.tanh(y2 @ w["d3.w"] + y1 @ w["p3.w"]))


def load():
    """Returns the tokenizer and the network of the model in the repository, compared with golden.json."""
    header, tensors = read_model(MODEL)
    tokenizer, network = Tokenizer(header, tensors), Network(header, tensors)
    check(tokenizer, network)
    return tokenizer, network


def adaptation(network, weights):
    """Returns the file of an adaptation, a model file with nothing but the tensors of features, and the weights as it says them. Matrices are signed bytes
    with a scale for each output, NAME.s: with one for all, what was learnt would be less than a step."""
    arrays, said = {}, {}
    for name, w in sorted(weights.items()):
        arrays[name] = w = np.array(w, np.float32)
        if name.endswith(".w"):
            scales = np.abs(w).max(0) / np.float32(127)
            arrays[name] = np.round(w / scales).astype(np.int8)
            arrays[name.removesuffix("w") + "s"] = scales
            w = arrays[name] * scales
        said[name] = jnp.array(w)
    tensors, data = [], b""
    for name, array in arrays.items():
        tensors.append({"name": name, "dtype": "i8" if array.dtype == np.int8 else "f32", "shape": list(array.shape), "offset": len(data), "bytes": array.nbytes})
        data += array.tobytes() + bytes(-array.nbytes % 64)
    return with_header({**network.header, "tensors": tensors}) + data, said


def with_header(header):
    """Returns the beginning of a file: header, whose offsets count from the end of it, as one whose offsets count from the beginning of the file."""
    size = 64 * (-(-(12 + len(json.dumps(header)) + 16 * len(header["tensors"])) // 64))  # an offset has 16 digits at most
    moved = {**header, "tensors": [{**t, "offset": t["offset"] + size} for t in header["tensors"]]}
    return b"ANNAIEM1" + struct.pack("<I", size - 12) + json.dumps(moved).encode().ljust(size - 12)


def fingerprint(network, adaptation):
    """Returns what identifies vectors of the network with this adaptation, a file's bytes; rag/embedded returns the same."""
    model, h = hashlib.sha256(MODEL.read_bytes()).hexdigest(), network.header
    return "%s/%d/%d-%s" % (h["name"], h["dim"], h["version"], hashlib.sha256(model.encode() + adaptation).hexdigest()[:16])


def check(tokenizer, network):
    """Stops unless the tokenizer and the network agree with golden.json."""
    golden = json.loads(GOLDEN.read_text())
    for t in golden["texts"]:
        if (got := tokenizer.tokens(t["text"])) != t["ids"]:
            sys.exit("learn: the tokenizer makes %s of %r, but %s has %s: one of the two is not of this model" % (got, t["text"], GOLDEN, t["ids"]))
    vectors = np.array(head(network.head, network.all_features(network.weights, [t["ids"] for t in golden["texts"]])))
    first = np.abs(vectors[:, :8] - np.array([t["first8"] for t in golden["texts"]])).max()
    cosine = np.abs(vectors @ vectors.T - np.array(golden["cosine"])).max()
    if not max(first, cosine) < AGREEMENT:
        sys.exit("learn: vectors are %.1e and cosines %.1e away from %s, more than %g" % (first, cosine, GOLDEN, AGREEMENT))
    print("golden: %d texts, same ids; values %.1e apart, cosines %.1e" % (len(vectors), first, cosine), flush=True)
