// Package serve makes a server of graphs: a program names its graphs, and the server keeps their threads, executes
// their runs, also in the background, and streams them. The smallest program is
//
//	func main() { serve.Main(serve.Graph("agent", g)) }
//
// The idea to hold: the server compiles the graphs with the checkpointer that the settings name, and all protocols
// reach the same threads and runs: LangGraph's API (/threads, /runs, /assistants), OpenAI's (/v1/chat/completions,
// for graphs whose state has messages), the Model Context Protocol (/mcp, each graph a tool), A2A (/a2a, each graph
// an agent) and AG-UI (/agui). People try the graphs at the page at /.
//
// Settings are flags, ANNAI_* variables and a file; --help lists them. Without any, everything is kept in memory, and
// only programs on this machine may call the server. With --data it is kept in SQLite, with --postgres in PostgreSQL,
// which several servers may share. Besides serving, the program prints its graphs (graph NAME) and manages the keys
// of callers (keys).
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

// A Source is a graph to serve. [Graph] and [Compiled] make it; the fields may be set afterwards.
type Source struct {
	// Name is the name of the graph and of its assistant: up to 64 ASCII letters, digits, dashes and underscores.
	Name string
	// Description says in a sentence what the graph does: on the page, to other agents, and to models for which it
	// is a tool. Empty: that it runs the graph of that name.
	Description string
	// Options are what the graph is compiled with. The server sets Name, Checkpointer and Now, gives runs its own
	// Store, and calls its own Callbacks before those given here.
	Options graph.Options

	make func(opts graph.Options, newID func() string) (runs.Graph, error)
}

// Graph returns the source of a graph, which must not be changed afterwards. What is wrong with the graph or its name
// is reported by [Run].
//
// Callers write the channels of the state by their names, and read the state as JSON: give a channel the name of its
// field in JSON. Channels of fields with the tag json:"-" can't be written from outside. A channel of
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

// Compiled returns the source of a graph that was compiled already, under its own name. The server compiles it again,
// with the same options except those that it sets itself; see Source.Options.
func Compiled[S any](g *graph.Graph[S]) Source {
	source, opts := g.Source()
	served := Graph(opts.Name, source)
	served.Options = opts
	return served
}

// Main is the main function of a program that serves graphs, at least one. It reads the command line and the
// environment, serves until the process gets SIGINT or SIGTERM, and then exits: with status 0, or 1 if something
// failed, or 2 if the command line is wrong. What failed is printed to standard error in a line.
func Main(graphs ...Source) { Options{}.Main(graphs...) }

// Options are settings of the server that are Go values. All others are flags.
type Options struct {
	// Meaning makes vectors of texts, by which items of the store are found by what they mean. Nil: the query of a
	// search is ignored, and items come in the order of their namespaces and keys.
	Meaning runs.Meaning
}

// Main is the function [Main] with these options.
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

// Run is [Main] for programs that handle signals and exit themselves. Args is a command line, with the program's name
// first. Run writes the server's address to out and its log to log, and serves until ctx is done. It returns nil once
// everything has stopped, or the error that kept the server from starting or ended it: a wrong setting or a graph that
// can't be right, which are [fault.ErrInvalid], an address that is taken, or a store that can't be reached.
func Run(ctx context.Context, args []string, out, log io.Writer, graphs ...Source) error {
	return Options{}.Run(ctx, args, out, log, graphs...)
}

// Run is the function [Run] with these options.
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
