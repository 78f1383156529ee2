package date

import (
	"fmt"
	"strings"

	"annai/civil"
)

func currentMessage(m Moment, lang string) string {
	if english(lang) {
		return fmt.Sprintf("It is %s on %s (%s), in week %d.", m.Time, m.Date, m.Weekday, m.ISOWeek)
	}
	return fmt.Sprintf("現在は %s（%s）%s です。第%d週。", m.Date, m.Weekday, m.Time, m.ISOWeek)
}

func calculatedMessage(base, result civil.Date, offset Offset, fromToday bool, lang string) string {
	distance := describe(offset, lang)
	if english(lang) {
		from := "today"
		if !fromToday {
			from = named(base, lang)
		}
		return strings.Join(append(distance, capital(from, len(distance) == 0)), " ") + " is " + named(result, lang) + "."
	}
	from := "今日"
	if !fromToday {
		from = named(base, lang)
	}
	return strings.Join(append([]string{from}, distance...), "の") + "は " + named(result, lang) + "です。"
}

// describe words an offset as one distance, or as two where months, weeks and days point different ways. In English each
// ends so that what it counts from can follow, and the last comes first.
func describe(o Offset, lang string) []string {
	type part struct {
		n      int
		ja, en string
	}
	var distances []string
	var units []string
	ahead := true
	flush := func() {
		if len(units) > 0 {
			distances = append(distances, direction(units, ahead, lang))
			units = nil
		}
	}
	for _, p := range []part{{o.Months, "か月", "month"}, {o.Weeks, "週間", "week"}, {o.Days, "日", "day"}} {
		if p.n == 0 {
			continue
		}
		if ahead != (p.n > 0) {
			flush()
		}
		ahead = p.n > 0
		units = append(units, pick(lang, fmt.Sprint(max(p.n, -p.n))+p.ja, plural(max(p.n, -p.n), p.en)))
	}
	flush()
	if english(lang) {
		for i, j := 0, len(distances)-1; i < j; i, j = i+1, j-1 {
			distances[i], distances[j] = distances[j], distances[i]
		}
	}
	return distances
}

func direction(units []string, ahead bool, lang string) string {
	switch {
	case english(lang) && ahead:
		return list(units) + " after"
	case english(lang):
		return list(units) + " before"
	case ahead:
		return strings.Join(units, "と") + "後"
	default:
		return strings.Join(units, "と") + "前"
	}
}

func listedMessage(l Listed, days Weekdays, lang string) string {
	if !english(lang) {
		if l.Count == 0 {
			return fmt.Sprintf("%s 〜 %s に%sはありません。", l.Range.Start, l.Range.End, l.Weekday)
		}
		return fmt.Sprintf("%s 〜 %s の%sは %d 日あります。", l.Range.Start, l.Range.End, l.Weekday, l.Count)
	}
	unit := l.Weekday
	if days == Weekend {
		unit = "weekend day"
	}
	verb := "are"
	if l.Count == 1 {
		verb = "is"
	}
	count := plural(l.Count, unit)
	if l.Count == 0 {
		count = "no " + unit + "s"
	}
	return fmt.Sprintf("There %s %s from %s to %s.", verb, count, l.Range.Start, l.Range.End)
}

func named(d civil.Date, lang string) string {
	if english(lang) {
		return fmt.Sprintf("%s (%s)", d, WeekdayName(d.Weekday(), lang))
	}
	return fmt.Sprintf("%s（%s）", d, WeekdayName(d.Weekday(), lang))
}

// list joins words as English does: "1 month, 2 weeks and 3 days".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// capital writes s with a capital first letter if it begins a sentence.
func capital(s string, begins bool) string {
	if !begins {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
