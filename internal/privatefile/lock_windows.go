package privatefile

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

const (
	failImmediately = 1
	exclusive       = 2
	lockViolation   = syscall.Errno(33)
)

// TryLock locks f against everybody else who opened it, in this process or another, until f is closed. It does not wait.
func TryLock(f *os.File) (bool, error) { return tryLock(f, exclusive) }

// TryShare is [TryLock], but does not keep others away who share f too.
func TryShare(f *os.File) (bool, error) { return tryLock(f, 0) }

func tryLock(f *os.File, how uintptr) (bool, error) {
	overlapped := uintptr(unsafe.Pointer(new(syscall.Overlapped)))
	ok, _, err := lockFileEx.Call(f.Fd(), failImmediately|how, 0, 1, 0, overlapped)
	switch {
	case ok != 0:
		return true, nil
	case errors.Is(err, lockViolation):
		return false, nil
	default:
		return false, err
	}
}

// SyncFolder has nothing to do: Windows keeps names by itself.
func SyncFolder(string) error { return nil }
