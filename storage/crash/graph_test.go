package crash_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"annai/graph"
)

// Every turn of a thread has these supersteps; what stands in one line runs side by side:
//
//	1  plan: sends the work and the approvals, and writes a large draft
//	2  ask (two questions, one after the other), sub (a graph inside), risky (retried; fails for good in odd turns),
//	   three to five work, two approve (a question each)
//	3  recheck, after ask; repair, the error handler of risky
//	4  gather, which joins recheck and sub
//	5  close, deferred since step 1
//	6  sign (a question)
//
// and in sub:
//
//	1  sub.first: sends the parts
//	2  sub.query (a question), sub.part 0, sub.part 1 (a question)
//	3  sub.last
const (
	stepsOfTurn   = 6
	turnsOfThread = 4
	subStep       = 2 // of a turn
)

// doc is the state: what was done, in order.
type doc struct {
	Turn  int
	Log   []string
	Sum   int
	Draft string
	Scan  string
}

var (
	docs  = graph.NewSchema[doc]()
	turn  = graph.Last(docs, "turn", func(d *doc) *int { return &d.Turn })
	log   = graph.Append(docs, "log", func(d *doc) *[]string { return &d.Log })
	sum   = graph.Sum(docs, "sum", func(d *doc) *int { return &d.Sum })
	draft = graph.Last(docs, "draft", func(d *doc) *string { return &d.Draft })
	scan  = graph.Last(docs, "scan", func(d *doc) *string { return &d.Scan })
)

// part is the state of the graph inside.
type part struct {
	Turn int
	Log  []string
	Sum  int
}

var (
	parts    = graph.NewSchema[part]()
	partTurn = graph.Last(parts, "turn", func(p *part) *int { return &p.Turn })
	partLog  = graph.Append(parts, "log", func(p *part) *[]string { return &p.Log })
	partSum  = graph.Sum(parts, "sum", func(p *part) *int { return &p.Sum })
)

// item is the input of a send.
type item struct {
	N    int    `json:"n"`
	Word string `json:"word"`
}

const word = "仕事 \"ひとつ\"\n"

// width is how many tasks of the node work a turn has.
func width(turn int) int { return 3 + turn%3 }

// draftOf is what plan writes: in every second turn more than is kept in a row, and never twice the same.
func draftOf(turn int) string {
	return strings.Repeat(fmt.Sprint("下書き", turn, " "), 1+turn%2*6000)
}

// scanned is what work 0 writes, as large and always the same.
var scanned = strings.Repeat("scan ", 15_000)

var (
	errWeak   = errors.New("weak today")   // ends the run now and then
	errBroken = errors.New("broken today") // what risky fails with
)

func (c *child) build(store graph.Checkpointer) (*graph.Graph[doc], error) {
	sub, err := c.buildSub()
	if err != nil {
		return nil, err
	}
	g := graph.New(docs)
	g.AddNode("plan", c.plan, graph.NodeOptions{Destinations: []string{"work", "approve"}})
	g.AddNode("ask", c.step("ask", 2))
	graph.AddSubgraph(g, "sub", sub, intoSub, outOfSub)
	g.AddNode("risky", c.risky, graph.NodeOptions{
		Retry:   &graph.Retry{Attempts: attempts, Wait: time.Microsecond, If: func(err error) bool { return errors.Is(err, errBroken) }},
		OnError: "repair",
	})
	graph.AddInputNode(g, "work", c.sent("work", 0))
	graph.AddInputNode(g, "approve", c.sent("approve", 1))
	g.AddNode("recheck", c.step("recheck", 0))
	graph.AddInputNode(g, "repair", c.repair)
	g.AddNode("gather", c.step("gather", 0))
	g.AddNode("close", c.step("close", 0), graph.NodeOptions{Defer: true})
	g.AddNode("sign", c.step("sign", 1))
	for _, edge := range [][2]string{
		{graph.Start, "plan"},
		{"plan", "ask"},
		{"plan", "sub"},
		{"plan", "risky"},
		{"plan", "close"},
		{"ask", "recheck"},
		{"close", "sign"},
		{"risky", graph.End},
		{"repair", graph.End},
		{"work", graph.End},
		{"approve", graph.End},
		{"gather", graph.End},
		{"sign", graph.End},
	} {
		g.AddEdge(edge[0], edge[1])
	}
	g.AddJoin([]string{"recheck", "sub"}, "gather")
	return g.Compile(graph.Options{Checkpointer: store, Durability: c.Durability, MaxConcurrency: 4})
}

func (c *child) buildSub() (*graph.Graph[part], error) {
	g := graph.New(parts)
	g.AddNode("sub.first", func(ctx context.Context, p part) (graph.Command[part], error) {
		cmd, err := c.partStep("sub.first", 0)(ctx, p)
		if err == nil {
			cmd.Sends = []graph.Send{{Node: "sub.part", Input: item{N: 0, Word: word}}, {Node: "sub.part", Input: item{N: 1, Word: word}}}
		}
		return cmd, err
	}, graph.NodeOptions{Destinations: []string{"sub.part"}})
	g.AddNode("sub.query", c.partStep("sub.query", 1))
	graph.AddInputNode(g, "sub.part", func(ctx context.Context, in item) (graph.Command[part], error) {
		said, asks, err := c.do(ctx, "sub.part", strconv.Itoa(in.N), in.N)
		return partCommand(said, asks, in.N), cmpWord(in, err)
	})
	g.AddNode("sub.last", c.partStep("sub.last", 0))
	g.AddEdge(graph.Start, "sub.first")
	g.AddEdge("sub.first", "sub.query")
	g.AddEdge("sub.query", "sub.last")
	g.AddEdge("sub.part", graph.End)
	g.AddEdge("sub.last", graph.End)
	return g.Compile(graph.Options{Name: "sub"})
}

func intoSub(d doc) graph.Update[part] { return graph.Update[part]{partTurn.Write(d.Turn)} }

func outOfSub(_ doc, p part) graph.Update[doc] {
	return graph.Update[doc]{log.Write(p.Log), sum.Write(p.Sum)}
}

func command(said string, asks *graph.Interrupt, n int) graph.Command[doc] {
	if said == "" {
		return graph.Command[doc]{Interrupt: asks}
	}
	return graph.Command[doc]{Update: graph.Update[doc]{log.Write([]string{said}), sum.Write(n)}}
}

func partCommand(said string, asks *graph.Interrupt, n int) graph.Command[part] {
	if said == "" {
		return graph.Command[part]{Interrupt: asks}
	}
	return graph.Command[part]{Update: graph.Update[part]{partLog.Write([]string{said}), partSum.Write(n)}}
}

// cmpWord looks whether an input came as it was sent.
func cmpWord(in item, err error) error {
	if in.Word != word {
		return fmt.Errorf("the input of a send is %q, not %q", in.Word, word)
	}
	return err
}

func (c *child) step(name string, questions int) graph.Node[doc] {
	return func(ctx context.Context, d doc) (graph.Command[doc], error) {
		said, asks, err := c.do(ctx, name, "", questions)
		return command(said, asks, d.Turn), err
	}
}

func (c *child) partStep(name string, questions int) graph.Node[part] {
	return func(ctx context.Context, p part) (graph.Command[part], error) {
		said, asks, err := c.do(ctx, name, "", questions)
		return partCommand(said, asks, p.Turn), err
	}
}

func (c *child) sent(name string, questions int) func(context.Context, item) (graph.Command[doc], error) {
	return func(ctx context.Context, in item) (graph.Command[doc], error) {
		said, asks, err := c.do(ctx, name, strconv.Itoa(in.N), questions)
		cmd := command(said, asks, in.N)
		if name == "work" && in.N == 0 && said != "" {
			cmd.Update = append(cmd.Update, scan.Write(scanned))
		}
		return cmd, cmpWord(in, err)
	}
}

func (c *child) plan(ctx context.Context, d doc) (graph.Command[doc], error) {
	cmd, err := c.step("plan", 0)(ctx, d)
	if err != nil {
		return cmd, err
	}
	cmd.Update = append(cmd.Update, draft.Write(draftOf(d.Turn)))
	for i := range width(d.Turn) {
		cmd.Sends = append(cmd.Sends, graph.Send{Node: "work", Input: item{N: i, Word: word}})
	}
	for i := range 2 {
		cmd.Sends = append(cmd.Sends, graph.Send{Node: "approve", Input: item{N: i, Word: word}})
	}
	return cmd, nil
}

// attempts are those that risky has.
const attempts = 3

// risky fails at first, and in odd turns always.
func (c *child) risky(ctx context.Context, d doc) (graph.Command[doc], error) {
	rt := graph.RuntimeOf(ctx)
	if d.Turn%2 == 1 || rt.Attempt == 1 {
		c.note("fails", rt.ThreadID, taskName(rt.RunID, rt.Step, "risky", ""))
		return graph.Command[doc]{}, errBroken
	}
	c.note("done", rt.ThreadID, taskName(rt.RunID, rt.Step, "risky", ""))
	return command("risky", nil, d.Turn), nil
}

func (c *child) repair(ctx context.Context, f graph.Failure) (graph.Command[doc], error) {
	if f.Node != "risky" || !strings.Contains(f.Message, errBroken.Error()) {
		return graph.Command[doc]{}, fmt.Errorf("the error handler got %+v", f)
	}
	said, asks, err := c.do(ctx, "repair", "0", 0)
	return command(said, asks, 1), err
}

// do is the body of the other nodes: it asks, or fails now and then, or has its one effect and says the answers it got.
func (c *child) do(ctx context.Context, node, input string, questions int) (said string, asks *graph.Interrupt, err error) {
	c.tick()
	rt := graph.RuntimeOf(ctx)
	task := taskName(rt.RunID, rt.Step, node, input)
	said = node + input
	for q := range questions {
		var reply string
		ok, err := graph.Answer(ctx, q, &reply)
		if err != nil {
			return "", nil, err
		}
		if !ok {
			name := questionName(task, q)
			c.note("asks", rt.ThreadID, name)
			return "", &graph.Interrupt{Question: name}, nil
		}
		said += " " + reply
	}
	if rand.IntN(15) == 0 {
		return "", nil, errWeak
	}
	c.note("done", rt.ThreadID, task)
	return said, nil, nil
}

// taskName names a task: the run that it belongs to, which is a turn, and its place there.
func taskName(run string, step int, node, input string) string {
	return fmt.Sprintf("%s/%d/%s/%s", run, step, node, input)
}

func questionName(task string, n int) string { return fmt.Sprintf("%s#%d", task, n) }
