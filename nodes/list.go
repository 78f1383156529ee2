package nodes

import (
	"slices"
	"strings"

	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
)

// list is the written and the spoken list of events; rest are not in it.
func (t eventContext) list(d *draft, items []display.Entry, rest int) {
	parts := []string{t.intro(items)}
	for _, e := range items {
		parts = append(parts, t.item(e))
	}
	if rest > 0 {
		parts = append(parts, t.say(prompts.EventsMore{Count: rest}))
	}
	d.Text = strings.Join(parts, "\n\n")
	d.Spoken = t.spokenList(items, rest)
}

func (t eventContext) intro(items []display.Entry) string {
	words := t.rangeWords()
	switch {
	case t.wish.Skip > 0:
		return t.say(prompts.EventsAlso{})
	case t.count(items) == 0:
		return t.say(prompts.EventsCancelled{Range: words})
	case t.wish.Next:
		return t.say(prompts.EventsNextOne{})
	case t.wish.Edge != 0:
		return t.say(prompts.EventsEdge{Range: words, Last: t.wish.Edge < 0, Past: t.allOver(items)})
	case t.behind(items):
		return t.say(prompts.EventsNext{Range: words})
	case t.allOver(items):
		return t.say(prompts.EventsWere{Range: words})
	}
	return t.say(prompts.EventsIntro{Range: words})
}

// behind reports whether events are all behind the range that was assumed.
func (t eventContext) behind(items []display.Entry) bool {
	end := t.wish.Range.TimeRange().End
	return !t.wish.Range.Explicit && len(items) > 0 && !items[0].Span(t.now.Location()).Start.Before(end)
}

func (t eventContext) allOver(items []display.Entry) bool {
	for _, e := range items {
		if !display.Ended(e.Span(t.now.Location()), t.now) {
			return false
		}
	}
	return true
}

// count counts the events that take place.
func (t eventContext) count(items []display.Entry) int {
	n := 0
	for _, e := range items {
		if !e.Cancelled() {
			n++
		}
	}
	return n
}

// item is one event of the written list.
func (t eventContext) item(e display.Entry) string {
	rhythm := t.rhythm(e)
	e = e.In(t.lang)
	description := display.JoinSentences(slices.DeleteFunc(
		[]string{rhythm, display.NoBrackets(e.Description)},
		func(s string) bool { return s == "" },
	), t.lang)
	title := display.NoBrackets(t.title(e))
	if t.spec {
		start, end := display.SpecTimes(e, t.now.Location(), t.lang)
		return t.say(
			prompts.EventsItemSpec{
				Title:       title,
				Start:       start,
				End:         end,
				Description: description,
			},
		)
	}
	p := prompts.EventsItem{
		Title: title, When: display.WrittenWhen(e, t.now.Location(), t.lang), Description: description,
		Cancelled: e.Cancelled(), Tentative: e.Status == calendar.Tentative, Ongoing: t.ongoing(e),
		Notice: display.NoticeOf(e, t.lang),
	}
	return t.say(p)
}

// rhythm says how an event recurs, where that is asked.
func (t eventContext) rhythm(e display.Entry) string {
	p, ok := t.rhythms[e.Title]
	if !ok {
		return ""
	}
	return display.Phrase(t.lang, "takes_place", t.say(p))
}

// ongoing reports whether the event is on now, where now is asked about. An all-day event of today
// alone is not said to be.
func (t eventContext) ongoing(e display.Entry) bool {
	if e.Cancelled() || e.AllDay && e.LastDay() == e.FirstDay || !t.wish.Range.TimeRange().Contains(t.now) {
		return false
	}
	return e.Span(t.now.Location()).Contains(t.now)
}

func (t eventContext) spokenList(items []display.Entry, rest int) []string {
	out := []string{t.intro(items)}
	switch {
	case t.wish.Skip > 0:
		out[0] = t.say(prompts.EventsMore{Count: len(items) + rest})
	case t.wish.Next, t.wish.Edge != 0, t.behind(items), t.count(items) == 0:
	default:
		out[0] = t.say(
			prompts.EventsSpoken{
				Range: t.onDays(t.wish.Range.Adverb(t.now, t.lang)),
				Count: t.count(items) + rest,
				Past:  t.allOver(items),
			},
		)
	}
	told := min(len(items), maxSpokenEvents)
	for _, e := range items[:told] {
		said := []string{t.say(t.spokenItem(e))}
		if rhythm := t.rhythm(e); rhythm != "" {
			said = append(said, rhythm)
		}
		out = append(out, display.JoinSentences(said, t.lang))
	}
	if rest += len(items) - told; rest > 0 {
		out = append(out, t.say(prompts.EventsMore{Count: rest}))
	}
	return out
}

// title is the event's title in the language of the answer; one without is not left blank.
func (t eventContext) title(e display.Entry) string { return display.Title(e, t.lang) }

// spokenTitle is the title as it is said.
func (t eventContext) spokenTitle(e display.Entry) string {
	return display.NoBrackets(display.SpokenTitle(t.title(e), t.lang))
}

func (t eventContext) spokenItem(e display.Entry) prompts.EventSpoken {
	return display.Spoken(e, t.now, t.wish.Range.OneDay(), t.ongoing(e), t.lang)
}

// cards are the events as they are shown.
func (t eventContext) cards(items []display.Entry) []display.Card {
	return display.Cards(items, t.now.Location(), t.lang)
}
