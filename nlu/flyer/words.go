package flyer

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

//go:embed words.tsv
var file string

// A list names the words that say one thing, as words.tsv has them.
type list string

const (
	doors     list = "doors"
	start     list = "start"
	end       list = "end"
	aside     list = "aside"
	deadline  list = "deadline"
	pay       list = "pay"
	submit    list = "submit"
	bring     list = "bring"
	unrelated list = "unrelated"
	sitesJA   list = "site_ja"
	sitesEN   list = "site_en"
	atJA      list = "at_ja"
	atEN      list = "at_en"
	preface   list = "preface"
)

// labelled is how the names of lists begin that are labels.
const labelled = "label_"

// A label is a word at the beginning of a line that says what the rest is.
type label struct {
	word string
	role role
}

// table is words.tsv, read once.
var table = sync.OnceValues(func() (words map[list][]string, labels []label) {
	words = map[list][]string{}
	for line := range strings.SplitSeq(file, "\n") {
		name, all, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.SplitSeq(all, "|") {
			word = fold(strings.ReplaceAll(word, "_", " "))
			if is, ok := strings.CutPrefix(name, labelled); ok {
				labels = append(labels, label{strings.ReplaceAll(word, " ", ""), role(is)})
				continue
			}
			words[list(name)] = append(words[list(name)], word)
		}
	}
	for _, w := range words {
		slices.SortStableFunc(w, func(a, b string) int { return len(b) - len(a) })
	}
	slices.SortStableFunc(labels, func(a, b label) int { return len(b.word) - len(a.word) })
	return words, labels
})

// fold is a text as it is compared: of one width and case, without what cannot be seen.
func fold(s string) string {
	return strings.Map(text.FoldRune, s)
}

// index finds the first of the words in a folded text: [from, to) in bytes, or -1. Latin words stand
// by themselves; where two begin at one place the longer counts.
func (l list) index(folded string) (from, to int) {
	words, _ := table()
	from, to = -1, -1
	for _, w := range words[l] {
		i := text.IndexWord(folded, w, text.InLatinWord)
		if i >= 0 && (from < 0 || i < from || i == from && i+len(w) > to) {
			from, to = i, i+len(w)
		}
	}
	return from, to
}

// in reports whether a folded text has one of the words.
func (l list) in(folded string) bool {
	from, _ := l.index(folded)
	return from >= 0
}

// around reports whether a folded text begins or ends with one of the words.
func (l list) around(folded string) bool {
	words, _ := table()
	return slices.ContainsFunc(words[l], func(w string) bool {
		first := strings.HasPrefix(folded, w) && text.Stands(folded, 0, len(w), text.InLatinWord)
		at := len(folded) - len(w)
		return first || strings.HasSuffix(folded, w) && text.Stands(folded, at, len(folded), text.InLatinWord)
	})
}

// begins takes one of the words off the beginning of a text.
func (l list) begins(s string) (rest string, ok bool) {
	words, _ := table()
	folded := fold(s)
	for _, w := range words[l] {
		if !strings.HasPrefix(folded, w) || !text.Stands(folded, 0, len(w), text.InLatinWord) {
			continue
		}
		return strings.TrimSpace(dropRunes(s, utf8.RuneCountInString(w))), true
	}
	return s, false
}

// dropRunes is a text without its first n visible runes.
func dropRunes(s string, n int) string {
	for i, r := range s {
		if n == 0 {
			return s[i:]
		}
		if text.FoldRune(r) >= 0 {
			n--
		}
	}
	return ""
}

// bullets may stand before a label, closers and separators behind it.
const (
	bullets    = "■□●○◆◇・▶►▷★☆※*•-–—【[〔<＜《「『(（|｜+>›»✦✧◎▼▽▲△♪♫🎵📅📍🕒⏰"
	closers    = "】]〕>＞》」』)）"
	separators = ":：/／｜|-–—=＝…⋯"
	// colons part a Latin word from what it labels; a dash does only behind a blank.
	colons = ":：｜|=＝"
)

// splitLabel takes a label off a line. The rest may be empty: then it stands on the lines below.
func splitLabel(s string) (r role, rest string, ok bool) {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(bullets, r) })
	if r, rest, ok = labelOf(s); ok {
		return r, rest, true
	}
	first, size := utf8.DecodeRuneInString(s)
	if !text.IsJapanese(first) { // a bullet may be read as a letter
		return "", s, false
	}
	colon := strings.IndexAny(s, ":：")
	if r, rest, ok = labelOf(s[size:]); ok && colon > 0 && len(rest) < len(s)-colon {
		return r, rest, true
	}
	return "", s, false
}

func labelOf(s string) (r role, rest string, ok bool) {
	_, labels := table()
	for _, l := range labels {
		behind, ok := afterLabel(s, l.word)
		if !ok {
			continue
		}
		if rest, ok := l.role.value(behind, text.HasJapanese(l.word)); ok {
			return l.role, rest, true
		}
	}
	return "", s, false
}

// afterLabel is what stands behind a label, which a line may stretch by blanks: 日　時.
func afterLabel(s, word string) (rest string, ok bool) {
	for i, r := range s {
		if word == "" {
			return s[i:], true
		}
		f := text.FoldRune(r)
		if f < 0 || f == ' ' {
			continue
		}
		w, size := utf8.DecodeRuneInString(word)
		if f != w {
			return "", false
		}
		word = word[size:]
	}
	return "", word == ""
}

// value is what a label says, of what stands behind it. ok is false where the word is no label there.
func (r role) value(behind string, japanese bool) (rest string, ok bool) {
	if strings.TrimSpace(behind) == "" { // "Talk" alone may be a title
		return "", japanese || r == roleWhen || r == roleTime || r == rolePlace
	}
	next, _ := utf8.DecodeRuneInString(behind)
	apart := unicode.IsSpace(next)
	marks := separators
	if !japanese && !apart {
		marks = colons
	}
	closed := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(behind), closers))
	marked := strings.TrimSpace(strings.TrimLeft(closed, marks))
	parted := marked != strings.TrimSpace(behind)
	timed := (r == roleWhen || r == roleTime) && (unicode.IsDigit(firstRune(marked)) || strings.HasPrefix(marked, "令和"))
	if parted || timed || apart && japanese || strings.HasPrefix(behind, "  ") {
		return marked, true
	}
	return "", false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
