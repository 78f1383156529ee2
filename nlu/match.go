package nlu

import "strings"

// A matcher finds the words of the lexicon in a text, in one pass, the longest at each place.
type matcher struct {
	next map[step]int
	ends []int // by node: the index in tags, or -1
	tags []tag
}

// step is the way from a node along a rune.
type step struct {
	node int
	r    rune
}

// hit is one word found, as a half-open range of runes.
type hit struct {
	start, end int
	tags       tag
}

func newMatcher() *matcher { return &matcher{next: make(map[step]int, 16384), ends: []int{-1}} }

// add makes every word of a list say tags, beside what it said already.
func (m *matcher) add(list string, tags tag) {
	for word := range strings.SplitSeq(list, "|") {
		if word = Normalize(word); word != "" {
			m.addWord(word, tags)
		}
	}
}

func (m *matcher) addWord(word string, tags tag) {
	node := 0
	for _, r := range word {
		k := step{node, r}
		child, ok := m.next[k]
		if !ok {
			child = len(m.ends)
			m.ends = append(m.ends, -1)
			m.next[k] = child
		}
		node = child
	}
	if m.ends[node] < 0 {
		m.ends[node] = len(m.tags)
		m.tags = append(m.tags, 0)
	}
	m.tags[m.ends[node]] |= tags
}

// longest returns where the longest word at i ends and what it says; end is i when there is none. A
// word that begins or ends with a Latin letter or a digit stands only beside others than such.
func (m *matcher) longest(text []rune, i int) (end int, tags tag) {
	if i > 0 && isWordRune(text[i]) && isWordRune(text[i-1]) {
		return i, 0
	}
	node := 0
	end = i
	for j := i; j < len(text); j++ {
		var ok bool
		if node, ok = m.next[step{node, text[j]}]; !ok {
			break
		}
		if at := m.ends[node]; at >= 0 && standsAlone(text, i, j+1) {
			end, tags = j+1, m.tags[at]
		}
	}
	return end, tags
}

// isWordRune reports whether r belongs to a word that is written with spaces around it.
func isWordRune(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 0xC0 <= r && r < 0x250
}

// longestScrap is how long a katakana word may be that counts only by itself: アポ is not in アポロ, バー
// not in メンバー.
const longestScrap = 3

// standsAlone reports whether a word may stand at [i, end): no part of a Latin word, no scrap of a
// katakana one.
func standsAlone(text []rune, i, end int) bool {
	if end < len(text) && isWordRune(text[end-1]) && isWordRune(text[end]) {
		return false
	}
	if end-i > longestScrap || scriptOf(text[i]) != scriptKatakana || scriptOf(text[end-1]) != scriptKatakana {
		return true
	}
	return (end == len(text) || scriptOf(text[end]) != scriptKatakana) &&
		(i == 0 || scriptOf(text[i-1]) != scriptKatakana)
}

// find returns all words of the text in order; they do not overlap. spans says of every rune
// where the span that holds it ends, if any: inside, only a word that runs on behind it counts (今日の日付).
func (m *matcher) find(text []rune, spans []int, hits []hit) []hit {
	known := 0 // where the last known word or span ends
	for i := 0; i < len(text); {
		end, tags := m.longest(text, i)
		if end == i+1 && tags&tCut != 0 && tags&tAsk == 0 && insideKanji(text, i, known) {
			end = i // 日 says nothing, 日本 does
		}
		if past := spans[i]; past > i && end <= past {
			i, known = past, past
			continue
		}
		if end == i {
			if isWordRune(text[i]) { // an unknown word: pass over it whole
				for i < len(text) && isWordRune(text[i]) {
					i++
				}
				continue
			}
			i++
			continue
		}
		hits = append(hits, hit{i, end, tags})
		i, known = end, end
	}
	return hits
}

// insideKanji reports whether rune i is a kanji beside another one that is of no word that ends at
// known.
func insideKanji(text []rune, i, known int) bool {
	isKanji := func(j int) bool { return j >= known && j < len(text) && scriptOf(text[j]) == scriptKanji }
	return isKanji(i) && (isKanji(i-1) || isKanji(i+1))
}
