"""Usage: reader.py COMMAND ... (see --help)

Learns nlu/network/data/reader.bin, which reads what a visitor says in its talk, from talks in the format of
talks/README.md. The script reader says which commands make the file in the repository. Seeds are fixed: the same
machine learns the same from the same talks, unless it is told how long it may take.
"""

import argparse
import pathlib
import random
import time

import numpy as np
import torch

import reader_data
import reader_file
import reader_network
from reader_base import ROOT, Encoder
from reader_data import HEADS

SEED = 0
TOGETHER = 32  # examples of a batch
WARM = 150  # steps until the rate is reached
FASTER = 5  # how much faster learns what is new than what the encoder brings


def train(options):
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    encoder = Encoder()
    reading = Reading(encoder)
    network = reader_network.Network(encoder)
    if options.begin:
        network.load_state_dict(checkpoint(options, options.begin)["last"])
    mean = {n: w.detach().clone() for n, w in network.named_parameters()}  # of the weights, the last ones most
    optimizer = torch.optim.AdamW(groups(network), weight_decay=0.02, fused=True)
    rng, began, step, total = random.Random(options.seed), time.time(), 0, None
    for round_ in range(options.rounds):
        learnt, tests = places(options)
        batches = together([(reading.packed(e), e.labels) for e in reader_data.lesson(learnt, rng)], rng)
        total, sum_, seen = total or len(batches) * options.rounds, 0.0, 0
        network.train()
        for some in batches:
            spent = (time.time() - began) / (options.minutes * 60) if options.minutes else step / total
            if spent >= 1:
                break
            rate = options.rate * min(1, (step + 1) / WARM) * max(0.01, 1 - spent)
            sum_, step, seen = sum_ + learn(network, reading, optimizer, some, rate), step + 1, seen + 1
            follow(mean, network, step)
        print(
            "round %d: %d examples in all, loss %.3f, %.0f s"
            % (round_, step * TOGETHER, sum_ / max(1, seen), time.time() - began),
            flush=True,
        )
        late = bool(options.minutes) and time.time() - began >= options.minutes * 60
        if round_ % options.every == options.every - 1 or late or round_ == options.rounds - 1:
            torch.save(
                {"mean": mean, "last": network.state_dict()}, pathlib.Path(options.out) / (options.name + ".pt")
            )
            if tests and not options.all:
                now = {n: w.detach().clone() for n, w in network.named_parameters()}
                network.load_state_dict(mean)
                report(scored(logits_of(network, reading, tests), tests), late)
                network.load_state_dict(now)
        if late:
            break


class Reading:
    """Makes what the network computes with of examples."""

    def __init__(self, encoder):
        self.tokenizer = encoder.tokenizer
        self.common = reader_network.common_pieces(encoder.tokenizer.scores)

    def packed(self, example):
        return reader_network.pack(self.tokenizer, example)

    def batch(self, packed):
        return reader_network.batch(packed, self.common)


def places(options):
    """Returns the places to learn from and examples of those held out: talks may be added meanwhile."""
    all_ = reader_data.load(options.annotated, options.talks)
    held = [p for p in all_ if is_held(p, options)]
    learnt = all_ if options.all else [p for p in all_ if not is_held(p, options)]
    return learnt, reader_data.examples(held, random.Random(1))


def is_held(place, options):
    return any(h in place.source for h in options.held.split(",") if h)


def groups(network):
    """Returns the parameters, what is new apart: it learns faster."""
    named = list(network.named_parameters())
    return [
        {"params": [p for n, p in named if n.startswith("w.")], "faster": 1},
        {"params": [p for n, p in named if not n.startswith("w.")], "faster": FASTER},
    ]


def learn(network, reading, optimizer, some, rate):
    """Takes a step and returns the loss before it."""
    for group in optimizer.param_groups:
        group["lr"] = rate * group["faster"]
    logits = network(*reading.batch([p for p, _ in some]))
    value = reader_network.loss(logits, [l for _, l in some])
    optimizer.zero_grad()
    value.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return value.item()


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
        for i, row in zip(some, network(*reading.batch([packed[i] for i in some]))):
            out[i] = row
    return torch.stack(out)


def scored(logits, tests):
    """Returns what is read of each example, by head, with the example."""
    logits = reader_network.split(logits)
    best = {h: [HEADS[h][i] for i in l.argmax(-1).tolist()] for h, l in logits.items()}
    return [({h: best[h][i] for h in HEADS}, e) for i, e in enumerate(tests)]


def report(scored, long=False):
    rows = {"annotated first": [], "annotated later": [], "authors first": [], "authors later": []}
    for got, e in scored:
        rows[
            "%s %s" % ("authors" if e.place.endswith(".json") else "annotated", "first" if e.first else "later")
        ].append((got, e.labels))
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
    """Writes the file of the network and golden values."""
    torch.set_num_threads(1)
    encoder = Encoder()
    reading = Reading(encoder)
    _, tests = places(options)
    logits = logits_of(learnt_network(options, encoder, options.calibrate or options.name), reading, tests)
    report(scored(logits, tests), True)
    found = temperatures(logits, tests)
    network = learnt_network(options, encoder, options.name)
    reader_file.write(pathlib.Path(options.file), network, found)
    some = reader_file.chosen([e for e in tests if e.first], 4, 0)
    some += reader_file.chosen([e for e in tests if not e.first], 12, 0)
    reader_file.golden(pathlib.Path(options.file).parent.parent / "testdata/golden.json", reading, network, some)


def learnt_network(options, encoder, name):
    """Returns the network of a checkpoint, rounded as in the file."""
    network = reader_network.Network(encoder)
    network.load_state_dict(checkpoint(options, name)["mean"])
    return reader_file.as_rounded(network)


def checkpoint(options, name):
    return torch.load(pathlib.Path(options.out) / (name + ".pt"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["train", "export"])
    parser.add_argument("--annotated", default="", help="folder of annotated places")
    parser.add_argument("--talks", default="", help="folder of folders of places in the format of talks/README.md")
    parser.add_argument("--out", required=True, help="folder of checkpoints")
    parser.add_argument("--name", default="reader")
    parser.add_argument(
        "--held", default="", help="parts of paths of the places that nothing is learnt from, with commas"
    )
    parser.add_argument("--all", action="store_true", help="learn from those too")
    parser.add_argument("--file", default=str(ROOT / "nlu/network/data/reader.bin"), help="what export writes")
    parser.add_argument(
        "--calibrate", help="the checkpoint that learnt nothing from the held places: how sure it may be, the other may"
    )
    parser.add_argument("--begin", help="the name of a checkpoint that is learnt on")
    parser.add_argument("--rounds", type=int, default=16)
    parser.add_argument("--every", type=int, default=2)
    parser.add_argument(
        "--minutes", type=float, help="learn no longer than this, which makes what is learnt depend on the machine"
    )
    parser.add_argument("--rate", type=float, default=2e-4, help="of the encoder")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    {"train": train, "export": export}[options.command](options)


if __name__ == "__main__":
    main()
