package nlu

import "strings"

// folded are the words that stand for one of many of the same sort, and what stands for all of them.
var folded = func() map[string]string {
	m := map[string]string{}
	for _, sort := range []struct{ all, words string }{
		{"0", `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
			twenty thirty forty fifty sixty hundred thousand first third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
			fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth`},
		{"friday", "monday tuesday wednesday thursday saturday sunday"},
		{"fridays", "mondays tuesdays wednesdays thursdays saturdays sundays"},
		{"friday's", "monday's tuesday's wednesday's thursday's saturday's sunday's"},
		// "may" has another meaning
		{"april", "january february march june july august september october november december"},
	} {
		for word := range strings.FieldsSeq(sort.words) {
			m[word] = sort.all
		}
	}
	return m
}()

// Fold brings a text, which is in the form of [Normalize], to that in which its n-grams are looked
// up: a spelled number is a digit, as a speech recogniser and a keyboard disagree about that, and
// one day of the week or month is like another.
func Fold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	number := false // whether the word before is one
	for start := 0; start < len(text); {
		word := latinWord(text[start:])
		switch {
		case word != "":
			start += len(word)
			if all, ok := folded[word]; ok {
				word = all
			}
			if word != "0" || !number {
				b.WriteString(word)
			}
			number = word == "0"
		case startsWeekday(text[start:]):
			b.WriteString("金")
			start += len("金")
		default:
			number = number && text[start] == ' '
			b.WriteByte(text[start])
			start++
		}
	}
	return b.String()
}

// latinWord is the word of Latin letters that a text begins with.
func latinWord(text string) string {
	end := 0
	for end < len(text) && ('a' <= text[end] && text[end] <= 'z' || text[end] == '\'') {
		end++
	}
	return text[:end]
}

// startsWeekday reports whether a text begins with the name of a day of the week in Japanese.
func startsWeekday(text string) bool {
	if len(text) < len("月曜") || text[3:6] != "曜" {
		return false
	}
	switch text[:3] {
	case "月", "火", "水", "木", "土", "日":
		return true
	}
	return false
}
