package keys

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"annai/fault"
	"annai/internal/privatefile"
)

const (
	fileName = "keys.json"
	lockName = "keys.lock"
	usedName = "keys.used.json"
	// maxFile is the largest file that is read, in bytes.
	maxFile = 4 << 20
)

// A File is a [Store] in a file in a folder, which only its owner may read.
type File struct{ dir string }

// In returns the file in the folder. Neither has to exist.
func In(dir string) File { return File{dir} }

// Path is where it is.
func (f File) Path() string { return filepath.Join(f.dir, fileName) }

// List is part of [Store]. No file: none.
func (f File) List(context.Context) ([]Key, error) {
	data, err := read(f.Path())
	if err != nil || data == nil {
		return nil, err
	}
	all, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(), err)
	}
	return all, nil
}

// read returns what is in a file; nil if there is none.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("keys: %w", err)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is too large for a file of keys: %w", path, fault.ErrInvalid)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return data, nil
}

// Version is part of [Store].
func (f File) Version(context.Context) (string, error) {
	info, err := os.Stat(f.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "none", nil
	case err != nil:
		return "", fmt.Errorf("keys: %w", err)
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size()), nil
}

// Change is part of [Store].
func (f File) Change(ctx context.Context, edit func([]Key) ([]Key, error)) error {
	return f.alone(ctx, func() error {
		all, err := f.List(ctx)
		if err != nil {
			return err
		}
		if all, err = edit(all); err != nil {
			return err
		}
		data, err := Encode(all)
		if err != nil {
			return err
		}
		return privatefile.Replace(f.Path(), data)
	})
}

// alone does something while nobody else changes the files.
func (f File) alone(ctx context.Context, do func() error) (err error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(f.dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }() // which ends the lock
	if err := privatefile.Lock(ctx, lock); err != nil {
		return fmt.Errorf("lock %s: %w", lock.Name(), err)
	}
	return do()
}

// Use is part of [Store]. It is kept in a file of its own, since it changes all the time.
func (f File) Use(ctx context.Context, last map[string]time.Time) error {
	return f.alone(ctx, func() error {
		known, err := f.Used(ctx)
		if err != nil {
			return err
		}
		for name, at := range last {
			if at = whole(at); at.After(known[name]) {
				known[name] = at
			}
		}
		data, err := json.MarshalIndent(known, "", "  ")
		if err != nil {
			return fmt.Errorf("keys: %w", err)
		}
		return privatefile.Replace(filepath.Join(f.dir, usedName), append(data, '\n'))
	})
}

// Used is part of [Store].
func (f File) Used(context.Context) (map[string]time.Time, error) {
	path := filepath.Join(f.dir, usedName)
	data, err := read(path)
	known := map[string]time.Time{}
	if err != nil || data == nil {
		return known, err
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, fmt.Errorf("%s can't be read: %w: %w", path, err, fault.ErrInvalid)
	}
	return known, nil
}

// Decode reads a list of keys.
func Decode(data []byte) ([]Key, error) {
	var c contents
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("keys can't be read: %w: %w", err, fault.ErrInvalid)
	}
	seen := map[string]bool{}
	for _, k := range c.Keys {
		if seen[k.Name] {
			return nil, fmt.Errorf("there are two keys named %s: %w", k.Name, fault.ErrInvalid)
		}
		seen[k.Name] = true
	}
	return c.Keys, nil
}

// Encode writes what Decode reads.
func Encode(all []Key) ([]byte, error) {
	data, err := json.MarshalIndent(contents{all}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return append(data, '\n'), nil
}
