package nlu

import (
	"strings"
	"sync"
)

// typed are English words that visitors type in a hurry. Of each no other word is one slip away but
// its plural.
const typed = "toilet|restroom|bathroom|washroom|password|parking|printer|workshop|hackathon|meeting|wheelchair|elevator|umbrella|membership|reservation|registration|reception|restaurant|" +
	"address|station|airport|internet|schedule|calendar|opening|closing|holiday|coffee|tomorrow|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|" +
	"january|february|september|october|november|december"

// shortestTyped is how many letters a word has at least that may be one of [typed] with a slip,
// longestTyped how many at most.
const (
	shortestTyped = 5
	longestTyped  = 13
)

// slips finds the words of [typed] that are a slip away: by a word without one of its letters.
type slips struct {
	words   map[string]bool
	without map[string]string
	first   [26]bool
}

var typedSlips = sync.OnceValue(func() slips {
	s := slips{words: map[string]bool{}, without: map[string]string{}}
	for word := range strings.SplitSeq(typed, "|") {
		s.words[word], s.first[word[0]-'a'] = true, true
		for i := 1; i < len(word); i++ {
			s.without[word[:i]+word[i+1:]] = word
		}
	}
	return s
})

// spellTyped corrects a slip in everyday English words: a letter too few or too many, or two of
// them the wrong way round. A word that the lexicon knows is none.
func (r *Reader) spellTyped(text string) string {
	slips := typedSlips()
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		if !isLetter(text[i]) || i > 0 && (isLetter(text[i-1]) || text[i-1] >= 0x80) {
			i++
			continue
		}
		end := i
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if word, ok := slips.meant(text[i:end]); ok && (end == len(text) || text[end] < 0x80) && !r.knows(text[i:end]) {
			out.WriteString(text[done:i])
			out.WriteString(word)
			done = end
		}
		i = end
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// knows reports whether the lexicon has a word.
func (r *Reader) knows(word string) bool {
	runes := []rune(strings.ToLower(word))
	end, _ := r.lexicon.longest(runes, 0)
	return end == len(runes)
}

// meant is the word that was meant by one with a slip.
func (s slips) meant(said string) (string, bool) {
	if len(said) < shortestTyped || len(said) > longestTyped || said[0]|0x20 > 'z' || !s.first[said[0]|0x20-'a'] {
		return "", false
	}
	var buffer [longestTyped]byte
	low := buffer[:len(said)]
	for i := range low {
		low[i] = said[i] | 0x20
	}
	if s.words[string(low)] || s.words[string(low[:len(low)-1])] && low[len(low)-1] == 's' {
		return "", false
	}
	if word, ok := s.without[string(low)]; ok { // one too few
		return word, true
	}
	var rest [longestTyped]byte
	for i := 1; i < len(low); i++ {
		shorter := append(append(rest[:0], low[:i]...), low[i+1:]...)
		if s.words[string(shorter)] { // one too many
			return string(shorter), true
		}
		if i+1 == len(low) {
			break
		}
		low[i], low[i+1] = low[i+1], low[i]
		if s.words[string(low)] { // two the wrong way round
			return string(low), true
		}
		low[i], low[i+1] = low[i+1], low[i]
	}
	return "", false
}
