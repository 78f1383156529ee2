package venue

import (
	"fmt"
	"strings"

	"annai/fault"
)

// An Error is everything that is wrong with a venue file. It wraps [fault.ErrInvalid].
type Error struct {
	// File is the name by which it was opened.
	File     string
	Problems []Problem
}

// A Problem is one thing that is wrong.
type Problem struct {
	// Line is the line of Key in the file, or of the nearest group of keys around it. Zero where
	// neither is there.
	Line int
	// Key is where: "calendars[1].visibility". Empty where the file could not be read so far.
	Key string
	// Says is what is wrong, in plain words.
	Says string
}

// String is "line 3: timezone: there is no time zone "Asia/Tokio"".
func (p Problem) String() string {
	text := p.Says
	if p.Key != "" {
		text = p.Key + ": " + text
	}
	if p.Line > 0 {
		text = fmt.Sprintf("line %d: %s", p.Line, text)
	}
	return text
}

// Error has a line for each problem: "venue.yaml: line 3: timezone: there is no time zone
// "Asia/Tokio"".
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = e.File + ": " + p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the kind of the failure.
func (*Error) Unwrap() error { return fault.ErrInvalid }

// Notes are what is accepted but may be a slip: hours that end on the next day, say.
func (v *Venue) Notes() []Problem { return v.notes }

// checker collects problems.
type checker struct {
	file     string
	lines    map[string]int // see [strictyaml.Lines]
	problems []Problem
	notes    []Problem
}

func (c *checker) add(key, format string, args ...any) {
	c.problems = append(c.problems, c.problem(key, fmt.Sprintf(format, args...)))
}

func (c *checker) note(key, format string, args ...any) {
	c.notes = append(c.notes, c.problem(key, fmt.Sprintf(format, args...)))
}

// problem is one at key, in its line or that of what it is in.
func (c *checker) problem(key, says string) Problem {
	for at := key; at != ""; at = at[:max(0, strings.LastIndexAny(at, ".["))] {
		if line := c.lines[at]; line > 0 {
			return Problem{Line: line, Key: key, Says: says}
		}
	}
	return Problem{Key: key, Says: says}
}

// addDecode adds what the decoder found, which may be several lines.
func (c *checker) addDecode(err error) {
	text := strings.TrimSuffix(err.Error(), ": "+fault.ErrInvalid.Error())
	text = strings.TrimPrefix(text, "yaml: ")
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "unmarshal errors:" {
			c.add("", "%s", line)
		}
	}
}
