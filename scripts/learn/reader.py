"""Usage: reader.py COMMAND ... (see --help)

Learns nlu/network/data/reader.bin.zst, which reads what a visitor says in its talk, from talks in the format of
talks/README.md. The script reader says which commands make the file in the repository. Seeds are fixed: the same
machine learns the same from the same talks, unless it is told how long it may take.
"""

import argparse
import dataclasses
import json
import pathlib
import random
import time

import numpy as np
import torch

import reader_data
import reader_file
import reader_network
import reader_point
from reader_base import ROOT, Encoder
from reader_data import HEADS

SEED = 0
TOGETHER = 64  # examples of a batch
WARM = 150  # steps until the rate is reached
FASTER = 5  # how much faster learns what is new than what the encoder brings


def train(options):
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    encoder = Encoder()
    reading = Reading(encoder)
    network = reader_network.Network(encoder, frozen=options.frozen)
    if options.begin:
        reader_file.read(options.begin, network)
    network.to(options.device)
    learnt, tests = places(options)
    lessons = Lessons(reading, learnt, questions(options), options)
    mean = {n: w.detach().clone() for n, w in network.named_parameters()}  # of the weights, the last ones most
    optimizer = torch.optim.AdamW(groups(network), weight_decay=0.02, fused=True)
    began, step, sum_, seen = time.time(), 0, 0.0, 0
    network.train()
    for total, some in lessons.batches():
        spent = (time.time() - began) / (options.minutes * 60) if options.minutes else step / total
        if spent >= 1:
            break
        rate = options.rate * min(1, (step + 1) / WARM) * max(0.01, 1 - spent)
        value = learn(network, optimizer, [t.to(options.device, non_blocking=True) for t in some], rate)
        step, seen = step + 1, seen + 1
        sum_ += value
        follow(mean, network, step)
        if step % options.every == 0:
            print("step %d of %d: loss %.3f, %.0f s" % (step, total, sum_ / seen, time.time() - began), flush=True)
            sum_, seen = 0.0, 0
    print("%d steps, %.0f s" % (step, time.time() - began), flush=True)
    torch.save({n: w.cpu() for n, w in mean.items()}, pathlib.Path(options.out) / (options.name + ".pt"))


class Lessons(torch.utils.data.IterableDataset):
    """The batches of all rounds. Each worker makes the rounds of its own, so that the same number of workers makes the
    same batches in the same order."""

    def __init__(self, reading, learnt, questions, options):
        self.reading, self.learnt, self.questions, self.options = reading, learnt, questions, options
        self.steps = len(self.round(0)) * options.rounds

    def batches(self):
        loader = torch.utils.data.DataLoader(self, batch_size=None, num_workers=self.options.workers)
        return ((self.steps, some) for some in loader)

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for number in range(first, self.options.rounds, step):
            for some in self.round(number):
                yield self.tensors(some)

    def round(self, number):
        """Returns the batches of a round: turns in their talks, and a part of the questions."""
        rng = random.Random("%d %d" % (self.options.seed, number))
        some = reader_data.lesson(self.learnt, rng)
        some += rng.sample(self.questions, min(len(self.questions), int(len(some) * self.options.share)))
        return together([(self.reading.packed(e), e.labels, self.reading.candidates(e, rng)) for e in some], rng)

    def tensors(self, some):
        return self.reading.tensors([s[0] for s in some], [s[2] for s in some], [s[1] for s in some])


class Reading:
    """Makes what the network computes with of examples."""

    def __init__(self, encoder):
        self.tokenizer = encoder.tokenizer
        self.common = reader_network.common_pieces(encoder.tokenizer.scores)

    def packed(self, example):
        return reader_network.pack(self.tokenizer, example)

    def candidates(self, example, rng, all_=False):
        return reader_point.candidates(self.tokenizer, example, rng, all_)

    def batch(self, packed):
        return reader_network.batch(packed, self.common)

    def tensors(self, packed, rows, labels):
        """Returns the tensors of the utterances, of their candidates, which of these is right, and the labels."""
        says = [p[1][0][1] for p in packed]
        return [
            *self.batch(packed),
            *reader_point.batch(rows, self.common, says),
            reader_network.targets(labels),
        ]


def questions(options):
    """Returns the questions to passages alone, of places that no talk is of."""
    files = sorted(pathlib.Path(options.questions).glob("*.txt")) if options.questions else []
    return [e for f in files for e in reader_point.questions(f)]


def places(options):
    """Returns the places to learn from and examples of those held out."""
    all_ = reader_data.load(options.annotated, options.talks)
    held = [p for p in all_ if is_held(p, options)]
    learnt = all_ if options.all else [p for p in all_ if not is_held(p, options)]
    return learnt, reader_data.examples(held, random.Random(1))


def is_held(place, options):
    return any(h in place.source for h in options.held.split(",") if h)


def groups(network):
    """Returns the parameters, what is new apart: it learns faster."""
    named = [(n, p) for n, p in network.named_parameters() if p.requires_grad]
    return [
        {"params": [p for n, p in named if n.startswith("w.")], "faster": 1},
        {"params": [p for n, p in named if not n.startswith("w.")], "faster": FASTER},
    ]


def learn(network, optimizer, tensors, rate):
    """Takes a step and returns the loss before it."""
    for group in optimizer.param_groups:
        group["lr"] = rate * group["faster"]
    *inputs, right, target = tensors
    logits, scores = network(*inputs)
    value = reader_network.loss(logits, target, scores, right)
    optimizer.zero_grad()
    value.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return value.detach()


@torch.no_grad()
def follow(mean, network, step, every=5):
    if step % every == 0:
        keep = min(0.99, step / (step + 20 * every))
        for n, w in network.named_parameters():
            mean[n].lerp_(w, 1 - keep)


def together(lessons, rng):
    """Returns batches of lessons of like length in random order."""
    rng.shuffle(lessons)
    own = lambda l: len(l[0][1][0][1])
    lessons.sort(key=lambda l: (int(reader_network.length(l[0]) + rng.random() * 4) // 5, own(l)))
    batches = [lessons[i : i + TOGETHER] for i in range(0, len(lessons), TOGETHER)]
    rng.shuffle(batches)
    return batches


@torch.no_grad()
def logits_of(network, reading, tests):
    network.eval()
    packed = [reading.packed(e) for e in tests]
    order = sorted(range(len(packed)), key=lambda i: reader_network.length(packed[i]))
    out = [None] * len(packed)
    for at in range(0, len(order), 64):
        some = order[at : at + 64]
        device = next(network.parameters()).device
        for i, row in zip(some, network(*(t.to(device) for t in reading.batch([packed[i] for i in some]))).cpu()):
            out[i] = row
    return torch.stack(out)


def scored(logits, tests):
    """Returns what is read of each example, by head, with the example."""
    logits = reader_network.split(logits)
    best = {h: [HEADS[h][i] for i in l.argmax(-1).tolist()] for h, l in logits.items()}
    return [({h: best[h][i] for h in HEADS}, e) for i, e in enumerate(tests)]


@torch.no_grad()
def pointed(network, reading, tests):
    """Returns the scores of all candidates of each example by key, "" for none, or nothing where it has none."""
    network.eval()
    rng, out = random.Random(2), []
    for at in range(0, len(tests), 32):
        some = tests[at : at + 32]
        rows = [reading.candidates(e, rng, True) for e in some]
        tensors = reading.tensors([reading.packed(e) for e in some], rows, [e.labels for e in some])
        device = next(network.parameters()).device
        _, scores = network(*(t.to(device) for t in tensors[:-2]))
        for (candidates, _), row in zip(rows, scores.tolist()):
            found = {c.key: s for c, s in zip(candidates, row)}
            out.append({**found, "": row[-1]} if candidates else {})
    return out


def report_pointing(scores, tests, what="pointed"):
    """Says how often the right subject, or none, is pointed at, and how often it is nearest of the subjects."""
    rows = {}
    for found, e in zip(scores, tests):
        if not found:
            continue
        kept = e.about in e.context.spoken or e.about in e.context.shown
        subject = e.about in found
        kind = "none" if not subject else "kept" if kept else "new"
        best = max(found, key=found.get)
        order = sorted((k for k in found if k), key=found.get, reverse=True)
        right = best == (e.about if subject else "")
        for name in (kind, "all"):
            row = rows.setdefault("%s %s %s" % (author(e), "first" if e.first else "later", name), [0, 0, 0, 0, 0])
            row[0] += 1
            row[1] += right
            if subject:
                row[2], row[3], row[4] = row[2] + 1, row[3] + (order[0] == e.about), row[4] + (e.about in order[:3])
    for name in sorted(rows):
        n, right, of, first, three = rows[name]
        print("  %s %-24s n %d: %.1f | of subjects %d nearest %.1f, of three %.1f" % (
            what, name, n, 100 * right / n, of, 100 * first / max(1, of), 100 * three / max(1, of)), flush=True)


def author(e):
    """Returns the name of the folder of an example's place."""
    return pathlib.Path(e.place).parent.name


def report(scored, long=False):
    rows = {}
    for got, e in scored:
        rows.setdefault("%s %s" % (author(e), "first" if e.first else "later"), []).append((got, e.labels))
    for name, some in rows.items():
        if not some:
            continue
        parts = []
        for head in HEADS:
            known = [(g[head], l[head]) for g, l in some if l[head] is not None]
            parts.append("%s %.1f" % (head, 100 * sum(a == b for a, b in known) / max(1, len(known))))
        known = [(g, l) for g, l in some if all(l[h] is not None for h in ("act", "ask", "ref"))]
        joint = 100 * sum(all(g[h] == l[h] for h in ("act", "ask", "ref")) for g, l in known) / max(1, len(known))
        print(
            "  %-16s n %d: %s | joint %.1f of %d" % (name, len(some), ", ".join(parts), joint, len(known)), flush=True
        )
    if long:
        for head in ("ask", "act", "ref"):
            wrong = {}
            for got, e in scored:
                if e.labels[head] not in (None, got[head]):
                    wrong[e.labels[head], got[head]] = wrong.get((e.labels[head], got[head]), 0) + 1
            print("  %s, said and read:" % head, sorted(wrong.items(), key=lambda x: -x[1])[:15])


def temperatures(all_logits, tests):
    """Returns what the logits of each head are divided by, so that its probabilities hold at held-out places."""
    found = {}
    for head, logits in reader_network.split(all_logits).items():
        known = [i for i, e in enumerate(tests) if e.labels[head] is not None]
        target = torch.tensor([HEADS[head].index(tests[i].labels[head]) for i in known])
        candidates = np.exp(np.linspace(np.log(0.4), np.log(4), 60))
        losses = [torch.nn.functional.cross_entropy(logits[known] / t, target).item() for t in candidates]
        found[head] = float(candidates[int(np.argmin(losses))])
    print("temperatures:", {h: round(t, 2) for h, t in found.items()})
    return found


def export(options):
    """Writes the file of the network, as sure as the networks of the folds may be, or as what it began with, and golden values."""
    torch.set_num_threads(1)
    encoder = Encoder()
    reading = Reading(encoder)
    network = learnt_network(options, encoder, options.name)
    files = [options.begin] if options.begin else [options.out + "/" + f + ".bin" for f in options.folds.split(",")]
    sure = [reader_file.temperatures(pathlib.Path(f)) for f in files]
    reader_file.write(pathlib.Path(options.file), network, {h: sum(s[h] for s in sure) / len(sure) for h in HEADS})
    tests = reader_data.examples(reader_data.load(options.annotated, options.talks), random.Random(1))
    some = reader_file.chosen([e for e in tests if e.first], 4, 0)
    some += reader_file.chosen([e for e in tests if not e.first], 12, 0)
    reader_file.golden(pathlib.Path(options.file).parent.parent / "testdata/golden.json", reading, network, some)


def fold(options):
    """Writes the file of a network, and how it scores the candidates of the held-out examples."""
    torch.set_num_threads(1)
    encoder = Encoder()
    reading = Reading(encoder)
    _, tests = places(options)
    network = learnt_network(options, encoder, options.name)
    if not tests:
        reader_file.write(pathlib.Path(options.file), network, {})
        return
    network.to(options.device)
    logits = logits_of(network, reading, tests)
    report(scored(logits, tests))
    scores = pointed(network, reading, tests)
    report_pointing(scores, tests)
    alone = pointed(network, reading, [dataclasses.replace(e, context=reader_data.Context()) for e in tests])
    report_pointing(alone, tests, "alone")
    digits = lambda found: {k: round(s, 3) for k, s in found.items()}
    rows = [
        {"place": e.place, "say": e.say, "about": e.about, "first": e.first, "scores": digits(f), "alone": digits(a)}
        for f, a, e in zip(scores, alone, tests)
    ]
    pathlib.Path(options.scores).write_text(json.dumps(rows, ensure_ascii=False))
    network.to("cpu")
    reader_file.write(pathlib.Path(options.file), network, temperatures(logits, tests))


def learnt_network(options, encoder, name):
    """Returns the network of a checkpoint, rounded as in the file."""
    network = reader_network.Network(encoder)
    network.load_state_dict(torch.load(pathlib.Path(options.out) / (name + ".pt")), strict=False)
    return reader_file.as_rounded(network)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["train", "export", "fold"])
    parser.add_argument("--annotated", default="", help="folder of annotated places")
    parser.add_argument("--talks", default="", help="folder of folders of places in the format of talks/README.md")
    parser.add_argument("--out", required=True, help="folder of checkpoints")
    parser.add_argument("--name", default="reader")
    parser.add_argument(
        "--held", default="", help="parts of paths of the places that nothing is learnt from, with commas"
    )
    parser.add_argument("--all", action="store_true", help="learn from those too")
    parser.add_argument("--file", default=str(ROOT / "nlu/network/data/reader.bin"), help="what export writes")
    parser.add_argument("--folds", help="names of networks that learnt not from all places, with commas: export is as sure")
    parser.add_argument("--rounds", type=int, default=14)
    parser.add_argument("--questions", default="", help="folder of questions to passages (rag/testdata/learnt/venues)")
    parser.add_argument("--share", type=float, default=1, help="how many of these a round has, beside turns of talks")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=0, help="processes that make batches")
    parser.add_argument("--every", type=int, default=100, help="steps between two lines of the log")
    parser.add_argument(
        "--minutes", type=float, help="learn no longer than this, which makes what is learnt depend on the machine"
    )
    parser.add_argument("--rate", type=float, default=3e-4, help="of the encoder")
    parser.add_argument("--begin", help="file of a reader to learn on from, or that export is as sure as")
    parser.add_argument("--frozen", action="store_true", help="learn all but what the encoder brings, on a CPU")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--scores", help="file that fold writes the scores of candidates to")
    options = parser.parse_args()
    {"train": train, "export": export, "fold": fold}[options.command](options)


if __name__ == "__main__":
    main()
