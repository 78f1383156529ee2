package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
)

var afterThat = regexp.MustCompile(`^(?:その|それの)?(?:次|つぎ|あと|後)(?:は|の予定は|は何|には)|^and (?:after that|then|next)|after that|^(?:and )?the next (?:one|thing)|^what(?:'s| is) (?:next|after)`)

// followOwn reads what hangs on what was told of the calendar.
func (c *Concierge) followOwn(s State, now time.Time) (w calendarWish, why string, ok bool) {
	u, t := s.Understanding, s.Topic
	if t.Node != nodeCalendar || t.Look.Do == "" {
		return calendarWish{}, "", false
	}
	text := strings.ToLower(u.Text)
	cmd := ordered(u)
	ordinal := u.Reference.Ordinal
	if ordinal == 0 {
		ordinal = bareNumber(u.Text)
	}
	if t.Wrote != "" && u.Intent == nlu.Affirm {
		return calendarWish{Do: doAlready}, "said yes again", true
	}
	if w, why, ok := t.followSuggestions(u, cmd, ordinal, now); ok {
		return w, why, true
	}
	var when calendarWish
	timed := when.at(u.Times, now)
	switch {
	case len(t.Own) > 0 && afterThat.MatchString(text) && !timed:
		return calendarWish{Do: doAfter}, "what comes then", true
	case len(t.Own) > 0 && !isQuestion(text) && (cmd.Operation == slots.Delete || cmd.Operation == slots.Update) && cmd.Confidence > 0.4:
		item, meant := t.ownItem(u, cmd, ordinal)
		if meant || u.Reference.That && len(cmd.Times) == 0 {
			return calendarWish{Do: doWrite, Item: item, Told: true}, "an entry told before", true
		}
		nameless := (cmd.Title.Text == "" || isGeneric(cmd.Title.Text)) && len(cmd.Times) == 0
		if nameless && (cmd.Operation == slots.Update || t.Wrote != "" && len(t.Own) == 1) && !cmd.All {
			return calendarWish{Do: doWrite, Item: max(t.Focus, 0), Told: true}, "an entry told before", true
		}
		return calendarWish{}, "", false
	case u.Reference.More && !timed && t.Offset+len(t.Own) < t.Total:
		w = t.Look
		w.Skip = t.Offset + len(t.Own)
		return w, "more", true
	case timed && leavesOut(u) && ordinal == 0:
		return lookAgain(t.Look, when), "other time", true
	case timed || len(t.Own) == 0 || u.Write:
		return calendarWish{}, "", false
	}
	if item, meant := t.ownItem(u, cmd, ordinal); cmd.NoteAsked && (meant || cmd.Title.Text == "" && len(t.Own) == 1) {
		return calendarWish{Do: doRecall, Item: max(item, 1), Note: true}, "the note of an item", true
	} else if meant && (ordinal != 0 || u.Reference.Field != nlu.FieldNone || u.Reference.That || u.Reference.Other) {
		return calendarWish{Do: doRecall, Item: item, Field: u.Reference.Field}, "item", true
	}
	return calendarWish{}, "", false
}

// followSuggestions reads what hangs on times that were suggested, or on what was just written.
func (t topic) followSuggestions(u nlu.Understanding, cmd slots.Command, ordinal int, now time.Time) (w calendarWish, why string, ok bool) {
	suggested := len(t.Slots) > 0 && !asksItself(cmd, u)
	if item, meant := t.slot(u, ordinal, now); suggested && meant {
		return calendarWish{Do: doPick, Item: item}, "picks a suggestion", true
	}
	if t.amends(u, cmd, now) {
		return calendarWish{Do: doWrite, Item: 1, Amend: true}, "corrects what was written", true
	}
	timed := w.at(u.Times, now)
	if suggested && timed && len(u.Keywords) == 0 && !u.Write {
		return suggestAgain(t.Look, u, w), "another time for it", true
	}
	return calendarWish{}, "", false
}

// asksItself reports whether an utterance asks for something else than times for what was spoken of: for
// what is planned, or whether there is room.
func asksItself(cmd slots.Command, u nlu.Understanding) bool {
	return cmd.Operation == slots.Query && (cmd.Free && cmd.Duration == 0 || u.Owner && !cmd.Suggest)
}

// amends reports whether an utterance corrects what was written just before: やっぱり16時からにして, "actually, make it 4 pm".
func (t topic) amends(u nlu.Understanding, cmd slots.Command, now time.Time) bool {
	text := strings.ToLower(u.Text)
	if cmd.Title.Text != "" && renamed(u.Text).empty() {
		cmd = commandBehind(u, strings.TrimSpace(denial.ReplaceAllString(text, "")))
	}
	if t.Wrote == "" || len(t.Own) != 1 || isQuestion(text) || u.Write && cmd.Operation == slots.Create || cmd.Title.Text != "" && !isGeneric(cmd.Title.Text) {
		return false
	}
	if !hasAny(text, "にして", "に変", "やっぱり", "actually", "make it", "instead", "rather", "change it", "no,") && !namesField(text) {
		return false
	}
	e, _ := editSaid(plan{Do: planChange}, u, now)
	return !e.empty()
}

// suggestAgain asks for times for the same thing in another range, or in a part of the day of the same.
func suggestAgain(look calendarWish, u nlu.Understanding, when calendarWish) calendarWish {
	if slices.ContainsFunc(u.Times, func(e datetime.Expression) bool { return !e.NoDay }) {
		look.Range, look.Weekdays, look.Part = when.Range, when.Weekdays, when.Part
		return look
	}
	if s := when.Range; s.Clock {
		look.Part = hoursOfDay{From: *minutesOf(s.Start), Until: *minutesOf(s.End)}
		if look.Part.Until <= look.Part.From {
			look.Part.Until = midnight
		}
		if len(u.Times) == 1 {
			look.Part.Words = hoursIn(datetime.Selection{Part: u.Times[0].Part}).Words
		}
	}
	return look
}

// lookAgain is what was asked before, for another time.
func lookAgain(look, when calendarWish) calendarWish {
	w := look
	w.Range, w.Weekdays, w.Part, w.Skip, w.Item, w.Upcoming = when.Range, when.Weekdays, when.Part, 0, 0, false
	switch look.Do {
	case doFree, doFreeDays:
		w.Do = w.free()
	case doSuggest:
	case doList, doNext, doFind, doRecall, doAfter, doPick, doWrite, doAlready:
		w = calendarWish{Do: doList, Range: when.Range, Weekdays: when.Weekdays, Part: when.Part}
	}
	return w
}

// ownItem says which of the entries told is meant: its place, 0 for none in particular, -1 for one that is not there.
func (t topic) ownItem(u nlu.Understanding, cmd slots.Command, ordinal int) (item int, meant bool) {
	n := len(t.Own)
	switch {
	case ordinal > n, ordinal < -n:
		return -1, true
	case ordinal > 0:
		return ordinal, true
	case ordinal < 0:
		return n + 1 + ordinal, true
	case u.Reference.Other && n > 1:
		return t.Focus%n + 1, true
	}
	if words := cmd.Title.Text; words != "" && !isGeneric(words) {
		if t.Wrote != "" { // nothing was listed
			return 0, false
		}
		found := 0
		for i, o := range t.Own {
			if containsFold(o.Title, words) {
				if found > 0 {
					return 0, false
				}
				found = i + 1
			}
		}
		return found, found > 0
	}
	if len(cmd.Times) > 0 && cmd.Operation != slots.Update {
		return 0, false
	}
	other := len(u.Keywords) > 0 && !onlyDetail(u.Keywords) // トイレはどこ？
	if u.Reference.That || u.Reference.Field != nlu.FieldNone && !other || cmd.Operation == slots.Update && !changeOf(cmd, time.Time{}).empty() {
		if n == 1 {
			return 1, true
		}
		return t.Focus, t.Focus > 0 || u.Reference.Field != nlu.FieldNone && !other
	}
	return 0, false
}

// slot says which of the suggested times is meant: its place, or -1 for one that is not there.
func (t topic) slot(u nlu.Understanding, ordinal int, now time.Time) (item int, meant bool) {
	n := len(t.Slots)
	switch {
	case ordinal > n, ordinal < -n:
		return -1, true
	case ordinal > 0:
		return ordinal, true
	case ordinal < 0:
		return n + 1 + ordinal, true
	case isQuestion(u.Text):
		return 0, false
	}
	times := readTimes(u.Times, now)
	said := times.edit
	if said.Day.IsZero() && said.Clock == nil || times.within != (civil.TimeRange{}) {
		return 0, false
	}
	for _, sameDay := range []bool{true, false} {
		for i, r := range t.Slots {
			start := r.Start.In(now.Location())
			day := civil.DateOf(start)
			onDay := said.Day.IsZero() || said.Guessed || said.Day == day || !sameDay && said.Day.Weekday() == day.Weekday() && said.Day.Before(day)
			if onDay && (said.Clock == nil || *said.Clock == *minutesOf(start)) {
				return i + 1, true
			}
		}
	}
	return 0, false
}
