package caldav_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar/caldav"
	"annai/tools/tasks"
	"annai/tools/tasks/taskstest"
)

func TestTasks(t *testing.T) {
	server, n := radicale(t), 0
	taskstest.Run(t, func(t *testing.T) tasks.List {
		n++
		name := fmt.Sprint("tasks", n)
		makeCalendar(t, server, name)
		return account(t, server, caldav.Options{}).Tasks(name)
	})
	t.Run("theirs", func(t *testing.T) { tasksOfOthers(t, server) })
	t.Run("lost answers", func(t *testing.T) { lostTasks(t, server) })
}

// theirs is a task as another program writes it.
const theirs = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//else//EN
BEGIN:VTODO
UID:theirs
DTSTAMP:20260301T000000Z
SUMMARY:Bring\, or buy\; tea
DUE;TZID=Asia/Tokyo:20260307T003000
X-THEIR-OWN;P=1:kept as it is
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:x
TRIGGER:-PT1H
END:VALARM
END:VTODO
END:VCALENDAR
`

// tasksOfOthers keeps what another program wrote beside what is ticked off.
func tasksOfOthers(t *testing.T, server string) {
	makeCalendar(t, server, "theirs")
	ask := func(method, name, text string) string {
		t.Helper()
		at := server + "/hanako/theirs/" + name
		r, err := http.NewRequestWithContext(t.Context(), method, at, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth("hanako", "a-password")
		r.Header.Set("Content-Type", "text/calendar")
		w, err := http.DefaultClient.Do(r)
		if err != nil || w.StatusCode >= 300 {
			t.Fatalf("%s = %v, %v", method, w, err)
		}
		defer func() { _ = w.Body.Close() }()
		return readAll(t, w)
	}
	ask(http.MethodPut, "a.ics", theirs)
	with := func(uid, lines string) string {
		return strings.NewReplacer("UID:theirs", "UID:"+uid, "SUMMARY:", lines+"SUMMARY:Other ").Replace(theirs)
	}
	ask(http.MethodPut, "b.ics", with("cancelled", "STATUS:CANCELLED\n"))
	ask(http.MethodPut, "c.ics", with("weekly", "RRULE:FREQ=WEEKLY\nDTSTART;TZID=Asia/Tokyo:20260306T003000\n"))
	l := account(t, server, caldav.Options{}).Tasks("theirs")
	all, err := l.Tasks(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("Tasks = %+v, %v, want the two that are to be done", all, err)
	}
	day := civil.Date{Year: 2026, Month: 3, Day: 6} // in UTC
	if got := all[0]; got.Title != "Bring, or buy; tea" || got.Due != day || got.Done() {
		t.Errorf("Tasks = %+v, want it due on %v", got, day)
	}
	if got, err := l.Complete(t.Context(), "theirs", true); err != nil || !got.Done() {
		t.Errorf("Complete = %+v, %v, want it done", got, err)
	}
	text := ask(http.MethodGet, "a.ics", "")
	for _, want := range []string{"X-THEIR-OWN;P=1:kept as it is", "TRIGGER:-PT1H", "STATUS:COMPLETED"} {
		if !strings.Contains(text, want) {
			t.Errorf("the object is\n%s\nwant %s in it", text, want)
		}
	}
	if _, err := l.Complete(t.Context(), "weekly", true); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Complete of one that recurs = %v, want ErrDenied", err)
	}
	if _, err := l.Create(t.Context(), "theirs", tasks.Task{Title: "other"}); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Create under a key that is taken = %v, want ErrConflict", err)
	}
}

// lostTasks are written once, though no answer to a write comes.
func lostTasks(t *testing.T, server string) {
	makeCalendar(t, server, "lost")
	with := func(method string) tasks.List {
		client := &http.Client{Transport: &lossy{http.DefaultTransport, method}}
		return account(t, server, caldav.Options{Client: client}).Tasks("lost")
	}
	puts := with(http.MethodPut)
	if got, err := puts.Create(t.Context(), "one", tasks.Task{Title: "tea"}); err != nil || got.ID != "one" {
		t.Errorf("Create = %+v, %v, want it", got, err)
	}
	if got, err := puts.Complete(t.Context(), "one", true); err != nil || !got.Done() {
		t.Errorf("Complete = %+v, %v, want it done", got, err)
	}
	l := with(http.MethodDelete)
	if err := l.Delete(t.Context(), "one"); err != nil {
		t.Errorf("Delete = %v, want nil", err)
	}
	if _, err := l.Create(t.Context(), "one", tasks.Task{Title: "tea"}); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Create under the key of what was deleted = %v, want ErrConflict", err)
	}
}

// A server that is away, refuses the password or has no calendar is said so.
func TestTasksElsewhere(t *testing.T) {
	l := account(t, "http://127.0.0.1:1/", caldav.Options{}).Tasks("")
	if _, err := l.Tasks(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Tasks of a server that is away = %v, want ErrUnavailable", err)
	}
	server := radicale(t)
	l = account(t, server, caldav.Options{User: "hanako", Password: "wrong"}).Tasks("")
	if _, err := l.Tasks(t.Context()); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Tasks with a wrong password = %v, want ErrDenied", err)
	}
	l = account(t, server, caldav.Options{}).Tasks("nowhere")
	if _, err := l.Tasks(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Tasks of no calendar = %v, want ErrUnavailable", err)
	}
}
