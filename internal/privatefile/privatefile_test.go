package privatefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"annai/internal/privatefile"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for _, text := range []string{"first and longer", "second"} {
		if err := privatefile.Replace(path, []byte(text)); err != nil {
			t.Fatalf("Replace = %v", err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("ReadFile = %q, %v, want %q", got, err, text)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode = %v, %v, want one for nobody else", info.Mode(), err)
	}
	if err := privatefile.Replace(filepath.Join(path, "below a file"), nil); err == nil {
		t.Error("Replace below a file = nil, want an error")
	}
	if left, err := filepath.Glob(path + ".new-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestTryLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	for i, f := range []*os.File{first, second} {
		if locked, err := privatefile.TryLock(f); err != nil || locked != (i == 0) {
			t.Errorf("TryLock %d = %t, %v", i, locked, err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if locked, err := privatefile.TryLock(second); err != nil || !locked {
		t.Errorf("TryLock after the first is closed = %t, %v", locked, err)
	}
}
