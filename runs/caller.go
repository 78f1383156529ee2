package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"annai/fault"
)

// A Maker is who made a thread. What is on the thread, its runs, its state and its log, is the same
// maker's.
type Maker struct {
	// Name is that of the caller: of a key with its role, or of an address. Empty: nobody's but the
	// service's own.
	Name string
	// Network is from where it was made: "203.0.113.5/32".
	Network string
}

// A Caller is for whom a service does something. The zero Caller is whoever runs the service, who
// sees everything and is not bounded.
type Caller struct {
	Maker

	// All says that the caller sees what others made.
	All bool
	// Limits are what the caller may make others keep.
	Limits Limits
}

// Limits bound what a caller may make others keep. Zero fields bound nothing.
type Limits struct {
	// Lives is the longest that a thread is kept which nobody uses.
	Lives time.Duration
	// State and Thread are how many bytes the state of a thread, and all that is kept of one, may
	// have; the rest of them is for what comes besides it.
	State, Thread int64
	// Updates is how many updates of a state may be in one request, if that is less than for all.
	Updates int
	// Name bounds all that one name made, Network all from one network.
	Name, Network Usage
}

// Usage is what a maker makes others keep.
type Usage struct {
	Threads int
	// Runs are those that have not ended.
	Runs int
	// Bytes are about how many bytes were written to the threads.
	Bytes int64
}

// ErrQuota says that the caller has made as much as they may. It ends when something of it is
// forgotten. Its kind is [fault.ErrUnavailable].
var ErrQuota = fmt.Errorf("the caller has made as much as may be kept: %w", fault.ErrUnavailable)

// ErrFull says that a thread has as much as it may have. Its kind is [fault.ErrInvalid].
var ErrFull = fmt.Errorf("the thread has as much as it may have, begin another: %w", fault.ErrInvalid)

// As returns the service as the caller sees it: threads that others made do not exist.
func (s *Service) As(c Caller) *Service { return &Service{s.core, c} }

// sees says whether something that the maker made exists for the caller.
func (c Caller) sees(m Maker) bool { return c.All || c.Name == "" || c.Name == m.Name }

// theirs is whose threads a search finds; "" for all.
func (c Caller) theirs() string {
	if c.All {
		return ""
	}
	return c.Name
}

// thread returns a thread that exists for the caller.
func (s *Service) thread(ctx context.Context, id string) (Thread, error) {
	t, err := s.parts.Store.Thread(ctx, id)
	if err == nil && !s.caller.sees(t.Maker) {
		return Thread{}, errNotTheirs(id)
	}
	return t, err
}

// errForeign is why something is not found that is there. It looks the same.
var errForeign = fmt.Errorf("%w", fault.ErrNotFound)

func errNotTheirs(id string) error { return fmt.Errorf("thread %q: %w", id, errForeign) }

// theRun returns a run on a thread that exists for the caller, in any such thread where that is
// empty.
func (s *Service) theRun(ctx context.Context, thread, id string) (Run, error) {
	r, err := s.parts.Store.Run(ctx, thread, id)
	if err != nil || s.caller.theirs() == "" {
		return r, err
	}
	if _, err := s.thread(ctx, r.ThreadID); err != nil {
		return Run{}, fmt.Errorf("run %q: %w", id, fault.ErrNotFound)
	}
	return r, nil
}

// room says whether the caller may write so many bytes more to the thread, or make it where it is
// nil.
func (s *Service) room(ctx context.Context, t *Thread, more int64) error {
	l := s.caller.Limits
	if l.Thread > 0 && t != nil && t.Bytes+more > l.Thread {
		return fmt.Errorf("%d bytes are kept: %w", t.Bytes, ErrFull)
	}
	for _, bound := range []struct {
		maker Maker
		most  Usage
	}{{Maker{Name: s.caller.Name}, l.Name}, {Maker{Network: s.caller.Network}, l.Network}} {
		if bound.most == (Usage{}) || bound.maker == (Maker{}) {
			continue
		}
		used, err := s.parts.Store.Usage(ctx, bound.maker)
		if err != nil {
			return err
		}
		if t == nil {
			used.Threads++
		}
		used.Bytes += more
		if used.over(bound.most) {
			return fmt.Errorf("%d threads, %d runs, %d bytes: %w", used.Threads, used.Runs, used.Bytes, ErrQuota)
		}
	}
	return nil
}

func (u Usage) over(most Usage) bool {
	return most.Threads > 0 && u.Threads > most.Threads || most.Runs > 0 && u.Runs >= most.Runs ||
		most.Bytes > 0 && u.Bytes > most.Bytes
}

// overhead is about how many bytes a thread, a run and an update have besides what they say.
const overhead = 1 << 10

// size is about how many bytes a value takes.
func size(value any) int64 {
	data, err := json.Marshal(value)
	if err != nil {
		return overhead
	}
	return overhead + int64(len(data))
}

// lives is how long a thread of the caller lives that wants to live so long.
func (c Caller) lives(t *TTL) *TTL {
	most := c.Limits.Lives.Minutes()
	if most == 0 || t != nil && t.Minutes > 0 && t.Minutes <= most && t.Strategy != "keep_latest" {
		return t
	}
	return &TTL{Minutes: most, Strategy: "delete"}
}

// fits says whether a state may have so many bytes.
func (l Limits) fits(state int) error {
	if l.State > 0 && int64(state) > l.State {
		return fmt.Errorf("its state would have %d bytes: %w", state, ErrFull)
	}
	return nil
}
