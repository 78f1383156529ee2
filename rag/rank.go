package rag

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// scored is a candidate before its passage is copied.
type scored struct {
	// found is the number of the passage that was compared, shown that of the one to return: itself or its translation.
	found, shown        int32
	score, cosine, bm25 float64
	margin              float64
	parts               Parts
	piece               string
	rejection           Rejection
}

func (h *Hybrid) hit(s scored) Hit {
	return Hit{
		Passage: h.passages[s.shown], Score: s.score, Margin: s.margin, Cosine: s.cosine, BM25: s.bm25,
		Piece: s.piece,
	}
}

// rank returns the candidates in all languages, best first.
func (h *Hybrid) rank(ctx context.Context, a asked) (ranking, error) {
	all := []scored{}
	for _, lang := range h.langs {
		var err error
		if all, err = h.rankIn(ctx, a, lang, all); err != nil {
			return ranking{}, err
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.found, b.found))
	})
	return ranking{a, all}, nil
}

// rankIn appends the best passages in one language, in no order.
func (h *Hybrid) rankIn(ctx context.Context, a asked, lang string, to []scored) ([]scored, error) {
	l := h.lexicons[lang]
	words := l.scratch.Get().(*tally)
	defer func() { words.reset(); l.scratch.Put(words) }()
	ideal := l.score(a.units, words)
	size := a.pool()
	proposed := h.byWords(a.Query, words, size)
	for _, f := range a.filters(lang) {
		if a.vector == nil {
			break
		}
		near, err := h.meaning.nearest(ctx, a.vector, size, f)
		if err != nil {
			return nil, err
		}
		proposed = append(proposed, near...)
	}
	slices.Sort(proposed)
	asked := l.known(a.terms)
	for _, n := range slices.Compact(proposed) {
		to = append(to, h.score(a, n, stated{bm25: words.values[n], ideal: ideal, title: l.fit(n, asked)}))
	}
	return to, nil
}

// byWords returns the passages that the words put first, and that may answer.
func (h *Hybrid) byWords(q Query, words *tally, size int) []int32 {
	best := make([]int32, 0, size)
	order := func(a, b int32) int {
		return cmp.Or(cmp.Compare(words.values[b], words.values[a]), cmp.Compare(a, b))
	}
	for _, n := range words.touched {
		full := len(best) == size
		if full && order(n, best[size-1]) > 0 || h.filter(q, &h.passages[n]) != Found {
			continue
		}
		if full {
			best = best[:size-1]
		}
		i, _ := slices.BinarySearchFunc(best, n, order)
		best = slices.Insert(best, i, n)
	}
	return best
}

// stated is what a passage states of a question in so many words: by BM25 beside the ideal, and how much of its title
// is asked for.
type stated struct{ bm25, ideal, title float64 }

// share is how much of the question that is.
func (s stated) share() float64 {
	if s.bm25 > 0 {
		return s.bm25 / s.ideal
	}
	return 0
}

// score gives a passage its score. One in another language shares few words with the question and
// is less near to it, for which one without a translation gets something.
func (h *Hybrid) score(a asked, n int32, words stated) scored {
	p := &h.passages[n]
	s := scored{found: n, shown: n, bm25: words.bm25, rejection: h.filter(a.Query, p)}
	if a.vector != nil {
		s.cosine, s.piece = h.meaning.cosine(a.vector, n)
		s.parts.Meaning = nearnessWeight * a.everyday.nearness(s.cosine, n)
	} else {
		s.parts.Words = words.share() // nothing else says how near it is
	}
	s.parts.Words += math.Pow(words.share(), partialPower) * (h.opts.Words + h.opts.Title*words.title)
	if h.lexicons[a.Lang] != nil && p.Lang != a.Lang && h.translate(a.Query, n) == n {
		s.parts.Foreign = h.opts.Foreign
	}
	s.score = s.parts.Meaning + s.parts.Words + s.parts.Foreign
	return s
}

// certainty is how far it is certain that a passage answers.
func (a asked) certainty(s scored) float64 {
	if a.vector == nil {
		return s.score
	}
	return s.score - s.parts.Words + lexicalWeight*math.Pow(s.parts.Words, 3)
}

// filters returns what to ask the index for: one filter per category, or one without. Where it is to be
// explained, those that are not valid are considered too.
func (a asked) filters(lang string) []Filter {
	var out []Filter
	for _, c := range a.Categories {
		out = append(out, Filter{Lang: lang, Category: c, On: a.On})
	}
	if len(out) == 0 {
		out = append(out, Filter{Lang: lang, On: a.On})
	}
	if a.explained && !a.On.IsZero() {
		out = append(out, Filter{Lang: lang})
	}
	return out
}

// filter says why a passage may not answer q, or Found.
func (h *Hybrid) filter(q Query, p *Passage) Rejection {
	switch {
	case len(q.Categories) > 0 && !slices.Contains(q.Categories, p.Category):
		return OtherCategory
	case !holds(q.On, p.ValidFrom, p.ValidUntil):
		return NotValid
	default:
		return Found
	}
}
