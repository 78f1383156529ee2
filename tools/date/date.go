// Package date is exact arithmetic with dates: what a model would guess and a person would count on fingers.
//
// Its one idea: every answer is computed from what it was given, the clock included, and comes with a sentence in the
// language of the caller. The package knows no holidays, no venue and no grammar of dates (that is nlu/datetime).
package date

import (
	"time"

	"annai/civil"
)

// Limits of what is computed.
const (
	// MaxDays is the most days a range may have, both ends included.
	MaxDays = 366
	// MaxYears is the farthest a date may be from its base.
	MaxYears = 100
)

// A Day is a date with its weekday.
type Day struct {
	Date civil.Date `json:"date"`
	// Weekday is the name in the caller's language: "日曜日", "Sunday".
	Weekday string `json:"weekday"`
	// WeekdayNumber is 0 for Monday to 6 for Sunday.
	WeekdayNumber int `json:"weekday_number"`
}

// DayOf returns d with its weekday, named in lang ("ja" or "en").
func DayOf(d civil.Date, lang string) Day {
	return Day{Date: d, Weekday: WeekdayName(d.Weekday(), lang), WeekdayNumber: WeekdayNumber(d.Weekday())}
}

// Current is the answer of [GetCurrentDatetime].
type Current struct {
	Success bool   `json:"success"`
	Current Moment `json:"current"`
	Message string `json:"message"`
}

// A Moment is a time of a day, to the minute.
type Moment struct {
	Date civil.Date `json:"date"`
	// Time is "17:20".
	Time          string `json:"time"`
	Weekday       string `json:"weekday"`
	WeekdayNumber int    `json:"weekday_number"`
	ISOWeek       int    `json:"iso_week"`
	ISOYear       int    `json:"iso_year"`
}

// GetCurrentDatetime says what now is in now's own location, in lang ("ja" or "en"). It can't fail.
func GetCurrentDatetime(now time.Time, lang string) Current {
	day := DayOf(civil.DateOf(now), lang)
	year, week := now.ISOWeek()
	moment := Moment{
		Date: day.Date, Time: now.Format("15:04"), Weekday: day.Weekday, WeekdayNumber: day.WeekdayNumber,
		ISOWeek: week, ISOYear: year,
	}
	return Current{Success: true, Current: moment, Message: currentMessage(moment, lang)}
}

// Calculation is the input of [CalculateDate].
type Calculation struct {
	// BaseDate is "2026-03-01"; empty is today.
	BaseDate string `json:"base_date,omitempty" jsonschema:"The date to count from, YYYY-MM-DD. Absent: today."`
	// The offsets may be negative. Months are added first, then weeks and days.
	OffsetDays   int `json:"offset_days,omitempty" jsonschema:"Days to add; negative goes back."`
	OffsetWeeks  int `json:"offset_weeks,omitempty" jsonschema:"Weeks to add; negative goes back."`
	OffsetMonths int `json:"offset_months,omitempty" jsonschema:"Months to add; negative goes back."`
}

// An Offset is a distance between two dates.
type Offset struct {
	Days   int `json:"days"`
	Weeks  int `json:"weeks"`
	Months int `json:"months"`
}

// Calculated is the answer of [CalculateDate].
type Calculated struct {
	Success  bool   `json:"success"`
	BaseDate Day    `json:"base_date"`
	Result   Day    `json:"result"`
	Offset   Offset `json:"offset"`
	Message  string `json:"message"`
}

// CalculateDate adds the offsets to the base date. Where the month has no such day its last one is taken. now says what
// today is, in its own location. A base that is no date, an offset beyond [MaxYears] or a result outside the years 1 to
// 9999 is an [*InputError].
func CalculateDate(in Calculation, now time.Time, lang string) (Calculated, error) {
	today := civil.DateOf(now)
	base := today
	if in.BaseDate != "" {
		var err error
		if base, err = parseDate("base_date", in.BaseDate); err != nil {
			return Calculated{}, err
		}
	}
	offset := Offset{Days: in.OffsetDays, Weeks: in.OffsetWeeks, Months: in.OffsetMonths}
	result, err := Add(base, offset)
	if err != nil {
		return Calculated{}, err
	}
	return Calculated{
		Success: true, BaseDate: DayOf(base, lang), Result: DayOf(result, lang), Offset: offset,
		Message: calculatedMessage(base, result, offset, base == today, lang),
	}, nil
}

// Add returns base plus offset, with the errors of [CalculateDate].
func Add(base civil.Date, offset Offset) (civil.Date, error) {
	const maxMonths, maxDays = 12 * MaxYears, 36525
	if beyond(offset.Months, maxMonths) || beyond(offset.Weeks, maxDays/7) || beyond(offset.Days, maxDays) {
		return civil.Date{}, &InputError{Kind: OffsetTooFar}
	}
	result := base.AddMonths(offset.Months).AddDays(7*offset.Weeks + offset.Days)
	if beyond(result.Sub(base), maxDays) || result.Year < 1 || result.Year > 9999 {
		return civil.Date{}, &InputError{Kind: OffsetTooFar}
	}
	return result, nil
}

// Selection is the input of [ListDatesInRange].
type Selection struct {
	// StartDate and EndDate are "2026-03-01", both included.
	StartDate string `json:"start_date" jsonschema:"The first day, YYYY-MM-DD."`
	EndDate   string `json:"end_date" jsonschema:"The last day, YYYY-MM-DD, included."`
	// Weekday is a name in Japanese or English, or 平日 (Monday to Friday) or 週末: see [ParseWeekdays].
	Weekday string `json:"weekday" jsonschema:"A weekday in Japanese or English: 火, 火曜, 火曜日, tuesday, tue; or 平日, 週末, weekday, weekend."`
}

// Bounds are the two ends of a range, both included.
type Bounds struct {
	Start civil.Date `json:"start"`
	End   civil.Date `json:"end"`
}

// Listed is the answer of [ListDatesInRange].
type Listed struct {
	Success bool   `json:"success"`
	Weekday string `json:"weekday"`
	Range   Bounds `json:"range"`
	// Dates is in order, and empty rather than nil.
	Dates   []Day  `json:"dates"`
	Count   int    `json:"count"`
	Message string `json:"message"`
}

// ListDatesInRange lists the days of the range that fall on the weekday. A date that is none, an unknown weekday, a
// reversed range or one of more than [MaxDays] days is an [*InputError].
func ListDatesInRange(in Selection, lang string) (Listed, error) {
	start, err := parseDate("start_date", in.StartDate)
	if err != nil {
		return Listed{}, err
	}
	end, err := parseDate("end_date", in.EndDate)
	if err != nil {
		return Listed{}, err
	}
	days, err := ParseWeekdays(in.Weekday)
	if err != nil {
		return Listed{}, err
	}
	if end.Before(start) {
		return Listed{}, &InputError{Kind: RangeReversed}
	}
	if DaysBetween(start, end) >= MaxDays {
		return Listed{}, &InputError{Kind: RangeTooLong}
	}
	out := Listed{Success: true, Weekday: days.Name(lang), Range: Bounds{Start: start, End: end}, Dates: []Day{}}
	for d := start; !d.After(end); d = d.AddDays(1) {
		if days.Has(d.Weekday()) {
			out.Dates = append(out.Dates, DayOf(d, lang))
		}
	}
	out.Count = len(out.Dates)
	out.Message = listedMessage(out, days, lang)
	return out, nil
}

// DaysBetween returns the number of days from a to b; negative if b is earlier.
func DaysBetween(a, b civil.Date) int { return b.Sub(a) }

// ISOWeek returns the ISO 8601 year and week of d. The first days of January may belong to the year before.
func ISOWeek(d civil.Date) (year, week int) { return d.In(time.UTC).ISOWeek() }

func parseDate(field, s string) (civil.Date, error) {
	d, err := civil.ParseDate(s)
	if err != nil || d.Year < 1 {
		return civil.Date{}, &InputError{Kind: NoDate, Field: field, Value: s}
	}
	return d, nil
}

// beyond reports whether n is farther from zero than limit.
func beyond(n, limit int) bool { return n > limit || n < -limit }
