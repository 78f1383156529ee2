package prompts

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// The conclusions that the answer to a question about a part may begin with.
const (
	Yes = "yes"
	No  = "no"
)

// PartPlace says where a part of the venue is. Floor is "2" or "B1"; it and Where may be empty. As is
// what it answers: "there" whether there is such a part, "usable" whether it may be used, or nothing but
// where it is.
type PartPlace struct {
	Name, Floor, Where, As string
}

// In returns the words in a language.
func (p PartPlace) In(lang string) string { return fill("part_place", lang, p) }

// Place is where it is, as a part of a sentence: the floor only where that is not said by Where.
func (p PartPlace) Place(lang string) string {
	floor := PartFloor{Floor: p.Floor}.In(lang)
	low := strings.ToLower(p.Where)
	switch {
	case p.Where == "", floor == "":
		return p.Where + floor
	case lang != "en" && strings.Contains(p.Where, floor):
		return p.Where
	case lang == "en" && (strings.Contains(low, "floor") || strings.Contains(low, "basement")):
		return p.Where
	case lang != "en":
		return floor + "の" + p.Where
	}
	return p.Where + ", " + floor
}

// PartFloor is a floor as a part of a sentence: 地下1階; in the basement (B1).
type PartFloor struct{ Floor string }

// In returns the words in a language.
func (p PartFloor) In(lang string) string { return fill("part_floor", lang, p) }

// Level is the number of the floor, counted from the ground; 0 where it has none.
func (p PartFloor) Level() int {
	n, _ := strconv.Atoi(strings.TrimPrefix(p.Floor, "B"))
	return n
}

// Below reports whether the floor is below the ground.
func (p PartFloor) Below() bool { return strings.HasPrefix(p.Floor, "B") && p.Level() > 0 }

// PartSeats says how many seats a part has. Most is that of Least, or more. Verdict is whether People
// have room, where that is asked.
type PartSeats struct {
	Name        string
	Least, Most int
	People      int
	Verdict     string
}

// In returns the words in a language.
func (p PartSeats) In(lang string) string { return fill("part_seats", lang, p) }

// PartPriceRow is one row of a price list as a part of a sentence. What and all conditions may be empty.
type PartPriceRow struct {
	What string
	// Free, or else Least and Most; Most is 0 for "from Least on".
	Free        bool
	Least, Most int
	Per         string
	// From and Until are times of day, Days days of the week, MinAge and MaxAge bound an age where they
	// are not empty, and For is who pays it.
	From, Until, Days, For, MinAge, MaxAge string
}

// In returns the words in a language.
func (p PartPriceRow) In(lang string) string { return fill("part_price_row", lang, p) }

// Conditional reports whether it is not the price for everybody at any time.
func (p PartPriceRow) Conditional() bool {
	return p.From != "" || p.Days != "" || p.For != "" || p.MinAge != "" || p.MaxAge != ""
}

// PartPriceLabel is what a row of prices is for, in a table.
type PartPriceLabel PartPriceRow

// In returns the words in a language.
func (p PartPriceLabel) In(lang string) string { return fill("part_price_label", lang, p) }

// PartPriceAmount is how much it is, in a table.
type PartPriceAmount PartPriceRow

// In returns the words in a language.
func (p PartPriceAmount) In(lang string) string { return fill("part_price_amount", lang, p) }

// MapDistance is how far away a place is, in a table.
type MapDistance struct{ Meters int }

// In returns the words in a language.
func (p MapDistance) In(lang string) string { return fill("map_distance", lang, p) }

// PartList makes one phrase of several that may have commas in their numbers.
type PartList struct{ Items []string }

// In returns the words in a language.
func (p PartList) In(lang string) string { return fill("part_list", lang, p) }

// Last reports whether an item is the last of several.
func (p PartList) Last(i int) bool { return i > 0 && i == len(p.Items)-1 }

// PartPrice says what a part costs. Rows are joined; where there are many they are in List instead, a line
// each. Things says that they are prices of things, and not of the part itself. Free says that it costs
// nothing, Verdict answers whether it does.
type PartPrice struct {
	Name, Rows   string
	List         []string
	Things, Free bool
	Verdict      string
}

// In returns the words in a language.
func (p PartPrice) In(lang string) string { return fill("part_price", lang, p) }

// PartPriceRange says between which amounts in yen the prices of a part are, where there are many, and what one
// pays them for, if not once. Most is 0 where there is no bound. Besides says that what is free was named before.
type PartPriceRange struct {
	Name        string
	Least, Most int
	Per         string
	Besides     bool
}

// In returns the words in a language.
func (p PartPriceRange) In(lang string) string { return fill("part_price_range", lang, p) }

// PartNoPrice says that there is no price for the hours or the age that was asked about.
type PartNoPrice struct{ Name string }

// In returns the words in a language.
func (p PartNoPrice) In(lang string) string { return fill("part_no_price", lang, p) }

// PartNow says whether a part is open, until when, or when it opens. Opens may be empty.
type PartNow struct {
	Name         string
	Open         bool
	Until, Opens string
}

// In returns the words in a language.
func (p PartNow) In(lang string) string { return fill("part_now", lang, p) }

// PartDay says when a part is open on a day, or on days of the week; closed where Hours is empty. Named
// leaves out the name, where the sentence before has it.
type PartDay struct {
	Name, Day, Hours, Reason string
	Verdict                  string
	Past, Named              bool
}

// In returns the words in a language.
func (p PartDay) In(lang string) string { return fill("part_day", lang, p) }

// PartDate is a day as it stands in [PartDay] and [PartUntil]. Ahead is how many days it is from today.
type PartDate struct {
	Date  string
	Ahead int
}

// In returns the words in a language.
func (p PartDate) In(lang string) string { return fill("part_date", lang, p) }

// PartWeekdays are days of the week as they stand in [PartDay]; every day where Days is empty.
type PartWeekdays struct{ Days string }

// In returns the words in a language.
func (p PartWeekdays) In(lang string) string { return fill("part_weekdays", lang, p) }

// PartDays are the days on which a price holds. Days may be empty.
type PartDays struct {
	Days     string
	Holidays bool
}

// In returns the words in a language.
func (p PartDays) In(lang string) string { return fill("part_days", lang, p) }

// PartUntil says until when a part is open. Day is empty for today.
type PartUntil struct {
	Name, Day, Until string
	// Over says that it is past.
	Over bool
}

// In returns the words in a language.
func (p PartUntil) In(lang string) string { return fill("part_until", lang, p) }

// PartLast says until when the last order or the last visitor is taken, or how many minutes before it closes the last
// visitor is. Each may be empty.
type PartLast struct {
	Order, Entry string
	EntryMinutes int
}

// In returns the words in a language.
func (p PartLast) In(lang string) string { return fill("part_last", lang, p) }

// PartVenueHours says that a part has no hours but those of the venue, which are told behind it.
type PartVenueHours struct{ Name string }

// In returns the words in a language.
func (p PartVenueHours) In(lang string) string { return fill("part_venue_hours", lang, p) }

// PartBreak says when a part is closed between the times of one day.
type PartBreak struct{ From, Until string }

// In returns the words in a language.
func (p PartBreak) In(lang string) string { return fill("part_break", lang, p) }

// PartBooking says whether a part has to be booked ("yes", "no", "possible"). Verdict answers whether it
// has to be. Short leaves out that it has not, because what is told behind it says so.
type PartBooking struct {
	Name, Needed   string
	Verdict, Short bool
}

// In returns the words in a language.
func (p PartBooking) In(lang string) string { return fill("part_booking", lang, p) }

// PartContact says with whom to get in touch about a part. Booking says that it is about booking.
type PartContact struct {
	Name, Contact string
	Booking       bool
}

// In returns the words in a language.
func (p PartContact) In(lang string) string { return fill("part_contact", lang, p) }

// PartAvailability says that nobody here knows whether a part is free at a time.
type PartAvailability struct{ Name, Staff string }

// In returns the words in a language.
func (p PartAvailability) In(lang string) string { return fill("part_availability", lang, p) }

// PartAudience says for whom a part is. Who may be empty; MinAge and MaxAge bound an age where they are
// not empty. Verdict is whether whoever was asked about may use it.
type PartAudience struct {
	Name, Who, MinAge, MaxAge string
	Members                   bool
	Verdict                   string
}

// In returns the words in a language.
func (p PartAudience) In(lang string) string { return fill("part_audience", lang, p) }

// PartAct says whether something may be done. Act is a noun phrase.
type PartAct struct {
	Name, Act string
	May       bool
}

// In returns the words in a language.
func (p PartAct) In(lang string) string { return fill("part_act", lang, p) }

// article puts the before an English noun phrase that is no name: the laser cutter, but Meeting Room 1.
func article(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	brand := strings.ContainsFunc(name, func(r rune) bool { return strings.ContainsRune("&+@.!", r) })
	if !unicode.IsLower(first) || brand {
		return name
	}
	return "the " + name
}

// capitalArticle is article at the beginning of a sentence.
func capitalArticle(name string) string {
	if with := article(name); with != name {
		return "T" + with[1:]
	}
	return name
}

// plural picks the form of an English verb or pronoun that fits a noun phrase.
func plural(name, one, many string) string {
	low := strings.ToLower(name)
	for _, end := range []string{"ss", "us", "is", "'s"} {
		if strings.HasSuffix(low, end) {
			return one
		}
	}
	if strings.HasSuffix(low, "s") {
		return many
	}
	return one
}

// nth is an English ordinal number, the small ones in words.
func nth(n int) string {
	words := [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if 0 < n && n <= len(words) {
		return words[n-1]
	}
	return text.Ordinal(n)
}

// thousands writes a number with a comma between the thousands.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
