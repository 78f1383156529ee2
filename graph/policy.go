package graph

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"annai/fault"
)

// Retry says when a task that failed runs again.
type Retry struct {
	// Attempts is how often the task runs at most, the first time included; less than 2 never retries.
	Attempts int
	// Wait is how long the second attempt waits; 0 means 100 ms. Each further one waits Factor times as long as the one
	// before it, 0 meaning 2, but at most MaxWait, 0 meaning 5 s.
	Wait, MaxWait time.Duration
	Factor        float64
	// Jitter is the share of a wait that is random, from 0 to 1, so that tasks that failed together do not run again
	// together.
	Jitter float64
	// If says which errors are worth another attempt. Nil: [fault.ErrUnavailable] and [context.DeadlineExceeded], with
	// which an attempt ends at its Timeout. A run that is cancelled, a panic and an interrupt are never retried.
	If func(error) bool
}

// A Cache keeps what a node returned, so that it need not run again for the same input, on whatever thread. It is in
// memory, one for each node of a compiled graph. Interrupts and commands to a parent are not kept.
type Cache struct {
	// Key names the input: the state S, or the input of a [Send], alone also where the node reads both. Inputs with
	// the same key have the same result, so the key must depend on all that the node reads. What has the key "" is
	// not kept.
	Key func(input any) string
	// TTL is how long a result is kept; 0: until Size is exceeded. It needs Options.Now.
	TTL time.Duration
	// Size is how many results are kept; 0 means 1,000. The oldest goes first.
	Size int
}

// A Failure is the input of an error handler: a node, added by [AddInputNode] with this type, that runs in place of
// what follows a task that failed. See NodeOptions.OnError.
type Failure struct {
	// Node is the node that failed.
	Node string `json:"node"`
	// Message is the error's text. It may hold details that users must not see.
	Message string `json:"message"`
}

// defaults fills in what the node does not say from what the graph says.
func (o NodeOptions) defaults(g Options, isHandler bool) NodeOptions {
	if o.Timeout == 0 {
		o.Timeout = g.Timeout
	}
	if o.Retry == nil {
		o.Retry = g.Retry
	}
	if isHandler {
		return o
	}
	if o.OnError == "" {
		o.OnError = g.OnError
	}
	if o.Cache == nil {
		o.Cache = g.Cache
	}
	return o
}

// again reports whether the attempt-th attempt that ended with err is followed by another one.
func (p *Retry) again(attempt int, err error) bool {
	if p == nil || attempt >= p.Attempts {
		return false
	}
	var panicked *PanicError
	if errors.As(err, &panicked) {
		return false
	}
	if p.If != nil {
		return p.If(err)
	}
	return errors.Is(err, fault.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded)
}

// Do calls f until it succeeds, ctx ends or the error is not worth another attempt, and returns the last error. It is
// for what a node does itself; tasks are retried without it. A nil Retry calls f once.
func (p *Retry) Do(ctx context.Context, f func(ctx context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := f(ctx)
		if err == nil || ctx.Err() != nil || !p.again(attempt, err) || !p.pause(ctx, attempt) {
			return err
		}
	}
}

// pause waits before the attempt after this one, and reports whether the run is still there then.
func (p *Retry) pause(ctx context.Context, attempt int) bool {
	wait := float64(orDuration(p.Wait, 100*time.Millisecond))
	factor := p.Factor
	if factor == 0 {
		factor = 2
	}
	wait = min(wait*math.Pow(factor, float64(attempt-1)), float64(orDuration(p.MaxWait, 5*time.Second)))
	wait -= wait * min(max(p.Jitter, 0), 1) * rand.Float64()
	if ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(time.Duration(wait))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func orDuration(d, def time.Duration) time.Duration {
	if d <= 0 {
		return def
	}
	return d
}

// resultCache keeps commands of one node by key.
type resultCache[S any] struct {
	policy  Cache
	now     func() time.Time
	mu      sync.Mutex
	results map[string]cachedResult[S]
	order   []string
}

type cachedResult[S any] struct {
	cmd Command[S]
	at  time.Time
}

func newResultCache[S any](policy *Cache, now func() time.Time) *resultCache[S] {
	if policy == nil {
		return nil
	}
	c := &resultCache[S]{policy: *policy, now: now, results: map[string]cachedResult[S]{}}
	c.policy.Size = orDefault(c.policy.Size, 1000)
	return c
}

// key names the input of a task; "" where nothing is to be kept.
func (c *resultCache[S]) key(state *S, input any) string {
	if input != nil {
		return c.policy.Key(input)
	}
	return c.policy.Key(*state)
}

func (c *resultCache[S]) get(key string) (Command[S], bool) {
	if key == "" {
		return Command[S]{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.results[key]
	if !ok || c.policy.TTL > 0 && c.now().Sub(r.at) >= c.policy.TTL {
		return Command[S]{}, false
	}
	return r.cmd, true
}

func (c *resultCache[S]) put(key string, cmd *Command[S]) {
	if key == "" || cmd.Interrupt != nil || cmd.Parent != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.results[key]; !there {
		c.order = append(c.order, key)
	}
	r := cachedResult[S]{cmd: *cmd}
	if c.now != nil {
		r.at = c.now()
	}
	c.results[key] = r
	if len(c.order) > c.policy.Size {
		delete(c.results, c.order[0])
		c.order = c.order[1:]
	}
}

// handle turns the failure of a task into a send to the node's error handler, if it has one. A run that is cancelled
// is not handled.
func (r *run[S]) handle(ctx context.Context, t *task[S], err error) error {
	if t.node.opts.OnError == "" {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w; not handled: %w", context.Cause(ctx), err)
	}
	t.cmd = Command[S]{alone: true, Sends: []Send{{Node: t.node.opts.OnError, Input: Failure{Node: t.node.name, Message: err.Error()}}}}
	return nil
}

// checkPolicies looks at what the nodes and the graph say of failures.
func (g *StateGraph[S]) checkPolicies(b *StateGraph[S], opts Options) {
	for n := range g.all() {
		policies := n.opts.defaults(opts, n.name == opts.OnError)
		handler := policies.OnError
		if h := g.find(handler); handler != "" && n.index >= 0 && (h == nil || h.accepts == nil || !h.accepts(Failure{})) {
			b.problem("the error handler %q of node %q takes no graph.Failure: add it with AddInputNode", handler, n.name)
		}
		if c := policies.Cache; c != nil && (c.Key == nil || c.TTL > 0 && opts.Now == nil) {
			b.problem("the cache of node %q needs a Key, and Options.Now if it has a TTL", n.name)
		}
	}
}

var errAttempts = errors.New("after all attempts")

// exhausted says how often a task was tried, if it was tried again.
func exhausted(attempt int, err error) error {
	if attempt < 2 {
		return err
	}
	return fmt.Errorf("%w (%d): %w", errAttempts, attempt, err)
}
