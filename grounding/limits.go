package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Words that make a number the least or the most that is meant, before it or after it: "up to ten" is not "at least ten".
var (
	leastBefore = []string{"at least ", "a minimum of ", "minimum of ", "not less than ", "no less than ", "no fewer than ", "more than ", "最低", "最低で", "少なくとも", "最少"}
	leastAfter  = []string{" or more", " and more", " or over", " and over", " or older", " and older", " and up", " or above", " or longer", " at least", "以上", "より多", "より長", "を超え", "を越え"}
	mostBefore  = []string{"up to ", "at most ", "no more than ", "not more than ", "a maximum of ", "maximum of ", "as many as ", "less than ", "fewer than ", "within ", "under ", "最大", "最大で", "最長", "最長で", "定員", "定員は", "上限は"}
	mostAfter   = []string{" or less", " or fewer", " or under", " and under", " or younger", " and younger", " at most", " at the most", " maximum", "以下", "以内", "未満", "まで", "ほどまで", "くらいまで", "程度まで", "が上限", "が定員"}

	// How long before: from three months before is three months at most, by the day before one day at least.
	fromThen  = []string{"from ", "up to ", "at most ", "no more than "}
	untilThen = []string{"by ", "until ", "till ", "no later than ", "not later than ", "at least "}
	beforeIt  = []string{" before", " ahead", " in advance", " beforehand", " prior", " earlier"}
)

// limit says whether a number is the least that is meant (start), the most (end) or neither, and whether it is how long before.
func limit(text []byte, f *feature) (is ends, lead bool) {
	const near = 28
	before, after := string(text[max(0, f.start-near):f.start]), string(text[f.end:min(len(text), f.end+near)])
	before = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(before, "約"), "about "), "around ")
	ends := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(before, w) })
	}
	goes := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(after, w) })
	}
	switch {
	case strings.HasPrefix(after, "前から"), goes(beforeIt) && ends(fromThen):
		return end, true
	case strings.HasPrefix(after, "前まで"), goes(beforeIt) && ends(untilThen):
		return start, true
	case goes(beforeIt), strings.HasPrefix(after, "前"):
		return at, true
	case goes(leastAfter), ends(leastBefore):
		return start, false
	case goes(mostAfter), ends(mostBefore):
		return end, false
	case f.text == perPerson || f.text == perAge:
		rest, from := strings.CutPrefix(after, "から")
		if next, _ := utf8.DecodeRuneInString(rest); from && scriptOf(next) != digit || strings.HasSuffix(before, "from ") && !strings.HasPrefix(after, " to ") {
			return start, false
		}
	}
	return at, false
}

// limitedAs reports whether a number of the evidence bears the limit that a sentence says: no least where it says the most or none at all,
// and no most where it says the least. A number as such (8 seats) is the most too; two weeks before are two weeks before at least.
func (f *feature) limitedAs(v *feature) bool {
	return f.ends == at || f.ends == v.ends || v.ends == at && (f.ends == end || f.lead && v.lead)
}
