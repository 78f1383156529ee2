//go:build !windows

package privatefile

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks f against everybody else who opened it, in this process or another, until f is closed. It does not wait.
func TryLock(f *os.File) (bool, error) { return tryLock(f, syscall.LOCK_EX) }

// TryShare is [TryLock], but does not keep others away who share f too.
func TryShare(f *os.File) (bool, error) { return tryLock(f, syscall.LOCK_SH) }

func tryLock(f *os.File, how int) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

// SyncFolder makes a change of names survive a loss of power.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
