// Package datetime reads the temporal expressions of an utterance, in Japanese and English, with
// one grammar, and resolves them against a reference instant in a location. It says what was
// assumed and never guesses a year silently.
//
// Its one idea: both languages become the same tokens, and an expression is the union of the
// features its parts name (a week, a weekday, a clock time), in whatever order they were said.
// Resolving comes last, when all features are known.
//
// A text goes through four steps. The scanner cuts it into tokens (scan.go, digits.go), by the
// words of words.tsv and the days of holidays.tsv. At a token, the table of components (parser.go)
// says what reads it: a value, which is a set of features. Values are joined side by side
// (beside.go), and to ranges (span.go). The value of an expression is resolved (resolve.go,
// times.go, ranges.go).
//
// It knows no clock (the reference instant is given), no intent, and no seasons: 今年の夏 names no days
// that everybody agrees on, and is no expression.
package datetime

import (
	"time"

	"annai/civil"
)

// Name is the named range an expression means, as it stands on the wire ("thisWeek").
type Name string

// The values of [Name]. Date is one day that has no other name, Range is any other range.
const (
	Today            Name = "today"
	Tomorrow         Name = "tomorrow"
	DayAfterTomorrow Name = "dayAfterTomorrow"
	ThisWeek         Name = "thisWeek"
	Weekend          Name = "weekend"
	NextWeek         Name = "nextWeek"
	NextWeekend      Name = "nextWeekend"
	ThisMonth        Name = "thisMonth"
	NextMonth        Name = "nextMonth"
	Date             Name = "date"
	Range            Name = "range"
)

// Kind says what sort of expression it is.
type Kind string

// The values of [Kind].
const (
	// KindDay is one whole day, KindDays several whole days, KindTime an interval or an instant
	// within a day (TimeRange then has that interval; an instant has Start == End), KindDuration a
	// length of time without a place (Seconds).
	KindDay      Kind = "day"
	KindDays     Kind = "days"
	KindTime     Kind = "time"
	KindDuration Kind = "duration"
	// KindSet is a recurring time ("every Wednesday").
	KindSet Kind = "set"
)

// An Expression is one temporal expression of an utterance.
type Expression struct {
	// Text is the words as they stand in the utterance; Start and End their byte offsets in it
	// (half-open).
	Text       string
	Start, End int
	Kind       Kind
	// Name is the named range, for KindDay and KindDays; Date and Range otherwise.
	Name Name
	// TimeRange is when it is, half-open, in the reference's location. Zero for KindDuration and
	// KindSet, and when Invalid.
	TimeRange civil.TimeRange
	// Seconds is the length of a KindDuration; a month counts 30 days and a year 365.
	Seconds int64
	// Assumed says that a part of the date was not said and was taken as the nearest in the future
	// (year of "1月15日"), that an hour from one to six without 午前 or 午後 was taken as the
	// afternoon's, or that 3/4 was read month first.
	Assumed bool
	// Past says that the words themselves point back (昨日, 先週, "last Friday", a date with a past
	// year).
	Past bool
	// Invalid says that the words name a date or time that does not exist (2月30日, 3時70分, 午後13時).
	// TimeRange is then zero.
	Invalid bool
	// Conflict says that a weekday was said which is not that of the date said beside it; the date
	// was taken.
	Conflict bool
	// NoDay says that a KindTime names a time of day without a day; the day in TimeRange is the
	// next on which it comes.
	NoDay bool
	// Holiday says that a day was meant by its name (クリスマス, "Golden Week").
	Holiday bool
	// OpenStart and OpenEnd say that only one end was said (金曜まで, "from Friday"). The other end is
	// then the reference instant (the start of the day, for "tomorrow before noon"), the end of the
	// day, or a year after the start.
	OpenStart, OpenEnd bool
	// Alternatives are other ranges the same words may mean, best first.
	Alternatives []civil.TimeRange
	// Weekdays are the days of the week, Monday first, where nothing else is said of which day: of
	// a day or a time the one whose next is taken (火曜日, "Tuesday at ten"), of a KindSet those on
	// which it recurs, of KindDays a kind of days (平日, "weekdays").
	Weekdays []time.Weekday
	// Named are all days of the week that the words name, Monday first, also where more is said of
	// which day is meant (来月の火曜日, 第2土曜日); a kind of days names each of its days.
	Named []time.Weekday
	// Month says that they name a month.
	Month bool
	// NoMonth says that the words name a day of the month and no month, which is the next that has
	// the day ahead.
	NoMonth bool
	// Hours are the part of the day that the words name without any hour, and Part is the word for
	// it (午後, "evening"). It may stand beside several days (14日から18日の午後); TimeRange is then all the
	// time between.
	Hours Hours
	Part  string
	// FromNow is how far it is from the reference, where the words count from there (2時間後, "an hour
	// earlier"); zero for all others. Of something that has a time of its own they may count from that.
	FromNow time.Duration
	// OfThat says that they count from a day that was spoken of, and from the reference only where
	// there is none (翌日, "the next day").
	OfThat bool
	// Counted says that the words count from a day or a time that they name (1月31日の1か月後).
	Counted bool
	// Rough says that several days are a part of a longer time whose borders nobody knows exactly
	// (月末, "early next week").
	Rough bool
	// Within are the days in which a KindSet recurs, where they are said (3月の毎週水曜). Zero: for ever.
	Within civil.TimeRange
}

// Hours are a part of a day, from one time on the wall up to another, in minutes from midnight. The
// zero value is the whole day.
type Hours struct{ From, Until int }
