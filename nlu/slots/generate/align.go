package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"annai/nlu/slots"
)

// types are the annotator's names of what we tag. All others are [slots.Other].
var types = map[string]slots.Type{
	"date": slots.Date, "time": slots.Time, "timeofday": slots.Time, "event_name": slots.Event, "person": slots.Person, "relation": slots.Person,
	"place_name": slots.Place, "business_name": slots.Place, "general_frequency": slots.Frequency,
}

// align returns the slots of a text that is annotated like "wake me up at [time : nine am]". In the annotated form spaces stand
// where the text has none.
func align(text, annotated string) ([]slots.Slot, error) {
	a := aligner{text: text}
	found := []slots.Slot{}
	for annotated != "" && a.err == nil {
		before, rest, ok := strings.Cut(annotated, "[")
		a.pass(before)
		if !ok {
			break
		}
		inside, after, ok := strings.Cut(rest, "]")
		name, words, ok2 := strings.Cut(inside, " : ")
		if !ok || !ok2 {
			return nil, fmt.Errorf("annotation %q is not closed", rest)
		}
		kind := types[strings.TrimSpace(name)]
		if kind == "" {
			kind = slots.Other
		}
		start, end := a.pass(words)
		found = append(found, slots.Slot{Type: kind, Piece: slots.Piece{Text: text[start:end], Start: start, End: end}})
		annotated = after
	}
	return found, a.err
}

// aligner goes through a text.
type aligner struct {
	text string
	at   int
	err  error
}

// pass goes over words, whatever spaces they have, and returns where in the text they are.
func (a *aligner) pass(words string) (start, end int) {
	start = -1
	for _, r := range words {
		if r == ' ' || a.err != nil {
			continue
		}
		for strings.HasPrefix(a.text[a.at:], " ") {
			a.at++
		}
		if start < 0 {
			start = a.at
		}
		if got, size := utf8.DecodeRuneInString(a.text[a.at:]); got == r {
			a.at += size
			continue
		}
		a.err = fmt.Errorf("%q is not in %q at %d", words, a.text, a.at)
	}
	return max(start, 0), a.at
}
