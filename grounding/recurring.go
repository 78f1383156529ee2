package grounding

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
)

// What recurs or is counted from another day is no day of the calendar, though it reads like one: the first Sunday of every month, Saturday
// evenings in July, two months later. Such forms are hidden from the reader of times, and left to those of numbers and words.

const (
	weekdayName = `(?:mon|tues|wednes|thurs|fri|satur|sun)day`
	numberName  = `(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)`
	partName    = `(?:morning|afternoon|evening|night)`
)

var (
	// eachMonth is a weekday by its place in the month, of any month.
	eachMonth = phrasing([]string{"first ", "second ", "third ", "fourth ", "fifth ", "last ", "1st ", "2nd ", "3rd ", "4th ", "第"}, `\b(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th)(?: and (?:first|second|third|fourth|fifth|last))? `+weekdayName+`s?(?: of (?:each|every|the) month| (?:each|every) month)?|第[1-5一二三四五](?:[・と、]?第?[1-5一二三四五])?[月火水木金土日]曜日?`)
	// whichMonth is what makes it of one month after all.
	whichMonth = regexp.MustCompile(`^ (?:of|in) (?:this |next |january|february|march|april|may|june|july|august|september|october|november|december)|[0-9今来]月の?$`)
	// someWeekdays are a part of a weekday of any week, or weekdays of any week of a month.
	someWeekdays = phrasing([]string{"days ", "day in", "day m", "day a", "day e", "day n"}, `\b`+weekdayName+`s? `+partName+`s\b|\b`+weekdayName+`s in `)
	ofMonth      = phrasing([]string{"月の"}, `月の(?:毎週)?([月火水木金土日]曜日?の?)[夜夕朝昼午]`)
	// weekdayRange is weekdays from one to another, before their hours, which must not be read as the end of that range.
	weekdayRange = phrasing([]string{"から", "~", "-", "day to ", "day through "}, `\b`+weekdayName+` (?:to|through) `+weekdayName+`(,? )(?:from )?[0-9]|[月火水木金土日](?:曜日?)?(?:から|[~-])[月火水木金土日](?:曜日?)?(の、?|は、?|、)[0-9午朝夜昼夕]`)
	// otherDay is a length of time before or after something.
	otherDay = phrasing([]string{"later", "ahead", "earlier", "before", "after", "advance", "prior", "前", "後"}, `\b`+numberName+` (?:days?|weeks?|months?|years?) (?:later|ahead|earlier|before|after|in advance|beforehand|prior)|[0-9一二三四五六七八九十]+(?:日|週間|か月|ヶ月|カ月|年)(?:ほど|くらい|程度)?[前後]`)
	// parts are the parts of the day in what someWeekdays finds.
	plurals = regexp.MustCompile(partName + `s$`)
)

// A wording is a pattern, and words of which it has one: it is not tried where none of them stands.
type wording struct {
	*regexp.Regexp
	words [][]byte
}

func phrasing(words []string, pattern string) wording {
	w := wording{Regexp: regexp.MustCompile(pattern)}
	for _, s := range words {
		w.words = append(w.words, []byte(s))
	}
	return w
}

// find returns where the pattern stands in a text, with its groups.
func (w *wording) find(text []byte) [][]int {
	if !slices.ContainsFunc(w.words, func(s []byte) bool { return bytes.Contains(text, s) }) {
		return nil
	}
	return w.FindAllSubmatchIndex(text, -1)
}

// hideRecurring makes such forms something that no time is read across. The text that is read for words keeps them.
func hideRecurring(plain []byte) {
	for _, at := range eachMonth.find(plain) {
		if !whichMonth.Match(plain[at[1]:]) && !whichMonth.Match(plain[:at[0]]) {
			hide(plain, at[0], at[1])
		}
	}
	for _, at := range someWeekdays.find(plain) {
		hide(plain, at[0], at[1])
	}
	for _, at := range ofMonth.find(plain) {
		hide(plain, at[2], at[3])
	}
	for _, at := range weekdayRange.find(plain) {
		hide(plain, max(at[2], at[4]), max(at[3], at[5]))
	}
	for _, at := range otherDay.find(plain) {
		hide(plain, at[0], at[1])
	}
}

func hide(text []byte, i, j int) {
	copy(text[i:j], bytes.Repeat([]byte("|"), j-i))
}

// partsOfDays are the parts of the day of weekdays of any week: "Saturday evenings".
func partsOfDays(text []byte) []feature {
	var out []feature
	for _, at := range someWeekdays.find(text) {
		in := plurals.FindIndex(text[at[0]:at[1]])
		if in == nil {
			continue
		}
		from, to := at[0]+in[0], at[0]+in[1]
		part := dayParts[string(text[from:to-1])]
		out = append(out, feature{kind: clock, a: part[0], b: part[1], days: days{period: true}, start: from, end: to})
		blank(text, from, to)
	}
	return out
}

// dayParts are the parts of the day in minutes, as the reader of times has them.
var dayParts = map[string][2]int{"morning": {360, 720}, "afternoon": {720, 1080}, "evening": {960, 1200}, "night": {1080, 1440}}

// clockWords are hours in words that stand alone: "before ten", "later than seven".
var clockWords = phrasing([]string{"before ", "after ", "until ", "till ", "by ", "than ", "at "}, `\b(?:before|after|until|till|by|than|at) (1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) *(?:[.,;!?](?: |$)|$| (?:and|or|in the|at night|at noon|the next|the following|on|every|each|if|when|please|o'clock))`)

// bareHours reads them and makes them blank.
func bareHours(text []byte) []feature {
	var out []feature
	for _, at := range clockWords.find(text) {
		hour, err := strconv.Atoi(string(text[at[2]:at[3]]))
		if err != nil {
			hour = englishNumbers[string(text[at[2]:at[3]])]
		}
		minute := 60 * hour
		out = append(out, feature{kind: clock, a: minute, b: minute, loose: true, start: at[2], end: at[3]})
		blank(text, at[2], at[3])
	}
	return out
}
