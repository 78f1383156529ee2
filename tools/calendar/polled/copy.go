package polled

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"annai/internal/privatefile"
)

// A copyFile keeps the last good copy of a feed on disk: a line of JSON about it, and then the file
// as it came. It is replaced as a whole, so that what is there is a copy or none.
type copyFile struct {
	path string
	// address is a sum of the feed's address, which is a secret.
	address string
}

// A copyHead is the first line.
type copyHead struct {
	Version      int       `json:"version"`
	Address      string    `json:"address"`
	AsOf         time.Time `json:"asOf"`
	ETag         string    `json:"etag,omitzero"`
	LastModified string    `json:"lastModified,omitzero"`
	Type         string    `json:"type,omitzero"`
	Sum          string    `json:"sum"` // of the rest
}

const copyVersion = 1

func newCopyFile(path, address string) copyFile {
	return copyFile{path: path, address: sumOf([]byte(address))}
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// read returns the copy. That there is none, because none was made or it is another feed's, is
// [fs.ErrNotExist].
func (c copyFile) read() (copyHead, []byte, error) {
	text, err := os.ReadFile(c.path)
	if err != nil {
		return copyHead{}, nil, fmt.Errorf("read the copy: %w", err)
	}
	first, data, _ := bytes.Cut(text, []byte("\n"))
	var head copyHead
	switch err := json.Unmarshal(first, &head); {
	case err != nil || head.Sum != sumOf(data):
		return copyHead{}, nil, fmt.Errorf("the copy in %s is damaged", c.path)
	case head.Version != copyVersion || head.Address != c.address:
		return copyHead{}, nil, fmt.Errorf("the copy in %s is another one: %w", c.path, fs.ErrNotExist)
	}
	return head, data, nil
}

// write replaces the copy.
func (c copyFile) write(head copyHead, data []byte) error {
	head.Version, head.Address, head.Sum = copyVersion, c.address, sumOf(data)
	first, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("write the copy: %w", err)
	}
	if err := c.replace(append(append(first, '\n'), data...)); err != nil {
		return fmt.Errorf("write the copy in %s: %w", c.path, err)
	}
	return nil
}

// replace makes the folder too.
func (c copyFile) replace(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	return privatefile.Replace(c.path, text)
}

// restore implements [fetcher].
func (f *feed) restore() (snapshot, error) {
	if f.opts.Cache == "" {
		return snapshot{}, nil
	}
	head, data, err := f.copied.read()
	if errors.Is(err, fs.ErrNotExist) {
		return snapshot{}, nil
	}
	if err != nil {
		return snapshot{}, err
	}
	doc, err := parseNew(f.parse, Content{Data: data, Type: head.Type, Location: f.opts.Location}, &f.sum)
	if err != nil {
		return snapshot{}, fmt.Errorf("the copy in %s: %w", f.copied.path, err)
	}
	f.etag, f.lastModified, f.kind = head.ETag, head.LastModified, head.Type
	return snapshot{doc: doc, asOf: head.AsOf}, nil
}

// keep writes what was fetched, or, where data is nil, that it has not changed. Without it annai
// works on, so that a failure is only logged.
func (f *feed) keep(data []byte) {
	if f.opts.Cache == "" {
		return
	}
	var err error
	if data == nil {
		if _, data, err = f.copied.read(); err != nil {
			f.etag, f.lastModified = "", "" // so that it comes whole next time
		}
	}
	if err == nil {
		err = f.copied.write(copyHead{
			AsOf: f.opts.Now(), ETag: f.etag, LastModified: f.lastModified,
			Type: f.kind,
		}, data)
	}
	if err != nil {
		f.opts.Log.Warn("calendar copy not kept", "calendar_id", f.opts.CalendarID, "err", err)
	}
}

// lostCopy says why a feed that can't be read has no copy either.
func lostCopy(failure, lost error) error {
	if lost == nil {
		return failure
	}
	return fmt.Errorf("%s; %w", lost.Error(), failure)
}
