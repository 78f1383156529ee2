// Package tools is what a model, a node, another server or a client may call: typed Go functions under a name, with JSON going in and out.
//
// The idea to hold: a tool is a function and a [Spec] that says how it wants to be called. The [Registry] does the rest, for all of them
// alike: who may, checking the input against the schema made from the Go type, time limits, tries, a cache, a trace. The package knows
// no HTTP, no model's way of declaring functions, and none of the tools.
package tools

//go:generate go run ./generate

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"annai/fault"
)

// Role is who calls. It is a closed set.
type Role string

// The values of [Role].
const (
	Visitor  Role = "visitor"
	Owner    Role = "owner"
	Operator Role = "operator"
)

// A Caller is who calls, and how they want to be spoken to.
type Caller struct {
	Role Role
	// Owner is the name of the owner whose calendars and tasks are meant, besides those of nobody
	// in particular. Empty: only those.
	Owner string
	// Name is the caller's for logs. It has no meaning for tools.
	Name string
	// Language is that of messages, "ja" or "en"; anything else is taken for "ja".
	Language string
	// SessionID and RequestID name the conversation and the request. The same call of the same request is done once: see [KeyedWrite].
	// An empty RequestID is a request of its own.
	SessionID, RequestID string
}

// Class says what happens if a tool is called again with the same input. It is a closed set.
type Class string

// The values of [Class].
const (
	// Read changes nothing.
	Read Class = "read"
	// KeyedWrite changes something once, however often the same request is tried.
	KeyedWrite Class = "keyed_write"
	// UnkeyedWrite changes something each time. It is never tried again.
	UnkeyedWrite Class = "unkeyed_write"
)

// A Spec says how a tool wants to be called.
type Spec struct {
	// Name is made of small letters, digits and underscores, which all protocols of tools allow.
	Name string
	// Description tells a model when to use it, by language ("ja", "en"). See [Descriptions].
	Description map[string]string
	Class       Class
	// Destructive says that it may remove or change what is there.
	Destructive bool
	// Roles may call it.
	Roles []Role
	// Timeout bounds one try. Required.
	Timeout time.Duration
	// Retries is how often it is tried again where that may help. An [UnkeyedWrite] has none.
	Retries int
	// TTL is how long an answer may be given again to the same role, owner, language and input. Only for a [Read].
	TTL time.Duration
	// BackEnd names what it depends on, and Scopes what it must be granted there, for people.
	BackEnd string
	Scopes  []string
	// Unconfigured says for the operator why the tool cannot be offered. Empty: it can.
	Unconfigured string
	// MaxInput is the largest input in bytes, where it may be larger than the server's limit. 0: that limit.
	MaxInput int64
	// Requests is how many requests of a visitor a call counts as, where it is more than a second of one processor's
	// work. 0: one.
	Requests int
	// TextInput says that a JSON string that holds the input is taken for the input too.
	TextInput bool
}

// A Tool is a function to be called with JSON. In is a struct; its fields have names by tag json, and are required unless that says omitempty
// or omitzero. Tag jsonschema describes a field, enum ("a,b"), min and max bound it.
type Tool[In, Out any] struct {
	Spec
	// Do does it. It heeds ctx. What people must know of an error they are told by its Message method, see [Message].
	Do func(ctx context.Context, caller Caller, in In) (Out, error)
	// Degraded may answer in place of an error that is left after all tries, and has no answer with it ([Instead]).
	// Nil: none.
	Degraded func(caller Caller, err error) (Out, bool)
	// Retry says whether a failure may be over soon, and how long it asks to be left alone. Nil: those that are [fault.ErrUnavailable] may.
	Retry func(err error) (wait time.Duration, ok bool)
}

// An Instead is a failure with the answer that is given in its place once the call was tried often enough.
type Instead[Out any] struct {
	Err    error
	Answer Out
}

// Error is that of the failure.
func (i *Instead[Out]) Error() string { return i.Err.Error() }

// Unwrap returns the failure.
func (i *Instead[Out]) Unwrap() error { return i.Err }

// An entry is a [Tool] without its types.
type entry struct {
	Spec
	input, output schemas
	do            func(ctx context.Context, caller Caller, input []byte) (json.RawMessage, error)
	degraded      func(caller Caller, err error) (json.RawMessage, bool, error)
	retry         func(err error) (time.Duration, bool)
}

// newEntry returns the tool without its types.
func newEntry[In, Out any](t Tool[In, Out]) (*entry, error) {
	input, err := schemaOf[In]()
	if err != nil {
		return nil, err
	}
	output, err := schemaOf[Out]()
	if err != nil {
		return nil, err
	}
	e := &entry{Spec: t.Spec, input: input, output: output, retry: t.Retry}
	if e.retry == nil {
		e.retry = func(err error) (time.Duration, bool) { return 0, errors.Is(err, fault.ErrUnavailable) }
	}
	e.do = func(ctx context.Context, caller Caller, raw []byte) (json.RawMessage, error) {
		var in In
		if err := json.Unmarshal(raw, &in); err != nil { // the schema let it pass
			return nil, errors.Join(&InputError{Problems: []Problem{{Kind: NotJSON}}}, err)
		}
		out, err := t.Do(ctx, caller, in)
		if err != nil {
			return nil, err
		}
		return encode(out)
	}
	e.degraded = func(caller Caller, err error) (json.RawMessage, bool, error) {
		out, ok := t.instead(caller, err)
		if !ok {
			return nil, false, nil
		}
		raw, err := encode(out)
		return raw, err == nil, err
	}
	return e, nil
}

// instead is what is answered in place of an error.
func (t Tool[In, Out]) instead(caller Caller, err error) (out Out, ok bool) {
	var with *Instead[Out]
	if errors.As(err, &with) {
		return with.Answer, true
	}
	if t.Degraded == nil {
		return out, false
	}
	return t.Degraded(caller, err)
}
