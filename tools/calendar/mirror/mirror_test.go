package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/mem"
	"annai/tools/calendar/mirror"
	"annai/tools/calendar/recur"
)

// A feed is a calendar that gives what a test put into it. Each call takes the next answer; without one, nothing has changed.
type feed struct {
	mu      sync.Mutex
	answers []func(ctx context.Context, token string) (mirror.Changes, error)
	tokens  []string // of the calls
}

func (f *feed) Changes(ctx context.Context, token string) (mirror.Changes, error) {
	f.mu.Lock()
	f.tokens = append(f.tokens, token)
	var next func(context.Context, string) (mirror.Changes, error)
	if len(f.answers) > 0 {
		next, f.answers = f.answers[0], f.answers[1:]
	}
	n := len(f.tokens)
	f.mu.Unlock()
	if next == nil {
		return mirror.Changes{Full: token == "", Next: fmt.Sprint(n)}, nil
	}
	changes, err := next(ctx, token)
	changes.Next = fmt.Sprint(n)
	return changes, err
}

func (f *feed) InstanceID(series string, original recur.Moment) string {
	return series + "@" + strings.TrimPrefix(recur.InstanceID(series, original), series+"/")
}

// calls returns the tokens of the calls so far.
func (f *feed) calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string{}, f.tokens...)
}

// then adds answers.
func (f *feed) then(answers ...func(context.Context, string) (mirror.Changes, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers = append(f.answers, answers...)
}

func gives(ch mirror.Changes) func(context.Context, string) (mirror.Changes, error) {
	return func(context.Context, string) (mirror.Changes, error) { return ch, nil }
}

func fails(err error) func(context.Context, string) (mirror.Changes, error) {
	return func(context.Context, string) (mirror.Changes, error) { return mirror.Changes{}, err }
}

var errDown = &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New("it is down")}

// noon of the day on which all is.
func noon(t testing.TB) time.Time {
	t.Helper()
	loc, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2026, 1, 15, 12, 0, 0, 0, loc)
}

func event(t testing.TB, id string, hours int) calendar.Event {
	t.Helper()
	start := noon(t).Add(time.Duration(hours) * time.Hour)
	return calendar.Event{
		ID: id, Title: "Event " + id, Start: start, End: start.Add(time.Hour), TimeZone: "Asia/Tokyo", Status: calendar.Confirmed,
		Visibility: calendar.Public, Source: "feed", CalendarID: "feed", ETag: id + "1",
	}
}

func open(t *testing.T, f mirror.Feed, opts mirror.Options) *mirror.Mirror {
	t.Helper()
	if opts.Now == nil {
		opts.Now = time.Now
	}
	opts.CalendarID = "feed"
	m, err := mirror.New(f, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func weeks(t testing.TB, n int) civil.TimeRange {
	t.Helper()
	day := civil.DateOf(noon(t))
	return civil.Days(day.AddDays(-1), day.AddDays(7*n), noon(t).Location())
}

func read(t *testing.T, m calendar.Reader) calendar.Listing {
	t.Helper()
	got, err := m.Events(t.Context(), weeks(t, 4))
	if err != nil {
		t.Fatalf("Events = %v, want a listing", err)
	}
	return got
}

func ids(events []calendar.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.ID)
	}
	return all
}

func wantIDs(t *testing.T, what string, m calendar.Reader, want ...string) calendar.Listing {
	t.Helper()
	got := read(t, m)
	if diff := cmp.Diff(want, ids(got.Events)); diff != "" {
		t.Errorf("%s: Events (-want +got):\n%s", what, diff)
	}
	return got
}

// pass lets the time of one sync go by.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

const interval = 70 * time.Second // a minute and the most that chance adds

func TestIncrementalSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0), event(t, "b", 1)}}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		first := wantIDs(t, "the first sync", m, "a", "b")
		if !first.Complete || !first.AsOf.Equal(time.Now()) {
			t.Errorf("Events = complete %v as of %s, want complete as of now", first.Complete, first.AsOf)
		}
		changed := event(t, "b", -1)
		changed.ETag = "b2"
		f.then(gives(mirror.Changes{Events: []calendar.Event{changed, event(t, "c", 2)}, Deleted: []string{"a", "nobody"}}))
		wantIDs(t, "before the next sync", m, "a", "b")
		pass(interval)
		wantIDs(t, "after it", m, "b", "c")
		if diff := cmp.Diff([]string{"", "1"}, f.calls()); diff != "" {
			t.Errorf("tokens that were asked with (-want +got):\n%s", diff)
		}
	})
}

// TestLend: what is lent is the same memory until a sync brings something else, and Events are a copy.
func TestLend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0), event(t, "b", 1)}}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		window := wantIDs(t, "the first sync", m, "a", "b").Window
		lend := func() []calendar.Event {
			lent, err := calendar.Lend(t.Context(), m, window)
			whole, wholeErr := m.Events(t.Context(), window)
			if err != nil || wholeErr != nil || !lent.Lent || whole.Lent {
				t.Fatalf("Lend = lent %t, %v; Events = lent %t, %v", lent.Lent, err, whole.Lent, wholeErr)
			}
			if diff := cmp.Diff(whole.Events, lent.Events); diff != "" {
				t.Errorf("Lend (-Events +Lend):\n%s", diff)
			}
			whole.Events[0].Title = "changed by its owner"
			return lent.Events
		}
		first := lend()
		pass(interval)
		if !calendar.SameMemory(first, lend()) {
			t.Error("after a sync that brings nothing the memory is another")
		}
		f.then(gives(mirror.Changes{Events: []calendar.Event{event(t, "c", 2)}, Deleted: []string{"a"}}))
		pass(interval)
		if calendar.SameMemory(first, lend()) {
			t.Error("after a sync that brings something the memory is the same")
		}
		wantIDs(t, "after it", m, "b", "c")
	})
}

// A thousand reads ask for nothing inside the interval.
func TestReadsAskForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0)}}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		for range 1000 {
			wantIDs(t, "a read", m, "a")
			time.Sleep(50 * time.Millisecond)
		}
		if n := len(f.calls()); n != 1 {
			t.Errorf("a thousand reads in 50 seconds = %d syncs, want the first", n)
		}
	})
}

func TestExpiredToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0), event(t, "b", 1)}}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		wantIDs(t, "the first sync", m, "a", "b")
		f.then(fails(fmt.Errorf("changes: %w", mirror.ErrExpired)), gives(mirror.Changes{Events: []calendar.Event{event(t, "b", 1)}}))
		pass(interval)
		got := wantIDs(t, "after the token expired", m, "b")
		if diff := cmp.Diff([]string{"", "1", ""}, f.calls()); diff != "" || !got.Complete {
			t.Errorf("complete %v, tokens that were asked with (-want +got):\n%s", got.Complete, diff)
		}
		f.then(fails(mirror.ErrExpired), fails(errDown))
		pass(interval)
		if got := wantIDs(t, "after the full sync failed", m, "b"); !got.Complete {
			t.Errorf("Events = not complete, want it complete: the copy is young")
		}
	})
}

// A calendar that can't be reached: the copy answers, says of when it is, and after a while that it is too old.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		f := &feed{}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0)}}))
		m := open(t, f, mirror.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		defer m.Close()
		synced := wantIDs(t, "before", m, "a").AsOf
		for range 20 {
			f.then(fails(errDown))
		}
		pass(9 * time.Minute)
		if asOf, err := m.Status(); !asOf.Equal(synced) || calendar.KindOf(err) != calendar.Unavailable {
			t.Errorf("Status after nine minutes = %s, %v, want the last sync and the failure", asOf, err)
		}
		got := wantIDs(t, "after nine minutes", m, "a")
		if !got.Complete || !got.AsOf.Equal(synced) {
			t.Errorf("Events after nine minutes = complete %v as of %s, want complete as of %s", got.Complete, got.AsOf, synced)
		}
		pass(2 * time.Minute)
		got = wantIDs(t, "after eleven minutes", m, "a")
		if got.Complete || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].Err.Error(), "down") || got.Problems[0].CalendarID != "feed" {
			t.Errorf("Events after eleven minutes = complete %v, %v, want not complete and why", got.Complete, got.Problems)
		}
		if n := len(f.calls()); n > 8 {
			t.Errorf("%d syncs in eleven minutes of failures, want them to become rarer", n)
		}
		f.mu.Lock()
		f.answers = nil
		f.mu.Unlock()
		pass(20 * time.Minute)
		if asOf, err := m.Status(); !asOf.After(synced) || err != nil {
			t.Errorf("Status after it is back = %s, %v, want a sync", asOf, err)
		}
		if got = read(t, m); !got.Complete || !got.AsOf.After(synced) {
			t.Errorf("Events after it is back = complete %v as of %s, want complete and later", got.Complete, got.AsOf)
		}
		if n := strings.Count(log.String(), "can't be synced"); n != 1 || strings.Count(log.String(), "synced again") != 1 {
			t.Errorf("the log says:\n%s\nwant once that it fails and once that it works again", log.String())
		}
	})
}

func TestNoCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		f.then(fails(&calendar.Failure{Kind: calendar.Auth, Err: errors.New("sign in")}), fails(errDown))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		if got, err := m.Events(t.Context(), weeks(t, 1)); !errors.Is(err, fault.ErrUnavailable) || calendar.KindOf(err) != calendar.Auth {
			t.Errorf("Events before any sync = %+v, %v, want ErrUnavailable, and that the owner has to sign in", got, err)
		}
		pass(10 * time.Minute)
		wantIDs(t, "after a sync", m)
	})
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		f.then(func(ctx context.Context, _ string) (mirror.Changes, error) {
			<-ctx.Done()
			return mirror.Changes{}, errDown
		})
		m := open(t, f, mirror.Options{})
		defer m.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		_, err := m.Events(ctx, weeks(t, 1))
		if !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 5*time.Second {
			t.Errorf("Events while the first sync hangs = %v after %s, want ErrUnavailable at the deadline", err, time.Since(began))
		}
	})
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		f := &feed{}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0)}}), func(ctx context.Context, _ string) (mirror.Changes, error) {
			<-ctx.Done()
			time.Sleep(time.Second)
			ended = true
			return mirror.Changes{}, errDown
		})
		m := open(t, f, mirror.Options{})
		pass(interval)
		if err := m.Close(); err != nil || !ended {
			t.Errorf("Close = %v, and the sync under way ended: %v, want it to wait", err, ended)
		}
		wantIDs(t, "after Close", m, "a")
		if err := m.Close(); err != nil {
			t.Errorf("Close again = %v, want nil", err)
		}
	})
}

// The pauses between syncs differ, so that many mirrors don't ask at the same time.
func TestJitter(t *testing.T) {
	for random, want := range map[float64]time.Duration{0: 54 * time.Second, 0.5: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			f := &feed{}
			m := open(t, f, mirror.Options{Random: func() float64 { return random }})
			defer m.Close()
			pass(want)
			if n := len(f.calls()); n != 1 {
				t.Errorf("with chance %g: %d syncs in %s, want the first", random, n, want)
			}
			pass(time.Second)
			if n := len(f.calls()); n != 2 {
				t.Errorf("with chance %g: %d syncs a second later, want two", random, n)
			}
		})
	}
}

func TestReadYourWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := mem.New("feed")
		f := &feed{}
		m := open(t, f, mirror.Options{})
		defer m.Close()
		synctest.Wait()
		w := m.Writer(source)
		made, err := w.Create(t.Context(), event(t, "", 0))
		if err != nil {
			t.Fatal(err)
		}
		wantIDs(t, "after Create", w, made.ID)
		title := "Changed"
		changed, err := w.Update(t.Context(), made.ID, calendar.Change{Title: &title}, made.ETag)
		if got := read(t, w).Events; err != nil || len(got) != 1 || got[0].Title != title || got[0].ETag != changed.ETag {
			t.Errorf("Events after Update (%v) = %+v, want the change", err, got)
		}
		theirs := "Theirs"
		if _, err := source.Update(t.Context(), made.ID, calendar.Change{Title: &theirs}, ""); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Get(t.Context(), made.ID); err != nil || got.Title != theirs || read(t, w).Events[0].Title != theirs {
			t.Errorf("Get = %+v, %v, want what the calendar has, and the copy to have learnt it: %+v", got, err, read(t, w).Events)
		}
		if err := source.Delete(t.Context(), made.ID, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Update(t.Context(), made.ID, calendar.Change{Title: &title}, ""); calendar.KindOf(err) != calendar.Gone {
			t.Errorf("Update of what others deleted = %v, want kind gone", err)
		}
		wantIDs(t, "after what others deleted was to be updated", w)
		if made, err = w.Create(t.Context(), event(t, "", 0)); err != nil {
			t.Fatal(err)
		}
		if err := w.Delete(t.Context(), made.ID, ""); err != nil {
			t.Fatal(err)
		}
		wantIDs(t, "after Delete", w)
		pass(2 * time.Second)
		calls := len(f.calls())
		if err := w.Delete(t.Context(), made.ID, ""); calendar.KindOf(err) != calendar.Gone {
			t.Errorf("Delete again = %v, want kind gone", err)
		}
		pass(2 * time.Second)
		if n := len(f.calls()); n != calls+1 {
			t.Errorf("%d syncs after a write that showed that the copy is behind, want one more than %d", n, calls)
		}
	})
}

// A sync that began before a write and ends after it does not undo it, nor does it undo what others wrote later.
func TestWriteDuringSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := mem.New("feed", event(t, "old", 1), event(t, "deleted", 2))
		hold := make(chan struct{})
		f := &feed{}
		theirs := event(t, "bothofus", 3)
		theirs.Title, theirs.Updated = "Theirs", noon(t).Add(time.Hour)
		f.then(func(context.Context, string) (mirror.Changes, error) {
			<-hold
			return mirror.Changes{Full: true, Events: []calendar.Event{event(t, "old", 1), event(t, "deleted", 2), theirs}}, nil
		})
		m := open(t, f, mirror.Options{})
		defer m.Close()
		synctest.Wait() // until the sync waits for its answer
		w := m.Writer(written{source, noon(t)})
		title := "Mine"
		_, created := w.Create(t.Context(), event(t, "second", 0))
		_, both := w.Create(t.Context(), event(t, "bothofus", 5))
		_, updated := w.Update(t.Context(), "old", calendar.Change{Title: &title}, "")
		deleted := w.Delete(t.Context(), "deleted", "")
		if err := errors.Join(created, both, updated, deleted); err != nil {
			t.Fatal(err)
		}
		close(hold)
		synctest.Wait()
		got := wantIDs(t, "after the sync", m, "second", "old", "bothofus").Events
		if got[1].Title != title || got[2].Title != "Theirs" {
			t.Errorf("Events after the sync = %+v, want what was written last", got)
		}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{event(t, "old", 1)}}))
		pass(interval)
		wantIDs(t, "after the next sync, of which the writes were before", m, "old")
	})
}

// written says of every event when it was written.
type written struct {
	*mem.Calendar
	at time.Time
}

func (w written) Update(ctx context.Context, id string, c calendar.Change, etag string) (calendar.Event, error) {
	e, err := w.Calendar.Update(ctx, id, c, etag)
	e.Updated = w.at
	return e, err
}

func weekly(t testing.TB, id string) calendar.Event {
	t.Helper()
	e := event(t, id, 0)
	e.Recurrence = []string{"RRULE:FREQ=WEEKLY;COUNT=3"}
	return e
}

func override(t testing.TB, series string, week int, e calendar.Event) mirror.Override {
	t.Helper()
	original := noon(t).AddDate(0, 0, 7*week)
	e.ID = series + "@" + original.UTC().Format("20060102T150405Z")
	e.SeriesID = series
	return mirror.Override{SeriesID: series, ID: e.ID, Original: original, Event: e}
}

func TestSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		moved := event(t, "", 25)
		moved.Title = "Moved"
		orphan := event(t, "", 3)
		f.then(gives(mirror.Changes{
			Full: true, Events: []calendar.Event{weekly(t, "s")},
			Overrides: []mirror.Override{
				override(t, "s", 1, calendar.Event{Status: calendar.Cancelled}), override(t, "s", 2, moved), override(t, "gone", 0, orphan),
			},
		}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		const first, second, third = "s@20260115T030000Z", "s@20260122T030000Z", "s@20260129T030000Z"
		got := wantIDs(t, "a series", m, first, "gone@20260115T030000Z", third).Events
		// The third was moved to the day after the first.
		if got[2].Title != "Moved" || got[2].SeriesID != "s" || !got[2].Start.Equal(moved.Start) || got[2].Recurrence != nil {
			t.Errorf("the instance that was moved = %+v", got[2])
		}
		if got[0].ETag == "" || got[2].ETag == got[0].ETag {
			t.Errorf("etags = %q and %q, want that of the series, and another where an instance is of its own", got[0].ETag, got[2].ETag)
		}
		f.then(gives(mirror.Changes{Overrides: []mirror.Override{override(t, "s", 1, event(t, "", 7*24))}, Deleted: []string{third}}))
		pass(interval)
		wantIDs(t, "one back and one as it was", m, first, "gone@20260115T030000Z", second, third)
		f.then(gives(mirror.Changes{Deleted: []string{"s"}}))
		pass(interval)
		wantIDs(t, "without the series", m, "gone@20260115T030000Z")
	})
}

func TestWhatCantBeUnderstood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		bad := weekly(t, "bad")
		bad.Recurrence = []string{"EXRULE:FREQ=DAILY"}
		f.then(gives(mirror.Changes{
			Full: true, Events: []calendar.Event{bad, event(t, "a", 0)}, Problems: map[string]error{"x": errors.New("x has no start")},
		}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		if got := wantIDs(t, "two that can't be understood", m, "a"); got.Complete || len(got.Problems) != 2 {
			t.Errorf("Events = complete %v, %v, want two problems", got.Complete, got.Problems)
		}
		f.then(gives(mirror.Changes{Events: []calendar.Event{weekly(t, "bad"), event(t, "x", 1)}}))
		pass(interval)
		if got := read(t, m); !got.Complete || len(got.Events) != 5 {
			t.Errorf("Events after they were mended = %v, complete %v, want all", ids(got.Events), got.Complete)
		}
	})
}

func TestWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		eve := civil.Date{Year: 2025, Month: 12, Day: 31}
		night := calendar.Event{ID: "night", Title: "Night", AllDay: true, FirstDay: eve, EndDay: eve.AddDays(2), Recurrence: []string{"RRULE:FREQ=YEARLY"}}
		forever := event(t, "daily", 0)
		forever.Recurrence = []string{"RRULE:FREQ=DAILY"}
		long := event(t, "long", -24*300)
		long.End = long.Start.Add(24 * 400 * time.Hour)
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{night, forever, long}}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		count := func(from, to civil.Date) map[string]int {
			got, err := m.Events(t.Context(), civil.Days(from, to, noon(t).Location()))
			if err != nil {
				t.Fatalf("Events(%s to %s) = %v", from, to, err)
			}
			if !got.Complete && len(got.Events) != 10_000 {
				t.Errorf("Events(%s to %s) is not complete: %v", from, to, got.Problems)
			}
			n := map[string]int{}
			for _, e := range got.Events {
				n[e.Title]++
			}
			return n
		}
		for _, test := range []struct {
			from, to civil.Date
			want     map[string]int
		}{
			{civil.Date{Year: 2026, Month: 12, Day: 31}, civil.Date{Year: 2027, Month: 1, Day: 2}, map[string]int{"Night": 1, "Event daily": 2}},
			{civil.Date{Year: 2026, Month: 1, Day: 1}, civil.Date{Year: 2026, Month: 1, Day: 2}, map[string]int{"Night": 1, "Event long": 1}},
			{civil.Date{Year: 2020, Month: 1, Day: 1}, civil.Date{Year: 2020, Month: 1, Day: 2}, map[string]int{}},
			{civil.Date{Year: 2026, Month: 1, Day: 15}, civil.Date{Year: 2036, Month: 1, Day: 15}, map[string]int{"Night": 10, "Event daily": 3652, "Event long": 1}},
		} {
			if diff := cmp.Diff(test.want, count(test.from, test.to)); diff != "" {
				t.Errorf("Events(%s to %s) (-want +got):\n%s", test.from, test.to, diff)
			}
		}
		all := 0
		for _, n := range count(civil.Date{Year: 1, Month: 1, Day: 1}, civil.Date{Year: 9999, Month: 1, Day: 1}) {
			all += n
		}
		if all != 10_000 {
			t.Errorf("Events(all of time) = %d events, want the most there may be", all)
		}
	})
}

// A day is found in the last and the first moment of it, wherever that is.
func TestDaysFarAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		day := civil.DateOf(noon(t))
		f := &feed{}
		f.then(gives(mirror.Changes{Full: true, Events: []calendar.Event{{ID: "day", Title: "Day", AllDay: true, FirstDay: day, EndDay: day.AddDays(1)}}}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		for _, offset := range []int{-11, 0, 14} {
			whole := civil.Days(day, day.AddDays(1), time.FixedZone("", offset*3600))
			for at, want := range map[time.Time]int{
				whole.Start.Add(-time.Minute): 0, whole.Start: 1, whole.End.Add(-time.Minute): 1, whole.End: 0,
			} {
				got, err := m.Events(t.Context(), civil.TimeRange{Start: at, End: at.Add(time.Minute)})
				if err != nil || len(got.Events) != want {
					t.Errorf("Events(the minute from %s) = %v, %v, want %d", at, ids(got.Events), err, want)
				}
			}
		}
	})
}

// A feed that does not reach everywhere: outside of it nothing is known, rather than nothing there.
func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		within := civil.TimeRange{Start: noon(t).AddDate(0, 0, -10), End: noon(t).AddDate(0, 0, 40)}
		f.then(gives(mirror.Changes{Full: true, Within: within, Events: []calendar.Event{event(t, "a", 0)}}))
		m := open(t, f, mirror.Options{})
		defer m.Close()
		if got := wantIDs(t, "inside", m, "a"); !got.Complete {
			t.Errorf("Events inside = not complete: %v", got.Problems)
		}
		for _, window := range []civil.TimeRange{
			{Start: within.Start.Add(-time.Second), End: within.End},
			{Start: within.Start, End: within.End.Add(time.Second)},
			{Start: within.End.AddDate(1, 0, 0), End: within.End.AddDate(1, 0, 1)},
		} {
			if got, err := m.Events(t.Context(), window); err != nil || got.Complete || len(got.Problems) != 1 {
				t.Errorf("Events(%v) = complete %v, %v, %v, want not complete", window, got.Complete, got.Problems, err)
			}
		}
	})
}

func TestOptions(t *testing.T) {
	for name, opts := range map[string]mirror.Options{"no clock": {}, "short key": {Now: time.Now, Key: []byte("short")}} {
		if _, err := mirror.New(&feed{}, opts); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("New(%s) = %v, want ErrInvalid", name, err)
		}
	}
}

// However long nobody was signed in, it is noticed soon that somebody is.
func TestConnectedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		var connected atomic.Bool
		for range 1000 {
			f.then(func(context.Context, string) (mirror.Changes, error) {
				if !connected.Load() {
					return mirror.Changes{}, &calendar.Failure{Kind: calendar.Auth, Err: errors.New("sign in")}
				}
				return mirror.Changes{Full: true, Events: []calendar.Event{event(t, "a", 0)}}, nil
			})
		}
		m := open(t, f, mirror.Options{})
		defer m.Close()
		pass(time.Hour)
		connected.Store(true)
		pass(17 * time.Second)
		wantIDs(t, "seventeen seconds after somebody signed in", m, "a")
	})
}
