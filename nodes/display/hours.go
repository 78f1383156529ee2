package display

import (
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/prompts"
	"annai/tools/date"
)

// A Clock is a time of day on a wall, in minutes from midnight.
type Clock int

// Midnight is the end of a day.
const Midnight Clock = 24 * 60

// ClockOf is what a wall clock shows at an instant.
func ClockOf(t time.Time) *Clock {
	c := Clock(60*t.Hour() + t.Minute())
	return &c
}

// On is when a clock shows it on that day.
func (c Clock) On(d civil.Date, loc *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, int(c), 0, 0, loc)
}

// Hours are a part of every day of a range: the evenings of December, in the words of the visitor.
// The zero Hours are the whole day.
type Hours struct {
	From  Clock  `json:"from,omitempty"`
	Until Clock  `json:"until,omitempty"`
	Words string `json:"words,omitempty"`
}

// MaxWords is how many runes of a visitor's words are kept and said back.
const MaxWords = 40

// HoursIn are the hours of each day that times which were combined mean: the evenings of next week,
// and not this evening.
func HoursIn(s datetime.Selection) Hours {
	return Hours{Clock(s.Hours.From), Clock(s.Hours.Until), HoursWords(s.Part)}
}

// Has reports whether a time of day is in these hours.
func (h Hours) Has(at Clock) bool { return h == Hours{} || h.From <= at && at < h.Until }

// HoursWords are the words of a visitor for a part of the day.
func HoursWords(said string) string {
	return strings.TrimSuffix(strings.ToLower(text.OneLine(said, MaxWords)), Phrase(nlu.Japanese, "of"))
}

// Hold reports whether an event begins, or has its middle, in these hours. What takes longer than a
// day has them on the only day that is asked about, and is in none of several.
func (h Hours) Hold(e Entry, when civil.TimeRange, asked Span) bool {
	if h == (Hours{}) {
		return true
	}
	length := when.End.Sub(when.Start)
	if day := asked.OneDay(); !day.IsZero() && (e.AllDay || length > 24*time.Hour) {
		loc := asked.Start.Location()
		return when.Overlaps(civil.TimeRange{Start: h.From.On(day, loc), End: h.Until.On(day, loc)})
	}
	in := func(t time.Time) bool { c := *ClockOf(t); return h.From <= c && c < h.Until }
	return !e.AllDay && length <= 24*time.Hour && (in(when.Start) || in(when.Start.Add(length/2)))
}

// A Part is what is asked about of a range: some days of the week in it, and some hours of each.
// The zero Weekdays are all.
type Part struct {
	Range    Span
	Weekdays date.Weekdays
	Hours    Hours
}

// Words are words for the part: 来月の土曜日, Saturdays in December.
func (p Part) Words(now time.Time, lang nlu.Language) string {
	return p.Add(p.Range.Words(now, lang), now, lang)
}

// Adverb is the part as it stands in a sentence: in English an adverb.
func (p Part) Adverb(now time.Time, lang nlu.Language) string {
	switch {
	case lang != nlu.English:
		return p.Words(now, lang)
	case p.Weekdays != 0:
		return "on " + p.Words(now, lang)
	}
	return p.AddHours(p.Range.Adverb(now, lang), now, lang)
}

// Add adds the days of the week and the part of the day to words for the range.
func (p Part) Add(words string, now time.Time, lang nlu.Language) string {
	if p.Weekdays != 0 {
		if lang == nlu.English {
			words = p.Range.Adverb(now, lang)
		}
		words = Phrase(lang, "weekdays_within", words, WeekdaysAsSuch(p.Weekdays, lang))
	}
	return p.AddHours(words, now, lang)
}

// AddHours adds the part of the day to words for the range: 12月の夜, December, in the evening;
// 12月の18:00以降.
func (p Part) AddHours(words string, now time.Time, lang nlu.Language) string {
	h := p.Hours
	clock := func(c Clock) string { return WrittenClock(c.On(civil.DateOf(now), now.Location()), lang) }
	part := "in_" + partOfDay.Replace(h.Words)
	switch named := prompts.HasPhrase(part); {
	case h == (Hours{}):
		return words
	case lang == nlu.English && named:
		return Phrase(lang, "part_of_day", words, Phrase(lang, part))
	case lang != nlu.English && text.HasJapanese(h.Words) && !strings.ContainsAny(h.Words, "0123456789"):
		return Phrase(lang, "part_of_day", words, NoBrackets(h.Words))
	case h.From == 0:
		return Phrase(lang, "hours_until", words, clock(h.Until))
	case h.Until == Midnight:
		return Phrase(lang, "hours_from", words, clock(h.From))
	}
	return Phrase(lang, "hours_between", words, clock(h.From), clock(h.Until))
}

// partOfDay leaves of English words for a part of the day its name: "in the mornings" is morning.
var partOfDay = strings.NewReplacer("in the ", "", "at ", "", "s", "")

// WeekdaysAsSuch are days of the week as such: 平日, 月曜日・火曜日; weekdays, Mondays and Tuesdays.
func WeekdaysAsSuch(days date.Weekdays, lang nlu.Language) string {
	switch days {
	case date.WorkingDays:
		return Phrase(lang, "working_days")
	case date.Weekend:
		return Phrase(lang, "weekend_days")
	}
	var names []string
	for _, weekday := range days.List() {
		names = append(names, date.WeekdayName(weekday, string(lang))+InLang(lang, "", "s"))
	}
	if lang != nlu.English {
		return strings.Join(names, "・")
	}
	return text.Enumerate(names)
}
