package agent

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
)

// A PIIStrategy is what happens to personal data that were found. It is a closed set.
type PIIStrategy string

// The values of [PIIStrategy].
const (
	// PIIRedact puts the kind in their place: [REDACTED_EMAIL].
	PIIRedact PIIStrategy = "redact"
	// PIIMask leaves the last four letters or digits, ****1111, and nothing of short data.
	PIIMask PIIStrategy = "mask"
	// PIIHash puts a hash of 32 bits in their place, the same for the same data: <email_hash:9f86d081>. Whoever has
	// PIIOptions.Key can find out by it whether a guess at the data is right; without a key anybody can.
	PIIHash PIIStrategy = "hash"
	// PIIBlock lets nothing of the text through: a person's message is removed, and the run ends with
	// PIIOptions.Refusal; that also replaces a model's answer, with its tool calls, and a tool's answer.
	PIIBlock PIIStrategy = "block"
)

// PIIOptions are the settings of [PII] that have a default.
type PIIOptions struct {
	// Strategy is what happens to what is found. Empty: [PIIRedact].
	Strategy PIIStrategy
	// Input, Output, ToolCalls and ToolResults say where to look: in what persons say, in what the model says, in the
	// arguments of its tool calls, and in what tools answer. None of them: Input only.
	Input, Output, ToolCalls, ToolResults bool
	// Key is the key of the hashes of [PIIHash]. Nil: they have none.
	Key []byte
	// Refusal replaces what [PIIBlock] does not let through. Empty: a sentence in English.
	Refusal string
}

// PII finds personal data by detectors such as [Email] and keeps them from the model, the state or the person.
//
// What a person says is changed in the state before the model is called for the first time in a run; the checkpoint of
// the run's input has it as it came. What the model and tools say is changed before it is written; with Output or
// ToolCalls the model's answer is not streamed. A tool is called with the arguments as changed: one that needs personal
// data, to send a mail for example, has to get them from elsewhere. Content other than text is not looked at, and is
// removed from a message in which something is found. Callbacks ([graph.Observe]) get the model's answer as it came.
func PII(opts PIIOptions, detectors ...PIIDetector) Middleware {
	if !opts.Input && !opts.Output && !opts.ToolCalls && !opts.ToolResults {
		opts.Input = true
	}
	opts.Strategy = cmp.Or(opts.Strategy, PIIRedact)
	opts.Refusal = cmp.Or(opts.Refusal, "The message has personal data in it, which is not taken here.")
	p := pii{opts: opts, detectors: detectors}
	m := Middleware{Name: "PII", CanJumpTo: []string{JumpEnd}}
	for _, d := range detectors {
		m.Name += "[" + d.Name + "]"
		if d.Name == "" || d.Find == nil {
			m.invalid = fmt.Errorf("a detector without a name or a function: %w", fault.ErrInvalid)
		}
	}
	known := []PIIStrategy{PIIRedact, PIIMask, PIIHash, PIIBlock}
	if len(detectors) == 0 || !slices.Contains(known, opts.Strategy) {
		m.invalid = fmt.Errorf("no detector, or an unknown strategy %q: %w", opts.Strategy, fault.ErrInvalid)
	}
	if opts.Input {
		m.BeforeAgent = p.beforeAgent
	} else {
		m.CanJumpTo = nil
	}
	m.WrapModelCall = p.wrapModelCall
	if opts.ToolResults {
		m.WrapToolCall = p.wrapToolCall
	}
	return m
}

type pii struct {
	opts      PIIOptions
	detectors []PIIDetector
}

// looksAt reports whether the text of messages of the type is changed before the model sees them.
func (p pii) looksAt(t Type) bool {
	return t == TypeHuman && p.opts.Input || t == TypeTool && p.opts.ToolResults || t == TypeAI && p.opts.Output
}

// beforeAgent changes what persons said.
func (p pii) beforeAgent(_ context.Context, s State) (graph.Command[State], error) {
	list, changed := p.clean(s.Messages, func(t Type) bool { return t == TypeHuman })
	if !changed {
		return graph.Command[State]{}, nil
	}
	if p.opts.Strategy == PIIBlock {
		return end(p.opts.Refusal, append([]Message{RemoveAllMessages()}, list...)...), nil
	}
	return graph.Command[State]{Update: moved(nil, list)}, nil
}

// clean returns the messages without what was found in those of the types, and whether that changed any. Of
// [PIIBlock] they are those in which nothing was found.
func (p pii) clean(messages []Message, of func(Type) bool) (list []Message, changed bool) {
	for _, m := range messages {
		m, found := p.cleaned(m, of)
		changed = changed || found
		if !found || p.opts.Strategy != PIIBlock || m.Type != TypeHuman {
			list = append(list, m)
		}
	}
	return list, changed
}

// cleaned returns the message without what was found in it, and whether that changed it.
func (p pii) cleaned(m Message, of func(Type) bool) (_ Message, changed bool) {
	if of(m.Type) {
		if text, found := p.replace(m.Text); found {
			m.Text, m.Blocks, changed = text, nil, true // blocks have the text too
		}
	}
	if m.Type != TypeAI || !p.opts.ToolCalls {
		return m, changed
	}
	m.ToolCalls = slices.Clone(m.ToolCalls)
	for i, call := range m.ToolCalls {
		args, found := p.arguments(call.Args)
		if found && p.opts.Strategy == PIIBlock {
			m.Text, m.Blocks, m.ToolCalls = p.opts.Refusal, nil, nil
			return m, true
		}
		m.ToolCalls[i].Args, changed = args, changed || found
	}
	return m, changed
}

// arguments returns those of a tool call without what was found in their texts, names and numbers.
func (p pii) arguments(args json.RawMessage) (clean json.RawMessage, found bool) {
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return args, false // no tool reads it either
	}
	value, found = p.value(value)
	if !found {
		return args, false
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil { // what was read can be written
		return json.RawMessage("{}"), true
	}
	return bytes.TrimSpace(b.Bytes()), true
}

// value returns a value of JSON without what was found in it. A number in which something was found is a text then.
func (p pii) value(value any) (clean any, found bool) {
	switch v := value.(type) {
	case string:
		return p.replace(v)
	case json.Number:
		if text, found := p.replace(v.String()); found {
			return text, true
		}
	case []any:
		for i := range v {
			one, changed := p.value(v[i])
			v[i], found = one, found || changed
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			key, renamed := p.replace(name)
			one, changed := p.value(v[name])
			delete(v, name)
			v[key], found = one, found || renamed || changed
		}
	}
	return value, found
}

// wrapModelCall keeps from the model what the state still has, and from the state what the model says.
func (p pii) wrapModelCall(ctx context.Context, r ModelRequest, next ModelHandler) (Message, error) {
	r.Messages, _ = p.clean(r.Messages, p.looksAt)
	if !p.opts.Output && !p.opts.ToolCalls {
		return next(ctx, r)
	}
	r.Silent = true
	m, err := next(ctx, r)
	if err == nil {
		m, _ = p.cleaned(m, p.looksAt)
	}
	return m, err
}

func (p pii) wrapToolCall(ctx context.Context, r ToolRequest, next ToolHandler) (ToolResult, error) {
	result, err := next(ctx, r)
	if err != nil {
		text, found := p.replace(err.Error())
		if found {
			err = &said{err, text}
		}
		return result, err
	}
	text, found := p.replace(result.Text)
	if found && p.opts.Strategy == PIIBlock {
		return result, errors.New(text)
	}
	result.Text = text
	return result, nil
}

// replace does to a text what the strategy says, and reports whether anything was found.
func (p pii) replace(text string) (clean string, found bool) {
	spans := p.find(text)
	switch {
	case len(spans) == 0:
		return text, false
	case p.opts.Strategy == PIIBlock:
		return p.opts.Refusal, true
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.start])
		b.WriteString(p.instead(s.kind, text[s.start:s.end]))
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String(), true
}

// span is a part of a text in which a detector found something.
type span struct {
	start, end int
	kind       string
}

// find returns what the detectors find, in order, no two of which overlap: of those that do the first counts, and of
// those that begin together the longest.
func (p pii) find(text string) []span {
	var all []span
	for _, d := range p.detectors {
		for _, at := range d.Find(text) {
			if at[0] >= 0 && at[0] < at[1] && at[1] <= len(text) {
				all = append(all, span{at[0], at[1], d.Name})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	end := 0
	return slices.DeleteFunc(all, func(s span) bool {
		if s.start < end {
			return true
		}
		end = s.end
		return false
	})
}

// instead is what stands in place of data.
func (p pii) instead(kind, data string) string {
	switch p.opts.Strategy {
	case PIIMask:
		return masked(data)
	case PIIHash:
		mac := hmac.New(sha256.New, p.opts.Key)
		mac.Write([]byte(data))
		return fmt.Sprintf("<%s_hash:%s>", kind, hex.EncodeToString(mac.Sum(nil)[:4]))
	case PIIRedact, PIIBlock:
	}
	return "[REDACTED_" + strings.ToUpper(kind) + "]"
}

// masked leaves the last four letters or digits of data that have more than eight.
func masked(data string) string {
	runes := []rune(data)
	kept := 0
	for i := len(runes) - 1; i >= 0 && kept < 4; i-- {
		if isWord(runes[i]) {
			kept++
		}
		if kept == 4 && i > 4 {
			return "****" + string(runes[i:])
		}
	}
	return "****"
}
