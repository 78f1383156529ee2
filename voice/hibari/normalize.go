package hibari

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A normalizer writes out what the lexicon can't read by itself: times, dates, units, amounts,
// abbreviations and signs.
type normalizer struct {
	words map[string]map[string][]string // by kind: data/normalize.tsv
	rules []rule
	signs []string
}

// A rule replaces what a pattern finds, unless what is before or after it forbids that.
type rule struct {
	pattern *regexp.Regexp
	// before and after say which neighbours forbid it. At an end of the text there is none: zero.
	before, after func(r rune) bool
	// write returns what is written for a match, whose groups it gets, and whether anything is.
	write func(m []string, rest string) (string, bool)
}

func anything(rune) bool { return false }

// number is a pattern for numbers.
const number = `\d+(?:,\d{3})*(?:\.\d+)?`

// big is a pattern for what multiplies an amount.
const big = `(hundred|thousand|million|billion|trillion|[kKmMbB]\b)`

func newNormalizer() (*normalizer, error) {
	text, err := read("normalize.tsv")
	if err != nil {
		return nil, err
	}
	n := &normalizer{words: map[string]map[string][]string{}}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		kind := fields[0]
		if n.words[kind] == nil {
			n.words[kind] = map[string][]string{}
		}
		n.words[kind][fields[1]] = fields[2:]
		if kind == "symbols" {
			n.signs = append(n.signs, fields[1])
		}
	}
	n.rules = slices.Concat(n.dates(), n.amounts(), n.names(), n.digits())
	return n, nil
}

// any is a pattern for one of words, the longest first.
func anyOf(words []string) string {
	slices.SortFunc(words, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(words, "|")
}

func (n *normalizer) any(kind string) string {
	var words []string
	for w := range n.words[kind] {
		words = append(words, w)
	}
	slices.Sort(words)
	return anyOf(words)
}

func (n *normalizer) one(kind, word string) string { return n.words[kind][word][0] }

// counted is a unit in the singular or plural.
func (n *normalizer) counted(number, kind, unit string) string {
	forms := n.words[kind][unit]
	switch strings.ReplaceAll(number, ",", "") {
	case "1", "1.0", "-1":
		return number + " " + forms[0]
	default:
		return number + " " + forms[1]
	}
}

// normalize writes a text out.
func (n *normalizer) normalize(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.NewReplacer("’", "'", "‒", "-", "―", "—").Replace(text)
	for _, r := range n.rules {
		text = r.apply(text)
	}
	for _, sign := range n.signs {
		text = n.write(text, sign)
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, mark := range ",.;:!?" {
		text = strings.ReplaceAll(text, " "+string(mark), string(mark))
	}
	return text
}

// write replaces a sign by its word. Some are words only between others.
func (n *normalizer) write(text, sign string) string {
	word := " " + n.one("symbols", sign) + " "
	if !strings.Contains("=<>~", sign) {
		return strings.ReplaceAll(text, sign, word)
	}
	for at := 0; ; {
		i := strings.Index(text[at:], sign)
		if i < 0 {
			return text
		}
		before, after := strings.TrimSuffix(text[:at+i], " "), strings.TrimPrefix(text[at+i+len(sign):], " ")
		at += i + len(sign)
		if before != "" && after != "" {
			text = before + word + after
			at = len(before) + len(word)
		}
	}
}

func (r *rule) apply(text string) string {
	var out strings.Builder
	for at := 0; ; {
		m := r.pattern.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return out.String() + text[at:]
		}
		start, end := at+m[0], at+m[1]
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, size := utf8.DecodeRuneInString(text[end:])
		if start == 0 {
			before = 0
		}
		if size == 0 {
			after = 0
		}
		if r.before(before) || r.after(after) { // there may be a match a letter later
			_, first := utf8.DecodeRuneInString(text[start:])
			out.WriteString(text[at : start+first])
			at = start + first
			continue
		}
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = text[at+m[2*i] : at+m[2*i+1]]
			}
		}
		out.WriteString(text[at:start])
		if written, ok := r.write(groups, text[end:]); ok {
			out.WriteString(written)
		} else {
			out.WriteString(text[start:end])
		}
		at = end
	}
}

func (n *normalizer) dates() []rule {
	months := make([]string, 0, 25)
	full := make([]string, 12)
	for i, short := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		full[i] = n.one("months", short)
		months = append(months, full[i], capitalized(short))
	}
	month := anyOf(append(months, "Sept"))
	name := func(month string) string { return n.one("months", strings.ToLower(month)[:3]) }
	date := func(month, day int, year string) (string, bool) {
		if month < 1 || month > 12 || day < 1 || day > 31 {
			return "", false
		}
		if year != "" {
			year = ", " + year
		}
		return full[month-1] + " " + ordinal(strconv.Itoa(day)) + year, true
	}
	return []rule{
		{
			regexp.MustCompile(`(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([AaPp])\.?[Mm]\b\.?)?`), isWord, isDigit,
			func(m []string, rest string) (string, bool) { return clock(m, rest) },
		},
		{
			regexp.MustCompile(`(\d{4})-(\d{2})-(\d{2})`), isWord, isWord,
			func(m []string, _ string) (string, bool) { return date(value(m[2]), value(m[3]), m[1]) },
		},
		{
			regexp.MustCompile(`(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})`), isWord, isWord,
			func(m []string, _ string) (string, bool) {
				month, day, year := value(m[1]), value(m[2]), m[3]
				if len(year) == 2 && year > "30" {
					year = "19" + year
				} else if len(year) == 2 {
					year = "20" + year
				}
				if month > 12 {
					month, day = day, month
				}
				return date(month, day, year)
			},
		},
		{
			regexp.MustCompile(`(` + month + `)\.? (\d{1,2})(?:st|nd|rd|th)?\b(,? \d{4}\b)?`), isWord, anything,
			func(m []string, rest string) (string, bool) {
				other := m[3] == "" && rest != "" && strings.Contains(":%", rest[:1]) // a time, or a share
				if day := value(m[2]); day < 1 || day > 31 || other {
					return "", false
				}
				return name(m[1]) + " " + ordinal(m[2]) + m[3], true
			},
		},
		{
			regexp.MustCompile(`(the )?(\d{1,2}) (?:of )?(` + month + `)\b\.?`), isWord, anything,
			func(m []string, _ string) (string, bool) {
				if day := value(m[2]); day < 1 || day > 31 {
					return "", false
				}
				return "the " + ordinal(m[2]) + " of " + name(m[3]), true
			},
		},
	}
}

// value is that of a few digits.
func value(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// clock writes a time of the day.
func clock(m []string, rest string) (string, bool) {
	hour, minute, second := m[1], m[2], m[3]
	if value(hour) > 24 || minute > "59" || second > "59" {
		return "", false
	}
	words := cardinal(hour)
	switch {
	case minute == "00" && m[4] == "" && second == "":
		words += " o'clock"
	case minute == "00":
	case minute < "10":
		words += " oh " + cardinal(minute)
	default:
		words += " " + cardinal(minute)
	}
	if second != "" {
		words += " and " + cardinal(second) + " second"
		if value(second) != 1 {
			words += "s"
		}
	}
	if m[4] != "" { // with points, so that the letters are read
		words += " " + strings.ToUpper(m[4]) + ".M"
		if !strings.HasPrefix(rest, ".") {
			words += "."
		}
	}
	return words, true
}

func (n *normalizer) amounts() []rule {
	notInNumber := func(r rune) bool { return isWord(r) || r == '.' }
	multiplied := func(word string) string {
		switch strings.ToLower(word) {
		case "k":
			return "thousand"
		case "m":
			return "million"
		case "b":
			return "billion"
		default:
			return word
		}
	}
	plural := func(sign string) string { return n.words["currency"][strings.TrimSuffix(sign, ".")][1] }
	return []rule{
		{
			regexp.MustCompile(`([$£€])(` + number + `)\s?` + big), anything, anything,
			func(m []string, _ string) (string, bool) {
				return m[2] + " " + multiplied(m[3]) + " " + plural(m[1]), true
			},
		},
		{
			regexp.MustCompile(`(` + number + `)\s?¢`), notInNumber, anything,
			func(m []string, _ string) (string, bool) { return n.counted(m[1], "currency", "¢"), true },
		},
		{
			regexp.MustCompile(`([¥₹₩]|Rs\.?|USD|EUR|GBP)\s?(` + number + `)(?:\s?` + big + `)?`), isWord, anything,
			func(m []string, _ string) (string, bool) {
				if m[3] != "" {
					return m[2] + " " + multiplied(m[3]) + " " + plural(m[1]), true
				}
				return n.counted(m[2], "currency", strings.TrimSuffix(m[1], ".")), true
			},
		},
		{
			regexp.MustCompile(`(-?` + number + `)\s?°\s?([CF])?`), notInNumber, isWord,
			func(m []string, _ string) (string, bool) {
				scales := map[string]string{"C": " Celsius", "F": " Fahrenheit"}
				if m[1] == "1" || m[1] == "-1" || m[1] == "1.0" {
					return m[1] + " degree" + scales[m[2]], true
				}
				return m[1] + " degrees" + scales[m[2]], true
			},
		},
		{
			regexp.MustCompile(`(-?` + number + `)\s?(` + n.any("units") + `)`), notInNumber, isWord,
			func(m []string, _ string) (string, bool) { return n.counted(m[1], "units", m[2]), true },
		},
	}
}

func (n *normalizer) names() []rule {
	notCapital := func(r rune) bool { return r < 'A' || r > 'Z' }
	notDigit := func(r rune) bool { return !isDigit(r) }
	return []rule{
		{
			regexp.MustCompile(`(` + n.any("titles") + `)\.? `), isWord, notCapital,
			func(m []string, _ string) (string, bool) { return n.one("titles", m[1]) + " ", true },
		},
		{
			regexp.MustCompile(n.any("abbreviations")), func(r rune) bool { return isWord(r) || r == '.' }, isWord,
			func(m []string, rest string) (string, bool) {
				word := n.one("abbreviations", m[0])
				if rest == "" && strings.HasSuffix(m[0], ".") {
					word += "."
				}
				return word, true
			},
		},
		{
			regexp.MustCompile(`(Nos?)\. ?`), isWord, notDigit,
			func(m []string, _ string) (string, bool) {
				return map[string]string{"No": "Number ", "Nos": "Numbers "}[m[1]], true
			},
		},
		{
			regexp.MustCompile(`#`), func(r rune) bool { return isWord(r) || r == '&' }, notDigit,
			func([]string, string) (string, bool) { return "number ", true },
		},
		{
			regexp.MustCompile(`(` + n.any("roman_cardinal") + `) ([IVXLCDM]+)\b`), isWord, anything,
			func(m []string, rest string) (string, bool) {
				value, ok := roman(m[2], rest)
				return m[1] + " " + value, ok
			},
		},
		{
			regexp.MustCompile(`(` + n.any("roman_ordinal") + `) ([IVXLCDM]+)\b`), isWord, anything,
			func(m []string, rest string) (string, bool) {
				value, ok := roman(m[2], rest)
				return m[1] + " the " + ordinal(value), ok
			},
		},
	}
}

var romanForm = regexp.MustCompile(`^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$`)

// roman reads a Roman number, unless it is the beginning of something like "I'm".
func roman(letters, rest string) (string, bool) {
	mark, size := utf8.DecodeRuneInString(rest)
	if next, _ := utf8.DecodeRuneInString(rest[size:]); strings.ContainsRune(".'’", mark) && size > 0 && isWord(next) {
		return "", false
	}
	if !romanForm.MatchString(letters) || !strings.Contains("IVXLC", letters[:1]) {
		return "", false
	}
	values := map[byte]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}
	total := 0
	for i := range len(letters) {
		v := values[letters[i]]
		if i+1 < len(letters) && values[letters[i+1]] > v {
			v = -v
		}
		total += v
	}
	return strconv.Itoa(total), true
}

func (n *normalizer) digits() []rule {
	notAlone := func(r rune) bool { return isWord(r) || r == '.' || r == '-' }
	inFraction := func(r rune) bool { return isWord(r) || r == '.' || r == '/' }
	return []rule{
		{
			regexp.MustCompile(`(?:\d{3}-)?\d{3}-\d{4}`), notAlone, notAlone,
			func(m []string, _ string) (string, bool) { return telephone(m[0]), true },
		},
		{
			regexp.MustCompile(`(\d{1,2})/(\d{1,2})`), inFraction, inFraction,
			func(m []string, _ string) (string, bool) { return n.fraction(m[1], m[2]), true },
		},
		{
			regexp.MustCompile(`(\d{1,4})\s?[-–]\s?(\d{1,4})`), notAlone,
			func(r rune) bool { return notAlone(r) || r == '%' },
			func(m []string, _ string) (string, bool) { return m[1] + " to " + m[2], true },
		},
		{
			regexp.MustCompile(`\+`), func(r rune) bool { return isWord(r) || r == '+' },
			func(r rune) bool { return !isDigit(r) },
			func([]string, string) (string, bool) { return "plus ", true },
		},
	}
}

// telephone writes the digits of a number in its groups.
func telephone(number string) string {
	return strings.Join(strings.Split(strings.ReplaceAll(number, "-", ","), ""), " ")
}

// fraction writes a fraction, or else a day.
func (n *normalizer) fraction(a, b string) string {
	names := strings.Fields("half third quarter fifth sixth seventh eighth ninth tenth")
	over, under := value(a), value(b)
	switch {
	case 0 < over && over < under && under <= 10:
		name := names[under-2]
		switch {
		case under == 2:
			return "one half"
		case over == 1:
			return "1 " + name
		default:
			return strconv.Itoa(over) + " " + name + "s"
		}
	case 1 <= over && over <= 12 && 1 <= under && under <= 31:
		months := strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec")
		return n.one("months", months[over-1]) + " " + ordinal(strconv.Itoa(under))
	default:
		return strconv.Itoa(over) + " slash " + strconv.Itoa(under)
	}
}
