package datetime

import "time"

// An Explanation is an expression with what made it.
type Explanation struct {
	Expression
	// Named is what its words name, in either language, whatever their order: "week", "weekday",
	// "clock".
	Named []string
}

// Explain reads a text as [Parse] does and says of every expression what it is made of.
func Explain(text string, reference time.Time) []Explanation {
	p := newParser(text, reference)
	var all []Explanation
	for e, named := range p.expressions() {
		all = append(all, Explanation{e, named.words()})
	}
	return all
}

// words says each of some features in words.
func (f feature) words() []string {
	var words []string
	for i, name := range featureNames {
		if f&(1<<i) != 0 {
			words = append(words, name)
		}
	}
	return words
}

// featureNames says each feature in words, in the order of their constants.
var featureNames = [...]string{
	"year", "month", "week", "weekend", "workdays", "start, middle or end", "day of the month",
	"which one of the month", "weekday", "holiday by rule", "known days", "clock", "part of the day",
	"length", "instant", "recurs", "other end", "part of the year",
}

// A Word is a piece of a text as the grammar sees it.
type Word struct {
	// Text is how it stands in the text, Start and End its byte offsets there (half-open).
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	// Class is what it is to the grammar, in either language: "weekday", "number", or "word" for
	// what says no time.
	Class string `json:"class"`
}

// Words is the text cut as [Parse] cuts it, so that a person can see why it was read as it was.
func Words(text string) []Word {
	if len(text) > maxText {
		text = text[:maxText]
	}
	tokens, _ := scan(text)
	words := make([]Word, len(tokens))
	for i, t := range tokens {
		words[i] = Word{Text: text[t.start:t.end], Start: t.start, End: t.end, Class: string(t.class)}
	}
	return words
}
