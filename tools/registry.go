package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"time"

	"annai/fault"
)

// An Observation is one call that came to its end, for figures.
type Observation struct {
	Tool string
	Role Role
	// Caller and RequestID are those of the call.
	Caller, RequestID string
	// Write says that the tool changes something, Object to what it was done, if its input or its
	// answer names an event or a task.
	Write  bool
	Object string
	// Failure is "" for an answer, else the kind of package fault ("invalid", "not_found", "conflict", "denied", "unavailable"), "cancelled" where
	// the caller waits no more, or "internal".
	Failure string
	Took    time.Duration
	// Tries is how often the tool was tried: 0 for an answer from the cache, and for a call that was refused.
	Tries            int
	Cached, Degraded bool
}

// Options are the settings of a [Registry] that have a default.
type Options struct {
	// Log receives one line per call: tool, role, duration, kind of failure; never what was asked or answered. Nil discards them.
	Log *slog.Logger
	// Observe is told of every call; nil: nobody is. It must be quick and safe for concurrent use.
	Observe func(Observation)
	// Begin is told of every call of a tool that there is. What it returns is the context of the call, and is called
	// with what came of it. Nil: nobody is. It must be safe for concurrent use.
	Begin func(ctx context.Context, tool string, input json.RawMessage) (
		inside context.Context, ended func(answer json.RawMessage, err error),
	)
	// CacheSize is how many answers are kept in all. 0: 1,024.
	CacheSize int
	// Backoff is the wait before the second try; it doubles with each. 0: 100 ms.
	Backoff time.Duration
	// Jitter returns a number in [0, 1) that spreads the waits of many callers. Nil: a random one.
	Jitter func() float64
}

// A Registry is the tools there are. All are added before the first call; from then on it is safe for concurrent use.
type Registry struct {
	now      func() time.Time
	opts     Options
	cache    *cache
	tools    []*entry
	families []Family
}

// New returns a registry without tools. now is the clock.
func New(now func() time.Time, opts Options) *Registry {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Observe == nil {
		opts.Observe = func(Observation) {}
	}
	if opts.Begin == nil {
		opts.Begin = func(ctx context.Context, _ string, _ json.RawMessage) (
			context.Context, func(json.RawMessage, error),
		) {
			return ctx, func(json.RawMessage, error) {}
		}
	}
	if opts.CacheSize == 0 {
		opts.CacheSize = 1024
	}
	if opts.Backoff == 0 {
		opts.Backoff = 100 * time.Millisecond
	}
	if opts.Jitter == nil {
		opts.Jitter = rand.Float64
	}
	return &Registry{now: now, opts: opts, cache: newCache(opts.CacheSize)}
}

var goodName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// Add adds a tool. A spec that contradicts itself or lacks something, and a name that is taken, are [fault.ErrInvalid].
func Add[In, Out any](r *Registry, t Tool[In, Out]) error {
	if err := r.check(t.Spec, t.Do != nil); err != nil {
		return err
	}
	e, err := newEntry(t)
	if err != nil {
		return fmt.Errorf("tool %s: %w", t.Name, err)
	}
	r.tools = append(r.tools, e)
	return nil
}

func (r *Registry) check(s Spec, works bool) error {
	wrong := ""
	switch {
	case !goodName.MatchString(s.Name):
		wrong = "has a name that is not small letters, digits and underscores"
	case r.entry(s.Name) != nil:
		wrong = "is there already"
	case s.Description["ja"] == "" || s.Description["en"] == "":
		wrong = "lacks a description"
	case !slices.Contains([]Class{Read, KeyedWrite, UnkeyedWrite}, s.Class):
		wrong = "has no class"
	case len(s.Roles) == 0:
		wrong = "may be called by nobody"
	case s.Timeout <= 0 || s.Retries < 0:
		wrong = "has no timeout, or fewer than no retries"
	case s.Class == UnkeyedWrite && s.Retries > 0:
		wrong = "would write again when tried again"
	case s.Class != Read && s.TTL > 0:
		wrong = "writes, and cannot be cached"
	case !works && s.Unconfigured == "":
		wrong = "does nothing"
	default:
		return nil
	}
	return fmt.Errorf("tool %q %s: %w", s.Name, wrong, fault.ErrInvalid)
}

func (r *Registry) entry(name string) *entry {
	for _, e := range r.tools {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Annotations tell a client what it risks by a call. The names are those of the Model Context Protocol.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	// Idempotent says that the same request again changes nothing more.
	Idempotent bool `json:"idempotentHint"`
}

// A Declaration is a tool as it is told to a model, or to another server.
type Declaration struct {
	Name string `json:"name"`
	// Description is in the caller's language.
	Description string `json:"description"`
	// InputSchema and OutputSchema are JSON schemas (2020-12).
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  Annotations     `json:"annotations"`
}

// Offered returns the tools that this caller may call now, in the order in which they were added.
func (r *Registry) Offered(caller Caller) []Declaration {
	var all []Declaration
	for _, e := range r.tools {
		if e.Unconfigured == "" && slices.Contains(e.Roles, caller.Role) {
			all = append(all, e.declare(caller.Language))
		}
	}
	return all
}

func (e *entry) declare(language string) Declaration {
	return Declaration{
		Name: e.Name, Description: e.Description[speak(language)],
		InputSchema: slices.Clone(e.input.text), OutputSchema: slices.Clone(e.output.text),
		Annotations: Annotations{ReadOnly: e.Class == Read, Destructive: e.Destructive, Idempotent: e.Class != UnkeyedWrite},
	}
}

// An Absence is a tool that is not offered to anybody.
type Absence struct{ Name, Why string }

// Unoffered returns the tools that nobody may call, and why, for the operator.
func (r *Registry) Unoffered() []Absence {
	var all []Absence
	for _, e := range r.tools {
		if e.Unconfigured != "" {
			all = append(all, Absence{Name: e.Name, Why: e.Unconfigured})
		}
	}
	return all
}

// speak returns the language that a caller is answered in.
func speak(language string) string {
	if language == "en" {
		return "en"
	}
	return "ja"
}
