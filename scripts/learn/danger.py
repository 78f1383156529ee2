"""Usage: danger.py COMMAND ... (see --help)

Learns nlu/danger/data/danger.bin.zst, which reads whether somebody reports a danger: the network of rag/embedded, begun with its weights and
learnt further, with a layer that decides behind it. Its pieces and their embeddings are those of internal/encoder.
"""
import argparse
import json
import pathlib
import random
import struct
import subprocess
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import danger_data
import reader_base

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENCODER = ROOT / "internal/encoder/data/use-ml3-ja-en-q4.bin"
FILE = ROOT / "nlu/danger/data/danger.bin"
WINDOWS = ((2, 0), (3, 1), (5, 2))  # how many pieces each sees, and how many of them come before
EPSILON, LONGEST, TILE, EMBEDDING, FEATURES, INSIDE = 1e-12, 64, 16, 512, 1280, 192
SPACE = "\u2581"


class Encoder:
    """The file of the encoder."""

    def __init__(self):
        data = ENCODER.read_bytes()
        end = 12 + struct.unpack("<I", data[8:12])[0]
        self.of = {t["name"]: t for t in json.loads(data[12:end])["tensors"]}
        self.raw = lambda name: data[self.of[name]["offset"]:][:self.of[name]["bytes"]]
        pieces = [p for p, in reader_base.read_records(self.raw("pieces"), self.of["pieces"]["shape"][0], 1)]
        self.pieces = [""] * 3 + pieces[3:]
        scores = [0.0] * 3 + [float(s) for s in np.frombuffer(self.raw("scores"), "<f4")[3:]]
        self.quantised = np.frombuffer(self.raw("emb.q"), np.uint8).reshape(-1, EMBEDDING // 2)
        self.scales = np.frombuffer(self.raw("emb.s"), "<f2").reshape(len(pieces), -1)
        norm = reader_base.read_records(self.raw("norm"), self.of["norm"]["shape"][0], 2)
        self.tokenizer = reader_base.Tokenizer(norm, self.pieces, scores)

    def embeddings(self):
        values = np.stack([self.quantised & 15, self.quantised >> 4], -1).reshape(len(self.pieces), self.scales.shape[1], -1)
        return ((values.astype(np.float32) - 7.5) * self.scales.astype(np.float32)[..., None]).reshape(-1, EMBEDDING)

    def weights(self):
        out = {}
        for name, t in self.of.items():
            if name[-2:] in (".w", ".b", ".g"):
                kind = {"i8": np.int8, "f32": np.float32}[t["dtype"]]
                values = np.frombuffer(self.raw(name), kind).astype(np.float32).reshape(t["shape"])
                out[name] = values * np.float32(t.get("scale") or 1) if t["dtype"] == "i8" else values
        return out

    def ids(self, text):
        return [1, *self.tokenizer.tokens(text)[-LONGEST:], 2]


class Network(nn.Module):
    def __init__(self, embeddings, weights, dropout=0.3):
        super().__init__()
        self.register_buffer("emb", torch.tensor(embeddings))
        self.w = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(v)) for k, v in weights.items()})
        self.inside = nn.Linear(2 * FEATURES + EMBEDDING, INSIDE)
        self.out = nn.Linear(INSIDE, len(danger_data.CLASSES))
        self.dropout = nn.Dropout(dropout)

    def features(self, ids, mask, heard=1):
        w, e = self.w, F.embedding(ids, self.emb) * heard
        if self.training:
            e = F.dropout(e, 0.1)
            e = e * (torch.rand(e.shape[:2]) > 0.05).float()[..., None]  # a piece that was not heard
        e = e * mask
        parts = [e]
        for n, left in WINDOWS:
            def window(x):
                padded = F.pad(x, (0, 0, left, n - 1 - left))
                return torch.cat([padded[:, i:i + x.shape[1]] for i in range(n)], -1)

            named = lambda name: w[name % n]
            x = (e @ named("proj%d_w") + named("proj%d_b")).float()
            x = F.layer_norm(x, (x.shape[-1],), named("ln%d_g"), named("ln%d_b"), EPSILON) * mask
            h = (F.relu(window(x) @ named("conv%da_w") + named("conv%da_b")) + x) * mask
            parts.append((F.relu(window(h) @ named("conv%db_w") + named("conv%db_b")) + h) * mask)
        return F.layer_norm(torch.cat(parts, -1).float(), (FEATURES,), w["ln_g"], w["ln_b"], EPSILON)

    def sentence(self, mean, n):
        w = self.w
        m = n.sqrt() * (mean @ w["cnn_w"] + w["cnn_b"])
        y = F.relu(F.relu(m @ w["d0_w"]) @ w["d1_w"] + m @ w["p1_w"])
        return F.normalize(torch.tanh(F.relu(y @ w["d2_w"]) @ w["d3_w"] + y @ w["p3_w"]), dim=-1) * 8

    def pool(self, ids, n, heard=1):
        """Returns the mean and the greatest value of each feature; heard says which pieces are not left out."""
        mask = (torch.arange(ids.shape[1]) < n[:, None]).float()[..., None]
        f = self.features(ids, mask, heard)
        return (f * mask).sum(1) / n[:, None], f.masked_fill(mask == 0, -9).max(1)[0]

    def behind(self, mean, greatest, n):
        """Returns the logits of the classes."""
        return self.decide(torch.cat([mean, greatest * 0.5, self.sentence(mean, n)], -1))

    def decide(self, x):
        return self.out(self.dropout(F.gelu(self.inside(self.dropout(x)))))

    def forward(self, ids, n):
        n = n.float()
        return self.behind(*self.pool(ids, n), n[:, None])


def batch(packed):
    width = max(map(len, packed))
    return torch.tensor([p + [0] * (width - len(p)) for p in packed]), torch.tensor([len(p) for p in packed])


def batches(encoder, examples, r):
    packed = [(encoder.ids(s), c) for s, c in examples]
    r.shuffle(packed)
    packed.sort(key=lambda p: len(p[0]) + r.random() * 5)
    out = [packed[i:i + 32] for i in range(0, len(packed), 32)]
    r.shuffle(out)
    return out


def train(options):
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    encoder, r = Encoder(), random.Random(options.seed)
    network = Network(encoder.embeddings(), encoder.weights())
    if options.begin:
        network.load_state_dict({**checkpoint(options.begin), "emb": network.emb})
    known, harmless = danger_data.sentences(options.known.split(",")) + danger_data.examples(), danger_data.turns(options.talks)
    mean = {n: w.detach().clone() for n, w in network.named_parameters()}  # of what the weights were, the last ones most
    fast = [w for n, w in network.named_parameters() if n.startswith(("inside", "out"))]
    slow = [w for n, w in network.named_parameters() if not n.startswith(("inside", "out"))]
    optimizer = torch.optim.AdamW([{"params": slow}, {"params": fast}], weight_decay=0.01, fused=True)
    began, step, total = time.time(), 0, None
    for round_ in range(options.rounds):
        network.train()
        lessons, sum_ = batches(encoder, danger_data.lesson(known, harmless, r), r), 0.0
        total = total or len(lessons) * options.rounds
        for some in lessons:
            warm = min(1, (step + 1) / 60) * max(0.02, 1 - step / total)
            for group, rate in zip(optimizer.param_groups, (options.rate, 5 * options.rate)):
                group["lr"] = rate * warm
            with torch.autocast("cpu", torch.bfloat16):
                logits = network(*batch([p for p, _ in some]))
            loss = F.cross_entropy(logits.float(), torch.tensor([c for _, c in some]), label_smoothing=0.02)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step, sum_ = step + 1, sum_ + loss.item()
            keep = min(0.995, (1 + step) / (10 + step))
            with torch.no_grad():
                for n, w in network.named_parameters():
                    mean[n].mul_(keep).add_(w, alpha=1 - keep)
        print("round %d: %d examples, loss %.3f, %.0f s" % (round_, sum(map(len, lessons)), sum_ / len(lessons), time.time() - began), flush=True)
    torch.save(mean, options.checkpoint)
    if options.held:
        report(encoder, mean, danger_data.sentences(options.held.split(",")))


def pooled(encoder, network, options, part):
    """Returns what the last layers see of the examples of a lesson, with more copies of those of options.more, and the classes."""
    r, generator = random.Random(100 + part), torch.Generator().manual_seed(part)
    harmless = danger_data.turns(options.talks)
    known = danger_data.sentences(options.known.split(",")) + danger_data.examples()
    examples = danger_data.lesson(known, harmless, r, again=0.3)
    for x in danger_data.sentences(options.more.split(",")):
        says = [danger_data.varied(x["say"], r) if part else x["say"], danger_data.varied(x["say"], r)]
        if r.random() < 0.2:
            other = next((o for o in r.choices(harmless, k=9) if danger_data.japanese(o) == danger_data.japanese(x["say"])), None)
            says += [danger_data.joined(other, x["say"], r)] if other else []
        examples += [(s, danger_data.CLASSES.index(x["class"])) for s in says]
    packed = [encoder.ids(s) for s, _ in examples]
    order = sorted(range(len(packed)), key=lambda i: len(packed[i]))
    x = torch.zeros(len(packed), 2 * FEATURES + EMBEDDING)
    with torch.no_grad():
        for at in range(0, len(order), 64):
            some = order[at:at + 64]
            ids, n = batch([packed[i] for i in some])
            heard = (torch.rand(ids.shape, generator=generator) > 0.04).float()[..., None]
            mean, greatest = network.pool(ids, n.float(), heard)
            x[some] = torch.cat([mean, greatest * 0.5, network.sentence(mean, n.float()[:, None])], -1)
    return x, torch.tensor([c for _, c in examples])


def finish(options):
    """Learns the last two layers further, from what the others, which stay, make of the examples, and writes the mean of what several seeds come to."""
    torch.set_num_threads(options.threads)
    encoder = Encoder()
    begin = {**checkpoint(options.begin or FILE.with_name(FILE.name + ".zst")), "emb": torch.tensor(encoder.embeddings())}
    network = Network(encoder.embeddings(), encoder.weights())
    network.load_state_dict(begin)
    network.eval()
    x, labels = (torch.cat(part) for part in zip(*(pooled(encoder, network, options, part) for part in (0, 1))))
    sums = {}
    for seed in range(options.seed, options.seed + options.seeds):
        torch.manual_seed(seed)
        network.load_state_dict(begin)
        network.train()
        for name, weights in learn_last(network, x, labels, options).items():
            sums[name] = sums.get(name, 0) + weights / options.seeds
    torch.save(sums, options.checkpoint)
    if options.held:
        report(encoder, sums, danger_data.sentences(options.held.split(",")))


def learn_last(network, x, labels, options, size=256):
    learnt, rounds = [(n, w) for n, w in network.named_parameters() if n.startswith(("inside", "out"))], options.rounds
    optimizer = torch.optim.AdamW([w for _, w in learnt], weight_decay=0.01, fused=True)
    mean, step, total = {n: w.detach().clone() for n, w in network.named_parameters()}, 0, rounds * (len(labels) // size)
    for _ in range(rounds):
        order = torch.randperm(len(labels))
        for at in range(0, len(order) - size + 1, size):
            some = order[at:at + size]
            optimizer.param_groups[0]["lr"] = options.rate * min(1, (step + 1) / 15) * max(0.02, 1 - step / total)
            loss = F.cross_entropy(network.decide(x[some]), labels[some], label_smoothing=0.02)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([w for _, w in learnt], 1.0)
            optimizer.step()
            step, keep = step + 1, min(0.98, (1 + step) / (10 + step))
            with torch.no_grad():
                for n, w in learnt:
                    mean[n].mul_(keep).add_(w, alpha=1 - keep)
    return mean


def checkpoint(path):
    """Returns the weights of a checkpoint, or of a file that export wrote, rounded as they are there."""
    if pathlib.Path(path).suffix != ".zst":
        return torch.load(path)
    tensors, out = reader_base.read_tensors(path), {}
    for name, values in tensors.items():
        if name.endswith(".s"):
            continue
        values = values * (tensors[name[:-1] + "s"] if name.endswith(".w") else np.float32(1))
        if name.startswith("out"):
            values = values[..., :len(danger_data.CLASSES)]
        if name.startswith(("inside", "out")):
            name = name[:-1] + {"w": "weight", "b": "bias"}[name[-1]]
        else:
            name = "w." + name.replace(".", "_")
        out[name] = torch.tensor(values.T.copy() if name.endswith("weight") else values.copy())
    return out


def logits_of(encoder, network, texts):
    network.eval()
    with torch.no_grad():
        return np.stack([network(*batch([encoder.ids(t)]))[0].numpy() for t in texts])


def report(encoder, weights, tests):
    """Says how many of the reports are found where so many of the harmless sentences are taken for one."""
    network = Network(encoder.embeddings(), encoder.weights())
    network.load_state_dict({**weights, "emb": network.emb})
    z = logits_of(encoder, network, [t["say"] for t in tests])
    labels = np.array([danger_data.CLASSES.index(t["class"]) for t in tests])
    score = np.logaddexp.reduce(z[:, 1:], 1) - z[:, 0]
    harmless = np.sort(score[labels == 0])[::-1]
    for share in (0.003, 0.01, 0.02):
        print("at %.1f %% false alarms %.1f %% found" % (100 * share, 100 * (score[labels > 0] > harmless[int(share * len(harmless))]).mean()))


def export(options):
    """Writes the file of the network, rounded, and golden values."""
    encoder = Encoder()
    weights = {n[2:].replace("_", ".") if n.startswith("w.") else n: w.float().numpy() for n, w in torch.load(options.checkpoint).items()}
    weights["inside.w"], weights["inside.b"] = weights.pop("inside.weight").T, weights.pop("inside.bias")
    out, bias, width = weights.pop("out.weight").T, weights.pop("out.bias"), -(-len(danger_data.CLASSES) // TILE) * TILE
    weights["out.w"], weights["out.b"] = np.pad(out, ((0, 0), (0, width - out.shape[1]))), np.pad(bias, (0, width - len(bias)))
    tensors, rounded = [], {}
    for name, values in sorted(weights.items()):
        if name.endswith(".w"):
            scale = np.maximum(abs(values).max(0), 1e-9) / 127
            whole = np.clip(np.round(values / scale), -127, 127).astype(np.int8)
            tensors += [(name, "i8", list(values.shape), whole.tobytes()), (name[:-1] + "s", "f32", [values.shape[1]], scale.astype("<f4").tobytes())]
            values = whole * scale
        else:
            tensors.append((name, "f32", list(values.shape), values.astype("<f4").tobytes()))
        rounded[name] = values.astype(np.float32)
    write(FILE, tensors, len(encoder.pieces))
    golden(encoder, rounded)


def write(path, tensors, vocabulary):
    head = {"version": 2, "vocab": vocabulary, "ln_eps": EPSILON, "classes": danger_data.CLASSES}
    padded = [data + b"\0" * (-len(data) % 4) for _, _, _, data in tensors]
    offsets = np.cumsum([0] + [len(p) for p in padded])

    def text(begin):
        listed = [{"name": n, "dtype": t, "shape": s, "offset": begin + int(at), "bytes": len(d)} for (n, t, s, d), at in zip(tensors, offsets)]
        return json.dumps({**head, "tensors": listed}).encode()

    begin = -(-(len(text(0)) + 400) // 16) * 16
    path.write_bytes(b"ANNAIDG2" + struct.pack("<I", begin - 12) + text(begin).ljust(begin - 12) + b"".join(padded))
    subprocess.run(["zstd", "-q", "-19", "-f", "--rm", path], check=True)  # the program has it packed: danger.bin.zst


def golden(encoder, rounded):
    network = Network(encoder.embeddings(), {k: v for k, v in rounded.items() if not k.startswith(("inside", "out"))})
    with torch.no_grad():
        for name in ("inside", "out"):
            layer = getattr(network, name)
            layer.weight.copy_(torch.tensor(rounded[name + ".w"].T[:layer.out_features]))
            layer.bias.copy_(torch.tensor(rounded[name + ".b"][:layer.out_features]))
    some = random.Random(0).sample(danger_data.sentences(["d6"]), 16)
    z = logits_of(encoder, network, [s["say"] for s in some])
    lines = [json.dumps({"say": s["say"], "ids": encoder.ids(s["say"]), "logits": [round(float(v), 4) for v in l]}, ensure_ascii=False) for s, l in zip(some, z)]
    (FILE.parent.parent / "testdata/golden.json").write_text("[\n%s\n]\n" % ",\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["train", "finish", "export"])
    parser.add_argument("--checkpoint", required=True, help="what train writes and export reads")
    parser.add_argument("--known", default="d4,d5,d6,d7,d9,d10,d11,d12,d13,d15,d16,d17,d18", help="files of scripts/learn/danger, one for each author")
    parser.add_argument("--held", default="", help="files to say figures of, from which nothing is learnt")
    parser.add_argument("--talks", nargs="*", default=[], help="folders of talks, whose turns are harmless")
    parser.add_argument("--more", default="d9,d10", help="files that finish learns more often than those of --known, which should not have them")
    parser.add_argument("--begin", help="a checkpoint to begin with, or a file that export wrote; of finish the file in the repository")
    parser.add_argument("--seeds", type=int, default=1, help="how many finish takes the mean of")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    {"train": train, "finish": finish, "export": export}[options.command](options)


if __name__ == "__main__":
    main()
