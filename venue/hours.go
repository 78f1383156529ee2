package venue

// Hours are when the venue, or a part of it, is open. Hours without Weekly do not say; see
// [Day.Known].
type Hours struct {
	// Weekly has an entry per weekday, "mon" to "sun": "9:00-22:00", "10:00-12:00, 13:00-17:00", or
	// "" for closed. An end that is not after the start is on the next day: "18:00-02:00".
	// "00:00-24:00" is the whole day. "daily" stands for the weekdays that are not given. "holiday"
	// takes the place of a weekday on a public holiday; "" closes then.
	Weekly map[string]string `yaml:"weekly"`
	// OpenIfHoliday opens a weekday that Weekly closes where it is a public holiday: "closed on
	// Mondays, unless that is a public holiday". Its hours are those of "holiday", or else those
	// that all other weekdays have.
	OpenIfHoliday bool `yaml:"openIfHoliday"`
	// MoveIfHoliday does so too, and closes the next day instead that is from Monday to Friday, no
	// public holiday and not closed every week.
	MoveIfHoliday bool `yaml:"moveIfHoliday"`
	// Closed are the rules that close a day that Weekly opens.
	Closed []ClosedRule `yaml:"closed"`
	// Special are the days with other hours.
	Special []SpecialRule `yaml:"special"`
	// Holidays names the public holidays that rules refer to: "jp", or "" for none. A part has
	// those of its venue.
	Holidays string `yaml:"holidays"`
	// LastOrder and LastEntry are when the last order is taken, and when the last visitor comes in:
	// a time of day ("19:30"), or the minutes before closing ("30 min"), which hold before a break
	// too.
	LastOrder string `yaml:"lastOrder"`
	LastEntry string `yaml:"lastEntry"`
	// OwnClosedDays says of a part that it does not close with the venue, only by its own rules. Otherwise it is closed on
	// the venue's closed days, and on its special days open only within their hours.
	OwnClosedDays bool `yaml:"ownClosedDays"`

	schedule *schedule // all of it, understood; nil where it does not say
}

// A ClosedRule closes days. Exactly one of NthWeekday, Yearly and Days is given.
type ClosedRule struct {
	// NthWeekday is "last mon", "first tue", "2nd wed", ... of every month.
	NthWeekday string `yaml:"nthWeekday"`
	// MoveIfHoliday moves the day of NthWeekday, where it is a public holiday, to the next day from
	// Monday to Friday that is none. That day may be in the next month.
	MoveIfHoliday bool `yaml:"moveIfHoliday"`
	// Yearly is a range of days in every year, both included: "12-29/01-03".
	Yearly string `yaml:"yearly"`
	// Days are single dates, "2026-05-01".
	Days []string `yaml:"days"`
	// Reason is said to the visitor, a noun phrase that fits "closed for {Reason}" /
	// 「{Reason}のため休館です」: "the year-end holidays". Optional.
	Reason Text `yaml:"reason"`
}

// A SpecialRule gives days other hours. Exactly one of NthWeekday, Yearly and Days is given.
//
// Days open whatever else closes them. NthWeekday opens a weekday that Weekly closes, but not a day
// of Closed. Yearly changes the hours of days that are open anyway.
type SpecialRule struct {
	NthWeekday string   `yaml:"nthWeekday"`
	Yearly     string   `yaml:"yearly"`
	Days       []string `yaml:"days"`
	// Hours are like those of [Hours.Weekly], but never closed.
	Hours string `yaml:"hours"`
	// Reason is a noun phrase like that of [ClosedRule]. Optional.
	Reason Text `yaml:"reason"`
}
