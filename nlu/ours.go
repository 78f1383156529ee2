package nlu

import (
	"strings"
	"unicode/utf8"

	"annai/nlu/words"
)

// plausiblyAboutVenue reports whether what the n-grams refuse may be the venue's after all: it
// names the venue, or what venues have, or asks what something is, or when or where, that no rule
// knows.
func (s *sentence) plausiblyAboutVenue() bool {
	return s.has(tVenue) || s.atVenue && (s.has(tKind|tEvent|tInfo|tOpen|tRoom|tHost|tThatDay) ||
		s.field() != FieldNone || s.asksWhatIs())
}

// asksWhatIs knows whole utterances that ask what something is.
func (s *sentence) asksWhatIs() bool {
	text, _ := words.Excuse.Begin(s.bare)
	if thing, ok := words.WhatIs.Begin(text); ok {
		return thing != "" && strings.Count(thing, " ") < maxNameWords
	}
	text, _ = words.EndsWhat.End(s.bare)
	thing, ok := words.WhatItIs.End(text)
	return ok && thing != "" && !strings.Contains(thing, " ") && utf8.RuneCountInString(thing) <= maxNameRunes
}

// How many words and characters the name of a thing has at most.
const (
	maxNameWords = 4
	maxNameRunes = 20
)

// asksForRoom knows 会議室空いてますか, "is the meeting room free at 3" and, at the venue, the wish to book
// one: a room of the venue's, where nothing says that it is the speaker's.
func (s *sentence) asksForRoom() bool {
	if !s.has(tRoom) || s.has(tOwner|tSelf|tCalendar|tPlan|tMeeting|tWrite|tRemind|tEvent|tKind) {
		return false
	}
	text := string(s.lower)
	return s.has(tFree) || s.atVenue && strings.Contains(text, "予約") || s.dated() && words.Vacant.In(text) &&
		!words.ForNothing.In(text)
}
