package runs_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/runs"
)

// told is a state of a history in a line: each task with what it wrote, and what it asks.
func told(s runs.State) string {
	line := fmt.Sprint(s.Source, ":")
	for _, t := range s.Tasks {
		line += " " + t.Name
		for _, i := range t.Interrupts {
			line += "?" + string(i.Value)
		}
		if t.Result != nil {
			line += "=" + string(t.Result)
		}
	}
	return line
}

// listed is a history as a list.
func listed(states iter.Seq2[runs.State, error], _ runs.Thread, err error) (list []runs.State, _ error) {
	if err != nil {
		return nil, err
	}
	for s, err := range states {
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func (p *process) history(thread string, f runs.HistoryFilter) (lines []string, states []runs.State) {
	p.Helper()
	if f.Limit == 0 {
		f.Limit = 100
	}
	states, err := listed(p.History(p.Context(), thread, f))
	if err != nil {
		p.Fatalf("History = %v", err)
	}
	for _, s := range states {
		lines = append(lines, told(s))
	}
	return lines, states
}

// Each state of a history tells what the tasks that ran next wrote, and so does the state at that checkpoint by itself, and from a page that begins there.
func TestResults(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		for name, test := range map[string]struct {
			requests []runs.Request
			want     []string
		}{
			"one after the other": {[]runs.Request{request(`{"mode":"loop","n":2}`)}, []string{
				`loop:`, `loop: loop={"count":2}`, `loop: loop={"count":1}`, `input: __start__={"mode":"loop","n":2}`,
			}},
			"at once": {[]runs.Request{request(`{"mode":"fanout","n":2}`)}, []string{
				`loop:`, `loop: join={"answer":"2"}`, `loop: worker={"results":[1]} worker={"results":[4]}`, `loop: fanout={"results":[]}`,
				`input: __start__={"mode":"fanout","n":2}`,
			}},
			"asking": {[]runs.Request{request(`{"mode":"interrupt2"}`)}, []string{
				`loop: ask?{"ask":"a"} ask?{"ask":"b"}`, `loop: interrupt2={}`, `input: __start__={"mode":"interrupt2"}`,
			}},
			"failed": {[]runs.Request{request(`{"mode":"fail"}`)}, []string{`loop: fail`, `input: __start__={"mode":"fail"}`}},
			"two runs": {[]runs.Request{request(`{"mode":"loop","n":1}`), request(`{"mode":"loop","n":2}`)}, []string{
				`loop:`, `loop: loop={"count":2}`, `input: __start__={"mode":"loop","n":2}`,
				`loop:`, `loop: loop={"count":1}`, `input: __start__={"mode":"loop","n":1}`,
			}},
		} {
			thread := p.thread()
			for _, r := range test.requests {
				p.run(thread, r)
			}
			lines, states := p.history(thread, runs.HistoryFilter{})
			if diff := cmp.Diff(test.want, lines); diff != "" {
				t.Errorf("%s: history (-want +got):\n%s", name, diff)
				continue
			}
			for n, s := range states {
				one, _, err := p.State(p.Context(), thread, s.Checkpoint)
				if got := told(one); err != nil || got != lines[n] {
					t.Errorf("%s: State(%d) = %s, %v, want %s", name, n, got, err, lines[n])
				}
				if rest, _ := p.history(thread, runs.HistoryFilter{Before: s.Checkpoint}); !cmp.Equal(rest, lines[n+1:], cmp.Transformer("some", func(l []string) string { return strings.Join(l, "\n") })) {
					t.Errorf("%s: history before %d = %q, want %q", name, n, rest, lines[n+1:])
				}
			}
		}
	})
}

// What finished beside a task that asks is told while that waits; a task that was answered has a result and no question.
func TestResultsOfAnswers(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		p.run(thread, request(`{"mode":"interrupt2"}`))
		s, _, err := p.State(p.Context(), thread, "")
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range []string{
			`loop: ask={"results":["a=1"]} ask?{"ask":"b"}`,
			`loop: ask={"results":["a=1"]} ask={"results":["b=2"]}`,
		} {
			answer := fmt.Sprintf(`{"%s":%d}`, s.Tasks[n].Interrupts[0].ID, n+1)
			p.run(thread, runs.Request{AssistantID: "probe", Command: &runs.Command{Resume: []byte(answer)}})
			got, _, err := p.State(p.Context(), thread, s.Checkpoint)
			if err != nil || told(got) != want {
				t.Errorf("State after answer %d = %s, %v, want %s", n+1, told(got), err, want)
			}
		}
	})
}

// A record that has the whole state, because much was written before, still tells what was new.
func TestResultsOfSnapshots(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		large := strings.Repeat("a", 70<<10)
		p.run(thread, request(`{"mode":"echo","text":"`+large+`"}`))
		p.run(thread, request(`{"mode":"custom","text":"b"}`))
		lines, _ := p.history(thread, runs.HistoryFilter{})
		for n, line := range lines {
			lines[n] = strings.ReplaceAll(line, large, "LARGE")
			if at := strings.Index(lines[n], `"messages"`); at > 0 {
				lines[n] = lines[n][:at] + "…"
			}
		}
		want := []string{
			`loop:`, `loop: custom={"answer":"custom done"}`, `input: __start__={"mode":"custom","text":"b"}`,
			`loop:`, `loop: echo={"answer":"LARGE",…`, `input: __start__={"mode":"echo","text":"LARGE"}`,
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("history (-want +got):\n%s", diff)
		}
	})
}

// After a fork each checkpoint tells what first followed it.
func TestResultsOfForks(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		p.run(thread, request(`{"mode":"loop","n":2}`))
		_, states := p.history(thread, runs.HistoryFilter{})
		p.run(thread, runs.Request{AssistantID: "probe", CheckpointID: states[1].Checkpoint})
		want := []string{
			`loop:`, `loop:`, `loop: loop={"count":2}`, `loop: loop={"count":1}`, `input: __start__={"mode":"loop","n":2}`,
		}
		lines, _ := p.history(thread, runs.HistoryFilter{})
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("history (-want +got):\n%s", diff)
		}
	})
}
