// Package words holds tables of words and sentences, as files with columns. It decides nothing:
// what a table means is up to its reader.
package words

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"annai/internal/text"
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
	//go:embed spoken.tsv
	spoken string
	//go:embed anaphora.tsv
	anaphora string
	//go:embed details.tsv
	details string
	//go:embed facts.tsv
	facts string
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
	//go:embed walk.tsv
	walk string
)

// An AskRow says how a question for one kind of answer is printed. {} stands for what it is about.
// Venue has the questions about the venue as a whole by language, where there is one.
type AskRow struct {
	Japanese, English string
	Venue             map[string]string
}

// Asks returns the table of kinds of answers by their names.
var Asks = sync.OnceValue(func() map[string]AskRow {
	out := map[string]AskRow{}
	for _, row := range rows(asks, 5) {
		ask := AskRow{Japanese: row[1], English: row[2]}
		if row[3] != "-" {
			ask.Venue = map[string]string{"ja": row[3], "en": row[4]}
		}
		out[row[0]] = ask
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

// A StateRow is a list of words by which a sentence states a kind of answer. Sign is + where they
// grant or require something, - where they forbid it or dispense with it, and . where neither is
// meant.
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

// A FilterRow is a property by which visitors choose among events: words of a question that ask for
// it, and words by which an event has it. Where it is no property of events the latter are none.
// States is the kind of answer by which events state it, that they deny or that asks for nothing;
// empty where it is none. An event also has the words of its rhythm: @weekly, @biweekly, @monthly.
type FilterRow struct {
	Name, States    string
	Question, Event []string
}

// Recurs reports whether the property is that an event takes place in a rhythm.
func (f FilterRow) Recurs() bool { return len(f.Event) > 0 && strings.HasPrefix(f.Event[0], "@") }

// FilterRecurs is the filter of what takes place in any rhythm.
const FilterRecurs = "recurs"

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
	for _, row := range rows(filters, 4) {
		f := FilterRow{Name: row[0], Question: strings.Split(row[2], "|")}
		if row[1] != "-" {
			f.States = row[1]
		}
		if row[3] != "-" {
			f.Event = strings.Split(row[3], "|")
		}
		out = append(out, f)
	}
	return out
})

// A CompareRow says by what things are compared, which of them is asked for (- the least, + the
// most, 0 those without), and by which words.
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

// Asked returns the words that only ask, by the names of the kinds of answers. Those of "all" are
// of any question.
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

// A MarkRow is a list of words that mark what a number says, which stands before (<) or behind (>)
// them; or that say something by themselves (.): all of a day, or the ages from Least to Most, both
// included.
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

// AskWords are all words by which visitors ask, with the kinds of answers that each asks for.
var AskWords = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range rows(askWords, 2) {
		for word := range strings.SplitSeq(row[1], "|") {
			out[word] = append(out[word], row[0])
		}
	}
	return out
})

// The kinds of words of [Walk].
const (
	WalkOnFoot  = "walk"
	WalkFar     = "far"
	WalkLong    = "long"
	WalkRide    = "ride"
	WalkStation = "station"
)

// Walk returns the words of questions how far a place is on foot, by their kinds.
var Walk = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range rows(walk, 2) {
		out[row[0]] = strings.Split(row[1], "|")
	}
	return out
})

// A DangerRow is a list of words that are said where people are in danger, of one class, and of
// other things too.
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

// Spoken returns what visitors call the languages that we speak, by their tags.
var Spoken = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range rows(spoken, 2) {
		out[row[0]] = strings.Split(row[1], "|")
	}
	return out
})

// An AnaphoraRow is a list of words for a time that hang on the time spoken of before, with the
// word for the same time beside today. They are none where they go on as Unless has it.
type AnaphoraRow struct {
	Deictic       string
	Words, Unless []string
	// Behind is what is said behind the day: the part of it that is meant.
	Behind string
	// Day says that they hang on one day, and not on several, After that they hang on the day behind them.
	Day, After bool
}

// Anaphora returns the words for times that hang on the time spoken of before.
var Anaphora = sync.OnceValue(func() []AnaphoraRow {
	var out []AnaphoraRow
	for _, row := range rows(anaphora, 5) {
		out = append(out, AnaphoraRow{
			Deictic: row[0], Words: strings.Split(row[1], "|"), Unless: strings.Split(row[2], "|"),
			Behind: strings.TrimPrefix(row[3], "-"), Day: row[4] == "day",
			After: row[4] == "behind",
		})
	}
	return out
})

// The details of [Details]. [States] has the sentences that state them under the same names.
const (
	DetailDeadline = "deadline"
	DetailRain     = "rain"
	DetailBooking  = "booking"
	DetailEvent    = "event" // what is asked about is an event
	DetailReason   = "reason"
	DetailAnother  = "another" // whether it is on once more
)

// A Detail has the words by which visitors ask for it, whatever else they ask, and what contains one of them
// and is none.
type Detail struct{ Words, Unless []string }

// AskedIn reports whether a text in lower case asks for a detail.
func (d Detail) AskedIn(low string) bool {
	for _, w := range d.Unless {
		low = strings.ReplaceAll(low, w, "")
	}
	return slices.ContainsFunc(d.Words, func(w string) bool { return text.ContainsWord(low, w) })
}

// Details returns the details by their names.
var Details = sync.OnceValue(func() map[string]Detail {
	out := map[string]Detail{}
	for _, row := range rows(details, 3) {
		d := Detail{Words: strings.Split(row[1], "|")}
		if row[2] != "-" {
			d.Unless = strings.Split(row[2], "|")
		}
		out[row[0]] = d
	}
	return out
})

// What makes a sentence of facts that are listed without verbs.
const (
	Topic  = "は"
	Of     = "の"
	Yen    = "円"
	Copula = "です"
)

// Properties returns the names of properties with which such facts begin.
var Properties = sync.OnceValue(func() []string { return factWords("property") })

// NominalEndings returns the endings in kana with which such facts end.
var NominalEndings = sync.OnceValue(func() []string { return factWords("ending") })

func factWords(kind string) []string {
	for _, row := range rows(facts, 2) {
		if row[0] == kind {
			return strings.Split(row[1], "|")
		}
	}
	return nil
}

// Over returns the words by which visitors say that a danger is over, or that help has come.
var Over = sync.OnceValue(func() []string {
	var out []string
	for _, row := range rows(over, 2) {
		out = append(out, strings.Split(row[1], "|")...)
	}
	return out
})
