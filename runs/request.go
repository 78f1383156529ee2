package runs

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/outbound"
)

// A Request is a run that somebody asks for, as it stands in JSON. Unknown fields are ignored.
type Request struct {
	AssistantID string          `json:"assistant_id"`
	Input       json.RawMessage `json:"input,omitempty"`
	Command     *Command        `json:"command,omitempty"`
	Config      Object          `json:"config,omitempty"`
	Context     Object          `json:"context,omitempty"`
	Metadata    Object          `json:"metadata,omitempty"`
	// Checkpoint has a checkpoint_id; CheckpointID is the same in short.
	Checkpoint   *CheckpointRef `json:"checkpoint,omitempty"`
	CheckpointID string         `json:"checkpoint_id,omitempty"`
	StreamMode   Modes          `json:"stream_mode,omitempty"`
	Subgraphs    bool           `json:"stream_subgraphs,omitempty"`
	Resumable    bool           `json:"stream_resumable,omitempty"`
	// InterruptBefore and InterruptAfter are nodes, or "*".
	InterruptBefore Names    `json:"interrupt_before,omitempty"`
	InterruptAfter  Names    `json:"interrupt_after,omitempty"`
	Strategy        Strategy `json:"multitask_strategy,omitempty"`
	// Durability is "sync", "async" or "exit", when checkpoints are written; empty: what the graph says.
	Durability string `json:"durability,omitempty"`
	// OnDisconnect is "continue", the default, or "cancel"; OnCompletion "delete", the default, or "keep"; IfNotExists "reject", the default, or "create".
	OnDisconnect string  `json:"on_disconnect,omitempty"`
	OnCompletion string  `json:"on_completion,omitempty"`
	IfNotExists  string  `json:"if_not_exists,omitempty"`
	AfterSeconds float64 `json:"after_seconds,omitempty"`
	Webhook      string  `json:"webhook,omitempty"`

	// AllModes says that everything that happens goes into the thread's log, Owner that it is the owner of the assistant's calendar who asks. Neither is
	// for whoever sends the request to say.
	AllModes bool `json:"-"`
	Owner    bool `json:"-"`
	// OwnerName is the name of that owner; empty: none in particular.
	OwnerName string `json:"-"`
	// Around is what came beside the request, which wins over what Config has as configurable. It is the run's alone: the thread does not keep it.
	Around Object `json:"-"`
}

// A CheckpointRef names a checkpoint, at the top or inside configurable.
type CheckpointRef struct {
	ID string `json:"checkpoint_id"`
	// Namespace is that of a graph inside.
	Namespace    string         `json:"checkpoint_ns,omitempty"`
	Configurable *CheckpointRef `json:"configurable,omitempty"`
}

// Text returns the checkpoint's id, "" for none.
func (c *CheckpointRef) Text() string {
	switch {
	case c == nil:
		return ""
	case c.ID == "" && c.Configurable != nil:
		return c.Configurable.ID
	default:
		return c.ID
	}
}

// Inside returns the namespace of the graph inside that is meant, "" for the graph itself.
func (c *CheckpointRef) Inside() string {
	switch {
	case c == nil:
		return ""
	case c.Namespace == "" && c.Configurable != nil:
		return c.Configurable.Namespace
	default:
		return c.Namespace
	}
}

// UnmarshalJSON takes the id alone too.
func (c *CheckpointRef) UnmarshalJSON(data []byte) error {
	if strings.HasPrefix(string(data), `"`) {
		return json.Unmarshal(data, &c.ID)
	}
	type plain CheckpointRef
	return json.Unmarshal(data, (*plain)(c))
}

// Modes are one mode or several.
type Modes []Mode

// UnmarshalJSON takes a text or a list of texts.
func (m *Modes) UnmarshalJSON(data []byte) error {
	list, err := oneOrMany[Mode](data)
	if err != nil {
		return err
	}
	for _, mode := range list {
		if !mode.Valid() {
			return fmt.Errorf("stream_mode %q: %w", mode, fault.ErrInvalid)
		}
	}
	*m = list
	return nil
}

// Names are one name or several.
type Names []string

// UnmarshalJSON takes a text or a list of texts.
func (n *Names) UnmarshalJSON(data []byte) (err error) {
	*n, err = oneOrMany[string](data)
	return err
}

func oneOrMany[T ~string](data []byte) ([]T, error) {
	var list []T
	if len(data) > 0 && data[0] == '"' {
		var one T
		err := json.Unmarshal(data, &one)
		return []T{one}, err
	}
	err := json.Unmarshal(data, &list)
	return list, err
}

// UnmarshalJSON takes the nodes to go to in each of their forms: a name, an object with node and input, or a list of these.
func (c *Command) UnmarshalJSON(data []byte) error {
	var raw struct {
		Resume, Update, Goto json.RawMessage
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*c = Command{Resume: raw.Resume, Update: raw.Update}
	if isNull(raw.Goto) {
		return nil
	}
	list := []json.RawMessage{raw.Goto}
	if raw.Goto[0] == '[' {
		list = nil
		if err := json.Unmarshal(raw.Goto, &list); err != nil {
			return err
		}
	}
	for _, one := range list {
		var g Goto
		target := any(&g)
		if len(one) > 0 && one[0] == '"' {
			target = &g.Node
		}
		if err := json.Unmarshal(one, target); err != nil {
			return err
		}
		c.Goto = append(c.Goto, g)
	}
	return nil
}

// check looks whether the request makes sense by itself.
func (r *Request) check() error {
	for _, field := range []struct {
		name, value string
		allowed     []string
	}{
		{"multitask_strategy", string(r.Strategy), []string{"", string(Reject), string(Enqueue), string(InterruptOther), string(RollbackOther)}},
		{"durability", r.Durability, []string{"", "sync", "async", "exit"}},
		{"on_disconnect", r.OnDisconnect, []string{"", "continue", "cancel"}},
		{"on_completion", r.OnCompletion, []string{"", "delete", "keep", "complete"}},
		{"if_not_exists", r.IfNotExists, []string{"", "reject", "create"}},
	} {
		if !oneOf(field.value, field.allowed) {
			return fmt.Errorf("%s is %q: %w", field.name, field.value, fault.ErrInvalid)
		}
	}
	switch {
	case r.AssistantID == "":
		return fmt.Errorf("assistant_id is required: %w", fault.ErrInvalid)
	case r.Command != nil && !isNull(r.Input):
		return fmt.Errorf("a run has either input or command: %w", fault.ErrInvalid)
	case r.AfterSeconds < 0 || r.AfterSeconds > (365*24*time.Hour).Seconds():
		return fmt.Errorf("after_seconds is %v: %w", r.AfterSeconds, fault.ErrInvalid)
	}
	if r.Webhook != "" {
		if _, err := outbound.Parse(r.Webhook); err != nil {
			return fmt.Errorf("webhook: %w", err)
		}
	}
	return nil
}

func oneOf(value string, allowed []string) bool {
	for _, a := range allowed {
		if value == a {
			return true
		}
	}
	return false
}

// merged puts the later of two objects over the earlier; objects in both under the name deep are merged too.
func merged(first, second Object, deep string) Object {
	all := maps.Clone(first)
	if all == nil {
		all = Object{}
	}
	for name, value := range second {
		before, was := all[name].(Object)
		after, is := value.(Object)
		if name == deep && was && is {
			value = merged(before, after, "")
		}
		all[name] = value
	}
	return all
}

// configurable is the part of a configuration that reaches the nodes.
const configurable = "configurable"
