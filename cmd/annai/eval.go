package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"annai/evals"
	"annai/fault"
	"annai/internal/config"
	"annai/nlu"
	"annai/nodes"
	"annai/nodes/talk"
	"annai/rag"
	"annai/rag/markdown"
	"annai/storage/mem"
	"annai/tools/calendar"
	calendarmem "annai/tools/calendar/mem"
	"annai/venue"
)

func evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "eval [DIR]", Short: "Ask the questions with known answers in a folder, or those built in, and print a table",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%w: eval takes one folder", errUsage)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files := evals.Embedded()
			if len(args) == 1 {
				if _, err := os.Stat(args[0]); err != nil {
					return fmt.Errorf("folder of cases: %w", err)
				}
				files = os.DirFS(args[0])
			}
			return eval(cmd, files)
		},
	}
	cmd.AddCommand(evalTalksCommand())
	return cmd
}

func eval(cmd *cobra.Command, files fs.FS) error {
	var e evaluator
	passed, err := evals.Main(cmd.Context(), files, e.asker, cmd.OutOrStdout(), evals.Options{Clock: time.Now})
	if err == nil && !passed {
		err = errSilent
	}
	return errors.Join(err, e.demo.close())
}

// evaluator makes a concierge for each case. What never changes and takes longer to make than to ask is made once.
type evaluator struct {
	once sync.Once
	err  error
	demo assembly
	// understander is that of the demonstration venue, embedder that of documents of cases, and shipped are vectors that all cases have.
	understander nlu.Understander
	embedder     rag.Embedder
	shipped      *rag.Vectors
	reader       talk.Reader
	index        nodes.NewIndex
}

func (e *evaluator) openDemo(ctx context.Context) error {
	e.once.Do(func() {
		if e.demo.venue, e.err = venue.Demo(); e.err != nil {
			return
		}
		if e.embedder, e.err = openEmbedder(ctx, config.Config{}); e.err != nil {
			return
		}
		e.understander, e.shipped = nlu.New(understanding(e.demo.venue)), shippedVectors(e.demo.venue, discard)
		e.index = newTitles(ctx, e.embedder, knowledgeOptions(config.Config{}, e.shipped), discard).byMeaning
		if e.reader, e.err = openReader(); e.err != nil {
			return
		}
		e.err = e.demo.openKnowledge(ctx, config.Config{}, discard)
	})
	return e.err
}

// asker puts the concierge of a case together, from the product's parts and the sources of the case.
func (e *evaluator) asker(ctx context.Context, s evals.Setup) (evals.Asker, error) {
	if err := e.openDemo(ctx); err != nil {
		return nil, err
	}
	a := &assembly{now: s.Now, venue: e.demo.venue, knowledge: e.demo.knowledge}
	understander := e.understander
	if s.Venue != "demo" {
		var err error
		if a.venue, err = venue.Open(s.Venue); err != nil {
			return nil, err
		}
		if err := a.openKnowledge(ctx, config.Config{}, discard); err != nil {
			return nil, err
		}
		understander = nlu.New(understanding(a.venue))
	}
	if err := a.openCaseCalendar(ctx, s); err != nil {
		return nil, err
	}
	knowledge, err := e.caseKnowledge(ctx, s, a.knowledge)
	if err != nil {
		return nil, err
	}
	opts := nodes.Options{Now: s.Now}
	if s.Calendar == evals.Timeout || s.Knowledge == evals.Timeout {
		opts.SourceDeadline = 300 * time.Millisecond
	}
	return nodes.New(nodes.Parts{
		Venue: a.venue, Calendar: a.calendar, Knowledge: knowledge, Understander: understander, Checkpointer: mem.New(),
		Reader: e.reader, Index: e.index,
	}, opts)
}

func (a *assembly) openCaseCalendar(ctx context.Context, s evals.Setup) error {
	switch {
	case s.Calendar != evals.None:
		a.calendar = calendarmem.Broken{Hang: s.Calendar == evals.Timeout}
	case s.Events != nil:
		a.calendar = calendar.Merge([]calendar.Source{{ID: "case", Visibility: calendar.Public, Reader: calendarmem.New("case", s.Events...)}})
	default:
		return a.openCalendars(ctx, config.Config{}, wants{}, discard)
	}
	return nil
}

// caseKnowledge is what a case says that is known, or else that of its venue.
func (e *evaluator) caseKnowledge(ctx context.Context, s evals.Setup, ofVenue rag.Retriever) (rag.Retriever, error) {
	switch {
	case s.Knowledge != evals.None:
		return brokenKnowledge{hang: s.Knowledge == evals.Timeout}, nil
	case s.Documents == nil:
		return ofVenue, nil
	}
	passages, problems := markdown.Load(s.Files())
	for _, p := range problems {
		return nil, p
	}
	known := *e.shipped // each case leaves those that it needs
	return newKnowledge(ctx, passages, e.embedder, rag.NewFlat, knowledgeOptions(config.Config{}, &known))
}

// brokenKnowledge is a retriever that fails.
type brokenKnowledge struct{ hang bool }

// Search is part of [rag.Retriever].
func (b brokenKnowledge) Search(ctx context.Context, _ rag.Query) ([]rag.Hit, error) {
	if b.hang {
		<-ctx.Done()
	}
	return nil, fmt.Errorf("search broken knowledge: %w", errors.Join(fault.ErrUnavailable, ctx.Err()))
}
