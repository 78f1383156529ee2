package nlu

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/nlu/words"
)

// A Pair is two questions of which one utterance consists. Things are what they are about, where
// the same is asked of two; otherwise they are empty.
type Pair struct{ Things, Questions [2]string }

// How many runes a question has at least that is one of two, and a thing of which something is
// asked at least and at most.
const (
	minAsked = 5
	minThing = 2
	maxThing = 16
)

// TwoQuestions parts an utterance that asks two questions; ok is false where it asks one.
func TwoQuestions(text string, lang Language) (p Pair, ok bool) {
	ofBoth := bothJapanese
	if lang == English {
		ofBoth = bothEnglish
	}
	if p, ok = ofBoth(text); ok {
		return p, true
	}
	first, second, ok := "", "", false
	if lang == English {
		first, second, ok = beforeQuestionWord(text)
	} else {
		first, second, ok = behindWhatIsAsked(text)
	}
	if !ok {
		first, second, ok = behindMark(text)
	}
	if !ok || utf8.RuneCountInString(first) < minAsked || utf8.RuneCountInString(second) < minAsked || !asks(second) {
		return Pair{}, false
	}
	return Pair{Questions: [2]string{first + "?", second}}, true
}

// bothJapanese parts 住所と電話番号を教えて. What stands behind both things belongs to each.
func bothJapanese(text string) (Pair, bool) {
	text, _ = words.Excuse.Begin(text)
	first, rest, ok := strings.Cut(text, "と")
	if !ok || !isThing(first) {
		return Pair{}, false
	}
	second, _, ok := words.AskedOfBoth.Cut(rest)
	if !ok {
		if second, ok = strings.CutSuffix(strings.TrimRight(rest, "?？"), "は"); !ok {
			return Pair{}, false
		}
	}
	if thing, of := words.PartOfBoth.End(second); of && utf8.RuneCountInString(thing) >= minThing {
		second = thing
	}
	asked := rest[len(second):]
	if !isThing(second) || modifies(first) || modifies(second+asked) {
		return Pair{}, false
	}
	return Pair{[2]string{first, second}, [2]string{first + asked, second + asked}}, true
}

// isThing reports whether a text may name a thing.
func isThing(text string) bool {
	n := utf8.RuneCountInString(text)
	return n >= minThing && n <= maxThing && !strings.ContainsAny(text, "と、。")
}

// modifies reports whether what looks like a thing is a condition or a comparison: 子どもと入れる場所,
// AとBの違い.
func modifies(text string) bool {
	verb := false
	for _, r := range text {
		if verb && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Katakana, r)) {
			return true
		}
		verb = strings.ContainsRune("うくすつぬむるた", r)
	}
	return words.NotTwoThings.In(text)
}

// bothEnglish parts "where are the toilet and the lift?". What stands before both things belongs to
// each.
func bothEnglish(text string) (Pair, bool) {
	text, _ = words.Excuse.Begin(strings.TrimRight(text, "?.! "))
	things, ok := words.AsksBoth.Begin(text)
	before := strings.TrimSuffix(text, things)
	first, second, two := strings.Cut(things, " and ")
	if !ok || !two || !strings.HasSuffix(before, " ") {
		return Pair{}, false
	}
	article, thing := cutDeterminer(first)
	its, other := cutDeterminer(second)
	if !isShortName(thing) || !isShortName(other) {
		return Pair{}, false
	}
	questions := [2]string{before + first + "?", before + cmp.Or(its, article) + other + "?"}
	return Pair{[2]string{thing, other}, questions}, true
}

// cutDeterminer cuts the word before a noun that says which one, with the blank behind it.
func cutDeterminer(text string) (determiner, rest string) {
	for _, word := range [...]string{"the ", "your ", "a ", "an ", "any "} {
		if len(text) > len(word) && strings.EqualFold(text[:len(word)], word) {
			return text[:len(word)], text[len(word):]
		}
	}
	return "", text
}

// isShortName reports whether a text is one word or two.
func isShortName(text string) bool {
	n := strings.Count(text, " ") + 1
	return text != "" && n <= 2 && !strings.ContainsFunc(text, func(r rune) bool {
		return !isASCII(string(r)) || scriptOf(r) == scriptNone && r != ' ' && r != '\'' && r != '-' && r != '_'
	})
}

// beforeQuestionWord parts an utterance before a question that is joined to another one: "where is
// the toilet and is there Wi-Fi".
func beforeQuestionWord(text string) (first, second string, ok bool) {
	for i := range text {
		if text[i] != ' ' {
			continue
		}
		second, ok = cutAll(words.AndAlso, text[i+1:])
		if _, asks := words.QuestionWord.Begin(second); ok && asks {
			return strings.TrimRight(text[:i], ",?"), second, true
		}
	}
	return "", "", false
}

// behindWhatIsAsked parts 会議室の料金と、どうやって予約するか behind と.
func behindWhatIsAsked(text string) (first, second string, ok bool) {
	text, _ = words.Excuse.Begin(text)
	first, rest, _ := strings.Cut(text, "と")
	second = strings.TrimPrefix(rest, "、")
	_, asked := words.PartOfBoth.End(first)
	_, asks := words.AsksNext.Begin(second)
	return first, second, asked && asks
}

// behindMark parts an utterance behind a question mark, or behind another mark where a word goes on
// to something else: トイレはどこですか、あとWi-Fiはありますか.
func behindMark(text string) (first, second string, ok bool) {
	for i, r := range text {
		if !strings.ContainsRune("?？。、,", r) {
			continue
		}
		first, rest := text[:i], strings.TrimSpace(text[i+utf8.RuneLen(r):])
		if r == '。' && (strings.HasSuffix(first, "か") || strings.HasSuffix(first, "の")) {
			return first, rest, utf8.RuneCountInString(first) > minAsked
		}
		if second, ok = words.Also.Begin(rest); ok {
			return first, second, true
		}
		if r == '?' || r == '？' {
			second, _ = cutAll(words.AndAlso, rest)
			return first, second, true
		}
	}
	return "", "", false
}

// cutAll cuts words of a list off the beginning of a text, as many as there are.
func cutAll(list words.Phrases, text string) (rest string, ok bool) {
	for rest = text; ; ok = true {
		cut, found := list.Begin(rest)
		if !found {
			return rest, ok
		}
		rest = cut
	}
}

// asks reports whether a text is a question, and no remark.
func asks(text string) bool {
	_, begins := words.QuestionWord.Begin(text)
	return begins || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") ||
		words.EndsAsking.In(strings.TrimRight(text, "。.!！"))
}
