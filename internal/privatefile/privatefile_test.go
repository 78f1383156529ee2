package privatefile_test

import (
	"errors"
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
	wantOnly(t, path)
}

// wantOnly says that nothing was left behind beside the file.
func wantOnly(t *testing.T, path string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(path) {
		t.Errorf("ReadDir = %v, %v, want %s alone", left, err, filepath.Base(path))
	}
}

func TestReplaceWithin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy")
	if err := privatefile.Replace(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	for _, test := range []struct {
		name   string
		within func(put func() error) error
		err    error
		want   string
	}{
		{"does not put it", func(func() error) error { return nil }, nil, "old"},
		{"fails before", func(func() error) error { return refused }, refused, "old"},
		{"puts it", func(put func() error) error { return put() }, nil, "new"},
		{"fails after", func(put func() error) error { return errors.Join(put(), refused) }, refused, "new"},
	} {
		if err := privatefile.ReplaceWithin(path, []byte("new"), test.within); !errors.Is(err, test.err) {
			t.Errorf("ReplaceWithin of who %s = %v, want %v", test.name, err, test.err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != test.want {
			t.Errorf("ReadFile after who %s = %q, %v, want %q", test.name, got, err, test.want)
		}
		wantOnly(t, path)
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
