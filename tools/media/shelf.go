package media

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"annai/fault"
	"annai/internal/privatefile"
)

const (
	keyFile = "signing.key"
	keySize = 32
)

func newKey() []byte {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // it never fails
	return key
}

// openKey returns the key of a folder, and makes folder and key where there are none.
func openKey(ctx context.Context, dir string) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }() // which ends the lock
	if err := privatefile.Lock(ctx, lock); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, keyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		key := newKey()
		return key, privatefile.Replace(path, []byte(hex.EncodeToString(key)+"\n"))
	} else if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keySize {
		return nil, fmt.Errorf(
			"%s is no key: put the right one back, or delete it, which ends all addresses: %w", path, fault.ErrInvalid)
	}
	return key, nil
}

// folder is a shelf in a folder of the file system. The time of a file is that of its last change.
type folder struct{ dir string }

func (f folder) put(name string, data []byte, at time.Time) error {
	path := filepath.Join(f.dir, name)
	if err := os.Chtimes(path, at, at); err == nil {
		return nil // the name is the content's
	}
	if err := privatefile.Replace(path, data); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}

func (f folder) open(name string) (File, error) {
	opened, err := os.Open(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, fmt.Errorf("%w: %w", fault.ErrNotFound, err)
	}
	return File{ReadSeekCloser: opened}, err
}

func (f folder) list() ([]kept, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	var all []kept
	for _, e := range entries {
		if !goodName.MatchString(e.Name()) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process was quicker
		} else if err != nil {
			return nil, err
		}
		all = append(all, kept{name: e.Name(), size: info.Size(), at: info.ModTime()})
	}
	return all, nil
}

func (f folder) remove(name string) error {
	if err := os.Remove(filepath.Join(f.dir, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// memory is a shelf in memory.
type memory struct {
	mu    sync.Mutex
	files map[string]stored
}

type stored struct {
	data []byte
	at   time.Time
}

func (m *memory) put(name string, data []byte, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name] = stored{bytes.Clone(data), at}
	return nil
}

func (m *memory) open(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.files[name]
	if !ok {
		return File{}, fault.ErrNotFound
	}
	return File{ReadSeekCloser: reader{bytes.NewReader(s.data)}}, nil
}

func (m *memory) list() ([]kept, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]kept, 0, len(m.files))
	for name, s := range m.files {
		all = append(all, kept{name: name, size: int64(len(s.data)), at: s.at})
	}
	return all, nil
}

func (m *memory) remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, name)
	return nil
}

// reader is a reader that needs no closing.
type reader struct{ *bytes.Reader }

func (reader) Close() error { return nil }
