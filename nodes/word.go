package nodes

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"annai/agent"
	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/graph"
	"annai/grounding"
	"annai/internal/text"
	"annai/llm"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/nodes/wording"
	"annai/prompts"
)

// word has a model word the draft, and gives out its sentences as they come. What the model does
// not do, or not in time, the template does: the draft as it is where nothing was said yet. A run
// that nobody waits for any more is an error: nothing is said.
func (c *Concierge) word(ctx context.Context, s State, d draft) (draft, error) {
	if c.parts.Model == nil || s.Turn.Spec || s.Turn.Before != "" || s.Route.Second.Text != "" {
		return d, nil
	}
	var err error
	if d.Evidence, err = c.gather(ctx, s, d); err != nil || d.Evidence == nil || len(d.Evidence.Items) == 0 {
		return d, err
	}
	d.Evidence.Said = s.Turn.Query
	w := c.answer(ctx, s, d, true)
	began := c.opts.Now()
	limited, cancel := c.budget(ctx, 1)
	defer cancel()
	failure, failed := w.Listen(limited, c.parts.Model, c.request(s, d))
	if err := brokenOff(ctx); err != nil {
		return d, err
	}
	if failed != nil && ctx.Err() == nil {
		c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "model failed", slog.String("model", w.Use().Name), slog.Any("err", failed))
	}
	if !w.Claims() && failure == "" {
		failure = wording.FellForNothing
	}
	if len(w.Told()) > 0 {
		w.Finish(failure != "")
		d = d.worded(w, s.Language)
	}
	use := w.Use()
	use.Did, use.Fallback = didWording, failure
	d.Model = joined(d.Model, &use)
	d.ModelMS += milliseconds(c.opts.Now().Sub(began))
	return d, nil
}

// brokenOff is the error of a run that was cancelled, by its visitor or with its session. One whose
// time is up is answered all the same.
func brokenOff(ctx context.Context) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return fmt.Errorf("ask a model: %w", err)
	}
	return nil
}

// answer prepares to hear a model word a draft; aloud says whether its sentences are spoken as they
// come.
func (c *Concierge) answer(ctx context.Context, s State, d draft, aloud bool) *wording.Answer {
	now := s.Turn.At.In(c.location(s.Turn))
	checker := grounding.New(grounding.Evidence{
		Items: d.Evidence.Items, Others: d.Evidence.Others, Now: now, Venue: c.venueNames, Names: c.otherNames,
	})
	opts := wording.Options{
		Language: s.Language, Checker: checker.Asked(d.Evidence.Question, s.Turn.Query),
		Rules: prompts.ModelAnswer{Venue: c.parts.Venue.Name.In(string(s.Language))}.In(string(s.Language)),
		Log: func(sentence, became, why string) {
			c.opts.Log.LogAttrs(ctx, slog.LevelDebug, "model sentence", slog.String("run_id", s.Turn.RunID), slog.String("became", became),
				slog.String("why", why), slog.String("sentence", sentence))
		},
	}
	if aloud {
		opts.Say = c.aloud(ctx, s.Language, emotionOf(d.Facts))
	}
	return wording.New(&d.Evidence.Evidence, c.parts.Model.Name(), opts)
}

// aloud gives out sentences as they come, as long as somebody waits for them.
func (c *Concierge) aloud(ctx context.Context, lang nlu.Language, face dialog.Emotion) func(string) {
	index := 0
	return func(sentence string) {
		if brokenOff(ctx) != nil {
			return
		}
		piece := agent.AIMessage(sentence)
		if piece.ID = messageID(ctx); index > 0 && lang == nlu.English {
			piece.Text = " " + sentence
		}
		graph.WriteMessage(ctx, piece)
		for _, spoken := range speech(draft{Spoken: []string{sentence}}, lang, face) {
			graph.WriteCustom(ctx, dialog.Sentence{SpokenSentence: api.SpokenSentence{Index: index, Text: spoken.Text, Emotion: spoken.Emotion}})
			index++
		}
	}
}

// worded is the draft in the words that were said.
func (d draft) worded(w *wording.Answer, lang nlu.Language) draft {
	e := d.Evidence
	d.Text, d.Spoken = display.JoinSentences(w.Told(), lang), w.Told()
	if len(e.Passages) > 0 && d.Facts.Events == 0 {
		d.Passages, d.Cards = nil, nil
		for i := range e.Items {
			if id := e.Items[i].ID; w.Uses(id) {
				d.Passages, d.Cards = append(d.Passages, e.Passages[id]), append(d.Cards, e.Cards[id])
			}
		}
	}
	if len(e.Notes) > 0 {
		d.Text, d.Spoken = display.JoinParts(d.Text, strings.Join(e.Notes, "\n")), append(d.Spoken, e.Notes...)
	}
	return d
}

// request is what the model is asked.
func (c *Concierge) request(s State, d draft) llm.Request {
	lang := string(s.Language)
	evidence := prompts.ModelEvidence{
		Today: c.nowWords(s), Talk: printedTalk(s.Memory), Items: d.Evidence.Shown, Question: text.OneLine(d.Evidence.Question, maxAsked),
		Said: text.OneLine(s.Turn.Query, maxAsked), Range: c.rangeWords(s, d),
	}
	return llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: prompts.ModelAnswer{Venue: c.parts.Venue.Name.In(lang)}.In(lang)},
			{Role: llm.User, Text: evidence.In(lang)},
		},
		Schema: wording.Schema, MaxTokens: wording.MaxTokens,
	}
}

// maxAsked is how many runes of a question a model reads.
const maxAsked = 500

// nowWords is the day and the time of the question, as they are read.
func (c *Concierge) nowWords(s State) string {
	now := s.Turn.At.In(c.location(s.Turn))
	return display.WrittenDate(civil.DateOf(now), display.FullDate, s.Language) + display.InLang(s.Language, " ", ", ") + display.WrittenClock(now, s.Language)
}

// rangeWords are the days that an answer is about, or that were said, as they are read; "" where
// there are none.
func (c *Concierge) rangeWords(s State, d draft) string {
	loc := c.location(s.Turn)
	span, said := display.SpanOf(s.Understanding.Times, s.Turn.At.In(loc))
	if !d.Range.IsZero() {
		span, said = d.Range, true
	}
	if !said {
		return ""
	}
	first, last := civil.DateOf(span.Start.In(loc)), civil.DateOf(span.End.In(loc).Add(-time.Nanosecond))
	from := display.WrittenDate(first, display.FullDate, s.Language)
	if !last.After(first) {
		return from
	}
	return display.Phrase(s.Language, "from_to", from, display.WrittenDate(last, display.FullDate, s.Language))
}

// printedTalk is what a talk has been about, as a model reads it.
func printedTalk(m talk.Memory) prompts.ModelTalk {
	out := prompts.ModelTalk{Said: text.OneLine(m.Said, maxAsked), Question: text.OneLine(m.Last.Text, maxAsked)}
	for _, subject := range m.Subjects {
		out.Subjects = append(out.Subjects, text.OneLine(subject.Title, display.MaxTitle))
	}
	for _, subject := range m.InView {
		out.InView = append(out.InView, text.OneLine(subject.Title, display.MaxTitle))
	}
	return out
}

// budget is the context of a request to a model: share of the turn's time at most, and never the
// last of it, which is for the template.
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

// What a model was asked for.
const (
	didWording = "wording"
	didTools   = "tools"
)

// joined is two uses of a model in one answer as one.
func joined(a, b *wording.Use) *wording.Use {
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
