"""Usage: learn.py TEXTS ADAPTATION ANSWERED

Learns what annai knows about visitors beyond its sentence encoder, from the file TEXTS that `go test ./rag -run TestLearntPlaces -texts TEXTS`
writes, and writes it to the files ADAPTATION and ANSWERED:

- an adaptation of the encoder: other weights for all of it but its embeddings and its last layers. A question is to be nearer to the pieces that
  answer it, or would, than to all others of its place (a contrastive loss), and where none does, or what does is taken away, no piece is to be nearer than NONE;
- a small network that tells by the adapted vector of a question how likely the place that is asked says anything to it.

Seeds are fixed: the same machine learns the same, in about an hour of two cores. Shapes: p pieces and q questions, each the middle of k texts; d = 512 dimensions.
"""
import base64
import collections
import functools
import json
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

import encoder
from encoder import DIM, head, unit

SEED = 0
ROUNDS = 2
TEMPERATURE = 0.05
RATE = 2e-4  # of the weights
MAP_RATE = 7e-4  # of a map behind them, which learns faster
MAP_DECAY = 0.01
QUESTIONS, PIECES = 256, 160  # how many of a lesson are taken at once, at most, but for the pieces that answer
NONE = 0.4  # the cosine to which a question without an answer may come
NONE_SHARE = 0.5
ABSENT = 0.35  # how many of the questions with an answer have it taken away
NEVER = -1e9
LONGEST = 128  # tokens of a text that are learnt from
LEFT_OUT = 0.1  # how many of these are left out each time, so that no single one is all that counts

HIDDEN = 256  # outputs of the inner layer of the network
ANSWERED_STEPS = 4000
ANSWERED_TOGETHER = 1024  # questions
ANSWERED_RATE = 2e-3
SPREAD = 0.7  # of what goes in: a deviation of a dimension of the vectors
LEFT_IN, LEFT_INNER = 0.7, 0.5  # how many of the inputs, and of the inner layer's outputs, are kept at a time

# A Lesson is a place, or the common questions: pieces [p,k] and questions [q,k] are numbers of texts, -1 for none; right [q,p] says which piece
# answers which question, or would; answered [q] marks the questions that the place answers.
Lesson = collections.namedtuple("Lesson", "pieces questions right answered")
MOST_TEXTS = 4  # of a piece or a question
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
        answered = np.array([q["answered"] for q in place["questions"]])
        yield Lesson(pieces, questions[some], right[some], answered[some])


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
    return Lesson(stack([l.pieces for l in lessons]), stack([l.questions for l in lessons]), np.array(right), np.concatenate([l.answered for l in lessons]))


def common_lesson(texts, data):
    """Returns the lesson of what visitors ask everywhere; a statement answers the questions of its concern."""
    statements, asked = ([c for c in data["common"] if c["role"] == role] for role in ("statement", "asked"))
    right = np.array([[s["concern"] == a["concern"] for s in statements] for a in asked])
    return Lesson(texts.rows(s["texts"] for s in statements), texts.rows(a["texts"] for a in asked), right, np.ones(len(asked), bool))


def middles(head_weights, map_, m, numbers):
    """Returns the middle [n,d], of unit length, of the vectors of the texts of each row of numbers [n,k], mapped; m [texts,d] is of all texts."""
    picked = m[numbers]
    vectors = head(head_weights, picked + picked @ map_)
    return unit((vectors * (numbers >= 0)[..., None]).sum(1) + 1e-9)


@jax.jit
@functools.partial(jax.value_and_grad, argnums=(0, 1))
def loss(map_, m, head_weights, part):
    """Minus the log of the share of the right pieces in a softmax over all pieces, the mean of the questions that have one; with it that of the right
    answer where "none" is one of them, and the decay."""
    scores = middles(head_weights, map_, m, part.questions) @ middles(head_weights, map_, m, part.pieces).T / TEMPERATURE
    scores = jnp.where(part.pieces[:, 0] >= 0, scores, NEVER)
    asked, has, none = part.questions[:, 0] >= 0, part.right.any(1), NONE / TEMPERATURE
    rights = jax.nn.logsumexp(jnp.where(part.right, scores, NEVER), axis=1)
    nearest = jnp.where(has, jax.nn.logsumexp(scores, axis=1) - rights, 0).sum() / jnp.maximum(has.sum(), 1)
    left = jax.nn.logsumexp(jnp.where(part.right & part.absent[:, None], NEVER, scores), axis=1)
    told = jnp.where(asked, jnp.logaddexp(left, none) - jnp.where(has & ~part.absent, rights, none), 0).sum() / asked.sum()
    return nearest + NONE_SHARE * told + MAP_DECAY * (map_**2).sum()


# A Part of a lesson is what is learnt from at once; absent [q] marks questions whose answer is taken away.
Part = collections.namedtuple("Part", "pieces questions right absent")


def parts(lesson, order):
    """Yields the parts of a lesson, in a random order: some of its questions, the pieces that answer them, and others."""
    many = len(lesson.questions)
    for some in np.array_split(order.permutation(many), -(-many // QUESTIONS)):
        rights = np.flatnonzero(lesson.right[some].any(0))
        others = order.permutation(np.setdiff1d(np.arange(len(lesson.pieces)), rights))
        chosen = np.concatenate([rights, others[:max(0, PIECES - len(rights))]])
        yield Part(lesson.pieces[chosen], lesson.questions[some], lesson.right[some][:, chosen], order.random(len(some)) < ABSENT)


def with_own_numbers(part):
    """Returns the part with its texts numbered anew, and filled up so that few shapes are compiled; and the numbers that they had."""
    used = np.setdiff1d(np.concatenate([part.pieces.ravel(), part.questions.ravel()]), [-1])
    numbers = lambda rows: np.where(rows >= 0, np.searchsorted(used, rows), -1)
    full = lambda a, value, *width: np.pad(a, ((0, -len(a) % 64), *((0, w - a.shape[1]) for w in width)), constant_values=value)
    return Part(full(numbers(part.pieces), -1, MOST_TEXTS), full(numbers(part.questions), -1, MOST_TEXTS),
                full(part.right, False, -(-len(part.pieces) // 64) * 64), full(part.absent, False)), used


def thinned(ids, order):
    """Returns the ids of a text without some, chosen at random, but for the first and the last."""
    inner = np.array(ids[1:-1][:LONGEST])
    kept = inner[order.random(len(inner)) >= LEFT_OUT]
    return [ids[0], *(kept if len(kept) else inner), ids[-1]]


def learn_encoder(network, tokens, taught):
    """Returns the weights of features, learnt from the lessons, a part of one at a time, each once a round."""
    order = np.random.default_rng(SEED)
    steps = ROUNDS * sum(-(-len(l.questions) // QUESTIONS) for l in taught)
    optimizer = optax.multi_transform({
        "weights": optax.adam(optax.warmup_cosine_decay_schedule(0, RATE, steps // 15, steps)),
        "map": optax.adam(optax.cosine_decay_schedule(MAP_RATE, steps)),
    }, {"weights": "weights", "map": "map"})
    p = {"weights": network.weights, "map": jnp.zeros((DIM, DIM))}
    state = optimizer.init(p)

    @jax.jit
    def step(p, state, gradient):
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(p, updates), state

    for n in range(ROUNDS):
        round_, total = [part for l in taught for part in parts(l, order)], 0.0
        for i in order.permutation(len(round_)):
            part, used = with_own_numbers(round_[i])
            texts = [thinned(tokens[t], order) for t in used]
            m = np.pad(network.all_features(p["weights"], texts), ((0, -len(texts) % 256), (0, 0)), constant_values=1)
            value, (map_slopes, slopes) = loss(p["map"], jnp.array(m), network.head, Part(*map(jnp.array, part)))
            p, state = step(p, state, {"weights": network.gradient(p["weights"], texts, np.array(slopes)), "map": map_slopes})
            total += float(value)
        print("encoder: round %d of %d, loss %.4f" % (n + 1, ROUNDS, total / len(round_)), flush=True)
        if not np.isfinite(total):
            sys.exit("learn: the loss is no number: is there a piece or a question without a letter?")
    # The map is behind the last step of features, which is linear: both are one.
    return {name: w + w @ p["map"] if name.startswith("cnn.") else w for name, w in p["weights"].items()}


def learn_answered(vectors, answered):
    """Returns the network that answered.go computes, learnt from the vectors [q,d] of questions and from whether each has an answer [q]."""
    mean, spread = vectors.mean(0), vectors.std(0) + 1e-6
    inputs = (vectors - mean) / spread * SPREAD
    random = functools.partial(jax.random.fold_in, jax.random.key(SEED))
    p = {"hidden": jax.random.normal(random(0), (DIM, HIDDEN)) / DIM**0.5, "bias": jnp.zeros(HIDDEN), "out": jnp.zeros(HIDDEN)}
    p |= {"direct": jnp.zeros(DIM), "shift": jnp.array(1.0)}
    optimizer = optax.adam(optax.cosine_decay_schedule(ANSWERED_RATE, ANSWERED_STEPS))
    state = optimizer.init(p)

    def odds(p, inputs, kept=lambda x, share: x):
        x = kept(inputs, LEFT_IN)
        return x @ p["direct"] + kept(jax.nn.relu(x @ p["hidden"] + p["bias"]), LEFT_INNER) @ p["out"] + p["shift"]

    @jax.value_and_grad
    def cross_entropy(p, key):
        some = jax.random.randint(key, (ANSWERED_TOGETHER,), 0, len(inputs))
        kept = lambda x, share: x * jax.random.bernoulli(jax.random.fold_in(key, x.shape[1]), share, x.shape) / share
        o = odds(p, inputs[some], kept)
        return (jax.nn.softplus(o) - answered[some] * o).mean()

    @jax.jit
    def step(p, state, key):
        value, gradient = cross_entropy(p, key)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(p, updates), state, value

    for n in range(ANSWERED_STEPS):
        p, state, value = step(p, state, random(n + 1))
        if (n + 1) % 1000 == 0:
            print("answered: step %d of %d, loss %.4f" % (n + 1, ANSWERED_STEPS, value), flush=True)
    # What was done to the vectors is made part of the weights.
    hidden, direct = p["hidden"] * (SPREAD / spread)[:, None], p["direct"] * (SPREAD / spread)
    learnt = {"hidden": hidden, "bias": p["bias"] - mean @ hidden, "out": p["out"], "direct": direct, "mean": (odds(p, inputs) - p["shift"]).mean() + mean @ direct}
    return {name: np.array(value) for name, value in learnt.items()}


def answered_file(embedder, network):
    """Returns the text of the file: the inner layer in signed bytes, row after row with an output each, and a scale for each output."""
    rows = network["hidden"].T
    scales = np.abs(rows).max(1) / 127
    numbers = lambda a: [float("%.4g" % x) for x in a]
    return json.dumps({
        "embedder": embedder,
        "mean": round(float(network["mean"]), 4),
        "direct": numbers(network["direct"]),
        "hidden": base64.b64encode(np.round(rows / scales[:, None]).astype(np.int8).tobytes()).decode(),
        "scales": numbers(scales),
        "bias": numbers(network["bias"]),
        "out": numbers(network["out"]),
    }) + "\n"


def main():
    source, adaptation_file, answered = map(pathlib.Path, sys.argv[1:])
    tokenizer, network = encoder.load()
    data, texts = json.loads(source.read_text()), Texts(tokenizer)
    places = list(together(lessons(texts, data)))
    taught = places + [common_lesson(texts, data)]
    print("learning from %d texts of %d lessons" % (len(texts.tokens), len(taught)), flush=True)
    file, weights = encoder.adaptation(network, learn_encoder(network, texts.tokens, taught))

    m, same = jnp.array(network.all_features(weights, texts.tokens)), jnp.zeros((DIM, DIM))
    asked = [(middles(network.head, same, m, p.questions), p.answered) for p in places]
    learnt = learn_answered(*(jnp.concatenate(x) for x in zip(*asked)))

    adaptation_file.write_bytes(file)
    answered.write_text(answered_file(encoder.fingerprint(network, file), learnt))


if __name__ == "__main__":
    main()
