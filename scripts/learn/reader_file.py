"""The file of the reader, which nlu/network reads, and golden values to compare it with."""

import dataclasses
import json
import random
import re
import struct

import numpy as np
import torch

import reader_network
from reader_base import read_header, read_tensors
from reader_data import HEADS, Context

MAGIC = b"ANNAIRD3"
TILE = 16  # outputs of a matrix that are computed together
INPUTS = 64  # what its inputs are a multiple of


def rounded(w):
    """Returns signed bytes and a scale for each output of a matrix [in, out]."""
    scales = np.maximum(np.abs(w).max(0), 1e-8) / np.float32(127)
    return np.round(w / scales).astype(np.int8), scales.astype(np.float32)


def as_rounded(network):
    """Makes the weights of the matrices what the file says them to be."""
    with torch.no_grad():
        for module in network.modules():
            if isinstance(module, torch.nn.Linear):
                q, s = rounded(module.weight.numpy().T)
                module.weight.copy_(torch.tensor((q * s).T))
        for name, w in network.w.items():
            if name.endswith("_w"):
                q, s = rounded(w.numpy())
                w.copy_(torch.tensor(q * s))
    return network


def numbers(values):
    return np.ascontiguousarray(values.detach().numpy() if torch.is_tensor(values) else values, np.float32)


class File:
    """The tensors of a file that is written."""

    def __init__(self):
        self.tensors, self.data = [], bytearray()

    def put(self, name, kind, shape, raw):
        self.tensors.append(
            {"name": name, "dtype": kind, "shape": list(shape), "offset": len(self.data), "bytes": len(raw)}
        )
        self.data.extend(raw + bytes(-len(raw) % 64))

    def floats(self, name, values):
        self.put(name, "f32", numbers(values).shape, numbers(values).tobytes())

    def matrix(self, name, weight, bias):
        """Writes a matrix [in, out], filled up to whole tiles of outputs, and its bias, if it has one."""
        q, s = rounded(numbers(weight))
        more = -q.shape[1] % TILE
        q = np.pad(q, ((0, -q.shape[0] % INPUTS), (0, more)))
        self.put(name + ".w", "i8", q.shape, q.tobytes())
        self.floats(name + ".s", np.pad(s, (0, more)))
        if bias is not None:
            self.floats(name + ".b", np.pad(numbers(bias), (0, more)))

    def linear(self, name, module):
        self.matrix(name, module.weight.T, module.bias)

    def norm(self, name, module):
        self.floats(name + ".g", module.weight), self.floats(name + ".b", module.bias)


def write(path, network, temperatures):
    file = File()
    weights = {n.replace("_", "."): w for n, w in network.w.items()}
    for name in sorted(weights):
        if name.endswith(".w"):
            file.matrix(name[:-2], weights[name], weights.get(name[:-1] + "b"))
        elif name[:-1] + "w" not in weights:  # of a normalisation
            file.floats(name, weights[name])
    file.linear("narrow", network.narrow)
    for name in ("ask", "seg", "pos", "match"):
        file.floats(name, getattr(network, name))
    for i, layer in enumerate(network.layers):
        for name in ("q", "kv", "o", "fi", "fo"):
            file.linear("l%d.%s" % (i, name), getattr(layer, name))
        for name in ("an", "fn"):
            file.norm("l%d.%s" % (i, name), getattr(layer, name))
    for name in ("row", "whole", "kv", "own", "q", "o", "fi", "fo", "hidden", "score", "none"):
        file.linear("point." + name, getattr(network.point, name))
    for name in ("rows", "looks", "fn", "end"):
        file.norm("point." + name, getattr(network.point, name))
    for name in ("title", "kind", "exact", "flag", "scale"):
        file.floats("point." + name, getattr(network.point, name).reshape(-1))
    file.norm("norm", network.norm), file.linear("inside", network.inside), file.linear("heads", network.heads)
    header = {
        "version": 3,
        "dim": reader_network.DIM,
        "attention": reader_network.ATTENTION,
        "inner": reader_network.INNER,
        "inside": reader_network.INSIDE,
        "layers": len(network.layers),
        "vocab": len(network.emb),
        "common": reader_network.COMMON,
        "ln_eps": reader_network.EPSILON,
        "encoder_ln_eps": reader_network.ENCODER_EPSILON,
        "heads": [
            {"name": n, "labels": labels, "temperature": round(temperatures.get(n, 1.0), 3)}
            for n, labels in HEADS.items()
        ],
    }
    data = with_header(header, file.tensors) + bytes(file.data)
    path.write_bytes(data)
    print("%s: %.2f MB" % (path, len(data) / 1e6))


@torch.no_grad()
def read(path, network):
    """Gives a network the weights of a file, as that has them rounded."""
    tensors = read_tensors(path)
    loaded = set()

    def put(name, parameter, turned=False):
        values = tensors[name]
        if name.endswith(".w"):
            values = values * tensors[name[:-1] + "s"]
        values = values.T if turned else values
        if values.ndim == 2:
            values = values[: parameter.shape[0], : parameter.shape[1]]
        parameter.copy_(torch.tensor(values.reshape(-1)[: parameter.numel()].reshape(parameter.shape)))
        loaded.add(name)

    for name, parameter in network.w.items():
        put(name.replace("_", "."), parameter)
    for name, parameter in network.named_parameters():
        if name.startswith("w."):
            continue
        path_, _, last = name.rpartition(".")
        path_ = re.sub(r"^layers\.", "l", path_)
        if last not in ("weight", "bias"):
            put(name, parameter)
        elif parameter.dim() == 2:
            put(path_ + ".w", parameter, True)
        else:
            put(path_ + (".b" if last == "bias" else ".g"), parameter)
    return {t for t in tensors if t not in loaded and t[:-1] + "w" not in loaded}


def temperatures(path):
    """Returns those of a file."""
    return {h["name"]: h["temperature"] for h in read_header(path)["heads"]}


def with_header(header, tensors):
    """Returns the beginning of the file, where offsets, which counted from its end, count from the file's beginning."""
    size = 64 * (-(-(12 + len(json.dumps({**header, "tensors": tensors})) + 8 * len(tensors)) // 64))
    moved = {**header, "tensors": [{**t, "offset": t["offset"] + size} for t in tensors]}
    return MAGIC + struct.pack("<I", size - 12) + json.dumps(moved).encode().ljust(size - 12)


@torch.no_grad()
def golden(path, reading, network, some):
    """Writes what the network, rounded as in the file, says to some examples."""
    out = []
    network.eval()
    for e in some:
        logits, points, candidates = pointed(reading, network, e)
        alone, alone_points, _ = pointed(reading, network, dataclasses.replace(e, context=Context()))
        c = dataclasses.asdict(e.context)
        c = {
            "Said": c["said"],
            "Ask": c["ask"],
            "Subject": c["subject"],
            "Earlier": c["earlier"],
            "InView": list(c["view"]),
        }
        out.append(
            {
                "utterance": e.say,
                "context": c,
                "texts": [list(ids) for _, ids in reading.packed(e)[1]],
                "logits": [round(v, 4) for v in logits],
                "alone": [round(v, 4) for v in alone],
                "candidates": candidates,
                "points": [round(v, 4) for v in points],
                "alonePoints": [round(v, 4) for v in alone_points],
            }
        )
    path.write_text("[\n%s\n]\n" % ",\n".join(json.dumps(o, ensure_ascii=False) for o in out))


def pointed(reading, network, e):
    """Returns the logits, the probabilities of all candidates, and these."""
    rng = random.Random(3)
    found, _ = reading.candidates(e, rng, True)
    *inputs, _, _ = reading.tensors([reading.packed(e)], [(found, -1)], [e.labels])
    logits, scores = network(*inputs)
    spoken, shown = e.context.spoken, e.context.shown
    candidates = [
        {
            "Title": c.text.title,
            "Text": c.text.text,
            "Event": c.kind == 0,
            "Last": c.key in spoken[:1],
            "Earlier": c.key in spoken[1:],
            "Shown": c.key in shown,
        }
        for c in found
    ]
    return logits[0].tolist(), scores.softmax(-1)[0, : len(found)].tolist(), candidates


def chosen(tests, count, seed):
    return random.Random(seed).sample(tests, min(count, len(tests)))
