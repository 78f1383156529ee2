package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"annai/internal/config"
	"annai/nlu"
	"annai/nodes"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/markdown"
	"annai/tools/calendar"
	"annai/tools/calendar/ics"
	"annai/venue"
)

// assembly is every part of a running concierge.
type assembly struct {
	venue     *venue.Venue
	calendars []calendar.Source
	calendar  calendar.Reader
	knowledge *rag.Hybrid
	// problems are documents of the venue that could not be read; the rest went in.
	problems  []markdown.Problem
	passages  int
	concierge *nodes.Concierge
	now       func() time.Time
	// closers are called in reverse order by close.
	closers []func() error
}

func (a *assembly) close() error {
	var errs []error
	for _, c := range slices.Backward(a.closers) {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// assemble makes the parts that the settings name.
func assemble(ctx context.Context, c config.Config, log *slog.Logger) (*assembly, error) {
	a := &assembly{now: clock(c.Now)}
	if err := a.assemble(ctx, c, log); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

func (a *assembly) assemble(ctx context.Context, c config.Config, log *slog.Logger) (err error) {
	if a.venue, err = openVenue(c.Venue); err != nil {
		return err
	}
	sessions, err := openSessions(ctx, c)
	if err != nil {
		return err
	}
	a.closers = append(a.closers, sessions.close)
	if err := a.openCalendars(); err != nil {
		return err
	}
	if err := a.openKnowledge(ctx, log); err != nil {
		return err
	}
	a.concierge, err = nodes.New(nodes.Parts{
		Venue: a.venue, Calendar: a.calendar, Knowledge: a.knowledge, Understander: nlu.New(understanding(a.venue)), Checkpointer: sessions.Checkpointer,
	}, nodes.Options{Now: a.now, SessionIdle: c.SessionIdle, Deadline: c.Deadline, SourceDeadline: c.SourceDeadline, Log: log})
	return err
}

// clock returns the wall clock, or one that starts at an instant and goes on from there.
func clock(start time.Time) func() time.Time {
	if start.IsZero() {
		return time.Now
	}
	began := time.Now()
	return func() time.Time { return start.Add(time.Since(began)) }
}

func openVenue(path string) (*venue.Venue, error) {
	if path == "" {
		return venue.Demo()
	}
	return venue.Open(path)
}

func (a *assembly) openCalendars() error {
	for _, c := range a.venue.Calendars {
		opts := ics.Options{CalendarID: c.ID, Location: a.venue.Location, Now: a.now}
		open := func() (*ics.Reader, error) { return ics.File(a.venue.Files, c.Path, opts) }
		if c.URL != "" {
			open = func() (*ics.Reader, error) { return ics.URL(c.URL, opts) }
		}
		reader, err := open()
		if err != nil {
			return fmt.Errorf("calendar %s: %w", c.ID, err)
		}
		a.closers = append(a.closers, reader.Close)
		a.calendars = append(a.calendars, calendar.Source{
			ID: c.ID, Label: map[string]string{"ja": c.Label.In("ja"), "en": c.Label.In("en")}, Visibility: c.Visibility, Reader: reader,
		})
	}
	a.calendar = calendar.Merge(a.calendars)
	return nil
}

func (a *assembly) openKnowledge(ctx context.Context, log *slog.Logger) (err error) {
	passages, problems := markdown.Load(a.venue.Files, a.venue.Knowledge)
	for _, p := range problems {
		log.Warn("document left out", "err", p)
	}
	a.problems, a.passages = problems, len(passages)
	a.knowledge, err = newKnowledge(ctx, passages)
	return err
}

func newKnowledge(ctx context.Context, passages []rag.Passage) (*rag.Hybrid, error) {
	knowledge, err := rag.New(ctx, passages, rag.HashedEmbedder{}, chromem.New, rag.Options{})
	if err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	return knowledge, nil
}

// understanding is what the venue adds to the understanding of words.
func understanding(v *venue.Venue) nlu.Options {
	return nlu.Options{VenueNames: []string{v.Name.JA, v.Name.EN}, Corrections: v.Corrections, StaffWords: v.Staff.Words}
}
