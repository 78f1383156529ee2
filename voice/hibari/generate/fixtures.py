"""Writes what onnxruntime makes of a few sentences with the weights of hibari-tts, for the tests of package hibari. Run by scripts/voice-en.

The matrices of the original file round what they multiply to 8 bits, by the greatest number of the whole sentence. Ours don't: they are
more exact. So the nodes that round are taken out of the graph first; how far the original is from that is printed.

    fixtures.py FILE
"""
import base64
import gzip
import json
import os
import sys

import hibari
import numpy as np
import onnx
import onnxruntime
from hibari import dsp
from onnx import helper

SENTENCES = [
    "Hello.",
    "Wi-Fi is free on the second floor.",
    "You can book meeting room A-3 for 500 yen an hour, can't you?",
]
DURATIONS = "/Clip_output_0"


def exact(model):
    """The graph without its rounding."""
    rounded, scales, nodes = {}, set(), []
    for node in model.graph.node:
        if node.op_type == "DynamicQuantizeLinear":
            rounded[node.output[0]] = node.input[0]
            scales.add(node.output[1])
        elif node.op_type == "MatMulInteger":
            weights = node.output[0] + "_weights"
            nodes.append(helper.make_node("Cast", [node.input[1]], [weights], to=onnx.TensorProto.FLOAT))
            nodes.append(helper.make_node("MatMul", [rounded[node.input[0]], weights], [node.output[0]]))
        elif node.op_type == "Mul" and node.input[0] in scales:
            nodes.append(helper.make_node("Identity", [node.input[1]], [node.output[0]]))
        else:
            nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def session(model):
    model.graph.output.append(helper.make_tensor_value_info(DURATIONS, onnx.TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


class Silence:
    def standard_normal(self, shape, dtype):
        return np.zeros(shape, dtype)


def text(array, kind):
    return base64.b64encode(np.ascontiguousarray(array, kind).tobytes()).decode()


def main(path):
    tts = hibari.Hibari()
    original, unrounded = session(onnx.load(tts.model_path)), session(exact(onnx.load(tts.model_path)))
    out = []
    for sentence in SENTENCES:
        (phonemes,) = tts.phonemize(sentence)
        inputs = {"ids": np.asarray([tts.ids(phonemes)], np.int64), "speed": np.ones(1, np.float32)}
        *parts, f0, durations = unrounded.run(None, inputs)
        parts, f0 = [p[0] for p in parts], f0[0]
        *others, other, otherwise = original.run(None, inputs)
        print(sentence, "steps that the original file rounds differently:", int((durations != otherwise).sum()), "of", durations.size)
        if other[0].shape == f0.shape:
            print("  its relative difference:", *(f"{np.linalg.norm(a - b[0]) / np.linalg.norm(a):.4f}" for a, b in zip(parts + [f0], others + [other])))
        sound = dsp.synth(*parts, f0, Silence())
        spectra = np.stack([p[:, ::16].T for p in parts], 1)  # frames, parts, bins
        out.append({
            "phonemes": phonemes, "steps": durations.reshape(-1).astype(int).tolist(), "every": 16,
            "pitch": text(f0, "<f4"), "spectra": text(spectra, "<f2"), "sound": text(np.round(sound * 32767), "<i2"),
        })
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 9, f, 0) as z:
        z.write(json.dumps(out, ensure_ascii=False).encode())


main(sys.argv[1])
