package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"annai/graph"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/internal/telemetry"
	"annai/llm"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// traced assembles the concierge of a command that is no server: traces are sent if the settings say where, the last of
// them when the assembly is closed.
func (w wants) traced(ctx context.Context, c config.Config, log *slog.Logger) (*assembly, error) {
	w.telemetry = setup.NewTelemetry(c, "annai", version(), setup.Clock(c.Now), log)
	a, err := assemble(ctx, c, w, log)
	if err != nil {
		return nil, errors.Join(err, w.telemetry.Close())
	}
	a.closers = append([]func() error{w.telemetry.Close}, a.closers...)
	return a, nil
}

// callbacks are those who hear what turns do.
func (w wants) callbacks() graph.Callbacks {
	if w.telemetry == nil {
		return nil
	}
	return w.telemetry.Callbacks
}

// observedModel has a model told of.
func (w wants) observedModel(m llm.Model) llm.Model {
	if w.telemetry == nil {
		return m
	}
	return llm.Observed(m, func(ctx context.Context, r llm.Request) (context.Context, func(llm.Answer, error)) {
		ctx, ended := w.telemetry.Callbacks.Begin(ctx, graph.Span{Kind: graph.SpanModel, Name: m.Name(), Value: r})
		return ctx, func(a llm.Answer, err error) { ended(graph.Outcome{Value: a, Err: err}) }
	})
}

// What [tools.Options] wants to be told by.
type (
	toolBegins = func(ctx context.Context, tool string, input json.RawMessage) (context.Context, toolEnds)
	toolEnds   = func(answer json.RawMessage, err error)
)

// toolObserver tells of calls of tools; nil where nobody hears.
func (w wants) toolObserver() toolBegins {
	if w.telemetry == nil {
		return nil
	}
	return func(ctx context.Context, tool string, input json.RawMessage) (context.Context, toolEnds) {
		call := llm.ToolCall{Name: tool, Arguments: input}
		ctx, ended := w.telemetry.Callbacks.Begin(ctx, graph.Span{Kind: graph.SpanTool, Name: tool, Value: call})
		return ctx, func(answer json.RawMessage, err error) { ended(graph.Outcome{Value: string(answer), Err: err}) }
	}
}

// observedCalendar has a calendar told of, if there are traces, which alone have it.
func (w wants) observedCalendar(c agenda.Calendar) agenda.Calendar {
	if w.telemetry == nil || !w.telemetry.Traced {
		return c
	}
	watch := func(ctx context.Context, operation string) (context.Context, func(int, error)) {
		span := graph.Span{Kind: telemetry.SpanCalendar, Name: operation, Value: c.ID}
		ctx, ended := w.telemetry.Callbacks.Begin(ctx, span)
		return ctx, func(events int, err error) { ended(graph.Outcome{Value: events, Err: err}) }
	}
	if c.Reader != nil {
		c.Reader = calendar.Watched(c.Reader, watch)
	}
	if c.Writer != nil {
		c.Writer = calendar.WatchedWriter(c.Writer, watch)
	}
	return c
}
