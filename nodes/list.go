package nodes

import (
	"strings"
	"time"

	"annai/api"
	"annai/internal/civil"
	"annai/prompts"
	"annai/tools/calendar"
)

// list is the written and the spoken list of events; rest are not in it.
func (t telling) list(d *draft, found sorted, items []entry, rest int) {
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

func (t telling) intro(found sorted, items []entry) string {
	words := t.rangeWords()
	switch {
	case t.wish.Skip > 0:
		return t.say(prompts.EventsAlso{})
	case t.wish.Edge != 0 && !found.other && t.count(items) > 0:
		return t.say(prompts.EventsEdge{Range: words, Last: t.wish.Edge < 0, Past: t.allOver(items)})
	case t.count(items) == 0:
		return t.say(prompts.EventsCancelled{Range: words})
	case t.wish.Regular > 0 && !found.other:
		return t.say(prompts.EventsRegular{})
	case t.wish.Next && !found.other:
		return t.say(prompts.EventsNextOne{})
	case found.less:
		return t.say(prompts.EventsLess{})
	case found.later && t.wish.Words != "" && !t.wish.Range.Explicit:
		return t.say(prompts.EventsNamed{Wanted: noBrackets(t.wish.Words)})
	case found.later:
		return t.say(prompts.EventsNext{Range: words, Wanted: noBrackets(t.wish.Words)})
	case found.other && t.wish.Words != "":
		return t.say(prompts.EventsOther{Range: words, Wanted: noBrackets(t.wish.Words), Ahead: t.wish.Ahead && !t.wish.Range.Explicit})
	case t.allOver(items):
		return t.say(prompts.EventsWere{Range: words})
	}
	return t.say(prompts.EventsIntro{Range: words})
}

func (t telling) allOver(items []entry) bool {
	for _, e := range items {
		if !ended(e.span(t.now.Location()), t.now) {
			return false
		}
	}
	return true
}

// count counts the events that take place.
func (t telling) count(items []entry) int {
	n := 0
	for _, e := range items {
		if !e.cancelled() {
			n++
		}
	}
	return n
}

// item is one event of the written list; full adds place and link.
func (t telling) item(e entry, full bool) string {
	e = e.in(t.lang)
	title := noBrackets(t.title(e))
	if t.spec {
		start, end := specTimes(e, t.now.Location(), t.lang)
		return t.say(prompts.EventsItemSpec{Title: title, Start: start, End: end, Description: noBrackets(e.Description)})
	}
	p := prompts.EventsItem{
		Title: title, When: writtenWhen(e, t.now.Location(), t.lang), Description: noBrackets(e.Description),
		Cancelled: e.cancelled(), Tentative: e.Status == calendar.Tentative, Ongoing: t.ongoing(e),
	}
	if full {
		p.Place, p.Link = noBrackets(e.Location), e.URL
	}
	return t.say(p)
}

// title is the event's title in the language of the answer; one without is not left blank.
func (t telling) title(e entry) string {
	if e.Title == "" {
		return inLang(t.lang, "（無題）", "(untitled)")
	}
	return titleHalf(e.Title, t.lang)
}

// spokenTitle is the title as it is said.
func (t telling) spokenTitle(e entry) string { return noBrackets(spokenTitle(t.title(e), t.lang)) }

// ongoing reports whether the event is on now, where now is asked about. An all-day event of today alone is not said to be.
func (t telling) ongoing(e entry) bool {
	if e.cancelled() || e.AllDay && e.lastDay() == e.FirstDay || !t.wish.Recall && !t.wish.Range.timeRange().Contains(t.now) {
		return false
	}
	return e.span(t.now.Location()).Contains(t.now)
}

func (t telling) spokenList(found sorted, items []entry, rest int) []string {
	out := []string{t.intro(found, items)}
	switch {
	case t.wish.Skip > 0:
		out[0] = t.say(prompts.EventsMore{Count: len(items) + rest})
	case t.wish.Edge != 0 && !found.other:
	case !found.later && !t.wish.Next && !(found.other && t.wish.Words != "") && t.count(items) > 0:
		out[0] = t.say(prompts.EventsSpoken{Range: t.onDays(t.wish.Range.adverb(t.now, t.lang)), Count: t.count(items) + rest, Past: t.allOver(items)})
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

func (t telling) spokenItem(e entry) prompts.EventSpoken {
	when := e.span(t.now.Location())
	p := prompts.EventSpoken{
		Title: t.spokenTitle(e), Cancelled: e.cancelled(), Ongoing: t.ongoing(e), Past: ended(when, t.now),
	}
	first, today, oneDay := civil.DateOf(when.Start), civil.DateOf(t.now), t.wish.Range.oneDay()
	p.When = spokenWhen(e, t.now, oneDay, t.lang)
	if first != oneDay {
		p.Day = spokenDay(first, today, t.lang)
	}
	if p.Ongoing && !e.AllDay && !e.EndInferred {
		if day, clock := writtenEnd(when.End, today, t.lang); day == today {
			p.Until = clock
		}
	}
	return p
}

// cards are the events as they are shown.
func (t telling) cards(items []entry) []api.Card {
	out := make([]api.Card, 0, len(items))
	for _, e := range items {
		e = e.in(t.lang)
		card := api.Card{
			Type: "event", Title: t.title(e), AllDay: e.AllDay, Location: e.Location, Description: e.Description, URL: e.URL,
			When: writtenWhen(e, t.now.Location(), t.lang),
		}
		if e.cancelled() || e.Status == calendar.Tentative {
			card.Status = string(e.Status)
		}
		if e.AllDay {
			card.Start, card.End = e.FirstDay.String(), e.lastDay().String()
		} else {
			card.Start = e.Start.In(t.now.Location()).Format(time.RFC3339)
			card.End = e.End.In(t.now.Location()).Format(time.RFC3339)
		}
		out = append(out, card)
	}
	return out
}
