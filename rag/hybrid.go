package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"annai/internal/fault"
)

// Options are the settings of a [Hybrid] that have a default. The defaults of the weights and the threshold were
// measured with [HashedEmbedder]; another embedder has other cosines and needs its own.
type Options struct {
	// MeaningWeight, WordsWeight and TitleWeight say what the cosine, the words and the fit of the title count in the
	// score. Zero is the default.
	MeaningWeight, WordsWeight, TitleWeight float64
	// Threshold is the score below which nothing is found. Zero is the default; a negative one finds everything.
	Threshold float64
	// Synonyms are the words that mean the same. Nil is the table of this package.
	Synonyms *Synonyms
}

const (
	defaultMeaningWeight = 0.15
	defaultWordsWeight   = 0.4
	defaultTitleWeight   = 0.2
	defaultThreshold     = 0.22
	defaultLimit         = 5
	// pool is how many passages each part proposes, at least.
	pool = 32
)

// Hybrid is a [Retriever] over passages that never change. Its one idea: the words and the vectors each propose
// passages, and every proposed one gets both scores, whoever proposed it. The vectors are asked only where what the words
// did not propose could still be found: with an embedder whose cosines count little that is seldom.
//
// The words' part is BM25 divided by what a passage that states the whole question would have, so that it can be
// compared between questions: a question whose rarest word stands nowhere scores low everywhere.
type Hybrid struct {
	passages []Passage
	vectors  []Vector
	numbers  map[string]int32 // of passages, by id
	pairs    map[string][]int32
	lexicons map[string]*lexicon // by language
	langs    []string            // sorted
	index    Index
	embedder Embedder
	synonyms *Synonyms
	opts     Options
}

// New returns a retriever over the passages. It embeds all of them and keeps the slice, which must not change
// afterwards. An empty or repeated id is [fault.ErrInvalid]; so is a passage with nothing to embed. No passages are a
// retriever that finds nothing.
func New(ctx context.Context, passages []Passage, embedder Embedder, newIndex NewIndex, opts Options) (*Hybrid, error) {
	h := &Hybrid{
		passages: passages, embedder: embedder,
		numbers: map[string]int32{}, pairs: map[string][]int32{}, lexicons: map[string]*lexicon{},
		opts: Options{
			MeaningWeight: cmp.Or(opts.MeaningWeight, defaultMeaningWeight),
			WordsWeight:   cmp.Or(opts.WordsWeight, defaultWordsWeight),
			TitleWeight:   cmp.Or(opts.TitleWeight, defaultTitleWeight),
			Threshold:     cmp.Or(opts.Threshold, defaultThreshold),
		},
	}
	var err error
	if h.synonyms = opts.Synonyms; h.synonyms == nil {
		if h.synonyms, err = ParseSynonyms(synonymsFile); err != nil {
			return nil, err
		}
	}
	h.indexWords()
	if err := h.indexVectors(ctx, newIndex); err != nil {
		return nil, fmt.Errorf("index %d passages: %w", len(passages), err)
	}
	return h, nil
}

func (h *Hybrid) indexWords() {
	members := map[string][]int32{}
	for i, p := range h.passages {
		n := int32(i) // 2^31 passages would not fit in memory
		h.numbers[p.ID] = n
		members[p.Lang] = append(members[p.Lang], n)
		if p.Pair != "" {
			h.pairs[p.Pair] = append(h.pairs[p.Pair], n)
		}
	}
	for lang, m := range members {
		h.lexicons[lang] = newLexicon(h.passages, m)
		h.langs = append(h.langs, lang)
	}
	slices.Sort(h.langs)
}

func (h *Hybrid) indexVectors(ctx context.Context, newIndex NewIndex) error {
	texts := make([]string, len(h.passages))
	for i, p := range h.passages {
		texts[i] = p.Title + "\n" + p.Text
	}
	var err error
	if h.vectors, err = h.embedder.Embed(ctx, texts); err != nil {
		return err
	}
	entries := make([]Entry, len(h.passages))
	for i, p := range h.passages {
		entries[i] = Entry{ID: p.ID, Vector: h.vectors[i], Lang: p.Lang, Category: p.Category}
	}
	h.index, err = newIndex(ctx, h.embedder.Fingerprint(), entries)
	return err
}

// Search implements [Retriever]. Languages other than q.Lang are looked at only when nothing in q.Lang passes the
// threshold; what is found there is returned in q.Lang where its pair is known, and marked by Passage.Lang otherwise.
func (h *Hybrid) Search(ctx context.Context, q Query) ([]Hit, error) {
	a, err := h.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	ranked, err := h.search(ctx, a, false)
	if err != nil {
		return nil, err
	}
	hits := []Hit{}
	for _, s := range ranked {
		if s.left == Found {
			hits = append(hits, h.hit(s))
		}
	}
	return hits, nil
}

// asked is a query, understood.
type asked struct {
	Query
	units  []unit
	terms  map[string]bool // of all units
	vector Vector          // nil where the text has nothing to embed
}

func (h *Hybrid) ask(ctx context.Context, q Query) (asked, error) {
	if strings.TrimSpace(q.Text) == "" {
		return asked{}, fmt.Errorf("search for an empty text: %w", fault.ErrInvalid)
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	a := asked{Query: q, units: h.synonyms.question(q.Text), terms: map[string]bool{}}
	for _, u := range a.units {
		for _, alternative := range u.alternatives {
			for _, t := range alternative {
				a.terms[t.text] = true
			}
		}
	}
	if len(runs(fold(q.Text))) == 0 {
		return a, nil
	}
	vectors, err := h.embedder.Embed(ctx, []string{q.Text})
	if err != nil {
		return asked{}, fmt.Errorf("embed the question: %w", err)
	}
	a.vector = vectors[0]
	return a, nil
}
