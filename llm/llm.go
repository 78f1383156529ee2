// Package llm is what annai needs of a language model: a [Model] answers a [Request] with a stream of values of
// [Delta].
//
// The one idea: an answer is an iterator that ends in exactly one way, an [End] or an error, so whoever reads it
// knows whether a sentence that stops was finished or cut off. Deadlines, retries, a breaker and so on are models
// around a model: see [Deadline], [Retry], [Fallback], [Breaker] and [Limit]. [Script] is the model of tests.
//
// The package knows no provider, no wire and no prompt. What a model writes is text that nobody has checked: it is
// never a fact, and a tool call that is written as words stays words.
package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"annai/fault"
)

// A Model answers requests. It is safe for concurrent use.
type Model interface {
	// Name tells the model apart in logs, metrics and answers: who serves it and which it is, such as "openai/gpt-4.1-mini". It is no secret
	// and never empty.
	Name() string

	// Stream answers the request. Nothing is asked before the iterator is ranged over, and each ranging over it asks anew.
	//
	// It yields deltas with a nil error as they come: pieces of text, of tool calls if the request wants those, then
	// whole tool calls, then one [End], after which nothing comes. Or it yields one error, with a zero delta, after
	// what had come by then, and nothing after that. The error is a [*Failure], and with it a kind of fault; a request
	// that [Request.Check] refuses is [fault.ErrInvalid], without anybody being asked.
	//
	// An answer of neither text nor tool calls is a failure, [Malformed]; so is a tool call whose arguments are no JSON object. An answer
	// that stops without its end is [CutOff], never a short answer.
	//
	// When ctx ends the error wraps ctx.Err() too, and is [Late]. A reader that stops early ends the request. Either way nothing of it goes
	// on when the iterator returns.
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// A Role says whose turn a message is.
type Role string

// The roles.
const (
	// System is the program that asks. A model is to obey it before anybody else, which is a hope and no guarantee.
	System Role = "system"
	User   Role = "user"
	// Assistant is the model itself, earlier.
	Assistant Role = "assistant"
	// Result is what a tool answered to a [ToolCall].
	Result Role = "tool"
)

// A Message is one turn.
type Message struct {
	Role Role
	Text string
	// Calls are what an assistant asked for; other roles have none.
	Calls []ToolCall
	// CallID and Tool name the call that a result answers; other roles have neither.
	CallID, Tool string
}

// A Tool is what a model may ask for.
type Tool struct {
	// Name is of letters, digits, _ and -.
	Name        string
	Description string
	// Schema is the JSON schema of the arguments, which are an object.
	Schema json.RawMessage
}

// A ToolCall is a model's asking for a tool, which need not be one that it was offered. That it asks is no permission, and the arguments are
// unchecked.
type ToolCall struct {
	// ID tells calls of one conversation apart. It is never empty.
	ID   string
	Name string
	// Arguments are a JSON object, which need not fit the tool's schema.
	Arguments json.RawMessage
	// Extra is what a provider wants back with the call when it is told the result. It is nobody else's, and most have none.
	Extra json.RawMessage
}

// A Request is what a model is asked.
type Request struct {
	// Messages are the conversation, oldest first, at least one.
	Messages []Message
	// Tools are what the model may ask for instead of, or besides, words. Some models call again what they were already answered: give none
	// where only words are wanted.
	Tools []Tool
	// Schema, if there is one, is the JSON schema that the text is to fit. Models and servers differ in how well they keep to it, so read the
	// answer with [Answer.Decode] and check what came. It excludes tools.
	Schema json.RawMessage
	// MaxTokens is the longest answer, in the model's tokens. 0 leaves it to the server.
	MaxTokens int
	// Temperature is how freely words are chosen, from 0, the likeliest, to 2. Models that take none are not told.
	Temperature float64
	// Seed makes choices repeatable where the model can do that. 0 is none.
	Seed int
	// Pieces says that tool calls are wanted in pieces too, while they come, by models that can do that. An answer that
	// breaks off after the first piece is not tried again, as one that breaks off after its first words is not.
	Pieces bool
}

// Check says what is wrong with a request whoever is to answer it, as [fault.ErrInvalid].
func (r Request) Check() error {
	switch {
	case len(r.Messages) == 0:
		return fmt.Errorf("ask a model nothing: %w", fault.ErrInvalid)
	case len(r.Schema) > 0 && len(r.Tools) > 0:
		return fmt.Errorf("ask a model for tools and for a schema: %w", fault.ErrInvalid)
	case len(r.Schema) > 0 && !isObject(r.Schema):
		return fmt.Errorf("ask a model for a schema that is no JSON object: %w", fault.ErrInvalid)
	case r.MaxTokens < 0 || r.Temperature < 0 || r.Temperature > 2:
		return fmt.Errorf("ask a model for %d tokens at temperature %g: %w", r.MaxTokens, r.Temperature, fault.ErrInvalid)
	}
	for _, t := range r.Tools {
		if t.Name == "" || !isObject(t.Schema) {
			return fmt.Errorf("offer a model the tool %q with a schema that is no JSON object: %w", t.Name, fault.ErrInvalid)
		}
	}
	for i, m := range r.Messages {
		if err := m.check(); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	return nil
}

func (m Message) check() error {
	switch m.Role {
	case System, User:
		if m.Text == "" || len(m.Calls) > 0 {
			return fmt.Errorf("a message of %s without text, or with tool calls: %w", m.Role, fault.ErrInvalid)
		}
	case Assistant:
		if m.Text == "" && len(m.Calls) == 0 {
			return fmt.Errorf("an empty message of the assistant: %w", fault.ErrInvalid)
		}
		for _, c := range m.Calls {
			if c.ID == "" || c.Name == "" || !isObject(c.Arguments) {
				return fmt.Errorf("a tool call without id, name or an object of arguments: %w", fault.ErrInvalid)
			}
		}
	case Result:
		if m.CallID == "" || m.Tool == "" {
			return fmt.Errorf("a tool's result that names no call: %w", fault.ErrInvalid)
		}
	default:
		return fmt.Errorf("a message of the role %q: %w", m.Role, fault.ErrInvalid)
	}
	return nil
}

// isObject reports whether data is one JSON object.
func isObject(data []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(data, &object) == nil && object != nil
}

// A Delta is a piece of an answer. Exactly one of its fields is set.
type Delta struct {
	// Text goes right behind the text before it. It may end anywhere between two letters.
	Text string
	// Piece is a part of a tool call that is still coming. The whole call follows.
	Piece *CallPiece
	// Call is a whole tool call.
	Call *ToolCall
	// End says that the answer is complete. It comes last.
	End *End
}

// A CallPiece is the next part of a tool call.
type CallPiece struct {
	// Index is the call's place among those of the answer, from 0.
	Index int
	// ID and Name are with the first piece that has them, and empty otherwise.
	ID, Name string
	// Arguments goes right behind that of the pieces before. It is no JSON by itself.
	Arguments string
}

// A Stop is why an answer ended.
type Stop string

// The ends of an answer.
const (
	// Finished is an answer that the model thinks complete.
	Finished Stop = "finished"
	// Length is an answer that reached [Request.MaxTokens] or the end of what the model can hold; its last sentence is most likely not whole.
	Length Stop = "length"
	// Calls is an answer that goes on once the tools that it asked for have answered.
	Calls Stop = "calls"
)

// An End is the last delta of an answer.
type End struct {
	Stop Stop
	// Usage is zero where the server did not say.
	Usage Usage
	// Model is the [Model.Name] of the one that answered, which matters behind a [Fallback].
	Model string
}

// Usage is what an answer cost, in the model's tokens.
type Usage struct {
	Prompt, Answer int
}
