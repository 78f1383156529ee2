package venue

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"annai/fault"
)

// maxFile is the largest venue file, in bytes: fifty times that of the demonstration venue.
const maxFile = 1 << 20

// The most of what a venue file lists: each costs time at the start, or at every question.
const (
	maxParts     = 2000
	maxWords     = 2000 // that are corrected, or ambiguous, or said for staff
	maxCalendars = 100
	maxListed    = 1000 // of suggestions and of documents
)

// readFile reads a venue file. One that is too large is refused before all of it is read.
func readFile(files fs.FS, base, shown string) ([]byte, error) {
	file, err := files.Open(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("venue file %s does not exist: %w", shown, fault.ErrNotFound)
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(file, maxFile+1))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("read venue file %s: %w: %w", shown, err, fault.ErrUnavailable)
	}
	if len(data) > maxFile {
		says := fmt.Sprintf("is larger than %d MiB; long texts belong in documents", maxFile>>20)
		return nil, &Error{File: shown, Problems: []Problem{{Says: says}}}
	}
	return data, nil
}

// checkSizes reports whether no list is longer than any venue needs.
func (c *checker) checkSizes(v *Venue) bool {
	before := len(c.problems)
	for _, list := range []struct {
		key       string
		has, most int
	}{
		{"parts", len(v.Parts), maxParts},
		{"ambiguous", len(v.Ambiguous), maxWords},
		{"corrections", len(v.Corrections), maxWords},
		{"reading", len(v.Reading), maxWords},
		{"staff.words", len(v.Staff.Words), maxWords},
		{"suggestions", len(v.Suggestions), maxListed},
		{"calendars", len(v.Calendars), maxCalendars},
		{"knowledge", len(v.Knowledge), maxListed},
	} {
		if list.has > list.most {
			c.add(list.key, "there are %d; %d are the most", list.has, list.most)
		}
	}
	return len(c.problems) == before
}

// checkFileSize refuses a file of more than most bytes. One that is not there is somebody else's to tell.
func (c *checker) checkFileSize(files fs.FS, key, name string, most int64) {
	if info, err := fs.Stat(files, name); err == nil && info.Size() > most {
		c.add(key, "%q is larger than %d KiB", name, most>>10)
	}
}
