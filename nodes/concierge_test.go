package nodes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/nodes"
	"annai/rag"
	"annai/storage/mem"
	"annai/tools/calendar"
	calendarmem "annai/tools/calendar/mem"
	"annai/venue"
)

// house is a concierge with parts that a test can change.
type house struct {
	*nodes.Concierge

	now time.Time
	log bytes.Buffer
}

// readerFunc is a calendar made of a function.
type readerFunc func(ctx context.Context, window civil.TimeRange) (calendar.Listing, error)

func (f readerFunc) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	return f(ctx, window)
}

// retrieverFunc is knowledge made of a function.
type retrieverFunc func(ctx context.Context, q rag.Query) ([]rag.Hit, error)

func (f retrieverFunc) Search(ctx context.Context, q rag.Query) ([]rag.Hit, error) { return f(ctx, q) }

func open(t testing.TB, change func(*nodes.Parts, *nodes.Options)) *house {
	t.Helper()
	v, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	v.Parts = nil // what is known are the passages
	h := &house{now: time.Date(2025, 1, 13, 10, 0, 0, 0, v.Location)}
	n := 0
	parts := nodes.Parts{
		Venue: v, Calendar: calendarmem.New("events", readEvents(t, lines(t, talk{}, "events"), v.Location)...),
		Knowledge: &passages{list: readPassages(t, lines(t, talk{}, "knowledge"))}, Understander: understander(t, v), Checkpointer: mem.New(),
	}
	parts.Reader, parts.Index = product(t)
	opts := nodes.Options{
		Deadline: patience, SourceDeadline: patience / 3,
		Now: func() time.Time { return h.now }, NewID: func() string { n++; return fmt.Sprintf("id-%d", n) },
		Log: slog.New(slog.NewTextHandler(&h.log, nil)),
	}
	if change != nil {
		change(&parts, &opts)
	}
	if h.Concierge, err = nodes.New(parts, opts); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) say(t *testing.T, words string) api.QueryResponse {
	t.Helper()
	r, err := h.Answer(t.Context(), dialog.Turn{Query: words, SessionID: "s"})
	if err != nil {
		t.Fatalf("Answer(%q) = %v, want an answer", words, err)
	}
	check(t, r)
	return r
}

func TestPartsAreRequired(t *testing.T) {
	if _, err := nodes.New(nodes.Parts{}, nodes.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("New(no parts) = %v, want ErrInvalid", err)
	}
}

func TestEventsInOrder(t *testing.T) {
	h := open(t, nil)
	var got []string
	var final api.QueryResponse
	for e, err := range h.Ask(t.Context(), dialog.Turn{Query: "今日のイベントは？", RequestID: "r-1"}) {
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case dialog.Started:
			got = append(got, "started "+e.RunID+" "+e.SessionID+" "+e.Language)
		case dialog.Progress:
			got = append(got, fmt.Sprintf("%s done=%t %s / %s", e.Node, e.Done, e.LabelJA, e.LabelEN))
		case dialog.Sentence:
			got = append(got, fmt.Sprintf("sentence %d %s %s", e.Index, e.Text, e.Emotion))
		case dialog.Cards:
			got = append(got, "cards "+e.Cards.Cards[0].Title)
		case dialog.Suggestions:
			got = append(got, "suggestions "+strings.Join(e.Suggestions.Suggestions, " "))
		case dialog.Confirm:
			got = append(got, "confirm")
		case dialog.Final:
			got = append(got, "final")
			final = e.QueryResponse
		}
	}
	order := []string{
		"started id-2 id-1 ja", "understand done=false", "understand done=true", "router done=false", "router done=true", "event done=false",
		"calendar_search done=false", "merge done=true", "event done=true", "respond done=false", "respond done=true",
		"sentence 0 今日はイベントが1件あります。 happy", "sentence 1 13時から、朝活もくもく会です。 happy", "cards 朝活もくもく会", "suggestions", "final",
	}
	at := 0
	for _, line := range got {
		if at < len(order) && strings.HasPrefix(line, order[at]) {
			at++
		}
	}
	if at != len(order) || got[len(got)-1] != "final" {
		t.Errorf("events are\n%s\nwant among them, in order, %q", strings.Join(got, "\n"), order[min(at, len(order)-1):])
	}
	if !strings.Contains(strings.Join(got, "\n"), "calendar_search done=false 予定を確認しています / Checking the calendar") {
		t.Errorf("events\n%s\nhave no label for calendar_search", strings.Join(got, "\n"))
	}
	if final.SessionID != "id-1" || final.RunID != "id-2" || final.Metadata.RequestID != "r-1" || !final.Metadata.Demo {
		t.Errorf("final has session %s, run %s, metadata %+v, want id-1, id-2, r-1 and demo", final.SessionID, final.RunID, final.Metadata)
	}
}

func TestAnswerOnTheWire(t *testing.T) {
	h := open(t, nil)
	data, err := json.MarshalIndent(h.say(t, "今日のイベントは？"), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/answer.golden", string(data)+"\n")
}

func TestDrawing(t *testing.T) {
	golden(t, "testdata/graph.golden", open(t, nil).Drawing().Mermaid())
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, diff)
	}
}

// TestSourcesAtTheSameTime fails if one search waits for the other: each waits until both have begun.
func TestSourcesAtTheSameTime(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	h := open(t, func(p *nodes.Parts, _ *nodes.Options) {
		works := p.Calendar
		p.Calendar = readerFunc(func(ctx context.Context, w civil.TimeRange) (calendar.Listing, error) {
			if answers(w) {
				both.Done()
				both.Wait()
			}
			return works.Events(ctx, w)
		})
		p.Knowledge = retrieverFunc(func(_ context.Context, q rag.Query) ([]rag.Hit, error) {
			if len(q.Categories) > 0 && !q.Near {
				both.Done()
				both.Wait()
			}
			return nil, nil
		})
	})
	if r := h.say(t, "今日のイベントは？"); r.Emotion != "excited" {
		t.Errorf("emotion = %s, want excited", r.Emotion)
	}
}

// TestOneDeadline lets both sources hang: what the question is about is looked for in a deadline, and
// answered in another one, for both at the same time.
func TestOneDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, func(p *nodes.Parts, o *nodes.Options) {
			p.Calendar = &calendarmem.Broken{Hang: true}
			p.Knowledge = &passages{hang: true}
			o.SourceDeadline = time.Second
		})
		began := time.Now()
		r := h.say(t, "今日のイベントは？")
		if took := time.Since(began); took > 5*time.Second/2 || r.Metadata.Confidence != 0.5 {
			t.Errorf("two hanging sources took %s with confidence %v, want 2.5s at most and 0.5", took, r.Metadata.Confidence)
		}
	})
}

func TestTurnDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, func(p *nodes.Parts, o *nodes.Options) {
			p.Calendar = &calendarmem.Broken{Hang: true}
			o.Deadline, o.SourceDeadline = time.Second, time.Hour
		})
		_, err := h.Answer(t.Context(), dialog.Turn{Query: "今日のイベントは？", SessionID: "s"})
		if !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Answer = %v, want ErrUnavailable with DeadlineExceeded", err)
		}
		if r := h.say(t, "今日は何曜日ですか？"); r.AgentName != "DateAgent" {
			t.Errorf("the turn after one without time is answered by %s, want DateAgent", r.AgentName)
		}
	})
}

// hanging is a calendar whose read begins, then waits for the end of its context.
// answers reports whether the calendar is read for an answer, and not only to find out what a question is about.
func answers(w civil.TimeRange) bool {
	return w.Start.After(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
}

func hanging(begun chan<- struct{}, ended chan<- error) calendar.Reader {
	return readerFunc(func(ctx context.Context, w civil.TimeRange) (calendar.Listing, error) {
		if !answers(w) {
			return calendar.Listing{Complete: true}, nil
		}
		begun <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return calendar.Listing{}, fmt.Errorf("hang: %w: %w", ctx.Err(), fault.ErrUnavailable)
	})
}

func TestConflictAndEndSession(t *testing.T) {
	begun, ended := make(chan struct{}, 1), make(chan error, 1)
	h := open(t, func(p *nodes.Parts, o *nodes.Options) {
		p.Calendar = hanging(begun, ended)
		o.Deadline, o.SourceDeadline = time.Hour, time.Hour
	})
	first := make(chan error, 1)
	go func() {
		_, err := h.Answer(context.WithoutCancel(t.Context()), dialog.Turn{Query: "今日のイベントは？", SessionID: "s"})
		first <- err
	}()
	<-begun
	if _, err := h.Answer(t.Context(), dialog.Turn{Query: "明日は？", SessionID: "s"}); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("a second run on the session = %v, want ErrConflict", err)
	}
	if _, err := h.Answer(t.Context(), dialog.Turn{Query: "今日は何曜日ですか？", SessionID: "other"}); err != nil {
		t.Errorf("a run on another session = %v, want an answer", err)
	}
	if n, err := h.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("Sweep with a run active = %d, %v, want 0", n, err)
	}
	if err := h.EndSession(t.Context(), dialog.Session{ID: "s"}); err != nil {
		t.Errorf("EndSession(s) = %v, want nil", err)
	}
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the run of an ended session = %v, want Canceled", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("its calendar saw %v, want Canceled", err)
	}
	if err := h.EndSession(t.Context(), dialog.Session{ID: "nobody"}); err != nil {
		t.Errorf("EndSession(nobody) = %v, want nil", err)
	}
}

func TestBreakingOffCancels(t *testing.T) {
	begun, ended := make(chan struct{}, 1), make(chan error, 1)
	h := open(t, func(p *nodes.Parts, o *nodes.Options) {
		p.Calendar = hanging(begun, ended)
		o.Deadline, o.SourceDeadline = time.Hour, time.Hour
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	var last error
	for _, err := range h.Ask(ctx, dialog.Turn{Query: "今日のイベントは？", SessionID: "s"}) {
		last = err
	}
	if !errors.Is(last, context.Canceled) || !errors.Is(<-ended, context.Canceled) {
		t.Errorf("Ask with a context that ends yields %v last, want Canceled", last)
	}
	for range h.Ask(t.Context(), dialog.Turn{Query: "今日は何曜日ですか？", SessionID: "s"}) {
		break
	}
	h.say(t, "今日は何曜日ですか？") // the session is free again
}

func TestPanicIsAnApology(t *testing.T) {
	h := open(t, func(p *nodes.Parts, _ *nodes.Options) {
		p.Calendar = readerFunc(func(_ context.Context, w civil.TimeRange) (calendar.Listing, error) {
			if answers(w) {
				panic("broken pipe")
			}
			return calendar.Listing{Complete: true}, nil
		})
	})
	for _, query := range []string{"今日のイベントは？", "What's on today?"} {
		r := h.say(t, query)
		if r.Emotion != "apologetic" || !strings.HasPrefix(r.Text, "[sad]") || strings.Contains(r.Text, "pipe") {
			t.Errorf("Answer(%q) = %s %q, want an apology that says nothing of the panic", query, r.Emotion, r.Text)
		}
	}
	if log := h.log.String(); !strings.Contains(log, "broken pipe") || !strings.Contains(log, "stack=") {
		t.Errorf("the log is %q, want the panic and its stack", log)
	}
	if r := h.say(t, "今日は何曜日ですか？"); r.AgentName != "DateAgent" {
		t.Errorf("after a panic %s answers, want DateAgent", r.AgentName)
	}
}

func TestFailuresAreLogged(t *testing.T) {
	h := open(t, func(p *nodes.Parts, _ *nodes.Options) {
		p.Calendar = &calendarmem.Broken{}
		p.Knowledge = &passages{broken: true}
	})
	h.say(t, "今日のイベントは？")
	log := h.log.String()
	if strings.Count(log, "source failed") < 2 || strings.Contains(log, "イベント") {
		t.Errorf("the log is %q, want both sources and nothing that was said", log)
	}
}

const ambiguous = "カフェは何時まで開いていますか？"

func TestResume(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{`2`, "saino"}, {`"2"`, "saino"}, {`"cafe&bar saino"`, "saino"}, {`1`, "開館時間"}, {`"最初の方"`, "開館時間"}, {`"今日は何曜日？"`, "月"},
	} {
		h := open(t, nil)
		asked := h.say(t, ambiguous)
		if asked.Interrupt == nil || asked.Interrupt.Kind != "clarify" || len(asked.Interrupt.Options) != 2 || asked.Emotion != "surprised" {
			t.Fatalf("Answer(%s) = %+v, want a question with two options", ambiguous, asked)
		}
		r, err := h.Answer(t.Context(), dialog.Turn{
			SessionID: "s", RunID: "run-2", RequestID: "req-2", Resume: &dialog.Resume{InterruptID: asked.Interrupt.ID, Value: json.RawMessage(test.value)},
		})
		if err != nil || !strings.Contains(r.Text, test.want) || r.Interrupt != nil || r.RunID != "run-2" || r.Metadata.RequestID != "req-2" {
			t.Errorf("resume with %s = %q (run %s, request %s), %v, want %q in it", test.value, r.Text, r.RunID, r.Metadata.RequestID, err, test.want)
		}
	}
}

func TestResumeThatFitsNothing(t *testing.T) {
	h := open(t, nil)
	asked := h.say(t, ambiguous)
	id := asked.Interrupt.ID
	for _, test := range []struct {
		session, id, value string
		want               error
	}{
		{"nobody", id, `1`, fault.ErrNotFound},
		{"", id, `1`, fault.ErrNotFound},
		{"s", "other", `1`, fault.ErrNotFound},
		{"s", id, `3`, fault.ErrInvalid},
		{"s", id, `0`, fault.ErrInvalid},
		{"s", id, `{"a":1}`, fault.ErrInvalid},
		{"s", id, `""`, fault.ErrInvalid},
		{"s", id, ``, fault.ErrInvalid},
	} {
		turn := dialog.Turn{SessionID: test.session, Resume: &dialog.Resume{InterruptID: test.id, Value: json.RawMessage(test.value)}}
		if _, err := h.Answer(t.Context(), turn); !errors.Is(err, test.want) {
			t.Errorf("resume session %q interrupt %s with %s = %v, want %v", test.session, test.id, test.value, err, test.want)
		}
	}
	if r := h.say(t, "2"); !strings.Contains(r.Text, "saino") {
		t.Errorf("after failed resumes the answer to the open question is %q, want saino in it", r.Text)
	}
	turn := dialog.Turn{SessionID: "s", Resume: &dialog.Resume{InterruptID: id, Value: json.RawMessage(`1`)}}
	if _, err := h.Answer(t.Context(), turn); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("resume of an answered interrupt = %v, want ErrNotFound", err)
	}
}

func TestWithoutMemory(t *testing.T) {
	h := open(t, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = nil })
	if r := h.say(t, ambiguous); r.Interrupt != nil {
		t.Errorf("a concierge without memory asks %+v, want best effort", r.Interrupt)
	}
	h.say(t, "今日のイベントは？")
	if r := h.say(t, "場所は？"); r.Metadata.ProcessingInfo.ContextInherited {
		t.Errorf("a concierge without memory answers %q from what was said before", r.Text)
	}
	turn := dialog.Turn{SessionID: "s", Resume: &dialog.Resume{InterruptID: "x", Value: json.RawMessage(`1`)}}
	if _, err := h.Answer(t.Context(), turn); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("resume without memory = %v, want ErrNotFound", err)
	}
	if err := h.EndSession(t.Context(), dialog.Session{ID: "s"}); err != nil {
		t.Errorf("EndSession without memory = %v, want nil", err)
	}
}

// TestRestart takes up a session in another process: with what was said, and with an open question; unless it was idle too long.
func TestRestart(t *testing.T) {
	store := mem.New()
	reopen := func(later time.Duration) *house {
		h := open(t, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = store })
		h.now = h.now.Add(later)
		return h
	}
	reopen(0).say(t, "今日のイベントは？")
	if r := reopen(time.Minute).say(t, "場所は？"); !strings.Contains(r.Text, "1F メインホール") {
		t.Errorf("after a restart the place is %q, want 1F メインホール", r.Text)
	}
	if r := reopen(2*time.Minute).say(t, "明日は？"); r.AgentName != "EventAgent" || !r.Metadata.ProcessingInfo.ContextInherited {
		t.Errorf("after a second restart %s answers %q, want EventAgent from context", r.AgentName, r.Text)
	}
	reopen(3*time.Minute).say(t, ambiguous)
	if r := reopen(4*time.Minute).say(t, "2"); !strings.Contains(r.Text, "saino") {
		t.Errorf("after a restart the open question is answered by %q, want saino in it", r.Text)
	}
	if r := reopen(10*time.Minute).say(t, "2"); r.Metadata.ProcessingInfo.ContextInherited || strings.Contains(r.Text, "saino") {
		t.Errorf("after a long silence and a restart the answer is %q, want nothing remembered", r.Text)
	}
}

func TestSweep(t *testing.T) {
	h := open(t, nil)
	h.say(t, "今日のイベントは？")
	if n, err := h.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("Sweep at once = %d, %v, want 0", n, err)
	}
	h.now = h.now.Add(3*time.Minute + time.Second)
	if n, err := h.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("Sweep after three minutes = %d, %v, want 1", n, err)
	}
	if n, err := h.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("Sweep again = %d, %v, want 0", n, err)
	}
}

// TestSweepOfAnotherProcess holds that words of a session outlive neither the session nor the process for long.
func TestSweepOfAnotherProcess(t *testing.T) {
	store := mem.New()
	share := func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = store }
	open(t, share).say(t, "今日のイベントは？")
	after := open(t, share) // the first is gone
	if n, err := after.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("Sweep at once = %d, %v, want 0", n, err)
	}
	after.now = after.now.Add(3*time.Minute + time.Second)
	if n, err := after.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("Sweep after three minutes = %d, %v, want 1", n, err)
	}
	if chain, _, err := store.Load(t.Context(), "s", "", 0); err != nil || len(chain) != 0 {
		t.Errorf("Load after Sweep = %v, %v, want nothing", chain, err)
	}
}

// TestCostStaysFlat holds what a session keeps after many turns against what it keeps after a few.
func TestCostStaysFlat(t *testing.T) {
	store := mem.New()
	h := open(t, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = store })
	size := func() (n int) {
		chain, _, err := store.Load(t.Context(), "s", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range chain[0].Writes {
			n += len(w.Data)
		}
		return n
	}
	turns := []string{"今週のイベントは？", "2つ目について詳しく", "場所は？", "トイレはどこですか？", "今日は何曜日ですか？"}
	most := 0
	for range 3 {
		for _, words := range turns {
			h.say(t, words)
			most = max(most, size())
		}
	}
	for range 20 {
		for _, words := range turns {
			h.say(t, words)
		}
		if n := size(); n > most {
			t.Fatalf("a turn writes %d bytes late in the talk, want at most the %d of its beginning", n, most)
		}
	}
}

func TestManyVisitorsAtOnce(t *testing.T) {
	var mu sync.Mutex
	n := 0
	h := open(t, func(_ *nodes.Parts, o *nodes.Options) {
		o.NewID = func() string { mu.Lock(); defer mu.Unlock(); n++; return fmt.Sprint(n) }
	})
	var visitors sync.WaitGroup
	for i := range 16 {
		visitors.Go(func() {
			turn := dialog.Turn{SessionID: fmt.Sprintf("visitor-%d", i)}
			for _, words := range []string{"今週のイベントは？", "2つ目について詳しく", "場所は？"} {
				turn.Query = words
				r, err := h.Answer(t.Context(), turn)
				if err != nil {
					t.Errorf("visitor %d: Answer(%s) = %v, want an answer", i, words, err)
					return
				}
				if words == "場所は？" && !strings.Contains(r.Text, "3F") {
					t.Errorf("visitor %d: the place is %q, want 3F", i, r.Text)
				}
			}
		})
	}
	visitors.Wait()
}

func TestEmotions(t *testing.T) {
	e := dialog.Emotions()
	want := map[string]string{"excited": "happy", "helpful": "relaxed", "apologetic": "sad", "surprised": "surprised", "neutral": "neutral"}
	for _, row := range e.Emotions {
		if row.Expression != want[row.Emotion] || row.Tag != "["+row.Expression+"]" {
			t.Errorf("emotion %+v, want expression and tag %s", row, want[row.Emotion])
		}
		delete(want, row.Emotion)
	}
	if len(want) != 0 || len(e.Aliases) < 50 {
		t.Errorf("%d aliases and without %v, want at least 50 and all five", len(e.Aliases), want)
	}
	for alias, emotion := range e.Aliases {
		if alias != strings.ToLower(alias) || emotion == "" {
			t.Errorf("alias %q means %q", alias, emotion)
		}
	}
}

// A visitor who knows the name of an owner's session neither hears what was said in it nor answers in it nor ends it.
func TestOwnersSessionsAreTheirOwn(t *testing.T) {
	h := open(t, nil)
	turn := func(query string, owner bool, resume *dialog.Resume) api.QueryResponse {
		t.Helper()
		r, err := h.Answer(t.Context(), dialog.Turn{Query: query, SessionID: "s", Owner: owner, Resume: resume})
		if err != nil {
			t.Fatalf("Answer(%q, owner %v) = %v, want an answer", query, owner, err)
		}
		return r
	}
	mine := turn("カフェの営業時間は？", true, nil)
	if mine.Interrupt == nil {
		t.Fatalf("an ambiguous question of the owner = %+v, want to be asked which", mine)
	}
	answer := dialog.Resume{InterruptID: mine.Interrupt.ID, Value: []byte("1")}
	if _, err := h.Answer(t.Context(), dialog.Turn{SessionID: "s", Resume: &answer}); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("a visitor's answer to the owner's question = %v, want ErrNotFound", err)
	}
	if err := h.EndSession(t.Context(), dialog.Session{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	if r := turn("", true, &answer); r.Interrupt != nil || r.AgentName != "InfoAgent" {
		t.Errorf("the owner's answer after a visitor ended the session = %+v, want the opening hours", r)
	}
}
