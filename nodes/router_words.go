package nodes

import (
	"slices"
	"time"

	"annai/nlu"
	"annai/nodes/talk"
)

// byWords reports whether the words of a question alone say where it leads: to the owner's
// calendar, to dates, to the staff, to a question back, or on with the time of the question before.
func (c *Concierge) byWords(s State, now time.Time) bool {
	u, q, date := s.Understanding, s.Question, dateWishOf(s.Understanding, now, "").Kind
	_, ambiguous := c.ambiguous(u.Text)
	if ambiguous && c.parts.Checkpointer != nil && q.SubjectFrom != talk.Inherited {
		return true
	}
	rule := u.Reason != nlu.NGrams
	last := s.Memory.Last
	ofHoursBefore := last.About == nlu.AboutVenue && slices.Contains(ofHours, last.Ask)
	if ofHoursBefore && u.Intent == nlu.DateCalc && q.Ask == nlu.AskIsOpen { // 何時まで開いてますか and 祝日は？
		return false
	}
	switch own := u.Owner || u.Write && u.AgentConfidence >= sureAgent; {
	case q.SubjectFrom != talk.Inherited, u.Intent == nlu.Calendar && own:
	default: // 今何時ですか is about no event, but 何曜日ですか is
		return u.Intent == nlu.DateCalc && rule && date != dateIs && date != dateHour
	}
	return s.Asked.Done && !s.Asked.Either || u.Write && q.Act == nlu.ActOrders || intentLeads(u, q, date)
}

// intentLeads reports whether what the words alone say goes before what the question is about.
func intentLeads(u nlu.Understanding, q talk.Question, date dateKind) bool {
	rule := u.Reason != nlu.NGrams
	known := q.Sure() || q.Alone && q.About == nlu.AboutSubject // a reader that says it in full knows what it is about
	switch u.Intent {
	case nlu.Calendar:
		return (u.Owner || u.Write) && !asksOfOthers(q) && (q.Act == nlu.ActOrders || surelyOwn(u, q))
	case nlu.DateCalc:
		sure := u.AgentConfidence >= sureAgent || q.About == nlu.AboutUnknown // H31年は西暦何年
		return sure && q.About != nlu.AboutEvents && !ofSomething(u, q, date)
	case nlu.CallStaff, nlu.Identity, nlu.OutOfScope, nlu.SmallTalk:
		return rule && (!known || wantsPerson(u.Intent, q))
	case nlu.Unclear:
		return rule && !q.Sure() && len(u.Keywords) == 0
	case nlu.Event, nlu.Info, nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Safety, nlu.Affirm, nlu.Deny:
	}
	return false
}

// ofSomething reports whether what seems to ask for a date asks of something that is known: an event, or something else
// that only n-grams took for a date, or of which it is asked whether it is open on a day.
func ofSomething(u nlu.Understanding, q talk.Question, date dateKind) bool {
	if q.Subject.Kind == talk.Event && q.Sure() {
		return true
	}
	openThen := q.Ask == nlu.AskIsOpen && date == dateIs
	guessed := q.Subject.Kind == talk.Part && !q.Sure() // a part that the words do not name
	return q.About == nlu.AboutSubject && !guessed && (u.Reason == nlu.NGrams || openThen)
}

// wantsPerson reports whether a question may be for somebody to speak to, or who speaks.
func wantsPerson(intent nlu.Intent, q talk.Question) bool {
	switch intent {
	case nlu.CallStaff:
		return q.Act == nlu.ActOrders || q.Ask == nlu.AskContact || q.Ask == nlu.AskNone
	case nlu.Identity:
		return q.Ask == nlu.AskWho
	default:
		return false
	}
}

// asksOfOthers reports whether a question is surely for what nobody's own calendar states: whether one has to
// book, what it costs, who may come.
func asksOfOthers(q talk.Question) bool {
	return q.Act == nlu.ActAsks && q.Confidence >= sureReading && slices.Contains(ofOthers, q.Ask)
}

// ofOthers are the kinds of answers that no calendar of one's own has.
var ofOthers = []nlu.Ask{
	nlu.AskNeedI, nlu.AskHowMuch, nlu.AskForWhom, nlu.AskWhichLanguage, nlu.AskStillOn, nlu.AskHowDoI, nlu.AskContact,
}

// surelyOwn reports whether the words surely speak of somebody's own calendar, and name no event.
func surelyOwn(u nlu.Understanding, q talk.Question) bool {
	if u.Reason == nlu.NGrams {
		return u.AgentConfidence >= sureAgent && !q.Sure()
	}
	named := q.SubjectFrom != talk.Inherited && q.Subject.Kind == talk.Event && q.Sure()
	return u.Owner || !named
}

// sureAgent is the confidence from which the words alone say which node answers.
const sureAgent = 0.9
