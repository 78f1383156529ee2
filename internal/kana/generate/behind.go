package main

import (
	"maps"
	"slices"
	"strings"
)

// rounds is how often the readings of kanji are counted anew.
const rounds = 4

// readingsBehind are the readings of single kanji within words of several: as a suffix, if it is
// one that was counted, or as they are read in most words of two kanji and Chinese origin.
func (c *collection) readingsBehind() map[string]string {
	weights := map[string]float64{} // of a kanji and its reading
	words := slices.Sorted(maps.Keys(c.chinese))
	for range rounds {
		weights = c.count(words, weights)
	}
	best := map[string]string{}
	most := map[string]float64{}
	for _, key := range slices.Sorted(maps.Keys(weights)) {
		char, read, _ := strings.Cut(key, " ")
		if weights[key] > most[char] {
			best[char], most[char] = read, weights[key]
		}
	}
	for char, r := range c.joined {
		if onlyKanji(char) && len([]rune(char)) == 1 && r.cost < 9000 {
			best[char] = r.kana
		}
	}
	for char, r := range c.joined {
		if _, ok := best[char]; !ok && len([]rune(char)) == 1 && onlyKanji(char) {
			best[char] = r.kana
		}
	}
	return best
}

// count splits the readings of words of two kanji in all ways and gives each way its share, by what
// was counted before.
func (c *collection) count(words []string, before map[string]float64) map[string]float64 {
	next := map[string]float64{}
	for _, word := range words {
		chars := []rune(word)
		splits := splitsOf(c.chinese[word].kana)
		shares, sum := make([]float64, len(splits)), 0.0
		for i, s := range splits {
			shares[i] = (before[string(chars[0])+" "+s[0]] + 0.01) * (before[string(chars[1])+" "+s[1]] + 0.01)
			sum += shares[i]
		}
		for i, s := range splits {
			next[string(chars[0])+" "+s[0]] += shares[i] / sum
			next[string(chars[1])+" "+s[1]] += shares[i] / sum
		}
	}
	return next
}

// splitsOf are the ways in which a reading may be that of two kanji.
func splitsOf(read string) [][2]string {
	var out [][2]string
	for i := range read {
		if i > 0 && chineseReading(read[:i]) && chineseReading(read[i:]) {
			out = append(out, [2]string{read[:i], read[i:]})
		}
	}
	return out
}

// chineseReading reports whether a reading has the shape that Chinese ones have: a kana, a small
// one perhaps, and one of few ends.
func chineseReading(read string) bool {
	runes := []rune(read)
	if len(runes) == 0 || strings.ContainsRune("ゃゅょんっー", runes[0]) {
		return false
	}
	rest := runes[1:]
	if len(rest) > 0 && strings.ContainsRune("ゃゅょ", rest[0]) {
		rest = rest[1:]
	}
	return len(rest) == 0 || len(rest) == 1 && strings.ContainsRune("いうきくちつんっ", rest[0])
}
