package nlu

import (
	"strings"

	"annai/nlu/words"
)

// A rule says what an utterance wants by its words. All that it names must be so.
type rule struct {
	// reason is for people. A rule without an intent says that its group knows nothing.
	reason string
	intent Intent
	// confidence is that in an intent which is for no agent of its own. sure is weighed against
	// nothing, weight against the n-grams; with perWord for each word that has one of the tags of has.
	confidence float64
	sure       bool
	weight     weight
	perWord    bool
	// programme asks what is on: see [sentence.whatIsOn].
	programme bool

	// One of has was said, one of and, and none of not.
	has, and, not tag
	times         times
	bare          bool // nothing else is said that says anything
	atVenue       bool
	language      Language
	when          func(s *sentence, u *Understanding) bool
}

// times says whether a rule is for utterances that name a time.
type times int

const (
	anyTimes times = iota
	timed
	untimed
)

// fits reports whether all is so that a rule names.
func (r *rule) fits(s *sentence, u *Understanding) bool {
	switch {
	case r.has != 0 && !s.has(r.has), r.and != 0 && !s.has(r.and), s.has(r.not):
		return false
	case r.times == timed && len(s.times) == 0, r.times == untimed && len(s.times) > 0:
		return false
	case r.bare && s.content != "", r.atVenue && !s.atVenue, r.language != "" && r.language != s.language:
		return false
	}
	return r.when == nil || r.when(s, u)
}

// says is the decision of a rule that fits.
func (r *rule) says(s *sentence, u *Understanding) (decision, bool) {
	switch {
	case r.intent == "":
		return decision{}, false
	case r.programme:
		return s.whatIsOn(r.weight, r.reason)
	case r.sure:
		return known(r.intent, r.confidence, r.reason)
	case r.perWord:
		return likely(r.intent, r.confidence, r.weight*weight(s.count(r.has)), r.reason)
	}
	return likely(r.intent, r.confidence, r.weight, r.reason)
}

// firstOf is what the first of some rules says that fits.
func firstOf(rules []rule, s *sentence, u *Understanding) (decision, bool) {
	for i := range rules {
		if rules[i].fits(s, u) {
			return rules[i].says(s, u)
		}
	}
	return decision{}, false
}

// substance are the tags of words that ask for something, beside which courtesy is only courtesy.
const substance = tEvent | tKind | tHappen | tPlan | tCalendar | tMeeting | tWrite | tRemind | tDate | tInfo | tOpen |
	tOut | tField | tHost

// courtesy knows greetings, thanks, farewells, questions to the concierge itself and calls for a
// person.
var courtesy = []rule{
	{
		reason: "wants to be talked to", intent: SmallTalk, confidence: 0.8, sure: true,
		not: substance &^ tHappen, times: untimed,
		when: func(s *sentence, _ *Understanding) bool { return words.Chat.In(string(s.lower)) },
	},
	{reason: "a matter of the venue", has: tStaff, when: when((*sentence).namesMatter)},
	{reason: "asks for a person", intent: CallStaff, confidence: 0.9, sure: true, has: tStaff},
	{reason: "asks for a person", intent: CallStaff, confidence: 0.9, sure: true, has: tStaffWord, and: tCall},
	{
		reason: "complains, or wants help", intent: CallStaff, confidence: 0.8, sure: true,
		not: tEvent | tKind | tHost, when: when((*sentence).inTrouble),
	},
	{
		reason: "asks who or what we are", intent: Identity, confidence: 0.9, sure: true,
		has: tIdentity, not: tEvent | tKind | tDate | tOut | tOpen, times: untimed, bare: true,
	},
	{
		reason: "asks who or what we are, beside something else", intent: Identity, confidence: 0.7, weight: slight,
		has: tIdentity, not: tEvent | tKind | tDate | tOut | tOpen, times: untimed,
		when: func(s *sentence, _ *Understanding) bool { return s.oneWord() && !s.asksWhoElse() },
	},
	{reason: "farewell", intent: Farewell, confidence: 0.95, sure: true, has: tBye, not: substance &^ tHappen},
	{reason: "thanks", intent: Thanks, confidence: 0.95, sure: true, has: tThanks, not: substance},
	{
		reason: "greeting", intent: Greeting, confidence: 0.95, sure: true,
		has: tGreet, not: substance, times: untimed, bare: true,
		when: func(_ *sentence, u *Understanding) bool { return u.Reference.Empty() },
	},
	{
		reason: "small talk", intent: SmallTalk, confidence: 0.8, sure: true,
		has: tSmall, not: substance, times: untimed, bare: true,
	},
}

// schedule knows what belongs to the owner's calendar: words of ownership or of writing beside a
// schedule.
var schedule = []rule{
	{reason: "wants to hold an event", has: tHost},
	{reason: "opening hours", has: tOpen, not: tWrite},
	{
		reason: "asks whether a room is free", intent: Info, confidence: 0.85, sure: true,
		when: when((*sentence).asksForRoom),
	},
	{
		reason: "asks what a room costs", intent: Info, confidence: 0.85, sure: true, atVenue: true,
		has: tRoom, and: tFieldPrice, not: tOwner | tCalendar | tPlan | tWrite | tRemind | tEvent | tKind,
	},
	{
		reason: "names a room of the venue", intent: Info, confidence: 0.85, sure: true, atVenue: true, times: untimed,
		has: tRoom, not: tOwner | tSelf | tCalendar | tPlan | tWrite | tRemind | tEvent | tKind | tFree | tOut,
	},
	{reason: "asks to be reminded", intent: Calendar, weight: strong, has: tRemind, not: tNotify | tOut},
	{reason: "asks to hear of something", intent: Calendar, weight: slight, has: tRemind},
	{
		reason: "names the calendar", intent: Calendar, weight: fair,
		has: tCalendar, and: tOwner | tSelf | tWrite | tFree | tPlan,
	},
	{
		reason: "names the calendar", intent: Calendar, weight: fair,
		has: tCalendar, not: tEvent | tKind | tInfo | tOut,
	},
	{
		reason: "the speaker's own schedule at a time", intent: Calendar, weight: strong, times: timed, bare: true,
		has: tPlan, and: tOwner, not: tInfo | tEvent | tKind | tOut,
	},
	{
		reason: "a schedule, with words of ownership or writing", intent: Calendar, weight: slight,
		has: tPlan, and: tOwner | tSelf | tWrite | tFree, not: tInfo | tEvent,
	},
	{
		reason: "a schedule, with words of ownership or writing", intent: Calendar, weight: slight,
		has: tPlan | tEvent, and: tOwner, not: tInfo | tField,
	},
	{
		reason: "writes a meeting at a time", intent: Calendar, weight: strong, times: timed,
		has: tMeeting, and: tWrite, not: tKind | tInfo,
	},
	{
		reason: "a meeting, with words of ownership or writing", intent: Calendar, weight: slight,
		has: tMeeting, and: tWrite, not: tKind,
	},
	{
		reason: "a meeting, with words of ownership or writing", intent: Calendar, weight: slight,
		has: tMeeting, and: tOwner | tSelf | tFree, not: tKind | tInfo,
	},
	{reason: "a meeting at a time", intent: Calendar, has: tMeeting, not: tKind | tInfo, times: timed},
	{
		reason: "writes an event", intent: Calendar, weight: slight,
		has: tEvent | tKind, and: tWrite, not: tInfo | tField | tOut,
	},
	{
		reason: "asks whether a time is free", intent: Calendar, weight: strong,
		has: tFree, not: tInfo | tEvent | tKind | tOut,
		when: func(s *sentence, _ *Understanding) bool {
			return s.dated() || s.has(tPlan|tCalendar|tMeeting) || s.has(tFieldTime) && s.content == ""
		},
	},
	{
		reason: "orders to write, without saying what", intent: Calendar, weight: strong, times: untimed, bare: true,
		has: tWrite, not: tInfo | tOut | tField | tDate | tAny | tMore | tStaff,
		when: func(s *sentence, _ *Understanding) bool { return !s.marked() },
	},
	{
		reason: "writes, without saying what", intent: Calendar, weight: slight, times: untimed, bare: true,
		has: tWrite, not: tInfo | tOut | tField | tDate | tAny | tMore | tStaff,
	},
	{
		reason: "writes something at a time", intent: Calendar, weight: slight, times: timed,
		has: tWrite, and: tOwner, not: tInfo | tOut | tField,
	},
}

// dates knows questions for dates as such.
var dates = []rule{
	{reason: "names events or opening hours", has: tEvent | tKind | tOpen | tHost},
	{
		reason: "asks for leap years", intent: DateCalc, confidence: 0.9, sure: true,
		when: func(s *sentence, _ *Understanding) bool { return words.LeapYear.In(string(s.lower)) },
	},
	{reason: "no business of a venue", has: tOut},
	{
		reason: "asks for a date or the time", intent: DateCalc, weight: strong, has: tDate, not: tInfo, bare: true,
	},
	{
		reason: "asks for the date or the time of something", intent: DateCalc, weight: slight, has: tDate, not: tInfo,
		when: func(s *sentence, _ *Understanding) bool {
			return len(s.times) > 0 || strings.Count(s.content, " ") <= 2
		},
	},
	{
		reason: "asks which day it is", intent: DateCalc, weight: fair, has: tDateWeak, not: tInfo | tOut | tPlan,
		when: func(s *sentence, _ *Understanding) bool { return len(s.times) > 0 || s.content == "" },
	},
	{reason: "asks for days that recur", intent: DateCalc, weight: strong, when: (*sentence).asksForDays},
	{
		reason: "asks for a weekday beside a date", intent: DateCalc, confidence: 0.7, sure: true,
		when: when((*sentence).onlyDayAndWeekday),
	},
	{
		reason: "asks the time, or that of what was spoken of", intent: DateCalc, confidence: 0.5, sure: true,
		when: when((*sentence).asksTheHour),
	},
}

// happenings knows questions for public events.
var happenings = []rule{
	{reason: "wants to hold an event", intent: Info, confidence: 0.85, sure: true, has: tHost},
	{
		reason: "asks how to take part in events", intent: Info, confidence: 0.75, sure: true, times: untimed,
		has: tEvent | tKind, and: tHowTo,
		when: func(_ *sentence, u *Understanding) bool { return !u.Reference.That && u.Reference.Ordinal == 0 },
	},
	{
		reason: "a kind of event, beside opening words", intent: Event, weight: strong,
		has: tKind, and: tOpen, not: tEvent,
	},
	{
		reason: "names events, perhaps the speaker's", intent: Event, weight: slight, programme: true,
		has: tEvent, and: tSelf | tCalendar,
	},
	{
		reason: "names events", intent: Event, weight: strong, has: tEvent, not: tOwner | tWrite, bare: true,
		when: func(_ *sentence, u *Understanding) bool { return !u.Reference.That },
	},
	{reason: "names events, beside something else", intent: Event, weight: slight, has: tEvent},
	{
		reason: "names what may be a kind of event", intent: Event, weight: fair, has: tKind, atVenue: true,
		not: tInfo | tOut | tOpen | tDate | tOwner | tSelf | tWrite | tMeeting | tPlan | tCalendar | tIdentity |
			tSmall | tFieldPlace,
		when: func(s *sentence, _ *Understanding) bool { return !s.plain(tKind) && !s.asksPast() },
	},
	{
		reason: "names what may be a kind of event", intent: Event, weight: slight, has: tKind,
		when: func(s *sentence, _ *Understanding) bool { return !s.plain(tKind) && !s.elsewhere() },
	},
	{
		reason: "names a kind of event", intent: Event, weight: strong, has: tKind,
		when: func(s *sentence, _ *Understanding) bool { return s.plain(tKind) && !s.elsewhere() },
	},
	{
		reason: "a schedule, as on a notice board", intent: Event, weight: strong, has: tPlan, not: tInfo | tOut,
		when: when((*sentence).isNotice),
	},
	{
		reason: "a schedule without words of ownership", intent: Event, weight: fair, programme: true,
		has: tPlan, not: tInfo | tOut,
	},
	{
		reason: "asks what is on somewhere", intent: Event, weight: fair, programme: true, times: timed,
		has: tHappen, not: tOut | tOwner | tSelf,
		when: func(s *sentence, _ *Understanding) bool { return s.content != "" && s.oneWord() },
	},
	{
		reason: "asks what is on in those days", intent: Event, weight: strong, bare: true,
		has: tHappen, not: tOut | tOwner | tSelf, when: when((*sentence).named),
	},
	{
		reason: "asks what is on", intent: Event, weight: fair, programme: true, bare: true,
		has: tHappen, not: tOut | tOwner | tSelf,
		when: func(s *sentence, _ *Understanding) bool { return len(s.times) > 0 || !s.has(tInfo) },
	},
	{
		reason: "asks what there is at a time", intent: Event, weight: fair, programme: true, bare: true,
		has: tAny | tMore, not: tInfo | tOut | tDate | tDateWeak | tSelf, when: when((*sentence).dated),
	},
}

// outside knows what is clearly no venue's business.
var outside = []rule{
	{reason: "no business of a venue", intent: OutOfScope, confidence: 0.8, weight: slight, has: tOut, not: tOpen},
}

// venue knows what is asked about the place itself.
var venue = []rule{
	{
		reason: "names the venue", intent: Info, confidence: 0.8, sure: true, has: tVenue, times: untimed, bare: true,
		when: func(_ *sentence, u *Understanding) bool { return u.Reference.Field == FieldNone },
	},
	{
		reason: "wants to take back a registration", intent: Info, confidence: 0.8, sure: true, atVenue: true,
		has: tFieldSignUp, not: tOwner | tMeeting | tCalendar | tPlan,
		when: func(s *sentence, _ *Understanding) bool { return words.TakesBack.In(string(s.lower)) },
	},
	{
		reason: "asks what there is near the venue", intent: Info, confidence: 0.85, weight: fair, atVenue: true,
		when: func(s *sentence, _ *Understanding) bool { return s.question && s.asksNearby() },
	},
	{
		reason: "asks when the venue is open", intent: Info, confidence: 0.85, weight: strong,
		has: tOpen, not: tPlan | tMeeting | tCalendar | tOwner,
		when: func(s *sentence, _ *Understanding) bool { return s.atVenue || s.plain(tOpen) },
	},
	{
		reason: "a matter of the venue", intent: Info, confidence: 0.85, weight: slight, perWord: true,
		has: tInfo | tOpen,
	},
	{
		reason: "points at what was said before", intent: Unclear, confidence: 0.4, sure: true,
		when: func(s *sentence, u *Understanding) bool {
			return u.Reference.Ordinal != 0 || u.Reference.Other || u.Reference.More && s.content == ""
		},
	},
	{
		reason: "counts from a day", intent: DateCalc, confidence: 0.8, sure: true,
		when: func(s *sentence, u *Understanding) bool { return u.Reference.Elliptic && s.counts() },
	},
	{
		reason: "only a time: what is on then, unless something was spoken of", intent: Event, weight: slight,
		programme: true, when: func(_ *sentence, u *Understanding) bool { return u.Reference.Elliptic },
	},
	{
		reason: "asks for a detail", intent: Info, confidence: 0.5, sure: true, atVenue: true, bare: true,
		when: func(_ *sentence, u *Understanding) bool { return u.Reference.Field != FieldNone },
	},
	{
		reason: "asks for a detail", intent: Info, confidence: 0.5,
		when: func(_ *sentence, u *Understanding) bool { return u.Reference.Field != FieldNone },
	},
}

// when is a condition of a rule that needs the sentence alone.
func when(is func(*sentence) bool) func(*sentence, *Understanding) bool {
	return func(s *sentence, _ *Understanding) bool { return is(s) }
}

// oneWord reports whether at most one word says something.
func (s *sentence) oneWord() bool { return !strings.Contains(s.content, " ") }

// elsewhere reports whether it is told of something that is no business of a venue.
func (s *sentence) elsewhere() bool { return s.has(tOut) && len(s.times) == 0 && !s.has(tAsk) }

// counts reports whether a time counts from another one: 1月31日の1か月後.
func (s *sentence) counts() bool {
	for i := range s.times {
		if s.times[i].Counted {
			return true
		}
	}
	return false
}
