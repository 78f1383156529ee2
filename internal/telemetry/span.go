package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"annai/fault"
	"annai/graph"
	"annai/internal/traceparent"
	"annai/llm"
)

// SpanCalendar is a read or a write of a calendar. Its name is the operation, its value the calendar's id.
const SpanCalendar graph.SpanKind = "calendar"

// Callback is a [graph.Callback]: it makes a span of all that it hears. A run whose caller has a trace is a part of
// that, see [traceparent.WithParent].
func (t *Traces) Callback(ctx context.Context, s graph.Span) (context.Context, func(graph.Outcome)) {
	if s.Kind == SpanCalendar && !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil // it is looked at by the server itself
	}
	if s.Graph == "" { // whoever tells does not know the run
		now := graph.RuntimeOf(ctx)
		s.ThreadID, s.RunID, s.Node, s.Step = now.ThreadID, now.RunID, now.Node, now.Step
	}
	name, kind := nameOf(s)
	ctx, span := t.tracer.Start(within(ctx), name, trace.WithSpanKind(kind), trace.WithAttributes(t.about(s)...))
	if s.Kind != graph.SpanRun && s.Kind != graph.SpanSuperstep {
		header := propagation.MapCarrier{}
		propagation.TraceContext{}.Inject(ctx, header)
		ctx = traceparent.WithSpan(ctx, header.Get(parentField))
	}
	return ctx, func(o graph.Outcome) {
		if span.IsRecording() {
			t.end(span, s, o)
		}
		span.End()
	}
}

// parentField is where the library has the trace context.
const parentField = "traceparent"

// within returns the context with the trace of whoever asked, unless something is traced here already.
func within(ctx context.Context) context.Context {
	parent := traceparent.Parent(ctx)
	if parent == "" || trace.SpanContextFromContext(ctx).IsValid() {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parentField: parent})
}

// nameOf is what a span is called. Names are few: what is one of many is an attribute.
func nameOf(s graph.Span) (string, trace.SpanKind) {
	switch s.Kind {
	case graph.SpanRun:
		return strings.TrimSpace("invoke_workflow " + s.Name), trace.SpanKindInternal
	case graph.SpanModel:
		_, model := providerOf(s.Name)
		return "chat " + model, trace.SpanKindClient
	case graph.SpanTool:
		return strings.TrimSpace("execute_tool " + s.Name), trace.SpanKindInternal
	case SpanCalendar:
		return "calendar " + s.Name, trace.SpanKindClient
	case graph.SpanSuperstep, graph.SpanTask:
	}
	return strings.TrimSpace(string(s.Kind) + " " + s.Name), trace.SpanKindInternal
}

// about is what is known of a span when it begins.
func (t *Traces) about(s graph.Span) []attribute.KeyValue {
	var list attributes
	list.text("gen_ai.conversation.id", s.ThreadID)
	list.text("annai.run.id", s.RunID)
	list.text("annai.graph", s.Graph)
	list.text("annai.node", s.Node)
	list.number("annai.step", s.Step)
	switch s.Kind {
	case graph.SpanRun:
		list.text("gen_ai.operation.name", "invoke_workflow")
		list.text("gen_ai.agent.name", s.Name)
	case graph.SpanModel:
		t.aboutModel(&list, s)
	case graph.SpanTool:
		list.text("gen_ai.operation.name", "execute_tool")
		list.text("gen_ai.tool.name", s.Name)
		list.text("gen_ai.tool.type", "function")
		if call, ok := s.Value.(llm.ToolCall); ok {
			list.text("gen_ai.tool.call.id", call.ID)
			if t.words {
				list.text("gen_ai.tool.call.arguments", string(call.Arguments))
			}
		}
	case SpanCalendar:
		id, _ := s.Value.(string)
		list.text("annai.calendar.id", id)
		list.text("annai.calendar.operation", s.Name)
	case graph.SpanSuperstep, graph.SpanTask:
	}
	return list
}

func (t *Traces) aboutModel(list *attributes, s graph.Span) {
	provider, model := providerOf(s.Name)
	list.text("gen_ai.operation.name", "chat")
	list.text("gen_ai.request.model", model)
	if provider != googleProvider && strings.ContainsAny(provider, ".:") { // a server of one's own
		address := url.URL{Host: provider}
		list.text("server.address", address.Hostname())
		port, _ := strconv.Atoi(address.Port())
		list.number("server.port", port)
		provider = otherProvider
	}
	list.text("gen_ai.provider.name", provider)
	r, ok := s.Value.(llm.Request)
	if !ok {
		return
	}
	*list = append(*list, attribute.Bool("gen_ai.request.stream", true))
	list.number("gen_ai.request.max_tokens", r.MaxTokens)
	list.number("gen_ai.request.seed", r.Seed)
	if r.Temperature != 0 {
		*list = append(*list, attribute.Float64("gen_ai.request.temperature", r.Temperature))
	}
	if len(r.Schema) > 0 {
		list.text("gen_ai.output.type", "json")
	}
	if t.words {
		list.text("gen_ai.input.messages", asked(r.Messages))
	}
}

// end says how a span ended. What an error says may have words of visitors in it, so its kind is told.
func (t *Traces) end(span trace.Span, s graph.Span, o graph.Outcome) {
	var list attributes
	list.number("annai.interrupts", len(o.Interrupts))
	switch value := o.Value.(type) {
	case llm.Answer:
		t.answered(&list, s, value)
	case string:
		if t.words && s.Kind == graph.SpanTool {
			list.text("gen_ai.tool.call.result", value)
		}
	case int: // of a calendar
		list = append(list, attribute.Int("annai.calendar.events", value))
	}
	if o.Err != nil {
		kind, text := KindOf(o.Err), ""
		list.text("error.type", kind)
		if t.words {
			text = o.Err.Error()
			text = strings.ToValidUTF8(text[:min(len(text), maxValue)], "")
		}
		span.SetStatus(codes.Error, text)
	}
	span.SetAttributes(list...)
}

func (t *Traces) answered(list *attributes, s graph.Span, a llm.Answer) {
	list.number("gen_ai.usage.input_tokens", a.End.Usage.Prompt)
	list.number("gen_ai.usage.output_tokens", a.End.Usage.Answer)
	if reason := finishReasons[a.End.Stop]; reason != "" {
		*list = append(*list, attribute.StringSlice("gen_ai.response.finish_reasons", []string{reason}))
	}
	model := a.End.Model
	if model == "" {
		model = s.Name
	}
	_, model = providerOf(model)
	list.text("gen_ai.response.model", model)
	if t.words {
		list.text("gen_ai.output.messages", said(a))
	}
}

// The names of providers that differ from ours; otherProvider is one that the conventions have no name for.
const (
	googleProvider = "gcp.gemini"
	otherProvider  = "_OTHER"
)

// finishReasons are the ends of an answer in the words of the conventions.
var finishReasons = map[llm.Stop]string{llm.Finished: "stop", llm.Length: "length", llm.Calls: "tool_call"}

// providerOf takes the name of a model apart: "openai/gpt-5" is one of OpenAI's.
func providerOf(name string) (provider, model string) {
	provider, model, ok := strings.Cut(name, "/")
	switch {
	case !ok:
		return otherProvider, name
	case provider == "google":
		return googleProvider, model
	}
	return provider, model
}

// KindOf names the kind of an error, which is one of few: a kind of package fault or llm, "cancelled", "timeout",
// "panic", or "_OTHER"; for nil it is "".
func KindOf(err error) string {
	var failure *llm.Failure
	var panicked *graph.PanicError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &panicked):
		return "panic"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &failure):
		return string(failure.Kind)
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	i := slices.IndexFunc(faults, func(k kind) bool { return errors.Is(err, k.is) })
	if i < 0 {
		return "_OTHER"
	}
	return faults[i].name
}

type kind struct {
	is   error
	name string
}

var faults = []kind{
	{fault.ErrInvalid, "invalid"},
	{fault.ErrNotFound, "not_found"},
	{fault.ErrConflict, "conflict"},
	{fault.ErrDenied, "denied"},
	{fault.ErrUnavailable, "unavailable"},
}

// attributes leave out what is empty.
type attributes []attribute.KeyValue

func (a *attributes) text(key, value string) {
	if value != "" {
		*a = append(*a, attribute.String(key, value))
	}
}

func (a *attributes) number(key string, value int) {
	if value != 0 {
		*a = append(*a, attribute.Int(key, value))
	}
}

// What is said, in the conventions' form.
type (
	chatMessage struct {
		Role   string     `json:"role"`
		Parts  []chatPart `json:"parts"`
		Finish string     `json:"finish_reason,omitempty"`
	}
	chatPart struct {
		Type      string          `json:"type"`
		Content   string          `json:"content,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
		Response  string          `json:"response,omitempty"`
	}
)

const (
	// maxMessages is how many messages of a talk are told, the newest, and maxText how many bytes of each.
	maxMessages = 32
	maxText     = 4 << 10
)

// asked is what a model was asked, as JSON.
func asked(messages []llm.Message) string {
	list := []chatMessage{}
	for _, m := range messages[max(0, len(messages)-maxMessages):] {
		parts := calls(m.Text, m.Calls)
		if m.Role == llm.Result {
			parts = []chatPart{{Type: "tool_call_response", ID: m.CallID, Response: cut(m.Text)}}
		}
		list = append(list, chatMessage{Role: string(m.Role), Parts: parts})
	}
	return encoded(list)
}

// said is what a model answered, as JSON.
func said(a llm.Answer) string {
	return encoded([]chatMessage{{
		Role: string(llm.Assistant), Parts: calls(a.Text, a.Calls), Finish: finishReasons[a.End.Stop],
	}})
}

func calls(text string, calls []llm.ToolCall) []chatPart {
	parts := []chatPart{}
	if text != "" {
		parts = append(parts, chatPart{Type: "text", Content: cut(text)})
	}
	for _, c := range calls {
		part := chatPart{Type: "tool_call", ID: c.ID, Name: c.Name}
		if json.Valid(c.Arguments) && len(c.Arguments) <= maxText {
			part.Arguments = c.Arguments
		}
		parts = append(parts, part)
	}
	return parts
}

func cut(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxText)], "") }

func encoded(list []chatMessage) string {
	data, err := json.Marshal(list)
	if err != nil { // texts always can be written
		return ""
	}
	return string(data)
}
