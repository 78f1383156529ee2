package mirror

import (
	"context"
	"errors"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// ErrExpired is a token that a feed does not know any more: everything has to be read again.
var ErrExpired = errors.New("the token of the last sync is not known any more")

// A Feed is a calendar that can say what changed in it. Its calls do not overlap.
type Feed interface {
	// Changes returns what changed since the token was given, and everything for an empty one. A token it does not know any more is
	// [ErrExpired]. Other errors are a [*calendar.Failure]. An answer is all or nothing.
	Changes(ctx context.Context, token string) (Changes, error)
	// InstanceID returns the id that the instance of a series which was to be at original has in the calendar.
	InstanceID(series string, original recur.Moment) string
}

// Changes are what is different in a calendar. What is in none of the lists is as it was.
type Changes struct {
	// Events are single events and series, each as it is now.
	Events []calendar.Event
	// Overrides are instances that are not as their series says.
	Overrides []Override
	// Deleted are the ids of events, series and overrides that are no more. With a series its overrides go.
	Deleted []string
	// Problems are entries that could not be understood, by id.
	Problems map[string]error
	// Full says that this is everything: what is not in it is no more. Then Within, if not zero, says of what time it is everything;
	// outside of that nothing is known.
	Full   bool
	Within civil.TimeRange
	// Next is the token for the next time.
	Next string
}

// An Override is an instance of a series that is not as its series says, or is not at all: then the status of its event is cancelled, and
// it need have nothing else.
type Override struct {
	// SeriesID and ID are those of the series and of the instance.
	SeriesID string
	ID       string
	// OriginalDay or Original is when the instance was to be: a day in an all-day series, else a time.
	OriginalDay civil.Date
	Original    time.Time
	Event       calendar.Event
}

func (o Override) moment() recur.Moment {
	if !o.OriginalDay.IsZero() {
		return recur.Day(o.OriginalDay)
	}
	return recur.At(o.Original)
}
