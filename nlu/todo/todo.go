// Package todo reads what an owner asks of their to-do list, in Japanese and English: something is
// to be added, listed, ticked off or removed.
//
// The idea to hold: an order is one of the frames in frames.txt, a sequence of words with a place for
// what the task is called. When it is due was read before, by package datetime. The package knows no
// list: whether there is such a task is not its business.
package todo

import (
	"slices"
	"strings"

	"annai/nlu/datetime"
	"annai/nlu/words"
)

// Operation is what an order wants done. It is a closed set.
type Operation string

// The values of [Operation].
const (
	Add    Operation = "add"
	List   Operation = "list"
	Tick   Operation = "tick" // tick off
	Remove Operation = "remove"
)

// An Order is what an utterance asks of a to-do list.
type Order struct {
	Do Operation `json:"do,omitempty"`
	// Title is what the task is called, or by which it is found; empty where none is named.
	Title string `json:"title,omitempty"`
	// All says that every task is meant.
	All bool `json:"all,omitempty"`
	// Loose says that the words are about a task only if there is one of that name, or if tasks are
	// what the talk is about.
	Loose bool `json:"loose,omitempty"`
}

// Read reads an utterance, with the temporal expressions that datetime.Parse found in the same text.
// ok is false for one that asks nothing of a to-do list. Of more than some hundred letters nothing is
// read.
func Read(text string, times []datetime.Expression) (o Order, ok bool) {
	if len(text) > maxText {
		return Order{}, false
	}
	said := tidy(withoutTimes(text, times))
	low := words.Lower(said)
	for _, f := range frames() {
		hole, fits := f.match(low)
		if !fits {
			continue
		}
		o := Order{Do: f.do, Loose: f.loose}
		o.Title = title(said[hole.from:hole.to])
		if slices.Contains(classes()["all"], words.Lower(o.Title)) {
			o.Title, o.All = "", true
		}
		if o.Do != Add && o.Do != List && o.Title == "" {
			o.All = o.All || slices.ContainsFunc(classes()["all"], func(w string) bool { return hasWord(low, w) })
		}
		return o, true
	}
	return Order{}, false
}

// maxText is how many bytes are read at most.
const maxText = 1200

// withoutTimes is the text without its temporal expressions.
func withoutTimes(text string, times []datetime.Expression) string {
	var b strings.Builder
	at := 0
	for _, e := range times {
		if e.Start < at || e.End > len(text) {
			continue
		}
		b.WriteString(text[at:e.Start])
		b.WriteString(" ")
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// tidy is a text without marks and small words at its ends, which a time may have left there.
func tidy(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.TrimRight(text, " .。!！?？、,")
	return strings.TrimLeft(text, " のにはを、,。")
}

// title is a task's name without quotes, and without small words that times left at its ends.
func title(said string) string {
	said = strings.TrimSpace(said)
	for _, pair := range []string{"「」", "『』", "“”", "\"\"", "''", "‘’"} {
		marks := []rune(pair)
		inner, ok := strings.CutPrefix(said, string(marks[0]))
		if end, closed := strings.CutSuffix(inner, string(marks[1])); ok && closed && end != "" {
			said = end
		}
	}
	said = strings.Trim(said, " 、,。:：")
	return strings.TrimSpace(strings.TrimLeft(said, "にの"))
}
