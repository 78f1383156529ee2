package evals

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"annai/api"
	"annai/fault"
)

// The words of the contract that cases may name.
var (
	sourceNames = []string{"calendar", "knowledge_base"}
	statuses    = []string{"ok", "empty", "error", "disabled"}
	rangeNames  = []string{
		"today", "tomorrow", "dayAfterTomorrow", "thisWeek", "weekend", "nextWeek", "nextWeekend", "thisMonth", "nextMonth", "date", "range",
	}
)

// failures collects what is wrong with an answer.
type failures []string

func (f *failures) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// same adds a failure if something is wanted and something else came.
func (f *failures) same(what, got, want string) {
	if want != "" && got != want {
		f.add("%s = %q, want %q", what, got, want)
	}
}

func (f *failures) words(what, text string, has, lacks []Words) {
	for _, w := range has {
		if !w.in(text) {
			f.add("%s lacks %s", what, w)
		}
	}
	for _, w := range lacks {
		if w.in(text) {
			f.add("%s has %s", what, w)
		}
	}
}

// empty reports whether nothing is wanted.
func (w Want) empty() bool {
	return w.Error == "" && w.Route+w.Agent+w.Category+w.Language+w.Emotion+w.Tag+w.Text+w.Begins == "" && w.Inherited == nil &&
		w.Confidence == nil && w.Range == nil && w.Sources == nil && len(w.SourceStatus) == 0 && len(w.Has)+len(w.Lacks) == 0 &&
		len(w.Speech.Has)+len(w.Speech.Lacks)+len(w.Suggestions.Has)+len(w.Suggestions.Lacks) == 0 && w.Options == nil &&
		w.Cards.Titles == nil && len(w.Cards.Has)+len(w.Cards.Lacks)+len(w.Question) == 0
}

// check returns what is wrong with an answer, or with the error that came instead.
func (w Want) check(r api.QueryResponse, err error) failures {
	var f failures
	if w.Error != "" || err != nil {
		f.same("the error's kind", kind(err), w.Error)
		if w.Error == "" {
			f.add("failed: %v", err)
		}
		return f
	}
	m := r.Metadata
	f.same("route", m.ProcessingInfo.Route, w.Route)
	f.same("agentName", r.AgentName, w.Agent)
	f.same("category", m.Category, w.Category)
	f.same("language", r.Language, w.Language)
	f.same("emotion", r.Emotion, w.Emotion)
	f.same("tag", tagOf(r.Text), w.Tag)
	if w.Inherited != nil && m.ProcessingInfo.ContextInherited != *w.Inherited {
		f.add("contextInherited = %t, want %t", m.ProcessingInfo.ContextInherited, *w.Inherited)
	}
	if w.Confidence != nil && math.Abs(m.Confidence-*w.Confidence) > 0.001 {
		f.add("confidence = %g, want %g", m.Confidence, *w.Confidence)
	}
	w.checkSources(&f, m)
	if w.Range != nil {
		w.Range.check(&f, m.TimeRange)
	}
	w.checkWords(&f, r)
	w.checkInterrupt(&f, r.Interrupt)
	return f
}

func kind(err error) string {
	switch {
	case err == nil:
		return "none"
	case errors.Is(err, fault.ErrInvalid):
		return "invalid"
	case errors.Is(err, fault.ErrNotFound):
		return "notFound"
	case errors.Is(err, fault.ErrConflict):
		return "conflict"
	}
	return "other"
}

func (w Want) checkSources(f *failures, m api.Metadata) {
	if w.Sources != nil {
		got, want := slices.Sorted(slices.Values(m.Sources)), slices.Sorted(slices.Values(w.Sources))
		if !slices.Equal(got, want) {
			f.add("sources = %q, want %q", got, want)
		}
	}
	for _, s := range sourceNames {
		f.same("sourceStatus."+s, m.SourceStatus[s], w.SourceStatus[s])
	}
}

func (w WantRange) check(f *failures, r *api.TimeRange) {
	switch {
	case w.None && r != nil:
		f.add("timeRange = %s from %s to %s, want none", r.Name, r.Start, r.End)
		return
	case w.None:
		return
	case r == nil:
		f.add("timeRange is absent, want %s from %s to %s", w.Name, w.Start, w.End)
		return
	}
	f.same("timeRange.name", r.Name, w.Name)
	sameInstant(f, "timeRange.start", r.Start, w.Start)
	sameInstant(f, "timeRange.end", r.End, w.End)
	if w.Explicit != nil && r.Explicit != *w.Explicit {
		f.add("timeRange.explicit = %t, want %t", r.Explicit, *w.Explicit)
	}
}

func sameInstant(f *failures, what, got, want string) {
	if len(want) == len("2006-01-02") && strings.HasPrefix(got, want+"T00:00:00") {
		return
	}
	f.same(what, got, want)
}

func (w Want) checkWords(f *failures, r api.QueryResponse) {
	f.same("text", r.Text, w.Text)
	if !strings.HasPrefix(r.Text, w.Begins) {
		f.add("text does not begin with %q", w.Begins)
	}
	f.words("text", r.Text, w.Has, w.Lacks)
	var said, cards, titles []string
	for _, s := range r.Speech {
		said = append(said, s.Text)
	}
	for _, c := range r.Cards {
		titles = append(titles, c.Title)
		cards = append(cards, c.Type, c.Title, c.Start, c.End, c.Location, c.Description, c.URL, c.When, c.Status)
	}
	f.words("speech", strings.Join(said, "\n"), w.Speech.Has, w.Speech.Lacks)
	f.words("suggestions", strings.Join(r.Suggestions, "\n"), w.Suggestions.Has, w.Suggestions.Lacks)
	f.words("cards", strings.Join(cards, "\n"), w.Cards.Has, w.Cards.Lacks)
	if w.Cards.Titles != nil && !slices.Equal(titles, w.Cards.Titles) {
		f.add("titles of cards = %q, want %q", titles, w.Cards.Titles)
	}
}

func (w Want) checkInterrupt(f *failures, i *api.Interrupt) {
	switch {
	case i == nil && w.Options == nil && len(w.Question) == 0:
	case i == nil:
		f.add("interrupt is null, want one with the options %q", w.Options)
	case w.Options == nil && len(w.Question) == 0:
		f.add("asks %q, want no interrupt", i.Question)
	default:
		f.words("the interrupt's question", i.Question, w.Question, nil)
		if w.Options != nil && !slices.Equal(i.Options, w.Options) {
			f.add("options of the interrupt = %q, want %q", i.Options, w.Options)
		}
	}
}
