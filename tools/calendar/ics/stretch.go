package ics

import (
	"iter"
	"slices"
	"time"
)

// A stretch is all occurrences of a rule in a good year, worked out once: visitors ask for one week after another.
type stretch struct {
	from, to time.Time
	// walls are seconds since 1970 of wall-clock times. Nil where there are too many to keep.
	walls []int64
	full  bool
}

const (
	stretchDays = 400
	// stretchWindow is the longest window that is answered from a stretch.
	stretchWindow = 100 * day
	maxStretch    = 500
)

// stretch returns what is known of the time from from to to, or nil if it has to be worked out.
func (r *rule) stretch(from, to time.Time) *stretch {
	if to.Sub(from) > stretchWindow {
		return nil
	}
	s := r.known.Load()
	if s == nil || from.Before(s.from) || to.After(s.to) {
		s = r.learn(time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC))
		r.known.Store(s)
	}
	if s.full {
		return nil
	}
	return s
}

func (r *rule) learn(from time.Time) *stretch {
	s := &stretch{from: from, to: from.AddDate(0, 0, stretchDays)}
	steps := &budget{left: 2 * maxStretch}
	for wall := range r.workOut(s.from, s.to, steps) {
		s.walls = append(s.walls, wall.Unix())
		if len(s.walls) > maxStretch {
			break
		}
	}
	if len(s.walls) > maxStretch || steps.exhausted() {
		s.walls, s.full = nil, true
	}
	return s
}

func (s *stretch) between(from, to time.Time) iter.Seq[time.Time] {
	at, _ := slices.BinarySearch(s.walls, from.Unix())
	return func(yield func(time.Time) bool) {
		for _, wall := range s.walls[at:] {
			if wall > to.Unix() || !yield(time.Unix(wall, 0).UTC()) {
				return
			}
		}
	}
}
