package rag

import (
	"context"
	"slices"
	"strings"
)

// A Rejection says why a candidate is no hit. It is a closed set.
type Rejection string

// The values of [Rejection].
const (
	// Found is a hit: it was not left out.
	Found Rejection = ""
	// BelowThreshold is too little certain to be an answer.
	BelowThreshold Rejection = "below the threshold"
	// OtherCategory is in none of the categories that were asked for.
	OtherCategory Rejection = "another category"
	// NotValid is not true on the day that was asked for.
	NotValid Rejection = "not valid on that day"
	// SamePair says the same as a better candidate, or as its translation.
	SamePair Rejection = "says the same as a better one"
	// BeyondLimit would have been a hit if more had been asked for.
	BeyondLimit Rejection = "beyond the limit"
)

// Parts are what a score is the sum of.
type Parts struct {
	// Meaning is the nearness of the vectors, Words what is stated in so many words, and Foreign
	// what a passage gets for being in another language without a translation.
	Meaning, Words, Foreign float64
}

// A Candidate is a passage that was considered.
type Candidate struct {
	Hit   Hit
	Parts Parts
	// Certainty is what is compared with the threshold: the score, in which words that state only a
	// part count for little.
	Certainty float64
	Rejection Rejection
	// By is the passage whose words and vector were compared, if that is not Hit.Passage but its translation.
	By string
}

// An Explanation is how a search came to its hits: those candidates that were not left out, in this order.
type Explanation struct {
	Query Query
	// Threshold is what a certainty must reach. Caution is the part of it that comes of the
	// question alone, its kind and what was learnt of such questions: above 0 it is more like those
	// that people ask anywhere, or that places have no answer to. Crowd is the part that comes of
	// the passages: above 0 some are always near.
	Threshold, Caution, Crowd float64
	// Terms are what was looked for, each with the other ways to say it.
	Terms [][]string
	// ByWords says that nothing of the question could be embedded, so that there are no cosines.
	// EmbedErr is why, if the embedder did not answer.
	ByWords  bool
	EmbedErr error
	// Candidates are the best passages considered, best first.
	Candidates []Candidate
}

// An Explainer is a [Retriever] that can say how it comes to its hits.
type Explainer interface {
	Retriever
	// Explain searches as Search does and says what was considered and why it was left out. What
	// makes Search fail makes it fail too, but an embedder that does not answer is told in the
	// explanation.
	Explain(ctx context.Context, q Query) (Explanation, error)
}

// Explain implements [Explainer]. It searches as [Hybrid.Search] does.
func (h *Hybrid) Explain(ctx context.Context, q Query) (Explanation, error) {
	a, err := h.ask(ctx, q)
	if err != nil {
		return Explanation{}, err
	}
	a.explained = true
	r, err := h.rank(ctx, a)
	if err != nil {
		return Explanation{}, err
	}
	e := Explanation{
		Query: a.Query, Threshold: a.threshold, Caution: a.caution, Crowd: a.crowd,
		ByWords: a.vector == nil, EmbedErr: a.embedErr,
	}
	for _, u := range a.units {
		names := u.names()
		for i := range names {
			names[i] = strings.ReplaceAll(names[i], "|", "") // the mark of a whole run of katakana
		}
		e.Terms = append(e.Terms, names)
	}
	for _, s := range h.choose(r) {
		c := Candidate{Hit: h.hit(s), Parts: s.parts, Certainty: a.certainty(s), Rejection: s.rejection}
		if s.shown != s.found {
			c.By = h.passages[s.found].ID
		}
		e.Candidates = append(e.Candidates, c)
	}
	return e, nil
}

func (u unit) names() []string {
	var out []string
	for _, a := range u.alternatives {
		name := ""
		for _, t := range a {
			name += " " + t.text
		}
		out = append(out, name[1:])
	}
	return out
}

// choose returns the candidates of a ranking with why some are left out, and with the translations of those in
// another language.
func (h *Hybrid) choose(r ranking) []scored {
	a, q := r.asked, r.asked.Query
	candidates := slices.Clone(r.candidates)
	found := 0
	pairs := map[string]bool{}
	for i := range candidates {
		c := &candidates[i]
		c.margin = a.certainty(*c) - a.threshold
		if c.rejection == Found && c.margin < 0 && !q.Near {
			c.rejection = BelowThreshold
		}
		if c.rejection != Found {
			continue
		}
		pair := h.passages[c.found].Pair
		switch {
		case pair != "" && pairs[pair]:
			c.rejection = SamePair
		case found >= q.Limit:
			c.rejection = BeyondLimit
		default:
			found++
			pairs[pair] = true
			c.shown = h.translate(q, c.found)
		}
	}
	return candidates
}

// translate returns the passage that says the same in q.Lang as one in another language, or that one.
func (h *Hybrid) translate(q Query, n int32) int32 {
	p := &h.passages[n]
	if q.Lang == "" || p.Lang == q.Lang {
		return n
	}
	for _, other := range h.pairs[n] {
		if p := &h.passages[other]; p.Lang == q.Lang && h.filter(q, p) == Found {
			return other
		}
	}
	return n
}
