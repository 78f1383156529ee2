package owner

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/words"
)

// verdict is what an answer to a plan says. It is a closed set.
type verdict string

const (
	verdictYes     verdict = "yes"
	verdictNo      verdict = "no"
	verdictEdit    verdict = "edit"    // change the plan, and ask again
	verdictAgain   verdict = "again"   // ask again: something about the plan was asked
	verdictOther   verdict = "other"   // it is about something else
	verdictPuzzled verdict = "puzzled" // nobody knows
)

// A correction is an answer to a plan, read.
type correction struct {
	verdict verdict
	// edit is what is to be different, repeat how it shall recur from now on.
	edit   Edit
	repeat repeat
}

// A spoken answer is one without the yes and the no at its beginning.
type spoken struct {
	text, rest       string // rest is what stands behind them
	affirmed, denied bool
}

func speak(u nlu.Understanding) spoken {
	s := spoken{text: words.ValueMark.Trim(strings.ToLower(u.Text))}
	s.rest, s.affirmed = words.Assent.Begin(s.text)
	for rest, ok := words.Denial.Begin(s.rest); ok; rest, ok = words.Denial.Begin(rest) { // actually no, ...
		s.rest, s.denied = rest, true
	}
	return s
}

// sureOfYes is how sure it must be that there is nothing else in a yes.
const sureOfYes = 0.95

// readCorrection reads what was said to a plan that waits for a yes.
func readCorrection(p Plan, u nlu.Understanding, now time.Time) correction {
	s := speak(u)
	if v := decided(p, u, s); v != "" {
		return correction{verdict: v}
	}
	u.Command = commandBehind(u, s.rest)
	if e, r := corrected(p, u, now); !e.empty() || !r.isZero() {
		if asksSomething(u) || remindsOfAnother(p, commandOf(u)) {
			return correction{verdict: verdictOther}
		}
		return correction{verdict: verdictEdit, edit: e, repeat: r}
	}
	return correction{verdict: agreed(p, u, s)}
}

// decided is what an answer says plainly, whatever it names beside it.
func decided(p Plan, u nlu.Understanding, s spoken) verdict {
	declines := p.Offered && words.Declining.In(s.text) && !words.Pleading.In(s.text) // to an offer these decline
	pointsAt := u.Reference.That && len(u.Keywords) == 0 && len(u.Times) == 0
	switch {
	case u.Intent == nlu.Safety, readPart(u).ofAnother(p):
		return verdictOther
	case declines:
		return verdictNo
	case u.Intent == nlu.Affirm && u.Confidence >= sureOfYes && words.PlainYes.In(s.text):
		return verdictYes
	case u.Intent == nlu.Deny && len(u.Times) == 0, words.LeaveIt.In(s.text):
		return verdictNo
	case pointsAt && isQuestion(u.Text):
		return verdictAgain
	}
	return ""
}

// agreed is what an answer that changes nothing says.
func agreed(p Plan, u nlu.Understanding, s spoken) verdict {
	names := u.Reference.Ordinal != 0 || len(u.Keywords) > 0
	switch {
	case !s.denied && saysAgain(p, s.rest):
		return verdictYes
	case words.Dropping.In(s.text), s.denied && s.rest == "":
		return verdictNo
	case s.affirmed && words.Nothing(s.rest, words.Courtesy), !s.denied && goesOn(s.text):
		return verdictYes
	case s.denied && p.Do != ActionAdd && !names:
		return verdictNo
	case isUnclear(u), (s.affirmed || words.GoOn.In(s.text)) && !isQuestion(u.Text):
		return verdictPuzzled
	}
	return verdictOther
}

// isUnclear reports whether an answer says too little to be about something else.
func isUnclear(u nlu.Understanding) bool {
	switch u.Intent {
	case nlu.Thanks, nlu.Greeting, nlu.Affirm:
		return true
	case nlu.Unclear:
		return u.Reference.Empty() || u.Confidence < leastSure
	default:
		return u.Confidence < leastSure
	}
}

// leastSure is how sure it must be what an answer is about for it to be about something else.
const leastSure = 0.35

// goesOn reports whether words tell to go on, and want nothing beside it.
func goesOn(text string) bool {
	return words.GoOn.In(text) && words.Nothing(text, words.GoOn, words.Light)
}

// saysAgain reports whether an answer is the order again, without anything new: 登録して, "add it".
func saysAgain(p Plan, rest string) bool {
	verbs := map[Action]words.Phrases{
		ActionAdd: words.AgainAdd, ActionChange: words.AgainChange, ActionRemove: words.AgainRemove,
	}[p.Do]
	return verbs.In(rest) && words.Nothing(rest, verbs, words.SaidAgain)
}

// commandBehind is the command in an answer, whose rest stands behind a yes or a no.
func commandBehind(u nlu.Understanding, rest string) slots.Command {
	cut := strings.LastIndex(strings.ToLower(u.Text), rest)
	if cut <= 0 || len(strings.ToLower(u.Text)) != len(u.Text) {
		return commandOf(u)
	}
	times := make([]datetime.Expression, 0, len(u.Times))
	for _, e := range u.Times {
		if e.Start >= cut && e.End <= cut+len(rest) {
			e.Start, e.End = e.Start-cut, e.End-cut
			times = append(times, e)
		}
	}
	return slots.Extract(u.Text[cut:cut+len(rest)], string(u.Language), times)
}

// asksSomething reports whether the utterance is a question or an order that stands by itself,
// though it names a time.
func asksSomething(u nlu.Understanding) bool {
	if words.OwnPlans.In(u.Text) && isQuestion(u.Text) || words.Public.In(u.Text) {
		return true
	}
	switch c := commandOf(u); c.Operation {
	case slots.Query:
		looks := u.Intent == nlu.Calendar && (c.Free || c.Suggest || u.Owner)
		return looks || isQuestion(u.Text) && !u.Reference.Elliptic
	case slots.Create:
		planned := u.Write && u.Intent == nlu.Calendar && c.Title.Text != "" && len(c.Times) > 0
		return planned && readPart(u) == partSaid{}
	case slots.Delete:
		return u.Write
	case slots.Update:
	}
	return false
}

// remindsOfAnother reports whether a reminder is wanted of an entry that is named, and not of what is
// planned.
func remindsOfAnother(p Plan, c slots.Command) bool {
	title := strings.ToLower(c.Title.Text)
	if !c.Remind || title == "" {
		return false
	}
	planned := []string{p.Edit.Title}
	for _, o := range p.Targets {
		planned = append(planned, o.Title)
	}
	return !slices.ContainsFunc(planned, func(t string) bool { return strings.Contains(strings.ToLower(t), title) })
}

func isQuestion(text string) bool {
	return words.Asking.In(words.ValueMark.Trim(text))
}

// corrected is what an answer changes in a plan.
func corrected(p Plan, u nlu.Understanding, now time.Time) (Edit, repeat) {
	if said := readPart(u); said != (partSaid{}) {
		return said.edit, repeat{}
	}
	c := commandOf(u)
	switch {
	case c.Change.Extend != 0:
		return changeOf(c, now), repeat{}
	case c.Remind && c.Lead > 0:
		return Edit{Lead: c.Lead}, repeat{}
	}
	times := inMonthOf(p, u.Times, now)
	said := readTimes(times, now)
	e := said.edit
	if words.AllDay.In(u.Text) && !p.Edit.AllDay {
		e.AllDay = true
	}
	if place := c.Change.Place.Text + c.Place.Text; place != "" && !isQuestion(u.Text) && p.Do != ActionRemove {
		e.Place = valueOf(place)
	}
	e = moved(e, p, u, times, now)
	e, r := recurs(e, p, u, times, now)
	if e.Guessed && (!p.Edit.Day.IsZero() && !p.Edit.Guessed || p.Do == ActionChange) {
		e.Day, e.Guessed = p.Edit.Day, false // a time of day alone leaves the day as it is, if it was named
	}
	return e, r
}

// moved is an edit with by how much an answer moves what is planned.
func moved(e Edit, p Plan, u nlu.Understanding, times []datetime.Expression, now time.Time) Edit {
	length := e.Length
	if e.Clock != nil {
		length = 0
	}
	by := commandOf(u).Change.Shift
	switch {
	case by != 0:
	case length != 0 && words.Later.In(u.Text):
		by = length
	case length != 0 && (words.Earlier.In(u.Text) || p.Edit.Shift < 0):
		by = -length
	case length != 0 && p.Edit.Shift > 0:
		by = length
	case len(times) == 1 && times[0].Kind == datetime.KindTime && words.ThanPlanned.In(words.ValueMark.Trim(u.Text)):
		return Edit{Shift: times[0].TimeRange.Start.Sub(now)} // later than planned, not than now
	case len(times) == 0:
		if hour, _, _ := words.BareHour.Number(u.Text); hour > 0 {
			return atHour(strconv.Itoa(hour), now)
		}
	}
	if by != 0 {
		e.Shift, e.Length = by, 0
	}
	return e
}

// atHour is the time of day that a bare hour means; nothing for what is none.
func atHour(hour string, now time.Time) Edit {
	return readTimes(datetime.Parse(hour+":00", now), now).edit
}

// recurs is an edit with how an answer has something recur.
func recurs(e Edit, p Plan, u nlu.Understanding, times []datetime.Expression, now time.Time) (Edit, repeat) {
	said := readTimes(times, now)
	i := slices.IndexFunc(times, func(t datetime.Expression) bool { return t.Kind == datetime.KindSet })
	switch {
	case p.Repeat.isZero() && commandOf(u).Frequency.Text == "":
	case i >= 0:
		r, clock, _ := repeatOf(times[i].Text, u.Text, said, now)
		if clock.Clock != nil {
			e = e.then(clock)
		}
		return e, r
	case !p.Repeat.isZero() && !said.until.IsZero():
		r := p.Repeat
		r.Until, r.Count = said.until, 0
		e.AllDay, e.LastDay = false, civil.Date{}
		return e, r
	}
	return e, repeat{}
}

// inMonthOf puts days of a month that is not named into that of the plan: the 28th, to a plan for
// the 7th of April.
func inMonthOf(p Plan, times []datetime.Expression, now time.Time) []datetime.Expression {
	day := p.Edit.Day
	if day.IsZero() && len(p.Targets) == 1 {
		day = p.Targets[0].day(now.Location())
	}
	if day.IsZero() {
		return times
	}
	out := slices.Clone(times)
	for i, e := range out {
		if e.NoMonth && !e.Invalid {
			out[i] = e.InMonth(day, now)
		}
	}
	return out
}

// commandOf is what an utterance asks of a calendar, whatever it was taken for.
func commandOf(u nlu.Understanding) slots.Command {
	if u.Command.Operation != "" {
		return u.Command
	}
	return slots.Extract(u.Text, string(u.Language), u.Times)
}

// ordered is the command of an utterance as an order to the calendar: whatever names a part of an
// entry and what it becomes is a change.
func ordered(u nlu.Understanding) slots.Command {
	cmd := commandOf(u)
	switch said := readPart(u); {
	case isQuestion(u.Text):
	case said.ordered:
		cmd.Operation, cmd.Title = slots.Update, slots.Piece{Text: said.entry}
	case cmd.Change.Extend != 0:
		cmd.Operation = slots.Update
	}
	return cmd
}
