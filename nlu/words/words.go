// Package words holds tables of words and sentences, as files with columns. It decides nothing: what a table means is up to its reader.
package words

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

var (
	//go:embed asks.tsv
	asks string
	//go:embed states.tsv
	states string
	//go:embed filters.tsv
	filters string
	//go:embed compare.tsv
	compare string
	//go:embed danger.tsv
	danger string
	//go:embed over.tsv
	over string
	//go:embed asked.tsv
	asked string
	//go:embed marks.tsv
	marks string
	//go:embed sure.tsv
	sure string
	//go:embed askwords.tsv
	askWords string
)

// An AskRow says how a question for one kind of answer is printed. {} stands for what it is about.
type AskRow struct{ Japanese, English string }

// Asks returns the table of kinds of answers by their names.
var Asks = sync.OnceValue(func() map[string]AskRow {
	out := map[string]AskRow{}
	for _, row := range rows(asks, 3) {
		out[row[0]] = AskRow{Japanese: row[1], English: row[2]}
	}
	return out
})

// rows splits a table into its lines of so many columns, without comments and what is no such line.
func rows(table string, columns int) [][]string {
	var out [][]string
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\r\n")
		if cells := strings.Split(line, "\t"); !strings.HasPrefix(line, "#") && len(cells) == columns {
			out = append(out, cells)
		}
	}
	return out
}

// A StateRow is a list of words by which a sentence states a kind of answer. Sign is + where they grant or require something, - where they
// forbid it or dispense with it, and . where neither is meant.
type StateRow struct {
	Sign  byte
	Words []string
}

// States returns by which words a sentence states a kind of answer, by the names of the kinds.
var States = sync.OnceValue(func() map[string][]StateRow {
	out := map[string][]StateRow{}
	for _, row := range rows(states, 3) {
		out[row[0]] = append(out[row[0]], StateRow{Sign: row[1][0], Words: strings.Split(row[2], "|")})
	}
	return out
})

// A FilterRow is a property by which visitors choose among events: words of a question that ask for it, and words by which an event has it.
// Where it is no property of events the latter are none.
type FilterRow struct {
	Name            string
	Question, Event []string
}

// FilterFree is the filter of what costs nothing.
const FilterFree = "free"

// The filters that are no properties of events.
const (
	FilterBesides = "besides"
	FilterGeneral = "general"
)

// Filters returns the properties by which visitors choose among events.
var Filters = sync.OnceValue(func() []FilterRow {
	var out []FilterRow
	for _, row := range rows(filters, 3) {
		f := FilterRow{Name: row[0], Question: strings.Split(row[1], "|")}
		if row[2] != "-" {
			f.Event = strings.Split(row[2], "|")
		}
		out = append(out, f)
	}
	return out
})

// A CompareRow says by what things are compared, which of them is asked for (- the least, + the most, 0 those without), and by which words.
type CompareRow struct {
	By    string
	Pick  byte
	Words []string
}

// What things are compared by.
const (
	ByPrice  = "price"
	ByLength = "length"
	ByStart  = "start"
	BySeats  = "seats"
)

// Comparisons returns by what things are compared.
var Comparisons = sync.OnceValue(func() []CompareRow {
	var out []CompareRow
	for _, row := range rows(compare, 3) {
		out = append(out, CompareRow{By: row[0], Pick: row[1][0], Words: strings.Split(row[2], "|")})
	}
	return out
})

// Asked returns the words that only ask, by the names of the kinds of answers. Those of "all" are of any question.
var Asked = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range rows(asked, 2) {
		out[row[0]] = strings.Split(row[1], "|")
	}
	return out
})

// The marks of [MarkRow].
const (
	MarkAge    = "age"
	MarkPeople = "people"
	MarkDay    = "day"
	MarkAges   = "ages"
)

// A MarkRow is a list of words that mark what a number says, which stands before (<) or behind (>) them;
// or that say something by themselves (.): all of a day, or the ages from Least to Most, both included.
type MarkRow struct {
	Name        string
	Where       byte
	Least, Most int
	Words       []string
}

// Marks returns the table of marks in its order.
var Marks = sync.OnceValue(func() []MarkRow {
	var out []MarkRow
	for _, row := range rows(marks, 3) {
		m := MarkRow{Name: row[0], Where: row[1][0], Words: strings.Split(row[2], "|")}
		if least, most, ok := strings.Cut(row[1], "-"); ok {
			m.Where = '.'
			m.Least, _ = strconv.Atoi(least)
			m.Most, _ = strconv.Atoi(most)
		}
		out = append(out, m)
	}
	return out
})

// A SureRow is a list of words that ask for one kind of answer and can ask for no other one.
type SureRow struct {
	Ask   string
	Words []string
}

// Sure returns by which words a kind of answer is asked for that can be no other one.
var Sure = sync.OnceValue(func() []SureRow {
	var out []SureRow
	for _, row := range rows(sure, 2) {
		out = append(out, SureRow{Ask: row[0], Words: strings.Split(row[1], "|")})
	}
	return out
})

// AskWords are all words by which visitors ask for a kind of answer, whichever it is.
var AskWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, row := range rows(askWords, 2) {
		for word := range strings.SplitSeq(row[1], "|") {
			out[word] = true
		}
	}
	return out
})

// A DangerRow is a list of words that are said where people are in danger, of one class, and of other things too.
type DangerRow struct {
	Class, Language string
	Words           []string
}

// Dangers returns the words that are said where people are in danger.
var Dangers = sync.OnceValue(func() []DangerRow {
	var out []DangerRow
	for _, row := range rows(danger, 3) {
		out = append(out, DangerRow{Class: row[0], Language: row[1], Words: strings.Split(row[2], "|")})
	}
	return out
})

// Over returns the words by which visitors say that a danger is over, or that help has come.
var Over = sync.OnceValue(func() []string {
	var out []string
	for _, row := range rows(over, 2) {
		out = append(out, strings.Split(row[1], "|")...)
	}
	return out
})
