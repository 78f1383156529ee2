package local_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/local"
)

// A disk that takes no more is said to be so, nothing half-written is left, and once there is room the calendar goes on by itself. The limit is
// one of the process, so that a process of its own meets it.
func TestFullDisk(t *testing.T) {
	if os.Getenv("ANNAI_LOCAL_FULL") == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
		child.Env = append(os.Environ(), "ANNAI_LOCAL_FULL=1")
		if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
			t.Fatalf("the process with the limit: %v\n%s", err, out)
		}
		return
	}
	c := open(t, filepath.Join(t.TempDir(), "calendar.db"))
	signal.Ignore(syscall.SIGXFSZ)
	limitFiles(t, 300<<10)
	written := 0
	var full error
	for ; full == nil && written < 10_000; written++ {
		_, full = c.Create(t.Context(), numbered(written))
	}
	if calendar.KindOf(full) != calendar.Unavailable || !errors.Is(full, fault.ErrUnavailable) || !strings.Contains(full.Error(), "disk") {
		t.Errorf("Create on a full disk = %v after %d events, want kind unavailable, which speaks of the disk", full, written)
	}
	if _, err := c.Get(t.Context(), numbered(written-1).ID); calendar.KindOf(err) != calendar.NotFound {
		t.Errorf("Get of what was refused = %v, want kind not found", err)
	}
	limitFiles(t, 1<<30)
	if _, err := c.Create(t.Context(), numbered(written-1)); err != nil {
		t.Errorf("Create once there is room = %v, want the event", err)
	}
	for i := range written {
		if _, err := c.Get(t.Context(), numbered(i).ID); err != nil {
			t.Fatalf("Get(event %d of %d) = %v, want the event", i, written, err)
		}
	}
}

// limitFiles bounds how large this process may make a file.
func limitFiles(t *testing.T, bytes uint64) {
	t.Helper()
	limit := syscall.Rlimit{}
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = min(bytes, limit.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
}

// Root may write in any folder, but not make files in /proc.
func TestReadOnlyFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		folder = "/proc"
	}
	_, err := local.Open(t.Context(), filepath.Join(folder, "calendar.db"), local.Options{Now: clock})
	if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), folder) {
		t.Errorf("Open in a folder that can't be written = %v, want ErrUnavailable, which names it", err)
	}
}
