package nodes

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"annai/fault"
	"annai/graph"
)

// A Visitor is somebody whose sessions are meant.
type Visitor struct {
	// Sessions are the ids of sessions, whoever called.
	Sessions []string
	// Callers are those who called, as [Turn] names them, whatever the ids of their sessions.
	Callers []string
}

func (v Visitor) has(s Session) bool {
	for _, id := range v.Sessions {
		if s.ID == id {
			return true
		}
	}
	for _, caller := range v.Callers {
		if s.Caller == caller {
			return true
		}
	}
	return false
}

// A Kept session is all that is kept of one.
type Kept struct {
	Session Session
	// Records are in order.
	Records []graph.Record
}

// Kept yields the sessions of a visitor, those that this process remembers by itself too. A store
// that can't say which sessions it has is [fault.ErrUnavailable].
func (c *Concierge) Kept(ctx context.Context, v Visitor) iter.Seq2[Kept, error] {
	return func(yield func(Kept, error) bool) {
		for _, one := range []*Concierge{c, c.spare.there()} {
			if one == nil || one.parts.Checkpointer == nil {
				continue
			}
			for s, err := range one.sessionsOf(ctx, v) {
				kept := Kept{Session: s}
				if err == nil {
					kept.Records, err = one.parts.Checkpointer.List(ctx, s.thread(), "", 0, 0)
				}
				if err == nil && len(kept.Records) == 0 { // it ended meanwhile
					continue
				}
				if !yield(kept, err) || err != nil {
					return
				}
			}
		}
	}
}

// Forget ends the sessions of a visitor, and says how many.
func (c *Concierge) Forget(ctx context.Context, v Visitor) (n int, err error) {
	for _, one := range []*Concierge{c, c.spare.there()} {
		if one == nil || one.parts.Checkpointer == nil {
			continue
		}
		for s, err := range one.sessionsOf(ctx, v) {
			if err == nil {
				err = one.EndSession(ctx, s)
			}
			if err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// listed is how many names of sessions are read at a time.
const listed = 1000

var errNoLister = fmt.Errorf("the store does not say which sessions it has: %w", fault.ErrUnavailable)

// sessionsOf yields the sessions of a visitor that are in the store.
func (c *Concierge) sessionsOf(ctx context.Context, v Visitor) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		lister, ok := c.parts.Checkpointer.(graph.Lister)
		if !ok {
			yield(Session{}, errNoLister)
			return
		}
		for after := ""; ; {
			names, err := lister.Threads(ctx, after, listed)
			if err != nil {
				yield(Session{}, fmt.Errorf("sessions: %w", err))
				return
			}
			for _, name := range names {
				if s, ok := sessionOf(name); ok && v.has(s) && !yield(s, nil) {
					return
				}
			}
			if len(names) < listed {
				return
			}
			after = names[len(names)-1]
		}
	}
}

// sessionOf is the session of a thread, as [Session.thread] names it; false for a thread that is none.
func sessionOf(thread string) (s Session, ok bool) {
	rest, named := strings.CutPrefix(thread, "\x01")
	if !named {
		return Session{ID: thread}, true
	}
	kind, name, found := strings.Cut(rest, "/")
	owner, whose, one := strings.Cut(kind, "\x01")
	if !found || owner != "owner" && kind != "of" {
		return Session{}, false
	}
	s.Owner = owner == "owner"
	if one {
		s.OwnerName = whose
	}
	s.ID = name
	if caller, id, apart := strings.Cut(name, "\x01"); apart {
		s.Caller, s.ID = caller, id
	}
	return s, true
}
