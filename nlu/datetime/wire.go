package datetime

import "time"

// A Result is an [Expression] in plain values, as it leaves the program: local times of the
// reference's zone without an offset. Its kinds are date, datetime, time, daterange, datetimerange,
// timerange, duration and set.
type Result struct {
	// Text is the words, Offset and Length where they stand in the text, in bytes.
	Text   string `json:"text,omitempty"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	Kind   string `json:"kind"`
	// Start is "2006-01-02", "2006-01-02T15:04:05" or "15:04:05" as the kind says. End, of ranges,
	// is exclusive. An open range leaves out the end that was not said.
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
	// Seconds is the length of a duration.
	Seconds int64 `json:"seconds,omitempty"`
	// Assumed and NoDay are as in [Expression]: a time of day without a day is a datetime all the
	// same, the next.
	Assumed bool `json:"assumed,omitempty"`
	NoDay   bool `json:"noDay,omitempty"`
	// Alternatives are other readings of the same words, best first: only kind, start and end are
	// set.
	Alternatives []Reading `json:"alternatives,omitempty"`
}

// A Reading is what an expression may mean.
type Reading struct {
	Kind  string `json:"kind"`
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
}

// Result is the expression in plain values. It is not ok for a date that does not exist.
func (e Expression) Result() (r Result, ok bool) {
	if e.Invalid {
		return Result{}, false
	}
	r = Result{Text: e.Text, Offset: e.Start, Length: e.End - e.Start, Assumed: e.Assumed, NoDay: e.NoDay}
	switch e.Kind {
	case KindSet, KindDuration:
		r.Kind, r.Seconds = string(e.Kind), e.Seconds
		return r, true
	case KindDay, KindDays, KindTime:
	}
	first := e.reading(e.TimeRange.Start, e.TimeRange.End)
	r.Kind, r.Start, r.End = first.Kind, first.Start, first.End
	for _, a := range e.Alternatives {
		r.Alternatives = append(r.Alternatives, e.reading(a.Start, a.End))
	}
	return r, true
}

// reading words one of the ranges that the expression may mean.
func (e Expression) reading(start, end time.Time) Reading {
	layout, kind := time.DateOnly, "date"
	if e.Kind == KindTime {
		layout, kind = "2006-01-02T15:04:05", "datetime"
		if e.NoDay && (e.OpenStart || e.OpenEnd) {
			layout, kind = time.TimeOnly, "time"
		}
	}
	r := Reading{Kind: kind, Start: start.Format(layout)}
	if e.Kind == KindDay && start.Before(end) || start.Equal(end) && !e.OpenStart && !e.OpenEnd {
		return r
	}
	r.Kind, r.End = kind+"range", end.Format(layout)
	if e.OpenStart {
		r.Start = ""
	}
	if e.OpenEnd {
		r.End = ""
	}
	return r
}
