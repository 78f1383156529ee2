package nodes

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/nlu"
	"annai/nlu/words"
)

// factsOf are the facts of a sentence that state a kind of answer, as a sentence of their own,
// where it is a list of facts as descriptions have them: of 参加費1,000円(材料費込み)、申込不要 the amount is
// 参加費は1,000円(材料費込み)です. A sentence of another form stays as it is. property says that it begins with
// one, of which は says what it is.
func factsOf(sentence string, ask nlu.Ask, lang nlu.Language) (text string, property bool) {
	body := strings.TrimRight(sentence, "。. ")
	if lang == nlu.English || !isNominal(body) {
		return sentence, false
	}
	var kept []string
	for fact := range strings.SplitSeq(body, "、") {
		if _, ok := states(fact, ask); ok {
			kept = append(kept, fact)
		}
	}
	if len(kept) == 0 {
		kept = strings.Split(body, "、")
	}
	kept[0], property = withParticle(kept[0])
	return strings.Join(kept, "、") + words.Copula + "。", property
}

// isNominal reports whether a Japanese sentence ends without a verb: with a noun, a number, a
// bracket, or with one of the endings that go without.
func isNominal(body string) bool {
	if slices.ContainsFunc(words.NominalEndings(), func(w string) bool { return strings.HasSuffix(body, w) }) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(body)
	return !unicode.Is(unicode.Hiragana, last) && last != utf8.RuneError
}

// withParticle puts は between a property and what it is: 参加費500円, 定員4人.
func withParticle(fact string) (text string, property bool) {
	for _, name := range words.Properties() {
		rest, ok := strings.CutPrefix(fact, name)
		if !ok {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(rest); unicode.Is(unicode.Hiragana, next) {
			return fact, true
		}
		return name + words.Topic + rest, true
	}
	return fact, false
}
