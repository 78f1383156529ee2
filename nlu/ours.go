package nlu

import (
	"regexp"
	"strings"
)

// plausiblyAboutVenue reports whether what the n-grams refuse may be the venue's after all: it
// names the venue, or what venues have, or asks what something is, or when or where, that no rule
// knows.
func (s *sentence) plausiblyAboutVenue() bool {
	return s.has(tVenue) || s.atVenue && (s.has(tKind|tEvent|tInfo|tOpen|tRoom|tHost|tThatDay) ||
		s.field() != FieldNone || whatIs.MatchString(s.bare))
}

// whatIs are whole utterances that ask what something is.
var whatIs = regexp.MustCompile(`^(?:(?:sorry|excuse me|so|and|um|hi|hello) )*(?:what is|what's|whats|what are|what was|what does|tell me about|can you explain|explain)(?: [^ ]+){1,4}$|^[^ ]{1,20}(?:とは|って)(?:何|なに|なん)?(?:ですか|でしょうか|のことですか|のこと|なの|だっけ|か)?$`)

// asksForRoom knows 会議室空いてますか, "is the meeting room free at 3" and, at the venue, the wish to book
// one: a room of the venue's, where nothing says that it is the speaker's.
func (s *sentence) asksForRoom() bool {
	if !s.has(tRoom) || s.has(tOwner|tSelf|tCalendar|tPlan|tMeeting|tWrite|tRemind|tEvent|tKind) {
		return false
	}
	text := string(s.lower)
	return s.has(tFree) || s.atVenue && strings.Contains(text, "予約") || s.dated() && vacant.MatchString(text) &&
		!strings.Contains(text, "free of charge") && !strings.Contains(text, "for free")
}

// vacant are words for a room that nobody uses.
var vacant = regexp.MustCompile(`\b(?:free|available|vacant|open|taken|occupied|in use|booked)\b|空き|空室|満室|満席|使われて|埋まって`)
