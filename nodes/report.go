package nodes

import (
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/talk"
)

// complains reports whether an utterance only says that something is so, and asks for nothing: where it is broken, or
// where nothing is known of it, the staff must hear of it. What was lost is asked after, and an own calendar and
// events are no matter for them.
func complains(s State) bool {
	q, u := s.Question, s.Understanding
	if q.About == nlu.AboutEvents || u.Intent == nlu.Safety || u.Intent == nlu.Calendar && (u.Owner || u.Write) {
		return false
	}
	asksNothing := q.Ask == nlu.AskNone || q.Ask == nlu.AskWhatIs && saysBroken(s) // nobody asks so what a thing is
	switch q.Act {
	case nlu.ActReports:
		return saysBroken(s) || asksNothing && q.SubjectFrom != talk.Said
	case nlu.ActAsks:
		return saysBroken(s) && asksNothing
	default:
		return false
	}
}

// saysBroken reports whether an utterance says that something does not work or disturbs, and does not ask
// whether it does: トイレが使えない, not トイレは使えないですか.
func saysBroken(s State) bool {
	said := s.Turn.Query
	_, begins := words.QuestionWord.Begin(said)
	_, ends := words.EndsQuestion.End(said)
	return words.Broken.In(said) && !begins && !ends
}
