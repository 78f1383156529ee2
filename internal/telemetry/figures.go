package telemetry

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"annai/graph"
	"annai/llm"
)

// Figures count what graphs and their nodes do, and how long it takes. They are a [prometheus.Collector], and safe for
// concurrent use. Labels are the names of graphs, nodes and models, which programs choose; beyond some hundred they are
// counted together as "other".
type Figures struct {
	now func() time.Time

	runs, tasks, models, tokens *prometheus.CounterVec
	runTimes, taskTimes         *prometheus.HistogramVec

	mu    sync.Mutex
	known map[string]bool
}

// maxNames is how many pairs of graph and node are told apart, with models and graphs among them; a further one is
// counted as other.
const (
	maxNames = 256
	other    = "other"
)

// NewFigures returns figures of which nothing was counted yet. Now is the clock.
func NewFigures(now func() time.Time) *Figures {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: name, Help: help, Buckets: []float64{.001, .005, .02, .1, .25, .5, 1, 2.5, 5, 10, 30, 120},
		}, labels)
	}
	const outcomes = " by outcome: done, asked (a question back), failed or cancelled."
	return &Figures{
		now: now, known: map[string]bool{},
		runs:     counter("annai_graph_runs_total", "Runs of graphs"+outcomes, "graph", "outcome"),
		runTimes: histogram("annai_graph_run_duration_seconds", "How long runs of graphs took.", "graph"),
		tasks: counter("annai_node_tasks_total",
			"Tasks of nodes, those of subgraphs with the nodes around them,"+outcomes, "graph", "node", "outcome"),
		taskTimes: histogram("annai_node_task_duration_seconds", "How long tasks of nodes took.", "graph", "node"),
		models: counter("annai_model_calls_total",
			"Calls of language models by the kind of failure; none: it answered.", "model", "failure"),
		tokens: counter("annai_model_tokens_total", "Tokens of language models: input or output.", "model", "type"),
	}
}

func (f *Figures) all() []prometheus.Collector {
	return []prometheus.Collector{f.runs, f.tasks, f.models, f.tokens, f.runTimes, f.taskTimes}
}

// Describe is part of [prometheus.Collector].
func (f *Figures) Describe(to chan<- *prometheus.Desc) {
	for _, c := range f.all() {
		c.Describe(to)
	}
}

// Collect is part of [prometheus.Collector].
func (f *Figures) Collect(to chan<- prometheus.Metric) {
	for _, c := range f.all() {
		c.Collect(to)
	}
}

// Callback is a [graph.Callback].
func (f *Figures) Callback(ctx context.Context, s graph.Span) (context.Context, func(graph.Outcome)) {
	switch {
	case s.Kind == graph.SpanModel:
		return ctx, func(o graph.Outcome) { f.model(s, o) }
	case s.Kind == graph.SpanTask || s.Kind == graph.SpanRun && s.Namespace == "":
		began := f.now()
		return ctx, func(o graph.Outcome) { f.ended(s, o, f.now().Sub(began)) }
	}
	return ctx, nil
}

func (f *Figures) ended(s graph.Span, o graph.Outcome, took time.Duration) {
	if s.Kind == graph.SpanRun {
		name := f.bounded(s.Graph)
		f.runs.WithLabelValues(name, outcomeOf(o)).Inc()
		f.runTimes.WithLabelValues(name).Observe(took.Seconds())
		return
	}
	name, node := s.Graph, pathOf(s)
	if f.bounded(name+"\x00"+node) == other {
		name, node = other, other
	}
	f.tasks.WithLabelValues(name, node, outcomeOf(o)).Inc()
	f.taskTimes.WithLabelValues(name, node).Observe(took.Seconds())
}

func (f *Figures) model(s graph.Span, o graph.Outcome) {
	name := f.bounded(s.Name)
	f.models.WithLabelValues(name, KindOf(o.Err)).Inc()
	if a, ok := o.Value.(llm.Answer); ok {
		f.tokens.WithLabelValues(name, "input").Add(float64(max(0, a.End.Usage.Prompt)))
		f.tokens.WithLabelValues(name, "output").Add(float64(max(0, a.End.Usage.Answer)))
	}
}

// bounded returns the name, or other where there are too many.
func (f *Figures) bounded(name string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.known[name] {
		if len(f.known) >= maxNames || len(name) > maxNames {
			return other
		}
		f.known[name] = true
	}
	return strings.ToValidUTF8(name, "?")
}

func outcomeOf(o graph.Outcome) string {
	switch {
	case KindOf(o.Err) == "cancelled":
		return "cancelled"
	case o.Err != nil:
		return "failed"
	case len(o.Interrupts) > 0:
		return "asked"
	}
	return "done"
}

// pathOf is a node with those of the graphs around its own: "event/merge". Their tasks are left out.
func pathOf(s graph.Span) string {
	var path []string
	if s.Namespace != "" {
		for task := range strings.SplitSeq(s.Namespace, "|") {
			node, _, _ := strings.Cut(task, ":")
			path = append(path, node)
		}
	}
	return strings.ToValidUTF8(strings.Join(append(path, s.Node), "/"), "?")
}
