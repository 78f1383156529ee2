package local_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"annai/storage/postgres/pgtest"
	"annai/tools/calendar"
	"annai/tools/calendar/local"
)

// childFile names the file for a test process that is a child: it does not run tests but writes until it is killed.
const childFile = "ANNAI_LOCAL_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		if err := live(path, os.Getenv("ANNAI_LOCAL_LIFE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(pgtest.Main(m))
}

// live creates one event after another, updates each second one and deletes each third. It says a line for each that was answered.
func live(path, life string) error {
	ctx := context.Background()
	c, err := local.Open(ctx, path, local.Options{CalendarID: "test", Now: clock})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	say := func(what, id string) error {
		fmt.Fprintln(out, what, id)
		return out.Flush()
	}
	for i := 0; ; i++ {
		e := calendar.Event{ID: fmt.Sprintf("life%se%d", life, i), Title: "Created", Start: clock(), TimeZone: "UTC"}
		if i%5 == 0 {
			e.Recurrence = []string{"RRULE:FREQ=DAILY;COUNT=3"}
		}
		if _, err := c.Create(ctx, e); err != nil {
			return err
		}
		if err := say("created", e.ID); err != nil {
			return err
		}
		title := "Updated"
		if i%2 == 0 {
			if _, err := c.Update(ctx, e.ID, calendar.Change{Title: &title}, ""); err != nil {
				return err
			}
			if err := say("updated", e.ID); err != nil {
				return err
			}
		}
		if i%3 == 0 {
			if err := c.Delete(ctx, e.ID, ""); err != nil {
				return err
			}
			if err := say("deleted", e.ID); err != nil {
				return err
			}
		}
	}
}

// Whatever was answered is there after the process was killed, and nothing is there that nobody wrote.
func TestKills(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calendar.db")
	said := map[string]string{} // the last that a child said of an id
	written := 0
	for life := range 20 {
		for _, line := range oneLife(t, path, life) {
			what, id, _ := strings.Cut(line, " ")
			said[id] = what
			written++
		}
	}
	if written < 100 {
		t.Errorf("20 children wrote %d times, want enough to be a test", written)
	}
	c := open(t, path)
	for id, what := range said {
		got, err := c.Get(t.Context(), id)
		if !allowed(what, got, err) {
			t.Errorf("Get(%s) = %q, %v, after a child said that it was %s", id, got.Title, err, what)
		}
	}
}

// allowed reports whether an event is as it was said last, or as the write has left it that came next and was not answered any more.
func allowed(said string, got calendar.Event, err error) bool {
	isGone := err != nil && calendar.KindOf(err) == calendar.Gone
	switch said {
	case "created":
		return isGone || err == nil && (got.Title == "Created" || got.Title == "Updated")
	case "updated":
		return isGone || err == nil && got.Title == "Updated"
	default:
		return isGone
	}
}

// oneLife runs a child, kills it after a random number of answers and returns these, with those that were on the way.
func oneLife(t *testing.T, path string, life int) []string {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childFile+"="+path, fmt.Sprintf("ANNAI_LOCAL_LIFE=%02d", life))
	child.Stderr = os.Stderr
	pipe, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var answers []string
	lines := bufio.NewReader(pipe)
	left := 1 + rand.IntN(60)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) { // a line that is cut off was not an answer
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, strings.TrimSuffix(line, "\n"))
		if left--; left == 0 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil || left > 0 {
		t.Fatalf("child %d ended by itself (%v) after %d answers, want it killed", life, err, len(answers))
	}
	return answers
}
