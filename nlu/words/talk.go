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
)
