package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"annai/fault"
)

// Options are the settings of a [Hybrid] that have a default. The defaults were measured with the
// embedder of rag/embedded (docs/knowledge.md). Other embedders have other cosines, but all are
// measured against what everyday questions have.
type Options struct {
	// Words is what the words count in the score, where 0.1 is a deviation of nearness, and Title
	// what they count more in a passage whose title has them. Zero is the default.
	Words, Title float64
	// Foreign is added to the score of a passage in another language than the one asked for, if it has no translation:
	// between two languages cosines are lower, and few words are the same. Zero is the default.
	Foreign float64
	// Threshold is the certainty below which nothing is found (see [Candidate]), for a question
	// that is as much like those of visitors as like everyday ones. Zero is the default; a negative
	// one finds everything.
	Threshold float64
	// Synonyms are the words that mean the same. Nil is the table of this package.
	Synonyms *Synonyms
	// Pieces cuts a text into parts that get a vector each, because one vector of a long text loses what is said in it.
	// Nil cuts nothing.
	Pieces func(text string) []string
	// Known are vectors from an earlier time. [New] computes only what is not among them, adds it, and drops what no
	// passage needs any more. Nil remembers nothing.
	Known *Vectors
	// EmbedTimeout is how long a question waits for its vector; then its words are all there is to
	// go by. Zero waits as long as the search.
	EmbedTimeout time.Duration
	// Asked remembers the vectors of questions, for all retrievers that have it and the same embedder.
	// Nil is one of this retriever's own.
	Asked *QuestionVectors
}

const (
	defaultWords     = 0.5
	defaultTitle     = 0.4
	defaultForeign   = 0.06
	defaultThreshold = 0.53
	defaultLimit     = 5
	// lexicalThreshold is the least threshold of a question that has no vector.
	lexicalThreshold = 0.6
	// partialPower makes less of words that state only a part of the question: half of it is less than half an answer.
	partialPower = 1.4
	// nearnessWeight is what a deviation of nearness counts, and kindPenalty what the kind of a
	// question adds to the threshold or takes from it, at most: of what people ask anywhere, a
	// place seldom says anything.
	nearnessWeight = 0.09
	kindPenalty    = 0.2
	// lexicalWeight is what the third power of the words' part counts when it comes to whether a
	// passage answers at all: what is stated in part proves nothing, because whoever asks something
	// else of a thing names it too.
	lexicalWeight = 0.8
	// poolSize is how many passages each part proposes, at least.
	poolSize = 32
)

// Hybrid is a [Retriever] over passages that never change. Its one idea: the words and the vectors each propose
// passages, and every proposed one gets both scores, whoever proposed it. Passages in the other language compete with
// those in the language that is asked for.
//
// The words' part is BM25 divided by what a passage that states the whole question would have, so that it can be
// compared between questions: a question whose rarest word stands nowhere scores low everywhere.
type Hybrid struct {
	passages []Passage
	// pairs are for each passage those that state the same facts, and itself; nil for one without a pair.
	pairs    [][]int32
	lexicons map[string]*lexicon // by language
	langs    []string            // sorted
	synonyms *Synonyms
	meaning  *meaning
	opts     Options
	lately   lately
}

// New returns a retriever over the passages. It embeds all of them and keeps the slice, which must
// not change afterwards. An empty or repeated id is [fault.ErrInvalid]. A passage with nothing to
// embed is found by its words alone. No passages are a retriever that finds nothing.
func New(ctx context.Context, passages []Passage, embedder Embedder, newIndex NewIndex, opts Options) (*Hybrid, error) {
	opts.Words = cmp.Or(opts.Words, defaultWords)
	opts.Title = cmp.Or(opts.Title, defaultTitle)
	opts.Foreign = cmp.Or(opts.Foreign, defaultForeign)
	opts.Threshold = cmp.Or(opts.Threshold, defaultThreshold)
	h := &Hybrid{
		passages: passages, pairs: make([][]int32, len(passages)), lexicons: map[string]*lexicon{},
		synonyms: opts.Synonyms, opts: opts,
	}
	if h.synonyms == nil {
		h.synonyms = ownSynonyms()
	}
	if err := h.indexWords(); err != nil {
		return nil, err
	}
	var err error
	if h.meaning, err = newMeaning(ctx, passages, embedder, newIndex, opts); err != nil {
		return nil, fmt.Errorf("index %d passages: %w", len(passages), err)
	}
	return h, nil
}

func (h *Hybrid) indexWords() error {
	members, pairs := map[string][]int32{}, map[string][]int32{}
	ids := make(map[string]bool, len(h.passages))
	for i, p := range h.passages {
		if p.ID == "" || ids[p.ID] {
			return fmt.Errorf("passage %d has the id %q, which is empty or there twice: %w", i, p.ID, fault.ErrInvalid)
		}
		ids[p.ID] = true
		n := int32(i) // 2^31 passages would not fit in memory
		members[p.Lang] = append(members[p.Lang], n)
		if p.Pair != "" {
			pairs[p.Pair] = append(pairs[p.Pair], n)
		}
	}
	for _, same := range pairs {
		for _, n := range same {
			h.pairs[n] = same
		}
	}
	for lang, m := range members {
		h.lexicons[lang] = newLexicon(h.passages, m)
		h.langs = append(h.langs, lang)
	}
	slices.Sort(h.langs)
	return nil
}

// Search implements [Retriever]. What is found in another language than q.Lang is returned in q.Lang where its
// translation is known, and marked by Passage.Lang otherwise.
func (h *Hybrid) Search(ctx context.Context, q Query) ([]Hit, error) {
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	r, known := h.lately.get(q)
	if !known {
		a, err := h.ask(ctx, q)
		if err != nil {
			return nil, err
		}
		if r, err = h.rank(ctx, a); err != nil {
			return nil, err
		}
		if a.embedErr == nil { // else the next search may find more
			h.lately.put(r)
		}
	}
	hits := []Hit{}
	for _, s := range h.choose(r) {
		if s.rejection == Found {
			hits = append(hits, h.hit(s))
		}
	}
	if err := r.asked.embedErr; len(hits) == 0 && err != nil {
		return nil, fmt.Errorf("nothing by words, and the embedder does not answer: %w: %w", fault.ErrUnavailable, err)
	}
	return hits, nil
}

// asked is a query, understood.
type asked struct {
	Query
	units    []unit
	terms    map[string]bool // of all units
	vector   Vector          // nil where the text has nothing to embed, or the embedder does not answer
	embedErr error           // why the embedder does not answer
	// everyday is what the vector is compared with besides passages. Threshold is what a score must
	// reach, caution and crowd are parts of it.
	everyday                  *everyday
	threshold, caution, crowd float64
	explained                 bool // so that what may not answer is considered too
}

func (h *Hybrid) ask(ctx context.Context, q Query) (asked, error) {
	if strings.TrimSpace(q.Text) == "" {
		return asked{}, fmt.Errorf("search for an empty text: %w", fault.ErrInvalid)
	}
	if err := ctx.Err(); err != nil {
		return asked{}, fmt.Errorf("search: %w: %w", fault.ErrUnavailable, err)
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	a := asked{Query: q, units: h.synonyms.question(q.Text), terms: map[string]bool{}, threshold: h.opts.Threshold}
	if err := h.understand(ctx, &a); err != nil {
		return asked{}, fmt.Errorf("the question: %w", err)
	}
	if a.vector == nil && a.threshold > 0 {
		a.threshold = max(a.threshold, lexicalThreshold)
	}
	for _, u := range a.units {
		for _, alternative := range u.alternatives {
			for _, t := range alternative {
				a.terms[t.text] = true
			}
		}
	}
	return a, nil
}

// understand gives a question its vector. Where the embedder does not answer in time, its words are
// all there is to go by.
func (h *Hybrid) understand(ctx context.Context, a *asked) error {
	lang := languageOf(a.Text)
	others := h.meaning.visitors[lang]
	if others != nil && (len(others.questions) == 0 || len(others.others) == 0) {
		others = nil
	}
	q, err := h.meaning.question(ctx, a.Text, h.synonyms.subject(a.Text), others)
	if err != nil && ctx.Err() == nil {
		a.embedErr = err
		return nil
	}
	a.everyday = h.meaning.background[lang]
	if err != nil || q.vector == nil || a.everyday == nil {
		return err
	}
	if a.vector = q.vector; others == nil {
		return nil
	}
	a.vector = q.expected
	if h.opts.Threshold > 0 {
		a.caution, a.crowd = q.caution, others.crowd()
		a.threshold += a.caution + a.crowd
	}
	return nil
}
