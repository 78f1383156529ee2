package words

import _ "embed"

//go:embed talk.tsv
var talkWords string

// The lists of what is said about the talk itself.
const (
	OnceMore       Phrases = "once_more"        // wants to hear the last answer again
	AroundOnceMore Phrases = "around_once_more" // may stand around it
	OnlyAsked      Phrases = "only_asked"       // wants to hear it again as a question of its own
	InJapanese     Phrases = "in_japanese"      // wants to be answered in Japanese
	InEnglish      Phrases = "in_english"       // wants to be answered in English
	AroundLanguage Phrases = "around_language"  // may stand around these

	Excuse       Phrases = "excuse"         // stands before a question
	AsksBoth     Phrases = "asks_both"      // stands in English before two things that are asked for
	AskedOfBoth  Phrases = "asked_of_both"  // stands in Japanese behind them
	PartOfBoth   Phrases = "part_of_both"   // what is asked of both
	NotTwoThings Phrases = "not_two_things" // compares, or makes a condition of one
	Also         Phrases = "also"           // begins a second question in Japanese
	AndAlso      Phrases = "and_also"       // begins one in English
	AsksNext     Phrases = "asks_next"      // begins one in Japanese behind a thing and と
	QuestionWord Phrases = "question_word"  // begins a question in English
	EndsAsking   Phrases = "ends_asking"    // ends a question
	LeavesOut    Phrases = "leaves_out"     // stands behind what is left out in Japanese, and before it in English
)
