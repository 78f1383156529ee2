package venue

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	_ "time/tzdata" // a venue's zone must load on a machine without a zone database

	"annai/fault"
	"annai/internal/strictyaml"
)

//go:embed demo
var demo embed.FS

//go:embed example
var example embed.FS

// Open reads the venue file of that name. The folder it lies in becomes [Venue.Files]; a link that
// leads out of it is refused.
//
// A file that is not there is [fault.ErrNotFound], one that cannot be read [fault.ErrUnavailable], one of
// absurd sizes [fault.ErrInvalid].
// Everything that is wrong in it is told at once, in one [*Error].
func Open(name string) (*Venue, error) {
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	folder, err := os.OpenRoot(dir) // from which no link leads out
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("venue file %s does not exist: %w", name, fault.ErrNotFound)
	} else if err != nil {
		return nil, fmt.Errorf("read venue file %s: %w: %w", name, err, fault.ErrUnavailable)
	}
	return parse(folder.FS(), base, name)
}

// Parse is [Open] for a file of that name at the top of files.
func Parse(files fs.FS, name string) (*Venue, error) { return parse(files, name, name) }

// Demo returns the venue in the binary.
func Demo() (*Venue, error) {
	files, err := fs.Sub(demo, "demo")
	if err != nil {
		return nil, fmt.Errorf("open the demo venue: %w", err)
	}
	return parse(files, "venue.yaml", "venue.yaml")
}

// Example returns the files of a venue to begin one's own with: a venue.yaml that explains every
// key, and what it names.
func Example() (fs.FS, error) {
	files, err := fs.Sub(example, "example")
	if err != nil {
		return nil, fmt.Errorf("open the example venue: %w", err)
	}
	return files, nil
}

// parse reads base in files; shown is how messages call it.
func parse(files fs.FS, base, shown string) (*Venue, error) {
	data, err := readFile(files, base, shown)
	if err != nil {
		return nil, err
	}
	v := &Venue{Files: files}
	c := checker{file: shown, lines: strictyaml.Lines(data)}
	if err := strictyaml.Decode(data, v); err != nil {
		c.addDecode(err)
	}
	// Keys with an error of their own were skipped by the decoder, the others are there and can be
	// checked. Where it got nothing at all, the file is no YAML, and to call every key missing
	// would only hide that.
	if c.checkSizes(v) && (len(c.problems) == 0 || !v.Name.IsZero() || len(v.Calendars) > 0) {
		c.check(v)
	}
	if len(c.problems) > 0 {
		return nil, &Error{File: shown, Problems: c.problems}
	}
	v.notes = c.notes
	return v, nil
}
