package nodes

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/nodes/display"
	"annai/tools/calendar"
)

// TestRegular keeps the next time of what takes place again soon enough.
func TestRegular(t *testing.T) {
	day := func(n int, title string, status calendar.Status) display.Entry {
		start := time.Date(2025, 1, n, 19, 0, 0, 0, time.UTC)
		return display.Entry{Title: title, Start: start, End: start.Add(time.Hour), Status: status}
	}
	events := []display.Entry{
		day(1, "once", ""), day(2, "weekly", calendar.Cancelled), day(9, "weekly", ""), day(10, "monthly", ""), day(16, "weekly", ""),
		day(23, "weekly", ""), day(38, "monthly", ""), day(12, "twice on a day", ""), day(12, "twice on a day", ""),
	}
	for within, want := range map[int][]display.Entry{7: {events[2]}, 35: {events[2], events[3]}} {
		if diff := cmp.Diff(want, regular(events, within, time.UTC)); diff != "" {
			t.Errorf("regular(%d) (-want +got):\n%s", within, diff)
		}
	}
}

func TestAsSaid(t *testing.T) {
	for _, test := range []struct{ text, words, want string }{
		{"初心者でも参加できる勉強会はありますか？", "初心者 勉強会", "初心者でも参加できる勉強会"},
		{"Is there a React or Vue workshop?", "React Vue", "React or Vue"},
		{"勉強会、できればReactの", "React 勉強会", "React 勉強会"},
		{"Rustは？勉強会は？", "Rust 勉強会", "Rust 勉強会"},
		{"React", "React", "React"},
	} {
		if got := asSaid(test.text, test.words); got != test.want {
			t.Errorf("asSaid(%q, %q) = %q, want %q", test.text, test.words, got, test.want)
		}
	}
}
