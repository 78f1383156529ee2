package agent

import (
	"net/netip"
	"regexp"
	"strings"
	"unicode"
)

// A PIIDetector finds personal data of one kind.
type PIIDetector struct {
	// Name is the kind of data, in lower case: "email".
	Name string
	// Find returns where in the text they are: for each the index of its first byte, and of the byte after its last.
	Find func(text string) [][2]int
}

// The detectors that there are. They look at the form only, and know full-width digits too. That they find nothing does
// not prove that a text has nothing personal in it: names and postal addresses, for example, have no form.
var (
	// Email finds e-mail addresses.
	Email = PIIDetector{Name: "email", Find: matches(emails, nil)}
	// Phone finds telephone numbers: those that begin with + or 0, and those of North America.
	Phone = PIIDetector{Name: "phone", Find: matches(phones, standsAlone)}
	// CreditCard finds card numbers of 13 to 19 digits whose check digit is right.
	CreditCard = PIIDetector{Name: "credit_card", Find: matches(cards, luhn)}
	// IP finds IP addresses, of both versions.
	IP = PIIDetector{Name: "ip", Find: matches(addresses, address)}
	// URL finds web addresses that begin with http://, https:// or www.
	URL = PIIDetector{Name: "url", Find: matches(urls, nil)}
)

// What has the form of personal data.
var (
	emails = regexp.MustCompile(`(?i)[a-z0-9._%+\-]+[@＠][a-z0-9.\-]+\.[a-z]{2,}`)
	phones = regexp.MustCompile(`[+＋]` + digit + `(?:` + between + digit + `){7,14}` +
		`|[(（]?[0０](?:` + between + digit + `){8,10}` +
		`|[(（]?` + digit + `{3}[)）]?[\-. ]` + digit + `{3}[\-. ]` + digit + `{4}`)
	cards     = regexp.MustCompile(digit + `(?:[ \-]?` + digit + `){12,18}`)
	addresses = regexp.MustCompile(`(?i)[0-9a-f:][0-9a-f:.]*[0-9a-f:]`)
	urls      = regexp.MustCompile(
		`(?i)(?:https?://|www\.)[^\s<>"'「」『』（）、。]*[^\s<>"'「」『』（）、。.,;:!?)\]]`)
)

// digit is one in either width, between what may stand between two of a telephone number.
const (
	digit   = `[0-9０-９]`
	between = `[\-－‐‑–ー. ()（）]{0,2}`
)

// matches finds what the expression matches and takes, if that is not nil, finds right.
func matches(expression *regexp.Regexp, takes func(text string, start, end int) bool) func(string) [][2]int {
	return func(text string) (found [][2]int) {
		for _, at := range expression.FindAllStringIndex(text, -1) {
			if takes == nil || takes(text, at[0], at[1]) {
				found = append(found, [2]int{at[0], at[1]})
			}
		}
		return found
	}
}

// standsAlone reports whether neither a digit nor a Latin letter is beside it.
func standsAlone(text string, start, end int) bool {
	before, after := []rune(text[:start]), []rune(text[end:])
	return (len(before) == 0 || !isLatin(before[len(before)-1])) && (len(after) == 0 || !isLatin(after[0]))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isLatin(r rune) bool { return unicode.IsDigit(r) || unicode.Is(unicode.Latin, r) }

// luhn reports whether the check digit is right.
func luhn(text string, start, end int) bool {
	sum, n := 0, 0
	runes := []rune(text[start:end])
	for i := len(runes) - 1; i >= 0; i-- {
		value := runes[i] - '0'
		if value > 9 {
			value = runes[i] - '０'
		}
		if value < 0 || value > 9 {
			continue
		}
		if n++; n%2 == 0 {
			value *= 2
		}
		sum += int(value/10 + value%10)
	}
	return n >= 13 && n <= 19 && sum%10 == 0 && standsAlone(text, start, end)
}

// address reports whether it is one of the internet protocol.
func address(text string, start, end int) bool {
	part := text[start:end]
	if _, err := netip.ParseAddr(part); err != nil || !strings.ContainsAny(part, "0123456789abcdefABCDEF") {
		return false
	}
	return standsAlone(text, start, end)
}
