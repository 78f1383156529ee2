"""Usage: learn.py TEXTS ADAPTATION ANSWERED

Learns what annai knows about visitors beyond its sentence encoder, from the file TEXTS that `go test ./rag -run TestLearntPlaces -texts TEXTS`
writes, and writes it to the files ADAPTATION and ANSWERED:

- an adaptation of the encoder, a matrix A: what it makes of a text before its last layers, m, becomes m + m*A. A question is to be nearer to
  the pieces that answer it, or would, than to all others of its place (a contrastive loss). Only m has to be computed by the large network, once, because
  the layers behind it are small: learning takes minutes on one core;
- a direction in the space of the adapted vectors that tells questions to which a place says anything from the others (logistic regression).

Seeds are fixed: the same machine learns the same. Shapes: p pieces and q questions, each the middle of k texts; d = 512 dimensions.
"""
import collections
import json
import pathlib
import struct
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

import encoder
from encoder import DIM, head, unit

SEEDS = (0, 1, 2)  # each gives another order of the lessons; the mean of what was learnt depends less on it
ROUNDS = 8
TEMPERATURE = 0.05
RATE = 7e-4
DECAY = 0.01

ANSWERED_STEPS = 300
ANSWERED_RATE = 0.05
ANSWERED_DECAY = 3e-5
ANSWERED_SHARE = 0.5  # of the log odds that count in a score

# A Lesson is a place, or the common questions: pieces [p,k] and questions [q,k] are numbers of texts, -1 for none; right [q,p] says which piece
# answers which question. Paired [q] marks questions that were written to be like others with the opposite answer.
Lesson = collections.namedtuple("Lesson", "pieces questions right paired")
SMALL = 90  # a lesson with fewer pieces is taken together with others, because there is little in it to be mistaken for the answer


class Texts:
    """Numbers texts, each once, and keeps their tokens."""

    def __init__(self, tokenizer):
        self.tokenizer, self.numbers, self.tokens = tokenizer, {}, []

    def rows(self, groups):
        """Returns the numbers [n,k] of n lists of texts; -1 fills up, and stands at the end."""
        rows = [[i for i in map(self.number, texts) if i >= 0] for texts in groups]
        width = max(map(len, rows))
        return np.array([row + [-1] * (width - len(row)) for row in rows])

    def number(self, text):
        """Returns the number of a text, or -1 if there is nothing to embed in it."""
        if text not in self.numbers:
            ids = self.tokenizer.tokens(text)
            self.numbers[text] = len(self.tokens) if ids else -1
            if ids:
                self.tokens.append(ids)
        return self.numbers[text]


def lessons(texts, data):
    """Yields a lesson for each place; its questions without an answer have no right piece."""
    for place in data["places"]:
        pieces = texts.rows(p["texts"] for p in place["pieces"])
        questions = texts.rows(q["texts"] for q in place["questions"])
        right = np.array([[p["passage"] in q["passages"] for p in place["pieces"]] for q in place["questions"]])
        some = questions[:, 0] >= 0
        paired = np.array([q["paired"] for q in place["questions"]])
        yield Lesson(pieces, questions[some], right[some], paired[some])


def together(lessons):
    """Yields the lessons, small ones joined."""
    few = []
    for lesson in lessons:
        if len(lesson.pieces) >= SMALL:
            yield lesson
            continue
        few.append(lesson)
        if sum(len(l.pieces) for l in few) >= SMALL:
            yield joined(few)
            few = []
    if few:
        yield joined(few)


def joined(lessons):
    """Returns one lesson of some; the pieces of one answer nothing that is asked in another."""
    stack = lambda parts: np.concatenate([np.pad(p, ((0, 0), (0, max(q.shape[1] for q in parts) - p.shape[1])), constant_values=-1) for p in parts])
    right = jax.scipy.linalg.block_diag(*(l.right for l in lessons)).astype(bool)
    return Lesson(stack([l.pieces for l in lessons]), stack([l.questions for l in lessons]), np.array(right), np.concatenate([l.paired for l in lessons]))


def common_lesson(texts, data):
    """Returns the lesson of what visitors ask everywhere; a statement answers the questions of its concern."""
    statements, asked = ([c for c in data["common"] if c["role"] == role] for role in ("statement", "asked"))
    right = np.array([[s["concern"] == a["concern"] for s in statements] for a in asked])
    return Lesson(texts.rows(s["texts"] for s in statements), texts.rows(a["texts"] for a in asked), right, np.zeros(len(asked), bool))


def middles(w, adaptation, m, numbers):
    """Returns the middle [n,d], of unit length, of the adapted vectors of the texts of each row of numbers [n,k]; m [texts,d] is of all texts."""
    picked = m[numbers]
    vectors = head(w, picked + picked @ adaptation)
    return unit((vectors * (numbers >= 0)[..., None]).sum(1))


@jax.jit
@jax.value_and_grad
def loss(adaptation, w, m, pieces, questions, right):
    """Minus the log of the share of the right pieces in a softmax over all pieces, the mean of the questions, and the decay."""
    scores = middles(w, adaptation, m, questions) @ middles(w, adaptation, m, pieces).T / TEMPERATURE
    share = jax.nn.logsumexp(jnp.where(right, scores, -1e9), axis=1) - jax.nn.logsumexp(scores, axis=1)
    return -share.mean() + DECAY * (adaptation**2).sum()


def learn_adaptation(w, m, taught, seed):
    """Returns the adaptation [d,d] from the lessons, taken in an order that the seed gives, each once a round."""
    batches = [tuple(map(jnp.array, (t.pieces, t.questions[t.right.any(1)], t.right[t.right.any(1)]))) for t in taught]
    optimizer = optax.adam(optax.cosine_decay_schedule(RATE, ROUNDS * len(batches)))
    adaptation = jnp.zeros((DIM, DIM))
    state, order = optimizer.init(adaptation), np.random.default_rng(seed)
    for n in range(ROUNDS):
        total = 0.0
        for i in order.permutation(len(batches)):
            value, gradient = loss(adaptation, w, m, *batches[i])
            updates, state = optimizer.update(gradient, state)
            adaptation = optax.apply_updates(adaptation, updates)
            total += float(value)
        print("adaptation: seed %d, round %d of %d, loss %.4f" % (seed, n + 1, ROUNDS, total / len(batches)), flush=True)
    if not np.isfinite(total):
        sys.exit("learn: the loss is no number: is there a piece or a question without a letter?")
    return np.array(adaptation)


def quantized(adaptation):
    """Returns the file of an adaptation, and the adaptation as it says it: a scale, float32, and a signed byte for each weight, [in][out]."""
    scale = np.float32(np.abs(adaptation).max() / 127)
    weights = np.clip(np.round(adaptation / scale), -127, 127).astype(np.int8)
    return struct.pack("<f", scale) + weights.tobytes(), weights.astype(np.float32) * scale


def learn_answered(vectors, answered):
    """Returns the weights [d] and their mean over the questions, from the vectors [q,d] of these and from whether each has an answer [q]."""
    @jax.jit
    @jax.value_and_grad
    def cross_entropy(p):
        odds = vectors @ p["weights"] + p["bias"]
        return (jax.nn.softplus(odds) - answered * odds).mean() + ANSWERED_DECAY * (p["weights"]**2).sum()

    p = {"weights": jnp.zeros(DIM), "bias": jnp.array(1.0)}
    optimizer = optax.adam(optax.cosine_decay_schedule(ANSWERED_RATE, ANSWERED_STEPS))
    state = optimizer.init(p)
    for n in range(ANSWERED_STEPS):
        value, gradient = cross_entropy(p)
        updates, state = optimizer.update(gradient, state)
        p = optax.apply_updates(p, updates)
        if (n + 1) % 100 == 0:
            print("answered: step %d of %d, loss %.4f" % (n + 1, ANSWERED_STEPS, value), flush=True)
    weights = np.array(p["weights"]) * ANSWERED_SHARE
    return weights, float((np.array(vectors) @ weights).mean())


def main():
    source, adaptation_file, answered_file = map(pathlib.Path, sys.argv[1:])
    tokenizer, network = encoder.load()
    data, texts = json.loads(source.read_text()), Texts(tokenizer)
    places = list(together(lessons(texts, data)))
    taught = places + [common_lesson(texts, data)]
    print("reading %d texts of %d lessons" % (len(texts.tokens), len(taught)), flush=True)
    w, m = network.weights, jnp.array(network.all_features(texts.tokens))
    file, adaptation = quantized(np.mean([learn_adaptation(w, m, taught, seed) for seed in SEEDS], 0))

    alone = [(middles(w, adaptation, m, p.questions[~p.paired]), p.right[~p.paired].any(1)) for p in places if not p.paired.all()]
    weights, mean = learn_answered(*(jnp.concatenate(x) for x in zip(*alone)))

    adaptation_file.write_bytes(file)
    answered = {"embedder": encoder.fingerprint(network, file), "mean": round(mean, 4), "weights": [round(float(x), 4) for x in weights]}
    answered_file.write_text(json.dumps(answered) + "\n")


if __name__ == "__main__":
    main()
