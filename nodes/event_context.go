package nodes

import (
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/prompts"
	"annai/rag"
	"annai/venue"
)

// An eventContext is the evidence of an event question and who asks.
type eventContext struct {
	venue     *venue.Venue
	wish      eventWish
	lang      nlu.Language
	now       time.Time // in the visitor's location
	spec      bool
	calendar  calendarEvidence
	knowledge knowledgeEvidence
	// rhythms are how events recur, by their titles, where those that do are asked for; else nil.
	rhythms map[string]prompts.AnswerSeries
}

// maxSpokenEvents is how many events are spoken one by one.
const maxSpokenEvents = 3

// say words a prompt in the language of the answer.
func (t eventContext) say(p prompts.Prompt) string { return p.In(string(t.lang)) }

func (t eventContext) rangeWords() string { return t.onDays(t.wish.Range.Words(t.now, t.lang)) }

// onDays adds the days of the week and the part of the day that are wished for to words for the range.
func (t eventContext) onDays(words string) string { return t.part().Add(words, t.now, t.lang) }

// part is what is wished for of the range.
func (t eventContext) part() display.Part {
	return display.Part{Range: t.wish.Range, Weekdays: t.wish.Weekdays, Hours: t.wish.Hours}
}

// unread reports whether the calendar can't be taken at its word that there is nothing.
func (t eventContext) unread() bool { return t.calendar.Status == statusError || !t.calendar.Complete }

// tellFailure says that the calendar could not be read, with what knowledge has.
func (t eventContext) tellFailure(d *draft, dated []rag.Hit) {
	d.Facts.Calendar, d.Facts.Partial = statusError, false
	if t.knowledge.Status == statusError {
		d.Text = t.say(prompts.SourcesFailed{Range: t.rangeWords()})
		d.Facts.Nothing = true
		return
	}
	hits := dated
	if len(hits) == 0 {
		hits = t.knowledge.Hits[:min(len(t.knowledge.Hits), 2)]
	}
	d.Text = t.say(prompts.CalendarFailed{Range: t.rangeWords(), Found: len(hits) > 0})
	d.Facts.Nothing = len(hits) == 0
	if len(hits) > 0 {
		t.quote(d, hits)
	}
}

// addPassages adds what knowledge says of events that are still to come.
func (t eventContext) addPassages(d *draft, hits []rag.Hit) {
	if len(hits) == 0 {
		return
	}
	intro := t.say(prompts.EventsKnowledge{})
	if d.Spoken == nil && d.Text != "" {
		d.Spoken = display.Sentences(d.Text)
	}
	if d.Spoken != nil {
		d.Spoken = append(d.Spoken, intro)
	}
	d.Text = display.JoinParts(d.Text, intro)
	t.quote(d, hits)
}

// quote adds passages to what is written and spoken.
func (t eventContext) quote(d *draft, hits []rag.Hit) {
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	for _, h := range hits {
		text := display.Sentences(h.Passage.Text)
		text = text[:min(len(text), maxSpoken)]
		item := prompts.EventsKnowledgeItem{Title: h.Passage.Title, Text: display.JoinSentences(text, t.lang)}
		d.Text = display.JoinParts(d.Text, t.say(item))
		d.Spoken = append(d.Spoken, text[:min(len(text), 1)]...)
		d.Passages = append(d.Passages, passage(h))
		d.Cards = append(d.Cards, passageCard(h))
	}
	d.Facts.Knowledge = statusOK
}

// dated are the passages that count as evidence of an event: about events, with a date, not past,
// and in the range asked for.
func (t eventContext) dated() []rag.Hit {
	today := civil.DateOf(t.now)
	first, last := civil.DateOf(t.wish.Range.Start), t.wish.Range.LastDate()
	var out []rag.Hit
	for _, h := range t.knowledge.Hits {
		from, until := h.Passage.ValidFrom, h.Passage.ValidUntil
		switch {
		case from.IsZero() && until.IsZero():
		case !until.IsZero() && (until.Before(today) || until.Before(first)):
		case !from.IsZero() && from.After(last):
		default:
			out = append(out, h)
		}
	}
	return out[:min(len(out), 2)]
}

// addNotes says what was assumed and what could not be read.
func (t eventContext) addNotes(d *draft) {
	var notes []string
	add := func(p prompts.Prompt) { notes = append(notes, t.say(p)) }
	if d.Facts.Partial {
		add(prompts.NotePartial{})
	}
	if d.Facts.Knowledge == statusError && d.Facts.Calendar != statusError {
		add(prompts.NoteKnowledge{})
	}
	if d.Facts.Assumed && t.wish.Skip == 0 && !t.wish.Next {
		add(prompts.NoteAssumed{Range: t.rangeWords()})
	}
	if d.Facts.Events > 0 && t.otherZone() {
		add(prompts.NoteZone{Zone: text.OneLine(t.now.Location().String(), display.MaxTitle)})
	}
	if len(notes) == 0 {
		return
	}
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	d.Notes = notes
	d.Spoken = append(d.Spoken, notes...)
	d.Text = display.JoinParts(d.Text, strings.Join(notes, "\n"))
}

// otherZone reports whether clocks where the visitor is show another time than at the venue.
func (t eventContext) otherZone() bool {
	_, here := t.now.Zone()
	_, there := t.now.In(t.venue.Location).Zone()
	return here != there
}

func passage(h rag.Hit) display.Passage {
	p := h.Passage
	return display.Passage{
		ID: p.ID, Title: p.Title, Source: p.Source, Language: p.Lang, Score: h.Score, UpdatedAt: p.UpdatedAt.String(),
	}
}

func passageCard(h rag.Hit) display.Card {
	p := h.Passage
	return display.Card{Type: "passage", Title: p.Title, Description: p.Text, URL: display.WebAddress(p.Source)}
}

// suggest proposes what to ask next about events.
func (t eventContext) suggest(next topic) []string {
	var kinds []string
	switch {
	case next.Offset+len(next.Items) < next.Total:
		kinds = append(kinds, "more")
	case len(next.Items) > 1 && next.Focus == 0:
		kinds = append(kinds, "first")
	case len(next.Items) == 2:
		kinds = append(kinds, "other")
	}
	switch next.Range.Name {
	case datetime.Today:
		kinds = append(kinds, "tomorrow")
	case datetime.ThisWeek, datetime.Weekend, datetime.Tomorrow, datetime.DayAfterTomorrow:
		kinds = append(kinds, "next_week")
	case datetime.ThisMonth, datetime.NextWeek, datetime.NextWeekend:
		kinds = append(kinds, "next_month")
	case datetime.NextMonth, datetime.Date, datetime.Range:
		kinds = append(kinds, "this_week")
	}
	if len(next.Items) > 0 {
		kinds = append(kinds, "place")
	}
	return display.Suggestions(t.lang, kinds...)
}
