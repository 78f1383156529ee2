"""The file of the reader, which nlu/network reads, and golden values to compare it with."""

import dataclasses
import json
import random
import struct

import numpy as np
import torch

import reader_network
from reader_base import DIM, HEADS as ATTENTION_HEADS, INNER, POSITIONS
from reader_data import HEADS

BLOCK = 32  # values of an embedding that share a scale
MAGIC = b"ANNAIRD1"


def quantised(embeddings):
    """Returns nibbles and scales of embeddings whose values are -8 to 7 times a scale in each block."""
    blocks = embeddings.reshape(len(embeddings), -1, BLOCK)
    best, least = None, None
    for bound in (-8.0, 8.0):  # which end of the range the greatest value of a block is
        widest = np.take_along_axis(blocks, np.abs(blocks).argmax(-1)[..., None], -1)
        scale = (widest / bound).astype(np.float16)
        q = np.clip(
            np.round(np.divide(blocks, scale.astype(np.float32), out=np.zeros_like(blocks), where=scale != 0)), -8, 7
        )
        error = np.abs(q * scale - blocks).max(-1, keepdims=True)
        best = (
            (q, scale)
            if best is None
            else (np.where(error < least, q, best[0]), np.where(error < least, scale, best[1]))
        )
        least = error if least is None else np.minimum(error, least)
    print("embeddings: %.1e from the base's at most" % least.max())
    q = (best[0].reshape(len(embeddings), -1) + 8).astype(np.uint8)
    return q[:, ::2] | q[:, 1::2] << 4, best[1][..., 0]


def rounded(w):
    """Returns signed bytes and a scale for each output of a matrix [out, in]; the bytes as [in, out]."""
    w = w.detach().numpy().T
    scales = np.maximum(np.abs(w).max(0), 1e-8) / np.float32(127)
    return np.round(w / scales).astype(np.int8), scales.astype(np.float32)


def as_rounded(network):
    """Makes the weights of the matrices what the file says them to be."""
    with torch.no_grad():
        for module in network.modules():
            if isinstance(module, torch.nn.Linear):
                q, s = rounded(module.weight)
                module.weight.copy_(torch.tensor((q * s).T))
    return network


def records(*columns):
    return b"".join(bytes([len(s.encode())]) + s.encode() for row in zip(*columns) for s in row)


def write(path, tokenizer, network, temperatures):
    tensors, data = [], bytearray()

    def put(name, kind, shape, raw):
        tensors.append({"name": name, "dtype": kind, "shape": list(shape), "offset": len(data), "bytes": len(raw)})
        data.extend(raw + bytes(-len(raw) % 64))

    def floats(name, values):
        values = np.ascontiguousarray(values.detach().numpy() if torch.is_tensor(values) else values, np.float32)
        put(name, "f32", values.shape, values.tobytes())

    def matrix(name, weight, bias, outputs=None):
        q, s = rounded(weight)
        bias = bias.detach().numpy()
        if outputs:
            more = outputs - q.shape[1]
            q, s, bias = np.pad(q, ((0, 0), (0, more))), np.pad(s, (0, more)), np.pad(bias, (0, more))
        put(name + ".w", "i8", q.shape, np.ascontiguousarray(q).tobytes())
        floats(name + ".s", s), floats(name + ".b", bias)

    put("norm", "kv", [len(tokenizer.norm)], records(tokenizer.norm, tokenizer.norm.values()))
    put("pieces", "str", [len(tokenizer.pieces)], records(tokenizer.pieces))
    floats("scores", np.array(tokenizer.scores))
    q, s = quantised(network.emb.numpy())
    put("emb.q", "u4", network.emb.shape, q.tobytes()), put("emb.s", "f16", s.shape, s.tobytes())
    floats("ask", network.ask), floats("pos", network.pos), floats("seg", network.seg)
    floats("eln.g", network.eln.weight), floats("eln.b", network.eln.bias)
    for i, l in enumerate(network.layers):
        matrix(
            "l%d.qkv" % i, torch.cat([l.q.weight, l.k.weight, l.v.weight]), torch.cat([l.q.bias, l.k.bias, l.v.bias])
        )
        for name in ("ao", "fi", "fo"):
            matrix("l%d.%s" % (i, name), getattr(l, name).weight, getattr(l, name).bias)
        for name in ("aln", "oln"):
            floats("l%d.%s.g" % (i, name), getattr(l, name).weight), floats(
                "l%d.%s.b" % (i, name), getattr(l, name).bias
            )
    matrix("inside", network.inside.weight, network.inside.bias)
    matrix("heads", network.heads.weight, network.heads.bias, -(-network.heads.out_features // 16) * 16)
    header = {
        "version": 1,
        "dim": DIM,
        "attention": ATTENTION_HEADS,
        "inner": INNER,
        "inside": reader_network.INSIDE,
        "positions": POSITIONS,
        "layers": len(network.layers),
        "vocab": len(tokenizer.pieces),
        "unk_penalty": 10,
        "ln_eps": reader_network.EPSILON,
        "heads": [
            {"name": n, "labels": labels, "temperature": round(temperatures.get(n, 1.0), 3)}
            for n, labels in HEADS.items()
        ],
    }
    file = with_header(header, tensors) + bytes(data)
    path.write_bytes(file)
    print("%s: %.2f MB" % (path, len(file) / 1e6))


def with_header(header, tensors):
    """Returns the beginning of the file, where offsets, which counted from its end, count from the file's beginning."""
    size = 64 * (-(-(12 + len(json.dumps({**header, "tensors": tensors})) + 8 * len(tensors)) // 64))
    moved = {**header, "tensors": [{**t, "offset": t["offset"] + size} for t in tensors]}
    return MAGIC + struct.pack("<I", size - 12) + json.dumps(moved).encode().ljust(size - 12)


@torch.no_grad()
def golden(path, tokenizer, network, some):
    """Writes what the network, rounded as in the file, says to some examples."""
    out = []
    network.eval()
    for e in some:
        packed = reader_network.pack(tokenizer, network.vocabulary, e)
        logits = network(*reader_network.batch([packed]))[0].tolist()
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
                "ids": packed[0],
                "segments": packed[1],
                "logits": [round(v, 4) for v in logits],
            }
        )
    path.write_text("[\n%s\n]\n" % ",\n".join(json.dumps(o, ensure_ascii=False) for o in out))


def chosen(tests, count, seed):
    return random.Random(seed).sample(tests, min(count, len(tests)))
