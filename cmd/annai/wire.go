package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"annai/graph"
	"annai/internal/config"
	"annai/internal/pgdb"
	"annai/internal/setup"
	"annai/internal/text"
	"annai/llm"
	"annai/nlu"
	"annai/nlu/network"
	"annai/nodes"
	"annai/nodes/talk"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/corpus"
	"annai/rag/embedded"
	"annai/rag/markdown"
	"annai/server/gate"
	"annai/storage/mem"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/media"
	"annai/tools/media/gemini"
	"annai/tools/media/pictures"
	"annai/tools/media/video"
	"annai/tools/tasks"
	"annai/venue"
)

// assembly is every part of a running concierge.
type assembly struct {
	venue     *venue.Venue
	calendars []calendar.Source
	calendar  calendar.Reader
	// agenda is the owner's own calendars; nil without an owner.
	agenda *agenda.Agenda
	// pictures are those of the events; nil where the venue names no hosts of any.
	pictures *pictures.Pictures
	// opened is how the calendars were opened.
	opened *calendars
	// readOnly says for the operator why a calendar of the owner that is to be written can't be; "" if it can.
	readOnly string
	tools    *tools.Registry
	// understander reads what people say at the venue.
	understander *nlu.Reader
	// maps are the services behind the tools for places, time zones and ways.
	maps mapServices
	// files are what tools made, and turns those in which they are made.
	files *media.Files
	turns *media.Turns
	// gemini reaches Google's models, nil without a key; images says that they make pictures.
	gemini *gemini.Client
	images bool
	// films has the film of the day for kiosks; nil where they are to play none.
	films *video.Daily
	// tasks are those of owners; nil without an owner, and where tasks are switched off.
	tasks     tasks.Lists
	knowledge rag.Retriever
	// index makes what finds the events that a question is about.
	index nodes.NewIndex
	// titles are what index has; nil where there are none.
	titles *titles
	// broken is why there is no ingested knowledge; nil if there is, or is none.
	broken error
	// watch serves what is ingested later, until ctx is done. Nil: nothing can be.
	watch func(ctx context.Context, ticks <-chan time.Time, log *slog.Logger)
	// problems are documents of the venue that could not be read; the rest went in.
	problems []markdown.Problem
	// passages returns what is known now.
	passages  func() []rag.Passage
	concierge *nodes.Concierge
	// sessions is what keeps them.
	sessions graph.Checkpointer
	// peers are other processes that serve the same sessions; nil where there can be none.
	peers gate.Peers
	// romaji writes Japanese titles in Latin letters, once there is a voice that knows how they are read.
	romaji atomic.Pointer[func(title string) string]
	// trySessions says whether sessions can be kept.
	trySessions func(ctx context.Context) error
	now         func() time.Time
	// shared is the PostgreSQL that several servers share; nil where the settings name none, or where it
	// can't be reached, for the reason in unshared.
	shared   *pgdb.DB
	unshared error
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

// wants say what a command needs of an assembly.
type wants struct {
	// owner has the calendars of the owner's own opened too.
	owner bool
	// forgetful keeps sessions in memory, whatever the settings say, and does without ingested knowledge that can't be opened.
	forgetful bool
	// around stands between the concierge and its knowledge. Nil stands for nothing.
	around func(rag.Retriever) rag.Retriever
	// reader reads utterances instead of the product's own reader, for an evaluation. Nil: the product's own.
	reader talk.Reader
	// model is asked instead of the one that the settings name, for an evaluation. Nil: that one.
	model llm.Model
	// observe is told of every call of a tool, wrote of every plan that an owner agreed to. Nil: nobody is.
	observe func(tools.Observation)
	wrote   func(nodes.Written)
	// telemetry is told what turns and tools do. Nil: nothing is.
	telemetry *setup.Telemetry
}

// modelOf is the model that is asked; nil for none.
func (w wants) modelOf(c config.Config, now func() time.Time, log *slog.Logger) (llm.Model, error) {
	if w.model != nil {
		return w.model, nil
	}
	model, err := openModel(c, now, w.observedModel, log)
	if err != nil && w.forgetful {
		return nil, nil //nolint:nilnil,nilerr // whoever looks at the parts one by one says what is wrong with it
	}
	return model, err
}

// assemble makes the parts that the settings name.
func assemble(ctx context.Context, c config.Config, w wants, log *slog.Logger) (*assembly, error) {
	a := &assembly{now: setup.Clock(c.Now)}
	if err := a.assemble(ctx, c, w, log); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

func (a *assembly) assemble(ctx context.Context, c config.Config, w wants, log *slog.Logger) (err error) {
	if a.venue, err = openVenue(c.Venue); err != nil {
		return err
	}
	if !w.forgetful { // who only looks
		release, err := useFolder(c)
		if err != nil {
			return err
		}
		a.closers = append(a.closers, release)
	}
	kept := c
	if w.forgetful {
		kept.Data, kept.Postgres = "", ""
	}
	sessions, err := openSessions(ctx, kept)
	if err != nil {
		return err
	}
	a.closers, a.sessions, a.peers = append(a.closers, sessions.close), sessions.Checkpointer, sessions.peers
	a.trySessions = func(ctx context.Context) error { return trySessions(ctx, sessions, time.Now()) }
	if err := a.openShared(ctx, c, w.forgetful); err != nil {
		return err
	}
	if err := a.openCalendars(ctx, c, w, log); err != nil {
		return err
	}
	if err := a.openPictures(c); err != nil {
		return err
	}
	if err := a.openMaps(ctx, c); err != nil {
		return err
	}
	if a.gemini, err = openGemini(c); err != nil {
		return err
	}
	a.images = c.Gemini.Images()
	if err := a.openTools(ctx, c, kept.Data, w, log); err != nil {
		return err
	}
	if err := a.openFilms(c, log); err != nil {
		return err
	}
	err = a.openKnowledge(ctx, c, log)
	if err != nil && w.forgetful { // the venue's own knowledge can be looked at all the same
		a.broken = err
		kept.Embedder = config.Embedder{}
		err = a.openKnowledge(ctx, kept, log)
	}
	if err != nil {
		return err
	}
	if w.around != nil {
		a.knowledge = w.around(a.knowledge)
	}
	model, err := w.modelOf(c, a.now, log)
	if err != nil {
		return err
	}
	a.understander = nlu.New(understanding(a.venue))
	reader := w.reader
	if reader == nil {
		if reader, err = openReader(); err != nil {
			return err
		}
	}
	a.concierge, err = nodes.New(nodes.Parts{
		Model: model, Tools: a.tools, Capture: a.capturer(c, log), Reader: reader, Index: a.index,
		Venue: a.venue, Calendar: a.calendar, Agenda: a.agenda, Tasks: a.tasks, Knowledge: a.knowledge, Understander: a.understander, Checkpointer: sessions.Checkpointer,
		Spare: mem.New(),
	}, nodes.Options{
		Now: a.now, SessionIdle: c.SessionIdle, Deadline: c.Deadline, SourceDeadline: c.SourceDeadline, Log: log,
		Wrote: w.wrote, Shared: a.peers != nil, Callbacks: w.callbacks(), Reading: a.reading,
		Picture: a.picture,
	})
	return err
}

// reading is a Japanese title in Latin letters; "" where nobody knows it.
func (a *assembly) reading(title string) string {
	if romaji := a.romaji.Load(); romaji != nil {
		return (*romaji)(title)
	}
	return ""
}

func openVenue(path string) (*venue.Venue, error) {
	if path == "" {
		return venue.Demo()
	}
	return venue.Open(path)
}

// openKnowledge makes passages of the venue's documents, and of what was ingested.
func (a *assembly) openKnowledge(ctx context.Context, c config.Config, log *slog.Logger) (err error) {
	own, problems := markdown.Load(a.venue.Files, a.venue.Knowledge)
	for _, p := range problems {
		log.Warn("document left out", "err", p)
	}
	a.problems = problems
	embedder, err := openEmbedder(ctx, c)
	if err != nil {
		return err
	}
	if c.Data != "" || c.Postgres != "" {
		return a.openIngested(ctx, c, own, embedder, log)
	}
	known, err := knownVectors(ctx, c, a.venue, own, embedder, nil, log)
	if err != nil {
		return err
	}
	a.passages = func() []rag.Passage { return own }
	opts := knowledgeOptions(c, known)
	a.indexTitles(newTitles(ctx, embedder, opts, log))
	a.knowledge, err = newKnowledge(ctx, own, embedder, chromem.NewIndex, opts)
	return err
}

// openIngested serves what is in the store besides the venue's own, and leaves behind how to look for more.
func (a *assembly) openIngested(ctx context.Context, c config.Config, own []rag.Passage, embedder rag.Embedder, log *slog.Logger) error {
	store, err := a.openCorpus(ctx, c)
	if err != nil {
		return setup.OneLine(fmt.Errorf("knowledge: %w", err))
	}
	a.closers = append(a.closers, store.Close)
	var shared *corpus.Store
	if a.shared != nil {
		shared = store
	}
	known, err := knownVectors(ctx, c, a.venue, own, embedder, shared, log)
	if err != nil {
		return err
	}
	opts := knowledgeOptions(c, known)
	a.indexTitles(newTitles(ctx, embedder, opts, log))
	var served atomic.Pointer[[]rag.Passage]
	a.passages = func() []rag.Passage { return *served.Load() }
	build := func(ctx context.Context, ingested []rag.Passage) (rag.Retriever, error) {
		reuse := corpus.NewReuse(store, embedder)
		defer reuse.Pass()
		all := withVenue(ingested, own)
		made, err := rag.New(ctx, all, reuse, chromem.NewIndex, opts)
		if err == nil {
			served.Store(&all)
		}
		return made, err
	}
	ingested, version, err := store.Passages(ctx)
	if err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	first, err := build(ctx, ingested)
	if err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	live := corpus.NewLive(first)
	a.knowledge = live
	a.watch = func(ctx context.Context, ticks <-chan time.Time, log *slog.Logger) {
		live.Watch(ctx, store, version, ticks, build, log)
	}
	return nil
}

// openCorpus opens what was ingested: in PostgreSQL where the settings name one, else in the data folder.
func (a *assembly) openCorpus(ctx context.Context, c config.Config) (*corpus.Store, error) {
	switch {
	case c.Postgres == "":
		return corpus.Open(ctx, filepath.Join(c.Data, knowledgeFile))
	case a.unshared != nil:
		return nil, a.unshared
	default:
		return corpus.OpenShared(ctx, a.shared)
	}
}

func (a *assembly) indexTitles(t *titles) {
	a.index, a.titles = t.index, t
	a.closers = append(a.closers, t.close)
}

// pieces cuts the text of a passage into what gets a vector.
func pieces(passage string) []string { return embedded.Pieces(text.Sentences(passage)) }

// newKnowledge computes the vectors that are not known.
func newKnowledge(
	ctx context.Context, passages []rag.Passage, e rag.Embedder, newIndex rag.NewIndex, opts rag.Options,
) (*rag.Hybrid, error) {
	knowledge, err := rag.New(ctx, passages, e, newIndex, opts)
	if err != nil {
		return nil, fmt.Errorf("knowledge: %w", setup.OneLine(err))
	}
	return knowledge, nil
}

// openReader returns the reader that is in the program.
func openReader() (talk.Reader, error) {
	n, err := network.Open()
	if err != nil {
		return nil, fmt.Errorf("reader: %w", err)
	}
	return talk.NewReader(n), nil
}

// understanding is what the venue adds to the understanding of words.
func understanding(v *venue.Venue) nlu.Options {
	return nlu.Options{
		VenueNames: []string{v.Name.JA, v.Name.EN}, Corrections: v.Corrections,
		StaffWords: v.Staff.Words, Words: names(v),
	}
}

// names are those of a venue and its parts in Japanese, with their readings where the venue says them.
func names(v *venue.Venue) map[string]string {
	all := map[string]string{}
	add := func(name string) {
		if text.HasJapanese(name) {
			all[name] = strings.ReplaceAll(v.Reading[name], "'", "")
		}
	}
	add(v.Name.JA)
	for i := range v.Parts {
		for _, name := range v.Parts[i].Names("ja") {
			add(name)
		}
	}
	for name := range v.Reading {
		add(name)
	}
	return all
}
