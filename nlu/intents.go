package nlu

import (
	"slices"
	"strings"

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

// asksWhoElse reports whether it is asked who somebody else is: 館長は誰ですか
func (s *sentence) asksWhoElse() bool { return s.content != "" && words.WhoElse.In(string(s.lower)) }

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

// nearby are words for what is around the venue.
var nearby = []string{
	"nearby", "near here", "near by", "close by", "around here", "in the neighborhood",
	"in the neighbourhood", "近くに", "近くで", "近くの", "この辺", "この近く", "近所",
}

// asksNearby knows a question for what is around the venue, and no event.
func (s *sentence) asksNearby() bool {
	return !s.has(tEvent|tKind|tPlan|tCalendar|tMeeting|tOut) && containsAny(s.bare, nearby)
}

// plain reports whether a word says something that has no other meaning.
func (s *sentence) plain(t tag) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.tags&t != 0 && h.tags&tBroad == 0 })
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

// fallback is for what no rule knows: a question may be about the venue, words without a question
// less so.
func fallback(s *sentence, u *Understanding) decision {
	switch {
	case s.content == "" && len(s.times) == 0 && !u.Reference.That:
		return decision{intent: Unclear, confidence: 0.3, weight: slight, reason: "no word that says anything"}
	case s.question:
		return decision{intent: Info, confidence: 0.4, reason: "a question that may be about the venue"}
	}
	return decision{intent: Info, confidence: 0.3, reason: NoMeaning}
}
