package hibari

import (
	"slices"
	"strconv"
	"strings"
)

var (
	ones = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
		"fifteen sixteen seventeen eighteen nineteen")
	tens       = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	scales     = strings.Fields("- thousand million billion trillion quadrillion")
	irregulars = map[string]string{
		"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
		"twelve": "twelfth",
	}
)

// longestNumber is how many digits a number may have that is read as one.
const longestNumber = 18

// cardinal returns the words of a number of digits, such as "one thousand, two hundred and
// thirty-four". One with very many digits is read digit by digit.
func cardinal(digits string) string {
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > longestNumber {
		return spelled(digits)
	}
	n, _ := strconv.Atoi(digits) // nothing is zero
	if n < 1000 {
		return strings.Join(below1000(n), " ")
	}
	var groups []string
	for scale := 0; n > 0; n, scale = n/1000, scale+1 {
		if group := n % 1000; group > 0 {
			words := below1000(group)
			if scale > 0 {
				words = append(words, scales[scale])
			}
			groups = append(groups, strings.Join(words, " "))
		}
	}
	slices.Reverse(groups)
	last := len(groups) - 1
	if last > 0 && !strings.ContainsAny(groups[last], " ") {
		return strings.Join(groups[:last], ", ") + " and " + groups[last] // one thousand and one
	}
	return strings.Join(groups, ", ")
}

func below1000(n int) (words []string) {
	if n >= 100 {
		words = append(words, ones[n/100], "hundred")
		if n %= 100; n > 0 {
			words = append(words, "and")
		}
	}
	switch {
	case n >= 20 && n%10 > 0:
		words = append(words, tens[n/10]+"-"+ones[n%10])
	case n >= 20:
		words = append(words, tens[n/10])
	case n > 0 || len(words) == 0:
		words = append(words, ones[n])
	}
	return words
}

// spelled returns the words of digits, one after the other.
func spelled(digits string) string {
	words := make([]string, 0, len(digits))
	for _, r := range digits {
		if '0' <= r && r <= '9' {
			words = append(words, ones[r-'0'])
		}
	}
	return strings.Join(words, " ")
}

// ordinal returns the words of a place in a row, such as "twenty-third".
func ordinal(digits string) string {
	words := cardinal(digits)
	at := strings.LastIndexAny(words, " -") + 1
	last := words[at:]
	switch irregular, ok := irregulars[last]; {
	case ok:
		last = irregular
	case strings.HasSuffix(last, "y"):
		last = strings.TrimSuffix(last, "y") + "ieth"
	default:
		last += "th"
	}
	return words[:at] + last
}

// year returns how a year of four digits is said, such as "nineteen oh-five".
func year(digits string) string {
	high, low := digits[:2], digits[2:]
	switch {
	case high == "00" || high[1] == '0' && low[0] == '0':
		return cardinal(digits)
	case low == "00":
		return cardinal(high) + " hundred"
	case low[0] == '0':
		return cardinal(high) + " oh-" + cardinal(low)
	default:
		return cardinal(high) + " " + cardinal(low)
	}
}

// decimal returns the words of a number with a point, such as "three point one four".
func decimal(number string) string {
	whole, fraction, _ := strings.Cut(number, ".")
	words := cardinal(whole)
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		words += " point " + spelled(fraction)
	}
	return words
}
