package nlu

import (
	"strings"

	"annai/nlu/words"
)

// inTrouble knows complaints, and wishes for help with no more said than that.
func (s *sentence) inTrouble() bool {
	return s.has(tTrouble) || words.HelpOnly.In(s.bare) && words.Nothing(s.bare, words.HelpOnly, words.AroundHelp)
}

// disturbed knows who is disturbed by what others do, and does not ask whether they will be.
func (s *sentence) disturbed() bool {
	said := string(s.lower)
	return words.Loud.In(said) && words.Neighbour.In(said) && !s.asks()
}

// asks reports whether an utterance is a question by its form.
func (s *sentence) asks() bool {
	_, ok := words.QuestionWord.Begin(s.bare)
	return ok || s.marked()
}

// reportsDefect knows who says that a thing of the house does not work: 電気がつかない, "the printer is
// broken". The staff must know. トイレが使えない is a report, トイレは使えないですか none.
func (s *sentence) reportsDefect() bool {
	said := string(s.lower)
	switch {
	case s.has(tEvent | tKind | tHost | tPlan | tCalendar), s.asks():
		return false
	case words.UsedUp.In(said):
		return true
	}
	return words.Thing.In(said) && (words.Defect.In(said) || words.Denied.In(said) && words.Works.In(said))
}

// wantsTalk knows who wants to be talked to, and about nothing: 暇だから何か話して, "tell me a story".
func (s *sentence) wantsTalk() bool {
	return !s.has(substance&^tHappen) && s.ordinal == 0 && len(s.times) == 0 &&
		words.Chat.In(s.bare) && words.Nothing(s.bare, words.Chat, words.AroundChat)
}

// namesMatter knows who wants to talk with somebody about what the venue is there for: "talk to
// someone about my career".
func (s *sentence) namesMatter() bool {
	return s.has(tInfo) && (strings.Contains(string(s.lower), " about ") || strings.Contains(string(s.lower), "について"))
}

// asksIfSpoken reports whether it is asked whether somebody speaks a language.
func (s *sentence) asksIfSpoken() bool {
	return words.SpeakLanguage.In(string(s.lower)) || words.LanguageSpoken.In(string(s.lower))
}

// asksLanguages knows who asks for the languages of whom one speaks to.
func (s *sentence) asksLanguages() bool {
	if _, behind, ok := words.WhichLanguages.Cut(s.bare); ok && !strings.HasPrefix(behind, "の") {
		return words.SpeaksThem.In(behind)
	}
	_, ok := words.OurJapanese.Begin(s.bare)
	return ok
}
