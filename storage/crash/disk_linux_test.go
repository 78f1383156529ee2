package crash_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/sqlite"
)

// A disk is where a store may write only so much, until it is enlarged.
type disk struct {
	// own says that the process must have a mount table of its own.
	own     bool
	limit   func(t *testing.T, folder string)
	enlarge func(t *testing.T, folder string)
	// says is what the operator must read.
	says string
}

var disks = map[string]disk{
	// Writes beyond a size are refused as those to a quota are, in the middle of what is written.
	"limit": {
		limit: func(t *testing.T, _ string) {
			signal.Ignore(syscall.SIGXFSZ)
			setFileSize(t, 500<<10)
		},
		enlarge: func(t *testing.T, _ string) { setFileSize(t, 1<<30) },
		says:    "disk",
	},
	// A file system of 3 MB that something else fills.
	"full": {
		own: true,
		limit: func(t *testing.T, folder string) {
			mount(t, folder)
			if err := os.WriteFile(filepath.Join(folder, "ballast"), make([]byte, 2<<20), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		enlarge: func(t *testing.T, folder string) {
			if err := os.Remove(filepath.Join(folder, "ballast")); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
				t.Fatal(err)
			}
		},
		says: "no space left",
	},
}

func setFileSize(t *testing.T, bytes uint64) {
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

// mayMount reports whether this process, which has a mount table of its own, may change it.
func mayMount(t *testing.T) bool {
	t.Helper()
	err := syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, "")
	if err != nil {
		t.Logf("%s: %v", noneOfItsOwn, err)
	}
	return err == nil
}

// mount puts a small file system at the folder.
func mount(t *testing.T, folder string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=3m"); err != nil {
		t.Fatalf("mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
}

// TestDisk has disks that are full or can't be written: what an operator reads then, and that nothing is lost.
func TestDisk(t *testing.T) {
	for name, own := range map[string]bool{"modest": false, "with file systems of its own": true} {
		t.Run(name, func(t *testing.T) {
			if !inside(t, own) {
				return
			}
			if own && !mayMount(t) {
				return
			}
			for name, d := range disks {
				if d.own == own {
					t.Run(name, d.fill)
				}
			}
			for name, l := range locks {
				if l.own == own {
					t.Run(name, l.turn)
				}
			}
		})
	}
}

// fill has a process meet a full disk, which it survives.
func (d disk) fill(t *testing.T) {
	folder := t.TempDir()
	d.limit(t, folder)
	o := orders{Dir: t.TempDir(), Durability: graph.DurabilitySync, Store: place{sqliteStore, filepath.Join(folder, "annai.db")}}
	s, err := o.Store.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := newChild(o, s, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	l := newLedger(o.Durability)
	for range 2 { // it stays full
		for i, err := range c.live() {
			if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), d.says) {
				t.Errorf("worker %d on a full disk = %v, want ErrUnavailable that says %q", i, err, d.says)
			}
		}
		l.read(t, o.Dir)
		o.examine(t, l)
	}
	d.enlarge(t, folder)
	c.Finish = true
	if err := errors.Join(c.live()...); err != nil {
		t.Errorf("once there is space = %v", err)
	}
	o.ends(t, l)
	t.Log(l.sum())
}

// A lock takes the right to write from a data folder, and gives it back.
type lock struct {
	own           bool
	prepare       func(t *testing.T, folder string)
	close, reopen func(folder string) error
}

var locks = map[string]lock{
	"folder": {
		close:  func(folder string) error { return os.Chmod(folder, 0o500) },
		reopen: func(folder string) error { return os.Chmod(folder, 0o700) },
	},
	"file": {
		close: func(folder string) error { return os.Chmod(filepath.Join(folder, "annai.db"), 0o400) },
		reopen: func(folder string) error { // what SQLite made beside the file since has its mode
			files, err := filepath.Glob(filepath.Join(folder, "annai.db*"))
			for _, file := range files {
				err = errors.Join(err, os.Chmod(file, 0o600))
			}
			return err
		},
	},
	"file system": {
		own:     true,
		prepare: mount,
		close: func(folder string) error {
			return syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
		},
		reopen: func(folder string) error { return syscall.Mount("", folder, "", syscall.MS_REMOUNT, "") },
	},
}

// turn takes the right to write and gives it back.
func (l lock) turn(t *testing.T) {
	folder := t.TempDir()
	if l.prepare != nil {
		l.prepare(t, folder)
	}
	path := filepath.Join(folder, "annai.db")
	if err := putOne(t, path, 1); err != nil {
		t.Fatal(err)
	}
	if err := l.close(folder); err != nil {
		t.Fatal(err)
	}
	err := putOne(t, path, 2)
	if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "can't be written") {
		t.Errorf("open and put in what can't be written = %v, want ErrUnavailable that says so", err)
	}
	if err := l.reopen(folder); err != nil {
		t.Fatal(err)
	}
	if err := putOne(t, path, 2); err != nil {
		t.Errorf("open and put once it can be written = %v", err)
	}
	(place{sqliteStore, path}).whole(t)
}

// putOne puts a record after the one before, in a store that is opened for it.
func putOne(t *testing.T, path string, id int64) (err error) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, newest, err := s.Load(t.Context(), "t", "", 0); err != nil || newest != id-1 {
		t.Errorf("Load = newest %d, %v, want %d", newest, err, id-1)
	}
	return s.Put(t.Context(), "t", graph.Record{ID: id, Parent: id - 1, Base: 1})
}

const noneOfItsOwn = "this system lets a process have no file systems of its own, so that only the other cases are looked at"

// isInside is set in the environment of a process that does one test, to its name.
const isInside = "ANNAI_TEST_CRASH_INSIDE"

// inside has the test done in a process of its own, which root's rights do not help past the modes of files, with a mount table of its own if need
// be. It reports whether this is that process.
func inside(t *testing.T, own bool) bool {
	t.Helper()
	if os.Getenv(isInside) == t.Name() {
		return true
	}
	test := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.timeout=60s", "-test.run="+test)
	c.Env = append(os.Environ(), isInside+"="+t.Name(), hurry)
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if own {
		c.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		}
	}
	if err := startModest(c); err != nil && own {
		t.Logf("%s: %v", noneOfItsOwn, err)
		return false
	} else if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil || !strings.Contains(out.String(), "--- PASS: "+t.Name()) {
		t.Errorf("%v:\n%s", err, &out)
	}
	t.Logf("%s", &out)
	return false
}

// startModest starts a process that has no right to write whatever the modes of files say.
func startModest(c *exec.Cmd) error {
	const (
		dropFromBoundingSet = 24 // PR_CAPBSET_DROP
		overrideModes       = 1  // CAP_DAC_OVERRIDE
	)
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // for ever: the thread gives up the right, hands that on, and ends with this goroutine
		_, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, dropFromBoundingSet, overrideModes, 0)
		if errno != 0 && os.Geteuid() == 0 {
			started <- fmt.Errorf("give up the right to override modes: %w", errno)
			return
		}
		started <- c.Start()
	}()
	return <-started
}
