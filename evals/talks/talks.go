// Package talks asks a concierge the talks and single questions of a place, and judges each answer by what its author expected of it.
//
// A place is a folder: a venue with its calendar and knowledge, talks.jsonl and singles.jsonl. Expectations are regular expressions over
// facts, so that any correct wording passes. The package knows the format and the judgement; whoever calls it puts the concierge together.
package talks

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"annai/fault"
)

// Now is the instant at which all talks of a place are held.
var Now = time.Date(2026, 6, 10, 10, 30, 0, 0, time.FixedZone("JST", 9*60*60))

// A Turn is what a visitor says and what is expected of the answer.
type Turn struct {
	Say string `json:"say"`
	// Kind is the kind of turn: first, followup, switch, correction, ordinal, detail, unknown, ...
	Kind string `json:"kind"`

	// Has are patterns that must all match the answer, Any those of which one must, Not those that must not.
	Has []string `json:"has"`
	Any []string `json:"any"`
	Not []string `json:"not"`
	// Unknown says that the right answer is that it is not known, Social that a short courtesy is, Asks that asking back is.
	// With AsksOK asking back is right as well.
	Unknown bool `json:"unknown"`
	Social  bool `json:"social"`
	Asks    bool `json:"asks"`
	AsksOK  bool `json:"asks_ok"`

	// Full is the turn as a sentence that stands by itself, About what it is about, Ask the kind of answer wanted, where the place is
	// annotated.
	Full  string `json:"full"`
	About string `json:"about"`
	Ask   string `json:"ask"`
}

// A Talk is several turns in one session.
type Talk struct {
	ID    string `json:"id"`
	Lang  string `json:"lang"`
	Turns []Turn `json:"turns"`
}

// A Single is a first question.
type Single struct {
	Turn

	ID   string `json:"id"`
	Lang string `json:"lang"`
}

// A Place is what visitors of a venue say.
type Place struct {
	Talks   []Talk
	Singles []Single
}

// Load reads the talks and single questions of a folder. A folder that has neither is [fault.ErrNotFound]; a line that cannot be read is
// [fault.ErrInvalid].
func Load(files fs.FS) (Place, error) {
	var p Place
	var err error
	if p.Talks, err = lines[Talk](files, "talks.jsonl"); err != nil {
		return Place{}, err
	}
	if p.Singles, err = lines[Single](files, "singles.jsonl"); err != nil {
		return Place{}, err
	}
	if len(p.Talks)+len(p.Singles) == 0 {
		return Place{}, fmt.Errorf("no talks.jsonl and no singles.jsonl: %w", fault.ErrNotFound)
	}
	return p, nil
}

// maxLine is the longest line of a file, in bytes.
const maxLine = 1 << 20

// lines reads a file with a JSON value on each line. A file that is not there has none.
func lines[T any](files fs.FS, name string) ([]T, error) {
	f, err := files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer func() { _ = f.Close() }()
	var out []T
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, maxLine)
	for n := 1; scanner.Scan(); n++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: %w", name, n, fault.ErrInvalid, err)
		}
		out = append(out, v)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, nil
}
