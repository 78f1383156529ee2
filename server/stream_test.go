package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
)

// received is one server-sent event as a client reads it; a comment has only Comment.
type received struct{ ID, Name, Data, Comment string }

func readEvents(t testing.TB, body string) []received {
	t.Helper()
	var events []received
	var e received
	lines := bufio.NewScanner(strings.NewReader(body))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case lines.Text() == "":
			events = append(events, e)
			e = received{}
		case name == "":
			e.Comment = "comment"
		case name == "id":
			e.ID = value
		case name == "event":
			e.Name = value
		case name == "data" && e.Data == "":
			e.Data = value
		default:
			t.Errorf("line %q in a stream, want id, event and one line of data", lines.Text())
		}
	}
	if e != (received{}) {
		t.Errorf("stream ends in the middle of %+v", e)
	}
	return events
}

func names(events []received) []string {
	var list []string
	for _, e := range events {
		list = append(list, e.Name+e.Comment)
	}
	return list
}

func TestStream(t *testing.T) {
	want := []string{
		"run.started", "node.started", "node.finished", "sentence", "sentence", "cards", "suggestions", "final",
	}
	for name, test := range map[string]struct{ body, accept string }{
		"by body":   {`{"query":"今週のイベントは？","stream":true}`, "application/json"},
		"by header": {goodBody, "text/event-stream"},
		"by both":   {`{"query":"今週のイベントは？","stream":true}`, "text/html, Text/Event-Stream;q=0.9"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, Options{})
			w := f.do(t, "POST", "/query", test.body, "Accept", test.accept)
			for header, want := range map[string]string{
				"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache, no-store", "X-Accel-Buffering": "no",
			} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s = %q, want %q", header, got, want)
				}
			}
			events := readEvents(t, w.Body.String())
			if diff := cmp.Diff(want, names(events)); diff != "" {
				t.Fatalf("events (-want +got):\n%s", diff)
			}
			for i, e := range events {
				if e.ID != strconv.Itoa(i+1) {
					t.Errorf("event %d has id %q", i+1, e.ID)
				}
			}
			var final api.QueryResponse
			if err := json.Unmarshal([]byte(events[len(events)-1].Data), &final); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sampleAnswer(f.concierge.last(t)), final); diff != "" {
				t.Errorf("final (-want +got):\n%s", diff)
			}
		})
	}
}

// TestStreamFlushes sees each event before the next is made.
func TestStreamFlushes(t *testing.T) {
	next := make(chan struct{}, 1)
	f := newFixture(t, Options{})
	f.concierge.ask = func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
		for _, e := range sampleEvents(turn) {
			<-next
			if !yield(e, nil) {
				return
			}
		}
	}
	url, _ := listen(t, f)
	next <- struct{}{} // the headers come with the first event
	response := post(t, url+"/query", `{"query":"a","stream":true}`)
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	seen := 0
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: ") {
			seen++
			next <- struct{}{} // there is room: the concierge has taken the last one
		}
	}
	if want := len(sampleEvents(dialog.Turn{})); seen != want || lines.Err() != nil {
		t.Errorf("saw %d events, %v, want %d", seen, lines.Err(), want)
	}
}

func TestStreamFailsAfterStart(t *testing.T) {
	for name, test := range map[string]struct {
		fail func() error
		code string
	}{
		"an error":     {func() error { return errors.New("disk /dev/sda is gone") }, api.CodeInternal},
		"a panic":      {func() error { panic("index out of range in /srv/x.go") }, api.CodeInternal},
		"no time left": {func() error { return fmt.Errorf("turn: %w", context.DeadlineExceeded) }, api.CodeDeadline},
		"no answer":    {func() error { return nil }, api.CodeInternal},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, Options{})
			f.concierge.ask = func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
				yield(dialog.Started{RunStarted: api.RunStarted{RunID: turn.RunID, Language: "en"}}, nil)
				if err := test.fail(); err != nil {
					yield(nil, err)
				}
			}
			w := f.do(t, "POST", "/query", `{"query":"123","stream":true}`)
			events := readEvents(t, w.Body.String())
			if diff := cmp.Diff([]string{"run.started", "error"}, names(events)); diff != "" || w.Code != http.StatusOK {
				t.Fatalf("status = %d, events (-want +got):\n%s", w.Code, diff)
			}
			var e api.ErrorResponse
			if err := json.Unmarshal([]byte(events[1].Data), &e); err != nil {
				t.Fatal(err)
			}
			checkSpoken(t, e)
			checkNoLeak(t, events[1].Data)
			if e.Error.Code != test.code || e.Language != "en" || events[1].ID != "2" || e.RequestID != w.Header().Get("X-Request-Id") {
				t.Errorf("error event %+v, want code %s, language en, id 2", events[1], test.code)
			}
		})
	}
}

func TestStreamHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, Options{})
		f.concierge.ask = func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
			time.Sleep(time.Hour) // before the first event there is nothing to keep alive
			for _, e := range sampleEvents(turn) {
				if !yield(e, nil) {
					return
				}
				if _, ok := e.(dialog.Started); ok {
					time.Sleep(2*heartbeat + heartbeat/2)
				}
			}
			time.Sleep(heartbeat + time.Second)
		}
		w := f.do(t, "POST", "/query", `{"query":"a","stream":true}`)
		want := []string{
			"run.started", "sentence", "comment", "comment", "node.started", "node.finished", "sentence", "sentence",
			"cards", "suggestions", "final", "comment",
		}
		if diff := cmp.Diff(want, names(readEvents(t, w.Body.String()))); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		before := w.Body.Len()
		time.Sleep(10 * heartbeat)
		synctest.Wait()
		if w.Body.Len() != before {
			t.Error("a heartbeat after the end of the stream")
		}
	})
}

// TestStreamEncodesHostileText checks that no text can end an event.
func TestStreamEncodesHostileText(t *testing.T) {
	hostile := "a\n\nevent: final\r\ndata: {}\u2028<script>&\x00"
	f := newFixture(t, Options{})
	f.concierge.ask = func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
		_ = yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Text: hostile}}, nil) && yield(dialog.Final{}, nil)
	}
	events := readEvents(t, f.do(t, "POST", "/query", `{"query":"a","stream":true}`).Body.String())
	var s api.SpokenSentence
	if err := json.Unmarshal([]byte(events[0].Data), &s); err != nil || s.Text != hostile || len(events) != 2 {
		t.Errorf("sentence %q came as %q with %d events: %v", hostile, s.Text, len(events), err)
	}
}
