package nodes

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"annai/dialog"
	"annai/fault"
	"annai/graph"
)

// Kept yields the sessions of a visitor, those that this process remembers by itself too. A store
// that can't say which sessions it has is [fault.ErrUnavailable].
func (c *Concierge) Kept(ctx context.Context, v dialog.Visitor) iter.Seq2[dialog.Kept, error] {
	return func(yield func(dialog.Kept, error) bool) {
		for _, one := range []*Concierge{c, c.spare.there()} {
			if one == nil || one.parts.Checkpointer == nil {
				continue
			}
			for s, err := range one.sessionsOf(ctx, v) {
				kept := dialog.Kept{Session: s}
				if err == nil {
					kept.Records, err = one.parts.Checkpointer.List(ctx, threadOf(s), "", 0, 0)
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
func (c *Concierge) Forget(ctx context.Context, v dialog.Visitor) (n int, err error) {
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
func (c *Concierge) sessionsOf(ctx context.Context, v dialog.Visitor) iter.Seq2[dialog.Session, error] {
	return func(yield func(dialog.Session, error) bool) {
		lister, ok := c.parts.Checkpointer.(graph.Lister)
		if !ok {
			yield(dialog.Session{}, errNoLister)
			return
		}
		for after := ""; ; {
			names, err := lister.Threads(ctx, after, listed)
			if err != nil {
				yield(dialog.Session{}, fmt.Errorf("sessions: %w", err))
				return
			}
			for _, name := range names {
				if s, ok := sessionOf(name); ok && v.Has(s) && !yield(s, nil) {
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

// sessionOf is the session of a thread, as [threadOf] names it; false for a thread that is none.
func sessionOf(thread string) (s dialog.Session, ok bool) {
	rest, named := strings.CutPrefix(thread, "\x01")
	if !named {
		return dialog.Session{ID: thread}, true
	}
	kind, name, found := strings.Cut(rest, "/")
	owner, whose, one := strings.Cut(kind, "\x01")
	if !found || owner != "owner" && kind != "of" {
		return dialog.Session{}, false
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
