// Package evals asks a concierge questions whose answers are known, and says how many it got right.
//
// Its one idea: a case is a file that anybody can write, and what it wants comes from the specification, never from what the
// program says today. The package knows what a concierge is asked and what it answers; whoever calls it puts the concierge
// together, so that what is measured is what is sold.
package evals

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"testing/fstest"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/tools/calendar"
)

//go:embed cases
var embedded embed.FS

// Embedded returns the cases in the binary: the files of evals/cases.
func Embedded() fs.FS {
	files, err := fs.Sub(embedded, "cases")
	if err != nil { // only for a name that is no path
		return embedded
	}
	return files
}

// An Asker answers one turn. A [nodes.Concierge] is one.
type Asker interface {
	Answer(ctx context.Context, turn dialog.Turn) (api.QueryResponse, error)
}

// NewAsker makes the concierge of one case: a new one, which remembers nothing, asks the clock of the setup, and has the sources
// that it names.
type NewAsker func(ctx context.Context, s Setup) (Asker, error)

// A Setup is the world of a case.
type Setup struct {
	// Now is the clock. It stands still during a turn.
	Now func() time.Time
	// Venue is "demo", the built-in one, or the name of a venue file, relative to the working directory.
	Venue string
	// Events are in a public calendar that stands in for all of the venue's. Nil: the venue's own calendars.
	Events []calendar.Event
	// Documents stand in for the venue's knowledge. Nil: the venue's own.
	Documents []Document
	// Calendar and Knowledge say how the two sources fail.
	Calendar, Knowledge Failure
}

// A Document is a file of knowledge: Markdown with YAML front matter.
type Document struct {
	Path string `yaml:"path"`
	Text string `yaml:"text"`
}

// Files returns the documents as files, and their names in order, for whoever reads them.
func (s Setup) Files() (files fs.FS, names []string) {
	all := make(fstest.MapFS, len(s.Documents))
	for _, d := range s.Documents {
		all[d.Path] = &fstest.MapFile{Data: []byte(d.Text)}
		names = append(names, d.Path)
	}
	return all, names
}

// A Failure is how a source fails.
type Failure string

// The values of [Failure].
const (
	// None does not fail.
	None Failure = ""
	// Error fails at once, with [fault.ErrUnavailable].
	Error Failure = "error"
	// Timeout does not answer before its context is done.
	Timeout Failure = "timeout"
)

// Main runs the cases in files and writes the table of [Report.WriteTable] to out. It reports whether all passed. Its error is
// that of [Load], of ctx or of out.
func Main(ctx context.Context, files fs.FS, newAsker NewAsker, out io.Writer, opts Options) (bool, error) {
	cases, err := Load(files)
	if err != nil {
		return false, err
	}
	report := Run(ctx, cases, newAsker, opts)
	if err := ctx.Err(); err != nil {
		return false, fmt.Errorf("run %d cases: %w", len(cases), err)
	}
	if err := report.WriteTable(out); err != nil {
		return false, fmt.Errorf("write the table: %w", err)
	}
	return report.Passed(), nil
}
