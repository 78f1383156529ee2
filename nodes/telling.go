package nodes

import (
	"strings"
	"time"

	"annai/api"
	"annai/internal/civil"
	"annai/nlu"
	"annai/prompts"
	"annai/rag"
	"annai/tools/calendar"
	"annai/venue"
)

// A telling is the evidence of an event question and who asks; it is worded by [telling.tell], which looks nothing up.
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
	found := t.sort()
	next := topic{Node: nodeEvent, Range: t.wish.Range, Words: t.wish.Words, Keywords: t.wish.Keywords}
	d := draft{Range: t.wish.Range.wire(), Facts: facts{
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
		t.addPassages(&d, dated)
	case len(dated) > 0:
		d.Facts.Calendar = statusEmpty
		t.addPassages(&d, dated)
	default:
		d.Facts.Calendar = statusEmpty
		d.Facts.Nothing = true
		d.Text = t.say(prompts.EventsNone{Range: t.rangeWords(), Venue: t.venue.Name.In(string(t.lang))})
	}
	t.addNotes(&d)
	if d.Suggestions == nil {
		d.Suggestions = t.suggest(next)
	}
	return d, next
}

// say words a prompt in the language of the answer.
func (t telling) say(p prompts.Prompt) string { return p.In(string(t.lang)) }

func (t telling) rangeWords() string { return t.wish.Range.words(t.now, t.lang) }

// unread reports whether the calendar can't be taken at its word that there is nothing.
func (t telling) unread() bool { return t.calendar.Status == statusError || !t.calendar.Complete }

// sorted is what the calendar has for the question.
type sorted struct {
	listed []calendar.Event
	// over counts events that would be listed but are over.
	over int
	// other says that none fits the words and listed are the others, later that they are beyond the range.
	other, later bool
}

// sort picks the events to tell: in the range, not over unless the past was asked for, fitting the words.
func (t telling) sort() sorted {
	var inRange, later []calendar.Event
	over := 0
	window := t.wish.Range.timeRange()
	past := t.wish.PastAsked || t.wish.Range.Past || !t.now.Before(window.End)
	for _, e := range t.calendar.Events {
		when := e.Span(t.now.Location())
		switch {
		case !when.Overlaps(window):
			if t.wish.Ahead && when.Start.After(t.now) && e.Status != calendar.Cancelled {
				later = append(later, e)
			}
		case !past && ended(when, t.now):
			if t.fits(e) && e.Status != calendar.Cancelled {
				over++
			}
		default:
			inRange = append(inRange, e)
		}
	}
	fitting := t.fitting(inRange)
	switch {
	case len(fitting) > 0:
		return sorted{listed: fitting}
	case len(t.fitting(later)) > 0:
		later = t.fitting(later)
		return sorted{listed: later[:min(len(later), maxSpokenEvents)], later: true}
	case over > 0:
		return sorted{over: over}
	}
	return sorted{listed: inRange, other: true}
}

// ended reports whether a range is over. One without length is over once it has come.
func ended(when civil.TimeRange, now time.Time) bool { return !when.End.After(now) }

func (t telling) fitting(events []calendar.Event) []calendar.Event {
	if len(t.wish.Keywords) == 0 {
		return events
	}
	var out []calendar.Event
	for _, e := range events {
		if t.fits(e) {
			out = append(out, e)
		}
	}
	return out
}

// fits reports whether all words that were asked for occur in the event.
func (t telling) fits(e calendar.Event) bool {
	if len(t.wish.Keywords) == 0 {
		return true
	}
	in := strings.ToLower(e.Title + " " + e.Description + " " + e.Location)
	for _, word := range t.wish.Keywords {
		if !strings.Contains(in, word) {
			return false
		}
	}
	return true
}

// tellEvents lists events, or answers the one detail of the only one that was asked for.
func (t telling) tellEvents(d *draft, next *topic, found sorted) {
	skip := min(t.wish.Skip, len(found.listed))
	items := found.listed[skip:min(len(found.listed), skip+maxItems)]
	if len(items) == 0 {
		d.Text, d.Facts.Calendar = t.say(prompts.EventsNoMore{}), statusEmpty
		*next = t.before
		return
	}
	next.Items, next.Offset, next.Total = items, skip, len(found.listed)
	if len(items) == 1 {
		next.Focus = 1
	}
	d.Facts.Calendar, d.Facts.Events = statusOK, len(items)
	d.Facts.Changed = t.count(items) < len(items)
	d.Cards = t.cards(items)
	if t.wish.Field != nlu.FieldNone && !found.other && len(items) == 1 {
		t.tellField(d, items)
		return
	}
	t.list(d, found, items, len(found.listed)-skip-len(items))
}

// list is the written and the spoken list of events; rest are not in it.
func (t telling) list(d *draft, found sorted, items []calendar.Event, rest int) {
	parts := []string{t.intro(found, items)}
	for _, e := range items {
		parts = append(parts, t.item(e, false))
	}
	if rest > 0 {
		parts = append(parts, t.say(prompts.EventsMore{Count: rest}))
	}
	d.Text = strings.Join(parts, "\n\n")
	d.Spoken = t.spokenList(found, items, rest)
}

func (t telling) intro(found sorted, items []calendar.Event) string {
	words := t.rangeWords()
	switch {
	case found.later:
		return t.say(prompts.EventsNext{Range: words, Wanted: noBrackets(t.wish.Words)})
	case found.other && t.wish.Words != "":
		return t.say(prompts.EventsOther{Range: words, Wanted: noBrackets(t.wish.Words)})
	case t.allOver(items):
		return t.say(prompts.EventsWere{Range: words})
	}
	return t.say(prompts.EventsIntro{Range: words})
}

func (t telling) allOver(items []calendar.Event) bool {
	for _, e := range items {
		if !ended(e.Span(t.now.Location()), t.now) {
			return false
		}
	}
	return true
}

// count counts the events that take place.
func (t telling) count(items []calendar.Event) int {
	n := 0
	for _, e := range items {
		if e.Status != calendar.Cancelled {
			n++
		}
	}
	return n
}

// item is one event of the written list; full adds place and link.
func (t telling) item(e calendar.Event, full bool) string {
	title := noBrackets(t.title(e))
	if t.spec {
		start, end := specTimes(e, t.now.Location(), t.lang)
		return t.say(prompts.EventsItemSpec{Title: title, Start: start, End: end, Description: noBrackets(e.Description)})
	}
	p := prompts.EventsItem{
		Title: title, When: writtenWhen(e, t.now.Location(), t.lang), Description: noBrackets(e.Description),
		Cancelled: e.Status == calendar.Cancelled, Tentative: e.Status == calendar.Tentative, Ongoing: t.ongoing(e),
	}
	if full {
		p.Place, p.Link = noBrackets(e.Location), e.URL
	}
	return t.say(p)
}

// title is the event's title; one without is not left blank.
func (t telling) title(e calendar.Event) string {
	if e.Title == "" {
		return inLang(t.lang, "（無題）", "(untitled)")
	}
	return e.Title
}

// ongoing reports whether the event is on now. An all-day event of today alone is not said to be.
func (t telling) ongoing(e calendar.Event) bool {
	if e.Status == calendar.Cancelled || e.AllDay && lastDay(e) == e.FirstDay {
		return false
	}
	return e.Span(t.now.Location()).Contains(t.now)
}

func (t telling) spokenList(found sorted, items []calendar.Event, rest int) []string {
	out := []string{t.intro(found, items)}
	if !found.later && !(found.other && t.wish.Words != "") {
		out[0] = t.say(prompts.EventsSpoken{Range: t.wish.Range.adverb(t.now, t.lang), Count: t.count(items) + rest, Past: t.allOver(items)})
	}
	told := min(len(items), maxSpokenEvents)
	for _, e := range items[:told] {
		out = append(out, t.say(t.spokenItem(e)))
	}
	if rest += len(items) - told; rest > 0 {
		out = append(out, t.say(prompts.EventsMore{Count: rest}))
	}
	return out
}

func (t telling) spokenItem(e calendar.Event) prompts.EventSpoken {
	when := e.Span(t.now.Location())
	p := prompts.EventSpoken{
		Title: noBrackets(t.title(e)), Cancelled: e.Status == calendar.Cancelled, Ongoing: t.ongoing(e), Past: ended(when, t.now),
	}
	if oneDay := t.wish.Range.oneDay(); civil.DateOf(when.Start) != oneDay || e.AllDay {
		p.Day = spokenDay(civil.DateOf(when.Start), civil.DateOf(t.now), t.lang)
		p.When = spokenWhen(e, t.now, oneDay, t.lang)
	} else {
		p.When = spokenWhen(e, t.now, oneDay, t.lang)
	}
	if p.Ongoing && !e.AllDay && !e.EndInferred && civil.DateOf(when.End) == civil.DateOf(t.now) {
		p.Until = inLang(t.lang, clockJapanese(when.End.Hour(), when.End.Minute()), clockEnglish(when.End.Hour(), when.End.Minute()))
	}
	return p
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
		d.Spoken = sentences(d.Text)
	}
	if d.Spoken != nil {
		d.Spoken = append(d.Spoken, intro)
	}
	d.Text = joinParts(d.Text, intro)
	t.quote(d, hits)
}

// quote adds passages to what is written and spoken.
func (t telling) quote(d *draft, hits []rag.Hit) {
	if d.Spoken == nil {
		d.Spoken = sentences(d.Text)
	}
	for _, h := range hits {
		text := sentences(h.Passage.Text)
		text = text[:min(len(text), maxSpoken)]
		d.Text = joinParts(d.Text, t.say(prompts.EventsKnowledgeItem{Title: h.Passage.Title, Text: joinSentences(text, t.lang)}))
		d.Spoken = append(d.Spoken, text[:min(len(text), 1)]...)
		d.Passages = append(d.Passages, passage(h))
		d.Cards = append(d.Cards, passageCard(h))
	}
	d.Facts.Knowledge = statusOK
}

// dated are the passages that count as evidence of an event: about events, with a date, not past, and in the range asked for.
func (t telling) dated() []rag.Hit {
	today := civil.DateOf(t.now)
	first, last := civil.DateOf(t.wish.Range.Start), t.wish.Range.lastDate()
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
func (t telling) addNotes(d *draft) {
	var notes []string
	add := func(p prompts.Prompt) { notes = append(notes, t.say(p)) }
	if d.Facts.Partial {
		add(prompts.NotePartial{})
	}
	if d.Facts.Knowledge == statusError && d.Facts.Calendar != statusError {
		add(prompts.NoteKnowledge{})
	}
	if d.Facts.Assumed && t.wish.Skip == 0 {
		add(prompts.NoteAssumed{Range: t.rangeWords()})
	}
	if d.Facts.Events > 0 && t.otherZone() {
		add(prompts.NoteZone{Zone: oneLine(t.now.Location().String(), maxTitle)})
	}
	if len(notes) == 0 {
		return
	}
	if d.Spoken == nil {
		d.Spoken = sentences(d.Text)
	}
	d.Spoken = append(d.Spoken, notes...)
	d.Text = joinParts(d.Text, strings.Join(notes, "\n"))
}

// otherZone reports whether clocks where the visitor is show another time than at the venue.
func (t telling) otherZone() bool {
	_, here := t.now.Zone()
	_, there := t.now.In(t.venue.Location).Zone()
	return here != there
}

// cards are the events as they are shown, their titles as they are.
func (t telling) cards(items []calendar.Event) []api.Card {
	out := make([]api.Card, 0, len(items))
	for _, e := range items {
		card := api.Card{
			Type: "event", Title: t.title(e), AllDay: e.AllDay, Location: e.Location, Description: e.Description, URL: e.URL,
			When: writtenWhen(e, t.now.Location(), t.lang),
		}
		if e.Status == calendar.Cancelled || e.Status == calendar.Tentative {
			card.Status = string(e.Status)
		}
		if e.AllDay {
			card.Start, card.End = e.FirstDay.String(), lastDay(e).String()
		} else {
			card.Start = e.Start.In(t.now.Location()).Format(time.RFC3339)
			card.End = e.End.In(t.now.Location()).Format(time.RFC3339)
		}
		out = append(out, card)
	}
	return out
}

func passage(h rag.Hit) api.Passage {
	p := h.Passage
	return api.Passage{ID: p.ID, Title: p.Title, Source: p.Source, Language: p.Lang, Score: h.Score, UpdatedAt: p.UpdatedAt.String()}
}

func passageCard(h rag.Hit) api.Card {
	return api.Card{Type: "passage", Title: h.Passage.Title, Description: h.Passage.Text, URL: webAddress(h.Passage.Source)}
}

// joinParts puts a blank line between two parts of a text.
func joinParts(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n\n" + b
}

// joinSentences makes a running text of sentences.
func joinSentences(list []string, lang nlu.Language) string {
	return strings.Join(list, inLang(lang, "", " "))
}
