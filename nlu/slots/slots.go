// Package slots reads what an utterance asks of a calendar: whether an entry is to be made, looked for, changed or removed, and
// its details, in Japanese and English.
//
// Its one idea: a small linear tagger gives every word (in Japanese every character) a label, from what stands around it, the
// classes of words it belongs to and the temporal expressions that package datetime found. Its weights were learned from annotated
// commands by Train and are built in. Rules then make of the labels what a calendar needs: a title, a place, people, times.
//
// It knows no calendar and no clock, and cannot tell whether an utterance is a command at all: that is the intent's business.
package slots

import (
	"slices"
	"time"

	"annai/nlu/datetime"
)

// The languages that are understood.
const (
	Japanese = "ja"
	English  = "en"
)

// Type is what a slot says. It is a closed set.
type Type string

// The values of [Type].
const (
	Date      Type = "date"
	Time      Type = "time"
	Event     Type = "event_name"
	Person    Type = "person" // a name, a relation, a group
	Place     Type = "place"
	Frequency Type = "frequency"
	// Other is part of what is planned and of no other type: a meal, a game.
	Other Type = "other"
)

// A Slot is a detail as it stands in the text.
type Slot struct {
	Type Type
	Piece
}

// A Piece is a part of the text: [Start, End) in bytes.
type Piece struct {
	// Text is the words. Where something was cut out of the middle they are shorter than the piece.
	Text       string
	Start, End int
}

// Operation is what a command wants done. It is a closed set.
type Operation string

// The values of [Operation].
const (
	Create Operation = "create" // a reminder too
	Query  Operation = "query"
	Update Operation = "update"
	Delete Operation = "delete"
)

// A Command is what an utterance asks of a calendar. What it does not say is empty.
type Command struct {
	Operation Operation
	// Confidence in the operation, in 0..1.
	Confidence float64
	// Slots are the details as they stand in the text, in order. They do not overlap.
	Slots []Slot
	// Title is what a person would write into the calendar, or looks for in it: without times, places and the words of the
	// command itself. Empty where only an entry as such is spoken of (予定を入れて).
	Title Piece
	// Times say when it is, or where in time to look. Times that belong to Change, Lead and Frequency are not among them. Of what recurs, one
	// with OpenStart says until when it does (3月いっぱい), one with OpenEnd from when.
	Times []datetime.Expression
	// NoteAsked says that a [Query] asks for what is written beside the entry.
	NoteAsked bool
	// Place is where it is, Note what else shall be written beside it.
	Place, Note Piece
	// People are those it is with or about.
	People []Piece
	// Frequency is how it recurs, as said (毎週水曜, "every other Friday").
	Frequency Piece
	// Duration is how long it takes.
	Duration time.Duration
	// Remind says that a reminder is asked for, and Lead how long before.
	Remind bool
	Lead   time.Duration
	// More says that another order follows in the text, of which nothing is read.
	More bool `json:",omitempty"`
	// All says that every such entry is meant (全部消して).
	All bool
	// Free asks whether or when there is time, Suggest for a time to propose: for a [Query], or for a [Create] at any time within Times that
	// suits (来週のどこかに).
	Free, Suggest bool
	// Change is what an Update makes of the entry.
	Change Change
}

// A Change is what an [Update] makes of an entry. What stays is empty.
type Change struct {
	Title, Place Piece
	Times        []datetime.Expression
	// Shift moves it, earlier if negative.
	Shift time.Duration
	// Duration is its new length, Extend by how much it becomes longer, or shorter if negative.
	Duration, Extend time.Duration
}

// Extract reads a command in a language ([Japanese], or else English), with the temporal expressions that datetime.Parse found in
// the same text. It never fails: what it does not understand it leaves empty. Of a text of more than some hundred words only the
// beginning is read.
func Extract(text, lang string, times []datetime.Expression) Command {
	return modelOf(lang).Extract(text, times)
}

// Extract is the function [Extract] with other weights than those built in.
func (m *Model) Extract(text string, times []datetime.Expression) Command {
	text, times, said := cutClauses(text, m.lang, times)
	r := read(text, m.lang, times)
	defer r.done()
	if len(r.tokens) == 0 {
		return Command{Operation: Query}
	}
	labels := m.tagger.label(r)
	c := Command{Slots: slotsOf(r, labels)}
	c.Operation, c.Confidence = m.operation(r)
	said.operate(&c)
	interpret(r, &c)
	said.into(&c)
	return c
}

// NamesEntry reports whether a text in a language ends with a word that entries of a calendar are called by: a meeting, a meal, a journey.
func NamesEntry(text, lang string) bool {
	r := read(text, lang, nil)
	defer r.done()
	n := len(r.tokens)
	return n > 0 && r.tokens[n-1].ends&r.words.entry != 0
}

// slotsOf are the pieces that the labels of a reading mark.
func slotsOf(r *reading, labels []label) []Slot {
	var out []Slot
	for i := 0; i < len(labels); {
		if labels[i] == outside {
			i++
			continue
		}
		j := i + 1
		for j < len(labels) && isInside(labels[j]) {
			j++
		}
		out = append(out, Slot{typeOf(labels[i]), r.piece(i, j)})
		i = j
	}
	return out
}

// of returns the slots of some types, in order.
func of(slots []Slot, types ...Type) []Slot {
	var out []Slot
	for _, s := range slots {
		if slices.Contains(types, s.Type) {
			out = append(out, s)
		}
	}
	return out
}
