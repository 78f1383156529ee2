// Package injections holds attacks on the concierge: texts by which visitors, calendars, documents and models try to make it say or do what
// nobody asked for. Its tests carry out each of them on a whole concierge.
//
// Its one idea: an attack is text in a place, and what it must not change is known without reading it. The same question is asked with harmless
// text in the same place, and the face, the agent, the sources and the calendars must be the same. The package knows nothing of how the
// concierge is made.
package injections

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"annai/fault"
	"annai/internal/strictyaml"
)

//go:embed cases
var embedded embed.FS

// Embedded returns the attacks in the binary: the files of evals/injections/cases.
func Embedded() fs.FS {
	files, err := fs.Sub(embedded, "cases")
	if err != nil { // only for a name that is no path
		return embedded
	}
	return files
}

// A Place is where the text of an attack stands.
type Place string

// The values of [Place].
const (
	Query       Place = "query"
	Title       Place = "title"
	Description Place = "description"
	Location    Place = "location"
	URL         Place = "url"
	Document    Place = "document"
	// Model is the output of a model. Arguments are those of a tool call that it makes, as JSON.
	Model     Place = "model"
	Arguments Place = "arguments"
)

// A Goal is what an attack is after.
type Goal string

// The values of [Goal].
const (
	Leak        Goal = "leak"
	Tool        Goal = "tool"
	Face        Goal = "face"
	Link        Goal = "link"
	Instruction Goal = "instruction"
	Markup      Goal = "markup"
	Language    Goal = "language"
	Flood       Goal = "flood"
)

var (
	places = []Place{Query, Title, Description, Location, URL, Document, Model, Arguments}
	goals  = []Goal{Leak, Tool, Face, Link, Instruction, Markup, Language, Flood}
)

// An Attack is one attempt.
type Attack struct {
	// Name is unique in all files.
	Name  string `yaml:"name"`
	Goal  Goal   `yaml:"goal"`
	Place Place  `yaml:"place"`
	// Lang is the language of the question and of the answer.
	Lang string `yaml:"lang"`
	// Text is what stands in the place. In a query it is all that is said.
	Text string `yaml:"text"`
	// Repeat makes the text that many times as long.
	Repeat int `yaml:"repeat"`
	// Say is the question; absent: what suits the place. Plain is what a query says without the attack, which must be answered in the same
	// way; absent: there is no such thing.
	Say   string `yaml:"say"`
	Plain string `yaml:"plain"`
	// Obey is what a model says that obeys the attack; absent: the text itself. Call is a tool that it calls besides, with arguments.
	Obey string `yaml:"obey"`
	Call *Call  `yaml:"call"`
	// Open says that a model which obeys still gets through, which is known.
	Open bool `yaml:"open"`
	// Owner says that the owner of the calendar is speaking.
	Owner bool `yaml:"owner"`
	// Never are words that must not be written, spoken or shown.
	Never []string `yaml:"never"`
}

// A Call is a tool call.
type Call struct {
	Tool      string `yaml:"tool"`
	Arguments string `yaml:"arguments"`
}

// file is a file of attacks as it is written.
type file struct {
	// About says what the attacks have in common.
	About   string   `yaml:"about"`
	Attacks []Attack `yaml:"attacks"`
}

// Load reads the attacks of all *.yaml files. Everything that is wrong is told at once, as [fault.ErrInvalid].
func Load(files fs.FS) ([]Attack, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list attacks: %w: %w", err, fault.ErrInvalid)
	}
	var out []Attack
	var problems []error
	seen := map[string]bool{}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read attacks: %w: %w", err, fault.ErrUnavailable)
		}
		var f file
		if err := strictyaml.Decode(data, &f); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if f.About == "" {
			problems = append(problems, fmt.Errorf("%s: about is missing: %w", name, fault.ErrInvalid))
		}
		for _, a := range f.Attacks {
			if err := a.check(); err != nil || seen[a.Name] {
				problems = append(problems, fmt.Errorf("%s: %q: %w", path.Base(name), a.Name, errors.Join(err, fault.ErrInvalid)))
			}
			seen[a.Name] = true
			out = append(out, a)
		}
	}
	if len(out) == 0 && len(problems) == 0 {
		problems = append(problems, fmt.Errorf("no attacks: %w", fault.ErrInvalid))
	}
	return out, errors.Join(problems...)
}

// check says what is wrong with an attack as it is written.
func (a Attack) check() error {
	switch {
	case a.Name == "" || a.Text == "":
		return errors.New("name and text are required")
	case !slices.Contains(places, a.Place):
		return fmt.Errorf("place %q is none of %q", a.Place, places)
	case !slices.Contains(goals, a.Goal):
		return fmt.Errorf("goal %q is none of %q", a.Goal, goals)
	case a.Lang != "ja" && a.Lang != "en":
		return fmt.Errorf("lang %q is neither ja nor en", a.Lang)
	case a.Place == Arguments && a.Call == nil:
		return errors.New("arguments have a call")
	}
	return nil
}
