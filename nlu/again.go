package nlu

import (
	"slices"
	"strings"

	"annai/nlu/datetime"
	"annai/nlu/words"
)

// longestPardon is how many runes an utterance may have that only asks to hear the last answer again.
const longestPardon = 60

// asksAgain reports whether the utterance only asks to hear the last answer again.
func (s *sentence) asksAgain() bool {
	if slices.ContainsFunc(s.times, func(t datetime.Expression) bool {
		return t.Text != "今" && t.Text != "いま" && !strings.EqualFold(t.Text, "now")
	}) || len(s.lower) > longestPardon || s.has(tEvent|tKind|tInfo|tOpen|tPlan|tCalendar|tMeeting|tHost|tDate|tOut) {
		return false
	}
	bare := strings.TrimSpace(s.bare)
	if words.OnlyAsked.In(bare) {
		return strings.ContainsAny(string(s.text), "?？")
	}
	return words.OnceMore.In(bare) && words.Nothing(bare, words.OnceMore, words.AroundOnceMore)
}

// speaks is the language in which the utterance wants the talk to go on, if it wants nothing else:
// 英語でお願いします.
func (s *sentence) speaks() Language {
	japanese, english := words.InJapanese.In(s.bare), words.InEnglish.In(s.bare)
	switch {
	case japanese == english, len(s.lower) > longestPardon,
		!words.Nothing(s.bare, words.InJapanese, words.InEnglish, words.AroundLanguage):
		return ""
	case japanese:
		return Japanese
	}
	return English
}

// repetition knows utterances that ask to hear the last answer again.
func repetition(_ *sentence, u *Understanding) (decision, bool) {
	if !u.Reference.Repeat {
		return decision{}, false
	}
	return known(Unclear, 0.6, "asks to hear the last answer again")
}
