"""Learns to choose what an utterance is about, from the options that cmd/annai's TestOptions writes of annotated talks.

What chooses is one hidden layer over the features of an option; the option with the highest score is chosen. The weights
go into nodes/talk/data/choice.tsv: a line a hidden unit with its weight in the score and its bias, then one weight a feature;
the names stand in the first line. Each place has to be read by a network that learnt nothing of it (-reader of TestOptions,
and the folds of the script reader): else the reader is trusted more than it may be elsewhere. A file that is named
several times counts as often; the annotated places are named three times, because only these have opening rules. With --held it also says how often it is right at places that it did not learn from.
"""

import argparse
import json
import pathlib
from collections import Counter

import torch
from torch import nn
from torch.nn import functional

ROOT = pathlib.Path(__file__).resolve().parents[2]
HIDDEN, ROUNDS, BATCH, RATE, DECAY, SEED = 16, 15, 64, 5e-3, 1e-2, 1


def load(paths):
    """Returns the turns of which what they are about is among the options."""
    out = []
    for path in paths:
        out += json.loads(pathlib.Path(path).read_text())
    return out


def pack(examples, names):
    """Returns the features [n, options, features], which options there are, and which is right."""
    width = max(len(e["x"]) for e in examples)
    x = torch.zeros(len(examples), width, len(names))
    there = torch.zeros(len(examples), width, dtype=torch.bool)
    for i, e in enumerate(examples):
        x[i, : len(e["x"])] = torch.tensor([[o.get(n, 0.0) for n in names] for o in e["x"]])
        there[i, : len(e["x"])] = True
    return x, there, torch.tensor([e["gold"] for e in examples])


def scores(network, x, there):
    return network(x).squeeze(-1).masked_fill(~there, -1e9)


def learn(examples, names):
    torch.manual_seed(SEED)
    x, there, right = pack(examples, names)
    network = nn.Sequential(nn.Linear(len(names), HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1, bias=False))
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    for round_ in range(ROUNDS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - round_ / ROUNDS)
        for some in torch.randperm(len(examples)).split(BATCH):
            loss = functional.cross_entropy(scores(network, x[some], there[some]), right[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return network


def report(network, examples, names):
    x, there, _ = pack(examples, names)
    with torch.no_grad():
        chosen = scores(network, x, there).argmax(-1).tolist()
    of, right = Counter(), Counter()
    for e, pick in zip(examples, chosen):
        kind = e["names"][e["gold"]].split(":")[0]
        if kind == "subject":
            kind = "kept subject" if e["x"][e["gold"]]["kept"] else "new subject"
        kind = ("first, " if e["first"] else "later, ") + kind
        for k in ("first" if e["first"] else "later", kind):
            of[k] += 1
            right[k] += pick == e["gold"]
    print(", ".join("%s %d of %d" % (k, right[k], of[k]) for k in sorted(of)))


def write(network, names, path):
    """Writes the weights with six digits."""
    hidden, out = network[0], network[2]
    lines = ["\t".join(["weight", "bias", *names])]
    for unit in range(HIDDEN):
        row = [out.weight[0, unit], hidden.bias[unit], *hidden.weight[unit]]
        lines.append("\t".join("%.6g" % w.item() for w in row))
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("options", nargs="+", help="files of TestOptions")
    parser.add_argument("--held", nargs="*", default=[], help="files to say the accuracy on; nothing is learnt from them")
    parser.add_argument("--out", default=ROOT / "nodes/talk/data/choice.tsv", type=pathlib.Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    learnt = load(options.options)
    names = sorted({n for e in learnt for o in e["x"] for n in o})
    network = learn(learnt, names)
    for path in options.held:
        report(network, load([path]), names)
    write(network, names, options.out)


if __name__ == "__main__":
    main()
