// Package privatefile writes files of annai's own, secrets and copies: for nobody else to read, whole or not at all.
//
// Its one idea: a reader finds the old file or the new one, also after a loss of power, and whoever changes a file that others change too holds a
// lock. The package knows nothing of what is in them.
package privatefile

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace writes a file that only we may read, whole or not at all, and so that it survives a loss of power. Its folder must be there.
func Replace(path string, data []byte) error {
	return ReplaceWithin(path, data, func(put func() error) error { return put() })
}

// ReplaceWithin is [Replace], but the new file takes the old one's place when within calls put, or never if it does not.
func ReplaceWithin(path string, data []byte, within func(put func() error) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // of mode 0600
	if err != nil {
		return err
	}
	placed := false
	defer func() {
		if !placed {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	err = within(func() error {
		err := os.Rename(f.Name(), path)
		placed = err == nil
		return err
	})
	if err != nil || !placed {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}
