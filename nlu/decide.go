package nlu

import "strings"

// decision is an intent with how sure it is and the rule that made it.
type decision struct {
	intent     Intent
	confidence float64
	reason     string
	danger     Danger
}

// decide asks the groups of rules in order; the first that knows the utterance decides.
func (r *Rules) decide(s *sentence, u *Understanding) decision {
	for _, rules := range [...]func(*sentence, *Understanding) (decision, bool){safety, r.answer, courtesy, schedule, dates, happenings, outside, venue} {
		if d, ok := rules(s, u); ok {
			return d
		}
	}
	return leftover(s, u)
}

// safety knows danger to people. A word that may also be a topic (地震, 火災) counts only where no event is spoken of.
func safety(s *sentence, _ *Understanding) (decision, bool) {
	if !s.has(tDanger) {
		return decision{}, false
	}
	var strong, weak tag
	for _, h := range s.hits {
		if h.tags&tWeakDanger != 0 {
			weak |= h.tags & tDanger
			continue
		}
		strong |= h.tags & tDanger
	}
	if strong == 0 && s.has(tEvent|tKind|tOut) {
		return decision{}, false
	}
	found := strong
	if found == 0 {
		found = weak
	}
	for _, d := range []struct {
		tag    tag
		danger Danger
	}{{tLost, LostChild}, {tFire, Fire}, {tCrime, Crime}, {tQuake, Earthquake}, {tInjury, Injury}} {
		if found&d.tag != 0 {
			return decision{Safety, 0.95, "safety word: " + string(d.danger), d.danger}, true
		}
	}
	return decision{}, false
}

// answer knows utterances that only answer a question.
func (r *Rules) answer(s *sentence, _ *Understanding) (decision, bool) {
	if intent, ok := r.answers[s.bare]; ok {
		return decision{intent: intent, confidence: 0.95, reason: "the whole utterance is an answer"}, true
	}
	return decision{}, false
}

// substance are the tags of words that ask for something, beside which courtesy is only courtesy.
const substance = tEvent | tKind | tHappen | tPlan | tCalendar | tMeeting | tWrite | tRemind | tDate | tInfo | tOpen | tOut | tField | tHost

// courtesy knows greetings, thanks, farewells, questions to the concierge itself and calls for a person.
func courtesy(s *sentence, u *Understanding) (decision, bool) {
	switch {
	case s.has(tStaff) || s.has(tStaffWord) && s.has(tCall):
		return decision{intent: CallStaff, confidence: 0.9, reason: "asks for a person"}, true
	case s.has(tIdentity) && !s.has(tEvent|tKind|tDate|tOut|tOpen) && strings.Count(s.content, " ") == 0 && len(s.times) == 0:
		return decision{intent: Identity, confidence: 0.9, reason: "asks who or what we are"}, true
	case s.has(tThanks) && !s.has(substance):
		return decision{intent: Thanks, confidence: 0.95, reason: "thanks"}, true
	case s.has(tBye) && !s.has(substance&^tHappen):
		return decision{intent: Farewell, confidence: 0.95, reason: "farewell"}, true
	case s.has(tGreet) && !s.has(substance) && len(s.times) == 0 && s.content == "" && u.Reference.Empty():
		return decision{intent: Greeting, confidence: 0.95, reason: "greeting"}, true
	case s.has(tSmall) && !s.has(substance) && len(s.times) == 0 && s.content == "":
		return decision{intent: SmallTalk, confidence: 0.8, reason: "small talk"}, true
	}
	return decision{}, false
}

// schedule knows what belongs to the owner's calendar: words of ownership or of writing beside a schedule.
func schedule(s *sentence, _ *Understanding) (decision, bool) {
	yes := func(confidence float64, reason string) (decision, bool) {
		return decision{intent: Calendar, confidence: confidence, reason: reason}, true
	}
	entry := s.has(tPlan | tCalendar | tMeeting)
	switch {
	case s.has(tHost) || s.has(tOpen) && !s.has(tWrite):
	case s.has(tRemind):
		return yes(0.9, "asks to be reminded")
	case s.has(tCalendar) && (s.has(tOwner|tSelf|tWrite|tFree|tPlan) || !s.has(tEvent|tKind|tInfo|tOut)):
		return yes(0.9, "names the calendar")
	case s.has(tPlan) && s.has(tOwner|tSelf|tWrite|tFree) && !s.has(tInfo|tEvent) || s.has(tPlan|tEvent) && s.has(tOwner) && !s.has(tInfo|tField):
		return yes(0.9, "a schedule, with words of ownership or writing")
	case s.has(tMeeting) && !s.has(tKind) && (s.has(tWrite) || !s.has(tInfo) && (s.has(tOwner|tSelf|tFree) || len(s.times) > 0)):
		return yes(0.8, "a meeting, with words of ownership, writing or time")
	case s.has(tEvent|tKind) && s.has(tWrite) && !s.has(tInfo|tField|tOut):
		return yes(0.7, "writes an event")
	case s.has(tFree) && !s.has(tInfo|tEvent|tKind|tOut) && (len(s.times) > 0 || entry):
		return yes(0.7, "asks whether a time is free")
	case s.has(tWrite) && s.content == "" && len(s.times) == 0 && !s.has(tInfo|tOut|tField|tDate|tAny|tMore|tStaff):
		return yes(0.6, "writes, without saying what")
	case s.has(tWrite) && s.has(tOwner) && len(s.times) > 0 && !s.has(tInfo|tOut|tField):
		return yes(0.6, "writes something at a time")
	}
	return decision{}, false
}

// dates knows questions for dates as such.
func dates(s *sentence, _ *Understanding) (decision, bool) {
	switch {
	case s.has(tEvent | tKind | tOpen | tHost):
	case s.has(tOut):
	case s.has(tDate) && !s.has(tInfo) && (len(s.times) > 0 || strings.Count(s.content, " ") <= 2):
		return decision{intent: DateCalc, confidence: 0.9, reason: "asks for a date or the time"}, true
	case s.has(tDateWeak) && !s.has(tInfo|tOut|tPlan) && (len(s.times) > 0 || s.content == ""):
		return decision{intent: DateCalc, confidence: 0.75, reason: "asks which day it is"}, true
	case s.onlyDayAndWeekday():
		return decision{intent: DateCalc, confidence: 0.7, reason: "asks for a weekday beside a date"}, true
	case s.bare == "何時ですか" || s.bare == "なんじですか":
		return decision{intent: DateCalc, confidence: 0.5, reason: "asks the time, or that of what was spoken of"}, true
	}
	return decision{}, false
}

// onlyDayAndWeekday knows 来月の火曜日は？ and 4月23日は土曜日ですか: a weekday beside another date, and nothing else.
func (s *sentence) onlyDayAndWeekday() bool {
	if len(s.times) != 2 || s.content != "" || s.has(substance|tAny) {
		return false
	}
	return !isWeekday(s.times[0].Text) && isWeekday(s.times[1].Text)
}

// isWeekday reports whether words name a day of the week.
func isWeekday(words string) bool {
	return strings.Contains(words, "曜") || strings.HasSuffix(strings.ToLower(words), "day") && !strings.HasSuffix(strings.ToLower(words), "today")
}

// happenings knows questions for public events.
func happenings(s *sentence, u *Understanding) (decision, bool) {
	yes := func(confidence float64, reason string) (decision, bool) {
		return decision{intent: Event, confidence: confidence, reason: reason}, true
	}
	switch {
	case s.has(tHost):
		return decision{intent: Info, confidence: 0.85, reason: "wants to hold an event"}, true
	case s.has(tEvent|tKind) && s.has(tHowTo) && !u.Reference.That && u.Reference.Ordinal == 0 && len(s.times) == 0:
		return decision{intent: Info, confidence: 0.75, reason: "asks how to take part in events"}, true
	case s.has(tEvent|tKind) && s.has(tOpen) && !s.has(tEvent):
		return yes(0.6, "a kind of event, beside opening words")
	case s.has(tEvent):
		return yes(0.9, "names events")
	case s.has(tKind) && !(s.has(tOut) && len(s.times) == 0 && !s.has(tAsk)):
		return yes(0.85, "names a kind of event")
	case s.has(tPlan) && !s.has(tInfo|tOut):
		return yes(0.75, "a schedule without words of ownership")
	case s.has(tHappen) && !s.has(tOut) && (len(s.times) > 0 || !s.has(tInfo)) && strings.Count(s.content, " ") == 0 && (len(s.times) > 0 || s.content == ""):
		return yes(0.75, "asks what is on")
	case s.asksWhatThereIs():
		return yes(0.6, "asks what there is at a time")
	}
	return decision{}, false
}

// asksWhatThereIs knows "anything this weekend?" and 今日は何？: a time, a question word, nothing else.
func (s *sentence) asksWhatThereIs() bool {
	return len(s.times) > 0 && s.content == "" && s.has(tAny|tMore) && !s.has(tInfo|tOut|tDate|tDateWeak|tSelf)
}

// outside knows what is clearly no venue's business.
func outside(s *sentence, _ *Understanding) (decision, bool) {
	if s.has(tOut) && !s.has(tOpen) {
		return decision{intent: OutOfScope, confidence: 0.8, reason: "no business of a venue"}, true
	}
	return decision{}, false
}

// venue knows what is asked about the place itself.
func venue(s *sentence, u *Understanding) (decision, bool) {
	switch {
	case s.has(tVenue) && s.content == "" && len(s.times) == 0 && u.Reference.Field == FieldNone:
		return decision{intent: Info, confidence: 0.8, reason: "names the venue"}, true
	case s.has(tInfo | tOpen):
		return decision{intent: Info, confidence: 0.85, reason: "a matter of the venue"}, true
	case u.Reference.Ordinal != 0 || u.Reference.Other || u.Reference.More && s.content == "":
		return decision{intent: Unclear, confidence: 0.4, reason: "points at what was said before"}, true
	case u.Reference.Elliptic:
		return decision{intent: Event, confidence: 0.4, reason: "only a time: what is on then, unless something was spoken of"}, true
	case u.Reference.Field != FieldNone:
		return decision{intent: Info, confidence: 0.5, reason: "asks for a detail"}, true
	}
	return decision{}, false
}

// leftover is for what no rule knows: a question may be about the venue, words without a question less so.
func leftover(s *sentence, u *Understanding) decision {
	switch {
	case s.content == "" && len(s.times) == 0 && !u.Reference.That:
		return decision{intent: Unclear, confidence: 0.3, reason: "no word that says anything"}
	case s.question:
		return decision{intent: Info, confidence: 0.4, reason: "a question that may be about the venue"}
	}
	return decision{intent: Info, confidence: 0.3, reason: "words without a known meaning"}
}
