package nodes

import (
	"slices"
	"strings"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/prompts"
	"annai/tools/calendar"
)

// recall answers about events that were told before, without looking anything up.
func (t telling) recall() (draft, topic) {
	next := t.before
	d := draft{Range: next.Range.in(t.now.Location()).wire(), Facts: facts{Calendar: statusOK}}
	if t.wish.Item < 0 || t.wish.Item > len(next.Items) {
		d.Text = t.say(prompts.EventNoItem{Count: next.Total})
		d.Facts.Asking = true
		d.Suggestions = t.suggest(next)
		return d, next
	}
	items := next.Items
	if t.wish.Item > 0 {
		items, next.Focus = items[t.wish.Item-1:t.wish.Item], t.wish.Item
	}
	d.Facts.Events, d.Facts.Changed = len(items), t.count(items) < len(items)
	d.Cards = t.cards(items)
	t.tellField(&d, items)
	d.Suggestions = t.suggest(next)
	return d, next
}

// tellField answers one detail of each of the events, or all that is known of them.
func (t telling) tellField(d *draft, items []entry) {
	if t.wish.StillOn {
		var lines []string
		for _, e := range items {
			lines = append(lines, t.say(prompts.EventStatus{
				Title: t.spokenTitle(e), When: writtenWhen(e, t.now.Location(), t.lang), Cancelled: e.cancelled(), Tentative: e.Status == calendar.Tentative,
				Past: ended(e.span(t.now.Location()), t.now),
			}))
		}
		d.Text = strings.Join(lines, "\n")
		return
	}
	if t.wish.Field == nlu.FieldNone || t.wish.Field == nlu.FieldDescription {
		for _, e := range items {
			d.Text = joinParts(d.Text, t.say(prompts.EventDetail{Title: noBrackets(t.title(e))})+"\n\n"+t.item(e, true))
			d.Spoken = append(d.Spoken, sentences(t.say(t.detail(e)))...)
		}
		return
	}
	lines := make([]string, 0, len(items))
	known := false
	for _, e := range items {
		p, ok := t.field(e)
		known = known || ok
		if line := t.say(p); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if !known { // nothing to be glad about, and not worth saying of each
		d.Facts.Events = 0
		each := "ご案内したイベント"
		if !t.wish.Recall {
			each = t.rangeWords() + "の各イベント"
		}
		p, _ := t.field(entry{Title: inLang(t.lang, each, "each event")})
		if len(items) > 1 {
			lines = []string{t.say(p)}
		}
	}
	d.Text = strings.Join(lines, "\n")
}

func (t telling) detail(e entry) prompts.EventDetailSpoken {
	e = e.in(t.lang)
	description := sentences(noBrackets(e.Description))
	return prompts.EventDetailSpoken{
		Title: t.spokenTitle(e), When: writtenWhen(e, t.now.Location(), t.lang), Place: noBrackets(e.Location),
		Description: joinSentences(description[:min(len(description), 2)], t.lang), Cancelled: e.cancelled(),
	}
}

// field words the detail that was asked for; ok is false where the calendar does not have it.
func (t telling) field(e entry) (p prompts.Prompt, ok bool) {
	e = e.in(t.lang)
	title := t.spokenTitle(e)
	switch t.wish.Field {
	case nlu.FieldTime:
		return prompts.EventTime{Title: title, When: writtenWhen(e, t.now.Location(), t.lang), Cancelled: e.cancelled()}, true
	case nlu.FieldPrice:
		text := mentioning(e.Description, "円", "無料", "有料", "参加費", "料金", "yen", "free", "fee", "price", "¥")
		return prompts.EventPrice{Title: title, Text: text}, text != ""
	case nlu.FieldSignUp:
		text := mentioning(e.Description, "申し込", "申込", "予約", "登録", "sign up", "register", "rsvp")
		return prompts.EventSignUp{Title: title, Link: e.URL != "", Text: text}, e.URL != "" || text != ""
	case nlu.FieldPlace, nlu.FieldDescription, nlu.FieldNone:
	}
	return prompts.EventPlace{Title: title, Place: noBrackets(e.Location)}, e.Location != ""
}

// mentioning returns the first sentence of the text with one of the words, without its full stop.
func mentioning(text string, words ...string) string {
	for _, s := range sentences(text) {
		low := strings.ToLower(s)
		for _, w := range words {
			if strings.Contains(low, w) {
				return noBrackets(strings.TrimRight(s, "。."))
			}
		}
	}
	return ""
}

// suggest proposes what to ask next about events.
func (t telling) suggest(next topic) []string {
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
	if len(next.Items) > 0 && t.wish.Field != nlu.FieldPlace {
		kinds = append(kinds, "place")
	}
	return suggestions(t.lang, kinds...)
}

// suggestions words kinds of suggestions, three at most.
func suggestions(lang nlu.Language, kinds ...string) []string {
	out := make([]string, 0, len(kinds))
	for _, kind := range kinds[:min(len(kinds), 3)] {
		out = append(out, prompts.Suggestion{Kind: kind}.In(string(lang)))
	}
	return out
}

// daysOf lists the days that a span touches, at most limit.
func (s span) daysOf(limit int) []civil.Date {
	var out []civil.Date
	for d := civil.DateOf(s.Start); !d.After(s.lastDate()) && len(out) < limit; d = d.AddDays(1) {
		out = append(out, d)
	}
	return out
}
