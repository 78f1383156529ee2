// Package llmtest holds the suite of [llm.Model]: each sentence of its comment is a check here, and every back end runs all of them, against
// a fake that speaks its provider's wire. [Small] is a real server with a real model. It knows no implementation.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/llm"
)

// A Reply is what a provider does with every request it gets.
type Reply struct {
	// Pieces are the text, and Calls the tool calls behind it, whose arguments come in pieces if the wire has that.
	Pieces []string
	Calls  []llm.ToolCall
	// Stop ends the answer. Empty breaks the connection where it would end.
	Stop  llm.Stop
	Usage llm.Usage
	// Fail is what comes instead of an answer. Empty is an answer.
	Fail llm.Kind
	// RetryAfter goes with it.
	RetryAfter time.Duration
	// Hang sends nothing more behind the pieces until the client leaves.
	Hang bool
}

// Kinds are the failures that every provider can have, and that a [Reply] asks for.
func Kinds() []llm.Kind {
	return []llm.Kind{llm.Auth, llm.NoModel, llm.RateLimited, llm.TooLong, llm.Unfit, llm.Unavailable, llm.Refused, llm.Malformed}
}

// New returns a model whose provider gives the reply, for the time of the test.
type New func(t *testing.T, reply Reply) llm.Model

// Run checks that models keep the contract of [llm.Model].
func Run(t *testing.T, newModel New) {
	for _, check := range []struct {
		name string
		run  func(*testing.T, New)
	}{
		{"text", text},
		{"tool calls", toolCalls},
		{"the ends of an answer", ends},
		{"an answer of nothing", empty},
		{"cut off", cutOff},
		{"failures", failures},
		{"requests that can't be right", invalid},
		{"a caller who leaves", cancelled},
		{"a caller who had left", left},
		{"a reader who stops", stopped},
		{"asked anew", anew},
		{"concurrent use", together},
		{"name", named},
	} {
		t.Run(check.name, func(t *testing.T) { check.run(t, newModel) })
	}
}

// Ask is a request for words, which every model takes.
func Ask() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.System, Text: "You are brief."}, {Role: llm.User, Text: "今日のイベントは？"}}}
}

// askTools is a request that offers a tool.
func askTools() llm.Request {
	r := Ask()
	r.Tools = []llm.Tool{{Name: "list_events", Description: "Lists events.", Schema: json.RawMessage(`{"type":"object","properties":{"day":{"type":"string"}}}`)}}
	return r
}

// gather reads a stream and checks what holds for every one.
func gather(t *testing.T, stream iter.Seq2[llm.Delta, error]) (deltas []llm.Delta, err error) {
	t.Helper()
	over := false
	for d, e := range stream {
		if over {
			t.Errorf("the stream goes on with %+v, %v behind its end", d, e)
		}
		fields := 0
		for _, set := range []bool{d.Text != "", d.Call != nil, d.End != nil, e != nil} {
			if set {
				fields++
			}
		}
		if fields != 1 {
			t.Errorf("the stream gave %+v, %v; want one of text, call, end and error", d, e)
		}
		over = e != nil || d.End != nil
		if err = e; e == nil {
			deltas = append(deltas, d)
		}
	}
	if !over {
		t.Error("the stream stopped with neither an end nor an error")
	}
	return deltas, err
}

// words are the deltas that are text.
func words(deltas []llm.Delta) string {
	var all strings.Builder
	for _, d := range deltas {
		all.WriteString(d.Text)
	}
	return all.String()
}

func text(t *testing.T, newModel New) {
	pieces := []string{"今日は", "勉強会が", "あります。", "\n\ndata: [DONE]\n", `{"name":"list_events"}`, " \"quoted\" <b>&amp;</b> \u2028", "Come at 7."}
	m := newModel(t, Reply{Pieces: pieces, Stop: llm.Finished, Usage: llm.Usage{Prompt: 12, Answer: 34}})
	deltas, err := gather(t, m.Stream(t.Context(), Ask()))
	if err != nil {
		t.Fatalf("Stream = %v, want an answer", err)
	}
	if diff := cmp.Diff(strings.Join(pieces, ""), words(deltas)); diff != "" {
		t.Errorf("the text (-want +got):\n%s", diff)
	}
	want := llm.End{Stop: llm.Finished, Usage: llm.Usage{Prompt: 12, Answer: 34}, Model: m.Name()}
	if diff := cmp.Diff(&want, deltas[len(deltas)-1].End); diff != "" {
		t.Errorf("the end (-want +got):\n%s", diff)
	}
	if slices.ContainsFunc(deltas, func(d llm.Delta) bool { return d.Call != nil }) {
		t.Error("a tool call written as words became a tool call")
	}
}

func toolCalls(t *testing.T, newModel New) {
	calls := []llm.ToolCall{
		{ID: "a1", Name: "list_events", Arguments: json.RawMessage(`{"day":"明日","max":9007199254740993}`)},
		{ID: "b2", Name: "list_events", Arguments: json.RawMessage(`{}`)},
	}
	deltas, err := gather(t, newModel(t, Reply{Pieces: []string{"お調べします。"}, Calls: calls, Stop: llm.Calls}).Stream(t.Context(), askTools()))
	if err != nil {
		t.Fatalf("Stream = %v, want two tool calls", err)
	}
	var got []llm.ToolCall
	for i, d := range deltas {
		if d.Call != nil {
			got = append(got, *d.Call)
		}
		if d.Text != "" && len(got) > 0 {
			t.Errorf("delta %d is text behind a tool call", i)
		}
	}
	if diff := cmp.Diff(calls, got); diff != "" {
		t.Errorf("the tool calls (-want +got):\n%s", diff)
	}
	if words(deltas) != "お調べします。" || deltas[len(deltas)-1].End.Stop != llm.Calls {
		t.Errorf("Stream said %q and ended as %q, want the words alone and calls", words(deltas), deltas[len(deltas)-1].End.Stop)
	}
	broken := []llm.ToolCall{{ID: "a1", Name: "list_events", Arguments: json.RawMessage(`{"day":"mon`)}}
	if _, err := gather(t, newModel(t, Reply{Calls: broken, Stop: llm.Calls}).Stream(t.Context(), askTools())); llm.KindOf(err) != llm.Malformed {
		t.Errorf("Stream of a call without JSON = %v, want malformed", err)
	}
}

func ends(t *testing.T, newModel New) {
	for _, stop := range []llm.Stop{llm.Finished, llm.Length} {
		deltas, err := gather(t, newModel(t, Reply{Pieces: []string{"To be"}, Stop: stop}).Stream(t.Context(), Ask()))
		if err != nil || deltas[len(deltas)-1].End.Stop != stop {
			t.Errorf("Stream = %+v, %v; want the end %q", deltas, err, stop)
		}
	}
}

func empty(t *testing.T, newModel New) {
	if _, err := gather(t, newModel(t, Reply{Stop: llm.Finished}).Stream(t.Context(), Ask())); llm.KindOf(err) != llm.Malformed {
		t.Errorf("Stream of nothing = %v, want malformed", err)
	}
}

func cutOff(t *testing.T, newModel New) {
	for _, pieces := range [][]string{{"開館時間は", "9時か"}, nil} {
		deltas, err := gather(t, newModel(t, Reply{Pieces: pieces}).Stream(t.Context(), Ask()))
		if kind := llm.KindOf(err); kind != llm.CutOff && (pieces != nil || kind != llm.Unavailable) { // nothing at all may be a server that is gone
			t.Errorf("Stream cut off after %q = %v, want cut_off", pieces, err)
		}
		if words(deltas) != strings.Join(pieces, "") {
			t.Errorf("Stream gave %q before it was cut off, want %q", words(deltas), pieces)
		}
	}
}

func failures(t *testing.T, newModel New) {
	for _, kind := range Kinds() {
		m := newModel(t, Reply{Fail: kind, RetryAfter: 7 * time.Second})
		_, err := gather(t, m.Stream(t.Context(), Ask()))
		var f *llm.Failure
		if !errors.As(err, &f) || f.Kind != kind || f.Model != m.Name() {
			t.Errorf("Stream that fails as %s = %v", kind, err)
			continue
		}
		if kind == llm.RateLimited && f.RetryAfter != 7*time.Second {
			t.Errorf("RetryAfter = %s, want 7 s", f.RetryAfter)
		}
		if f.Advice("ja") == "" || f.Advice("en") == "" || f.Advice("ja") == f.Advice("en") {
			t.Errorf("Advice for %s = %q, %q; want words in both languages", kind, f.Advice("ja"), f.Advice("en"))
		}
		faults := 0
		for _, of := range []error{fault.ErrInvalid, fault.ErrNotFound, fault.ErrConflict, fault.ErrDenied, fault.ErrUnavailable} {
			if errors.Is(err, of) {
				faults++
			}
		}
		if faults != 1 {
			t.Errorf("%v is of %d kinds of fault, want one", err, faults)
		}
	}
}

func invalid(t *testing.T, newModel New) {
	m := newModel(t, Reply{Pieces: []string{"hello"}, Stop: llm.Finished})
	both := askTools()
	both.Schema = json.RawMessage(`{}`)
	for _, r := range []llm.Request{{}, {Messages: []llm.Message{{Role: "judge", Text: "x"}}}, both} {
		if deltas, err := gather(t, m.Stream(t.Context(), r)); !errors.Is(err, fault.ErrInvalid) || len(deltas) > 0 {
			t.Errorf("Stream(%+v) = %+v, %v; want ErrInvalid", r, deltas, err)
		}
	}
}

func cancelled(t *testing.T, newModel New) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	said := ""
	for d, err := range newModel(t, Reply{Pieces: []string{"One ", "two"}, Hang: true}).Stream(ctx, Ask()) {
		said += d.Text
		last = err
		if said == "One two" {
			cancel()
		}
	}
	if said != "One two" || llm.KindOf(last) != llm.Late || !errors.Is(last, context.Canceled) || !errors.Is(last, fault.ErrUnavailable) {
		t.Errorf("Stream of a caller who left after %q = %v, want late and context.Canceled", said, last)
	}

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	for _, err := range newModel(t, Reply{Pieces: []string{"One ", "two ", "three"}, Stop: llm.Finished}).Stream(ctx, Ask()) {
		cancel()
		last = err
	}
	if llm.KindOf(last) != llm.Late || !errors.Is(last, context.Canceled) {
		t.Errorf("Stream of a caller who left in a whole answer = %v, want late and context.Canceled", last)
	}
}

func left(t *testing.T, newModel New) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := newModel(t, Reply{Pieces: []string{"hello"}, Stop: llm.Finished})
	if deltas, err := gather(t, m.Stream(ctx, Ask())); llm.KindOf(err) != llm.Late || !errors.Is(err, context.Canceled) || len(deltas) > 0 {
		t.Errorf("Stream(cancelled) = %+v, %v; want late and context.Canceled", deltas, err)
	}
	past, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := gather(t, m.Stream(past, Ask())); llm.KindOf(err) != llm.Late || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Stream(past its deadline) = %v, want late and context.DeadlineExceeded", err)
	}
}

// stopped passes if it ends: the provider hangs.
func stopped(t *testing.T, newModel New) {
	for d, err := range newModel(t, Reply{Pieces: []string{"One ", "two"}, Hang: true}).Stream(t.Context(), Ask()) {
		if err != nil || d.Text == "" {
			t.Errorf("Stream begins with %+v, %v; want text", d, err)
		}
		break
	}
}

func anew(t *testing.T, newModel New) {
	stream := newModel(t, Reply{Pieces: []string{"hello"}, Stop: llm.Finished}).Stream(t.Context(), Ask())
	for range 2 {
		if a, err := llm.Collect(stream); err != nil || a.Text != "hello" {
			t.Errorf("the stream = %q, %v; want the same answer each time", a.Text, err)
		}
	}
}

func together(t *testing.T, newModel New) {
	m := newModel(t, Reply{Pieces: []string{"a", "b", "c"}, Calls: []llm.ToolCall{{ID: "1", Name: "x", Arguments: json.RawMessage(`{"n":1}`)}}, Stop: llm.Calls})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if a, err := llm.Collect(m.Stream(t.Context(), askTools())); err != nil || a.Text != "abc" || len(a.Calls) != 1 {
				t.Errorf("Stream beside others = %+v, %v; want abc and a call", a, err)
			}
		})
	}
	group.Wait()
}

func named(t *testing.T, newModel New) {
	if m := newModel(t, Reply{}); m.Name() == "" {
		t.Errorf("Name() = %q, want a name", m.Name())
	}
}
