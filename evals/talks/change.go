package talks

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"annai/internal/text"
	"annai/tools/calendar"
)

// A Change makes of a true sentence one in which one fact is wrong, as a model does that mistakes it.
type Change struct {
	Name string
	make func(string) string
}

// Of returns the sentence with the fact changed where it first stands; "" where it has no such
// fact.
func (c Change) Of(sentence string) string { return c.make(sentence) }

const (
	months = `January|February|March|April|May|June|July|August|September|October|November|December`
	dates  = `(\d{1,2}月|(?:` + months + `) )(\d{1,2})`
)

// Changes are the facts that are changed: those of every place, and the names of one, in lists of
// which one may be mistaken for another.
func Changes(names map[string][][]string) []Change {
	out := []Change{
		{"time", pattern(`(\d{1,2})(:\d\d)`, func(m []string) string { return next(m[1], 23) + m[2] })},
		{"hour", pattern(`(\d{1,2})( [ap]\.m\.)`, func(m []string) string { return next(m[1], 12) + m[2] })},
		{"date", pattern(dates, func(m []string) string { return m[1] + next(m[2], 28) })},
		{"price", pattern(`([\d,]+)(円| yen)`, func(m []string) string { return more(m[1], 100) + m[2] })},
		{"number", pattern(`(\d+)(人|名|分|歳|台|つ|点|週間|階| people| minutes| spaces)`, func(m []string) string {
			return more(m[1], 2) + m[2]
		})},
		{"phone", pattern(`(0\d{1,3}-\d+-\d\d)(\d)(\d)`, func(m []string) string { return m[1] + m[3] + m[2] })},
		{"weekday", swapped(weekdays)},
		{"negation", negated},
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		out = append(out, Change{name, swapped(names[name])})
	}
	return out
}

// NamesOf are the titles and the places of events, each in both languages.
func NamesOf(events []calendar.Event) map[string][][]string {
	out := map[string][][]string{"name": {nil, nil}, "room": {nil, nil}}
	add := func(sort, both string) {
		for half := range strings.SplitSeq(both, " / ") {
			lang := 1
			if text.HasJapanese(half) {
				lang = 0
			}
			if list := &out[sort][lang]; half != "" && !slices.Contains(*list, half) {
				*list = append(*list, half)
			}
		}
	}
	for _, e := range events {
		add("name", e.Title)
		add("room", e.Location)
	}
	return out
}

// pattern changes the first match of a pattern.
func pattern(expr string, with func([]string) string) func(string) string {
	re := regexp.MustCompile(expr)
	return func(s string) string {
		at := re.FindStringSubmatchIndex(s)
		if at == nil {
			return ""
		}
		return s[:at[0]] + with(re.FindStringSubmatch(s)) + s[at[1]:]
	}
}

func number(s string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return n
}

// next is the number after one, and after the last 1.
func next(s string, last int) string { return strconv.Itoa(number(s)%last + 1) }

// more is a number that is more by n.
func more(s string, n int) string { return strconv.Itoa(number(s) + n) }

// swapped puts the next name of a list for the first of it that stands in a text, and is not in it.
func swapped(lists [][]string) func(string) string {
	return func(s string) string {
		for _, names := range lists {
			for i, n := range names {
				if !strings.Contains(s, n) {
					continue
				}
				for k := 1; k < len(names); k++ {
					if with := names[(i+k)%len(names)]; !strings.Contains(s, with) {
						return strings.ReplaceAll(s, n, with)
					}
				}
			}
		}
		return ""
	}
}

var weekdays = [][]string{
	{"月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"},
	{"(月)", "(火)", "(水)", "(木)", "(金)", "(土)", "(日)"},
	{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
}

var denials = [][2]string{
	{"申込不要", "要申込"},
	{"申込は不要", "申込は必要"},
	{"ありません", "あります"},
	{"できません", "できます"},
	{"休館です", "開館しています"},
	{"無料", "有料"},
	{"必要です", "不要です"},
	{"あります", "ありません"},
	{"使えます", "使えません"},
	{"泊まれません", "泊まれます"},
	{"開いています", "閉まっています"},
	{"there's no ", "there's a "},
	{"No booking is needed", "Booking is needed"},
	{"it's free", "it isn't free"},
	{"we're open", "we're closed"},
	{"we're closed", "we're open"},
	{"we don't accept", "we accept"},
	{"there's a ", "there's no "},
	{"You can book", "You can't book"},
	{" has ", " doesn't have "},
	{"is free", "isn't free"},
}

// negated denies what a sentence says, or says what it denies; not in the apology before it.
func negated(s string) string {
	const sorry = "申し訳ありません"
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "いいえ、"), sorry)
	for _, p := range denials {
		if strings.Contains(rest, p[0]) {
			return strings.TrimSuffix(s, rest) + strings.Replace(rest, p[0], p[1], 1)
		}
	}
	return ""
}
