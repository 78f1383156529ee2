// Package privatefile writes files that hold secrets: for nobody else to read, whole or not at all.
//
// Its one idea: a reader finds the old file or the new one, also after a loss of power, and whoever changes a file holds a lock. The package
// knows nothing of what is in them.
package privatefile

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace writes a file that only we may read, whole or not at all, and so that it survives a loss of power.
func Replace(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // of mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
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
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}
