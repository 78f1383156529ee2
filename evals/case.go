package evals

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/nlu"
	"annai/tools/calendar"
)

// A Case is one conversation and what is wanted of it. [Load] returns it checked.
type Case struct {
	// File is where it stands, Name what it is called; together they are unique.
	File, Name string
	// Tag groups cases in the table; may be empty.
	Tag   string
	Setup Setup
	Turns []Turn
}

// A Turn is something said to the concierge, and what is wanted of the answer.
type Turn struct {
	// Session tells conversations of the same case apart.
	Session string
	Say     string
	// Pick answers the session's open interrupt explicitly: the text of an option or its number. Nil: it does not.
	Pick json.RawMessage
	// Now is the instant of the turn.
	Now time.Time
	// Location is the visitor's, nil if the request names none.
	Location *time.Location
	// Language is forced, if not empty.
	Language nlu.Language
	// SpecFormat asks for the literal lines of the specification.
	SpecFormat bool
	Want       Want
}

// Want is what an answer must be like. What is absent is not looked at, but for Options: a question that nobody wanted is wrong.
// Words are compared whatever their case. Besides, every answer must keep the rules in always.go.
type Want struct {
	// Error is the kind of failure: "invalid", "notFound" or "conflict"; then nothing else is.
	Error string `yaml:"error"`

	Route     string `yaml:"route"`
	Agent     string `yaml:"agent"`
	Category  string `yaml:"category"`
	Language  string `yaml:"language"`
	Emotion   string `yaml:"emotion"`
	Tag       string `yaml:"tag"`
	Inherited *bool  `yaml:"inherited"`
	// Confidence is exact, up to a thousandth.
	Confidence *float64   `yaml:"confidence"`
	Range      *WantRange `yaml:"range"`
	// Sources is the whole list in any order. SourceStatus is compared for the sources it names.
	Sources      []string          `yaml:"sources"`
	SourceStatus map[string]string `yaml:"sourceStatus"`

	// Text is the whole text, tag included. Begins is how it begins.
	Text   string `yaml:"text"`
	Begins string `yaml:"begins"`
	// Has are words of the text, Lacks words that must not be in it.
	Has   []Words `yaml:"has"`
	Lacks []Words `yaml:"lacks"`

	Speech      WantWords `yaml:"speech"`
	Cards       WantCards `yaml:"cards"`
	Suggestions WantWords `yaml:"suggestions"`
	// Options are those of the interrupt, in order. Absent: there is no interrupt.
	Options []string `yaml:"options"`
	// Question is words of the interrupt's question.
	Question []Words `yaml:"question"`
}

// WantRange is the range an answer is about. Start and End are as on the wire; a date stands for its midnight, whatever the offset.
type WantRange struct {
	// None says that there is no range.
	None     bool   `yaml:"none"`
	Name     string `yaml:"name"`
	Start    string `yaml:"start"`
	End      string `yaml:"end"`
	Explicit *bool  `yaml:"explicit"`
}

// WantWords is what a list of texts has in it, one below the other, and what not.
type WantWords struct {
	Has   []Words `yaml:"has"`
	Lacks []Words `yaml:"lacks"`
}

// WantCards is what the cards show. Titles is the whole list, in order; Has and Lacks are words of any of their fields.
type WantCards struct {
	Titles []string `yaml:"titles"`
	Has    []Words  `yaml:"has"`
	Lacks  []Words  `yaml:"lacks"`
}

// Words are ways to say the same thing; in YAML one text or a list of them.
type Words []string

// UnmarshalYAML reads one text or a list of them.
func (w *Words) UnmarshalYAML(unmarshal func(any) error) error {
	var one string
	if unmarshal(&one) == nil {
		*w = Words{one}
		return nil
	}
	return unmarshal((*[]string)(w))
}

// String is the words as they are written in a failure.
func (w Words) String() string {
	quoted := make([]string, len(w))
	for i, s := range w {
		quoted[i] = strconv.Quote(s)
	}
	return strings.Join(quoted, " or ")
}

// in reports whether the text has one of the words.
func (w Words) in(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(w, func(s string) bool { return strings.Contains(text, strings.ToLower(s)) })
}

// fixture is an event as it is written in a case. Start is a time with an offset; a date makes it last all day, and End is then its
// last day.
type fixture struct {
	Title       string          `yaml:"title"`
	Start       string          `yaml:"start"`
	End         string          `yaml:"end"`
	Location    string          `yaml:"location"`
	Description string          `yaml:"description"`
	URL         string          `yaml:"url"`
	Status      calendar.Status `yaml:"status"`
}
