package nodes_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/dialog"
	"annai/fault"
	"annai/graph"
	"annai/nodes"
	"annai/storage/mem"
)

// ask asks in a session that goes on from others.
func (h *house) ask(t testing.TB, query, session string, before ...string) string {
	t.Helper()
	answer, err := h.Answer(t.Context(), dialog.Turn{Query: query, SessionID: session, Anew: true, Before: before})
	if err != nil {
		t.Fatalf("%s = %v", query, err)
	}
	return answer.Text
}

// TestAnew: two who begin in the same words go on from the same, and hear nothing of what the other
// said after that.
func TestAnew(t *testing.T) {
	h := open(t, func(_ *nodes.Parts, o *nodes.Options) { o.Deadline = time.Minute })
	h.ask(t, "こんにちは", "1")
	mine := h.ask(t, "今日のイベントは？", "1-mine", "1")
	theirs := h.ask(t, "1月15日のイベントは？", "1-theirs", "1")
	if mine == theirs {
		t.Fatalf("both are told %s", mine)
	}
	titles := func(text string) (title string) {
		for line := range strings.Lines(text) {
			if title, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
				return title
			}
		}
		t.Fatalf("no event in %s", text)
		return ""
	}
	if got := h.ask(t, "1つ目について詳しく", "1-mine-1", "nobody", "1-mine", "1"); !strings.Contains(got, titles(mine)) {
		t.Errorf("the first event is %s, want that of %s", got, mine)
	}
	if got := h.ask(t, "1つ目について詳しく", "1-theirs-1", "1-theirs", "1"); !strings.Contains(got, titles(theirs)) {
		t.Errorf("the other's first event is %s, want that of %s", got, theirs)
	}
	if again := h.ask(t, "今日のイベントは？", "1-mine", "1"); again != mine {
		t.Errorf("the same once more = %s, want %s", again, mine)
	}
}

// TestCallersDoNotShareSessions: the same id is another session for another caller.
func TestCallersDoNotShareSessions(t *testing.T) {
	h := open(t, func(_ *nodes.Parts, o *nodes.Options) { o.Deadline = time.Minute })
	say := func(caller, query string) string {
		t.Helper()
		answer, err := h.Answer(t.Context(), dialog.Turn{Query: query, SessionID: "kiosk-1", Caller: caller})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Text
	}
	listed := say("visitor a", "今日のイベントは？")
	if got := say(
		"visitor b",
		"1つ目について詳しく",
	); strings.Contains(listed, strings.TrimSpace(got)) ||
		!strings.Contains(say("visitor a", "1つ目について詳しく"), "もくもく") {
		t.Errorf("another caller is told %s", got)
	}
	if err := h.EndSession(t.Context(), dialog.Session{ID: "kiosk-1", Caller: "visitor b"}); err != nil {
		t.Fatal(err)
	}
	if got := say("visitor a", "場所は？"); strings.TrimSpace(got) == "" {
		t.Error("the session of one caller is gone, because another's was ended")
	}
}

// full is a store that can be read, and not written.
type full struct {
	graph.Checkpointer

	is bool
}

var errNoRoom = fmt.Errorf("no space left: %w", fault.ErrUnavailable)

func (f *full) Put(ctx context.Context, thread string, r graph.Record) error {
	if f.is {
		return errNoRoom
	}
	return f.Checkpointer.Put(ctx, thread, r)
}

// TestFullDisk: who comes while nothing can be kept is answered, and understood when they go on; whose
// session was kept before is not answered as if nothing had been said.
func TestFullDisk(t *testing.T) {
	store := &full{Checkpointer: mem.New()}
	h := open(t, func(p *nodes.Parts, o *nodes.Options) {
		p.Checkpointer, p.Spare, o.Deadline = store, mem.New(), time.Minute
	})
	want := h.say(t, "今日のイベントは？").Text
	store.is = true
	before := dialog.Turn{Query: "場所は？", SessionID: "s"}
	if _, err := h.Answer(t.Context(), before); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("a session that was kept before = %v, want ErrUnavailable", err)
	}
	in := func(session, query string) string {
		t.Helper()
		got, err := h.Answer(t.Context(), dialog.Turn{Query: query, SessionID: session})
		if err != nil || got.SessionID != session {
			t.Errorf("%s with a full disk = %q, %v", query, got.Text, err)
		}
		return got.Text
	}
	if got := in("new", "今日のイベントは？"); got != want {
		t.Errorf("with a full disk = %s, want %s", got, want)
	}
	first := in("new", "1つ目について詳しく")
	if blank := in("another", "1つ目について詳しく"); first == blank || !strings.Contains(first, "もくもく") {
		t.Errorf("the first of what was listed = %s, and of nothing %s", first, blank)
	}
	for e, err := range h.Ask(t.Context(), dialog.Turn{Query: "今日のイベントは？", SessionID: "streamed"}) {
		if err != nil {
			t.Fatal(err)
		}
		if final, ok := e.(dialog.Final); ok && final.Text != want {
			t.Errorf("Ask with a full disk ends with %s, want %s", final.Text, want)
		}
	}
	turn := dialog.Turn{Query: "今日のイベントは？", SessionID: "own", Owner: true}
	if _, err := h.Answer(t.Context(), turn); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("the owner with a full disk = %v, want ErrUnavailable: a yes must be kept", err)
	}
	store.is = false
	if got := h.say(t, "今日のイベントは？").Text; got != want {
		t.Errorf("with room again = %s, want %s", got, want)
	}
	if err := h.EndSession(t.Context(), dialog.Session{ID: "new"}); err != nil {
		t.Fatal(err)
	}
	if got := in("new", "1つ目について詳しく"); got == first {
		t.Errorf("a session that ended still knows %s", got)
	}
}

// TestLeaving: who leaves while an open question is being answered, at whatever moment, finds a
// session that answers.
func TestLeaving(t *testing.T) {
	h := open(t, func(_ *nodes.Parts, o *nodes.Options) { o.Deadline = time.Minute })
	left := true
	for n := 0; left; n++ {
		turn := dialog.Turn{Query: "カフェは何時まで？", SessionID: fmt.Sprint("s", n)}
		if r, err := h.Answer(t.Context(), turn); err != nil || r.Interrupt == nil {
			t.Fatalf("カフェは何時まで？ = %s, %v, want a question", r.Text, err)
		}
		left = false
		turn.Query = "1"
		heard := 0
		for range h.Ask(t.Context(), turn) {
			if heard++; heard > n {
				left = true
				break
			}
		}
		turn.Query = "今日は何曜日ですか？"
		for range 3 {
			if _, err := h.Answer(t.Context(), turn); err != nil {
				t.Errorf("the next question after leaving at event %d = %v", n, err)
			}
		}
	}
}
