package polled

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"time"

	"annai/fault"
)

// File returns the calendar in a file. That the file is missing or of another format is found out
// by the first read. A path that [fs.ValidPath] refuses, or no clock, is [fault.ErrInvalid].
func File(files fs.FS, path string, parse Parse, opts Options) (*Reader, error) {
	if !fs.ValidPath(path) {
		return nil, fmt.Errorf("calendar file %q: not a path in the folder: %w", path, fault.ErrInvalid)
	}
	opts, err := opts.complete(2 * time.Second)
	if err != nil {
		return nil, err
	}
	return newReader(&file{files: files, path: path, parse: parse, opts: opts}, opts), nil
}

func newReader(f fetcher, opts Options) *Reader {
	return &Reader{opts: opts, latest: &latest{opts: opts, fetcher: f}}
}

// A file is a [fetcher].
type file struct {
	files fs.FS
	path  string
	parse Parse
	opts  Options
	sum   [sha256.Size]byte
}

func (f *file) fetch(context.Context) (snapshot, error) {
	doc, err := f.read()
	return snapshot{doc: doc}, err
}

func (f *file) read() (Document, error) {
	opened, err := f.files.Open(f.path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %s: %w", f.path, err.Error(), fault.ErrUnavailable)
	}
	defer func() { _ = opened.Close() }() // only read: nothing can be lost
	data, err := readAll(opened, f.opts.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, err)
	}
	doc, err := parseNew(f.parse, Content{Data: data, Location: f.opts.Location}, &f.sum)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, err)
	}
	return doc, nil
}

// restore implements [fetcher]: a file needs no copy.
func (f *file) restore() (snapshot, error) { return snapshot{}, nil }

// readAll reads up to limit bytes. More are an error.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	var data bytes.Buffer
	n, err := data.ReadFrom(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", err.Error(), fault.ErrUnavailable)
	case n > limit:
		return nil, fmt.Errorf("larger than %d bytes: %w", limit, fault.ErrUnavailable)
	}
	return data.Bytes(), nil
}

// parseNew parses a file unless it is what sum is of, and then sets sum. That something is of
// another format is a fault of the source, not of the one who asks.
func parseNew(parse Parse, c Content, sum *[sha256.Size]byte) (Document, error) {
	is := sha256.Sum256(c.Data)
	if is == *sum {
		return nil, nil
	}
	doc, err := parse(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", err.Error(), fault.ErrUnavailable)
	}
	*sum = is
	return doc, nil
}
