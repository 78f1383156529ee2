package tools

import (
	"bytes"
	"cmp"
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"annai/fault"
)

// maxWait is the longest wait before another try. A failure that asks for more is given back at once.
const maxWait = 2 * time.Second

// Call calls the tool with the input and returns its answer as JSON. No input is an empty object. A
// dot in the name, which specifications like ("flash_image.edit"), is taken for an underscore.
//
// An input that does not fit the schema is an [*InputError]. A tool that there is not, or that is not configured, is
// [fault.ErrNotFound], one that is not for this caller [fault.ErrDenied]; both have a [Message]. A tool that panics is an error of no
// kind. All other errors are the tool's.
func (r *Registry) Call(ctx context.Context, caller Caller, name string, input json.RawMessage) (json.RawMessage, error) {
	began := r.now()
	name = PlainName(name)
	caller.Language = speak(caller.Language)
	if caller.RequestID == "" {
		caller.RequestID = cryptorand.Text()
	}
	seen := Observation{Tool: name, Role: caller.Role, Caller: caller.Name, RequestID: caller.RequestID}
	inside, ended := ctx, func(json.RawMessage, error) {}
	if r.entry(name) != nil { // anybody can make up names
		inside, ended = r.opts.Begin(ctx, name, input)
	}
	answer, err := r.answer(inside, caller, name, input, &seen)
	ended(answer, err)
	seen.Took, seen.Failure = r.now().Sub(began), kindOf(err)
	if err != nil && ctx.Err() != nil {
		seen.Failure = cancelled
	}
	if e := r.entry(name); e != nil && e.Class != Read {
		seen.Write, seen.Object = true, objectOf(input, answer)
	}
	r.observe(ctx, caller, seen, err)
	if err != nil {
		return nil, fmt.Errorf("call tool %.64q: %w", name, err)
	}
	return answer, nil
}

// objectOf returns the id of the first event or task that the answer, or else the input, of a tool names.
func objectOf(input, answer json.RawMessage) string {
	type named struct {
		EventID string `json:"event_id"`
		TaskID  string `json:"taskId"`
	}
	var in named
	var out struct {
		Event, Task named
		TaskIDs     []string
	}
	_ = errors.Join(json.Unmarshal(answer, &out), json.Unmarshal(input, &in)) // what is none has no ids
	return cmp.Or(out.Event.EventID, out.Task.TaskID, strings.Join(out.TaskIDs, "+"), in.EventID, in.TaskID)
}

func (r *Registry) observe(ctx context.Context, caller Caller, seen Observation, err error) {
	if r.entry(seen.Tool) == nil {
		seen.Tool = "" // anybody can make up names
	}
	r.opts.Observe(seen)
	facts := []slog.Attr{
		slog.String("tool", seen.Tool), slog.String("role", string(seen.Role)), slog.String("request_id", caller.RequestID),
		slog.Duration("dur", seen.Took), slog.Int("tries", seen.Tries), slog.Bool("cached", seen.Cached), slog.Bool("degraded", seen.Degraded),
	}
	level := slog.LevelInfo
	if err != nil {
		facts = append(facts, slog.String("failure", seen.Failure))
	}
	if seen.Failure == internal {
		level = slog.LevelError
	}
	r.opts.Log.LogAttrs(ctx, level, "tool called", facts...)
}

func (r *Registry) answer(ctx context.Context, caller Caller, name string, input json.RawMessage, seen *Observation) (json.RawMessage, error) {
	e, checked, err := r.read(caller, name, input)
	if err != nil {
		return nil, err
	}
	key := ""
	if e.TTL > 0 {
		key = strings.Join([]string{name, string(caller.Role), caller.Owner, caller.Language, string(checked)}, "\x00")
		if answer, ok := r.cache.get(key, r.now()); ok {
			seen.Cached = true
			return answer, nil
		}
	}
	answer, err := r.try(ctx, e, caller, checked, seen)
	switch {
	case err == nil:
		if key != "" {
			r.cache.put(key, answer, r.now().Add(e.TTL))
		}
		return answer, nil
	case ctx.Err() != nil:
		return nil, err
	}
	degraded, ok, encodeErr := e.degraded(caller, err)
	if ok {
		seen.Degraded = true
		r.opts.Log.WarnContext(ctx, "tool answered without its source", slog.String("tool", name), slog.String("request_id", caller.RequestID), slog.Any("err", err))
		return degraded, nil
	}
	return nil, errors.Join(err, encodeErr)
}

// read finds the tool, and returns the input as it gets it.
func (r *Registry) read(caller Caller, name string, input json.RawMessage) (*entry, json.RawMessage, error) {
	e, err := r.allowed(caller, name)
	if err != nil {
		return nil, nil, err
	}
	if e.TextInput {
		input = unquote(input)
	}
	checked, err := e.input.check(input)
	return e, checked, err
}

// Check returns the error with which [Registry.Call] would refuse the input before it calls the tool; nil if it would
// not.
func (r *Registry) Check(caller Caller, name string, input json.RawMessage) error {
	_, _, err := r.read(caller, name, input)
	return err
}

// MaxInput returns the largest input of a tool in bytes; 0: the server's own limit.
func (r *Registry) MaxInput(name string) int64 {
	if e := r.entry(PlainName(name)); e != nil {
		return e.MaxInput
	}
	return 0
}

// Requests returns how many requests of a visitor a call of the tool counts as.
func (r *Registry) Requests(name string) int {
	if e := r.entry(PlainName(name)); e != nil {
		return max(1, e.Requests)
	}
	return 1
}

// PlainName returns a name as tools have it: with underscores for dots.
func PlainName(name string) string { return strings.ReplaceAll(name, ".", "_") }

// allowed returns the tool, if it is there for this caller.
func (r *Registry) allowed(caller Caller, name string) (*entry, error) {
	e := r.entry(name)
	switch {
	case e == nil:
		return nil, noSuchTool
	case !slices.Contains(e.Roles, caller.Role):
		return nil, notForYou(e.Roles)
	case e.Unconfigured != "":
		return nil, noSuchTool
	}
	return e, nil
}

// unquote returns what a JSON string holds, or else the input as it is.
func unquote(input json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(input, &text) != nil {
		return input
	}
	return json.RawMessage(strings.TrimSpace(text))
}

// try calls the tool until it answers, fails for good, or was tried often enough.
func (r *Registry) try(ctx context.Context, e *entry, caller Caller, input []byte, seen *Observation) (json.RawMessage, error) {
	backoff := r.opts.Backoff
	for {
		seen.Tries++
		answer, err := r.once(ctx, e, caller, input)
		if err == nil || seen.Tries > e.Retries || ctx.Err() != nil {
			return answer, err
		}
		asked, ok := e.retry(err)
		wait := max(asked, time.Duration(float64(backoff)*(0.5+r.opts.Jitter()/2)))
		if !ok || wait > maxWait {
			return nil, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, err
		}
		backoff *= 2
	}
}

// once calls the tool within its time limit, and turns a panic into an error.
func (r *Registry) once(ctx context.Context, e *entry, caller Caller, input []byte) (answer json.RawMessage, err error) {
	limited, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			r.opts.Log.ErrorContext(ctx, "tool panicked", slog.String("tool", e.Name), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
			answer, err = nil, fmt.Errorf("tool %s panicked: %v", e.Name, v)
		}
	}()
	answer, err = e.do(limited, caller, input)
	if err != nil && limited.Err() != nil && ctx.Err() == nil && kindOf(err) == internal {
		err = fmt.Errorf("tool %s had no answer in %s: %w: %w", e.Name, e.Timeout, fault.ErrUnavailable, err)
	}
	return answer, err
}

const (
	// internal is the kind of an error of no kind.
	internal = "internal"
	// cancelled is any error of a call whose caller waits no more.
	cancelled = "cancelled"
)

// kindOf names the kind of an error, "" for none.
func kindOf(err error) string {
	if err == nil {
		return ""
	}
	for _, k := range []struct {
		kind error
		name string
	}{
		{fault.ErrInvalid, "invalid"},
		{fault.ErrNotFound, "not_found"},
		{fault.ErrConflict, "conflict"},
		{fault.ErrDenied, "denied"},
		{fault.ErrUnavailable, "unavailable"},
	} {
		if errors.Is(err, k.kind) {
			return k.name
		}
	}
	return internal
}

// encode writes a value as JSON, letters as they are.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode %T: %w", value, err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
