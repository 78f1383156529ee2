package venue

import (
	"fmt"
	"strings"

	"annai/internal/fault"
)

// An Error is everything that is wrong with a venue file. It wraps [fault.ErrInvalid].
type Error struct {
	// File is the name by which it was opened.
	File     string
	Problems []Problem
}

// A Problem is one thing that is wrong.
type Problem struct {
	// Key is where: "calendars[1].visibility". Empty where the file could not be read so far.
	Key string
	// Says is what is wrong, in plain words.
	Says string
}

// Error has a line for each problem: "venue.yaml: timezone: there is no time zone "Asia/Tokio"".
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = e.File + ": " + p.Says
		if p.Key != "" {
			lines[i] = e.File + ": " + p.Key + ": " + p.Says
		}
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the kind of the failure.
func (*Error) Unwrap() error { return fault.ErrInvalid }

// checker collects problems.
type checker struct {
	file     string
	problems []Problem
}

func (c *checker) add(key, format string, args ...any) {
	c.problems = append(c.problems, Problem{Key: key, Says: fmt.Sprintf(format, args...)})
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
