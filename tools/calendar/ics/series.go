package ics

import (
	"fmt"
	"slices"

	"annai/fault"
	"annai/tools/calendar/recur"
)

// An entry is a VEVENT.
type entry struct {
	uid string
	recur.Entry
	// instead is the RECURRENCE-ID: the instance that this replaces, and with following all later ones too.
	instead   recur.Moment
	following bool
	// revision orders entries that say something about the same: SEQUENCE, then when it was written.
	revision [2]int64
}

// newer compares revisions.
func (e *entry) newer(o *entry) int { return slices.Compare(e.revision[:], o.revision[:]) }

// A series is all that a file says about one UID. A single event is a series of one.
type series struct {
	uid string
	// master is nil where the file has only replacements; alone is it, ready, without them.
	master *entry
	alone  *recur.Expander
	// replacements come in the order of the file.
	replacements []*entry
}

// setMaster keeps the newer of two, and says so where nothing tells which that is.
func (s *series) setMaster(e *entry, alone *recur.Expander) error {
	old := s.master
	if old == nil || e.newer(old) >= 0 {
		s.master, s.alone = e, alone
	}
	if old != nil && e.newer(old) == 0 && e.Event.ETag != old.Event.ETag {
		return fmt.Errorf("event %s: two events have this UID, the first is left out: %w", e.uid, fault.ErrInvalid)
	}
	return nil
}

// put adds a replacement, or replaces an older one of the same instance.
func (s *series) put(e *entry) {
	for i, old := range s.replacements {
		if old.following == e.following && old.instead.Same(e.instead) {
			if e.newer(old) >= 0 {
				s.replacements[i] = e
			}
			return
		}
	}
	s.replacements = append(s.replacements, e)
}

// expanders makes the series ready: one, or one for each replacement whose series is not in the file.
func (s *series) expanders(compile func(recur.Series) (*recur.Expander, error)) ([]*recur.Expander, error) {
	if s.master == nil {
		return s.orphans(compile)
	}
	if len(s.replacements) == 0 {
		return []*recur.Expander{s.alone}, nil
	}
	whole := recur.Series{Master: s.master.Entry}
	for _, e := range s.replacements {
		whole.Overrides = append(whole.Overrides, recur.Override{Entry: e.Entry, Original: e.instead, ThisAndFuture: e.following})
	}
	x, err := compile(whole)
	return []*recur.Expander{x}, err
}

func (s *series) orphans(compile func(recur.Series) (*recur.Expander, error)) ([]*recur.Expander, error) {
	var all []*recur.Expander
	for _, e := range s.replacements {
		orphan := e.Entry
		orphan.Event.ID, orphan.Event.SeriesID = recur.InstanceID(s.uid, e.instead), s.uid
		if orphan.Start.IsZero() {
			orphan.Start, orphan.Length = e.instead, inferred(e.instead)
		}
		x, err := compile(recur.Series{Master: orphan})
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}
