package hibari

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/fault"
)

// longest is how many letters a text may have.
const longest = 400

// weekdays are those that a kiosk writes short.
var weekdays = map[string]string{
	"Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday", "Sat": "Saturday",
	"Sun": "Sunday",
}

const (
	weekday   = `Mon|Tue|Wed|Thu|Fri|Sat|Sun`
	monthName = `Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec`
)

// spokenRules are for what a kiosk says and the rules of [normalizer] don't know: short weekdays,
// spans of time, telephone numbers of Japan, floors.
var spokenRules = []rule{
	{
		regexp.MustCompile(`(` + weekday + `)\s?[-–]\s?(` + weekday + `)`), isWord, isWord,
		func(m []string, _ string) (string, bool) { return weekdays[m[1]] + " to " + weekdays[m[2]], true },
	},
	{
		regexp.MustCompile(`(` + weekday + `)(,? (?:` + monthName + `)|\))`), isWord, anything,
		func(m []string, _ string) (string, bool) { return weekdays[m[1]] + m[2], true },
	},
	{
		regexp.MustCompile(`Mon|Tue|Thu|Fri`), isWord, isWord, // the others are words too
		func(m []string, _ string) (string, bool) { return weekdays[m[0]], true },
	},
	{
		regexp.MustCompile(`([Oo]n|[Tt]his|[Nn]ext|[Ee]very) (Wed|Sat|Sun)`), isWord, isWord,
		func(m []string, _ string) (string, bool) { return m[1] + " " + weekdays[m[2]], true },
	},
	{
		regexp.MustCompile(`(\d) ?– ?(` + weekday + `|` + monthName + `)`), anything, anything,
		func(m []string, _ string) (string, bool) { return m[1] + " to " + m[2], true },
	},
	{
		regexp.MustCompile(`(\d{1,2}(?::\d{2})?(?: ?[ap]\.?m\.?)?) ?[-–~〜] ?(\d{1,2}:\d{2}|\d{1,2} ?[ap]\.?m)`),
		isWord, unicode.IsDigit,
		func(m []string, _ string) (string, bool) { return m[1] + " to " + m[2], true },
	},
	{
		regexp.MustCompile(`0\d{1,4}-\d{1,4}-\d{3,4}`), isWord, isWord,
		func(m []string, _ string) (string, bool) { return telephone(m[0]), true },
	},
	{
		regexp.MustCompile(`([Cc]all|[Dd]ial) (\d{3})`), isWord, func(r rune) bool { return isWord(r) || r == '-' },
		func(m []string, _ string) (string, bool) { return m[1] + " " + telephone(m[2]), true },
	},
	{
		regexp.MustCompile(`([Tt]he )?(\d{1,2})F`), isWord, isWord,
		func(m []string, _ string) (string, bool) { return "the " + ordinal(m[2]) + " floor", true },
	},
	{
		regexp.MustCompile(`(?i)wifi`), isWord, isWord,
		func([]string, string) (string, bool) { return "Wi-Fi", true },
	},
	{
		regexp.MustCompile(`B(\d)F`), isWord, isWord,
		func(m []string, _ string) (string, bool) { return "basement " + m[1], true },
	},
}

// spoken returns what is read of a text: addresses of pages are not.
func spoken(text string) string {
	words := strings.Fields(text)
	kept := words[:0]
	for _, word := range words {
		address := strings.Trim(word, "()<>[]\"“”.,;:!?")
		if isPage(address) {
			if last := len(kept) - 1; last >= 0 && strings.ContainsAny(word[len(word)-1:], ".,;:!?") {
				kept[last] = strings.TrimRight(kept[last], ",;:") + word[len(word)-1:]
			}
			continue
		}
		kept = append(kept, word)
	}
	text = strings.Join(kept, " ")
	for _, r := range spokenRules {
		text = r.apply(text)
	}
	return text
}

// isPage says whether a word is the address of a page, and not just the name of something.
func isPage(word string) bool {
	lower := strings.ToLower(word)
	return isAddress(word) && !strings.Contains(lower, "@") &&
		(strings.Contains(lower, "://") || strings.HasPrefix(lower, "www.") || strings.Contains(lower, "/"))
}

// checked refuses what can't be spoken.
func checked(text string) error {
	if n := utf8.RuneCountInString(text); n > longest {
		return fmt.Errorf("a text of %d letters is longer than the %d that are spoken at once: %w",
			n, longest, fault.ErrInvalid)
	}
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return fmt.Errorf("%q is Japanese, and the English voice reads Latin letters: %w", r, fault.ErrInvalid)
		}
	}
	return nil
}

// sentences splits a text where the network is to begin anew.
func (r *reader) sentences(text string) (list []string) {
	for paragraph := range strings.Lines(text) {
		paragraph = strings.TrimSpace(paragraph)
		start := 0
		for at, mark := range paragraph {
			end := at + utf8.RuneLen(mark)
			if at < start || !strings.ContainsRune(".!?…", mark) {
				continue
			}
			rest := strings.TrimLeft(paragraph[end:], "\"”’)]")
			next := strings.TrimLeftFunc(rest, unicode.IsSpace)
			if next == "" || next == rest || !r.ends(paragraph[start:end], next) {
				continue
			}
			list = append(list, paragraph[start:end])
			start = len(paragraph) - len(next)
		}
		if start < len(paragraph) {
			list = append(list, paragraph[start:])
		}
	}
	return list
}

// ends says whether a mark ends a sentence: not behind a title, an initial, or before a small letter.
func (r *reader) ends(sentence, next string) bool {
	first, _ := utf8.DecodeRuneInString(next)
	word, point := strings.CutSuffix(sentence, ".")
	if unicode.IsLower(first) || !point {
		return !unicode.IsLower(first)
	}
	word = strings.TrimLeft(word[strings.LastIndexByte(word, ' ')+1:], "(\"“'‘")
	_, title := r.normalizer.words["titles"][word]
	letter, size := utf8.DecodeRuneInString(word)
	return !title && !(size > 0 && size == len(word) && unicode.IsUpper(letter))
}

// longestChunk is how many phonemes the network is given at once.
const longestChunk = 400

// chunks splits phonemes that are too many, after a mark where there is one.
func chunks(phonemes string) (list []string) {
	runes := []rune(phonemes)
	for len(runes) > longestChunk {
		end := longestChunk
		for _, marks := range []string{",;:—", " "} {
			if at := lastOf(runes[:longestChunk], marks); at > 0 {
				end = at + 1
				break
			}
		}
		list = append(list, string(runes[:end]))
		runes = runes[end:]
	}
	return append(list, string(runes))
}

// lastOf is where the last of some runes is, or -1.
func lastOf(runes []rune, of string) int {
	for i := len(runes) - 1; i >= 0; i-- {
		if strings.ContainsRune(of, runes[i]) {
			return i
		}
	}
	return -1
}
