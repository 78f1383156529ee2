package local_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"annai/storage/postgres/pgtest"
	"annai/tools/calendar"
	"annai/tools/calendar/local"
)

// TestLend has two processes write by turns: what is lent is what a read returns, at once, and the same memory while
// nobody writes. A calendar in memory is read each time.
func TestLend(t *testing.T) {
	path, address := filepath.Join(t.TempDir(), "calendar.db"), pgtest.Shared(t).Schema(t)
	inMemory := open(t, "")
	for name, both := range map[string][2]*local.Calendar{
		"a file": {open(t, path), open(t, path)},
		"PostgreSQL": {
			openShared(t, connect(t, address), local.Options{CalendarID: "test"}),
			openShared(t, connect(t, address), local.Options{CalendarID: "test"}),
		},
		"memory": {inMemory, inMemory},
	} {
		t.Run(name, func(t *testing.T) { lends(t, both, name != "memory") })
	}
}

func lends(t *testing.T, both [2]*local.Calendar, lent bool) {
	t.Helper()
	last := map[*local.Calendar][]calendar.Event{}
	look := func(did string) {
		t.Helper()
		for _, c := range both {
			got, err := c.Lend(t.Context(), day())
			if err != nil {
				t.Fatalf("Lend after %s = %v", did, err)
			}
			again, _ := c.Lend(t.Context(), day())
			whole, err := c.Events(t.Context(), day())
			if err != nil || whole.Lent || got.Lent != lent {
				t.Errorf("after %s: Events = lent %v, %v; Lend = lent %v, want %v",
					did, whole.Lent, err, got.Lent, lent)
			}
			if diff := cmp.Diff(whole, got, cmpopts.IgnoreFields(calendar.Listing{}, "Lent")); diff != "" {
				t.Errorf("after %s (-Events +Lend):\n%s", did, diff)
			}
			if len(got.Events) > 0 && calendar.SameMemory(got.Events, again.Events) != lent {
				t.Errorf("after %s: the same is read again: %v, want %v", did, lent, !lent)
			}
			if calendar.SameMemory(last[c], got.Events) && len(got.Events) > 0 {
				t.Errorf("after %s what was before is lent", did)
			}
			last[c] = got.Events
		}
	}
	look("nothing")
	made, err := both[0].Create(t.Context(), calendar.Event{Title: "First", Start: clock(), TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	look("a creation")
	title := "Second"
	if made, err = both[1].Update(t.Context(), made.ID, calendar.Change{Title: &title}, made.ETag); err != nil {
		t.Fatal(err)
	}
	look("a change elsewhere")
	if _, err := both[0].Create(t.Context(), numbered(1)); err != nil {
		t.Fatal(err)
	}
	look("another creation")
	if err := both[1].Delete(t.Context(), made.ID, made.ETag); err != nil {
		t.Fatal(err)
	}
	look("a deletion elsewhere")
}

// TestLendWhileOthersWrite reads from many goroutines, of which some give up, while events are made: who
// sees that one was made sees it in what is lent.
func TestLendWhileOthersWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	c, other := open(t, path), open(t, path)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				ctx, cancel := context.WithCancel(t.Context())
				go cancel()
				_, _ = c.Lend(ctx, day()) // it may be given up
			}
		})
	}
	for n := range 20 {
		if _, err := other.Create(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Lend(t.Context(), day()); err != nil || len(got.Events) != n+1 {
			t.Errorf("Lend after %d creations = %d events, %v", n+1, len(got.Events), err)
		}
	}
	all.Wait()
}
