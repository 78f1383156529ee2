package words

import _ "embed"

//go:embed times.tsv
var timeWords string

// The lists of what is asked of dates.
const (
	PublicHoliday  Phrases = "public_holiday"
	NextOne        Phrases = "next_one"
	WeekNumber     Phrases = "week_number"
	WhichWeek      Phrases = "which_week"
	LeapYear       Phrases = "leap_year"
	NextYear       Phrases = "next_year"       // of leap years: the next one
	LastYear       Phrases = "last_year"       // the one before
	DaysBetween    Phrases = "days_between"    // the days between two
	DaysOf         Phrases = "days_of"         // the days of a time
	Remains        Phrases = "remains"         // what is left of a time
	CountsDays     Phrases = "counts_days"     // a number of days, or of longer times
	CountsYears    Phrases = "counts_years"    // a number of years
	DaysTo         Phrases = "days_to"         // the days up to a longer time
	DaysUntil      Phrases = "days_until"      // the days up to a day
	UntilWeekend   Phrases = "until_weekend"   // up to the weekend, which is no kind of days then
	OfMonth        Phrases = "of_month"        // stands between a month and days of the week
	Between        Phrases = "between"         // stands between two days
	AsksTime       Phrases = "asks_time"       // what time it is
	TimeOfPlace    Phrases = "time_of_place"   // the time, perhaps elsewhere
	TimeDifference Phrases = "time_difference" // to another place
	TimeSomewhere  Phrases = "time_somewhere"  // the time in a place that is named
	WhatHour       Phrases = "what_hour"       // in Japanese: see BeginsOrEnds
	OfHour         Phrases = "of_hour"         // behind it: from, until
	AboutHour      Phrases = "about_hour"      // behind it: about
	BeginsOrEnds   Phrases = "begins_or_ends"  // behind it: something begins or ends
	HourOf         Phrases = "hour_of"         // in English: the hour of something
	IsWhatHour     Phrases = "is_what_hour"    // behind that of which the hour is asked
	HereAndNow     Phrases = "here_and_now"    // of which it is the time of day
	Calendars      Phrases = "calendars"       // calendars that count years
	AsksYear       Phrases = "asks_year"       // a year, or when something was
	NoEra          Phrases = "no_era"          // has the name of an era in it
	AsksWeekday    Phrases = "asks_weekday"    // the day of the week
	WhatYear       Phrases = "what_year"       // behind an era: which of its years
	SomeYears      Phrases = "some_years"      // behind that: it is asked how many
	WhatYearOf     Phrases = "what_year_of"    // the same before it
	LastOfDays     Phrases = "last_of_days"    // the last day of a time
	FirstOfDays    Phrases = "first_of_days"   // its first day
	SameWeekday    Phrases = "same_weekday"    // as the day spoken of
	SameDay        Phrases = "same_day"        // as that, of a week or of a month
	SameDate       Phrases = "same_date"       // as that, of a month
	UpTo           Phrases = "up_to"           // stands around the end of a time
	FromThen       Phrases = "from_then"       // stands behind its beginning
	EndOf          Phrases = "end_of"          // the end of a time
	NewYear        Phrases = "new_year"        // the turn of the year
	RestOf         Phrases = "rest_of"         // what remains of a time
	FromToday      Phrases = "from_today"      // in English: counts from today
	DayOrMonth     Phrases = "day_or_month"    // begins a name that English writes with a capital
	FromADay       Phrases = "from_a_day"      // in Japanese: counts from a day
)

// The lists of what is asked of opening hours.
const (
	Opens         Phrases = "opens"            // that something is open or closed
	Closed        Phrases = "closed"           // that it is closed on some days
	Shuts         Phrases = "shuts"            // that it closes
	Now           Phrases = "now"              // at the moment
	AsksWhen      Phrases = "asks_when"        // when, or how long
	GoesIn        Phrases = "goes_in"          // going in and using it, beside a time
	OpensElse     Phrases = "opens_else"       // opens something, or is something else that is asked
	ClosedAtTime  Phrases = "closed_at_a_time" // that it is closed at a time
	UntilWhen     Phrases = "until_when"       // when a time ends, or what comes behind it
	NotNow        Phrases = "not_now"          // only looks like a word for now
	NotClosed     Phrases = "not_closed"       // only looks like one for being closed
	NotOpen       Phrases = "not_open"         // only looks like one for being open
	Season        Phrases = "season"           // a time whose days nobody knows exactly
	Habit         Phrases = "habit"            // no time in particular
	PartOfOpening Phrases = "part_of_opening"  // part of what is said of opening hours alone
	OfOpening     Phrases = "of_opening"       // in English, a word of that
	BeforeName    Phrases = "before_name"      // stands before the name of a thing, in English
	BehindName    Phrases = "behind_name"      // stands behind it, in Japanese
	Holidays      Phrases = "holiday_as_such"  // public holidays, as such
	HolidaysNamed Phrases = "holidays_named"   // holidays that are no public ones
)
