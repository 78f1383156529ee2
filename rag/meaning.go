package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"annai/fault"
)

// A piece is a part of a passage that has a vector of its own.
type piece struct {
	passage     int32
	title, text string
	also        string // of a common text
	vector      Vector
}

// ofNoPassage marks a common text.
const ofNoPassage = -1

// meaning is the half of a [Hybrid] that compares vectors.
type meaning struct {
	embedder     Embedder
	embedTimeout time.Duration
	pieces       []piece // those of a passage stand together
	// first is the number of the first piece of each passage, and one more at the end.
	first      []int32
	index      Index
	background map[string]*everyday // by the language of the question; empty where there is nothing to compare with
	visitors   map[string]*visitors // likewise
	asked      *QuestionVectors
}

// recipe is part of what a vector is known by: it changes with what is embedded of a piece.
const recipe = "title+piece, piece, heading"

// newMeaning embeds the pieces of all passages, and the common texts, that opts.Known does not know.
func newMeaning(ctx context.Context, passages []Passage, embedder Embedder, newIndex NewIndex, opts Options) (*meaning,
	error,
) {
	m := &meaning{
		embedder: embedder, embedTimeout: opts.EmbedTimeout, first: make([]int32, 1, len(passages)+1),
		asked: cmp.Or(opts.Asked, new(QuestionVectors)),
	}
	pieces := toEmbed(passages, opts)
	if err := embedPieces(ctx, embedder, pieces, opts.Known); err != nil {
		return nil, err
	}
	var entries []Entry
	own := slices.IndexFunc(pieces, func(p piece) bool { return p.passage == ofNoPassage })
	for _, p := range pieces[:max(own, 0)] {
		for int(p.passage) >= len(m.first) {
			m.first = append(m.first, int32(len(m.pieces)))
		}
		if p.vector != nil {
			of := &passages[p.passage]
			entries = append(entries, Entry{
				ID: strconv.Itoa(len(m.pieces)), Vector: p.vector, Lang: of.Lang,
				Category: of.Category, ValidFrom: of.ValidFrom, ValidUntil: of.ValidUntil,
			})
			m.pieces = append(m.pieces, p)
		}
	}
	for len(m.first) <= len(passages) {
		m.first = append(m.first, int32(len(m.pieces)))
	}
	if own >= 0 {
		m.background, m.visitors = experience(pieces[own:])
	}
	for lang, e := range m.background {
		e.measure(m, len(passages))
		m.visitors[lang].calibrate(m, e)
	}
	var err error
	m.index, err = newIndex(ctx, embedder.Fingerprint(), entries)
	return m, err
}

// toEmbed returns the pieces of all passages and, if there are any, those of the common texts
// behind them.
func toEmbed(passages []Passage, opts Options) []piece {
	pieces := cut(passages, opts)
	if len(pieces) == 0 {
		return nil
	}
	return append(pieces, commonPieces()...)
}

// cut returns the pieces of all passages, in order, without vectors.
func cut(passages []Passage, opts Options) []piece {
	var pieces []piece
	for i, p := range passages {
		texts := []string{p.Text}
		if opts.Pieces != nil {
			texts = opts.Pieces(p.Text)
		}
		for _, text := range texts {
			pieces = append(pieces, piece{passage: int32(i), title: p.Title, text: text})
		}
	}
	return pieces
}

// made says what the vector of a piece is made of, and how.
func (p *piece) made() string {
	made := strings.Join([]string{recipe, p.title, p.text}, "\x00")
	if p.also != "" {
		made += "\x00" + p.also
	}
	return made
}

// name says which piece it is in an error.
func (p *piece) name() string { return cmp.Or(p.title, p.text) }

// texts are what the vector of a piece is the middle of: what it says under its title, what it says
// by itself, and its heading. Measured: each of the three finds questions that the others miss.
func (p *piece) texts() []string {
	switch {
	case p.also != "":
		return []string{p.text, p.also}
	case strings.TrimSpace(p.title) == "":
		return []string{p.text}
	}
	_, heading := cutTitle(p.title)
	return []string{p.title + "\n" + p.text, p.text, heading}
}

// A question is the vector of a question, and what the questions of other places tell of it.
type question struct {
	// vector is the middle of the question and of what it is about. Nil says that nothing of it can
	// be embedded, so that its words are all there is to go by.
	vector Vector
	// expected is the vector turned towards what a passage that answers it says. Nil is not known.
	expected Vector
	// caution is what is added to the threshold, because of what kind of question it is.
	caution float64
}

// question embeds a question, which is compared with the questions of others, if there are any.
func (m *meaning) question(ctx context.Context, text, subject string, others *visitors) (question, error) {
	texts := []string{ends(text)}
	if subject != "" && subject != text {
		texts = append(texts, ends(subject))
	}
	key := strings.Join(texts, "\x00")
	q, ok := m.asked.get(key)
	if !ok {
		v, err := m.embedQuestion(ctx, texts)
		if err != nil {
			return question{}, err
		}
		q.vector = v
	}
	if q.vector != nil && q.expected == nil && others != nil {
		near := others.near(q.vector)
		q.expected = others.expect(near, q.vector)
		q.caution = -kindPenalty*others.kind(near, q.vector) - learnt().of(q.vector, m.embedder.Fingerprint())
		ok = false
	}
	if !ok {
		m.asked.put(key, q)
	}
	return q, nil
}

// maxEmbedded is how many characters of a question are embedded. Nobody asks a longer one to be
// answered, and the time that it takes grows with it.
const maxEmbedded = 400

// ends is a text, or if it is long its beginning and its end.
func ends(text string) string {
	if len(text) <= maxEmbedded {
		return text
	}
	runes := []rune(text)
	if len(runes) <= maxEmbedded {
		return text
	}
	return string(runes[:maxEmbedded/2]) + "\n" + string(runes[len(runes)-maxEmbedded/2:])
}

func (m *meaning) embedQuestion(ctx context.Context, texts []string) (Vector, error) {
	if m.embedTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.embedTimeout)
		defer cancel()
	}
	return embedMiddle(ctx, m.embedder, texts...)
}

// cosine returns how near a passage is: as near as the nearest of its pieces, which is returned
// too. A passage without a vector is as far as nothing in common.
func (m *meaning) cosine(v Vector, passage int32) (cosine float64, nearest string) {
	for i := m.first[passage]; i < m.first[passage+1]; i++ {
		if c := Cosine(v, m.pieces[i].vector); nearest == "" || c > cosine {
			cosine, nearest = c, m.pieces[i].text
		}
	}
	return cosine, nearest
}

// nearest returns the passages of the n pieces nearest to v, each once.
func (m *meaning) nearest(ctx context.Context, v Vector, n int, f Filter) ([]int32, error) {
	near, err := m.index.Nearest(ctx, v, n, f)
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	var passages []int32
	for _, neighbour := range near {
		i, err := strconv.Atoi(neighbour.ID)
		if err != nil || i < 0 || i >= len(m.pieces) {
			return nil, fmt.Errorf("search vectors: the index found %q, which is not in it: %w", neighbour.ID,
				fault.ErrUnavailable)
		}
		passages = append(passages, m.pieces[i].passage)
	}
	return passages, nil
}

// QuestionVectors remember the vectors of questions that were asked lately, and what is made of them:
// visitors ask the same ones, and one question is asked of several retrievers. They are of one
// embedder. The zero value remembers none yet. They are safe for concurrent use.
type QuestionVectors struct {
	mu    sync.Mutex
	asked map[string]question
}

// maxQuestions is how many are remembered, a megabyte; then all are forgotten. maxQuestion is the
// longest, in bytes.
const (
	maxQuestions = 256
	maxQuestion  = 500
)

func (q *QuestionVectors) get(text string) (question, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	v, ok := q.asked[text]
	return v, ok
}

func (q *QuestionVectors) put(text string, v question) {
	if len(text) > maxQuestion {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.asked == nil || len(q.asked) >= maxQuestions {
		q.asked = map[string]question{}
	}
	q.asked[text] = v
}
