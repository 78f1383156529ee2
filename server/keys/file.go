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

	"annai/internal/fault"
	"annai/internal/privatefile"
	"annai/server/door"
)

const (
	fileName = "keys.json"
	lockName = "keys.lock"
	// maxFile is the largest file that is read, in bytes.
	maxFile = 4 << 20
)

// A File is where named keys are kept: a file in a folder, which only its owner may read. Several processes may change it at once.
type File struct{ dir string }

// In returns the file in the folder. Neither has to exist.
func In(dir string) File { return File{dir} }

// Path is where it is.
func (f File) Path() string { return filepath.Join(f.dir, fileName) }

// contents is what is in the file.
type contents struct {
	Keys []Key `json:"keys"`
}

// List returns all keys, those that were revoked too, in the order in which they were added. No file: none.
func (f File) List() ([]Key, error) {
	info, err := os.Stat(f.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("keys: %w", err)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is too large for a file of keys: %w", f.Path(), fault.ErrInvalid)
	}
	data, err := os.ReadFile(f.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	var c contents
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%s can't be read: %w: %w", f.Path(), err, fault.ErrInvalid)
	}
	seen := map[string]bool{}
	for _, k := range c.Keys {
		if seen[k.Name] {
			return nil, fmt.Errorf("%s has two keys named %s: %w", f.Path(), k.Name, fault.ErrInvalid)
		}
		seen[k.Name] = true
	}
	return c.Keys, nil
}

// Add makes a key for whoever has the role, and of them the owner of that name, if any; keeps its
// hash and returns it: nobody can read it again. A name that was used before, for a revoked key too,
// is [fault.ErrConflict].
func (f File) Add(ctx context.Context, name string, role door.Role, owner string, now time.Time) (key string, err error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if err := checkOwner(role, owner); err != nil {
		return "", err
	}
	key = make256()
	err = f.change(ctx, func(all []Key) ([]Key, error) {
		for _, k := range all {
			if k.Name == name {
				return nil, fmt.Errorf("there was a key named %s already; names are not used again: %w", name, fault.ErrConflict)
			}
		}
		made := Key{Name: name, Role: role, Owner: owner, Hash: HashOf(key)}
		made.Created = now.UTC().Truncate(time.Second)
		return append(all, made), nil
	})
	if err != nil {
		return "", err
	}
	return key, nil
}

// Revoke makes a key worth nothing. One that is not there, or was revoked before, is [fault.ErrNotFound].
func (f File) Revoke(ctx context.Context, name string, now time.Time) error {
	return f.change(ctx, func(all []Key) ([]Key, error) {
		for i, k := range all {
			if k.Name == name && k.Revoked.IsZero() {
				all[i].Revoked = now.UTC().Truncate(time.Second)
				return all, nil
			}
		}
		return nil, fmt.Errorf("there is no key named %s: %w", name, fault.ErrNotFound)
	})
}

// change replaces the file, alone.
func (f File) change(ctx context.Context, edit func([]Key) ([]Key, error)) (err error) {
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
	all, err := f.List()
	if err != nil {
		return err
	}
	if all, err = edit(all); err != nil {
		return err
	}
	data, err := json.MarshalIndent(contents{all}, "", "  ")
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	if err := privatefile.Replace(f.Path(), append(data, '\n')); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	return nil
}
