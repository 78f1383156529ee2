package hibari

import (
	"slices"
	"strings"
	"unicode"
)

// currencies are the signs that amounts may have: their unit and what a hundredth of it is called.
var currencies = map[string][2]string{"$": {"dollar", "cent"}, "£": {"pound", "pence"}, "€": {"euro", "cent"}}

var ordinals = []string{"st", "nd", "rd", "th"}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isNumber says whether a word is a number, perhaps with an ending such as that of "90s" or "3rd".
// Only what is the head of a word may have a sign.
func isNumber(word string, head bool) bool {
	if !strings.ContainsFunc(word, isDigit) {
		return false
	}
	for _, ending := range append([]string{"ing", "'d", "ed", "'s"}, append(ordinals, "s")...) {
		if stem, ok := strings.CutSuffix(word, ending); ok {
			word = stem
			break
		}
	}
	for i, r := range word {
		if !isDigit(r) && r != ',' && r != '.' && !(head && i == 0 && r == '-') {
			return false
		}
	}
	return true
}

// number reads a number, which may be an amount of money.
func (l *lexicon) number(word, currency string, head bool) (string, bool) {
	digits := strings.TrimRightFunc(word, func(r rune) bool { return 'a' <= r && r <= 'z' || r == '\'' })
	ending := word[len(digits):]
	var words []string
	if rest, minus := strings.CutPrefix(digits, "-"); minus {
		words, digits = append(words, "minus"), rest
	}
	isPart := func(r rune) bool { return isDigit(r) || r == ',' || r == '.' }
	if strings.Trim(digits, ",.") == "" || !each(digits, isPart) { // such as digits of other scripts
		return "", false
	}
	words = append(words, numberWords(digits, ending, currency, head, len(words) > 0)...)
	var all []string
	for _, w := range words {
		if phonemes, ok := l.numberWord(w); ok {
			all = append(all, phonemes)
		}
	}
	phonemes := strings.Join(all, " ")
	switch {
	case phonemes == "":
		return "", false
	case ending == "s" || ending == "'s":
		return joinS(phonemes), true
	case ending == "ed" || ending == "'d":
		return joinED(phonemes), true
	case ending == "ing":
		return joinING(phonemes), true
	}
	return phonemes, true
}

// numberWord reads a word of a number. "O" is the zero between digits.
func (l *lexicon) numberWord(word string) (string, bool) {
	switch {
	case word == "point" || word == "O":
		return l.lookup(word, "", -2, nil)
	case l.known(word):
		return l.lookup(word, "", asItIs, nil)
	default: // the plural of a unit
		return l.inflected(inflections[0], word, "", asItIs, nil)
	}
}

// numberWords returns the words of a number.
func numberWords(digits, ending, currency string, head, minus bool) []string {
	_, money := currencies[currency]
	plain := each(digits, isDigit)
	whole := strings.ReplaceAll(digits, ",", "")
	switch {
	case plain && slices.Contains(ordinals, ending):
		return split(ordinal(digits))
	case plain && len(digits) == 4 && !money && !minus:
		return split(year(digits))
	case !head && !strings.Contains(digits, "."):
		return part(whole)
	case !head || strings.Count(digits, ".") > 1:
		return version(whole)
	case money && cents(digits):
		return amount(whole, currencies[currency])
	case plain:
		return split(cardinal(digits))
	case !strings.Contains(digits, ".") && slices.Contains(ordinals, ending):
		return split(ordinal(whole))
	case !strings.Contains(digits, "."):
		return split(cardinal(whole))
	case whole[0] == '.':
		return append([]string{"point"}, split(spelled(whole[1:]))...)
	default:
		return split(decimal(whole))
	}
}

// split returns the words of a number without its "and".
func split(words string) []string {
	fields := strings.FieldsFunc(words, func(r rune) bool { return !unicode.IsLower(r) })
	return slices.DeleteFunc(fields, func(w string) bool { return w == "and" })
}

// part reads digits behind something else, such as those of "A-302".
func part(digits string) []string {
	switch {
	case digits[0] == '0' || len(digits) > 3:
		return split(spelled(digits))
	case len(digits) == 3 && digits[1:] != "00" && digits[1] == '0':
		return append(split(cardinal(digits[:1])), "O", ones[digits[2]-'0'])
	case len(digits) == 3 && digits[1:] != "00":
		return append(split(cardinal(digits[:1])), split(cardinal(digits[1:]))...)
	default:
		return split(cardinal(digits))
	}
}

// version reads numbers with points between.
func version(digits string) (words []string) {
	for number := range strings.SplitSeq(digits, ".") {
		switch {
		case number == "":
		case number[0] == '0' || len(number) != 2 && strings.Trim(number[1:], "0") != "":
			words = append(words, split(spelled(number))...)
		default:
			words = append(words, split(cardinal(number))...)
		}
	}
	return words
}

// cents says whether an amount has hundredths at most.
func cents(digits string) bool {
	whole, rest, point := strings.Cut(digits, ".")
	return !point || len(rest) < 3 && whole+rest != "" && !strings.Contains(rest, ",")
}

// amount reads an amount of money.
func amount(digits string, units [2]string) []string {
	whole, hundredths, _ := strings.Cut(digits, ".")
	one := func(number, unit string) []string {
		words := split(cardinal(number))
		if strings.TrimLeft(number, "0") != "1" && unit != "pence" {
			unit += "s"
		}
		return append(words, unit)
	}
	switch {
	case strings.Trim(hundredths, "0") == "":
		return one(whole, units[0])
	case strings.Trim(whole, "0") == "":
		return one(hundredths, units[1])
	default:
		return slices.Concat(one(whole, units[0]), []string{"and"}, one(hundredths, units[1]))
	}
}
