package nodes

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"annai/civil"
	"annai/grounding"
	"annai/nodes/display"
	"annai/nodes/wording"
	"annai/prompts"
	"annai/rag"
	"annai/tools/calendar"
)

// Bounds of what a model is given besides what the template tells.
const (
	maxGivenPassages = 8
	maxGivenEvents   = 12
	maxGivenDays     = 7
)

// gather adds to what a model may word an answer from all that comes near to the question:
// passages, events with their other days, and the opening hours of the days that it is about. It is
// for a question that was read in its talk; nil where no model is to word the draft.
func (c *Concierge) gather(ctx context.Context, s State, d draft) (*evidence, error) {
	if s.Question.Text == "" || s.Turn.Owner || !wantsAnswer(s.Question) || s.Route.Node != nodeInfo && s.Route.Node != nodeEvent ||
		d.Facts.Grave || d.Facts.Asking || d.Facts.Changed || d.Facts.Calendar == statusError ||
		d.Facts.Knowledge == statusError {
		return d.Evidence, nil
	}
	g := d.Evidence
	if g == nil {
		g = &evidence{Evidence: wording.Evidence{Question: s.Question.Text, Notes: d.Notes}}
		if !d.Facts.Unknown && !d.Facts.Nothing {
			g.addDraft(d)
		}
	}
	now := s.Turn.At.In(c.location(s.Turn))
	near, err := c.lookFor(ctx, s, s.Question.Text, now)
	if err != nil {
		return nil, err
	}
	for i, h := range near.passages.Hits {
		if i < maxGivenPassages && !g.hasItem(h.Passage.ID) {
			g.givePassage(h)
		}
	}
	if err := c.giveEvents(ctx, s, near.events, g); err != nil {
		return nil, err
	}
	c.giveHours(s, g)
	return g, nil
}

// draftItem is the id of what the template says.
const draftItem = "draft"

// addDraft adds what the template says, which may have been computed.
func (g *evidence) addDraft(d draft) {
	text := display.NoBrackets(d.Text)
	g.Items = append(g.Items, grounding.Item{ID: draftItem, Kind: grounding.Passage, Text: text})
	g.Shown = append(g.Shown, prompts.ModelItem{ID: wording.Label(len(g.Shown)), Text: text})
	g.addLines(draftItem, text)
}

func (g *evidence) hasItem(id string) bool {
	return slices.ContainsFunc(g.Items, func(i grounding.Item) bool { return i.ID == id })
}

// givePassage adds a passage that the template does not tell.
func (g *evidence) givePassage(h rag.Hit) {
	lines := g.Lines
	g.addPassage(h, "")
	g.Lines = lines
}

// giveEvents adds the events that come near to the question or were spoken of, and those of the
// days that it is about.
func (c *Concierge) giveEvents(ctx context.Context, s State, near []rag.Hit, g *evidence) error {
	now := s.Turn.At.In(c.location(s.Turn))
	found, err := c.readCalendar(ctx, eventWish{Range: around(now)}, now.Location())
	if err != nil {
		return err
	}
	var titles []string
	for i, h := range near {
		if i < maxTogether {
			titles = append(titles, h.Passage.Pair)
		}
	}
	titles = append(titles, s.Question.Subject.Title)
	for _, subject := range append(slices.Clone(s.Memory.Subjects), s.Memory.InView...) {
		titles = append(titles, subject.Title)
	}
	days, asked := display.SpanOf(s.Understanding.Times, now)
	for _, e := range found.Events {
		g.Others = append(g.Others, grounding.Item{
			Kind: grounding.Event, Title: display.NoBrackets(e.Title), Place: display.NoBrackets(e.Location),
		})
	}
	given := slices.DeleteFunc(slices.Clone(found.Events), func(e display.Entry) bool {
		when := e.Span(now.Location())
		onDay := asked && when.Start.Before(days.End) && when.End.After(days.Start)
		return !onDay && !slices.Contains(titles, e.Title)
	})
	slices.SortStableFunc(given, func(a, b display.Entry) int { // those ahead first, the nearest of each
		return cmp.Compare(a.Span(now.Location()).Start.Sub(now).Abs(), b.Span(now.Location()).Start.Sub(now).Abs())
	})
	t := eventContext{now: now, lang: s.Language}
	for i, e := range given[:min(len(given), maxGivenEvents)] {
		if e.Status == calendar.Tentative || g.hasEvent(e) {
			continue
		}
		g.giveEvent(t, "near-"+strconv.Itoa(i+1), e)
	}
	return nil
}

// hasEvent reports whether an event is there already, at its time.
func (g *evidence) hasEvent(e display.Entry) bool {
	return slices.ContainsFunc(g.Items, func(i grounding.Item) bool {
		return i.Title == display.NoBrackets(e.Title) && i.Start.Equal(e.Start) && i.FirstDay == e.FirstDay
	})
}

// giveEvent adds an event that the template does not tell, with what became of it.
func (g *evidence) giveEvent(t eventContext, id string, e display.Entry) {
	lines := g.Lines
	g.addEvent(t, id, e, false)
	g.Lines = lines
	kind := ""
	switch {
	case e.Notice != "":
		kind = string(e.Notice)
	case e.Cancelled():
		kind = "cancelled"
	case display.Ended(e.Span(t.now.Location()), t.now):
		kind = "over"
	default:
		return
	}
	status := prompts.ModelStatus{Kind: kind}.In(string(t.lang))
	last := len(g.Items) - 1
	g.Items[last].Text += "\n" + status
	g.Shown[last].Text += " " + status
}

// giveHours adds when the venue is open on the days that the question is about, or today.
func (c *Concierge) giveHours(s State, g *evidence) {
	if len(c.parts.Venue.Hours.Weekly) == 0 {
		return
	}
	now := s.Turn.At.In(c.location(s.Turn))
	first, last := civil.DateOf(now), civil.DateOf(now)
	if days, ok := display.SpanOf(s.Understanding.Times, now); ok {
		first, last = civil.DateOf(days.Start), civil.DateOf(days.End.Add(-1))
	}
	for d, n := first, 0; !d.After(last) && n < maxGivenDays; d, n = d.AddDays(1), n+1 {
		day := c.parts.Venue.Day(d)
		words := prompts.ModelHours{
			Day:    display.WrittenDate(d, display.FullDate, s.Language),
			Reason: day.Reason.In(string(s.Language)),
		}
		if day.Open {
			words.From, words.Until = display.WrittenClock(
				day.From,
				s.Language,
			), display.WrittenClock(
				day.Until,
				s.Language,
			)
		}
		text := words.In(string(s.Language))
		g.Items = append(g.Items, grounding.Item{ID: "hours-" + d.String(), Kind: grounding.Passage, Text: text})
		g.Shown = append(g.Shown, prompts.ModelItem{ID: wording.Label(len(g.Shown)), Text: text})
	}
}
