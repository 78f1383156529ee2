// Package rag finds passages of the venue's knowledge that answer a question, in either language, or says that there
// are none. Its one idea: retrieval is hybrid (meaning by vectors, words by BM25, fused by score) and calibrated, so
// below the threshold nothing is found, and "I do not know" is an answer.
//
// It knows no file formats (see the readers beside it), no model and no words for visitors.
package rag

import (
	"context"

	"annai/civil"
)

// A Passage is a quotable piece of a document, with its source.
type Passage struct {
	// ID is unique in the corpus and stable: made from the document's path and the place in it.
	ID string
	// Document is the path of the file it came from, relative to the venue file, with slashes.
	Document string
	// Title is the document's, followed by the headings the passage stands under, if any, with
	// [TitleSeparator] between.
	Title string
	// Text is what may be quoted: plain sentences without Markdown.
	Text string
	// Lang is "ja" or "en".
	Lang string
	// Category is one of the venue's: hours, price, access, events, facility, rules, ...
	Category string
	// Source is a URL or a name that a visitor can check.
	Source string
	// UpdatedAt is when the facts were last checked. Zero if not said.
	UpdatedAt civil.Date
	// ValidFrom and ValidUntil bound the days on which the passage is true, both included; zero is unbounded.
	ValidFrom, ValidUntil civil.Date
	// Pair is the same for passages that state the same facts in the two languages.
	Pair string
}

// TitleSeparator stands between a document's title and the headings below it.
const TitleSeparator = " / "

// A Vector is an embedding of unit length.
type Vector []float32

// An Embedder turns texts into vectors. It is safe for concurrent use.
type Embedder interface {
	// Embed returns one vector of unit length for each text, in order. A text without anything to embed is
	// [fault.ErrInvalid], never a zero vector. A service that cannot be reached is [fault.ErrUnavailable].
	Embed(ctx context.Context, texts []string) ([]Vector, error)
	// Fingerprint names model, dimension and version. Vectors of different fingerprints are never compared.
	Fingerprint() string
}

// A Query is a question and what may answer it.
type Query struct {
	// Text is the visitor's words, normalised.
	Text string
	// Lang is preferred; passages of the other language are found too. Empty prefers none.
	Lang string
	// Categories restricts to these, if any are given.
	Categories []string
	// On leaves out passages that are not valid on that day. Zero does not look at validity.
	On civil.Date
	// Limit is the largest number of hits; 0 means 5.
	Limit int
	// Near asks for the nearest passages, also those below the threshold.
	Near bool
}

// A Hit is a passage and its score.
type Hit struct {
	Passage Passage
	// Score is the fused score, from 0 to about 2, higher is better. Hits below the retriever's
	// threshold are not returned.
	Score float64
	// Margin is by how much the certainty that the passage answers is above the threshold; below 0
	// only where Query.Near is set.
	Margin float64
	// Cosine and BM25 are the parts the score was made of: cosine in -1..1, of the question and of
	// what an answer to it is about; BM25 unbounded from 0.
	Cosine, BM25 float64
	// Piece is the part of the passage, or of the passage whose translation it is, that is nearest
	// to the question; empty where nothing was compared by meaning.
	Piece string
}

// A Retriever finds passages. It is safe for concurrent use.
type Retriever interface {
	// Search returns the best hits, best first. Nothing above the threshold is an empty slice and no error.
	// An empty text is [fault.ErrInvalid]; an index or embedder that cannot be used is [fault.ErrUnavailable].
	// Of a pair of passages that say the same in both languages only one is returned, in Query.Lang if there is one.
	Search(ctx context.Context, q Query) ([]Hit, error)
}
