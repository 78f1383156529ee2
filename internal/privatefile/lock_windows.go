package privatefile

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// TryLock locks f against everybody else who opened it, in this process or another, until f is closed. It does not wait.
func TryLock(f *os.File) (bool, error) {
	const failImmediately, exclusive, lockViolation = 1, 2, syscall.Errno(33)
	ok, _, err := lockFileEx.Call(f.Fd(), failImmediately|exclusive, 0, 1, 0, uintptr(unsafe.Pointer(new(syscall.Overlapped))))
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
