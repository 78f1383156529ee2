"""The network of the reader in PyTorch: layers of the base over an utterance in its talk, and a head a decision.

The tokens of an input: the beginning, the utterance, then as far as there are any what was said before, the ask of that
and its subject, the subject before, and the titles in view; an end behind each. A token's embedding is that of its piece,
or of the ask, with its place and its segment added.
"""


import torch
import torch.nn.functional as F
from torch import nn

from reader_base import BOS, DIM, EOS, HEADS as ATTENTION_HEADS, INNER, POSITIONS
from reader_data import ASKS, HEADS

SEGMENTS = 5  # utterance, said, subject, earlier, view
LONGEST = {
    "say": 64,
    "said": 24,
    "subject": 16,
    "earlier": 12,
    "view": 8,
}  # pieces of each part that are read: the last ones of what was said, the first ones of titles
INSIDE = 256  # width of the layer before the heads
EPSILON = 1e-12


def pack(tokenizer, vocabulary, e):
    """Returns ids and segments of an example; an ask is the id behind the vocabulary's."""
    ids = [BOS, *tokenizer.tokens(e.say)[-LONGEST["say"] :], EOS]
    segments = [0] * len(ids)
    c = e.context

    def add(segment, more):
        ids.extend(more + [EOS])
        segments.extend([segment] * (len(more) + 1))

    if c.said:
        add(1, tokenizer.tokens(c.said)[-LONGEST["said"] :])
    if c.ask or c.subject:
        ask = [vocabulary + ASKS.index(c.ask)] if c.ask else []
        add(2, ask + tokenizer.tokens(c.subject)[: LONGEST["subject"]])
    if c.earlier:
        add(3, tokenizer.tokens(c.earlier)[: LONGEST["earlier"]])
    for t in c.view[:4]:
        add(4, tokenizer.tokens(t)[: LONGEST["view"]])
    return ids, segments


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.ao = (nn.Linear(DIM, DIM) for _ in range(4))
        self.fi, self.fo = nn.Linear(DIM, INNER), nn.Linear(INNER, DIM)
        self.aln, self.oln = nn.LayerNorm(DIM, EPSILON), nn.LayerNorm(DIM, EPSILON)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask, looking=None):
        """Returns what becomes of the first tokens, those that are looking, or of all."""
        split = lambda y: y.view(*y.shape[:2], ATTENTION_HEADS, -1).transpose(1, 2)
        own = x[:, :looking]
        a = F.scaled_dot_product_attention(split(self.q(own)), split(self.k(x)), split(self.v(x)), attn_mask=mask)
        x = self.aln(own + self.dropout(self.ao(a.transpose(1, 2).reshape(own.shape))))
        return self.oln(x + self.dropout(self.fo(F.gelu(self.fi(x)))))


class Network(nn.Module):
    def __init__(self, embeddings, layers):
        super().__init__()
        self.register_buffer("emb", torch.tensor(embeddings))
        self.ask = nn.Parameter(torch.zeros(len(ASKS), DIM))
        self.pos = nn.Parameter(torch.zeros(POSITIONS, DIM))
        self.seg = nn.Parameter(torch.zeros(SEGMENTS, DIM))
        self.eln = nn.LayerNorm(DIM, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.inside = nn.Linear(2 * DIM, INSIDE)
        self.heads = nn.Linear(INSIDE, sum(map(len, HEADS.values())))
        self.dropout = nn.Dropout(0.1)
        self.vocabulary = len(embeddings)

    def begin(self, tensors, which):
        """Takes the weights of the base; which says whose layers."""
        t = lambda name, *shape: torch.tensor(tensors[name].copy()).reshape(shape or (-1,))
        with torch.no_grad():
            self.pos.copy_(t("emb.pos", -1, DIM)[:POSITIONS])
            self.seg.copy_(t("emb.type", -1, DIM)[:1].expand(SEGMENTS, DIM))
            self.ask.normal_(0, self.emb.std())
            self.eln.weight.copy_(t("emb.ln.w")), self.eln.bias.copy_(t("emb.ln.b"))
            for layer, of in zip(self.layers, which):
                for name in ("q", "k", "v", "ao", "fi", "fo", "aln", "oln"):
                    m = getattr(layer, name)
                    m.weight.copy_(t("l%d.%s.w" % (of, name)).reshape(m.weight.shape))
                    m.bias.copy_(t("l%d.%s.b" % (of, name)))
        return self

    def forward(self, ids, segments, lengths, said):
        """Returns the logits [n, labels of all heads]; said is how many tokens are the utterance's, with its ends."""
        t, looking = ids.shape[1], int(said.max())
        piece = F.embedding(ids.clamp(max=self.vocabulary - 1), self.emb)
        ask = self.ask[(ids - self.vocabulary).clamp(min=0)]
        x = torch.where((ids < self.vocabulary)[..., None], piece, ask) + self.pos[:t] + self.seg[segments]
        x = self.dropout(self.eln(x))
        mask = (torch.arange(t) < lengths[:, None])[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask, looking if layer is self.layers[-1] else None)
        at = torch.arange(looking)
        own = ((at < said[:, None]) & (at > 0))[..., None].to(x.dtype)
        mean = (x * own).sum(1) / own.sum(1)
        h = F.gelu(self.inside(self.dropout(torch.cat([x[:, 0], mean], -1))))
        return self.heads(self.dropout(h))


def batch(packed):
    """Returns the tensors of packed examples."""
    width = max(len(ids) for ids, _ in packed)
    ids, segments = torch.zeros(len(packed), width, dtype=torch.long), torch.zeros(len(packed), width, dtype=torch.long)
    for row, (i, s) in enumerate(packed):
        ids[row, : len(i)], segments[row, : len(s)] = torch.tensor(i), torch.tensor(s)
    lengths = torch.tensor([len(i) for i, _ in packed])
    said = torch.tensor([sum(1 for x in s if x == 0) for _, s in packed])
    return ids, segments, lengths, said


def split(logits):
    """Returns the logits of each head by its name."""
    return dict(zip(HEADS, logits.split([len(labels) for labels in HEADS.values()], -1)))


WEIGHTS = {"act": 1, "ask": 1.5, "second": 0.4, "ref": 1, "when": 0.5, "about": 0.7, "not": 0.3}


def loss(logits, labels, smoothing=0.05):
    total = 0
    for head, l in split(logits).items():
        target = torch.tensor([HEADS[head].index(x[head]) if x[head] is not None else -100 for x in labels])
        if (target >= 0).any():
            total = (
                total
                + WEIGHTS[head]
                * F.cross_entropy(l.float(), target, label_smoothing=smoothing)
                * (target >= 0).float().mean()
            )
    return total
