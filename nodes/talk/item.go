package talk

import (
	"slices"
	"strings"
	"time"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
)

// item is the one of those in view that a reading picks: by its number, by its time, or as the
// other one of two.
func item(r nlu.Reading, m Memory) (Subject, bool) {
	view := m.InView
	if len(view) < 2 {
		return Subject{}, false
	}
	n := r.Ordinal
	if n < 0 {
		n = len(view) + 1 + n
	}
	if n > 0 && n <= len(view) {
		return view[n-1], true
	}
	if s, ok := compared(r.Text, view); ok && m.Listed && slices.Contains(ofItems, r.Ask) && len(r.Times) == 0 {
		return s, true
	}
	if r.Ref != nlu.RefItem && !(r.Other && len(view) == 2) {
		return Subject{}, false
	}
	for _, e := range r.Times {
		in := slices.DeleteFunc(slices.Clone(view), func(s Subject) bool { return s.At.IsZero() || !within(e, s.At) })
		if len(in) == 1 {
			return in[0], true
		}
	}
	if s, ok := compared(r.Text, view); ok {
		return s, true
	}
	if len(view) == 2 && len(m.Subjects) > 0 {
		for i, s := range view {
			if s.Same(m.Subjects[0]) {
				return view[1-i], true
			}
		}
	}
	return Subject{}, false
}

// ofItems are the kinds of answers by which one of a list is asked for.
var ofItems = []nlu.Ask{nlu.AskWhich, nlu.AskEvents}

// compared is the one of several that a comparison picks: the cheaper one, 長い方.
func compared(text string, view []Subject) (Subject, bool) {
	low := strings.ToLower(text)
	for _, row := range words.Comparisons() {
		if !slices.ContainsFunc(row.Words, func(w string) bool { return strings.Contains(low, w) }) {
			continue
		}
		value := func(s Subject) (int64, bool) {
			switch {
			case row.By == words.ByLength:
				return int64(s.Minutes), s.Minutes > 0
			case row.By == words.ByStart:
				return s.At.Unix(), !s.At.IsZero()
			case s.Yen == nil || row.By != words.ByPrice:
				return 0, false
			}
			return int64(*s.Yen), true
		}
		return pick(row.Pick, view, value)
	}
	return Subject{}, false
}

// pick is the one with the least, the most or none of a value.
func pick(which byte, view []Subject, value func(Subject) (int64, bool)) (best Subject, ok bool) {
	var most int64
	for _, s := range view {
		v, known := value(s)
		if !known || which == '0' && v != 0 {
			continue
		}
		if which == '+' {
			v = -v
		}
		if !ok || v < most {
			best, most, ok = s, v, true
		}
	}
	return best, ok
}

// within reports whether an instant is in the time that is named; of a part of the day on any day.
func within(e datetime.Expression, at time.Time) bool {
	if e.Kind == datetime.KindTime && e.NoDay {
		clock := e.TimeRange.Start
		at = at.In(clock.Location())
		at = time.Date(clock.Year(), clock.Month(), clock.Day(), at.Hour(), at.Minute(), 0, 0, clock.Location())
	}
	return e.TimeRange.Contains(at)
}

// ofItem is a reading for one of a list: which events there are cannot be asked of it.
func ofItem(r nlu.Reading) nlu.Reading {
	if r.Ask == nlu.AskEvents || r.Ask == nlu.AskNone {
		r.Ask, r.Alone = nlu.AskWhatIs, nlu.AskWhatIs
	}
	return r
}
