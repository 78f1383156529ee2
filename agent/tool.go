package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"annai/fault"
	"annai/graph"
	"annai/tools"
)

// A Tool is what a model may ask for. [NewTool] makes one of a Go function.
type Tool struct {
	// Name is made of lower-case letters, digits and underscores.
	Name string
	// Description tells the model when to use the tool.
	Description string
	// Schema is the JSON schema of the arguments, which are an object.
	Schema json.RawMessage
	// Call carries out a call. It checks the arguments, and returns when ctx is done, as it is after Timeout. The model
	// reads what Call returns, and the text of an error. It must be safe for concurrent use.
	Call func(ctx context.Context, args json.RawMessage) (string, error)
	// Timeout bounds one call; at most an hour. 0: 30 s.
	Timeout time.Duration

	// fits says what of the arguments Call would refuse; nil: what does not fit the Schema.
	fits func(args json.RawMessage) error
	// inState does it with the state, which is an S, in place of Call; see [NewStateTool].
	inState func(ctx context.Context, state any, args json.RawMessage) (ToolResult, error)
	// agent is an agent that is the tool, handoff the agent that the talk is handed to.
	agent   *graph.Graph[State]
	handoff string
	err     error
}

// longest is the longest time that a tool may be given.
const longest = time.Hour

// NewTool makes a tool of a function. The schema of the arguments is made from In, a struct: the tag json of a field
// names it, and it is required unless that says omitempty or omitzero; the tag jsonschema describes it, enum ("a,b"),
// min and max bound it. If arguments do not fit, the model is told so and the function is not called. The model is
// given Out as JSON, a string as it is. What is wrong with the tool is reported by [React] and [AddToolNode].
func NewTool[In, Out any](name, description string, do func(ctx context.Context, in In) (Out, error)) Tool {
	t := tools.Tool[In, Out]{Spec: tools.Spec{
		Name: name, Description: map[string]string{"ja": description, "en": description},
		Class: tools.UnkeyedWrite, Roles: []tools.Role{tools.Visitor}, Timeout: longest,
	}}
	if do != nil {
		t.Do = func(ctx context.Context, _ tools.Caller, in In) (Out, error) { return do(ctx, in) }
	}
	registry := tools.New(func() time.Time { return time.Time{} }, tools.Options{}) // nothing is timed or cached
	if err := tools.Add(registry, t); err != nil {
		return Tool{Name: name, err: err}
	}
	if in := reflect.TypeFor[In](); in.Kind() != reflect.Struct {
		return Tool{Name: name, err: fmt.Errorf("tool %s takes %s, which is no struct: %w", name, in, fault.ErrInvalid)}
	}
	return FromRegistry(registry, tools.Caller{Role: tools.Visitor, Language: "en"})[0]
}

// FromRegistry makes tools of those that the registry offers to the caller. The registry's time limit holds for each
// try, and Timeout, 30 s unless it is changed, for the call as a whole.
func FromRegistry(registry *tools.Registry, caller tools.Caller) []Tool {
	var all []Tool
	for _, d := range registry.Offered(caller) {
		all = append(all, Tool{
			Name: d.Name, Description: d.Description, Schema: d.InputSchema,
			fits: func(args json.RawMessage) error {
				return worded(registry.Check(caller, d.Name, args), caller.Language)
			},
			Call: func(ctx context.Context, args json.RawMessage) (string, error) {
				answer, err := registry.Call(ctx, caller, d.Name, args)
				if err != nil {
					return "", worded(err, caller.Language)
				}
				var text string
				if json.Unmarshal(answer, &text) == nil {
					return text, nil
				}
				return string(answer), nil
			},
		})
	}
	return all
}

// worded returns the error with the words that it has for people, if it has any.
func worded(err error, language string) error {
	var words interface{ Message(lang string) string }
	if errors.As(err, &words) {
		return &said{err, words.Message(language)}
	}
	return err
}

// said is an error with other words.
type said struct {
	error

	words string
}

func (s *said) Error() string { return s.words }
func (s *said) Unwrap() error { return s.error }

// checkTools looks for what is wrong with tools, all at once.
func checkTools(all []Tool) error {
	var problems []error
	seen := map[string]bool{}
	for _, t := range all {
		switch {
		case t.err != nil:
			problems = append(problems, t.err)
		case t.Name == "" || t.Call == nil || !isObject(t.Schema) || t.Timeout < 0 || t.Timeout > longest:
			problems = append(problems, fmt.Errorf(
				"tool %q lacks a name, a function or a schema, or has no time within %s: %w",
				t.Name, longest, fault.ErrInvalid,
			))
		case seen[t.Name]:
			problems = append(problems, fmt.Errorf("tool %q is there twice: %w", t.Name, fault.ErrInvalid))
		}
		seen[t.Name] = true
	}
	return errors.Join(problems...)
}

// checker returns what says why arguments do not fit the tool. A schema that can't be read is [fault.ErrInvalid].
func (t Tool) checker() (func(args json.RawMessage) error, error) {
	if t.fits != nil {
		return t.fits, nil
	}
	var schema jsonschema.Schema
	err := json.Unmarshal(t.Schema, &schema)
	var resolved *jsonschema.Resolved
	if err == nil {
		resolved, err = schema.Resolve(nil)
	}
	if err != nil {
		return nil, fmt.Errorf("schema of tool %s: %w: %w", t.Name, err, fault.ErrInvalid)
	}
	return func(args json.RawMessage) error {
		var value any
		err := json.Unmarshal(args, &value)
		if err == nil {
			err = resolved.Validate(value)
		}
		return err
	}, nil
}

// run calls the tool within its time. One that panics or does not heed its time is an error too.
func (t Tool) run(ctx context.Context, state any, args json.RawMessage) (ToolResult, error) {
	limit := t.Timeout
	if limit == 0 {
		limit = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type outcome struct {
		result ToolResult
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: fmt.Errorf("tool %s broke off", t.Name)}
		defer func() {
			if v := recover(); v != nil {
				o.err = fmt.Errorf("tool %s panicked: %v", t.Name, v)
			}
			done <- o
		}()
		if t.inState != nil {
			o.result, o.err = t.inState(ctx, state, args)
			return
		}
		o.result.Text, o.err = t.Call(ctx, args)
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case o := <-done:
		if o.err == nil {
			return o.result, nil
		}
	case <-late.C: // left behind
	}
	return ToolResult{}, fmt.Errorf("tool %s had no answer in %s: %w", t.Name, limit, fault.ErrUnavailable)
}

// grace is how long a tool has to return once its time is over.
const grace = time.Second
