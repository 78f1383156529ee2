package pgcopies_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/internal/outbound"
	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
	"annai/tools/calendar"
	"annai/tools/calendar/polled"
	"annai/tools/calendar/polled/pgcopies"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// A title is a file that has one event, of which it is the title.
type title string

func (t title) Events(_ context.Context, w civil.TimeRange, _ int) ([]calendar.Event, []error, error) {
	return []calendar.Event{{ID: "one", Title: string(t), Start: w.Start, End: w.End}}, nil, nil
}
func (title) Problems() []error { return nil }

// A source serves one title, by its ETag too, and counts who asks.
type source struct {
	*httptest.Server

	title atomic.Pointer[string]
	whole atomic.Int64
	asked atomic.Int64
}

func serve(t *testing.T, first string) *source {
	s := new(source)
	s.title.Store(&first)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		now := *s.title.Load()
		switch {
		case now == "":
			w.WriteHeader(http.StatusBadGateway)
		case r.Header.Get("If-None-Match") == `"`+now+`"`:
			w.WriteHeader(http.StatusNotModified)
		default:
			s.whole.Add(1)
			w.Header().Set("ETag", `"`+now+`"`)
			_, _ = w.Write([]byte(now))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// reader returns the reader of a process of its own, and ends its database with stop.
func reader(t *testing.T, s *source, schema string, key []byte) (r *polled.Reader, stop func()) {
	t.Helper()
	db, err := pgdb.Open(t.Context(), schema, pgdb.Options{Connections: 2})
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	copies, err := pgcopies.Open(t.Context(), db, row.Options{Key: key})
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	here := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	client, err := outbound.New(outbound.Options{OwnPort: true, Networks: here})
	if err != nil {
		t.Fatal(err)
	}
	parse := func(c polled.Content) (polled.Document, error) { return title(c.Data), nil }
	r, err = polled.URL(s.URL+"/secret", parse, polled.Options{
		CalendarID: "feed", Now: time.Now, Client: client, Copies: copies, Refresh: refresh, Retry: refresh,
	})
	if err != nil {
		t.Fatal(err)
	}
	stop = func() { _ = r.Close(); _ = db.Close() }
	t.Cleanup(stop)
	return r, func() { _ = db.Close() }
}

const refresh = 400 * time.Millisecond

func titleOf(t *testing.T, r *polled.Reader) string {
	t.Helper()
	now := time.Now()
	got, err := r.Events(t.Context(), civil.TimeRange{Start: now, End: now.Add(time.Hour)})
	switch {
	case err != nil:
		return "failed: " + err.Error()
	case !got.Complete:
		return got.Events[0].Title + ", incomplete"
	}
	return got.Events[0].Title
}

// all waits until all of the readers have a title.
func all(t *testing.T, want string, readers ...*polled.Reader) {
	t.Helper()
	for i, r := range readers {
		end, got := time.Now().Add(10*time.Second), ""
		for got != want && time.Now().Before(end) {
			time.Sleep(20 * time.Millisecond)
			got = titleOf(t, r)
		}
		if got != want {
			t.Errorf("reader %d has %q, want %q", i, got, want)
		}
	}
}

// TestOneAsks has three processes read a feed that one of them asks for.
func TestOneAsks(t *testing.T) {
	s, schema, key := serve(t, "first"), pgtest.Shared(t).Schema(t), []byte(strings.Repeat("k", 32))
	one, _ := reader(t, s, schema, key)
	two, _ := reader(t, s, schema, key)
	three, gone := reader(t, s, schema, key)
	all(t, "first", one, two, three)
	if n := s.whole.Load(); n != 1 {
		t.Errorf("the feed was fetched %d times, want once for all", n)
	}
	second := "second"
	s.title.Store(&second)
	all(t, "second", one, two, three)
	if n := s.whole.Load(); n != 2 {
		t.Errorf("a change was fetched %d times, want once for all", n-1)
	}
	began := s.asked.Load()
	for end := time.Now().Add(3 * refresh); time.Now().Before(end); time.Sleep(refresh / 20) {
		for _, r := range []*polled.Reader{one, two, three} {
			titleOf(t, r)
		}
	}
	if n := s.asked.Load() - began; n == 0 || n > 5 {
		t.Errorf("three processes asked %d times in three turns, want some three", n)
	}
	broken := ""
	s.title.Store(&broken)
	all(t, "second, incomplete", one, two, three)
	third := "third"
	s.title.Store(&third)
	all(t, "third", one, two, three)
	gone() // and asks by itself
	fourth := "fourth"
	s.title.Store(&fourth)
	all(t, "fourth", one, two, three)
}

// TestCopyOfTheDead reads the copy of a process that is gone while the feed is too.
func TestCopyOfTheDead(t *testing.T) {
	s, schema := serve(t, "kept"), pgtest.Shared(t).Schema(t)
	one, _ := reader(t, s, schema, nil)
	all(t, "kept", one)
	_ = one.Close()
	s.Close()
	two, _ := reader(t, s, schema, nil)
	all(t, "kept, incomplete", two)
}

// TestSealed looks for what a feed says in the table.
func TestSealed(t *testing.T) {
	s, schema := serve(t, "whisper"), pgtest.Shared(t).Schema(t)
	r, _ := reader(t, s, schema, []byte(strings.Repeat("k", 32)))
	all(t, "whisper", r)
	db, err := pgdb.Open(t.Context(), schema, pgdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var kept string
	err = db.QueryRowContext(t.Context(), `SELECT string_agg(f::text, '') ||
		string_agg(encode(copy, 'escape'), '') FROM annai_feeds f`).Scan(&kept)
	if err != nil || strings.Contains(kept, "whisper") || strings.Contains(kept, "secret") {
		t.Errorf("the table has %q, %v, want nothing readable", kept, err)
	}
	if _, err := pgcopies.Open(t.Context(), db, row.Options{Key: []byte("short")}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open with a short key = %v, want ErrInvalid", err)
	}
}
