package ics

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/tools/tasks"
)

// What is written is read again as it was, and is ticked off and opened again.
func TestTodo(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	stamp := Stamp{Now: now.Add(time.Hour)}
	want := tasks.Task{
		ID: "one", Title: "買い物; 茶, " + strings.Repeat("長い", 60), Notes: "a\\b\nc",
		Due: civil.Date{Year: 2026, Month: 3, Day: 6}, Completed: now, Updated: now,
	}
	text := WriteTasks([]tasks.Task{want}, stamp)
	for line := range strings.SplitSeq(string(text), "\r\n") {
		if len(line) > maxOctets {
			t.Errorf("line of %d octets: %s", len(line), line)
		}
	}
	got, err := ReadTodo(text, time.UTC)
	if err != nil {
		t.Fatalf("ReadTodo = %v of\n%s", err, text)
	}
	if diff := cmp.Diff(want, got.Task); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	for _, at := range []time.Time{{}, now.Add(time.Minute)} {
		got, err = ReadTodo(got.Tick(at, stamp), time.UTC)
		want.Completed, want.Updated = at, stamp.Now
		if diff := cmp.Diff(want, got.Task); err != nil || diff != "" {
			t.Errorf("ticked at %v = %v (-want +got):\n%s", at, err, diff)
		}
	}
}

// Days of tasks that others wrote are the owner's.
func TestTodoDue(t *testing.T) {
	tokyo := time.FixedZone("Tokyo", 9*3600)
	for due, want := range map[string]string{
		"DUE;VALUE=DATE:20260306":                   "2026-03-06",
		"DUE:20260306T160000Z":                      "2026-03-07",
		"DUE;TZID=America/New_York:20260306T12":     "",
		"DUE:20260306T090000":                       "2026-03-06",
		"DUE;TZID=America/New_York:20260306T120000": "2026-03-07",
		"SUMMARY:no day":                            "none",
	} {
		got, err := ReadTodo([]byte("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\n"+due+"\nEND:VTODO\nEND:VCALENDAR\n"), tokyo)
		if want == "none" && err == nil && got.Task.Due.IsZero() {
			continue
		}
		if (err != nil) != (want == "") || err == nil && got.Task.Due.String() != want {
			t.Errorf("ReadTodo(%s) = %+v, %v, want due %q", due, got, err, want)
		}
	}
}

func FuzzReadTodo(f *testing.F) {
	f.Add([]byte("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\nDUE;TZID=x:20260306T120000\nRRULE:FREQ=DAILY\nBEGIN:VALARM\n" +
		"END:VALARM\nEND:VTODO\nBEGIN:VTODO\nUID:u\nRECURRENCE-ID:20260306\nEND:VTODO\nEND:VCALENDAR\n"))
	f.Add(WriteTasks([]tasks.Task{{ID: "a", Title: "b"}}, Stamp{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		todo, err := ReadTodo(data, time.UTC)
		if err != nil {
			return
		}
		again, err := ReadTodo(todo.Tick(time.Unix(1, 0), Stamp{Now: time.Unix(2, 0)}), time.UTC)
		if err != nil || !again.Task.Done() && !again.Cancelled || again.Task.ID != todo.Task.ID {
			t.Errorf("ticked off = %+v, %v, of %+v", again, err, todo)
		}
	})
}
