// Package flyer reads what a flyer, a notice or a message announces: its title, when and where it
// is, and what is to be done by when, in Japanese and English.
//
// The idea to hold: each line has a role, by its label or by what stands in it, and each field is
// taken from the lines of its role, with where it came from. What no line says stays empty: nothing
// is invented. The package knows no pictures, no calendar and no clock.
package flyer

import (
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu/datetime"
)

// A Line is one line of a text.
type Line struct {
	Text string
	// Size is how large its letters are, in any unit; 0: not known.
	Size float64
}

// Lines are the lines of a text of which no sizes are known.
func Lines(s string) []Line {
	var out []Line
	for one := range strings.Lines(s) {
		out = append(out, Line{Text: one})
	}
	return out
}

// By says why a line was taken for a field. It is a closed set.
type By string

// The values of [By].
const (
	ByLabel    By = "label"    // the line says what it is
	BySize     By = "size"     // it has the largest letters
	ByPosition By = "position" // it is the first that may be it
	ByWords    By = "words"    // its words say it: a date, the name of a hall
	ByPage     By = "page"     // a page gives the field exactly
)

// A Source is where a field came from: the number of the line, from 1, and why that one.
type Source struct {
	Line int `json:"line,omitempty"`
	By   By  `json:"by,omitempty"`
}

// A Field is a piece of text, and where it came from. Empty: it was not found.
type Field struct {
	Text string `json:"text,omitempty"`
	Source
}

// When is when it is. What was not found is zero.
type When struct {
	// Day is the first day, LastDay the last of several.
	Day     civil.Date `json:"day,omitzero"`
	LastDay civil.Date `json:"lastDay,omitzero"`
	// Start, End and Doors are minutes from midnight. Of several days they are those of each.
	Start *int `json:"start,omitempty"`
	End   *int `json:"end,omitempty"`
	Doors *int `json:"doors,omitempty"`
	// Assumed says that no year was said and the next such day was taken; Conflict that the day of the
	// week beside the date is not that of the date; Afternoon that an hour was taken as the
	// afternoon's.
	Assumed   bool `json:"assumed,omitempty"`
	Conflict  bool `json:"conflict,omitempty"`
	Afternoon bool `json:"afternoon,omitempty"`
	// DayFrom and StartFrom are where day and start came from.
	DayFrom   Source `json:"dayFrom,omitzero"`
	StartFrom Source `json:"startFrom,omitzero"`
}

// Kind is what is to be done before an event. It is a closed set.
type Kind string

// The values of [Kind].
const (
	Apply  Kind = "apply"
	Pay    Kind = "pay"
	Submit Kind = "submit"
	Bring  Kind = "bring"
)

// A Todo is something to be done by a day.
type Todo struct {
	Kind Kind `json:"kind"`
	// What is to be brought; empty for the others.
	What string     `json:"what,omitempty"`
	Due  civil.Date `json:"due,omitzero"`
	Source
}

// An Announcement is what a text announces.
type Announcement struct {
	Title Field  `json:"title,omitzero"`
	When  When   `json:"when,omitzero"`
	Place Field  `json:"place,omitzero"`
	Todos []Todo `json:"todos,omitempty"`
	// Language is that of the text, "ja" or "en".
	Language string `json:"language,omitempty"`
}

// The bounds of what is read: of the lines the first so many, and of each so many characters.
const (
	maxLines  = 120
	maxLine   = 300
	maxTitle  = 200
	maxPlace  = 200
	maxTodos  = 5
	maxBrings = 100
)

// Read reads an announcement. now is the instant at which it was read, in the location of whoever
// reads it: a date without a year is the next one.
func Read(lines []Line, now time.Time) Announcement {
	p := page{now: now, lines: prepare(lines, now)}
	var all strings.Builder
	for _, l := range p.lines {
		all.WriteString(l.text + "\n")
	}
	a := Announcement{Language: text.MainLanguage(all.String())}
	a.When = p.when()
	a.Place = p.place()
	a.Title = p.title(a.Place)
	a.Todos = p.todos(a.When.Day)
	return a
}

// A role is what a line is there for. It is a closed set; empty: it has no label.
type role string

const (
	roleWhen    role = "when"
	roleTime    role = "time"
	rolePlace   role = "place"
	roleTitle   role = "title"
	roleApply   role = "apply"
	rolePay     role = "pay"
	roleBring   role = "bring"
	roleFee     role = "fee"
	roleHost    role = "host"
	roleContact role = "contact"
	roleOther   role = "other"
)

// A line is a line with what is known of it.
type line struct {
	text, folded string
	size         float64
	no           int
	// role is that of its label, or of the label above it; value is the rest of it, and led says that
	// the label is its own.
	role  role
	value string
	led   bool
	times []datetime.Expression
}

// A page is all lines, and when they are read.
type page struct {
	lines []line
	now   time.Time
}

// prepare reads each line by itself, and gives a label that stands alone to the line below it.
func prepare(in []Line, now time.Time) []line {
	var out []line
	var above role
	for i, l := range in {
		if len(out) == maxLines {
			break
		}
		one := text.OneLine(mend(l.Text), maxLine)
		if one == "" {
			continue
		}
		n := line{text: one, folded: fold(one), size: l.Size, no: i + 1}
		n.times = datetime.Parse(one, now)
		if r, value, ok := splitLabel(one); ok {
			n.role, n.value, n.led = r, value, true
			above = ""
			if value == "" {
				above = r
			}
		} else if above != "" {
			n.role, n.value = above, one
			if above != roleWhen || len(n.times) == 0 {
				above = ""
			}
		}
		out = append(out, n)
	}
	return out
}
