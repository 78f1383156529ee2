package text

import (
	"strings"
	"time"
)

// Weekdays are the weekdays as one kanji each, Sunday first.
const Weekdays = "日月火水木金土"

// Weekday reads a weekday's kanji.
func Weekday(r rune) (time.Weekday, bool) {
	at := strings.IndexRune(Weekdays, r)
	return time.Weekday(at / len("日")), at >= 0
}

// WeekdayKanji is the kanji of a weekday.
func WeekdayKanji(day time.Weekday) string {
	at := int(day) * len("日")
	return Weekdays[at : at+len("日")]
}

// LongName returns the name of the weekday or month of which an English abbreviation is the start,
// as it is said: Monday for Mon. It returns "" for what is none. Letters are as in names.
func LongName(short string) string { return longNames[short] }

var longNames = func() map[string]string {
	names := map[string]string{"Sept": "September"}
	for day := time.Sunday; day <= time.Saturday; day++ {
		names[day.String()[:3]] = day.String()
	}
	for month := time.January; month <= time.December; month++ {
		names[month.String()[:3]] = month.String()
	}
	delete(names, "May")
	return names
}()
