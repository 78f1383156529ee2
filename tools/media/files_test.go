package media_test

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/media"
)

// clock is a clock that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// eachShelf runs a test over files in memory and in a folder.
func eachShelf(t *testing.T, opts media.FileOptions, do func(t *testing.T, f *media.Files, c *clock)) {
	t.Helper()
	for name, dir := range map[string]string{"memory": "", "folder": filepath.Join(t.TempDir(), "below", "media")} {
		t.Run(name, func(t *testing.T) {
			c := &clock{time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)}
			f, err := media.OpenFiles(t.Context(), dir, c.now, opts)
			if err != nil {
				t.Fatalf("OpenFiles = %v", err)
			}
			do(t, f, c)
		})
	}
}

func put(t *testing.T, f *media.Files, text string) media.Address {
	t.Helper()
	a, err := f.Put([]byte(text), media.PNG)
	if err != nil {
		t.Fatalf("Put(%.20q) = %v", text, err)
	}
	return a
}

// open opens the file at a URL.
func open(t *testing.T, f *media.Files, address string) (string, error) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	file, err := f.Open(strings.TrimPrefix(u.Path, "/media/"), q.Get("expires"), q.Get("signature"))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil || file.Kind != media.PNG {
		t.Errorf("read %s = %v, kind %q, want %q", address, err, file.Kind, media.PNG)
	}
	return string(text), nil
}

func TestAddresses(t *testing.T) {
	eachShelf(t, media.FileOptions{}, func(t *testing.T, f *media.Files, c *clock) {
		a := put(t, f, "picture")
		if got, err := open(t, f, a.URL); got != "picture" || err != nil {
			t.Errorf("Open = %q, %v, want what was put", got, err)
		}
		if want := c.at.Add(24 * time.Hour); !a.Expires.Equal(want) {
			t.Errorf("Expires = %v, want %v", a.Expires, want)
		}
		other := put(t, f, "another")
		name, query, _ := strings.Cut(a.URL, "?")
		_, otherQuery, _ := strings.Cut(other.URL, "?")
		for what, forged := range map[string]string{
			"a later second":        strings.Replace(a.URL, "expires=1", "expires=2", 1),
			"the signature of more": name + "?" + otherQuery,
			"no signature":          name,
			"an empty signature":    strings.SplitAfter(a.URL, "signature=")[0],
			"a cut signature":       a.URL[:len(a.URL)-2],
			"another type":          strings.Replace(a.URL, ".png", ".svg", 1),
			"a path":                "/media/../signing.key?" + query,
			"the key":               "/media/signing.key?" + query,
		} {
			if got, err := open(t, f, forged); !errors.Is(err, fault.ErrNotFound) || errors.Is(err, media.ErrExpired) {
				t.Errorf("Open of an address with %s = %q, %v, want ErrNotFound", what, got, err)
			}
		}
		c.at = a.Expires.Add(-time.Second)
		if _, err := open(t, f, a.URL); err != nil {
			t.Errorf("Open a second before the end = %v", err)
		}
		c.at = a.Expires
		if got, err := open(t, f, a.URL); !errors.Is(err, media.ErrExpired) {
			t.Errorf("Open at the end = %q, %v, want ErrExpired", got, err)
		}
	})
}

func TestSweep(t *testing.T) {
	eachShelf(t, media.FileOptions{Life: time.Hour}, func(t *testing.T, f *media.Files, c *clock) {
		renewed, left := put(t, f, "renewed"), put(t, f, "left")
		c.at = c.at.Add(30 * time.Minute)
		again := put(t, f, "renewed")
		if renewed.URL == again.URL {
			t.Errorf("the address of a file put again is %s, want a later one", again.URL)
		}
		c.at = c.at.Add(30 * time.Minute)
		if err := f.Sweep(); err != nil {
			t.Fatalf("Sweep = %v", err)
		}
		c.at = left.Expires.Add(-time.Second) // back, so that only the sweep can have ended it
		if _, err := open(t, f, left.URL); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Open of what was swept = %v, want ErrNotFound", err)
		}
		if _, err := open(t, f, again.URL); err != nil {
			t.Errorf("Open of what was put again = %v", err)
		}
	})
}

func TestBounds(t *testing.T) {
	opts := media.FileOptions{MaxFile: 60, MaxTotal: 100, MaxCount: 3}
	eachShelf(t, opts, func(t *testing.T, f *media.Files, c *clock) {
		for what, wrong := range map[string]struct {
			text string
			kind media.Kind
		}{
			"nothing":         {"", media.PNG},
			"too much":        {strings.Repeat("x", 61), media.PNG},
			"of no kind":      {"x", "text/html"},
			"of an empty one": {"x", ""},
		} {
			if _, err := f.Put([]byte(wrong.text), wrong.kind); !errors.Is(err, fault.ErrInvalid) {
				t.Errorf("Put of %s = %v, want ErrInvalid", what, err)
			}
		}
		var addresses []string
		add := func(text string) {
			c.at = c.at.Add(time.Second)
			addresses = append(addresses, put(t, f, text).URL)
		}
		wantKept := func(first int) {
			t.Helper()
			for i, a := range addresses {
				if _, err := open(t, f, a); (err == nil) != (i >= first) {
					t.Errorf("Open of file %d = %v, want those from %d on", i, err, first)
				}
			}
		}
		add("a")
		add("b")
		add("c")
		wantKept(0)
		add("d")
		wantKept(1)
		add(strings.Repeat("e", 60))
		wantKept(2)
		add(strings.Repeat("f", 60))
		wantKept(5)
	})
}

// TestFolder holds that addresses outlive the process, are for nobody else to read, and that the
// key is not served.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	c := &clock{time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)}
	opened := func() *media.Files {
		t.Helper()
		f, err := media.OpenFiles(t.Context(), dir, c.now, media.FileOptions{})
		if err != nil {
			t.Fatalf("OpenFiles = %v", err)
		}
		return f
	}
	a := put(t, opened(), "picture")
	if got, err := open(t, opened(), a.URL); got != "picture" || err != nil {
		t.Errorf("Open by another process = %q, %v, want what was put", got, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("ReadDir = %v, %v, want the file, the key and the lock", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("mode of %s = %v, %v, want one for nobody else", e.Name(), info.Mode(), err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "signing.key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := media.OpenFiles(t.Context(), dir, c.now, media.FileOptions{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("OpenFiles with a broken key = %v, want ErrInvalid", err)
	}
}
