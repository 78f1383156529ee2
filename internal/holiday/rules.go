package holiday

import (
	"time"

	"annai/civil"
)

// A rule is a national holiday in the years in which it falls on day(year) of its month.
type rule struct {
	name        string
	from, until int
	day         func(year int) int
}

// byMonth are the national holidays of each month. Where a rule was replaced, both are there.
var byMonth = map[time.Month][]rule{
	time.January: {
		{"元日", firstYear, lastYear, on(1)},
		{"成人の日", firstYear, 1999, on(15)},
		{"成人の日", 2000, lastYear, monday(time.January, 2)},
	},
	time.February: {
		{"建国記念の日", 1967, lastYear, on(11)},
		{"天皇誕生日", 2020, lastYear, on(23)},
	},
	time.March: {{"春分の日", firstYear, lastYear, vernal}},
	time.April: {
		{"天皇誕生日", firstYear, 1988, on(29)},
		{"みどりの日", 1989, 2006, on(29)},
		{"昭和の日", 2007, lastYear, on(29)},
	},
	time.May: {
		{"憲法記念日", firstYear, lastYear, on(3)},
		{"みどりの日", 2007, lastYear, on(4)},
		{"こどもの日", firstYear, lastYear, on(5)},
	},
	time.July: {
		{"海の日", 1996, 2002, on(20)},
		{"海の日", 2003, lastYear, monday(time.July, 3)},
	},
	time.August: {{"山の日", 2016, lastYear, on(11)}},
	time.September: {
		{"敬老の日", 1966, 2002, on(15)},
		{"敬老の日", 2003, lastYear, monday(time.September, 3)},
		{"秋分の日", firstYear, lastYear, autumnal},
	},
	time.October: {
		{"体育の日", 1966, 1999, on(10)},
		{"体育の日", 2000, 2019, monday(time.October, 2)},
		{"スポーツの日", 2020, lastYear, monday(time.October, 2)},
	},
	time.November: {
		{"文化の日", firstYear, lastYear, on(3)},
		{"勤労感謝の日", firstYear, lastYear, on(23)},
	},
	time.December: {{"天皇誕生日", 1989, 2018, on(23)}},
}

// moved are national holidays of one year only: those moved for the Olympic Games, and the two days of 2019 that by
// their act counted as national holidays, so that days between them and others are holidays too.
var moved = map[civil.Date]string{
	{Year: 2019, Month: time.May, Day: 1}:      "天皇の即位の日",
	{Year: 2019, Month: time.October, Day: 22}: "即位礼正殿の儀の行われる日",
	{Year: 2020, Month: time.July, Day: 23}:    "海の日",
	{Year: 2020, Month: time.July, Day: 24}:    "スポーツの日",
	{Year: 2020, Month: time.August, Day: 10}:  "山の日",
	{Year: 2021, Month: time.July, Day: 22}:    "海の日",
	{Year: 2021, Month: time.July, Day: 23}:    "スポーツの日",
	{Year: 2021, Month: time.August, Day: 8}:   "山の日",
}

// A yearName is a holiday in a year.
type yearName struct {
	year int
	name string
}

// displaced are the holidays that moved took from their ordinary day.
var displaced = map[yearName]bool{
	{2020, "海の日"}: true, {2020, "スポーツの日"}: true, {2020, "山の日"}: true,
	{2021, "海の日"}: true, {2021, "スポーツの日"}: true, {2021, "山の日"}: true,
}

// ceremonies are single days off that did not count as national holidays for their neighbours.
var ceremonies = map[civil.Date]string{
	{Year: 1959, Month: time.April, Day: 10}:    "皇太子明仁親王の結婚の儀",
	{Year: 1989, Month: time.February, Day: 24}: "昭和天皇の大喪の礼",
	{Year: 1990, Month: time.November, Day: 12}: "即位礼正殿の儀",
	{Year: 1993, Month: time.June, Day: 9}:      "皇太子徳仁親王の結婚の儀",
}

var english = map[string]string{
	"元日":      "New Year's Day",
	"成人の日":    "Coming of Age Day",
	"建国記念の日":  "National Foundation Day",
	"天皇誕生日":   "Emperor's Birthday",
	"春分の日":    "Vernal Equinox Day",
	"みどりの日":   "Greenery Day",
	"昭和の日":    "Showa Day",
	"憲法記念日":   "Constitution Memorial Day",
	"こどもの日":   "Children's Day",
	"海の日":     "Marine Day",
	"山の日":     "Mountain Day",
	"敬老の日":    "Respect for the Aged Day",
	"秋分の日":    "Autumnal Equinox Day",
	"体育の日":    "Health and Sports Day",
	"スポーツの日":  "Sports Day",
	"文化の日":    "Culture Day",
	"勤労感謝の日":  "Labor Thanksgiving Day",
	"天皇の即位の日": "Day of the Emperor's Accession",
	"即位礼正殿の儀の行われる日": "Day of the Enthronement Ceremony",
	"皇太子明仁親王の結婚の儀":  "Wedding of Crown Prince Akihito",
	"昭和天皇の大喪の礼":     "State Funeral of the Showa Emperor",
	"即位礼正殿の儀":       "Enthronement Ceremony",
	"皇太子徳仁親王の結婚の儀":  "Wedding of Crown Prince Naruhito",
	substitute:      "Substitute Holiday",
	sandwiched:      "National Holiday",
}

func on(day int) func(int) int { return func(int) int { return day } }

// monday returns the nth Monday of a month.
func monday(m time.Month, nth int) func(int) int {
	return func(year int) int {
		first := civil.Date{Year: year, Month: m, Day: 1}
		return 1 + (int(time.Monday)-int(first.Weekday())+7)%7 + 7*(nth-1)
	}
}

// vernal returns the day in March of the vernal equinox in Japan.
func vernal(year int) int { return equinox(year, 20.8357, 20.8431) }

// autumnal returns the day in September of the autumnal equinox in Japan.
func autumnal(year int) int { return equinox(year, 23.2588, 23.2488) }

// equinox is the usual approximation: the day drifts by the fraction of a day that a year has beyond 365, and leap years
// take it back. The constants differ before and after 1980.
func equinox(year int, before, since float64) int {
	drift := 0.242194 * float64(year-1980)
	if year < 1980 {
		return int(before + drift - float64((year-1983)/4))
	}
	return int(since + drift - float64((year-1980)/4))
}
