package calendar_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// A shelf lends its events, until others are put there.
type shelf struct{ events []calendar.Event }

func (s *shelf) Events(ctx context.Context, w civil.TimeRange) (calendar.Listing, error) {
	l, err := s.Lend(ctx, w)
	l.Lent, l.Events = false, slices.Clone(l.Events)
	return l, err
}

func (s *shelf) Lend(_ context.Context, w civil.TimeRange) (calendar.Listing, error) {
	if s.events == nil {
		return calendar.Listing{}, fmt.Errorf("the shelf is gone: %w", fault.ErrUnavailable)
	}
	return calendar.Listing{Events: s.events, Lent: true, Window: w, Complete: true, AsOf: noon}, nil
}

// TestLend: what is lent is what Events returns, and the same memory until a source has something else.
func TestLend(t *testing.T) {
	full, private := event("1", "【満席】Yoga", 1), event("2", "Secret", 2)
	private.Visibility = calendar.Private
	one, two := &shelf{[]calendar.Event{full, private}}, &shelf{[]calendar.Event{event("3", "Talk with Ms A", 3)}}
	m := calendar.Merge([]calendar.Source{public("a", one), busy("b", two)})
	lend := func(what string, before []calendar.Event) []calendar.Event {
		t.Helper()
		lent, err := calendar.Lend(t.Context(), m, day)
		whole, wholeErr := m.Events(t.Context(), day)
		if err != nil || wholeErr != nil || !lent.Lent || whole.Lent {
			t.Fatalf("%s: Lend = %+v, %v; Events = %+v, %v", what, lent, err, whole, wholeErr)
		}
		lent.Lent = false
		same := cmp.Comparer(func(a, b error) bool { return a.Error() == b.Error() })
		if diff := cmp.Diff(whole, lent, same); diff != "" {
			t.Errorf("%s (-Events +Lend):\n%s", what, diff)
		}
		if got := calendar.SameMemory(lent.Events, before); got != (before != nil) {
			t.Errorf("%s: the memory is the same: %t", what, got)
		}
		whole.Events[0].Title = "changed by its owner"
		return lent.Events
	}
	first := lend("at first", nil)
	lend("again", first)
	if got := shown(first); !slices.Equal(got, []string{"a Yoga", "b"}) || first[0].Notice != calendar.Full {
		t.Errorf("lent are %q, %q, want what visitors may see", got, first[0].Notice)
	}
	if one.events[0].Title != "【満席】Yoga" {
		t.Errorf("the source has %q, want what it had", one.events[0].Title)
	}
	one.events = []calendar.Event{event("4", "Chess", 4)}
	second := lend("with another event", nil)
	lend("with another event again", second)
	two.events = nil
	lend("with a source that is gone", nil)
}

// TestLendOfWhatIsNotLent: a source that does not lend is read each time.
func TestLendOfWhatIsNotLent(t *testing.T) {
	kept := at(0, event("1", "Yoga", 1))
	lent := &shelf{[]calendar.Event{event("2", "Go", 2)}}
	m := calendar.Merge([]calendar.Source{public("a", lent), public("b", kept)})
	for range 2 {
		got, err := calendar.Lend(t.Context(), m, day)
		if err != nil || got.Lent || !slices.Equal(shown(got.Events), []string{"b Yoga", "a Go"}) {
			t.Errorf("Lend = %q, lent %t, %v", shown(got.Events), got.Lent, err)
		}
	}
}
