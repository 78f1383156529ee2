package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"annai/graph"
	"annai/internal/config"
	"annai/nlu"
	"annai/nodes"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/markdown"
	"annai/storage/mem"
	"annai/storage/sqlite"
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
	close     func() error
}

// assemble makes the parts that the settings name.
func assemble(ctx context.Context, c config.Config, log *slog.Logger) (*assembly, error) {
	a := &assembly{now: clock(c.Now), close: func() error { return nil }}
	var err error
	if a.venue, err = openVenue(c.Venue); err != nil {
		return nil, err
	}
	if a.calendars, err = openCalendars(a.venue, a.now); err != nil {
		return nil, err
	}
	a.calendar = calendar.Merge(a.calendars)
	passages, problems := markdown.Load(a.venue.Files, a.venue.Knowledge)
	a.problems, a.passages = problems, len(passages)
	if a.knowledge, err = rag.New(ctx, passages, rag.HashedEmbedder{}, chromem.New, rag.Options{}); err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	for _, p := range problems {
		log.Warn("document left out", "err", p)
	}
	store, closeStore, err := openStore(ctx, c.Data)
	if err != nil {
		return nil, err
	}
	a.close = closeStore
	a.concierge, err = nodes.New(nodes.Parts{
		Venue: a.venue, Calendar: a.calendar, Knowledge: a.knowledge, Understander: nlu.New(understanding(a.venue)), Checkpointer: store,
	}, nodes.Options{Now: a.now, SessionIdle: c.SessionIdle, Deadline: c.Deadline, SourceDeadline: c.SourceDeadline, Log: log})
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
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

func openCalendars(v *venue.Venue, now func() time.Time) ([]calendar.Source, error) {
	sources := make([]calendar.Source, 0, len(v.Calendars))
	for _, c := range v.Calendars {
		opts := ics.Options{CalendarID: c.ID, Location: v.Location, Now: now}
		open := func() (*ics.Reader, error) { return ics.File(v.Files, c.Path, opts) }
		if c.URL != "" {
			open = func() (*ics.Reader, error) { return ics.URL(c.URL, opts) }
		}
		reader, err := open()
		if err != nil {
			return nil, fmt.Errorf("calendar %s: %w", c.ID, err)
		}
		sources = append(sources, calendar.Source{
			ID: c.ID, Label: map[string]string{"ja": c.Label.In("ja"), "en": c.Label.In("en")}, Visibility: c.Visibility, Reader: reader,
		})
	}
	return sources, nil
}

// openStore opens the file in the data folder, or memory where there is none.
func openStore(ctx context.Context, folder string) (graph.Checkpointer, func() error, error) {
	if folder == "" {
		return mem.New(), func() error { return nil }, nil
	}
	store, err := sqlite.Open(ctx, filepath.Join(folder, "annai.db"))
	if err != nil {
		return nil, nil, fmt.Errorf("data folder: %w", err)
	}
	return store, store.Close, nil
}

// understanding is what the venue adds to the understanding of words.
func understanding(v *venue.Venue) nlu.Options {
	return nlu.Options{VenueNames: []string{v.Name.JA, v.Name.EN}, Corrections: v.Corrections, StaffWords: v.Staff.Words}
}
