package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/rag"
)

func (r *reader) explainRoute(e nlu.Explanation) {
	u := e.Understanding
	r.explainUnderstanding(u)
	for _, t := range e.Tokens {
		r.because("  token      %s: %s", t.Text, strings.Join(t.Says, ", "))
	}
	switch {
	case e.Rule.Certain:
		r.because("  rule       %s: %s, and that alone decides", e.Rule.Intent, e.Rule.Reason)
	default:
		r.because("  rule       %s, by %.1f: %s", e.Rule.Intent, e.Rule.Weight, e.Rule.Reason)
	}
	for _, i := range e.Intents {
		r.because("  n-grams    %.2f %s", i.Probability, i.Intent)
	}
	for _, a := range e.Agents {
		words := ""
		for _, f := range a.Features {
			words += fmt.Sprintf("; %+.2f %s", f.Weight, strings.ReplaceAll(f.Gram, " ", "_"))
		}
		r.because("  agent      %.4f %s, by n-grams alone %.2f%s", a.Together, a.Agent, a.NGrams, words)
	}
	r.because("  confidence %.4f in %s", u.AgentConfidence, u.Intent.Agent())
}

func (r *reader) explainUnderstanding(u nlu.Understanding) {
	r.because("  text       %s", u.Text)
	r.because("  language   %s", u.Language)
	for _, e := range u.Times {
		r.because("  time       %s", describe(e))
	}
	r.because("  intent     %s, %.2f: %s", u.Intent, u.Confidence, u.Reason)
	if u.Topic != "" {
		r.because("  topic      %s", u.Topic)
	}
}

func (r *reader) explainTimes(text string, at time.Time) {
	for _, w := range datetime.Words(text) {
		r.because("  word       %s: %s", w.Text, w.Class)
	}
	for _, e := range datetime.Explain(text, at) {
		r.because("  time       %s", describe(e.Expression))
		r.because("  made of    %s", strings.Join(e.Named, ", "))
	}
}

// describe says what an expression was read as, in a line.
func describe(e datetime.Expression) string {
	r := resultOf(e)
	words := []string{fmt.Sprintf("%q at %d..%d is a %s", e.Text, e.Start, e.End, r.Kind)}
	switch {
	case e.Invalid:
		return fmt.Sprintf("%q at %d..%d does not exist", e.Text, e.Start, e.End)
	case e.Kind == datetime.KindDuration:
		words = append(words, fmt.Sprintf("of %v", time.Duration(e.Seconds)*time.Second))
	case r.End != "":
		words = append(words, "from", cmp.Or(r.Start, "before"), "to", r.End)
	case r.Start != "":
		words = append(words, r.Start)
	}
	for _, note := range []struct {
		holds bool
		words string
	}{{e.Assumed, "assumed"}, {e.Past, "past"}, {e.NoDay, "no day said"}, {e.Conflict, "another weekday was said"}, {e.Holiday, "a day by its name"}} {
		if note.holds {
			words = append(words, "("+note.words+")")
		}
	}
	switch n := len(r.Alts); n {
	case 0:
	case 1:
		words = append(words, "or one other")
	default:
		words = append(words, fmt.Sprintf("or one of %d others", n))
	}
	return strings.Join(words, " ")
}

func (r *reader) explainCommand(e slots.Explanation) {
	for _, t := range e.Tokens {
		tag := cmp.Or(t.Label, "-")
		if t.InTime {
			tag += " in a time"
		}
		r.because("  token      %s: %s; %s%s", t.Text, tag, strings.Join(t.Classes, ", "), sum(t.Because))
	}
	c := e.Command
	r.because("  operation  %s, %.2f%s", c.Operation, c.Confidence, sum(e.Operation))
	for _, s := range c.Slots {
		r.because("  slot       %s %q at %d..%d", s.Type, s.Text, s.Start, s.End)
	}
	r.because("  title      %q", c.Title.Text)
	for _, e := range c.Times {
		r.because("  when       %s", describe(e))
	}
	for _, p := range c.People {
		r.because("  with       %q", p.Text)
	}
	for _, p := range []struct{ name, words string }{
		{"place", c.Place.Text}, {"note", c.Note.Text}, {"how often", c.Frequency.Text}, {"new title", c.Change.Title.Text}, {"new place", c.Change.Place.Text},
	} {
		if p.words != "" {
			r.because("  %-10s %q", p.name, p.words)
		}
	}
	for _, d := range []struct {
		name   string
		length time.Duration
	}{
		{"how long", c.Duration}, {"lead", c.Lead}, {"moved by", c.Change.Shift}, {"longer by", c.Change.Extend}, {"new length", c.Change.Duration},
	} {
		if d.length != 0 {
			r.because("  %-10s %v", d.name, d.length)
		}
	}
	for _, f := range []struct {
		name  string
		holds bool
	}{{"remind", c.Remind}, {"all", c.All}, {"free", c.Free}, {"suggest", c.Suggest}} {
		if f.holds {
			r.because("  %s", f.name)
		}
	}
	for _, e := range c.Change.Times {
		r.because("  new time   %s", describe(e))
	}
}

// sum are weights in words.
func sum(weights []slots.Weight) string {
	words := ""
	for _, w := range weights {
		words += fmt.Sprintf("; %+.2f %s", w.Weight, w.Feature)
	}
	return words
}

func (r *reader) explainSearch(ctx context.Context, query rag.Query) error {
	e, err := r.passages.Explain(ctx, query)
	if err != nil {
		return err
	}
	for _, ways := range e.Terms {
		r.because("  looks for  %s", strings.Join(ways, " or "))
	}
	for _, c := range e.Candidates[:min(3, len(e.Candidates))] {
		r.because("  %.3f      %s %s (words %.2f, nearness %.2f)", c.Hit.Score, c.Hit.Passage.ID, c.Hit.Passage.Title, c.Hit.BM25, c.Hit.Cosine)
	}
	return nil
}
