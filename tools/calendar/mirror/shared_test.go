package mirror_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
	"annai/tools/calendar"
	"annai/tools/calendar/mem"
	"annai/tools/calendar/mirror"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// connect returns connections as a process of its own has them.
func connect(t *testing.T, address string) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{Connections: 4})
	if err != nil {
		t.Fatalf("Open(%s) = %v", address, err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// share returns a mirror that shares its copy, in a process of its own.
func share(t *testing.T, address string, f mirror.Feed, opts mirror.Options) *mirror.Mirror {
	t.Helper()
	opts.Shared = connect(t, address)
	m := open(t, f, opts)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// within wants something to be so before long.
func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%s: not so after %s", what, limit)
			return
		}
	}
}

// TestSharedSync has one of three sync, and all read it.
func TestSharedSync(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	f := &feed{}
	one, two := event(t, "a", 0), event(t, "b", 3)
	f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{one, two}}))
	var all []*mirror.Mirror
	for range 3 {
		all = append(all, share(t, address, f, mirror.Options{Origin: "google"}))
	}
	for _, m := range all {
		if got := wantIDs(t, "first sync", m, "a", "b"); !got.Complete {
			t.Errorf("Problems = %v, want none", got.Problems)
		}
	}
	if calls := f.calls(); len(calls) != 1 {
		t.Errorf("three asked the calendar %d times, want once", len(calls))
	}
	other := share(t, address, &feed{}, mirror.Options{Origin: "another"})
	wantIDs(t, "another origin", other)
}

// TestSharedWrites writes at one and reads at the other, at once.
func TestSharedWrites(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	source := mem.New("feed")
	f := &feed{}
	a, b := share(t, address, f, mirror.Options{}), share(t, address, f, mirror.Options{})
	wantIDs(t, "empty", a)
	made, err := b.Writer(source).Create(t.Context(), event(t, "", 0))
	if err != nil {
		t.Fatal(err)
	}
	if got := wantIDs(t, "after Create elsewhere", a, made.ID); !got.Complete {
		t.Errorf("Problems = %v, want none", got.Problems)
	}
	title := "Changed"
	if _, err = a.Writer(source).Update(t.Context(), made.ID, calendar.Change{Title: &title}, made.ETag); err != nil {
		t.Fatal(err)
	}
	if got := read(t, b).Events; len(got) != 1 || got[0].Title != title {
		t.Errorf("Events after Update elsewhere = %+v, want the change", got)
	}
	// A sync that has nothing of it leaves what was written.
	within(t, 10*time.Second, "a sync after the writes", func() bool {
		return len(f.calls()) >= 2 && rows(t, address) == 0
	})
	wantIDs(t, "after a sync", a, made.ID)
	if err := b.Writer(source).Delete(t.Context(), made.ID, ""); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, "after Delete elsewhere", a)
	later := share(t, address, f, mirror.Options{})
	wantIDs(t, "who comes later", later)
}

// rows counts the writes that no sync has seen.
func rows(t *testing.T, address string) (n int) {
	t.Helper()
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM annai_mirror_writes").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// slow is a calendar whose writes take until they are let go.
type slow struct {
	*mem.Calendar

	begun, free chan struct{}
}

func (s slow) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	made, err := s.Calendar.Create(ctx, e)
	close(s.begun)
	<-s.free
	return made, err
}

// TestSharedWriteUnderWay reads while another writes and does not come back.
func TestSharedWriteUnderWay(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	s := slow{mem.New("feed"), make(chan struct{}), make(chan struct{})}
	a, b := share(t, address, &feed{}, mirror.Options{}), share(t, address, &feed{}, mirror.Options{})
	if got := wantIDs(t, "before", a); !got.Complete {
		t.Errorf("Problems = %v, want none", got.Problems)
	}
	done := make(chan error)
	go func() {
		_, err := b.Writer(s).Create(context.WithoutCancel(t.Context()), event(t, "", 0))
		done <- err
	}()
	<-s.begun
	within(t, 5*time.Second, "a listing that is not complete", func() bool { return !read(t, a).Complete })
	close(s.free)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := read(t, a); !got.Complete || len(got.Events) != 1 {
		t.Errorf("Events after the write = %+v, want it, and complete", got)
	}
}

// TestSharedWriteDuringSync writes while another syncs: what it brings is older.
func TestSharedWriteDuringSync(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	f := &feed{}
	begun, free := make(chan struct{}), make(chan struct{})
	f.then(gives(mirror.Changes{Full: true}), func(context.Context, string) (mirror.Changes, error) {
		close(begun)
		<-free
		return mirror.Changes{Full: true}, nil
	})
	a, b := share(t, address, f, mirror.Options{}), share(t, address, f, mirror.Options{})
	wantIDs(t, "empty", a)
	source := mem.New("feed")
	first, err := b.Writer(source).Create(t.Context(), event(t, "", 0)) // asks for a sync
	if err != nil {
		t.Fatal(err)
	}
	<-begun
	second, err := b.Writer(source).Create(t.Context(), event(t, "", 2))
	if err != nil {
		t.Fatal(err)
	}
	wantIDs(t, "during the sync", a, first.ID, second.ID)
	f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{second}}))
	close(free)
	within(t, 10*time.Second, "the copy after the sync", func() bool {
		got := read(t, a).Events
		return len(got) == 1 && got[0].ID == second.ID
	})
}

// TestSharedFailures has one fail to sync: the other knows why, and does not try at once.
func TestSharedFailures(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	f := &feed{}
	auth := &calendar.Failure{Kind: calendar.Auth, Err: errors.New("signed out")}
	f.then(fails(auth), fails(auth))
	a := share(t, address, f, mirror.Options{})
	if _, err := a.Events(t.Context(), weeks(t, 1)); calendar.KindOf(err) != calendar.Auth {
		t.Errorf("Events = %v, want kind auth", err)
	}
	b := share(t, address, f, mirror.Options{})
	if _, err := b.Events(t.Context(), weeks(t, 1)); calendar.KindOf(err) != calendar.Auth {
		t.Errorf("Events elsewhere = %v, want kind auth", err)
	}
	if n := len(f.calls()); n != 1 {
		t.Errorf("two asked the calendar %d times, want once", n)
	}
}

// TestSharedTakeover closes who synced: the other goes on.
func TestSharedTakeover(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	one, two := &feed{}, &feed{}
	a := share(t, address, one, mirror.Options{Interval: 100 * time.Millisecond})
	wantIDs(t, "first", a)
	b := share(t, address, two, mirror.Options{Interval: 100 * time.Millisecond})
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	two.then(gives(mirror.Changes{Events: []calendar.Event{event(t, "a", 0)}}))
	within(t, 10*time.Second, "a sync by the other", func() bool { return len(read(t, b).Events) == 1 })
	if calls := two.calls(); len(calls) == 0 || calls[0] == "" {
		t.Errorf("the other went on from %q, want the token of the first", calls)
	}
}

// TestSharedServerDies kills the server: the events are told, and that others may have written.
func TestSharedServerDies(t *testing.T) {
	server := pgtest.Shared(t)
	address := server.Schema(t)
	f := &feed{}
	f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0)}}))
	m := share(t, address, f, mirror.Options{Log: slog.New(slog.DiscardHandler)})
	wantIDs(t, "before", m, "a")
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	got := wantIDs(t, "without a server", m, "a")
	if got.Complete || !errors.Is(got.Problems[0].Err, fault.ErrUnavailable) {
		t.Errorf("Events without a server = %+v, want a problem", got)
	}
	source := mem.New("feed")
	if _, err := m.Writer(source).Create(t.Context(), event(t, "", 5)); calendar.KindOf(err) != calendar.Unavailable {
		t.Errorf("Create without a server = %v, want kind unavailable", err)
	}
	if got, err := source.Events(t.Context(), weeks(t, 4)); err != nil || len(got.Events) != 0 {
		t.Errorf("the calendar has %+v, %v, want nothing written that others can't know of", got.Events, err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	within(t, 10*time.Second, "complete once the server is back", func() bool { return read(t, m).Complete })
}

// TestSharedServerHangs has a server that is there and does not answer: a read does not wait for long.
func TestSharedServerHangs(t *testing.T) {
	server := pgtest.Shared(t)
	line, address := server.Line(t, server.Schema(t))
	f := &feed{}
	f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0)}}))
	m := share(t, address, f, mirror.Options{Patience: 200 * time.Millisecond})
	wantIDs(t, "before", m, "a")
	line.Hold()
	defer line.Release()
	began := time.Now()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := wantIDs(t, "while the server hangs", m, "a"); got.Complete {
				t.Error("Events while the server hangs are complete, want a problem")
			}
		})
	}
	all.Wait()
	if took := time.Since(began); took > 3*time.Second { // two looks, each of 200 ms, and a slow machine
		t.Errorf("eight reads took %s, want them to share a look", took)
	}
}

// TestSharedReadOnly kills the server: what nobody writes is known as long as the copy is fresh.
func TestSharedReadOnly(t *testing.T) {
	server := pgtest.Shared(t)
	f := &feed{}
	f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0)}}))
	m := share(t, server.Schema(t), f, mirror.Options{ReadOnly: true, Interval: 100 * time.Millisecond})
	wantIDs(t, "before", m, "a")
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if got := wantIDs(t, "without a server", m, "a"); !got.Complete {
		t.Errorf("Problems = %v, want none", got.Problems)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.then(gives(mirror.Changes{Deleted: []string{"a"}}))
	within(t, 10*time.Second, "a sync once the server is back", func() bool { return len(read(t, m).Events) == 0 })
}

// TestSharedClean opens a copy beside one that nobody has synced for long.
func TestSharedClean(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	db := connect(t, address)
	count := func() (n int) {
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM annai_mirrors").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	old := share(t, address, &feed{}, mirror.Options{Origin: "old"})
	wantIDs(t, "first", old)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	share(t, address, &feed{}, mirror.Options{Origin: "new"})
	if n := count(); n != 2 {
		t.Errorf("%d copies, want both", n)
	}
	const ages = "UPDATE annai_mirrors SET began = now() - interval '31 days' WHERE origin = 'old'"
	if _, err := db.ExecContext(t.Context(), ages); err != nil {
		t.Fatal(err)
	}
	share(t, address, &feed{}, mirror.Options{Origin: "newer"})
	if n := count(); n != 2 {
		t.Errorf("%d copies a month later, want the two that are read", n)
	}
}

// TestSharedIsSealed looks for words in the rows.
func TestSharedIsSealed(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	f := &feed{}
	secret := event(t, "a", 0)
	secret.Title = "Dentist"
	f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{secret}}))
	key := bytes.Repeat([]byte{7}, 32)
	m := share(t, address, f, mirror.Options{Key: key})
	wantIDs(t, "first", m, "a")
	if _, err := m.Writer(mem.New("feed")).Create(t.Context(), event(t, "", 2)); err != nil {
		t.Fatal(err)
	}
	var text string
	err := connect(t, address).QueryRowContext(t.Context(), `SELECT string_agg(encode(b, 'escape'), ' ') FROM
		(SELECT state FROM annai_mirrors UNION ALL SELECT event FROM annai_mirror_writes) all_of_it(b)`).Scan(&text)
	if err != nil || text == "" || strings.Contains(text, "Dentist") || strings.Contains(text, "Event") {
		t.Errorf("the rows have %q, %v, want them encrypted", text, err)
	}
	other := share(t, address, f, mirror.Options{Key: bytes.Repeat([]byte{8}, 32)})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got, err := other.Events(ctx, weeks(t, 4)); err == nil {
		t.Errorf("Events with another key = %+v, want an error", got)
	}
}
