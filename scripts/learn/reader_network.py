"""The network of the reader in PyTorch: the encoder of rag/embedded over each text of an utterance and its talk by itself,
two layers of attention over what became of all their pieces, and a head a decision.

The texts of an input: the utterance, then as far as there are any what was said before, the ask of that and its subject,
the subject before, and the titles in view. Each has a beginning and an end. The ask is one more token, without a text.
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import reader_point
from reader_base import BOS, EMBEDDING, EOS
from reader_data import ASKS, HEADS

DIM, ATTENTION, INNER = 384, 6, 1024  # of the layers of attention: width, heads, inner width
FEATURES = 1280  # of the encoder
WINDOWS = ((2, 0), (3, 1), (5, 2))  # how many pieces each sees, and how many of them come before
GAP = 2  # pieces that are none between two texts: no window reaches over them
SEGMENTS = 8  # utterance, said, subject, earlier, four in view
MATCHES = 4  # parts of the talk that a piece of the utterance may be in too: said, subject, earlier, in view
LONGEST = {"say": 32, "said": 24, "subject": 16, "earlier": 12, "view": 8}  # pieces of each part that are read
POSITIONS = 66
COMMON = -8.5  # what the score of a piece is above that is in most texts
INSIDE = 256  # width of the layer before the heads
ENCODER_EPSILON, EPSILON = 1e-12, 1e-5


def pack(tokenizer, e):
    """Returns the ask of an example, or None, and its texts: the segment and the ids of each."""
    c = e.context

    def text(segment, ids):
        return segment, (BOS, *ids, EOS)

    texts = [text(0, tokenizer.tokens(e.say)[-LONGEST["say"] :])]
    if c.said:
        texts.append(text(1, tokenizer.tokens(c.said)[-LONGEST["said"] :]))
    if c.subject:
        texts.append(text(2, tokenizer.tokens(c.subject)[: LONGEST["subject"]]))
    if c.earlier:
        texts.append(text(3, tokenizer.tokens(c.earlier)[: LONGEST["earlier"]]))
    for i, t in enumerate(c.view[:4]):
        texts.append(text(4 + i, tokenizer.tokens(t)[: LONGEST["view"]]))
    return (ASKS.index(c.ask) if c.ask in ASKS else None), texts


def length(packed):
    return sum(len(ids) for _, ids in packed[1]) + (packed[0] is not None)


def common_pieces(scores):
    """Returns the pieces that say nothing where two texts share them: marks, particles, the like of "the" and "is"."""
    return {i for i, s in enumerate(scores) if i <= EOS or s > COMMON}


def matches(texts, common):
    """Returns which parts of the talk each piece of the utterance is in too [n, MATCHES]."""
    own = texts[0][1]
    out = np.zeros((len(own), MATCHES), np.float32)
    for segment, ids in texts[1:]:
        there = set(ids) - common
        for i, piece in enumerate(own):
            if piece in there:
                out[i, min(segment, MATCHES) - 1] = 1
    return out


def batch(packed, common):
    """Returns the tensors of packed examples. Texts that several have in their talk are computed once."""
    flat, at, owners = [], {}, []
    for row, (_, texts) in enumerate(packed):
        at[row] = len(flat)
        flat += texts[0][1] + (-1,) * GAP
        owners += [row] * (len(texts[0][1]) + GAP)
    for _, texts in packed:
        for _, ids in texts[1:]:
            if ids not in at:
                at[ids] = len(flat)
                flat += ids + (-1,) * GAP
    flat = [-1] * GAP + flat
    owners = [0] * GAP + owners
    n, width = len(packed), max(map(length, packed))
    own = max(len(texts[0][1]) for _, texts in packed)
    index = np.full((n, width), len(flat) + len(ASKS), np.int64)
    segments, positions = np.zeros((n, width), np.int64), np.zeros((n, width), np.int64)
    match, lengths, said = np.zeros((n, own, MATCHES), np.float32), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for row, (ask, texts) in enumerate(packed):
        to = 0
        for segment, ids in texts:
            begin = GAP + at[ids if segment else row]
            index[row, to : to + len(ids)] = np.arange(begin, begin + len(ids))
            segments[row, to : to + len(ids)] = segment
            positions[row, to : to + len(ids)] = np.arange(len(ids))
            to += len(ids)
        if ask is not None:
            index[row, to], segments[row, to] = len(flat) + ask, 2
            to += 1
        said[row], lengths[row] = len(texts[0][1]), to
        match[row, : said[row]] = matches(texts, common)
    arrays = np.array(flat), np.array(owners), index, segments, positions, match, lengths, said
    return [torch.from_numpy(a) for a in arrays]


class Dropout(nn.Module):
    """Is nn.Dropout with random bytes, which takes a tenth of its time."""

    random = np.random.default_rng(0)

    def __init__(self, share):
        super().__init__()
        self.lost = round(256 * share)

    def forward(self, x):
        if not self.training or not self.lost:
            return x
        if x.is_cuda:
            return F.dropout(x, self.lost / 256)
        r = torch.frombuffer(bytearray(self.random.bytes(x.numel())), dtype=torch.uint8).view(x.shape)
        return x * (r >= self.lost).to(x.dtype).mul_(256 / (256 - self.lost))


class Layer(nn.Module):
    """Lets every token look at the others, then at itself."""

    def __init__(self, dropout):
        super().__init__()
        self.q, self.kv, self.o = nn.Linear(DIM, DIM), nn.Linear(DIM, 2 * DIM), nn.Linear(DIM, DIM)
        self.fi, self.fo = nn.Linear(DIM, INNER), nn.Linear(INNER, DIM)
        self.an, self.fn = nn.LayerNorm(DIM, EPSILON), nn.LayerNorm(DIM, EPSILON)
        self.dropout = Dropout(dropout)

    def forward(self, x, mask, looking=None):
        """Returns what becomes of the first tokens, those that are looking, or of all."""
        split = lambda y: y.view(*y.shape[:2], ATTENTION, -1).transpose(1, 2)
        y = self.an(x)
        k, v = self.kv(y).chunk(2, -1)
        x, y = x[:, :looking], y[:, :looking]
        a = F.scaled_dot_product_attention(split(self.q(y)), split(k), split(v), attn_mask=mask)
        x = x + self.dropout(self.o(a.transpose(1, 2).reshape(x.shape)))
        return x + self.dropout(self.fo(F.gelu(self.fi(self.fn(x)))))


class Network(nn.Module):
    """The network. Where frozen is true what the encoder brings is not learnt, and of candidates it is computed once."""

    def __init__(self, encoder, dropout=0.1, head_dropout=0.25, unheard=0.05, layers=2, frozen=False):
        super().__init__()
        self.frozen, self.known_candidates = frozen, {}
        self.register_buffer("emb", torch.tensor(encoder.embeddings()), persistent=False)
        self.w = nn.ParameterDict(
            {k.replace(".", "_"): nn.Parameter(torch.tensor(v), not frozen) for k, v in encoder.weights().items()}
        )
        self.narrow = nn.Linear(FEATURES, DIM)
        self.ask = nn.Parameter(torch.randn(len(ASKS), DIM))
        self.seg = nn.Parameter(torch.randn(SEGMENTS, DIM) * 0.3)
        self.pos = nn.Parameter(torch.randn(POSITIONS, DIM) * 0.1)
        self.match = nn.Parameter(torch.randn(MATCHES, DIM) * 0.3)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(DIM, EPSILON)
        self.inside = nn.Linear(3 * DIM + EMBEDDING, INSIDE)
        self.heads = nn.Linear(INSIDE, sum(map(len, HEADS.values())))
        self.point = reader_point.Pointer(FEATURES, DIM, INSIDE)
        self.dropout, self.head_dropout, self.unheard = Dropout(dropout), Dropout(head_dropout), unheard

    def features(self, ids):
        """Returns the features [t, FEATURES] of texts behind each other."""
        w, mask = self.w, (ids >= 0).float()[:, None]
        e = self.emb[ids.clamp(min=0)]
        if self.training:
            e = self.dropout(e)
            heard = (torch.rand(len(ids), device=ids.device) > self.unheard) | (ids <= EOS)
            e = e * heard.float()[:, None]
        e = e * mask
        parts = [e]
        for n, left in WINDOWS:

            def window(x):
                padded = F.pad(x, (0, 0, left, n - 1 - left))
                return torch.cat([padded[i : i + len(x)] for i in range(n)], -1)

            named = lambda name: w[name % n]
            x = e @ named("proj%d_w") + named("proj%d_b")
            x = F.layer_norm(x, (x.shape[-1],), named("ln%d_g"), named("ln%d_b"), ENCODER_EPSILON) * mask
            h = (F.relu(torch.addmm(named("conv%da_b"), window(x), named("conv%da_w"))) + x) * mask
            parts.append((F.relu(torch.addmm(named("conv%db_b"), window(h), named("conv%db_w"))) + h) * mask)
        return F.layer_norm(torch.cat(parts, -1), (FEATURES,), w["ln_g"], w["ln_b"], ENCODER_EPSILON)

    def sentence(self, total, n):
        """Returns vectors of length 8 of utterances from the sum of the features of their n pieces."""
        w = self.w
        m = (total @ w["cnn_w"] + n * w["cnn_b"]) / n.sqrt()
        y = F.relu(F.relu(m @ w["d0_w"]) @ w["d1_w"] + m @ w["p1_w"])
        return F.normalize(torch.tanh(F.relu(y @ w["d2_w"]) @ w["d3_w"] + y @ w["p3_w"]), dim=-1) * 8

    def forward(self, flat, owners, index, segments, positions, match, lengths, said, *candidates):
        """Returns the logits [n, labels of all heads] of a batch, and the scores of candidates where there are any."""
        f, looking, count = self.features(flat), int(said.max()), len(said)
        of = f[: len(owners)] * (flat[: len(owners)] >= 0).float()[:, None]
        total = torch.zeros(count, FEATURES, device=f.device).index_add(0, owners, of)
        sentence = self.sentence(total, said.float()[:, None])

        known = torch.cat([self.narrow(f), self.ask, torch.zeros(1, DIM, device=f.device)])
        x = known.index_select(0, index.reshape(-1)).view(*index.shape, DIM)
        x = x + F.embedding(segments, self.seg) + F.embedding(positions, self.pos)
        x = x + F.pad(match @ self.match, (0, 0, 0, x.shape[1] - looking))
        x = self.dropout(x)
        mask = (torch.arange(x.shape[1], device=f.device) < lengths[:, None])[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask, looking if layer is self.layers[-1] else None)
        x = self.norm(x)
        own = (torch.arange(looking, device=f.device) < said[:, None])[..., None]
        mean = (x * own).sum(1) / said[:, None]
        greatest = x.masked_fill(~own, -1e4).max(1)[0]
        h = torch.cat([x[:, 0], mean, greatest * 0.5, sentence], -1)
        h = F.gelu(self.inside(self.head_dropout(h)))
        logits = self.heads(self.head_dropout(h))
        if not candidates:
            return logits
        ids, titles, kinds, sizes, *rest = candidates
        encoded, vector = self.candidates(ids, titles, kinds, sizes)
        return logits, self.point(x, said, sentence, h, encoded, vector, sizes, *rest)

    def candidates(self, ids, titles, kinds, sizes):
        """Returns what is computed of candidates [t, ...] without any utterance, and their vectors."""
        f, vector = self.kept(ids, sizes) if self.frozen and self.training else self.encoded(ids, sizes)
        return self.point.encoded(f, vector, titles, kinds), vector


    def encoded(self, ids, sizes):
        """Returns the features [t, longest, FEATURES] of candidates, and their vectors."""
        f = self.features(ids.reshape(-1)).view(*ids.shape, FEATURES)[:, 2:-2]
        there = (torch.arange(f.shape[1], device=f.device) < sizes[:, None])[..., None]
        return f, self.sentence((f * there).sum(1), sizes.float()[:, None])

    @torch.no_grad()
    def kept(self, ids, sizes):
        """Returns the same, computed once for each candidate and without dropout but for that of the features."""
        keys = [tuple(row[row >= 0].tolist()) for row in ids]
        new = [i for i, k in enumerate(keys) if k not in self.known_candidates]
        if new:
            self.eval()
            f, vectors = self.encoded(ids[new], sizes[new])
            self.train()
            for row, vector, i in zip(f, vectors, new):
                self.known_candidates[keys[i]] = row[: sizes[i]].to(torch.bfloat16), vector.clone()
        f = torch.zeros(len(keys), ids.shape[1] - 4, FEATURES)
        for i, k in enumerate(keys):
            f[i, : sizes[i]] = self.known_candidates[k][0].float()
        return self.dropout(f), torch.stack([self.known_candidates[k][1] for k in keys])


def split(logits):
    """Returns the logits of each head by its name."""
    return dict(zip(HEADS, logits.split([len(labels) for labels in HEADS.values()], -1)))


WEIGHTS = {"act": 1, "ask": 1.5, "second": 0.4, "ref": 1, "when": 0.5, "about": 0.7, "not": 0.3}


POINTING = 1.0  # the weight of what is pointed at


def targets(labels):
    """Returns the labels [n, heads] as numbers, -100 where nobody said one."""
    return torch.tensor([[HEADS[h].index(x[h]) if x[h] is not None else -100 for h in HEADS] for x in labels])


def loss(logits, target, scores, right, smoothing=0.05):
    total = 0
    for i, (head, l) in enumerate(split(logits).items()):
        known = target[:, i] >= 0
        share = known.float().mean()
        value = F.cross_entropy(l, target[:, i], label_smoothing=smoothing, reduction="sum") / known.sum().clamp(min=1)
        total = total + WEIGHTS[head] * value * share
    known = (right >= 0).sum()
    width = scores.shape[1] - 1
    pointing = F.cross_entropy(scores, torch.where(right < 0, -100, right.clamp(max=width)), reduction="sum")
    return total + POINTING * pointing / known.clamp(min=1)
