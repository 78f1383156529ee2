package owner

import (
	"slices"
	"strings"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
)

// A partSaid is what a part of an entry becomes: "the title should be planning".
type partSaid struct {
	edit Edit
	// ordered says that it is an order by itself, and not only an answer; entry is then what the
	// entry is called, empty for the one that is spoken of.
	ordered bool
	entry   string
}

// ofAnother reports whether it is a part of another entry than those of the plan.
func (s partSaid) ofAnother(p Plan) bool {
	titles := p.Edit.Title
	for _, o := range p.Targets {
		titles += " " + o.Title
	}
	return s.ordered && !isGeneric(s.entry) && !text.ContainsWord(titles, s.entry)
}

// The parts of an entry that may be named without saying what becomes of them.
const (
	partPlace = "place"
	partTitle = "title"
	partNote  = "note"
)

// parts are the parts of an entry with the words for them.
var parts = []struct {
	name  string
	words words.Phrases
}{{partPlace, words.PartPlace}, {partTitle, words.PartTitle}, {partNote, words.PartNote}}

// partNamed is the part of an entry that an order to change it names.
func partNamed(text string) string {
	for _, p := range parts[:2] {
		if p.words.In(text) {
			return p.name
		}
	}
	return ""
}

// readPart reads what a part of an entry becomes; nothing from a question.
func readPart(u nlu.Understanding) partSaid {
	text, _ := words.Assent.Begin(words.ValueMark.Trim(u.Text))
	text, _ = words.Denial.Begin(text)
	switch {
	case isQuestion(u.Text):
		return partSaid{}
	case u.Language == nlu.English:
		return partEnglish(text, u)
	}
	for _, p := range parts {
		if what, rest, ok := p.words.Cut(text); ok {
			if value, ok := words.PartIs.Begin(rest); ok {
				value, _, ordered := words.PartVerb.Cut(value)
				return sayPart(p.name, value, ordered, what, u)
			}
		}
	}
	return partSaid{}
}

func partEnglish(text string, u nlu.Understanding) partSaid {
	if value, ok := words.CallIt.Begin(text); ok {
		return sayPart(partTitle, value, false, "", u)
	}
	if rest, ok := words.Rename.Begin(text); ok {
		what, value, ok := words.PartTo.Cut(rest)
		return sayPart(partTitle, value, ok, what, u)
	}
	set := false
	for rest, ok := words.PartSet.Begin(text); ok; rest, ok = words.PartSet.Begin(text) {
		text, set = rest, true
	}
	what, part, owning := words.Owning.Cut(text)
	for _, p := range parts {
		if rest, ok := p.words.Begin(part); ok && owning {
			value, ok := words.PartTo.Begin(" " + rest)
			return sayPart(p.name, value, ok, what, u)
		}
		rest, ok := p.words.Begin(text)
		if !ok {
			continue
		}
		if of, ok := words.PartOf.Begin(" " + rest); ok && set {
			what, value, ok := words.PartTo.Cut(of)
			return sayPart(p.name, value, ok, what, u)
		}
		if value, ok := words.PartIs.Begin(" " + rest); ok {
			return sayPart(p.name, value, false, "", u)
		}
	}
	return partSaid{}
}

// sayPart is the value of a part of an entry that is called what.
func sayPart(part, value string, ordered bool, what string, u nlu.Understanding) partSaid {
	said := partSaid{ordered: ordered}
	if ordered {
		said.entry = words.Opening.Trim(withoutTimes(what, u))
	}
	if said.edit = editPart(part, valueSaid(value)); said.edit.empty() {
		return partSaid{}
	}
	return said
}

// editPart is the edit of one part of an entry.
func editPart(part, value string) Edit {
	switch value = valueOf(value); part {
	case partPlace:
		return Edit{Place: value}
	case partTitle:
		return Edit{Title: value}
	}
	return Edit{Note: value}
}

// valueSaid is a value as it was said, without what stands around it.
func valueSaid(said string) string {
	for range 2 {
		value, _ := words.ValueEnd.End(words.ValueMark.Trim(said))
		said = value
	}
	return words.ValueMark.Trim(said)
}

// withoutTimes is a piece of an utterance without the times in it.
func withoutTimes(piece string, u nlu.Understanding) string {
	at := strings.Index(u.Text, piece)
	for _, e := range slices.Backward(u.Times) {
		if from, to := e.Start-at, e.End-at; at >= 0 && from >= 0 && from <= to && to <= len(piece) {
			piece = piece[:from] + piece[to:]
		}
	}
	return piece
}
