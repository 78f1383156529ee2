package auditlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)

func lines(t *testing.T, paths ...string) (entries []Entry) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var e Entry
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%s has the line %q: %v", path, line, err)
			}
			entries = append(entries, e)
		}
	}
	return entries
}

// TestRotates: two processes write to one file, of which only so much is kept, and no line is torn
// or written twice.
func TestRotates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "audit.log")
	var writers sync.WaitGroup
	for w := range 2 {
		l, err := open(path, 0, slog.New(slog.DiscardHandler), 2000)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		writers.Go(func() {
			for n := range 200 {
				l.Write(Entry{At: noon, What: Request, Outcome: Done, RequestID: fmt.Sprintf("%d-%d", w, n)})
			}
			if l.Check() != nil || l.Lost() > 0 {
				t.Errorf("%d entries were lost: %v", l.Lost(), l.Check())
			}
		})
	}
	writers.Wait()
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) != 1+older+1 { // and the lock
		t.Fatalf("there are %q, %v, want the file, %d older ones and a lock", files, err, older)
	}
	all, seen := []Entry{}, map[string]bool{}
	for _, file := range files {
		info, err := os.Stat(file)
		// One of them may write into the full file until the other has begun the next.
		if err != nil || info.Size() > 3*2000 || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has %d bytes and mode %v, %v", file, info.Size(), info.Mode(), err)
		}
		if !strings.HasSuffix(file, ".lock") {
			all = append(all, lines(t, file)...)
		}
	}
	for _, e := range all {
		if seen[e.RequestID] {
			t.Errorf("%s was written twice", e.RequestID)
		}
		seen[e.RequestID] = true
	}
	if !seen["0-199"] && !seen["1-199"] || len(all) < 100 {
		t.Errorf("there are %d entries, want the last 100 and more", len(all))
	}
}

type fullDisk struct{ full bool }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.full {
		return 0, errFull
	}
	return len(p), nil
}

// TestFullDisk: what can't be kept is said once a minute, and goes on once there is room.
func TestFullDisk(t *testing.T) {
	var said bytes.Buffer
	disk := &fullDisk{full: true}
	l := To(disk, slog.New(slog.NewTextHandler(&said, nil)))
	for n := range 100 {
		l.Write(Entry{At: noon.Add(time.Duration(n) * time.Second), Outcome: Done})
	}
	if n := strings.Count(said.String(), "audit log can't be written"); n != 2 || l.Lost() != 100 {
		t.Errorf("said %d times, %d lost, want twice and 100: %s", n, l.Lost(), said.String())
	}
	if !errors.Is(l.Check(), errFull) {
		t.Errorf("Check = %v, want that the disk is full", l.Check())
	}
	disk.full = false
	l.Write(Entry{At: noon, Outcome: Done})
	if l.Check() != nil {
		t.Errorf("Check once there is room = %v", l.Check())
	}
	var none *Log
	none.Write(Entry{})
	if none.Check() != nil || none.Lost() != 0 || none.Close() != nil {
		t.Error("no log is not silent")
	}
}

// TestNoWords: an id that a client chose is kept only if it is plainly one.
func TestNoWords(t *testing.T) {
	var out bytes.Buffer
	l := To(&out, slog.New(slog.DiscardHandler))
	l.Write(Entry{At: noon, Object: map[string]string{
		"id": "kiosk-1", "session": "私の電話は090-1234-5678です", "other": "call me back", "none": "",
		"long": strings.Repeat("a", 129),
	}})
	var e Entry
	if err := json.Unmarshal(out.Bytes(), &e); err != nil {
		t.Fatal(err)
	}
	if e.Object["id"] != "kiosk-1" || len(e.Object) != 4 || strings.Count(out.String(), "sha256:") != 3 {
		t.Errorf("kept %s, want one id and three marks", out.String())
	}
}

// TestForget: entries are kept for as long as they are to be, and an eighth of it longer at most, also where
// nobody writes any more.
func TestForget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l, err := Open(path, 80*time.Hour, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	start := time.Now().Add(-120 * time.Hour)
	for hours := range 120 {
		now := start.Add(time.Duration(hours) * time.Hour)
		l.Write(Entry{At: now, What: Request, Outcome: Done, RequestID: fmt.Sprint(hours)})
		for n := range older { // written just now, as the file system has it
			older := fmt.Sprint(path, ".", n+1)
			if all, err := os.ReadFile(older); err == nil {
				at := lines(t, older)[bytes.Count(all, []byte("\n"))-1].At
				if err := os.Chtimes(older, at, at); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := l.Forget(now); err != nil {
			t.Fatalf("Forget = %v", err)
		}
	}
	kept := func(now time.Time) (oldest time.Duration, n int) {
		files, _ := filepath.Glob(path + "*")
		for _, file := range files {
			if strings.HasSuffix(file, ".lock") {
				continue
			}
			for _, e := range lines(t, file) {
				oldest, n = max(oldest, now.Sub(e.At)), n+1
			}
		}
		return oldest, n
	}
	last := start.Add(119 * time.Hour)
	if oldest, n := kept(last); oldest < 79*time.Hour || oldest > 92*time.Hour || n < 80 {
		t.Errorf("of 120 hours %d entries are kept, the oldest of %s before, want 80 to 92 hours", n, oldest)
	}
	for _, now := range []time.Time{last.Add(60 * time.Hour), last.Add(200 * time.Hour)} {
		if err := l.Forget(now); err != nil {
			t.Fatalf("Forget = %v", err)
		}
	}
	if _, n := kept(last); n > 0 {
		t.Errorf("%d entries are kept after 200 hours in which nothing was written", n)
	}
	if reopened, err := Open(path, time.Hour, slog.New(slog.DiscardHandler)); err != nil || reopened.Close() != nil {
		t.Errorf("Open again = %v", err)
	}
}
