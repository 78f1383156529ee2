package nodes

import (
	"slices"
	"strings"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
)

// recall answers about events that were told before, without looking anything up.
func (t telling) recall() (draft, topic) {
	next := t.before
	d := draft{Range: next.Range.In(t.now.Location()).Wire(), Facts: facts{Calendar: statusOK}}
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
func (t telling) tellField(d *draft, items []display.Entry) {
	if t.wish.StillOn {
		var lines []string
		for _, e := range items {
			lines = append(lines, t.say(prompts.EventStatus{
				Title: t.spokenTitle(
					e,
				), When: display.WrittenWhen(e, t.now.Location(), t.lang), Cancelled: e.Cancelled(), Tentative: e.Status == calendar.Tentative,
				Past: display.Ended(e.Span(t.now.Location()), t.now),
			}))
		}
		d.Text = strings.Join(lines, "\n")
		return
	}
	if t.wish.Field == nlu.FieldNone || t.wish.Field == nlu.FieldDescription {
		for _, e := range items {
			d.Text = display.JoinParts(
				d.Text,
				t.say(prompts.EventDetail{Title: display.NoBrackets(t.title(e))})+"\n\n"+t.item(e, true),
			)
			d.Spoken = append(d.Spoken, display.Sentences(t.say(t.detail(e)))...)
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
		p, _ := t.field(display.Entry{Title: display.InLang(t.lang, each, "each event")})
		if len(items) > 1 {
			lines = []string{t.say(p)}
		}
	}
	d.Text = strings.Join(lines, "\n")
}

func (t telling) detail(e display.Entry) prompts.EventDetailSpoken {
	e = e.In(t.lang)
	description := display.Sentences(display.NoBrackets(e.Description))
	return prompts.EventDetailSpoken{
		Title: t.spokenTitle(
			e,
		), When: display.WrittenWhen(e, t.now.Location(), t.lang), Place: display.NoBrackets(e.Location),
		Description: display.JoinSentences(description[:min(len(description), 2)], t.lang), Cancelled: e.Cancelled(),
	}
}

// field words the detail that was asked for; ok is false where the calendar does not have it.
func (t telling) field(e display.Entry) (p prompts.Prompt, ok bool) {
	e = e.In(t.lang)
	title := t.spokenTitle(e)
	switch t.wish.Field {
	case nlu.FieldTime:
		return prompts.EventTime{
			Title:     title,
			When:      display.WrittenWhen(e, t.now.Location(), t.lang),
			Cancelled: e.Cancelled(),
		}, true
	case nlu.FieldPrice:
		text := mentioning(e.Description, "円", "無料", "有料", "参加費", "料金", "yen", "free", "fee", "price", "¥")
		return prompts.EventPrice{Title: title, Text: text}, text != ""
	case nlu.FieldSignUp:
		text := mentioning(e.Description, "申し込", "申込", "予約", "登録", "sign up", "register", "rsvp")
		return prompts.EventSignUp{Title: title, Link: e.URL != "", Text: text}, e.URL != "" || text != ""
	case nlu.FieldPlace, nlu.FieldDescription, nlu.FieldNone:
	}
	return prompts.EventPlace{Title: title, Place: display.NoBrackets(e.Location)}, e.Location != ""
}

// mentioning returns the first sentence of the text with one of the words, without its full stop.
func mentioning(text string, words ...string) string {
	for _, s := range display.Sentences(text) {
		low := strings.ToLower(s)
		for _, w := range words {
			if strings.Contains(low, w) {
				return display.NoBrackets(strings.TrimRight(s, "。."))
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
	return display.Suggestions(t.lang, kinds...)
}
