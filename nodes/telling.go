package nodes

import (
	"strings"
	"time"

	"annai/api"
	"annai/internal/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
	"annai/rag"
	"annai/venue"
)

// A telling is the evidence of an event question and who asks; it is worded by [telling.tell],
// which looks nothing up.
type telling struct {
	venue     *venue.Venue
	wish      eventWish
	lang      nlu.Language
	now       time.Time // in the visitor's location
	spec      bool
	before    topic
	calendar  calendarEvidence
	knowledge knowledgeEvidence
}

// maxSpokenEvents is how many events are spoken one by one.
const maxSpokenEvents = 3

// tell words the evidence, and says what to remember of it.
func (t telling) tell() (draft, topic) {
	if t.wish.Recall {
		return t.recall()
	}
	found := t.atEdge(t.sort())
	next := topic{Node: nodeEvent, Range: t.wish.Range, Wish: t.wish.wanted()}
	d := draft{Range: t.wish.Range.Wire(), Facts: facts{
		Calendar: t.calendar.Status, Knowledge: statusEmpty, Assumed: !t.wish.Range.Explicit, Partial: !t.calendar.Complete,
	}}
	if t.knowledge.Status == statusError {
		d.Facts.Knowledge = statusError
	}
	dated := t.dated()
	switch {
	case len(found.listed) > 0:
		t.tellEvents(&d, &next, found)
		t.addPassages(&d, dated)
	case t.unread():
		t.tellFailure(&d, dated)
	case t.wish.Skip > 0:
		d.Text, d.Facts.Calendar = t.say(prompts.EventsNoMore{}), statusEmpty
		next = t.before
	case found.over > 0:
		d.Text = t.say(prompts.EventsPast{Range: t.rangeWords()})
		d.Facts.Nothing = len(dated) == 0
		t.addPassages(&d, dated)
	case len(dated) > 0:
		d.Facts.Calendar = statusEmpty
		t.addPassages(&d, dated)
	default:
		d.Facts.Calendar = statusEmpty
		d.Facts.Nothing = true
		d.Text = t.say(prompts.EventsNone{Range: t.rangeWords(), Venue: t.venue.Name.In(string(t.lang))})
	}
	t.addNotes(&d, found)
	if d.Suggestions == nil {
		d.Suggestions = t.suggest(next)
	}
	return d, next
}

// say words a prompt in the language of the answer.
func (t telling) say(p prompts.Prompt) string { return p.In(string(t.lang)) }

func (t telling) rangeWords() string { return t.onDays(t.wish.Range.Words(t.now, t.lang)) }

// onDays adds the days of the week and the part of the day that are wished for to words for the range.
func (t telling) onDays(words string) string { return t.part().Add(words, t.now, t.lang) }

// part is what is wished for of the range.
func (t telling) part() display.Part {
	return display.Part{Range: t.wish.Range, Weekdays: t.wish.Weekdays, Hours: t.wish.Hours}
}

// unread reports whether the calendar can't be taken at its word that there is nothing.
func (t telling) unread() bool { return t.calendar.Status == statusError || !t.calendar.Complete }

// tellEvents lists events, or answers the one detail of the only one that was asked for.
func (t telling) tellEvents(d *draft, next *topic, found sorted) {
	skip := min(t.wish.Skip, len(found.listed))
	items := found.listed[skip:min(len(found.listed), skip+maxItems)]
	if len(items) == 0 {
		d.Text, d.Facts.Calendar = t.say(prompts.EventsNoMore{}), statusEmpty
		*next = t.before
		return
	}
	if t.wish.Next && skip == 0 || found.named && !t.wish.Often && !items[0].Cancelled() {
		items = items[:1]
	}
	next.Items, next.Offset, next.Total = items, skip, len(found.listed)
	if len(items) == 1 {
		next.Focus = 1
	}
	d.Facts.Calendar, d.Facts.Events = statusOK, len(items)
	d.Facts.Changed = t.count(items) < len(items)
	d.Cards = t.cards(items)
	asked := !found.less && (t.wish.Field != nlu.FieldNone && len(items) == 1 || t.wish.Field == nlu.FieldPrice || t.wish.Field == nlu.FieldSignUp)
	if (asked && !t.wish.Often || t.wish.StillOn || found.named && len(items) == 1) && !found.other {
		t.tellField(d, items)
		return
	}
	t.list(d, found, items, len(found.listed)-skip-len(items))
}

// tellFailure says that the calendar could not be read, with what knowledge has.
func (t telling) tellFailure(d *draft, dated []rag.Hit) {
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
func (t telling) addPassages(d *draft, hits []rag.Hit) {
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
func (t telling) quote(d *draft, hits []rag.Hit) {
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	for _, h := range hits {
		text := display.Sentences(h.Passage.Text)
		text = text[:min(len(text), maxSpoken)]
		d.Text = display.JoinParts(d.Text, t.say(prompts.EventsKnowledgeItem{Title: h.Passage.Title, Text: display.JoinSentences(text, t.lang)}))
		d.Spoken = append(d.Spoken, text[:min(len(text), 1)]...)
		d.Passages = append(d.Passages, passage(h))
		d.Cards = append(d.Cards, passageCard(h))
	}
	d.Facts.Knowledge = statusOK
}

// dated are the passages that count as evidence of an event: about events, with a date, not past,
// and in the range asked for.
func (t telling) dated() []rag.Hit {
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
func (t telling) addNotes(d *draft, found sorted) {
	var notes []string
	add := func(p prompts.Prompt) { notes = append(notes, t.say(p)) }
	if d.Facts.Partial {
		add(prompts.NotePartial{})
	}
	if d.Facts.Knowledge == statusError && d.Facts.Calendar != statusError {
		add(prompts.NoteKnowledge{})
	}
	answered := t.wish.Field != nlu.FieldNone && len(found.listed) == 1
	if d.Facts.Assumed && t.wish.Skip == 0 && !found.later && !(found.other && len(found.listed) > 0 && t.wish.Words != "" && t.wish.Ahead) && !t.wish.Next && !answered {
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
func (t telling) otherZone() bool {
	_, here := t.now.Zone()
	_, there := t.now.In(t.venue.Location).Zone()
	return here != there
}

func passage(h rag.Hit) api.Passage {
	p := h.Passage
	return api.Passage{ID: p.ID, Title: p.Title, Source: p.Source, Language: p.Lang, Score: h.Score, UpdatedAt: p.UpdatedAt.String()}
}

func passageCard(h rag.Hit) api.Card {
	return api.Card{Type: "passage", Title: h.Passage.Title, Description: h.Passage.Text, URL: display.WebAddress(h.Passage.Source)}
}
