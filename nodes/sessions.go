package nodes

import (
	"context"
	"fmt"
	"sync"
	"time"

	"annai/dialog"
	"annai/fault"
	"annai/graph"
)

// sessions knows which sessions have a run in this process, and how those stood that had one. What
// was said in them, and how they stand, is the checkpointer's: another process may go on with them.
type sessions struct {
	mu   sync.Mutex
	live map[string]*session
}

// threadOf is the thread of a session. Where there is nobody to be told apart it has the session's
// name; other names can't be printed, as no id of a session is.
func threadOf(s dialog.Session) string {
	name := s.ID
	if s.Caller != "" {
		name = s.Caller + "\x01" + s.ID
	}
	switch {
	case s.Owner && s.OwnerName != "":
		return "\x01owner\x01" + s.OwnerName + "/" + name
	case s.Owner:
		return "\x01owner/" + name
	case s.Caller != "":
		return "\x01of/" + name
	}
	return name
}

// standing is how a session stands at a checkpoint.
type standing struct {
	// at is the checkpoint; zero for a session of which nothing is known.
	at graph.Mark
	// last is when the last word was said.
	last time.Time
	// open is the id of the question to the visitor that is open, planning says that it is about a
	// plan, which waits longer than a session lives.
	open     string
	planning bool
	// unfinished says that a run was cut off between a yes and its answer.
	unfinished bool
}

// session is one conversation. Its fields belong to whoever has the run, but for those of sessions.
type session struct {
	// standing is how it stood when this process last looked.
	standing

	// invented says that the id was made for it, so that nothing can be known of it yet.
	invented bool
	// blank says that nothing is known of it, and not because it could not be looked.
	blank bool
	// doubtful says that a run did not come to its end, so that what is open is not what is noted
	// here.
	doubtful bool
	// done is open while a run is active, cancel ends that run.
	done   chan struct{}
	cancel context.CancelFunc
}

func newSessions() *sessions { return &sessions{live: map[string]*session{}} }

// enter makes the caller the only run of the session until [sessions.leave]. A second one is
// [fault.ErrConflict].
func (s *sessions) enter(id string, cancel context.CancelFunc) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry := s.live[id]
	if entry == nil {
		entry = new(session)
		s.live[id] = entry
	}
	if entry.done != nil {
		return nil, fmt.Errorf("a run is active on session %s: %w", id, fault.ErrConflict)
	}
	entry.done, entry.cancel = make(chan struct{}), cancel
	return entry, nil
}

// leave ends the run that [sessions.enter] began. A session in which no run came to an end is not kept.
func (s *sessions) leave(id string, entry *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(entry.done)
	entry.done, entry.cancel = nil, nil
	if entry.last.IsZero() && s.live[id] == entry {
		delete(s.live, id)
	}
}

// seize is enter for somebody who goes before a run: an active run is cancelled and waited for.
func (s *sessions) seize(ctx context.Context, id string) error {
	for {
		s.mu.Lock()
		entry := s.live[id]
		if entry == nil {
			entry = new(session)
			s.live[id] = entry
		}
		if entry.done == nil {
			entry.done, entry.cancel = make(chan struct{}), func() {}
			s.mu.Unlock()
			return nil
		}
		done := entry.done
		entry.cancel()
		s.mu.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
			return fmt.Errorf("wait for the run of session %s: %w", id, context.Cause(ctx))
		}
	}
}

// knows says whether a turn came to its end in the session.
func (s *sessions) knows(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry := s.live[id]
	return entry != nil && (entry.done != nil || !entry.last.IsZero())
}

// drop removes a session that the caller seized.
func (s *sessions) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if entry := s.live[id]; entry != nil {
		close(entry.done)
		delete(s.live, id)
	}
}

// seizeSome seizes sessions that have no run and returns their ids.
func (s *sessions) seizeSome(most int) (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, entry := range s.live {
		if entry.done == nil && len(ids) < most {
			entry.done, entry.cancel = make(chan struct{}), func() {}
			ids = append(ids, id)
		}
	}
	return ids
}

// release lets go of a session that the caller seized.
func (s *sessions) release(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if entry := s.live[id]; entry != nil {
		close(entry.done)
		entry.done, entry.cancel = nil, nil
	}
}

// idle seizes the sessions in which nothing was said here since then, those with a plan since an
// earlier time, and returns where they stood, by their ids.
func (s *sessions) idle(since, planned time.Time) map[string]graph.Mark {
	s.mu.Lock()
	defer s.mu.Unlock()
	idle := map[string]graph.Mark{}
	for id, entry := range s.live {
		limit := since
		if entry.planning {
			limit = planned
		}
		if entry.done == nil && entry.last.Before(limit) {
			entry.done, entry.cancel = make(chan struct{}), func() {}
			idle[id] = entry.at
		}
	}
	return idle
}
