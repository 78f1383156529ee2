package emulator

import (
	"slices"
	"strings"
	"testing"
)

func TestDemo(t *testing.T) {
	a := open(t, Options{})
	if err := a.e.Demo(); err != nil {
		t.Fatal(err)
	}
	lines, _ := a.list("singleEvents=true&orderBy=startTime&timeMin=2026-01-09T15:00:00Z&timeMax=2026-01-17T15:00:00Z")
	var days []string
	for _, l := range lines {
		_, start, _ := strings.Cut(l, " ")
		days = append(days, start)
	}
	want := []string{ // 10 January 2026 is a Saturday
		"2026-01-10T15:00:00+09:00", "2026-01-11T12:00:00+09:00", "2026-01-12T10:00:00+09:00", "2026-01-13T10:00:00+09:00", "2026-01-13T17:00:00+09:00",
		"2026-01-14T10:00:00+09:00", "2026-01-15", "2026-01-15T10:00:00+09:00", "2026-01-16T10:00:00+09:00",
	}
	if !slices.Equal(days, want) {
		t.Errorf("the week of the demo = %v, want %v", days, want)
	}
	if got := len(a.must("GET users/me/calendarList", "").items()); got != 3 {
		t.Errorf("the demo has %d calendars, want 3", got)
	}
	if got := a.must("GET calendars/"+demoBoss+"/events", "").items(); len(got) != 1 || got[0]["summary"] != nil {
		t.Errorf("the director's calendar = %v, want one event without a title", got)
	}
}
