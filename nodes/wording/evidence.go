// Package wording is the half of an answer that a language model does: it words what was found, and
// reads an utterance in its talk.
//
// The idea to hold: a model writes, and nothing that it writes is heard before it was held against
// what it is from. An [Answer] takes a model's sentences as they come, each with the evidence that
// it cites, and keeps it, says the template's sentence in its place, or drops it. A [Reader] takes
// a model's reading of an utterance where it is valid, and another reader's where it is not, or
// late. The package finds no evidence, knows no calendar and no HTTP.
package wording

import (
	"slices"
	"strconv"

	"annai/grounding"
)

// Evidence is what a model may word an answer from, and what the template says of it.
type Evidence struct {
	// Question is what is to be answered, as a sentence that stands by itself. Said is what the
	// visitor said just now.
	Question string `json:"question"`
	Said     string `json:"said,omitempty"`
	// Items are all that the answer may be made of.
	Items []grounding.Item `json:"items"`
	// Others are events of which nothing may be said.
	Others []grounding.Item `json:"others,omitempty"`
	// Lines are what the template says of the items, a sentence each.
	Lines []Line `json:"lines"`
	// Notes are said behind the answer, whoever words it.
	Notes []string `json:"notes,omitempty"`
}

// A Line is a sentence of the template's about an item. Must says that the item has to be spoken
// of.
type Line struct {
	Item string `json:"item"`
	Text string `json:"text"`
	Must bool   `json:"must,omitempty"`
}

// Label is the short id by which a model cites the i-th item.
func Label(i int) string { return "e" + strconv.Itoa(i+1) }

// cited are the ids of the items that a model cites by their labels. What is no label is left out.
func (e *Evidence) cited(labels []string) []string {
	var out []string
	for i := range e.Items {
		if slices.Contains(labels, Label(i)) {
			out = append(out, e.Items[i].ID)
		}
	}
	return out
}

// title is the title of an item.
func (e *Evidence) title(id string) string {
	for i := range e.Items {
		if e.Items[i].ID == id {
			return e.Items[i].Title
		}
	}
	return ""
}
