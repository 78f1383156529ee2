package owner

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/nlu"
	"annai/nlu/slots"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
)

// Reply says what an answer to the question about a plan does: a yes has it carried out, a no drops
// it, a correction changes it so that it is asked again. All else leaves it.
func (c *Calendar) Reply(t Turn, p Plan) Result {
	if t.Capture != nil { // something else is to be added
		return Result{Next: NextLeave, Dropped: p.dropped()}
	}
	d := c.dialog(t, Request{})
	next := p
	said := d.readReply(&next)
	switch {
	case p.lapsed(d.now) && said != verdictOther:
		return d.dropped(p, prompts.CalendarLapsed{Do: string(p.Do)})
	case p.lapsed(d.now):
		return Result{Next: NextLeave, Dropped: p.dropped()}
	case p.Unsure && said == verdictEdit: // what may have been written is not a plan any more
		return Result{Next: NextLeave}
	}
	switch said {
	case verdictYes:
		return Result{Next: NextCommit, Plan: p}
	case verdictNo:
		return d.dropped(p, prompts.CalendarDropped{Do: string(p.Do)})
	case verdictEdit:
		next.Offered, next.Changed = false, false
		return Result{Next: NextReview, Plan: next}
	case verdictAgain:
		return Result{Next: NextReview, Plan: p}
	case verdictPuzzled:
		next.Puzzled = true
		return Result{Next: NextReview, Plan: next}
	case verdictOther:
	}
	return Result{Next: NextLeave, Dropped: p.dropped()}
}

// dropped says that a plan is not carried out; of one that may have been, that nobody knows.
func (d dialog) dropped(p Plan, says prompts.Prompt) Result {
	if p.Unsure {
		p.Unsure = false // it is not done once more
		return closed(d.refuse(p, calendar.Ambiguous, outcome{}))
	}
	out := Answer{Text: d.say(says), Suggestions: d.kinds("own_today", "own_week")}
	if p.lapsed(d.now) {
		out.Facts.Nothing, out.Suggestions = true, d.kinds("own_today")
	}
	return closed(out)
}

// readReply reads an answer to what the plan asks for, and takes it into the plan.
func (d dialog) readReply(p *Plan) verdict {
	u := d.Understanding
	if p.IsTodo() {
		return d.answerTodo(p)
	}
	switch p.Await {
	case awaitYes, "":
		return d.answerYes(p)
	case awaitTitle:
		return answerTitle(p, u, d.now)
	case awaitTarget:
		return answerTarget(p, u)
	case awaitChoice:
		return d.answerChoice(p)
	case awaitTime, awaitClock, awaitEdit:
		return answerDetail(p, u, d.now)
	}
	return verdictOther
}

// answerYes reads an answer to a plan that waits for a yes.
func (d dialog) answerYes(p *Plan) verdict {
	switch d.Option {
	case 0:
	case 1:
		return verdictYes
	default:
		return verdictNo
	}
	u := d.Understanding
	said := readCorrection(*p, u, d.now)
	said.edit.Title = display.Capital(said.edit.Title, u.Language)
	n := max(u.Reference.Ordinal, nlu.BareNumber(u.Text))
	if n > 0 && n <= len(p.Listed) && said.verdict != verdictYes {
		p.Targets = p.Listed[n-1 : n]
		return verdictEdit
	}
	switch {
	case said.verdict != verdictEdit:
	case p.Do == ActionRemove: // another one is meant
		p.Search = true
	default:
		p.correct(said)
	}
	return said.verdict
}

// correct takes a correction into the plan.
func (p *Plan) correct(said correction) {
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
	if e.Shift != 0 && p.Do == ActionAdd && p.Edit.Clock != nil { // there is nothing yet that could be moved
		at := *p.Edit.Clock + display.Clock(e.Shift/time.Minute)
		e.Clock, e.Shift, e.Length = &at, 0, p.Edit.Length
	}
	p.Edit = p.Edit.then(e)
}

// dismissed reports whether an answer to a question is a no.
func dismissed(u nlu.Understanding) bool {
	return len(u.Times) == 0 && (u.Intent == nlu.Deny || words.Dropping.In(u.Text))
}

// answerTitle takes what was said for the title, unless it is plainly something else.
func answerTitle(p *Plan, u nlu.Understanding, now time.Time) verdict {
	planned := u.Intent == nlu.Calendar && u.Write && len(u.Times) > 0
	chosen := u.Reference.Ordinal != 0 && len(u.Keywords) == 0
	switch {
	case u.Intent == nlu.Safety:
		return verdictOther
	case dismissed(u):
		return verdictNo
	case isQuestion(u.Text), planned:
		return verdictOther
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear && !hasLetters(u.Text), chosen:
		return verdictPuzzled
	}
	e := readTimes(u.Times, now).edit
	if words.Particle.Trim(withoutTimes(u.Text, u)) != "" {
		e.Title = display.Capital(titleSaid(u), u.Language)
	}
	if e.empty() {
		return verdictPuzzled
	}
	if e.Guessed && !p.Edit.Day.IsZero() {
		e.Day, e.Guessed = p.Edit.Day, false
	}
	p.Edit = p.Edit.then(e)
	return verdictEdit
}

// titleSaid is the title in an answer to what it is: 歯医者です, "It's a dentist appointment".
func titleSaid(u nlu.Understanding) string {
	if said := readPart(u); said.edit.Title != "" {
		return said.edit.Title
	}
	if cmd := commandOf(u); cmd.Title.Text != "" && (len(u.Times) > 0 || u.Write) {
		return valueOf(cmd.Title.Text)
	}
	title := u.Text
	for rest, ok := words.AnswersWith.Begin(title); ok && rest != ""; rest, ok = words.AnswersWith.Begin(title) {
		title = rest
	}
	return valueOf(valueSaid(title))
}

// hasLetters reports whether there is anything in a text to be read.
func hasLetters(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// answerTarget takes the words for an entry that is still to be found.
func answerTarget(p *Plan, u nlu.Understanding) verdict {
	switch cmd := commandOf(u); {
	case dismissed(u):
		return verdictNo
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear:
		return verdictPuzzled
	case u.Intent == nlu.Safety, isQuestion(u.Text), cmd.Title.Text == "" && len(u.Times) == 0:
		return verdictOther
	}
	p.Search = true
	return verdictEdit
}

// answerChoice takes one of the entries that were listed, or all of them to be deleted.
func (d dialog) answerChoice(p *Plan) verdict {
	u := d.Understanding
	cmd := commandOf(u)
	if dismissed(u) && d.Option == 0 {
		return verdictNo
	}
	if p.Do == ActionRemove && (cmd.All || words.AllOfThem.In(u.Text)) {
		p.Targets, p.Choices = p.Choices, nil
		return verdictEdit
	}
	list, out := d.chosenFrom(p.Choices, cmd)
	switch {
	case out:
		return verdictPuzzled
	case len(list) == 1:
		p.Targets, p.Listed, p.Choices = slices.Clone(list), p.Choices, nil
		return verdictEdit
	case len(list) > 1:
		p.Choices = slices.Clone(list)
		return verdictEdit
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear:
		return verdictPuzzled
	}
	return verdictOther
}

// answerDetail takes what a plan lacks: a time, or what is to change.
func answerDetail(p *Plan, u nlu.Understanding, now time.Time) verdict {
	said := correction{verdict: verdictEdit}
	cmd, hour := ordered(u), Edit{}
	if nlu.BareNumber(u.Text) != 0 { // 3, to the question at what time
		hour = atHour(words.ValueMark.Trim(u.Text), now)
		hour.Day, hour.Guessed = p.Edit.Day, false
	}
	another := readPart(u).ofAnother(*p)
	changes := cmd.Operation == slots.Update && !isQuestion(u.Text) && !another
	if p.Await == awaitEdit && changes {
		said.edit = orderedEdit(cmd, u, now)
	}
	if said.edit.empty() {
		said = readCorrection(*p, u, now)
	}
	unread := said.verdict == verdictOther || said.verdict == verdictPuzzled
	switch {
	case said.verdict == verdictYes:
		said.verdict = verdictPuzzled
	case unread && p.Await != awaitEdit && hour.Clock != nil:
		said.verdict, said.edit = verdictEdit, hour
	case unread && p.Part != "" && !another && saysSomething(u):
		said.verdict, said.edit = verdictEdit, editPart(p.Part, valueSaid(u.Text))
	}
	p.correct(said)
	return said.verdict
}

// saysSomething reports whether an answer may be a value: it is no yes, no courtesy, no danger, and
// neither asks nor orders.
func saysSomething(u nlu.Understanding) bool {
	switch u.Intent {
	case nlu.Affirm, nlu.Deny, nlu.Unclear, nlu.Thanks, nlu.Greeting, nlu.Farewell, nlu.Safety:
		return false
	default:
		return hasLetters(u.Text) && !isQuestion(u.Text) && !u.Write
	}
}
