package runs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/graph"
	"annai/runs"
	runsmem "annai/runs/mem"
)

// mortal is what a process writes to, until it dies: with the write to its checkpoints, the events of a log or its crons whose number is at.
type mortal struct {
	at     int64
	writes atomic.Int64
	dead   atomic.Bool
}

var errDead = errors.New("the process is dead")

// write does a write, and dies of it if it is the one.
func (m *mortal) write(do func() error) error {
	if m.dead.Load() {
		return errDead
	}
	number := m.writes.Add(1)
	err := do()
	if number == m.at {
		m.dead.Store(true)
		return errDead
	}
	return err
}

type (
	mortalThreads struct {
		graph.Checkpointer

		m *mortal
	}
	mortalStore struct {
		runs.Store

		m *mortal
	}
	mortalQueue struct {
		runs.Queue

		m *mortal
	}
)

func (t mortalThreads) Put(ctx context.Context, thread string, r graph.Record) error {
	return t.m.write(func() error { return t.Checkpointer.Put(ctx, thread, r) })
}

func (t mortalThreads) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	return t.m.write(func() error { return t.Checkpointer.PutWrites(ctx, thread, w) })
}

func (s mortalStore) AppendEvents(ctx context.Context, thread, run, owner string, events []runs.Event) (id int64, err error) {
	lost := s.m.write(func() error { id, err = s.Store.AppendEvents(ctx, thread, run, owner, events); return err })
	if errors.Is(lost, errDead) {
		err = runs.ErrLost
	}
	return id, err
}

func (s mortalStore) RenewRun(ctx context.Context, thread, id, owner string, until time.Time) (runs.Run, error) {
	if s.m.dead.Load() {
		return runs.Run{}, runs.ErrLost
	}
	return s.Store.RenewRun(ctx, thread, id, owner, until)
}

func (s mortalStore) FinishRun(ctx context.Context, f runs.Finish) error {
	if s.m.dead.Load() {
		return runs.ErrLost
	}
	return s.Store.FinishRun(ctx, f)
}

func (s mortalStore) ClaimRun(ctx context.Context, thread, id, owner string, now, until time.Time) (runs.Run, error) {
	if s.m.dead.Load() {
		return runs.Run{}, runs.ErrBusy
	}
	return s.Store.ClaimRun(ctx, thread, id, owner, now, until)
}

func (s mortalStore) UpdateCron(ctx context.Context, id string, change func(*runs.Cron) error) (c runs.Cron, err error) {
	lost := s.m.write(func() error { c, err = s.Store.UpdateCron(ctx, id, change); return err })
	return c, lost
}

func (q mortalQueue) Enqueue(ctx context.Context, s runs.Start) (r runs.Run, err error) {
	lost := q.m.write(func() error { r, err = q.Queue.Enqueue(ctx, s); return err })
	return r, lost
}

// book is the state of a graph that has two tasks in its second superstep.
type book struct {
	Said []string `json:"said"`
	Name string   `json:"name"`
}

var (
	books    = graph.NewSchema[book]()
	bookSaid = graph.Append(books, "said", func(b *book) *[]string { return &b.Said })
	bookName = graph.Last(books, "name", func(b *book) *string { return &b.Name })
)

func buildBook(opts graph.Options) (*graph.Graph[book], error) {
	g := graph.New(books)
	for _, n := range []string{"a", "b", "b2", "c", "long", "end"} {
		text := n
		if n == "long" { // the checkpoint after it is a snapshot
			text = strings.Repeat("x", 100_000)
		}
		g.AddNode(n, func(ctx context.Context, b book) (graph.Command[book], error) {
			update := graph.Update[book]{bookSaid.Write([]string{b.Name + text})}
			if n[0] != 'b' { // one after the other
				graph.WriteCustom(ctx, n)
				update = append(update, bookName.Write(b.Name+"+"))
			}
			return graph.Command[book]{Update: update}, nil
		})
	}
	g.AddEdge(graph.Start, "a")
	g.AddEdge("a", "b")
	g.AddEdge("a", "b2")
	g.AddJoin([]string{"b", "b2"}, "c")
	g.AddEdge("c", "long")
	g.AddEdge("long", "end")
	g.AddEdge("end", graph.End)
	return g.Compile(opts)
}

// mortal starts a service that dies with that write; 0: it does not.
func (w *world) mortal(at int64) *process {
	w.Helper()
	m := &mortal{at: at}
	compiled, err := buildBook(graph.Options{Name: "book", Checkpointer: mortalThreads{w.checkpoints, m}, Now: time.Now})
	if err != nil {
		w.Fatal(err)
	}
	g, err := runs.Typed(runs.Definition[book]{
		Graph:  compiled,
		Fields: []runs.Field[book]{runs.FieldOf(bookSaid), runs.FieldOf(bookName)},
	})
	if err != nil {
		w.Fatal(err)
	}
	store := mortalStore{w.store, m}
	queue := mortalQueue{runsmem.NewQueue(store, time.Now, runsmem.QueueOptions{}), m}
	s, err := runs.New(runs.Parts{Store: store, Queue: queue, Graphs: []runs.Graph{g}, Now: time.Now}, runs.Options{})
	if err != nil {
		w.Fatal(err)
	}
	return w.working(s)
}

// story is what the log of a run says, but for beginnings, and for what tasks say again that began again.
func (p *process) story(r runs.Run) (story []string) {
	p.Helper()
	events, err := p.store.ReadEvents(p.Context(), r.ThreadID, r.ID, 0, 10_000)
	if err != nil {
		p.Fatal(err)
	}
	begun := map[string]bool{}
	for _, e := range events {
		line := fmt.Sprint(e.Kind, " ", e.Step, " ", e.Node)
		switch e.Kind {
		case runs.KindBegin:
			continue
		case runs.KindTask, runs.KindCustom:
			if begun[line] {
				continue
			}
			begun[line] = true
		case runs.KindCheckpoint:
			var s runs.State
			if err := json.Unmarshal(e.Data, &s); err != nil {
				p.Fatal(err)
			}
			line += fmt.Sprint(" ", s.Source, s.Step, s.Next(), len(s.Values))
		default:
			line += " " + string(e.Data)
		}
		story = append(story, strings.ReplaceAll(line, strings.Repeat("x", 100_000), "x..."))
	}
	return story
}

// bookRequest is a request in the background that says all.
func bookRequest() runs.Request {
	return runs.Request{AssistantID: "book", Input: json.RawMessage(`{"name":"n"}`), AllModes: true}
}

// A process may die with any write: the log of a run says the same afterwards as if it had not.
func TestLogAfterDeath(t *testing.T) {
	thread := runs.AssistantID("t") // ids of tasks follow from it
	var want []string
	bubble(t, func(w *world) {
		p := w.mortal(0)
		run := must(p.Create(p.Context(), thread, bookRequest()))
		p.want("run", p.ended(run), "success")
		want = p.story(run)
	})
	deaths := 0
	for at := int64(2); at < 40; at++ { // the first write makes the run
		bubble(t, func(w *world) {
			first := w.mortal(at)
			run := must(first.Create(first.Context(), thread, bookRequest()))
			time.Sleep(time.Second)
			first.stop()
			second := w.mortal(0)
			second.want("run", second.ended(run), "success")
			if must(second.Run(second.Context(), thread, run.ID)).Attempt > 1 {
				deaths++
			}
			if diff := cmp.Diff(want, second.story(run)); diff != "" {
				w.Errorf("log after a death with write %d (-want +got):\n%s", at, diff)
			}
		})
	}
	if deaths < 10 { // how many writes there are depends on the machine
		t.Errorf("the process died %d times, want more", deaths)
	}
}

// What a command writes to the state is written once, whenever the process dies.
func TestCommandAfterDeath(t *testing.T) {
	thread := runs.AssistantID("t")
	for at := int64(2); at < 30; at++ {
		bubble(t, func(w *world) {
			p := w.mortal(0)
			paused := bookRequest()
			paused.InterruptBefore = runs.Names{"b"}
			p.ended(must(p.Create(p.Context(), thread, paused)))
			p.stop()
			first := w.mortal(at)
			run := must(first.Create(first.Context(), thread, runs.Request{
				AssistantID: "book", AllModes: true, Command: &runs.Command{Update: json.RawMessage(`{"said":["once"]}`)},
			}))
			time.Sleep(time.Second)
			first.stop()
			second := w.mortal(0)
			second.want("run", second.ended(run), "success")
			var b book
			if err := json.Unmarshal(must(second.Thread(second.Context(), thread)).Values, &b); err != nil {
				w.Fatal(err)
			}
			for i, text := range b.Said {
				b.Said[i] = strings.ReplaceAll(text, "x", "")
			}
			if diff := cmp.Diff([]string{"na", "once", "n+b", "n+b2", "n+c", "n++", "n+++end"}, b.Said); diff != "" {
				w.Errorf("said after a death with write %d (-want +got):\n%s", at, diff)
			}
		})
	}
}

// A cron that is due makes one run, whichever of its two writes its process dies with.
func TestCronAfterDeath(t *testing.T) {
	for at := range int64(3) {
		for _, own := range []bool{false, true} {
			bubble(t, func(w *world) {
				first := w.mortal(at)
				thread := first.thread()
				request := runs.NewCron{Request: runs.Request{AssistantID: "book", Input: json.RawMessage(`{"name":"n"}`)}, Schedule: "* * * * *"}
				if own {
					thread, request.OnCompleted = "", "keep"
				}
				cron := must(first.CreateCron(first.Context(), thread, request))
				time.Sleep(time.Minute + 2*time.Second)
				first.stop()
				second := w.mortal(0)
				time.Sleep(20 * time.Second)
				crons, _ := must2(second.SearchCrons(second.Context(), runs.CronFilter{Page: runs.Page{Limit: 10}}))
				second.want("next run", crons[0].NextRun.Sub(*cron.NextRun), time.Minute)
				threads, _ := must2(second.SearchThreads(second.Context(), runs.ThreadFilter{Page: runs.Page{Limit: 10}}))
				n := 0
				for _, t := range threads {
					_, of := must2(second.ListRuns(second.Context(), runs.RunFilter{ThreadID: t.ID}))
					n += of
				}
				second.want(fmt.Sprint("runs, own threads: ", own, ", death: ", at), n, 1)
			})
		}
	}
}
