// Package assistant makes the concierge a graph that LangGraph's clients can show.
package assistant

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"annai/api"
	"annai/fault"
	"annai/graph"
	"annai/internal/message"
	"annai/nlu"
	"annai/nodes"
	"annai/runs"
	"annai/server/door"
	"annai/server/gate"
)

// ID is the id of the graph that is the concierge.
const ID = "annai"

// The nodes of that graph: a turn of the concierge, and the question that it may end with.
const (
	nodeAnswer = "answer"
	nodeAsk    = "ask"
)

// Parts are what the concierge's graph is made of. All are required.
type Parts struct {
	Concierge gate.Concierge
	// Drawing is the picture of the concierge's own graph.
	Drawing func() graph.Drawing
	// Checkpointer keeps threads: what was said in them, while the concierge remembers sessions by itself.
	Checkpointer graph.Checkpointer
	Now          func() time.Time
	// NewID makes ids of messages.
	NewID func() string
}

// New makes the concierge a graph that LangGraph's clients can show: its state has messages, a thread is a
// session, and what it asks is an interrupt. The last message of a person is what is answered, or else query;
// language, "ja" or "en", is that of the answer if it is not to follow the question.
func New(parts Parts) (runs.Graph, error) {
	a := &assistant{parts: parts, schema: graph.NewSchema[graph.Values]()}
	a.messages = runs.Messages(a.schema)
	a.query, a.language = graph.LastValue(a.schema, "query"), graph.LastValue(a.schema, "language")
	a.answer, a.reply = graph.LastValue(a.schema, "answer"), graph.LastValue(a.schema, "reply")
	typed, err := runs.Typed(runs.Definition[graph.Values]{
		Build:   a.build,
		Options: graph.Options{Name: ID, Checkpointer: parts.Checkpointer, Now: parts.Now},
		Fields: []runs.Field[graph.Values]{
			runs.MessagesField(a.messages, parts.NewID), runs.FieldOf(a.query), runs.FieldOf(a.language),
		},
		Schemas: assistantSchemas(),
	})
	return drawnGraph{typed, parts.Drawing}, err
}

// drawnGraph shows another picture than its own.
type drawnGraph struct {
	runs.Graph

	drawing func() graph.Drawing
}

func (d drawnGraph) Drawing() graph.Drawing { return d.drawing() }

func assistantSchemas() runs.Schemas {
	const language = `"language":{"type":"string","enum":["ja","en"]}`
	const messages = `"messages":{"type":"array","items":{"type":"object"}},"query":{"type":"string"},` + language
	const answer = messages + `,"answer":{"type":"object"}`
	return runs.Schemas{
		Input:  json.RawMessage(`{"type":"object","properties":{` + messages + `}}`),
		Output: json.RawMessage(`{"type":"object","properties":{` + answer + `}}`),
		State:  json.RawMessage(`{"type":"object","properties":{` + answer + `,"reply":{"type":"object"}}}`),
		Config: json.RawMessage(`{"type":"object","properties":{` + language + `,"timezone":{"type":"string"}}}`),
	}
}

// SessionOf is the id of the concierge's session behind a thread.
func SessionOf(thread string) string { return "thread-" + thread }

type assistant struct {
	parts    Parts
	schema   *graph.Schema[graph.Values]
	messages graph.Channel[graph.Values, any]
	query    graph.Channel[graph.Values, any]
	language graph.Channel[graph.Values, any]
	// answer is the concierge's newest answer, reply what a person says to its question.
	answer, reply graph.Channel[graph.Values, any]
}

func (a *assistant) build(opts graph.Options) (*graph.Graph[graph.Values], error) {
	g := graph.New(a.schema)
	g.AddNode(nodeAnswer, a.turn, graph.NodeOptions{})
	g.AddNode(nodeAsk, a.ask, graph.NodeOptions{})
	g.AddEdge(graph.Start, nodeAnswer)
	g.AddRoute(nodeAnswer, func(_ context.Context, s graph.Values) (graph.Next, error) {
		if openQuestion(s) == nil {
			return graph.To(graph.End), nil
		}
		return graph.To(nodeAsk), nil
	}, graph.Nodes(nodeAsk, graph.End))
	g.AddEdge(nodeAsk, nodeAnswer)
	return g.Compile(opts)
}

// answered is a person's answer to an interrupt of the concierge.
type answered struct {
	ID    string          `json:"interrupt_id"`
	Value json.RawMessage `json:"value"`
	// Said is how many messages there are with it: once there are more, something else was said meanwhile.
	Said int `json:"said"`
}

// turn lets the concierge answer.
func (a *assistant) turn(ctx context.Context, s graph.Values) (graph.Command[graph.Values], error) {
	t, err := a.turnOf(ctx, s)
	if err != nil {
		return graph.Command[graph.Values]{}, err
	}
	response, err := a.listen(ctx, t)
	if err != nil {
		return graph.Command[graph.Values]{}, shown{err}
	}
	answer, err := object(response)
	if err != nil {
		return graph.Command[graph.Values]{}, err
	}
	return graph.Command[graph.Values]{Update: graph.Update[graph.Values]{
		a.messages.Write([]any{a.message(response)}), a.answer.Write(answer), a.reply.Write(nil),
	}}, nil
}

// turnOf makes a turn of the state.
func (a *assistant) turnOf(ctx context.Context, s graph.Values) (nodes.Turn, error) {
	config, _ := graph.RunContext[runs.Config](ctx)
	runtime := graph.RuntimeOf(ctx)
	t := nodes.Turn{SessionID: SessionOf(runtime.ThreadID), Caller: "threads"} // which nobody else is called
	t.RunID, t.Owner, t.OwnerName, t.Repeatable = runtime.RunID, config.Owner, config.OwnerName, true
	language, _ := s["language"].(string)
	if language == "" {
		language, _ = config.Configurable["language"].(string)
	}
	if language == "ja" || language == "en" {
		t.Language = nlu.Language(language)
	}
	if zone, _ := config.Configurable["timezone"].(string); zone != "" {
		location, err := time.LoadLocation(zone)
		if err != nil {
			return t, fmt.Errorf("timezone %q: %w", zone, fault.ErrInvalid)
		}
		t.Location = location
	}
	messages, _ := s[message.Channel].([]any)
	var r answered
	if err := remake(s["reply"], &r); err != nil {
		return t, err
	}
	if r.ID != "" && r.Said == len(messages) {
		t.Resume = &nodes.Resume{InterruptID: r.ID, Value: r.Value}
		return t, nil
	}
	t.Query = strings.TrimSpace(question(s))
	if n := len([]rune(t.Query)); n == 0 || n > maxQuery {
		return t, fmt.Errorf("the last message of a person has 1 to %d characters: %w", maxQuery, fault.ErrInvalid)
	}
	return t, nil
}

// maxQuery is how many characters an utterance may have.
const maxQuery = 2000

// question is what is to be answered.
func question(s graph.Values) string {
	messages, _ := s[message.Channel].([]any)
	if said := lastOfPerson(messages); said != nil {
		return message.Text(said)
	}
	query, _ := s["query"].(string)
	return query
}

// lastOfPerson is the newest message of a person, nil if there is none.
func lastOfPerson(messages []any) runs.Object {
	for _, message := range slices.Backward(messages) {
		if m, _ := message.(runs.Object); m["type"] == "human" {
			return m
		}
	}
	return nil
}

// listen runs the turn. What happens on the way is told as custom events: a node that starts or ends, by its name.
func (a *assistant) listen(ctx context.Context, t nodes.Turn) (api.QueryResponse, error) {
	for event, err := range a.parts.Concierge.Ask(ctx, t) {
		if err != nil {
			return api.QueryResponse{}, err
		}
		switch e := event.(type) {
		case nodes.Progress:
			graph.WriteCustom(ctx, map[string]any{"progress": e.NodeProgress, "done": e.Done})
		case nodes.Final:
			return e.QueryResponse, nil
		}
	}
	return api.QueryResponse{}, fmt.Errorf("no answer: %w", fault.ErrUnavailable)
}

// A shown error has the words of its kind, because a run's error is shown to whoever asked for it.
type shown struct{ error }

func (s shown) Error() string { return door.Explain(s.error, "en").Message }
func (s shown) Unwrap() error { return s.error }

// message is the answer as a message: its text without the tag, the rest beside it.
func (a *assistant) message(r api.QueryResponse) runs.Object {
	text := r.Text
	if _, after, tagged := strings.Cut(text, "]"); tagged && strings.HasPrefix(text, "[") {
		text = strings.TrimSpace(after)
	}
	m := message.New("ai", a.parts.NewID(), text)
	m["name"] = ID
	m["additional_kwargs"] = runs.Object{
		"emotion": r.Emotion, "language": r.Language, "suggestions": r.Suggestions, "cards": r.Cards,
	}
	return m
}

// openQuestion is the question that the newest answer ends with, or nil.
func openQuestion(s graph.Values) runs.Object {
	answer, _ := s["answer"].(runs.Object)
	open, _ := answer["interrupt"].(runs.Object)
	return open
}

// ask asks a person what the concierge asks.
func (a *assistant) ask(ctx context.Context, s graph.Values) (graph.Command[graph.Values], error) {
	open := openQuestion(s)
	var value json.RawMessage
	replied, err := graph.Answer(ctx, 0, &value)
	if err != nil || !replied {
		return graph.Command[graph.Values]{Interrupt: &graph.Interrupt{Question: open}}, err
	}
	var update graph.Update[graph.Values]
	messages, _ := s[message.Channel].([]any)
	r := answered{Value: value, Said: len(messages)}
	r.ID, _ = open["id"].(string)
	if said := a.said(value); said != nil { // it belongs to the talk
		update = append(update, a.messages.Write([]any{said}))
		r.Said++
		if r.Value, err = json.Marshal(message.Text(said)); err != nil {
			return graph.Command[graph.Values]{}, err
		}
	}
	reply, err := object(r)
	return graph.Command[graph.Values]{Update: append(update, a.reply.Write(reply))}, err
}

// said is a reply in words as a message: a text, or, as pages for chats send it, an input with messages. Nil for
// another.
func (a *assistant) said(reply json.RawMessage) runs.Object {
	var words string
	if json.Unmarshal(reply, &words) == nil && words != "" {
		return message.New("human", a.parts.NewID(), words)
	}
	var input struct {
		Messages json.RawMessage `json:"messages"`
	}
	if json.Unmarshal(reply, &input) != nil || input.Messages == nil {
		return nil
	}
	messages, err := message.Read(input.Messages, a.parts.NewID)
	if err != nil {
		return nil
	}
	said := lastOfPerson(messages)
	if strings.TrimSpace(message.Text(said)) == "" {
		return nil
	}
	return said
}

// object is a value as JSON has it.
func object(value any) (runs.Object, error) {
	var o runs.Object
	err := remake(value, &o)
	return o, err
}

func remake(from, to any) error {
	data, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		return fmt.Errorf("concierge: %w", err)
	}
	return nil
}
