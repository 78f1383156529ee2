package nodes

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"annai/api"
	"annai/graph"
	"annai/grounding"
	"annai/internal/civil"
	"annai/llm"
	"annai/prompts"
)

// word has a model word the draft, and gives out its sentences as they come. What the model does not do, or not in time, the template
// does: the draft as it is where nothing was said yet.
func (c *Concierge) word(ctx context.Context, s State, d draft) draft {
	if c.parts.Model == nil || d.Grounds == nil || s.Turn.Spec || s.Turn.Before != "" {
		return d
	}
	w := c.wording(ctx, s, d)
	began := c.opts.Now()
	failure := c.listen(ctx, w, c.request(s, d))
	if w.claims == 0 && failure == "" {
		failure = fellForNothing
	}
	w.use.Fallback = failure
	if len(w.told) > 0 {
		w.finish(failure != "")
		d = w.worded(d, s.Language)
	}
	d.Model = joined(d.Model, &w.use)
	d.ModelMS += milliseconds(c.opts.Now().Sub(began))
	return d
}

// wording prepares to listen.
func (c *Concierge) wording(ctx context.Context, s State, d draft) *wording {
	now := s.Turn.At.In(c.location(s.Turn))
	face, index := moodOf(d.Facts), 0
	evidence := func(items []grounding.Item) *grounding.Checker {
		return grounding.New(grounding.Evidence{Items: items, Now: now, Venue: c.venueNames, Names: c.otherNames})
	}
	return &wording{
		grounds: d.Grounds, lang: s.Language, checker: evidence(d.Grounds.Items), lines: map[int]bool{}, used: map[string]bool{},
		rules: prompts.ModelAnswer{Venue: c.parts.Venue.Name.In(string(s.Language))}.In(string(s.Language)),
		again: func(said string) *grounding.Checker {
			return evidence([]grounding.Item{{ID: "said", Kind: grounding.Passage, Text: said}})
		},
		say: func(sentence string) {
			for _, spoken := range speech(draft{Spoken: []string{sentence}}, s.Language, face) {
				graph.WriteCustom(ctx, Sentence{api.SpokenSentence{Index: index, Text: spoken.Text, Emotion: spoken.Emotion}})
				index++
			}
		},
		log: func(sentence, became, why string) {
			c.opts.Log.LogAttrs(ctx, slog.LevelDebug, "model sentence", slog.String("run_id", s.Turn.RunID), slog.String("became", became),
				slog.String("why", why), slog.String("sentence", sentence))
		},
		use: api.ModelUse{Name: c.parts.Model.Name(), Did: didWording},
	}
}

// request is what the model is asked.
func (c *Concierge) request(s State, d draft) llm.Request {
	lang := string(s.Language)
	evidence := prompts.ModelEvidence{Today: c.nowWords(s), Items: d.Grounds.Shown, Question: oneLine(d.Grounds.Question, maxAsked)}
	return llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: prompts.ModelAnswer{Venue: c.parts.Venue.Name.In(lang)}.In(lang)},
			{Role: llm.User, Text: evidence.In(lang)},
		},
		MaxTokens: maxAnswerTokens,
	}
}

// maxAsked is how many runes of a question a model reads.
const maxAsked = 500

// nowWords is the day and the time of the question, as they are read.
func (c *Concierge) nowWords(s State) string {
	now := s.Turn.At.In(c.location(s.Turn))
	return writtenDate(civil.DateOf(now), fullDate, s.Language) + inLang(s.Language, " ", ", ") + writtenClock(now, s.Language)
}

// listen hears a model out, in what is left of the turn's time but for a reserve. It returns why not to the end, if so.
func (c *Concierge) listen(ctx context.Context, w *wording, r llm.Request) (failure string) {
	limited, cancel := c.budget(ctx, 1)
	defer cancel()
	var cut grounding.Sentences
	var mind thoughts
	for d, err := range c.parts.Model.Stream(limited, r) {
		if err != nil {
			if ctx.Err() != nil { // nobody waits any more
				return string(llm.Late)
			}
			c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "model failed", slog.String("model", w.use.Name), slog.Any("err", err))
			w.unfinished(cut.Close())
			return failureOf(err)
		}
		for _, sentence := range cut.Write(mind.without(d.Text)) {
			if w.hear(sentence); w.full() {
				return w.enough()
			}
		}
		if d.End == nil {
			continue
		}
		w.use.Name = d.End.Model
		if d.End.Stop == llm.Length {
			w.unfinished(cut.Close())
			return fellForLength
		}
	}
	for _, sentence := range cut.Close() {
		if w.hear(sentence); w.full() {
			return w.enough()
		}
	}
	return ""
}

// budget is the context of a request to a model: share of the turn's time at most, and never the last of it, which is for the template.
func (c *Concierge) budget(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithTimeout(ctx, time.Duration(share*float64(c.opts.Deadline)))
	deadline, ok := ctx.Deadline()
	if !ok {
		return limited, cancel
	}
	reserved, stop := context.WithDeadline(limited, deadline.Add(-c.opts.Deadline/reserve))
	return reserved, func() { stop(); cancel() }
}

// reserve is the part of a turn's time that no model gets, as the number of such parts in it.
const reserve = 10

// failureOf names what went wrong with a model.
func failureOf(err error) string {
	if kind := llm.KindOf(err); kind != "" {
		return string(kind)
	}
	return string(llm.Unfit)
}

// What a model was asked for.
const (
	didWording = "wording"
	didTools   = "tools"
	didRouting = "routing"
)

// joined is two uses of a model in one answer as one.
func joined(a, b *api.ModelUse) *api.ModelUse {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := *b
	out.Did = a.Did + "+" + b.Did
	out.Kept, out.Replaced, out.Dropped = a.Kept+b.Kept, a.Replaced+b.Replaced, a.Dropped+b.Dropped
	out.Sentences, out.Tools = append(slices.Clone(a.Sentences), b.Sentences...), append(slices.Clone(a.Tools), b.Tools...)
	if out.Fallback == "" {
		out.Fallback = a.Fallback
	}
	return &out
}
