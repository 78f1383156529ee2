// Package serve makes a server of graphs: a program gives it graphs by name, and has their threads and runs kept,
// executed in the background, streamed and seen. The smallest program is
//
//	func main() { serve.Main(serve.Graph("agent", g)) }
//
// The idea to hold: a graph is compiled here, with the checkpointer that the settings name, and everybody reaches
// the same runs: clients of LangGraph's API (/threads, /runs, /assistants), of OpenAI's (/v1/chat/completions,
// where the state has messages), of the Model Context Protocol (/mcp, each graph a tool), other agents by A2A (/a2a,
// each graph an agent), pages that speak AG-UI (/agui), and people at the page at /.
//
// Settings are flags, ANNAI_* variables and a file: --help lists them. Without any, everything is kept in memory
// and only this machine may ask. With --data it is kept in SQLite, with --postgres for several servers. Besides
// serving, a program prints its graphs (graph NAME) and makes keys for those who may ask (keys).
//
// docs/your-own-graph.md leads from an empty folder to a served agent. The package knows no model.
package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/internal/setup"
	"annai/runs"
)

// A Source is a graph to serve. [Graph] and [Compiled] make it; what has a default may be set afterwards.
type Source struct {
	// Name is the graph's, and that of its assistant: up to 64 letters, digits, dashes and underscores of ASCII.
	Name string
	// Description says in a sentence what it does: at the page, to other agents, and to models for which it is a tool.
	// Empty: that it runs the graph.
	Description string
	// Options are what the graph is compiled with. Name, Checkpointer and Now are the server's, runs have the server's
	// Store, and its Callbacks come first.
	Options graph.Options

	make func(opts graph.Options, newID func() string) (runs.Graph, error)
}

// Graph serves a graph. It must not be changed afterwards. What is wrong with it or its name is said by [Run].
//
// Runs write the channels of the state by their names, so a channel's name should be that of its field in JSON.
// What JSON does not show of the state (json:"-") nobody can write from outside. A channel of
// [annai/agent.Message] takes messages in all forms in which LangGraph's clients send them.
func Graph[S any](name string, g *graph.StateGraph[S]) Source {
	return Source{Name: name, make: func(opts graph.Options, newID func() string) (runs.Graph, error) {
		if g == nil {
			return nil, fmt.Errorf("there is none: %w", fault.ErrInvalid)
		}
		compiled, err := g.Compile(opts)
		if err != nil {
			return nil, err
		}
		return runs.Typed(runs.Definition[S]{
			Graph: compiled, Fields: setup.Fields(g, newID), Schemas: setup.Schemas(g),
		})
	}}
}

// Compiled serves a graph that was compiled already, by its name. It is compiled anew, with the same options but the
// server's checkpointer and clock.
func Compiled[S any](g *graph.Graph[S]) Source {
	source, opts := g.Source()
	served := Graph(opts.Name, source)
	served.Options = opts
	return served
}

// Main is the main function of a program that serves graphs. It reads flags and environment, serves until the
// process gets SIGINT or SIGTERM, and ends the process: with 0, with 1 when something failed, with 2 when the command
// line was not understood. What failed is said on standard error in a line.
func Main(graphs ...Source) { Options{}.Main(graphs...) }

// Options are what a server has besides its graphs, and that no setting can name.
type Options struct {
	// Meaning lets items of the store be found by what they mean, by its vectors of their texts. Nil: a search in
	// words finds what it would without them, in the order of their keys.
	Meaning runs.Meaning
}

// Main is the function [Main] with options.
func (o Options) Main(graphs ...Source) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := o.Run(ctx, os.Args, os.Stdout, os.Stderr, graphs...)
	stop()
	code := 0
	switch {
	case errors.Is(err, errUsage):
		code = 2
	case err != nil:
		code = 1
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", programOf(os.Args), err)
	}
	os.Exit(code)
}

// Run is [Main] without the process: args are those of a command line with the program's name first. It writes to out
// where the server is and to log what happens. It returns nil once ctx is done and everything has stopped, or what kept
// the server from starting or broke it: a setting, an address that is taken, a store that can't be reached, or a graph
// that can't be right, which is [fault.ErrInvalid].
func Run(ctx context.Context, args []string, out, log io.Writer, graphs ...Source) error {
	return Options{}.Run(ctx, args, out, log, graphs...)
}

// Run is the function [Run] with options.
func (o Options) Run(ctx context.Context, args []string, out, log io.Writer, graphs ...Source) error {
	return o.run(ctx, args, out, log, graphs)
}

// makeAll compiles the graphs.
func makeAll(
	graphs []Source, threads graph.Checkpointer, now func() time.Time, callbacks graph.Callbacks,
) ([]runs.Graph, error) {
	var made []runs.Graph
	var problems []error
	for _, g := range graphs {
		opts := g.Options
		opts.Name, opts.Checkpointer, opts.Now = g.Name, threads, now
		opts.Callbacks = slices.Concat(callbacks, opts.Callbacks)
		m, err := g.compile(opts)
		if err != nil {
			problems = append(problems, fmt.Errorf("graph %s: %w", g.Name, err))
			continue
		}
		made = append(made, m)
	}
	return made, errors.Join(problems...)
}

func (s Source) compile(opts graph.Options) (runs.Graph, error) {
	if s.make == nil || !isName(s.Name) {
		const says = "serve.Graph makes one, with a name of up to 64 letters, digits, dashes and underscores: %w"
		return nil, fmt.Errorf(says, fault.ErrInvalid)
	}
	return s.make(opts, rand.Text)
}

func isName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, r := range s {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}
