package graph_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"annai/fault"
	"annai/graph"
	"annai/storage/mem"
)

// A thread that does not fit the graph, because somebody else wrote it or the graph changed under the same version, is refused with words that say
// what does not fit. Nothing runs, and nothing is lost.
func TestThreadThatDoesNotFit(t *testing.T) {
	ran := false
	g := graph.New(talk)
	g.AddNode("a", func(context.Context, Talk) (graph.Command[Talk], error) {
		ran = true
		return graph.Command[Talk]{}, nil
	})
	graph.AddInputNode(g, "work", func(context.Context, int) (graph.Command[Talk], error) { return graph.Command[Talk]{}, nil })
	g.AddEdge(graph.Start, "a")
	g.AddRoute("a", func(context.Context, Talk) (graph.Next, error) { return graph.Next{}, nil }, graph.Nodes("work", graph.End))
	g.AddEdge("work", graph.End)
	write := func(channel, data string) []graph.ChannelData {
		return []graph.ChannelData{{Channel: channel, Data: []byte(data)}}
	}
	tasks := []graph.TaskData{{Node: "a"}}
	for says, c := range map[string]struct {
		record  graph.Record
		pending *graph.TaskWrites
	}{
		`a channel "gone"`:               {record: graph.Record{Writes: write("gone", "1")}},
		"channel count: json":            {record: graph.Record{Writes: write("count", `"many"`)}},
		"channel question":               {record: graph.Record{Writes: write("question", `{`), Snapshot: true}},
		`a join into "b"`:                {record: graph.Record{Joins: []graph.JoinData{{Target: "b"}}}},
		`node "gone" next`:               {record: graph.Record{Tasks: []graph.TaskData{{Node: "gone"}}}},
		`node "__end__" next`:            {record: graph.Record{Tasks: []graph.TaskData{{Node: graph.End}}}},
		"input of node work":             {record: graph.Record{Tasks: []graph.TaskData{{Node: "work", Input: []byte(`"text"`)}}}},
		"written by another":             {record: graph.Record{Graph: "another"}},
		"origin of its tasks":            {record: graph.Record{Writes: write("__carried__", "nowhere")}},
		"writes of task 7":               {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Task: 7}},
		`channel "gone"`:                 {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Writes: write("gone", "1")}},
		"node a: channel words":          {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Writes: write("words", "1")}},
		`a send to "gone"`:               {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Sends: []graph.TaskData{{Node: "gone"}}}},
		"node a: input of node work":     {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Sends: []graph.TaskData{{Node: "work", Input: []byte("x")}}}},
		"node a: question":               {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Interrupts: []graph.InterruptData{{ID: "1"}}}},
		"node a: answer: invalid":        {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Interrupts: []graph.InterruptData{{Question: []byte("1"), Answer: []byte("x")}}}},
		"node a: answer: unexpected end": {record: graph.Record{Tasks: tasks}, pending: &graph.TaskWrites{Answers: [][]byte{{}}}},
	} {
		t.Run(says, func(t *testing.T) {
			store := mem.New()
			rec := c.record
			rec.ID, rec.Base, rec.Source = 1, 1, graph.SourceInput
			if rec.Graph == "" {
				rec.Graph = "graph"
			}
			if err := store.Put(t.Context(), "t", rec); err != nil {
				t.Fatal(err)
			}
			if c.pending != nil {
				c.pending.Checkpoint = 1
				if err := store.PutWrites(t.Context(), "t", *c.pending); err != nil {
					t.Fatal(err)
				}
			}
			compiled := compile(t, g, graph.Options{Checkpointer: store})
			if _, err := compiled.Invoke(t.Context(), graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"}); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), says) {
				t.Errorf("Invoke() = %v, want ErrInvalid that says %s", err, says)
			}
			if _, err := compiled.State(t.Context(), "t", 0); !errors.Is(err, fault.ErrInvalid) {
				t.Errorf("State() = %v, want ErrInvalid", err)
			}
			if _, newest, err := store.Load(t.Context(), "t", "", 0); newest != 1 || err != nil || ran {
				t.Errorf("the thread is at %d, %v, and its node ran: %t; want it as it was", newest, err, ran)
			}
		})
	}
}

// What JSON can't carry ends the run on a thread with an error that says where it is, and without a thread it is no problem.
func TestWhatJSONCannotCarry(t *testing.T) {
	type number struct{ Value, Sum float64 }
	schema := graph.NewSchema[number]()
	value := graph.Last(schema, "value", func(s *number) *float64 { return &s.Value })
	nan := math.NaN()
	for says, c := range map[string]struct {
		command graph.Command[number]
		in      graph.Input[number]
	}{
		"channel value":        {command: graph.Command[number]{Update: graph.Update[number]{value.Write(nan)}}},
		"input: ":              {in: graph.Input[number]{Update: graph.Update[number]{{}}}},
		"input of node work":   {command: graph.Command[number]{Sends: []graph.Send{{Node: "work", Input: nan}}}},
		"question of node ask": {command: graph.Command[number]{Interrupt: &graph.Interrupt{Question: nan}}},
	} {
		t.Run(says, func(t *testing.T) {
			g := graph.New(schema)
			g.AddNode("ask", func(context.Context, number) (graph.Command[number], error) { return c.command, nil },
				graph.NodeOptions{Destinations: []string{"work", graph.End}})
			graph.AddInputNode(g, "work", func(context.Context, float64) (graph.Command[number], error) { return graph.Command[number]{}, nil })
			g.AddEdge(graph.Start, "ask")
			g.AddEdge("work", graph.End)
			compiled, err := g.Compile(graph.Options{Checkpointer: mem.New()})
			if err != nil {
				t.Fatal(err)
			}
			_, err = compiled.Invoke(t.Context(), c.in, graph.RunOptions{ThreadID: "t"})
			if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), says) {
				t.Errorf("Invoke() on a thread = %v, want ErrInvalid that says %s", err, says)
			}
			if c.command.Interrupt != nil || c.in.Update != nil {
				return
			}
			if _, err = compiled.Invoke(t.Context(), c.in, graph.RunOptions{}); err != nil {
				t.Errorf("Invoke() without a thread = %v", err)
			}
		})
	}
}

// What can't be done with threads is refused with words.
func TestThreadsThatAreNotThere(t *testing.T) {
	g := graph.New(talk)
	g.AddNode("a", say("a"))
	g.AddEdge(graph.Start, "a")
	g.AddEdge("a", graph.End)
	forgetful, keeping := compile(t, g, graph.Options{}), compile(t, g, graph.Options{Checkpointer: mem.New()})
	invoke(t, keeping, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"})
	other := graph.NewSchema[Talk]()
	foreign := graph.Last(other, "count", func(s *Talk) *int { return &s.Count })
	for what, c := range map[string]struct {
		got  func(g *graph.Graph[Talk]) error
		g    *graph.Graph[Talk]
		want error
	}{
		"State without a checkpointer":      {stateOf("t"), forgetful, fault.ErrInvalid},
		"State without a name":              {stateOf(""), keeping, fault.ErrInvalid},
		"State of nobody":                   {stateOf("nobody"), keeping, fault.ErrNotFound},
		"History without a checkpointer":    {historyOf("t"), forgetful, fault.ErrInvalid},
		"Copy without a checkpointer":       {copyOf("t", "u"), forgetful, fault.ErrInvalid},
		"Copy without a name":               {copyOf("t", ""), keeping, fault.ErrInvalid},
		"Copy of nobody":                    {copyOf("nobody", "u"), keeping, fault.ErrNotFound},
		"Copy to one that is there":         {copyOf("t", "t"), keeping, fault.ErrConflict},
		"Delete without a checkpointer":     {deletionOf("t"), forgetful, nil},
		"Delete of nobody":                  {deletionOf("nobody"), keeping, nil},
		"UpdateState of nobody":             {changeOf("nobody", graph.Update[Talk]{}, ""), keeping, fault.ErrNotFound},
		"UpdateState as nobody":             {changeOf("t", graph.Update[Talk]{}, "nobody"), keeping, fault.ErrInvalid},
		"UpdateState of a foreign channel":  {changeOf("t", graph.Update[Talk]{foreign.Write(1)}, ""), keeping, fault.ErrInvalid},
		"KeepLatest of nobody":              {func(g *graph.Graph[Talk]) error { return g.KeepLatest(context.Background(), "nobody") }, keeping, fault.ErrNotFound},
		"UpdateState without checkpointers": {changeOf("t", graph.Update[Talk]{}, ""), forgetful, fault.ErrInvalid},
	} {
		if err := c.got(c.g); !errors.Is(err, c.want) {
			t.Errorf("%s = %v, want %v", what, err, c.want)
		}
	}
	want(t, "the thread's count", invoke(t, keeping, graph.Input[Talk]{}, graph.RunOptions{ThreadID: "t"}).State.Count, 2)
}

func stateOf(thread string) func(*graph.Graph[Talk]) error {
	return func(g *graph.Graph[Talk]) error {
		_, err := g.State(context.Background(), thread, 0)
		return err
	}
}

func historyOf(thread string) func(*graph.Graph[Talk]) error {
	return func(g *graph.Graph[Talk]) (err error) {
		for _, err = range g.History(context.Background(), thread, graph.HistoryOptions{}) {
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func copyOf(from, to string) func(*graph.Graph[Talk]) error {
	return func(g *graph.Graph[Talk]) error { return g.Copy(context.Background(), from, to) }
}

func deletionOf(thread string) func(*graph.Graph[Talk]) error {
	return func(g *graph.Graph[Talk]) error { return g.Delete(context.Background(), thread) }
}

func changeOf(thread string, update graph.Update[Talk], asNode string) func(*graph.Graph[Talk]) error {
	return func(g *graph.Graph[Talk]) error {
		_, err := g.UpdateState(context.Background(), thread, 0, update, asNode)
		return err
	}
}
