package evals_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/evals"
	"annai/fault"
)

// good is an answer that keeps all rules.
func good() api.QueryResponse {
	return api.QueryResponse{
		Text: "[happy]Here are the events:\n- Study Group", Emotion: "excited", AgentName: "EventAgent", Language: "en",
		Metadata: api.Metadata{
			Confidence: 0.8, Category: "events", Sources: []string{"calendar"},
			ProcessingInfo: api.ProcessingInfo{Route: "event", RoutedBy: "rule"},
			SourceStatus:   map[string]string{"calendar": "ok", "knowledge_base": "empty"},
			TimeRange:      &api.TimeRange{Name: "today", Start: "2025-01-15T00:00:00+09:00", End: "2025-01-16T00:00:00+09:00", Explicit: true},
			AgentName:      "EventAgent", Language: "en",
		},
		Speech:      []api.Sentence{{Text: "There is one event.", Emotion: "happy"}},
		VRM:         api.VRM{Expression: "happy", Intensity: 1},
		Cards:       []api.Card{{Type: "event", Title: "Study Group", Location: "3F"}},
		Suggestions: []string{"How about tomorrow?"}, SessionID: "s", RunID: "r",
	}
}

// script answers turn after turn.
type script struct {
	answers []api.QueryResponse
	errs    []error
	turns   []dialog.Turn
}

func (s *script) Answer(_ context.Context, turn dialog.Turn) (api.QueryResponse, error) {
	s.turns = append(s.turns, turn)
	i := len(s.turns) - 1
	if i < len(s.errs) && s.errs[i] != nil {
		return api.QueryResponse{}, s.errs[i]
	}
	return s.answers[i], nil
}

func scripted(s *script) evals.NewAsker {
	return func(context.Context, evals.Setup) (evals.Asker, error) { return s, nil }
}

// failures asks one case that wants this of that answer.
func failures(t *testing.T, want string, answer api.QueryResponse, err error) []string {
	t.Helper()
	cases := load(t, head+"cases: [{say: hm, want: {"+want+"}}]")
	report := evals.Run(t.Context(), cases, scripted(&script{answers: []api.QueryResponse{answer}, errs: []error{err}}), evals.Options{})
	return report.Results[0].Turns[0].Failures
}

func TestWantFits(t *testing.T) {
	for _, want := range []string{
		`route: event, agent: EventAgent, category: events, language: en, emotion: excited, tag: "[happy]", inherited: false, confidence: 0.8`,
		`range: {name: today, start: 2025-01-15, end: "2025-01-16T00:00:00+09:00", explicit: true}`,
		`sources: [calendar], sourceStatus: {knowledge_base: empty}`,
		`text: "[happy]Here are the events:\n- Study Group", begins: "[happy]Here"`,
		`has: [study group, [nothing, events]], lacks: [tomorrow]`,
		`speech: {has: [one event], lacks: ["- "]}, suggestions: {has: [tomorrow], lacks: [week]}`,
		`cards: {titles: [Study Group], has: [3f], lacks: [4F]}`,
	} {
		if got := failures(t, want, good(), nil); len(got) > 0 {
			t.Errorf("want {%s}: failures %q, want none", want, got)
		}
	}
}

func TestWantFails(t *testing.T) {
	for _, c := range []struct{ want, failure string }{
		{`route: info`, `route = "event", want "info"`},
		{`agent: InfoAgent`, `agentName = "EventAgent", want "InfoAgent"`},
		{`category: info`, `category = "events", want "info"`},
		{`language: ja`, `language = "en", want "ja"`},
		{`emotion: helpful`, `emotion = "excited", want "helpful"`},
		{`tag: "[sad]"`, `tag = "[happy]", want "[sad]"`},
		{`inherited: true`, `contextInherited = false, want true`},
		{`confidence: 0.75`, `confidence = 0.8, want 0.75`},
		{`range: {none: true}`, `timeRange = today from 2025-01-15T00:00:00+09:00 to 2025-01-16T00:00:00+09:00, want none`},
		{`range: {name: tomorrow}`, `timeRange.name = "today", want "tomorrow"`},
		{`range: {start: 2025-01-14}`, `timeRange.start = "2025-01-15T00:00:00+09:00", want "2025-01-14"`},
		{`range: {end: "2025-01-16T00:00:00-05:00"}`, `timeRange.end = "2025-01-16T00:00:00+09:00", want "2025-01-16T00:00:00-05:00"`},
		{`range: {explicit: false}`, `timeRange.explicit = true, want false`},
		{`sources: []`, `sources = ["calendar"], want []`},
		{`sourceStatus: {calendar: error}`, `sourceStatus.calendar = "ok", want "error"`},
		{`text: hm`, `text = "[happy]Here are the events:\n- Study Group", want "hm"`},
		{`begins: hm`, `text does not begin with "hm"`},
		{`has: [[a pool, a bath]]`, `text lacks "a pool" or "a bath"`},
		{`lacks: [EVENTS]`, `text has "EVENTS"`},
		{`speech: {has: [two]}`, `speech lacks "two"`},
		{`suggestions: {lacks: [tomorrow]}`, `suggestions has "tomorrow"`},
		{`cards: {titles: []}`, `titles of cards = ["Study Group"], want []`},
		{`cards: {lacks: [3F]}`, `cards has "3F"`},
		{`options: [a, b]`, `interrupt is null, want one with the options ["a" "b"]`},
		{`error: notFound`, `the error's kind = "none", want "notFound"`},
	} {
		if diff := cmp.Diff([]string{c.failure}, failures(t, c.want, good(), nil)); diff != "" {
			t.Errorf("want {%s} (-want +got):\n%s", c.want, diff)
		}
	}
}

func TestWantInterrupt(t *testing.T) {
	asking := good()
	asking.Interrupt = &api.Interrupt{ID: "i", Question: "Which one?", Options: []string{"a", "b"}}
	if got := failures(t, `options: [a, b], question: [which]`, asking, nil); len(got) > 0 {
		t.Errorf("failures %q, want none", got)
	}
	for _, c := range []struct{ want, failure string }{
		{`route: event`, `asks "Which one?", want no interrupt`},
		{`options: [a]`, `options of the interrupt = ["a" "b"], want ["a"]`},
		{`question: [where]`, `the interrupt's question lacks "where"`},
	} {
		if diff := cmp.Diff([]string{c.failure}, failures(t, c.want, asking, nil)); diff != "" {
			t.Errorf("want {%s} (-want +got):\n%s", c.want, diff)
		}
	}
}

func TestWantError(t *testing.T) {
	err := fmt.Errorf("resume: %w", fault.ErrNotFound)
	if got := failures(t, "error: notFound", api.QueryResponse{}, err); len(got) > 0 {
		t.Errorf("failures %q, want none", got)
	}
	want := []string{`the error's kind = "notFound", want "conflict"`}
	if diff := cmp.Diff(want, failures(t, "error: conflict", api.QueryResponse{}, err)); diff != "" {
		t.Errorf("another error (-want +got):\n%s", diff)
	}
	if got := failures(t, "route: event", api.QueryResponse{}, err); len(got) != 1 || !strings.Contains(got[0], "resume") {
		t.Errorf("failures %q, want one that has the error", got)
	}
}

// TestAlways breaks one rule at a time that holds for all answers.
func TestAlways(t *testing.T) {
	for name, c := range map[string]struct {
		breaks func(*api.QueryResponse)
		wants  string
	}{
		"no tag":            {func(r *api.QueryResponse) { r.Text = "Here are the events" }, `tag = ""`},
		"another tag":       {func(r *api.QueryResponse) { r.Text = "[sad]Here" }, `tag = "[sad]"`},
		"two tags":          {func(r *api.QueryResponse) { r.Text += "[sad]" }, "bracket"},
		"only a tag":        {func(r *api.QueryResponse) { r.Text = "[happy] " }, "says nothing"},
		"unknown emotion":   {func(r *api.QueryResponse) { r.Emotion = "hungry" }, "none of those that are published"},
		"another face":      {func(r *api.QueryResponse) { r.VRM.Expression = "sad" }, "vrm.expression"},
		"silence":           {func(r *api.QueryResponse) { r.Speech = nil }, "speech is empty"},
		"a tag is spoken":   {func(r *api.QueryResponse) { r.Speech[0].Text = "[sad]" }, "speech has"},
		"a face in between": {func(r *api.QueryResponse) { r.Speech[0].Emotion = "sad" }, "emotion of a sentence"},
		"unknown agent":     {func(r *api.QueryResponse) { r.AgentName, r.Metadata.AgentName = "X", "X" }, "none of the agents"},
		"two agents":        {func(r *api.QueryResponse) { r.Metadata.AgentName = "InfoAgent" }, "metadata.agentName"},
		"another category":  {func(r *api.QueryResponse) { r.Metadata.Category = "info" }, "category of EventAgent"},
		"two languages":     {func(r *api.QueryResponse) { r.Metadata.Language = "ja" }, "metadata.language"},
		"another language":  {func(r *api.QueryResponse) { r.Language, r.Metadata.Language = "fr", "fr" }, `language = "fr"`},
		"too confident":     {func(r *api.QueryResponse) { r.Metadata.Confidence = 1.5 }, "confidence = 1.5"},
		"enhanced":          {func(r *api.QueryResponse) { r.Metadata.ProcessingInfo.EnhancedRAG = true }, "enhancedRag"},
		"null sources":      {func(r *api.QueryResponse) { r.Metadata.Sources = nil }, "sources is null"},
		"an idle source":    {func(r *api.QueryResponse) { r.Metadata.Sources = []string{"knowledge_base"} }, `sources has "knowledge_base"`},
		"unknown status":    {func(r *api.QueryResponse) { r.Metadata.SourceStatus["knowledge_base"] = "?" }, `sourceStatus.knowledge_base = "?"`},
		"time without zone": {func(r *api.QueryResponse) { r.Metadata.TimeRange.Start = "2025-01-15T00:00:00" }, "no range of times"},
		"reversed range":    {func(r *api.QueryResponse) { r.Metadata.TimeRange.End = r.Metadata.TimeRange.Start }, "no range of times"},
		"unknown range":     {func(r *api.QueryResponse) { r.Metadata.TimeRange.Name = "someday" }, "none of the ranges"},
		"no session":        {func(r *api.QueryResponse) { r.SessionID = "" }, "want both"},
	} {
		answer := good()
		c.breaks(&answer)
		got := failures(t, `has: [""]`, answer, nil)
		if !strings.Contains(strings.Join(got, "\n"), c.wants) {
			t.Errorf("%s: failures %q, want one with %q", name, got, c.wants)
		}
	}
}

func TestRunTalks(t *testing.T) {
	cases := load(t, head+`cases:
  - name: talk
    timezone: America/New_York
    language: ja
    format: spec
    turns:
      - {say: One, want: {options: [a, b]}}
      - {say: Other, session: b, now: "2025-01-15T10:01:00+09:00", want: {route: event}}
      - {pick: "2", want: {route: event}}
      - {say: Wrong, want: {route: info}}
      - {say: Never, want: {route: event}}
`)
	asking := good()
	asking.Interrupt = &api.Interrupt{ID: "open", Options: []string{"a", "b"}}
	s := &script{answers: []api.QueryResponse{asking, good(), good(), good()}}
	var now func() time.Time
	report := evals.Run(t.Context(), cases, func(_ context.Context, setup evals.Setup) (evals.Asker, error) {
		now = setup.Now
		return s, nil
	}, evals.Options{})
	if len(s.turns) != 4 || report.Passed() {
		t.Fatalf("asked %d turns, passed %t, want 4 and false: the talk ends at the first failure", len(s.turns), report.Passed())
	}
	one, other, pick := s.turns[0], s.turns[1], s.turns[2]
	if one.Query != "One" || one.Language != "ja" || !one.SpecFormat || one.Location.String() != "America/New_York" || one.Resume != nil {
		t.Errorf("first turn = %+v, want that of the case", one)
	}
	if other.SessionID == one.SessionID || pick.SessionID != one.SessionID {
		t.Errorf("sessions %q, %q, %q, want the first and the last to be the same", one.SessionID, other.SessionID, pick.SessionID)
	}
	if pick.Resume == nil || pick.Resume.InterruptID != "open" || string(pick.Resume.Value) != "2" {
		t.Errorf("resume = %+v, want 2 for the interrupt open", pick.Resume)
	}
	if got := now().UTC().Format(time.TimeOnly); got != "01:01:00" {
		t.Errorf("the clock says %s at the end, want 01:01:00", got)
	}
}

func TestMain(t *testing.T) {
	step := time.Unix(0, 0)
	clock := func() time.Time { step = step.Add(1500 * time.Microsecond); return step }
	files := folder(head + `tag: one
cases:
  - {say: Right, want: {route: event}}
  - {say: Wrong, tag: two, want: {route: info, has: [a pool]}}
`)
	var out strings.Builder
	answers := []api.QueryResponse{good()}
	passed, err := evals.Main(t.Context(), files, func(context.Context, evals.Setup) (evals.Asker, error) {
		return &script{answers: answers}, nil
	}, &out, evals.Options{Clock: clock})
	if passed || err != nil {
		t.Errorf("Main = %t, %v, want false and no error", passed, err)
	}
	want := `cases      number  passed  failed  p50 ms  p95 ms
cases one  1       1       0       1.50    1.50
cases two  1       0       1       1.50    1.50
all        2       1       1       1.50    1.50

cases: Wrong
  > Wrong
  < [happy]Here are the events:
    - Study Group
  ! route = "event", want "info"
  ! text lacks "a pool"
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestMainPasses(t *testing.T) {
	var out strings.Builder
	passed, err := evals.Main(t.Context(), folder(head+"cases: [{say: Right, want: {route: event}}]"),
		scripted(&script{answers: []api.QueryResponse{good()}}), &out, evals.Options{})
	if !passed || err != nil || !strings.Contains(out.String(), "all    1       1       0       -       -") {
		t.Errorf("Main = %t, %v, want true and a table without times:\n%s", passed, err, out.String())
	}
}

func TestMainFails(t *testing.T) {
	right := folder(head + "cases: [{say: Right, want: {route: event}}]")
	broken := errors.New("no venue")
	newBroken := func(context.Context, evals.Setup) (evals.Asker, error) { return nil, broken }
	var out strings.Builder
	if passed, err := evals.Main(t.Context(), right, newBroken, &out, evals.Options{}); passed || err != nil || !strings.Contains(out.String(), "no venue") {
		t.Errorf("Main without a concierge = %t, %v, want false and the reason in the table:\n%s", passed, err, out.String())
	}
	if _, err := evals.Main(t.Context(), folder(""), newBroken, &out, evals.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Main without cases = %v, want ErrInvalid", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := evals.Main(ctx, right, newBroken, &out, evals.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Main of a cancelled context = %v, want context.Canceled", err)
	}
	if _, err := evals.Main(t.Context(), right, newBroken, fullDisk{}, evals.Options{}); !errors.Is(err, errFull) {
		t.Errorf("Main that cannot write = %v, want the writer's error", err)
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
