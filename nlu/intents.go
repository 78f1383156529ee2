package nlu

import (
	"slices"
	"strings"
	"unicode/utf8"

	"annai/nlu/danger"
	"annai/nlu/datetime"
	"annai/nlu/words"
)

// safety is what is learnt of danger to people, which nothing else outweighs.
func (r *Reader) safety(_ *sentence, u *Understanding) (decision, bool) {
	class, p := r.danger.Read(u.Text)
	if class == danger.None {
		return decision{}, false
	}
	reason := "danger: " + string(class)
	return decision{intent: Safety, confidence: p, weight: certain, reason: reason, danger: class}, true
}

// known is what a rule says that needs no n-grams.
func known(intent Intent, confidence float64, reason string) (decision, bool) {
	return decision{intent: intent, confidence: confidence, weight: certain, reason: reason}, true
}

// likely is what a rule says that is weighed against the n-grams. The confidence is that in an
// intent that is for no agent of its own.
func likely(intent Intent, confidence float64, w weight, reason string) (decision, bool) {
	return decision{intent: intent, confidence: confidence, weight: w, reason: reason}, true
}

// whatIsOn decides a question about the programme. At a venue that is a question for its events;
// elsewhere it may as well be one for the speaker's own time.
func (s *sentence) whatIsOn(w weight, reason string) (decision, bool) {
	if s.atVenue {
		return likely(Event, 0, strong, reason)
	}
	return decision{intent: Event, weight: w, ownerUnknown: true, reason: reason}, true
}

// answered are the answers that an utterance has among other words: its pieces between pauses, and
// its words.
func (r *Reader) answered(s *sentence) map[Intent]bool {
	var found map[Intent]bool
	for _, isEnd := range [...]func(rune) bool{
		isPunctuation,
		func(c rune) bool { return c == ' ' || isPunctuation(c) },
	} {
		for piece := range strings.FieldsFuncSeq(string(s.lower), isEnd) {
			if intent, ok := r.answers[strings.TrimSpace(piece)]; ok {
				if found == nil {
					found = map[Intent]bool{}
				}
				found[intent] = true
			}
		}
	}
	return found
}

// answer knows utterances that only answer a question.
func (r *Reader) answer(s *sentence, _ *Understanding) (decision, bool) {
	intent, ok := r.answers[s.bare]
	switch {
	case !ok:
		return decision{}, false
	case intent == Unclear:
		return known(Unclear, 0.3, "does not know")
	}
	return known(intent, 0.95, "the whole utterance is an answer")
}

// substance are the tags of words that ask for something, beside which courtesy is only courtesy.
const substance = tEvent | tKind | tHappen | tPlan | tCalendar | tMeeting | tWrite | tRemind | tDate | tInfo | tOpen | tOut | tField | tHost

// courtesy knows greetings, thanks, farewells, questions to the concierge itself and calls for a
// person.
func courtesy(s *sentence, u *Understanding) (decision, bool) {
	switch {
	case s.has(tStaffWord) && s.asksIfSpoken():
		return known(Info, 0.85, "asks which languages the staff speak")
	case s.wantsTalk():
		return known(SmallTalk, 0.8, "wants to be talked to")
	case s.has(tStaff) && s.namesMatter():
	case s.has(tStaff) || s.has(tStaffWord) && s.has(tCall):
		return known(CallStaff, 0.9, "asks for a person")
	case s.reportsDefect():
		u.Complaint = true
		return known(CallStaff, 0.8, "reports that something does not work")
	case s.inTrouble():
		u.Complaint = s.disturbed()
		return known(CallStaff, 0.8, "complains, or wants help")
	case s.asksLanguages():
		return known(Identity, 0.8, "asks which languages we speak")
	case s.has(tIdentity) && !s.has(tEvent|tKind|tDate|tOut|tOpen) && strings.Count(s.content, " ") == 0 &&
		len(s.times) == 0 && !s.asksWhoElse():
		if s.content != "" {
			return likely(Identity, 0.7, slight, "asks who or what we are, beside something else")
		}
		return known(Identity, 0.9, "asks who or what we are")
	case s.has(tBye) && !s.has(substance&^tHappen):
		return known(Farewell, 0.95, "farewell")
	case s.has(tThanks) && !s.has(substance):
		return known(Thanks, 0.95, "thanks")
	case s.has(tGreet) && !s.has(substance) && len(s.times) == 0 && s.content == "" && u.Reference.Empty():
		return known(Greeting, 0.95, "greeting")
	case s.has(tSmall) && !s.has(substance) && len(s.times) == 0 && s.content == "":
		return known(SmallTalk, 0.8, "small talk")
	}
	return decision{}, false
}

// asksWhoElse reports whether it is asked who somebody else is: 館長は誰ですか
func (s *sentence) asksWhoElse() bool { return s.content != "" && words.WhoElse.In(string(s.lower)) }

// schedule knows what belongs to the owner's calendar: words of ownership or of writing beside a
// schedule.
func schedule(s *sentence, _ *Understanding) (decision, bool) {
	yes := func(w weight, reason string) (decision, bool) { return likely(Calendar, 0, w, reason) }
	entry := s.has(tPlan | tCalendar | tMeeting)
	switch {
	case s.has(tHost) || s.has(tOpen) && !s.has(tWrite):
	case s.asksForRoom():
		return known(Info, 0.85, "asks whether a room is free")
	case s.atVenue && s.has(tRoom) && s.has(tFieldPrice) && !s.has(tOwner|tCalendar|tPlan|tWrite|tRemind|tEvent|tKind):
		return known(Info, 0.85, "asks what a room costs")
	case s.atVenue && s.has(tRoom) && len(s.times) == 0 &&
		!s.has(tOwner|tSelf|tCalendar|tPlan|tWrite|tRemind|tEvent|tKind|tFree|tOut):
		return known(Info, 0.85, "names a room of the venue")
	case s.entry == entryChanged && len(s.times) > 0:
		return yes(strong, "changes an entry to a time")
	case s.entry == entryAsked && s.language == Japanese && !s.has(tEvent|tKind|tOwner):
		return s.whatIsOn(strong, "asks for the time of what is on")
	case s.entry == entryAsked && s.language == English:
		return yes(strong, "asks when an entry of the speaker's is")
	case s.entry == entryNoted && s.outAt(s.spans[0][0]) && !s.question && !s.has(tEvent|tKind|tField):
		return yes(strong, "an entry and its time, and no more")
	case s.has(tRemind) && !s.has(tNotify|tOut):
		return yes(strong, "asks to be reminded")
	case s.has(tRemind):
		return yes(slight, "asks to hear of something")
	case s.has(tCalendar) && (s.has(tOwner|tSelf|tWrite|tFree|tPlan) || !s.has(tEvent|tKind|tInfo|tOut)):
		return yes(fair, "names the calendar")
	case s.has(tPlan) && s.has(tOwner) && s.content == "" && len(s.times) > 0 && !s.has(tInfo|tEvent|tKind|tOut):
		return yes(strong, "the speaker's own schedule at a time")
	case s.has(tPlan) && s.has(tOwner|tSelf|tWrite|tFree) && !s.has(tInfo|tEvent) || s.has(tPlan|tEvent) &&
		s.has(tOwner) && !s.has(tInfo|tField):
		return yes(slight, "a schedule, with words of ownership or writing")
	case s.has(tMeeting) && s.has(tWrite) && len(s.times) > 0 && !s.has(tKind|tInfo):
		return yes(strong, "writes a meeting at a time")
	case s.has(tMeeting) && !s.has(tKind) && (s.has(tWrite) || !s.has(tInfo) && s.has(tOwner|tSelf|tFree)):
		return yes(slight, "a meeting, with words of ownership or writing")
	case s.has(tMeeting) && !s.has(tKind|tInfo) && len(s.times) > 0:
		return yes(none, "a meeting at a time")
	case s.has(tEvent|tKind) && s.has(tWrite) && !s.has(tInfo|tField|tOut):
		return yes(slight, "writes an event")
	case s.has(tFree) && !s.has(tInfo|tEvent|tKind|tOut) &&
		(s.dated() || entry || s.has(tFieldTime) && s.content == ""):
		return yes(strong, "asks whether a time is free")
	case s.has(tWrite) && s.content == "" && len(s.times) == 0 && !s.has(tInfo|tOut|tField|tDate|tAny|tMore|tStaff):
		return yes(slight, "writes, without saying what")
	case s.has(tWrite) && s.has(tOwner) && len(s.times) > 0 && !s.has(tInfo|tOut|tField):
		return yes(slight, "writes something at a time")
	}
	return decision{}, false
}

// outAt reports whether what is no business of a venue is only the word before rune i: vacation,
// but not the weather of a weather report.
func (s *sentence) outAt(i int) bool {
	for i > 0 && s.lower[i-1] == ' ' {
		i--
	}
	return s.has(tOut) && !slices.ContainsFunc(s.hits, func(h hit) bool { return h.tags&tOut != 0 && h.end != i })
}

// dates knows questions for dates as such.
func dates(s *sentence, u *Understanding) (decision, bool) {
	yes := func(w weight, reason string) (decision, bool) { return likely(DateCalc, 0, w, reason) }
	switch {
	case s.has(tEvent | tKind | tOpen | tHost):
	case containsAny(string(s.lower), leap):
		return known(DateCalc, 0.9, "asks for leap years")
	case s.has(tOut):
	case s.has(tDate) && !s.has(tInfo) && (len(s.times) > 0 || strings.Count(s.content, " ") <= 2):
		if s.content != "" {
			return yes(slight, "asks for the date or the time of something")
		}
		return yes(strong, "asks for a date or the time")
	case s.has(tDateWeak) && !s.has(tInfo|tOut|tPlan) && (len(s.times) > 0 || s.content == ""):
		return yes(fair, "asks which day it is")
	case s.asksForDays(u):
		return yes(strong, "asks for days that recur")
	case s.onlyDayAndWeekday():
		return known(DateCalc, 0.7, "asks for a weekday beside a date")
	case s.asksTheHour():
		return known(DateCalc, 0.5, "asks the time, or that of what was spoken of")
	}
	return decision{}, false
}

// leap are words for years of 366 days.
var leap = []string{"うるう年", "うるう日", "閏", "leap year", "leap day"}

// asksForDays knows "what are the Tuesdays in March?": a question that has words for nothing but
// days that recur.
func (s *sentence) asksForDays(u *Understanding) bool {
	recurs := len(s.times) == 1 && s.times[0].Kind == datetime.KindSet || s.daysWithin()
	return s.question && recurs && s.content == "" && !u.Reference.Elliptic &&
		!s.has(substance&^tDate|tAny|tMore|tFree|tSelf|tOwner|tThat|tHowTo)
}

// asksTheHour knows 何時ですか and 何時か教えて: the hour, of whatever was spoken of, or now.
func (s *sentence) asksTheHour() bool {
	if len(s.times) > 0 || s.content != "" {
		return false
	}
	asked := false
	for _, h := range s.hits {
		switch word := string(s.lower[h.start:h.end]); {
		case word == "何時" || word == "なんじ":
			asked = true
		case h.tags&tField != 0 || h.tags&^tCut&^tAsk != 0 && !ellipticWords[word]:
			return false
		}
	}
	return asked
}

// onlyDayAndWeekday knows 来月の火曜日は？ and 4月23日は土曜日ですか: a weekday beside another date, and nothing else.
func (s *sentence) onlyDayAndWeekday() bool {
	if len(s.times) != 2 || s.content != "" || s.has(substance|tAny) {
		return false
	}
	return s.daysWithin() || !isWeekday(s.times[0].Text) && isWeekday(s.times[1].Text)
}

// daysWithin reports whether all that is said of a time are days of the week that recur and a longer
// time: Tuesdays next month.
func (s *sentence) daysWithin() bool {
	if len(s.times) != 2 {
		return false
	}
	days, within := s.times[0], s.times[1]
	if days.Kind != datetime.KindSet {
		days, within = within, days
	}
	return days.Kind == datetime.KindSet && len(days.Weekdays) > 0 && within.Kind == datetime.KindDays
}

// isWeekday reports whether words name a day of the week.
func isWeekday(words string) bool {
	return strings.Contains(words, "曜") || strings.HasSuffix(strings.ToLower(words), "day") &&
		!strings.HasSuffix(strings.ToLower(words), "today")
}

// happenings knows questions for public events.
func happenings(s *sentence, u *Understanding) (decision, bool) {
	yes := func(w weight, reason string) (decision, bool) { return likely(Event, 0, w, reason) }
	switch {
	case s.has(tHost):
		return known(Info, 0.85, "wants to hold an event")
	case s.has(tEvent|tKind) && s.has(tHowTo) && !u.Reference.That && u.Reference.Ordinal == 0 && len(s.times) == 0:
		return known(Info, 0.75, "asks how to take part in events")
	case s.has(tEvent|tKind) && s.has(tOpen) && !s.has(tEvent):
		return yes(strong, "a kind of event, beside opening words")
	case s.has(tEvent) && s.has(tSelf|tCalendar):
		return s.whatIsOn(slight, "names events, perhaps the speaker's")
	case s.has(tEvent) && s.content == "" && !u.Reference.That && !s.has(tOwner|tWrite):
		return yes(strong, "names events")
	case s.has(tEvent):
		return yes(slight, "names events, beside something else")
	case s.has(tKind) && s.namesGathering():
		return yes(strong, "asks for a gathering by what is done there")
	case s.atVenue && s.language == English && words.Anything.In(string(s.lower)) && words.ForWhom.In(string(s.lower)):
		return yes(fair, "asks what there is for some people")
	case s.has(tKind) && !(s.has(tOut) && len(s.times) == 0 && !s.has(tAsk)):
		if !s.plain(tKind) {
			return yes(s.broadly(), "names what may be a kind of event")
		}
		return yes(strong, "names a kind of event")
	case s.has(tPlan) && !s.has(tInfo|tOut):
		if s.isNotice() {
			return yes(strong, "a schedule, as on a notice board")
		}
		return s.whatIsOn(fair, "a schedule without words of ownership")
	case s.has(tHappen) && !s.has(tOut|tOwner|tSelf) && (len(s.times) > 0 || !s.has(tInfo)) &&
		strings.Count(s.content, " ") == 0 && (len(s.times) > 0 || s.content == ""):
		switch {
		case s.content != "":
			return s.whatIsOn(fair, "asks what is on somewhere")
		case s.named():
			return yes(strong, "asks what is on in those days")
		}
		return s.whatIsOn(fair, "asks what is on")
	case s.asksWhatThereIs():
		return s.whatIsOn(fair, "asks what there is at a time")
	}
	return decision{}, false
}

// namesGathering knows a gathering that is called by what is done there, and that it takes place:
// 外国の人と話せる会がある.
func (s *sentence) namesGathering() bool {
	called, behind, ok := strings.Cut(s.bare, "会")
	if last, _ := utf8.DecodeLastRuneInString(called); !ok || !s.atVenue || !strings.ContainsRune("るたいう", last) {
		return false
	}
	_, on := words.Gathers.Begin(behind)
	return on || behind == ""
}

// nearby are words for what is around the venue.
var nearby = []string{
	"nearby", "near here", "near by", "close by", "around here", "in the neighborhood",
	"in the neighbourhood", "近くに", "近くで", "近くの", "この辺", "この近く", "近所",
}

// asksNearby knows a question for what is around the venue, and no event.
func (s *sentence) asksNearby() bool {
	return !s.has(tEvent|tKind|tPlan|tCalendar|tMeeting|tOut) && containsAny(s.bare, nearby)
}

// broadly is how much a kind of event counts that has other meanings, too: at a venue more, where
// nothing else says what is meant.
func (s *sentence) broadly() weight {
	if s.atVenue && !s.asksPast() && !s.has(tInfo|tOut|tOpen|tDate|tOwner|tSelf|tWrite|tMeeting|tPlan|tCalendar|tIdentity|tSmall|tFieldPlace) {
		return fair
	}
	return slight
}

// plain reports whether a word says something that has no other meaning.
func (s *sentence) plain(t tag) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.tags&t != 0 && h.tags&tBroad == 0 })
}

// asksWhatThereIs knows "anything this weekend?" and 今日は何？: a time, a question word, nothing else.
func (s *sentence) asksWhatThereIs() bool {
	return s.dated() && s.content == "" && s.has(tAny|tMore) && !s.has(tInfo|tOut|tDate|tDateWeak|tSelf)
}

// count is how many words say something.
func (s *sentence) count(t tag) (n int) {
	for _, h := range s.hits {
		if h.tags&t != 0 {
			n++
		}
	}
	return n
}

// isNotice knows 来週のスケジュール and "this month's schedule", a schedule of several days without a verb,
// and 今日の予定を確認したい, the wish to see that of a day: to his own calendar one gives orders.
func (s *sentence) isNotice() bool {
	if s.content != "" || !s.named() {
		return false
	}
	wish := false
	for _, h := range s.hits {
		word := string(s.lower[h.start:h.end])
		switch {
		case strings.HasSuffix(word, "たい") || strings.HasSuffix(word, "たいです"):
			wish = true
		case h.tags&tPlan == 0 && !ellipticWords[word] && word != "確認":
			return false
		}
	}
	return wish || s.severalDays()
}

// named reports whether what is named are the days that visitors ask for: today, this weekend, next
// month.
func (s *sentence) named() bool {
	for _, t := range s.times {
		if t.Kind != datetime.KindDay && t.Kind != datetime.KindDays || t.Name == datetime.Date ||
			t.Name == datetime.Range {
			return false
		}
	}
	return len(s.times) > 0
}

// severalDays reports whether a week is named, a month or the like.
func (s *sentence) severalDays() bool {
	return len(s.times) > 0 && !slices.ContainsFunc(s.times,
		func(t datetime.Expression) bool { return t.Kind != datetime.KindDays })
}

// outside knows what is clearly no venue's business.
func outside(s *sentence, _ *Understanding) (decision, bool) {
	if s.has(tOut) && !s.has(tOpen) {
		return likely(OutOfScope, 0.8, slight, "no business of a venue")
	}
	return decision{}, false
}

// venue knows what is asked about the place itself.
func venue(s *sentence, u *Understanding) (decision, bool) {
	switch {
	case s.has(tVenue) && s.content == "" && len(s.times) == 0 && u.Reference.Field == FieldNone:
		return known(Info, 0.8, "names the venue")
	case s.atVenue && s.has(tFieldSignUp) && words.TakesBack.In(string(s.lower)) &&
		!s.has(tOwner|tMeeting|tCalendar|tPlan):
		return known(Info, 0.8, "wants to take back a registration")
	case s.atVenue && s.question && s.asksNearby():
		return likely(Info, 0.85, fair, "asks what there is near the venue")
	case s.has(tOpen) && (s.atVenue || s.plain(tOpen)) && !s.has(tPlan|tMeeting|tCalendar|tOwner):
		return likely(Info, 0.85, strong, "asks when the venue is open")
	case s.has(tInfo | tOpen):
		return likely(Info, 0.85, slight*weight(s.count(tInfo|tOpen)), "a matter of the venue")
	case u.Reference.Ordinal != 0 || u.Reference.Other || u.Reference.More && s.content == "":
		return known(Unclear, 0.4, "points at what was said before")
	case u.Reference.Elliptic:
		return s.onlyTime()
	case u.Reference.Field != FieldNone && s.content == "" && s.atVenue:
		return known(Info, 0.5, "asks for a detail")
	case u.Reference.Field != FieldNone:
		return likely(Info, 0.5, none, "asks for a detail")
	}
	return decision{}, false
}

// onlyTime knows what is asked with a time alone: which day it is, where it counts from another one, else
// what is on then.
func (s *sentence) onlyTime() (decision, bool) {
	if slices.ContainsFunc(s.times, func(t datetime.Expression) bool { return t.Counted }) {
		return known(DateCalc, 0.8, "counts from a day")
	}
	return s.whatIsOn(slight, "only a time: what is on then, unless something was spoken of")
}

// fallback is for what no rule knows: a question may be about the venue, words without a question
// less so.
func fallback(s *sentence, u *Understanding) decision {
	switch {
	case s.content == "" && len(s.times) == 0 && !u.Reference.That:
		return decision{intent: Unclear, confidence: 0.3, weight: slight, reason: "no word that says anything"}
	case s.question:
		return decision{intent: Info, confidence: 0.4, reason: "a question that may be about the venue"}
	}
	return decision{intent: Info, confidence: 0.3, reason: "words without a known meaning"}
}
