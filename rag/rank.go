package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// scored is a candidate before its passage is copied.
type scored struct {
	// found is the number of the passage that was compared, shown that of the one to return: itself or its translation.
	found, shown        int32
	score, cosine, bm25 float64
	left                Left
}

func (h *Hybrid) hit(s scored) Hit {
	return Hit{Passage: h.passages[s.shown], Score: s.score, Cosine: s.cosine, BM25: s.bm25}
}

// rank appends the best passages in one language, in no order. If thorough, the vectors propose passages even where
// none of them could become a hit.
func (h *Hybrid) rank(ctx context.Context, a asked, lang string, thorough bool, to []scored) ([]scored, error) {
	l := h.lexicons[lang]
	if l == nil || a.vector == nil {
		return to, nil
	}
	words := l.scratch.Get().(*tally)
	defer func() { words.reset(); l.scratch.Put(words) }()
	r := ranking{h: h, l: l, asked: a, words: words, size: max(pool, a.Limit)}
	r.ideal = l.score(a.units, words)
	proposed, rest := r.byWords()
	for _, n := range proposed {
		r.add(n)
	}
	if thorough || r.reachable(rest) {
		near, err := r.byVectors(ctx, lang)
		if err != nil {
			return nil, err
		}
		slices.Sort(proposed)
		for _, n := range near {
			if _, known := slices.BinarySearch(proposed, n); !known {
				r.add(n)
			}
		}
	}
	return append(to, r.candidates...), nil
}

// A ranking is the search in one language.
type ranking struct {
	h     *Hybrid
	l     *lexicon
	asked asked
	words *tally // BM25 by passage
	ideal float64
	// size is how many passages each part proposes.
	size       int
	candidates []scored
}

// byWords returns the passages that the words put first, and the highest BM25 of those they did not.
func (r *ranking) byWords() (proposed []int32, rest float64) {
	best := slices.Clone(r.words.touched)
	slices.SortFunc(best, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.words.values[b], r.words.values[a]), cmp.Compare(a, b))
	})
	proposed = best[:0]
	for _, n := range best {
		if r.h.filter(r.asked.Query, &r.h.passages[n]) != Found {
			continue
		}
		if len(proposed) == r.size {
			return proposed, r.words.values[n]
		}
		proposed = append(proposed, n)
	}
	return proposed, 0
}

// byVectors returns the passages that the vectors put first.
func (r *ranking) byVectors(ctx context.Context, lang string) ([]int32, error) {
	var proposed []int32
	for _, f := range filters(r.asked.Query, lang) {
		near, err := r.h.index.Nearest(ctx, r.asked.vector, r.size, f)
		if err != nil {
			return nil, fmt.Errorf("search vectors: %w", err)
		}
		for _, neighbour := range near {
			if n, ok := r.h.numbers[neighbour.ID]; ok {
				proposed = append(proposed, n)
			}
		}
	}
	slices.Sort(proposed)
	return slices.Compact(proposed), nil
}

// add gives a passage both scores.
func (r *ranking) add(n int32) {
	s := scored{found: n, shown: n, cosine: Cosine(r.asked.vector, r.h.vectors[n]), bm25: r.words.values[n]}
	s.score = r.fuse(s.cosine, s.bm25, r.l.fit(n, r.asked.terms))
	s.left = r.h.filter(r.asked.Query, &r.h.passages[n])
	r.candidates = append(r.candidates, s)
}

// fuse returns the score made of its parts.
func (r *ranking) fuse(cosine, bm25, fit float64) float64 {
	score := r.h.opts.MeaningWeight * cosine
	if bm25 > 0 {
		score += bm25 / r.ideal * (r.h.opts.WordsWeight + r.h.opts.TitleWeight*fit)
	}
	return score
}

// reachable reports whether a passage that the words did not propose, with the BM25 given at most, could become a hit
// if the vectors proposed it: with the best cosine and title it has to pass the threshold and, where as many hits as are
// asked for are there, the last of them.
func (r *ranking) reachable(bm25 float64) bool {
	var hits []float64
	for _, c := range r.candidates {
		if c.left == Found && c.score >= r.h.opts.Threshold {
			hits = append(hits, c.score)
		}
	}
	needed := r.h.opts.Threshold
	if len(hits) >= r.asked.Limit {
		slices.Sort(hits)
		needed = hits[len(hits)-r.asked.Limit]
	}
	return r.fuse(1, bm25, 1) >= needed
}

// filters returns what to ask the index for: one filter per category, or one without.
func filters(q Query, lang string) []Filter {
	if len(q.Categories) == 0 {
		return []Filter{{Lang: lang}}
	}
	out := make([]Filter, len(q.Categories))
	for i, c := range q.Categories {
		out[i] = Filter{Lang: lang, Category: c}
	}
	return out
}

// filter says why a passage may not answer q, or Found.
func (h *Hybrid) filter(q Query, p *Passage) Left {
	switch {
	case len(q.Categories) > 0 && !slices.Contains(q.Categories, p.Category):
		return OtherCategory
	case !q.On.IsZero() && !p.ValidFrom.IsZero() && q.On.Before(p.ValidFrom),
		!q.On.IsZero() && !p.ValidUntil.IsZero() && q.On.After(p.ValidUntil):
		return NotValid
	default:
		return Found
	}
}
