package recur

import (
	"iter"
	"slices"
	"time"
)

// A stretch is all occurrences of a rule in a good year, worked out once: visitors ask for one week after another.
type stretch struct {
	from, to int64
	// walls are seconds since 1970 of wall-clock times. Nil where there are too many to keep.
	walls []int64
	full  bool
}

const (
	stretchDays = 400
	// stretchWindow is the longest window that is answered from a stretch.
	stretchWindow = 100 * daySeconds
	maxStretch    = 500
)

// stretch returns what is known of the time from from to to, or nil if it has to be worked out.
func (r *rule) stretch(from, to int64) *stretch {
	if to-from > stretchWindow {
		return nil
	}
	s := r.known.Load()
	if s == nil || from < s.from || to > s.to {
		begin := time.Unix(from, 0).UTC()
		s = r.learn(time.Date(begin.Year(), begin.Month(), 1, 0, 0, 0, 0, time.UTC))
		r.known.Store(s)
	}
	if s.full {
		return nil
	}
	return s
}

func (r *rule) learn(from time.Time) *stretch {
	s := &stretch{from: from.Unix(), to: from.AddDate(0, 0, stretchDays).Unix()}
	steps := NewBudget(2 * maxStretch)
	for wall := range r.workOut(s.from, s.to, steps) {
		s.walls = append(s.walls, wall)
		if len(s.walls) > maxStretch {
			break
		}
	}
	if len(s.walls) > maxStretch || steps.Exhausted() {
		s.walls, s.full = nil, true
	}
	return s
}

func (s *stretch) between(from, to int64) iter.Seq[int64] {
	at, _ := slices.BinarySearch(s.walls, from)
	return func(yield func(int64) bool) {
		for _, wall := range s.walls[at:] {
			if wall > to || !yield(wall) {
				return
			}
		}
	}
}
