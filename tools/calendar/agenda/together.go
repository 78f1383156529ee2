package agenda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"annai/tools/calendar"
)

// MaxTogether is how many events [Agenda.CreateAll] takes at once.
const MaxTogether = 100

// undoTime bounds the cleaning up after a failure, which goes on though the caller may have left.
const undoTime = 15 * time.Second

// A Report is what became of events that were to be created together. Every event is in one list at most; those never tried are in none.
type Report struct {
	// Created are in the calendar: all of them, unless one failed.
	Created []calendar.Event
	// Failed is the event that could not be created, nil if there was none.
	Failed *calendar.Event
	// Undone were created and deleted again.
	Undone []calendar.Event
	// Left were created, or may have been, and could not be deleted: a person must look at them.
	Left []calendar.Event
}

// CreateAll adds the events, all or none as far as that can be. They are checked before anything is written. Where one fails, those
// made before are deleted again and the error is the failure; the report says what is left all the same. Each event is created as
// [Agenda.Create] does it, so that the same call again finishes what was cut off; but what was undone needs new keys.
func (a *Agenda) CreateAll(ctx context.Context, events []calendar.Event) (Report, error) {
	ready := make([]calendar.Event, 0, len(events))
	if len(events) == 0 || len(events) > MaxTogether {
		return Report{}, invalid(fmt.Sprintf("%d events at once, not 1 to %d", len(events), MaxTogether))
	}
	for i, e := range events {
		c, err := a.writer(e.CalendarID)
		if err == nil {
			e = a.ready(c, e)
			err = errors.Join(calendar.CheckKey(e.ID), e.Check())
		}
		if err != nil {
			return Report{Failed: &events[i]}, fmt.Errorf("check event %d of %d: %w", i+1, len(events), err)
		}
		ready = append(ready, e)
	}
	var report Report
	for i, e := range ready {
		made, err := a.insist(ctx, e)
		if err != nil {
			report.Failed = &ready[i]
			a.undo(ctx, &report, calendar.KindOf(err) == calendar.Ambiguous)
			return report, fmt.Errorf("create event %d of %d: %w", i+1, len(ready), err)
		}
		report.Created = append(report.Created, made)
	}
	return report, nil
}

// insist creates the event, and tries once more where it is not known whether it was done.
func (a *Agenda) insist(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	made, err := a.Create(ctx, e)
	if err != nil && calendar.KindOf(err) == calendar.Ambiguous && ctx.Err() == nil {
		return a.Create(ctx, e)
	}
	return made, err
}

// undo deletes what was created, the last first, and the failed one where it may be there.
func (a *Agenda) undo(ctx context.Context, report *Report, failedMayBeThere bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTime)
	defer cancel()
	made := report.Created
	report.Created = nil
	if failedMayBeThere {
		if err := a.Delete(ctx, RefOf(*report.Failed)); err != nil && !absent(err) {
			report.Left = append(report.Left, *report.Failed)
		}
	}
	for _, e := range slices.Backward(made) {
		if err := a.Delete(ctx, Ref{CalendarID: e.CalendarID, ID: e.ID}); err != nil && !absent(err) {
			report.Left = append(report.Left, e)
			continue
		}
		report.Undone = append(report.Undone, e)
	}
	slices.Reverse(report.Undone)
}

// absent reports whether a failure says that the event is not there.
func absent(err error) bool {
	kind := calendar.KindOf(err)
	return kind == calendar.NotFound || kind == calendar.Gone
}
