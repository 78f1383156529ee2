package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
)

// An answerSaid is an answer to a plan, with the plan as it is then.
type answerSaid struct {
	verdict verdict
	plan    plan
}

// readAnswer reads an answer to what the plan asks for.
func (c *Concierge) readAnswer(s State, r reply, now time.Time) answerSaid {
	p, u := s.Plan, s.Understanding
	switch p.Await {
	case awaitYes, "":
		if r.Option > 0 {
			return answerSaid{verdict: []verdict{verdictYes, verdictNo}[min(r.Option, 2)-1]}
		}
		said := readSaid(p, u, now)
		said.edit.Title = capital(said.edit.Title, u.Language)
		if n := max(u.Reference.Ordinal, bareNumber(u.Text)); n > 0 && n <= len(p.Listed) && said.verdict != verdictYes {
			p.Targets = p.Listed[n-1 : n]
			return answerSaid{verdictEdit, p}
		}
		switch {
		case said.verdict != verdictEdit:
		case p.Do == planRemove: // another one is meant
			p.Search = true
		default:
			p.correct(said)
		}
		return answerSaid{said.verdict, p}
	case awaitTitle:
		return answerTitle(p, u, now)
	case awaitTime, awaitClock:
		return answerTime(p, u, now)
	case awaitChoice, awaitTarget:
		return c.answerTarget(s, r)
	case awaitEdit:
		return answerEdit(p, u, now)
	}
	return answerSaid{verdict: verdictOther}
}

// correct takes a correction into the plan.
func (p *plan) correct(said said) {
	if !said.repeat.isZero() {
		p.Repeat = said.repeat
	} else if !p.Repeat.isZero() && !said.edit.Day.IsZero() && said.edit.Day != p.Edit.Day {
		if len(p.Repeat.Weekdays) == 1 {
			p.Repeat.Weekdays = []time.Weekday{said.edit.Day.Weekday()}
		}
		p.Repeat.From = said.edit.Day
	}
	if !said.edit.Day.IsZero() {
		p.Days, p.Others = nil, nil
	}
	e := said.edit
	if e.Shift != 0 && p.Do == planAdd && p.Edit.Clock != nil { // there is nothing yet that could be moved
		at := *p.Edit.Clock + minutes(e.Shift/time.Minute)
		e.Clock, e.Shift, e.Length = &at, 0, p.Edit.Length
	}
	p.Edit = p.Edit.then(e)
}

// dismissed reports whether an answer to a question is a no.
func dismissed(u nlu.Understanding) bool {
	text := strings.ToLower(strings.TrimSpace(u.Text))
	return u.Intent == nlu.Deny && len(u.Times) == 0 || dropping.MatchString(text) && len(u.Times) == 0
}

// answerTitle takes what was said for the title, unless it is plainly something else.
func answerTitle(p plan, u nlu.Understanding, now time.Time) answerSaid {
	text := strings.Trim(u.Text, " 。.!！")
	switch {
	case u.Intent == nlu.Safety:
		return answerSaid{verdict: verdictOther}
	case dismissed(u):
		return answerSaid{verdict: verdictNo}
	case isQuestion(text), u.Intent == nlu.Calendar && u.Write && len(u.Times) > 0:
		return answerSaid{verdict: verdictOther}
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear && !hasLetters(text), u.Reference.Ordinal != 0 && len(u.Keywords) == 0:
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	e := readTimes(u.Times, now).edit
	if strings.Trim(withoutPieces(u.Text, u.Times), " 、。.のにでからは") != "" {
		e.Title = capital(titleSaid(text, u), u.Language)
	}
	if e.empty() {
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	if e.Guessed && !p.Edit.Day.IsZero() {
		e.Day, e.Guessed = p.Edit.Day, false
	}
	p.Edit = p.Edit.then(e)
	return answerSaid{verdictEdit, p}
}

// withoutPieces is a text without the expressions in it.
func withoutPieces(text string, times []datetime.Expression) string {
	for _, e := range slices.Backward(times) {
		if e.Start <= e.End && e.End <= len(text) {
			text = text[:e.Start] + text[e.End:]
		}
	}
	return text
}

// titleSaid is the title in an answer to what it is: 歯医者です, "It's a dentist appointment".
func titleSaid(text string, u nlu.Understanding) string {
	if e := fieldSaid(text); e.Title != "" {
		return e.Title
	}
	if cmd := commandOf(u); cmd.Title.Text != "" && (len(u.Times) > 0 || u.Write) {
		return oneLine(cmd.Title.Text, maxSaid)
	}
	for _, start := range []string{"it's ", "it is ", "its ", "that's ", "call it ", "a ", "an ", "the "} {
		if rest, ok := cutFold(text, start); ok {
			text = rest
		}
	}
	return oneLine(fieldValue(text), maxSaid)
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) > len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

// answerTime takes the time that was said.
func answerTime(p plan, u nlu.Understanding, now time.Time) answerSaid {
	said := readSaid(p, u, now)
	switch {
	case said.verdict == verdictEdit:
		p.correct(said)
		return answerSaid{verdictEdit, p}
	case bareNumber(u.Text) != 0: // 3, to the question at what time
		if times := datetime.Parse(strings.TrimRight(u.Text, "。時")+inLang(u.Language, "時", " o'clock"), now); len(times) == 1 {
			e := readTimes(times, now).edit
			e.Day, e.Guessed = p.Edit.Day, false
			p.Edit = p.Edit.then(e)
			return answerSaid{verdictEdit, p}
		}
	case said.verdict == verdictYes:
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	return answerSaid{said.verdict, p}
}

// answerTarget takes the entry that was said: one of those listed, or one that is still to be found.
func (c *Concierge) answerTarget(s State, r reply) answerSaid {
	p, u := s.Plan, s.Understanding
	cmd := commandOf(u)
	if dismissed(u) && r.Option == 0 {
		return answerSaid{verdict: verdictNo}
	}
	ordinal := u.Reference.Ordinal
	if ordinal == 0 {
		ordinal = bareNumber(u.Text)
	}
	if p.Await == awaitTarget {
		switch {
		case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear:
			return answerSaid{verdict: verdictPuzzled, plan: p}
		case u.Intent == nlu.Safety, isQuestion(u.Text), cmd.Title.Text == "" && len(u.Times) == 0:
			return answerSaid{verdict: verdictOther, plan: p}
		}
		p.Search = true
		return answerSaid{verdictEdit, p}
	}
	d := c.diary(s)
	if p.Do == planRemove && (cmd.All || hasAny(strings.ToLower(u.Text), "全部", "すべて", "全て", "両方", "both", "all of them")) {
		p.Targets, p.Choices = p.Choices, nil
		return answerSaid{verdictEdit, p}
	}
	list, out := d.chosenFrom(p.Choices, r, cmd, ordinal)
	switch {
	case out:
		return answerSaid{verdict: verdictPuzzled, plan: p}
	case len(list) == 1:
		p.Targets, p.Listed, p.Choices = slices.Clone(list), p.Choices, nil
		return answerSaid{verdictEdit, p}
	case len(list) > 1:
		p.Choices = slices.Clone(list)
		return answerSaid{verdictEdit, p}
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear:
		return answerSaid{verdict: verdictPuzzled, plan: p}
	}
	return answerSaid{verdict: verdictOther, plan: p}
}

// answerEdit takes what is to change.
func answerEdit(p plan, u nlu.Understanding, now time.Time) answerSaid {
	cmd := commandOf(u)
	e := renamed(u.Text)
	if e.empty() && cmd.Operation == slots.Update {
		e = changeOf(cmd, now)
	}
	if !e.empty() && !isQuestion(u.Text) {
		p.Edit = p.Edit.then(e)
		return answerSaid{verdictEdit, p}
	}
	said := readSaid(p, u, now)
	if (said.verdict == verdictOther || said.verdict == verdictPuzzled) && !isQuestion(u.Text) && !u.Write && saysSomething(u) {
		if value := oneLine(fieldValue(u.Text), maxSaid); p.Part == partPlace {
			said.verdict, said.edit.Place = verdictEdit, value
		} else if p.Part == partTitle {
			said.verdict, said.edit.Title = verdictEdit, value
		}
	}
	if said.verdict == verdictYes {
		said.verdict = verdictPuzzled
	}
	p.correct(said)
	return answerSaid{said.verdict, p}
}

// saysSomething reports whether an answer may be a value: it is no yes, no courtesy and no danger.
func saysSomething(u nlu.Understanding) bool {
	switch u.Intent {
	case nlu.Affirm, nlu.Deny, nlu.Unclear, nlu.Thanks, nlu.Greeting, nlu.Farewell, nlu.Safety:
		return false
	case nlu.Event, nlu.Calendar, nlu.DateCalc, nlu.Info, nlu.Identity, nlu.SmallTalk, nlu.CallStaff, nlu.OutOfScope:
	}
	return hasLetters(u.Text)
}

// The parts of an entry that may be named without saying what becomes of them.
const (
	partPlace = "place"
	partTitle = "title"
)

// partNamed is the part of an entry that an order to change it names.
func partNamed(text string) string {
	switch text = strings.ToLower(text); {
	case hasAny(text, "場所", "会場", "place", "location", "venue"):
		return partPlace
	case hasAny(text, "タイトル", "題名", "件名", "名前", "title", "rename"):
		return partTitle
	}
	return ""
}
