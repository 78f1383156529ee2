package agenda

import (
	"context"
	"errors"
	"sync"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// read reads the calendars as their owner sees them.
func read(ctx context.Context, calendars []Calendar, window civil.TimeRange) (calendar.Listing, error) {
	var seen failures
	sources := make([]calendar.Source, 0, len(calendars))
	for _, c := range calendars {
		sources = append(sources, calendar.Source{ID: c.ID, Label: c.Label, Visibility: calendar.Private, Reader: noting{c.Reader, &seen}})
	}
	listing, err := calendar.MergeOwn(sources).Events(ctx, window)
	switch {
	case err == nil:
		return listing, nil
	case errors.Is(err, fault.ErrInvalid):
		return calendar.Listing{}, invalid(err.Error())
	}
	kind, wait := seen.all()
	return calendar.Listing{}, &calendar.Failure{Kind: kind, RetryAfter: wait, Err: errors.New(err.Error())} // its kind of fault is the failure's
}

// failures are those of some calendars that are read at the same time.
type failures struct {
	mu    sync.Mutex
	kinds []calendar.Kind
	wait  time.Duration
}

func (f *failures) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kinds = append(f.kinds, calendar.KindOf(err))
	var failure *calendar.Failure
	if errors.As(err, &failure) {
		f.wait = max(f.wait, failure.RetryAfter)
	}
}

// all returns what they have in common, or that calendars are unavailable, and how long they ask to be left alone.
func (f *failures) all() (calendar.Kind, time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	common := calendar.Unavailable
	for i, k := range f.kinds {
		if i > 0 && k != common {
			return calendar.Unavailable, f.wait
		}
		common = k
	}
	return common, f.wait
}

// noting is a reader whose failures are noted.
type noting struct {
	calendar.Reader
	to *failures
}

// Events implements [calendar.Reader].
func (n noting) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	listing, err := n.Reader.Events(ctx, window)
	if err != nil {
		n.to.add(err)
	}
	return listing, err
}
