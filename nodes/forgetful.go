package nodes

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"annai/api"
	"annai/fault"
)

// spare is the concierge that answers where sessions can't be kept: it remembers by itself, in this
// process, those that begin meanwhile.
type spare struct {
	mu   sync.Mutex
	made *Concierge
}

// get returns it, and makes it if it is wanted for the first time.
func (s *spare) get(c *Concierge) (*Concierge, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == nil {
		parts := c.parts
		parts.Checkpointer, parts.Spare, parts.Agenda = c.parts.Spare, nil, nil
		made, err := New(parts, c.opts)
		if err != nil {
			return nil, err
		}
		s.made = made
	}
	return s.made, nil
}

// there returns it if it was wanted before, else nil.
func (s *spare) there() *Concierge {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// elsewhere returns the spare concierge if the turn's session is one that it remembers.
func (c *Concierge) elsewhere(t utterance) *Concierge {
	other := c.spare.there()
	if other == nil || t.SessionID == "" || !other.sessions.knows(threadOf(t.Session())) {
		return nil
	}
	return other
}

// unkept says that a turn failed because what remembers sessions can't be read or written, and can be
// answered all the same: the session is known to be a new one, so that nothing is missing, and it is no
// owner's, whose yes must be kept.
func (c *Concierge) unkept(ctx context.Context, t utterance, entry *session, err error) bool {
	return errors.Is(err, fault.ErrUnavailable) && !errors.Is(err, errRunEnded) && ctx.Err() == nil &&
		c.parts.Spare != nil && entry.blank && !t.Owner && t.Resume == nil
}

// answerElsewhere answers with the spare concierge.
func (c *Concierge) answerElsewhere(
	ctx context.Context, t utterance, hears listener, because error,
) (api.QueryResponse, error) {
	c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "session kept in this process only",
		slog.String("run_id", t.RunID), slog.Any("err", because))
	other, err := c.spare.get(c)
	if err != nil {
		return api.QueryResponse{}, errors.Join(because, err)
	}
	return other.run(ctx, t, hears)
}

// broughtHome is how many sessions a turn brings home at most, since somebody waits for it.
const broughtHome = 20

// bringHome lets sessions of the spare concierge go on where sessions are kept, now that they can be:
// another process may hear their next turn. Those that have a run come later.
func (c *Concierge) bringHome(ctx context.Context) {
	other := c.spare.there()
	if other == nil {
		return
	}
	var err error
	for _, id := range other.sessions.seizeSome(broughtHome) {
		if err == nil {
			err = c.takeOver(ctx, other, id)
		}
		if err == nil {
			other.sessions.drop(id)
		} else {
			other.sessions.release(id)
		}
	}
	if err != nil {
		c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "session kept in this process only", slog.Any("err", err))
	}
}

// takeOver keeps what the spare concierge remembers of a session. One that began anew meanwhile stays
// as it is.
func (c *Concierge) takeOver(ctx context.Context, other *Concierge, id string) error {
	records, err := other.parts.Checkpointer.List(ctx, id, "", 0, 0)
	if err != nil {
		return fmt.Errorf("session of this process: %w", err)
	}
	for _, r := range slices.Backward(records) {
		if err := c.parts.Checkpointer.Put(ctx, id, r); errors.Is(err, fault.ErrConflict) {
			break
		} else if err != nil {
			return errors.Join(fmt.Errorf("session of this process: %w", err), c.forget(ctx, id))
		}
	}
	return other.forget(ctx, id)
}
