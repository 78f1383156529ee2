"""Learns to choose what an utterance is about, from the options that cmd/annai's TestOptions writes of annotated talks.

What chooses is one hidden layer over the features of an option; the option with the highest score is chosen. The weights
go into nodes/talk/data/choice.tsv: a line a hidden unit with its weight in the score and its bias, then one weight a feature;
the names stand in the first line. Each place has to be read by a network that learnt nothing of it (-reader of TestOptions,
and the folds of the script reader): else the reader is trusted more than it may be elsewhere. A file that is named
several times counts as often; the annotated places are named three times, because only these have opening rules.

With --begin it learns on from weights. Where the reader knows the places of older talks, these can't be learnt from
again; named after --keep, they say what must not be forgotten: on their options what is learnt has to choose as the weights did
that it began with (Li and Hoiem, Learning without Forgetting, 2016). What is written is then the mean of three that learnt so and of the one
that they began with, as one layer of four times as many units. With --held it says how often it is right at places that it did not learn from.
"""

import argparse
import copy
import json
import pathlib
from collections import Counter

import torch
from torch import nn
from torch.nn import functional

ROOT = pathlib.Path(__file__).resolve().parents[2]
HIDDEN, ROUNDS, BATCH, RATE, DECAY, SEED = 16, 15, 64, 5e-3, 1e-2, 1
ON_ROUNDS, ON_RATE = 12, 2e-3  # of learning on, without decay
ON_SEEDS, ON_SHARE = (1, 2, 3), 0.5  # how many learn on, and their share in the mean


def load(path):
    """Returns the turns of a file of which what they are about is among the options."""
    return json.loads(pathlib.Path(path).read_text())


def pack(examples, names):
    """Returns the features [n, options, features], which options there are, and which is right."""
    at = {n: i for i, n in enumerate(names)}
    width = max(len(e["x"]) for e in examples)
    x = torch.zeros(len(examples), width, len(names))
    there = torch.zeros(len(examples), width, dtype=torch.bool)
    for i, e in enumerate(examples):
        there[i, : len(e["x"])] = True
        for j, option in enumerate(e["x"]):
            for name, value in option.items():
                x[i, j, at[name]] = value
    return x, there, torch.tensor([e["gold"] for e in examples])


def scores(network, x, there):
    return network(x).squeeze(-1).masked_fill(~there, -1e9)


def new_network(names, units=HIDDEN):
    return nn.Sequential(nn.Linear(len(names), units), nn.Tanh(), nn.Linear(units, 1, bias=False))


def read(path):
    """Returns the names and the network of a file of weights."""
    first, *lines = path.read_text().splitlines()
    names = first.split("\t")[2:]
    rows = torch.tensor([[float(v) for v in line.split("\t")] for line in lines])
    network = new_network(names, len(rows))
    with torch.no_grad():
        network[0].weight.copy_(rows[:, 2:])
        network[0].bias.copy_(rows[:, 1])
        network[2].weight.copy_(rows[None, :, 0])
    return names, network


def mean(networks, shares):
    """Returns the network whose scores are the mean of those of others."""
    out = new_network(range(networks[0][0].in_features), sum(n[0].out_features for n in networks))
    with torch.no_grad():
        out[0].weight.copy_(torch.cat([n[0].weight for n in networks]))
        out[0].bias.copy_(torch.cat([n[0].bias for n in networks]))
        out[2].weight.copy_(torch.cat([share * n[2].weight for n, share in zip(networks, shares)], 1))
    return out


def learn(network, files, kept, rounds, rate, decay, seed=SEED):
    """Learns from packed files; on those that are kept the network has to choose as it does at the beginning."""
    torch.manual_seed(seed)
    with torch.no_grad():
        before = [functional.softmax(scores(network, x, there), -1) for x, there, _ in kept]
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    for round_ in range(rounds):
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - round_ / rounds)
        batches = [(f, None, b) for f in files for b in torch.randperm(len(f[2])).split(BATCH)]
        batches += [(f, p, b) for f, p in zip(kept, before) for b in torch.randperm(len(p)).split(BATCH)]
        for at in torch.randperm(len(batches)).tolist():
            (x, there, right), wanted, some = batches[at]
            score = scores(network, x[some], there[some])
            if wanted is None:
                loss = functional.cross_entropy(score, right[some])
            else:
                loss = functional.kl_div(functional.log_softmax(score, -1), wanted[some], reduction="batchmean")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def report(network, examples, names):
    x, there, _ = pack(examples, names)
    with torch.no_grad():
        chosen = scores(network, x, there).argmax(-1).tolist()
    of, right = Counter(), Counter()
    for e, pick in zip(examples, chosen):
        kind = e["names"][e["gold"]].split(":")[0]
        if kind == "subject":
            kind = "kept subject" if e["x"][e["gold"]].get("kept") else "new subject"
        kind = ("first, " if e["first"] else "later, ") + kind
        for k in ("first" if e["first"] else "later", kind):
            of[k] += 1
            right[k] += pick == e["gold"]
    print(", ".join("%s %d of %d" % (k, right[k], of[k]) for k in sorted(of)))


def write(network, names, path):
    """Writes the weights with six digits."""
    hidden, out = network[0], network[2]
    lines = ["\t".join(["weight", "bias", *names])]
    for unit in range(hidden.out_features):
        row = [out.weight[0, unit], hidden.bias[unit], *hidden.weight[unit]]
        lines.append("\t".join("%.6g" % w.item() for w in row))
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("options", nargs="+", help="files of TestOptions")
    parser.add_argument("--held", nargs="*", default=[], help="files to say the accuracy on; nothing is learnt from them")
    parser.add_argument("--begin", type=pathlib.Path, help="file of weights to learn on from")
    parser.add_argument("--keep", nargs="*", default=[], help="files on which to go on choosing as with --begin")
    parser.add_argument("--out", default=ROOT / "nodes/talk/data/choice.tsv", type=pathlib.Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    files = [load(path) for path in options.options]
    if options.begin:
        names, before = read(options.begin)
        packed, kept = ([pack(f, names) for f in some] for some in (files, map(load, options.keep)))
        learnt = []
        for seed in ON_SEEDS:
            learnt.append(copy.deepcopy(before))
            learn(learnt[-1], packed, kept, ON_ROUNDS, ON_RATE, 0, seed)
        network = mean([before, *learnt], [1 - ON_SHARE] + [ON_SHARE / len(learnt)] * len(learnt))
    else:
        names = sorted({n for f in files for e in f for o in e["x"] for n in o})
        network = new_network(names)
        learn(network, [pack(f, names) for f in files], [], ROUNDS, RATE, DECAY)
    for path in options.held:
        report(network, load(path), names)
    write(network, names, options.out)


if __name__ == "__main__":
    main()
