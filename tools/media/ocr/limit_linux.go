package ocr

import "golang.org/x/sys/unix"

// limitMemory bounds the address space of a process.
func limitMemory(pid int, limit uint64) error {
	return unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}, nil)
}
