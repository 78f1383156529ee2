"""How the reader points at what an utterance is about: the subjects of a place, each with its title and text, beside the
tokens of the utterance, and none of them.

A candidate is encoded by itself, without the talk, so that a program computes it once: a row for each of its pieces and
one for its vector. The tokens of the utterance look at these rows, and what becomes of them is scored.
"""

import dataclasses
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from reader_base import BOS, EMBEDDING, EOS
from reader_data import HEADS, KIND, Context, Example, Place, Text

POINT, LOOKS, WIDE = 128, 4, 256  # width of a row, heads that look, inner width
LONGEST_TITLE, LONGEST_TEXT = 14, 56  # pieces that are read
MOST = 10  # candidates of an example that is learnt from
FLAGS = ("last", "earlier", "shown")
ABSENT = 0.12  # how often what is meant is not among the candidates
BLIND = 0.3  # how often nothing says which candidates were spoken of or shown


@dataclasses.dataclass
class Candidate:
    key: str
    ids: tuple  # of title and text, with a beginning and an end
    title: int  # how many of them are of the title, with the beginning
    kind: int
    flags: tuple
    text: Text = None


def candidates(tokenizer, e, rng, all_=False):
    """Returns the candidates of an example and which is right, -1 for none; no candidates where that is not known."""
    place = e.of
    if place is None or e.about is None or not place.texts:
        return [], -1
    keys = list(place.texts)
    if place.languages:  # what stands there in both languages is there once
        lang = place.languages.get(e.about, e.lang)
        keys = [k for k in keys if place.languages.get(k, lang) == lang]
    right = e.about if e.about in place.texts else None
    if not all_:
        if right and rng.random() < ABSENT:
            keys.remove(right)
            right = None
        first = [k for k in dict.fromkeys(((right,) if right else ()) + e.context.spoken + e.context.shown) if k in keys]
        rest = [k for k in keys if k not in first]
        keys = (first + rng.sample(rest, min(len(rest), MOST)))[:MOST]
        rng.shuffle(keys)
    blind = not all_ and rng.random() < BLIND
    out = [candidate(tokenizer, e, k, rng, blind) for k in keys]
    return out, keys.index(right) if right else -1


def candidate(tokenizer, e, key, rng, blind):
    texts = e.of.texts[key]
    own = [t for t in texts if t.lang == e.lang] or texts
    t = own[0] if rng.random() < 0.7 else rng.choice(texts)
    title = tokenizer.tokens(t.title)[:LONGEST_TITLE]
    ids = (BOS, *title, *tokenizer.tokens(t.text)[:LONGEST_TEXT], EOS)
    spoken, shown = e.context.spoken, e.context.shown
    flags = (False,) * len(FLAGS) if blind else (key in spoken[:1], key in spoken[1:], key in shown)
    return Candidate(key, ids, 1 + len(title), t.kind, flags, t)


def questions(path):
    """Returns the questions of a file of rag/testdata/learnt/venues as examples of which nothing else is known."""
    place = Place(path.stem, str(path), {}, [], [], [])
    at, out = None, []
    for line in path.read_text().splitlines():
        mark, rest = line[:1], line[1:].strip()
        if mark == "@":
            lang, _, rest = rest.partition(" ")
            title, _, text = rest.partition(" | ")
            at = str(len(place.texts))
            place.texts[at] = [Text(title.strip(), text.strip(), lang, KIND.index("passage"))]
        elif mark in "+-" and rest:
            lang = "ja" if any("\u3040" <= c <= "\u9fff" for c in rest) else "en"
            e = Example(rest, Context(), dict.fromkeys(HEADS), True, str(path), lang)
            e.of, e.about = place, at if mark == "+" else "unknown"
            out.append(e)
    return out


def batch(rows, common, says):
    """Returns the tensors of the candidates of examples: rows are of (candidates, right), says the pieces of each utterance."""
    texts, at = [], {}
    count = max(1, max((len(c) for c, _ in rows), default=1))
    index = np.zeros((len(rows), count), np.int64)
    there = np.zeros((len(rows), count), bool)
    flags = np.zeros((len(rows), count, len(FLAGS)), np.float32)
    own = max(map(len, says))
    exact = np.zeros((len(rows), count, own), np.float32)
    right = np.full(len(rows), -100, np.int64)
    for row, (some, gold) in enumerate(rows):
        right[row] = (gold if gold >= 0 else count) if some else -100
        for i, c in enumerate(some):
            if c.ids not in at:
                at[c.ids] = len(texts)
                texts.append(c)
            index[row, i], there[row, i], flags[row, i] = at[c.ids], True, c.flags
            pieces = set(c.ids) - common
            for j, piece in enumerate(says[row]):
                if piece in pieces:
                    exact[row, i, j] = 1
    if not texts:
        texts = [Candidate("", (BOS, EOS), 1, 0, (0, 0, 0))]
    longest = max(len(c.ids) for c in texts)
    ids = np.full((len(texts), longest + 4), -1, np.int64)  # the gap between two texts is within it
    titles, kinds, lengths = np.zeros((len(texts), longest), np.int64), np.zeros(len(texts), np.int64), []
    for i, c in enumerate(texts):
        ids[i, 2 : 2 + len(c.ids)] = c.ids
        titles[i, : c.title] = 1
        kinds[i] = c.kind
        lengths.append(len(c.ids))
    arrays = ids, titles, kinds, np.array(lengths), index, there, flags, exact, right
    return [torch.from_numpy(np.asarray(a)) for a in arrays]


class Pointer(nn.Module):
    def __init__(self, features, dim, inside, dropout=0.1):
        super().__init__()
        self.row = nn.Linear(features, POINT)
        self.whole = nn.Linear(EMBEDDING, POINT)
        self.title = nn.Parameter(torch.randn(2, POINT) * 0.1)
        self.kind = nn.Parameter(torch.randn(len(KIND), POINT) * 0.1)
        self.rows = nn.LayerNorm(POINT, 1e-5)
        self.kv = nn.Linear(POINT, 2 * POINT)
        self.own = nn.Linear(dim, POINT)
        self.exact = nn.Parameter(torch.randn(POINT) * 0.1)
        self.flag = nn.Parameter(torch.randn(len(FLAGS), POINT) * 0.1)
        self.looks = nn.LayerNorm(POINT, 1e-5)
        self.q, self.o = nn.Linear(POINT, POINT), nn.Linear(POINT, POINT)
        self.fn, self.fi, self.fo = nn.LayerNorm(POINT, 1e-5), nn.Linear(POINT, WIDE), nn.Linear(WIDE, POINT)
        self.end = nn.LayerNorm(POINT, 1e-5)
        self.hidden = nn.Linear(2 * POINT + len(FLAGS) + 1, 64)
        self.score = nn.Linear(64, 1)
        self.none = nn.Linear(inside, 1)
        self.scale = nn.Parameter(torch.tensor(8.0))
        self.drop = nn.Dropout(dropout)

    def encoded(self, features, vector, titles, kinds):
        """Returns the keys and values [t, 1 + longest, 2 * POINT] of candidates."""
        rows = self.row(features) + F.embedding(titles, self.title)
        rows = torch.cat([self.whole(vector)[:, None], rows], 1) + F.embedding(kinds, self.kind)[:, None]
        return self.kv(self.rows(rows))

    def forward(self, x, said, sentence, inside, encoded, vector, lengths, index, there, flags, exact):
        """Returns the scores [n, candidates + 1] of the candidates and of none."""
        n, count = index.shape
        own = x.shape[1]
        u = self.own(self.drop(x))[:, None] + exact[..., None] * self.exact + (flags @ self.flag)[:, :, None]
        q = self.q(self.looks(u)).view(n, count, own, LOOKS, -1).transpose(2, 3)
        k, v = encoded[index].chunk(2, -1)  # [n, count, rows, POINT]
        split = lambda y: y.view(n, count, -1, LOOKS, POINT // LOOKS).transpose(2, 3)
        seen = torch.arange(encoded.shape[1], device=x.device) <= lengths[:, None]
        a = F.scaled_dot_product_attention(q, split(k), split(v), attn_mask=seen[index][:, :, None, None])
        u = u + self.drop(self.o(a.transpose(2, 3).reshape(u.shape)))
        u = self.end(u + self.drop(self.fo(F.gelu(self.fi(self.fn(u))))))
        mine = (torch.arange(own, device=x.device) < said[:, None])[:, None, :, None]
        mean = (u * mine).sum(2) / said[:, None, None]
        greatest = u.masked_fill(~mine, -1e4).max(2)[0]
        cosine = F.cosine_similarity(sentence[:, None], vector[index], dim=-1)[..., None]
        h = F.gelu(self.hidden(self.drop(torch.cat([mean, greatest, flags, cosine], -1))))
        scores = self.score(h).squeeze(-1) + self.scale * cosine.squeeze(-1)
        return torch.cat([scores.masked_fill(~there, -1e9), self.none(inside)], -1)
