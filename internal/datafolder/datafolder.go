// Package datafolder is the folder of what survives a restart, as a whole: who uses it, how it was
// at one moment, and how it is put back.
//
// The idea to hold: a backup is one file with everything in the folder and a manifest, which says
// what must be in it. Those who use a folder share it, and nobody uses it while it is replaced. The
// package knows databases from other files and nothing of what is in either: what is encrypted
// stays so.
package datafolder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"annai/fault"
	"annai/internal/privatefile"
)

const (
	lockName = "annai.lock"
	// serverName is the lock of the server that uses the folder.
	serverName = "server.lock"
	// restoring is where, in the folder, a restore puts things before they are in their places.
	restoring = ".restore"
	// decided is below it what is to be in the folder, once all of it is there.
	decided = "ready"
)

// Use lets nobody replace the folder until release is called. The folder is made if there is none.
// One that is being replaced is [fault.ErrConflict], and so is one that was replaced half-way.
func Use(dir string) (release func() error, err error) {
	return lock(dir, privatefile.TryShare, "the data folder is being restored")
}

// Serve notes that a server uses the folder until release is called, and says whether it is the only one.
func Serve(dir string) (release func() error, alone bool, err error) {
	f, err := os.OpenFile(filepath.Join(dir, serverName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, fmt.Errorf("data folder: it can't be written: %w: %w", err, fault.ErrUnavailable)
	}
	if alone, err = privatefile.TryLock(f); err != nil {
		return nil, false, errors.Join(fmt.Errorf("data folder: %w", err), f.Close())
	}
	return f.Close, alone, nil
}

func lock(dir string, try func(*os.File) (bool, error), why string) (release func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: it can't be written: %w: %w", err, fault.ErrUnavailable)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder: it can't be written: %w: %w", err, fault.ErrUnavailable)
	}
	locked, err := try(f)
	if err == nil && !locked {
		err = fmt.Errorf("%s: %w", why, fault.ErrConflict)
	}
	if err == nil {
		err = checkWhole(dir)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}

// checkWhole looks whether a restore ended half-way.
func checkWhole(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, restoring, decided)); err == nil {
		return errUnfinished
	}
	return nil
}

// errUnfinished is what somebody left half-way.
var errUnfinished = fmt.Errorf(
	"a restore into the data folder was broken off: restore it again, with --replace: %w", fault.ErrConflict,
)

// transient are the endings of files that are nothing after a restart: locks, what SQLite keeps
// beside a database, and what was not written to its end.
var transient = []string{".lock", "-wal", "-shm", "-journal", ".tmp"}

func isTransient(name string) bool {
	for _, ending := range transient {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}

// isDatabase says whether a file is one by its name.
func isDatabase(name string) bool { return strings.HasSuffix(name, ".db") }

// list returns the files in the folder that a backup has, by their slashed paths in it.
func list(ctx context.Context, dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case name == restoring:
			return fs.SkipDir
		case entry.Type().IsRegular() && !isTransient(name):
			files = append(files, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the data folder: %w", err)
	}
	return files, nil
}
