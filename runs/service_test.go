package runs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/runs"
	runsmem "annai/runs/mem"
	"annai/runs/probe"
	"annai/storage/mem"
)

// world is what processes share: a store and checkpoints.
type world struct {
	*testing.T

	store       runs.Store
	checkpoints *mem.Store
	meaning     runs.Meaning
	vectors     func() (runs.Vectors, error)
	posted      []string
	mu          sync.Mutex
}

// process is one service in the world.
type process struct {
	*runs.Service
	*world

	stop func()
}

// bubble runs a test with a clock of its own.
func bubble(t *testing.T, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(&world{T: t, store: runsmem.New(runsmem.Options{}), checkpoints: mem.New()})
	})
}

// process starts a service; it stops with the test, or earlier.
func (w *world) process(opts runs.Options) *process {
	w.Helper()
	ids := 0
	newID := func() string {
		w.mu.Lock()
		defer w.mu.Unlock()
		ids++
		return runs.AssistantID(fmt.Sprintf("%p %d", &ids, ids))
	}
	graphs, err := probe.Graphs(mem.NewBehind(w.checkpoints, 50*time.Millisecond), time.Now, newID)
	if err != nil {
		w.Fatal(err)
	}
	opts.NewID = newID
	s, err := runs.New(runs.Parts{
		Store: w.store, Queue: runsmem.NewQueue(w.store, time.Now, runsmem.QueueOptions{}), Graphs: graphs, Now: time.Now, Meaning: w.meaning,
		NewVectors: w.vectors,
		Post: func(_ context.Context, id, url string, body []byte) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.posted = append(w.posted, url+" "+id+" "+string(body))
			return nil
		},
	}, opts)
	if err != nil {
		w.Fatal(err)
	}
	return w.working(s)
}

// working has a service work until the test ends, or earlier.
func (w *world) working(s *runs.Service) *process {
	w.Helper()
	if err := s.Prepare(w.Context()); err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.Context()))
	var work sync.WaitGroup
	work.Go(func() { _ = s.Work(ctx) })
	stop := sync.OnceFunc(func() { cancel(); work.Wait() })
	w.Cleanup(stop)
	return &process{s, w, stop}
}

func (p *process) thread() string {
	p.Helper()
	t, err := p.CreateThread(p.Context(), runs.NewThread{})
	if err != nil {
		p.Fatal(err)
	}
	return t.ID
}

func request(input string) runs.Request {
	return runs.Request{AssistantID: "probe", Input: json.RawMessage(input)}
}

// run runs to the end and returns the answer of the state.
func (p *process) run(thread string, r runs.Request) (runs.Result, string) {
	p.Helper()
	b, err := p.Begin(p.Context(), thread, r, true)
	if err != nil {
		p.Fatalf("Begin(%s) = %v", r.Input, err)
	}
	result, err := b.Wait(p.Context())
	if err != nil {
		p.Fatalf("Wait = %v", err)
	}
	return result, answerOf(p, result.Values)
}

func answerOf(t testing.TB, values json.RawMessage) string {
	t.Helper()
	var v struct{ Answer string }
	if err := json.Unmarshal(values, &v); err != nil {
		t.Fatal(err)
	}
	return v.Answer
}

// create makes a run in the background.
func (p *process) create(thread string, r runs.Request) runs.Run {
	p.Helper()
	run, err := p.Create(p.Context(), thread, r)
	if err != nil {
		p.Fatalf("Create(%s) = %v", r.Input, err)
	}
	return run
}

// ended waits for the run and returns how it ended; "gone" if it is not there.
func (p *process) ended(r runs.Run) string {
	p.Helper()
	result, err := p.Wait(p.Context(), r)
	if errors.Is(err, fault.ErrNotFound) {
		return "gone"
	}
	if err != nil {
		p.Fatalf("Wait(%s) = %v", r.ID, err)
	}
	return string(result.Status)
}

func (p *process) want(what string, got, want any) {
	p.Helper()
	if d := cmp.Diff(want, got); d != "" {
		p.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestWaitAndThread(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		result, answer := p.run(thread, request(`{"mode":"echo","text":"hi"}`))
		p.want("answer", answer, "hi")
		p.want("status", result.Status, runs.RunSuccess)
		_, answer = p.run("", request(`{"mode":"config"}`))
		p.want("answer of a run without a thread", answer, `{"tag":null,"context_tag":null}`)
		list, n, err := p.SearchThreads(p.Context(), runs.ThreadFilter{Page: runs.Page{Limit: 10}})
		if err != nil {
			p.Fatal(err)
		}
		p.want("threads that are left", n, 1)
		p.want("values of the thread", answerOf(p, list[0].Values), "hi")
		if _, err := p.Begin(p.Context(), thread, runs.Request{AssistantID: "agent", Input: json.RawMessage(`{}`)}, true); !errors.Is(err, fault.ErrInvalid) {
			p.Errorf("Begin of another graph on the thread = %v, want ErrInvalid", err)
		}
	})
}

func TestStrategies(t *testing.T) {
	for _, test := range []struct {
		strategy runs.Strategy
		first    string
		results  string
	}{
		{runs.Enqueue, "success", `["first"]`},
		{runs.InterruptOther, "interrupted", ``},
		{runs.RollbackOther, "gone", ``},
	} {
		t.Run(string(test.strategy), func(t *testing.T) {
			bubble(t, func(w *world) {
				p := w.process(runs.Options{})
				thread := p.thread()
				first := p.create(thread, request(`{"mode":"slow","delay_ms":1000,"text":"first"}`))
				time.Sleep(300 * time.Millisecond)
				refused := request(`{}`)
				refused.Strategy = runs.Reject
				if _, err := p.Create(p.Context(), thread, refused); !errors.Is(err, runs.ErrBusy) {
					p.Errorf("Create on a busy thread = %v, want ErrBusy", err)
				}
				next := request(`{"mode":"echo","text":"second"}`)
				next.Strategy = test.strategy
				second := p.create(thread, next)
				p.want("second run", p.ended(second), "success")
				p.want("first run", p.ended(first), test.first)
				state, _, err := p.State(p.Context(), thread, "")
				if err != nil {
					p.Fatal(err)
				}
				var values struct {
					Answer  string
					Results json.RawMessage
				}
				if err := json.Unmarshal(state.Values, &values); err != nil {
					p.Fatal(err)
				}
				p.want("answer", values.Answer, "second")
				p.want("results", string(values.Results), test.results)
			})
		})
	}
}

// TestNoStrategy: a run that names no strategy waits on a busy thread, and is not logged on an idle one.
func TestNoStrategy(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		first := p.create(thread, request(`{"mode":"slow","delay_ms":1000,"text":"first"}`))
		time.Sleep(300 * time.Millisecond)
		waiting, err := p.Begin(p.Context(), thread, request(`{"mode":"echo","text":"second"}`), true)
		if err != nil {
			p.Fatal(err)
		}
		p.want("strategy", waiting.Run.Strategy, runs.Enqueue)
		p.want("logged, of one that waits", waiting.Run.Kwargs.Logged, true)
		if _, err := waiting.Wait(p.Context()); err != nil {
			p.Fatal(err)
		}
		p.want("the run before", p.ended(first), "success")
		idle, err := p.Begin(p.Context(), thread, request(`{"mode":"echo","text":"third"}`), true)
		if err != nil {
			p.Fatal(err)
		}
		p.want("logged, of one at once", idle.Run.Kwargs.Logged, false)
		if _, err := idle.Wait(p.Context()); err != nil {
			p.Fatal(err)
		}
		state, _, err := p.State(p.Context(), thread, "")
		if err != nil {
			p.Fatal(err)
		}
		p.want("answer", answerOf(p, state.Values), "third")
	})
}

func TestCancel(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		p.run(thread, request(`{"mode":"echo","text":"keep"}`))
		for how, want := range map[runs.Action]string{runs.CancelInterrupt: "interrupted", runs.CancelRollback: "gone"} {
			r := p.create(thread, request(`{"mode":"slow","delay_ms":60000,"text":"new"}`))
			time.Sleep(time.Second)
			if err := p.Cancel(p.Context(), thread, r.ID, how, true); err != nil {
				p.Fatal(err)
			}
			p.want("run after "+string(how), p.ended(r), want)
		}
		later := request(`{"mode":"echo"}`)
		later.AfterSeconds = 60
		r := p.create(thread, later)
		if err := p.Cancel(p.Context(), thread, r.ID, runs.CancelInterrupt, true); err != nil {
			p.Fatal(err)
		}
		p.want("run that had not begun", p.ended(r), "interrupted")
		p.want("status of the thread", must(p.Thread(p.Context(), thread)).Status, runs.ThreadIdle)
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestRollbackHidesWhatTheRunWrote(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		p.run(thread, request(`{"mode":"echo","text":"keep"}`))
		_, before := p.history(thread, runs.HistoryFilter{})
		r := p.create(thread, request(`{"mode":"slow","delay_ms":60000,"text":"gone"}`))
		time.Sleep(time.Second)
		gone, _ := must2(p.State(p.Context(), thread, ""))
		if err := p.Cancel(p.Context(), thread, r.ID, runs.CancelRollback, true); err != nil {
			p.Fatal(err)
		}
		if _, _, err := p.State(p.Context(), thread, gone.Checkpoint); gone.RunID != r.ID || !errors.Is(err, fault.ErrNotFound) {
			p.Errorf("State of what was rolled back = %v, want ErrNotFound", err)
		}
		if _, err := listed(p.History(p.Context(), thread, runs.HistoryFilter{Limit: 1, At: gone.Checkpoint})); !errors.Is(err, fault.ErrNotFound) {
			p.Errorf("History at what was rolled back = %v, want ErrNotFound", err)
		}
		_, after := p.history(thread, runs.HistoryFilter{})
		p.want("checkpoints, but for the one that goes back", after[1:], before)
		p.want("values", string(after[0].Values), string(before[0].Values))
	})
}

func must2[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		panic(err)
	}
	return a, b
}

// A process that dies leaves a lease, and another one goes on when that has run out.
func TestTakeOver(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		now := time.Now().UTC()
		r, err := w.store.CreateRun(p.Context(), runs.Start{
			Run: runs.Run{
				ID: runs.AssistantID("r"), ThreadID: thread, GraphID: "probe", CreatedAt: now, Strategy: runs.Enqueue,
				Kwargs: runs.Kwargs{Input: json.RawMessage(`{"mode":"echo","text":"left"}`), StreamMode: []runs.Mode{runs.ModeValues}, Logged: true},
			},
			Owner: "dead", LeaseUntil: now.Add(10 * time.Second),
		})
		if err != nil {
			p.Fatal(err)
		}
		p.want("run that was left", p.ended(r), "success")
		done := must(p.Run(p.Context(), thread, r.ID))
		p.want("attempts", done.Attempt, 2)
		p.want("takeovers", must(p.Figures(p.Context())).Takeovers, int64(1))
		if waited := done.EndedAt.Sub(now); waited < 10*time.Second || waited > 13*time.Second {
			p.Errorf("the run ended after %v, want soon after the lease of 10s", waited)
		}
	})
}

// A service that stops gives back what it has begun; another one goes on where it was, and who follows the run misses nothing.
func TestStopGivesBack(t *testing.T) {
	bubble(t, func(w *world) {
		first, second := w.process(runs.Options{}), (*process)(nil)
		thread := first.thread()
		slow := request(`{"mode":"slow","delay_ms":2000,"text":"x"}`)
		slow.StreamMode, slow.Resumable = runs.Modes{runs.ModeCustom, runs.ModeValues}, true
		run := first.create(thread, slow)
		time.Sleep(time.Second)
		first.stop()
		second = w.process(runs.Options{})
		last, ticks := int64(0), 0
		for e, err := range second.Follow(second.Context(), run, 0) {
			if err != nil {
				second.Fatal(err)
			}
			if e.ID <= last {
				second.Errorf("event %d after event %d", e.ID, last)
			}
			last = e.ID
			if e.Kind == runs.KindCustom {
				ticks++
			}
		}
		second.want("run", second.ended(run), "success")
		second.want("attempts", must(second.Run(second.Context(), thread, run.ID)).Attempt, 2)
		if ticks < 14 { // some of the first attempt, all ten of the second
			second.Errorf("%d ticks were told, want those of both attempts", ticks)
		}
	})
}

func TestInterruptsAndCommands(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		result, _ := p.run(thread, request(`{"mode":"interrupt2"}`))
		p.want("questions", len(result.Interrupts), 2)
		p.want("thread", must(p.Thread(p.Context(), thread)).Status, runs.ThreadInterrupted)
		answers := fmt.Sprintf(`{%q:"one",%q:"two"}`, result.Interrupts[0].ID, result.Interrupts[1].ID)
		result, _ = p.run(thread, runs.Request{AssistantID: "probe", Command: &runs.Command{Resume: json.RawMessage(answers)}})
		var values struct{ Results []string }
		if err := json.Unmarshal(result.Values, &values); err != nil {
			p.Fatal(err)
		}
		p.want("results", values.Results, []string{`a="one"`, `b="two"`})
		_, answer := p.run(thread, runs.Request{AssistantID: "probe", Command: &runs.Command{
			Update: json.RawMessage(`{"text":"jumped"}`), Goto: []runs.Goto{{Node: "echo"}},
		}})
		p.want("answer after update and goto", answer, "jumped")
		wrong := runs.Request{AssistantID: "probe", Command: &runs.Command{Goto: []runs.Goto{{Node: "nowhere"}}}}
		result, _ = p.run(thread, wrong)
		p.want("goto nowhere", result.Status, runs.RunError)
		before := request(`{"mode":"echo","text":"x"}`)
		before.InterruptBefore = runs.Names{"*"}
		result, _ = p.run(thread, before)
		p.want("paused before a node", result.Paused, true)
		_, answer = p.run(thread, runs.Request{AssistantID: "probe"})
		p.want("answer of the run that goes on", answer, "x")
	})
}

func TestForkFromBeforeTheFirstInput(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		thread := p.thread()
		p.run(thread, request(`{"mode":"echo","text":"one"}`))
		_, history := p.history(thread, runs.HistoryFilter{})
		root := history[len(history)-1]
		p.want("first checkpoint", []any{root.Source, root.Step, string(root.Values), root.Parent}, []any{"input", -1, "{}", ""})
		fork := request(`{"mode":"echo","text":"two"}`)
		fork.CheckpointID = root.Checkpoint
		result, _ := p.run(thread, fork)
		var values struct{ Messages []runs.Object }
		if err := json.Unmarshal(result.Values, &values); err != nil {
			p.Fatal(err)
		}
		p.want("messages of the fork", len(values.Messages), 1)
		_, history = p.history(thread, runs.HistoryFilter{})
		p.want("what the fork comes from", history[2].Parent, root.Checkpoint)
	})
}

func TestCrons(t *testing.T) {
	bubble(t, func(w *world) { // its clock begins at midnight of 2000-01-01, UTC
		p, other := w.process(runs.Options{}), w.process(runs.Options{})
		thread := p.thread()
		cron, err := p.CreateCron(p.Context(), thread, runs.NewCron{
			Request: request(`{"mode":"echo","text":"tick"}`), Schedule: "30 9 * * *", Timezone: "Asia/Tokyo",
		})
		if err != nil {
			p.Fatal(err)
		}
		p.want("half past nine in Tokyo", cron.NextRun.Format(time.RFC3339), "2000-01-01T00:30:00Z")
		time.Sleep(24*time.Hour + 31*time.Minute)
		synctest.Wait()
		_, n := must2(other.ListRuns(p.Context(), runs.RunFilter{ThreadID: thread, Page: runs.Page{Limit: 10}}))
		p.want("runs after a day, of two processes", n, 2)
		for _, wrong := range []runs.NewCron{
			{Request: request(`{}`), Schedule: "every day"},
			{Request: request(`{}`), Schedule: "CRON_TZ=UTC 0 0 * * *"},
			{Request: request(`{}`), Schedule: "0 0 * * *", Timezone: "Mars/Base"},
		} {
			if _, err := p.CreateCron(p.Context(), "", wrong); !errors.Is(err, fault.ErrInvalid) {
				p.Errorf("CreateCron(%q, %q) = %v, want ErrInvalid", wrong.Schedule, wrong.Timezone, err)
			}
		}
	})
}

func TestThreadsExpire(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{GraphTTL: map[string]time.Duration{"probe": 3 * time.Minute}})
		used, fresh := p.thread(), p.thread()
		p.run(used, request(`{"mode":"echo","text":"private"}`))
		time.Sleep(2 * time.Minute)
		if _, err := p.Thread(p.Context(), used); err != nil {
			p.Errorf("Thread within its time = %v", err)
		}
		time.Sleep(2 * time.Minute)
		if _, err := p.Thread(p.Context(), used); !errors.Is(err, fault.ErrNotFound) {
			p.Errorf("Thread after its time = %v, want ErrNotFound", err)
		}
		if _, newest, _ := w.checkpoints.Load(p.Context(), used, "", 0); newest != 0 {
			p.Errorf("the checkpoints of an expired thread are still there")
		}
		if _, err := p.Thread(p.Context(), fresh); err != nil {
			p.Errorf("Thread of no graph = %v", err)
		}
		slow := p.create("", request(`{"mode":"echo"}`))
		p.want("background run without a thread", p.ended(slow), "success")
		time.Sleep(time.Hour)
		if _, err := p.Run(p.Context(), "", slow.ID); !errors.Is(err, fault.ErrNotFound) {
			p.Errorf("run of an expired temporary thread = %v, want ErrNotFound", err)
		}
	})
}

// A reader who does not read is told that events are lost, one who leaves is not missed, and the runs come to their end all the same.
func TestSlowReader(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		many := request(`{"mode":"fanout","n":1000}`)
		many.StreamMode = runs.Modes{runs.ModeDebug}
		slow := must(p.Begin(p.Context(), p.thread(), many, false))
		p.want("run whose reader does not read", must(slow.Wait(p.Context())).Status, runs.RunSuccess)
		var failed error
		for _, err := range slow.Follow(p.Context()) {
			failed = err
		}
		if !errors.Is(failed, runs.ErrSlow) {
			p.Errorf("Follow of a reader who was too slow = %v, want ErrSlow", failed)
		}
		long := request(`{"mode":"slow","delay_ms":1000}`)
		long.StreamMode = many.StreamMode
		left := must(p.Begin(p.Context(), p.thread(), long, false))
		for range left.Follow(p.Context()) {
			break
		}
		p.want("run whose reader left", must(left.Wait(p.Context())).Status, runs.RunSuccess)
	})
}

func TestWebhook(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		r := request(`{"mode":"fail","text":"boom"}`)
		r.Webhook = "https://hook.example/x"
		p.run("", r)
		synctest.Wait()
		if len(w.posted) != 1 || !strings.HasPrefix(w.posted[0], r.Webhook+" msg_") || !strings.Contains(w.posted[0], `"status":"error"`) {
			p.Errorf("posted = %q, want one report of the failure", w.posted)
		}
	})
}

// TestChangedAssistant: a run is that of the assistant as it is, and not as it was when the last run began.
func TestChangedAssistant(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		other := w.process(runs.Options{})
		a := must(p.CreateAssistant(p.Context(), runs.NewAssistant{GraphID: "probe"}))
		begin := func(p *process) (runs.Run, error) {
			r := request(`{"mode":"echo"}`)
			r.AssistantID = a.ID
			b, err := p.Begin(p.Context(), "", r, true)
			if err != nil {
				return runs.Run{}, err
			}
			return must(b.Wait(p.Context())).Run, nil
		}
		for _, name := range []string{"one", "two"} {
			changed := runs.NewAssistant{Context: runs.Object{"name": name}}
			must(p.UpdateAssistant(p.Context(), a.ID, changed))
			for _, process := range []*process{p, other} {
				p.want("the context of a run", must(begin(process)).Kwargs.Context["name"], any(name))
			}
		}
		must(p.SetLatest(p.Context(), a.ID, 2))
		p.want("after SetLatest", must(begin(other)).Kwargs.Context["name"], any("one"))
		if err := p.DeleteAssistant(p.Context(), a.ID, false); err != nil {
			p.Fatal(err)
		}
		if _, err := begin(other); !errors.Is(err, fault.ErrNotFound) {
			p.Errorf("a run of an assistant that is gone = %v, want ErrNotFound", err)
		}
	})
}

// TestHeldCheckpoints: a run that only its caller hears writes no checkpoints unless it takes long or says when
// they are written; and whoever goes on with it comes to the same end.
func TestHeldCheckpoints(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		begin := func(durability string) *runs.Begun {
			r := request(`{"mode":"slow","delay_ms":1000,"text":"heard"}`)
			r.Durability, r.Webhook = durability, "https://hook.example/x"
			return must(p.Begin(p.Context(), "", r, true))
		}
		kept := func(b *runs.Begun) bool {
			_, newest, _ := w.checkpoints.Load(w.Context(), b.Run.ThreadID, "", 0)
			return newest > 0
		}
		first, sync := begin(""), begin("sync")
		time.Sleep(20 * time.Millisecond)
		p.want("kept of a young run", kept(first), false)
		p.want("kept of one that wants it", kept(sync), true)
		time.Sleep(40 * time.Millisecond)
		p.want("kept of one that takes long", kept(first), true)
		p.want("how it ended", must(first.Wait(p.Context())).Status, runs.RunSuccess)
		p.want("kept of one that is over", kept(first), false)

		last := begin("")
		time.Sleep(20 * time.Millisecond)
		p.stop()
		time.Sleep(time.Second)
		p.want("kept of one that somebody else goes on with", kept(last), false)
		synctest.Wait()
		w.posted = nil
		w.process(runs.Options{})
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(w.posted) != 1 || !strings.Contains(w.posted[0], "slow done:heard") {
			p.Errorf("posted = %q, want the answer", w.posted)
		}
	})
}

func TestTooManyRuns(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{MaxActive: 1})
		b := must(p.Begin(p.Context(), "", request(`{"mode":"slow","delay_ms":1000}`), true))
		if _, err := p.Begin(p.Context(), "", request(`{}`), true); !errors.Is(err, fault.ErrUnavailable) {
			p.Errorf("Begin of one run more = %v, want ErrUnavailable", err)
		}
		p.want("the first", must(b.Wait(p.Context())).Status, runs.RunSuccess)
	})
}

func TestRequests(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{})
		for _, test := range []struct {
			body string
			want error
		}{
			{`{"assistant_id":"nobody"}`, fault.ErrNotFound},
			{`{}`, fault.ErrInvalid},
			{`{"assistant_id":"probe","multitask_strategy":"never"}`, fault.ErrInvalid},
			{`{"assistant_id":"probe","input":{},"command":{"goto":"echo"}}`, fault.ErrInvalid},
			{`{"assistant_id":"probe","after_seconds":-1}`, fault.ErrInvalid},
			{`{"assistant_id":"probe","webhook":"javascript:alert(1)"}`, fault.ErrInvalid},
			{`{"assistant_id":"probe","webhook":"https://user:word@hook.example/"}`, fault.ErrInvalid},
			{`{"assistant_id":"probe","webhook":"/hook"}`, fault.ErrInvalid},
			{`{"assistant_id":"probe","input":{},"stream_mode":"values","command":null,"unknown":1}`, nil},
		} {
			var r runs.Request
			if err := json.Unmarshal([]byte(test.body), &r); err != nil {
				p.Fatal(err)
			}
			if _, err := p.Begin(p.Context(), "", r, true); !errors.Is(err, test.want) {
				p.Errorf("Begin(%s) = %v, want %v", test.body, err, test.want)
			}
		}
	})
}

// FuzzRequest reads what anybody may send.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"assistant_id":"a","stream_mode":["values"],"interrupt_before":"*","checkpoint":{"checkpoint_id":"x"}}`,
		`{"command":{"resume":1,"goto":["a",{"node":"b","input":{}}],"update":null}}`, `{"checkpoint":"x","stream_mode":"debug"}`, `{"command":{"goto":{}}}`, `[]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r runs.Request
		if json.Unmarshal([]byte(text), &r) != nil {
			return
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("Marshal of what was read: %v", err)
		}
		var again runs.Request
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatalf("Unmarshal(%s) = %v, which was made of %q", data, err, text)
		}
	})
}
