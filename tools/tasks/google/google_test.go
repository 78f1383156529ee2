package google_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar/google/discovery"
	"annai/tools/tasks"
	"annai/tools/tasks/google"
	"annai/tools/tasks/taskstest"
)

func now() time.Time { return time.Date(2026, 3, 2, 1, 0, 0, 0, time.UTC) }

// tokens gives one token, and another for each that is refused.
type tokens struct{ err error }

func (k tokens) Token(_ context.Context, refused string) (string, error) {
	return refused + "secret", k.err
}

// open returns a list at the fake, through Google's own description of the interface.
func open(t *testing.T, f *fake, opts google.Options) *google.List {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	opts.Now, opts.BaseURL = now, server.URL
	opts.Client = &http.Client{Transport: discovery.CheckTasks(t, nil)}
	l, err := google.New(tokens{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestList(t *testing.T) {
	for _, size := range []int{100, 1} {
		t.Run(fmt.Sprint("pages of ", size), func(t *testing.T) {
			taskstest.Run(
				t,
				func(t *testing.T) tasks.List { return open(t, &fake{pageSize: size}, google.Options{}) },
			)
		})
	}
}

// What is sent of the day that a task is due is the date where its owner is, and what comes back of
// another program's task is its date too.
func TestDue(t *testing.T) {
	f := &fake{tasks: []*wire{{
		Kind: "tasks#task", ID: "theirs", Etag: `"1"`, Title: "theirs", Status: "needsAction",
		Updated: "2026-03-01T00:00:00.000Z", Due: "2026-03-05T00:00:00.000Z",
	}}}
	l := open(t, f, google.Options{})
	day := civil.Date{Year: 2026, Month: 3, Day: 6}
	if _, err := l.Create(t.Context(), "", tasks.Task{Title: "ours", Due: day}); err != nil {
		t.Fatal(err)
	}
	if got := f.tasks[1].Due; got != "2026-03-06T00:00:00.000Z" {
		t.Errorf("due that is sent = %s, want midnight UTC of the day", got)
	}
	all, err := l.Tasks(t.Context())
	if err != nil || len(all) != 2 || all[0].Due != day.AddDays(-1) || all[1].Due != day {
		t.Errorf("Tasks() = %+v, %v, want the 5th and the 6th", all, err)
	}
}

// A creation whose answer was lost is found by the next try.
func TestLostAnswer(t *testing.T) {
	f := &fake{}
	l := open(t, f, google.Options{})
	task := tasks.Task{Title: "tea", Due: civil.Date{Year: 2026, Month: 3, Day: 6}}
	if _, err := l.Tasks(t.Context()); err != nil {
		t.Fatal(err)
	}
	lossy := &losing{fake: f, method: http.MethodPost}
	l = at(t, lossy)
	if _, err := l.Create(t.Context(), "key", task); !errors.Is(err, fault.ErrUnavailable) {
		t.Fatalf("Create with a lost answer = %v, want ErrUnavailable", err)
	}
	made, err := l.Create(t.Context(), "key", task)
	if err != nil || len(f.tasks) != 1 || made.ID != f.tasks[0].ID {
		t.Errorf("Create again = %+v, %v, with %d tasks at Google, want the one", made, err, len(f.tasks))
	}
}

// losing does what is asked and loses the answer to the first request of a method.
type losing struct {
	*fake
	method string
	lost   bool
}

func (l *losing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == l.method && !l.lost {
		l.lost = true
		l.fake.mu.Lock()
		l.fake.fail = []int{0}
		l.fake.mu.Unlock()
	}
	l.fake.ServeHTTP(w, r)
}

func at(t *testing.T, handler http.Handler) *google.List {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	l, err := google.New(tokens{}, google.Options{Now: now, BaseURL: server.URL, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFailures(t *testing.T) {
	for status, want := range map[int]error{
		400: fault.ErrInvalid, 403: fault.ErrDenied, 404: fault.ErrNotFound, 429: fault.ErrUnavailable,
		503: fault.ErrUnavailable,
	} {
		l := open(t, &fake{fail: []int{status}}, google.Options{})
		_, err := l.Tasks(t.Context())
		var f *tasks.Failure
		if !errors.Is(err, want) || !errors.As(err, &f) || f.RetryAfter != 7*time.Second {
			t.Errorf("Tasks() answered with %d = %v, want %v, and to wait 7 seconds", status, err, want)
		}
		if strings.Contains(err.Error(), "お茶") || strings.Contains(err.Error(), "secret") {
			t.Errorf("error of %d = %v, which repeats what people wrote or a token", status, err)
		}
	}
	f := &fake{fail: []int{401}}
	if _, err := open(t, f, google.Options{}).Tasks(t.Context()); err != nil {
		t.Errorf("Tasks() with a token that is refused once = %v, want nil", err)
	}
	if f.tokens[0] == f.tokens[1] {
		t.Errorf("tokens = %v, want another after the refused one", f.tokens)
	}
	f = &fake{fail: []int{401, 401}}
	if _, err := open(t, f, google.Options{}).Tasks(t.Context()); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Tasks() with refused tokens = %v, want ErrDenied", err)
	}
}

func TestNoToken(t *testing.T) {
	for _, kind := range []error{fault.ErrDenied, fault.ErrUnavailable} {
		l, err := google.New(
			tokens{fmt.Errorf("secret: %w", kind)},
			google.Options{Now: now, BaseURL: "http://127.0.0.1:1"},
		)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Tasks(t.Context()); !errors.Is(err, kind) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Tasks() without a token = %v, want %v", err, kind)
		}
	}
}

// What is at Google's address may be anything.
func TestHostile(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"without end": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"items":[{"id":"`))
			for range 9 << 10 {
				if _, err := w.Write([]byte(strings.Repeat("a", 1<<10))); err != nil {
					return
				}
			}
		},
		"pages without end": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"items":[{"id":"a","title":"a","updated":"yesterday"}],"nextPageToken":"again"}`))
		},
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		},
		"nobody": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := at(t, handler).Tasks(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("Tasks() = %v, want ErrUnavailable", err)
			}
		})
	}
}

// The scope that is asked for is one that Google's description of the interface has for each
// method.
func TestScope(t *testing.T) {
	d, err := discovery.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"list", "insert", "get", "patch", "delete"} {
		m, ok := d.Method("tasks.tasks." + id)
		if !ok || !strings.Contains(strings.Join(m.Scopes, " ")+" ", google.Scope+" ") {
			t.Errorf("scopes of tasks.tasks.%s = %v, want %s among them", id, m.Scopes, google.Scope)
		}
	}
}
