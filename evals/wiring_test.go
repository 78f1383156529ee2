package evals_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"annai/evals"
	"annai/internal/fault"
	"annai/nlu"
	"annai/nodes"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/markdown"
	"annai/storage/mem"
	"annai/tools/calendar"
	"annai/tools/calendar/ics"
	calendarmem "annai/tools/calendar/mem"
	"annai/venue"
)

// concierge puts a concierge together from the product's parts, as cmd does, with the sources of the case in it.
func concierge(ctx context.Context, s evals.Setup) (evals.Asker, error) {
	v, err := openVenue(s.Venue)
	if err != nil {
		return nil, err
	}
	understander, err := demoUnderstander()
	if s.Venue != "demo" {
		understander, err = nlu.New(understanding(v)), nil
	}
	if err != nil {
		return nil, err
	}
	cal, err := openCalendar(v, s)
	if err != nil {
		return nil, err
	}
	knowledge, err := openKnowledge(ctx, v, s)
	if err != nil {
		return nil, err
	}
	opts := nodes.Options{Now: s.Now}
	if s.Calendar == evals.Timeout || s.Knowledge == evals.Timeout {
		opts.SourceDeadline = 300 * time.Millisecond
	}
	c, err := nodes.New(nodes.Parts{
		Venue: v, Calendar: cal, Knowledge: knowledge, Understander: understander, Checkpointer: mem.New(),
	}, opts)
	if err != nil {
		return nil, fmt.Errorf("put the concierge together: %w", err)
	}
	return c, nil
}

// What never changes and takes longer to make than to ask is made once.
var (
	demoVenue        = sync.OnceValues(venue.Demo)
	demoUnderstander = sync.OnceValues(func() (nlu.Understander, error) {
		v, err := demoVenue()
		if err != nil {
			return nil, err
		}
		return nlu.New(understanding(v)), nil
	})
	demoKnowledge = sync.OnceValues(func() (rag.Retriever, error) {
		v, err := demoVenue()
		if err != nil {
			return nil, err
		}
		passages, problems := markdown.Load(v.Files, v.Knowledge)
		return retriever(context.Background(), passages, problems)
	})
)

func understanding(v *venue.Venue) nlu.Options {
	return nlu.Options{VenueNames: []string{v.Name.JA, v.Name.EN}, Corrections: v.Corrections, StaffWords: v.Staff.Words}
}

func openVenue(name string) (*venue.Venue, error) {
	if name == "demo" {
		return demoVenue()
	}
	return venue.Open(name)
}

func openCalendar(v *venue.Venue, s evals.Setup) (calendar.Reader, error) {
	switch {
	case s.Calendar != evals.None:
		return calendarmem.Broken{Hang: s.Calendar == evals.Timeout}, nil
	case s.Events != nil:
		source := calendar.Source{ID: "case", Visibility: calendar.Public, Reader: calendarmem.New("case", s.Events...)}
		return calendar.Merge([]calendar.Source{source}), nil
	}
	var sources []calendar.Source
	for _, c := range v.Calendars {
		reader, err := ics.File(v.Files, c.Path, ics.Options{CalendarID: c.ID, Location: v.Location, Now: s.Now})
		if err != nil {
			return nil, fmt.Errorf("calendar %s: %w", c.ID, err)
		}
		sources = append(sources, calendar.Source{ID: c.ID, Visibility: c.Visibility, Reader: reader})
	}
	return calendar.Merge(sources), nil
}

func openKnowledge(ctx context.Context, v *venue.Venue, s evals.Setup) (rag.Retriever, error) {
	switch {
	case s.Knowledge != evals.None:
		return brokenKnowledge{hang: s.Knowledge == evals.Timeout}, nil
	case s.Documents != nil:
		files, paths := s.Files()
		passages, problems := markdown.Load(files, paths)
		return retriever(ctx, passages, problems)
	case s.Venue == "demo":
		return demoKnowledge()
	}
	passages, problems := markdown.Load(v.Files, v.Knowledge)
	return retriever(ctx, passages, problems)
}

func retriever(ctx context.Context, passages []rag.Passage, problems []markdown.Problem) (rag.Retriever, error) {
	if len(problems) > 0 {
		errs := make([]error, len(problems))
		for i, p := range problems {
			errs[i] = p
		}
		return nil, errors.Join(errs...)
	}
	return rag.New(ctx, passages, rag.HashedEmbedder{}, chromem.New, rag.Options{})
}

// brokenKnowledge is a retriever that fails.
type brokenKnowledge struct{ hang bool }

func (b brokenKnowledge) Search(ctx context.Context, _ rag.Query) ([]rag.Hit, error) {
	if b.hang {
		<-ctx.Done()
		return nil, fmt.Errorf("wait for knowledge: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	return nil, fmt.Errorf("search broken knowledge: %w", fault.ErrUnavailable)
}
