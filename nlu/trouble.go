package nlu

import (
	"strings"

	"annai/nlu/words"
)

// inTrouble knows complaints, and wishes for help with no more said than that.
func (s *sentence) inTrouble() bool {
	return s.has(tTrouble) || words.HelpOnly.In(s.bare) && words.Nothing(s.bare, words.HelpOnly, words.AroundHelp)
}

// namesMatter knows who wants to talk with somebody about what the venue is there for: "talk to
// someone about my career".
func (s *sentence) namesMatter() bool {
	return s.has(tInfo) && (strings.Contains(string(s.lower), " about ") || strings.Contains(string(s.lower), "について"))
}
