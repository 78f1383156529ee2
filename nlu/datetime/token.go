package datetime

// class is what a token is to the grammar, in either language, by the name that it has in
// words.tsv.
type class string

// The classes, with what is known of a token of each.
const (
	cWord       class = "word"            // not understood: a barrier for every rule
	cNum        class = "number"          // a: value, b: digits (-n: of a fraction), c: thousandths, n: how it is said
	cOrdinal    class = "ordinal"         // a: value, b: how it is said
	cYMD        class = "year-month-day"  // a, b, c: year, month, day
	cYM         class = "year-month"      // a, b
	cMD         class = "month-day"       // a, b: month and day as written, n: eitherOrder
	cClock      class = "clock"           // a, b, c: hour, minute, second; n: 1 when written with a leading zero
	cUnit       class = "unit"            // a: unit, b: flags
	cMonth      class = "month"           // a: 1..12, b: weakWord when it is also another word (may, march)
	cWeekday    class = "weekday"         // a: time.Weekday, b: weakWord (sun, sat) or plural
	cDayRel     class = "day"             // a: days from today
	cDayPartRel class = "part of a day"   // a: days from today, b: part
	cPeriodRel  class = "period"          // a: offset, b: unit
	cRel        class = "relative"        // a: -1 last, 0 this, 1 next, 2 coming (今度の)
	cPart       class = "part of the day" // a: part
	cMeridiem   class = "half of the day" // a: meridiem; said before the hour in Japanese
	cAmPm       class = "am/pm"           // a: meridiem; said after the hour
	cNoon       class = "noon"            // a: hour 12 or 0
	cHoliday    class = "holiday"         // a: index in holidays
	cEra        class = "era"             // a: the year before its first, b: its length in years
	cSegment    class = "segment"         // a: segment, b: unit it is of, or 0
	cWeekdays   class = "weekdays"        // Monday to Friday
	cNow        class = "now"
	cEvery      class = "every"
	cSet        class = "set"   // complete in itself (daily), a: unitWeekend for weekends
	cFrom       class = "from"  // から after, or "from" before
	cTo         class = "to"    // to, through, 〜
	cUntil      class = "until" // まで after, or until before
	cBetween    class = "between"
	cAnd        class = "and"
	cMiddle     class = "end of a range"      // の間, にかけて: closes a range
	cInside     class = "the whole of a time" // 中, 内, 期間 right behind a time: the whole of it
	cSince      class = "since"               // 以降 after, or since before
	cBefore     class = "before"              // 以前
	cAfter      class = "after"               // 後 after a length, or after before a date
	cAgo        class = "ago"
	cWithin     class = "within" // 以内 after, or within before
	cLastN      class = "last"   // 過去
	cNextN      class = "next"   // 今後
	cIn         class = "in"
	cOn         class = "on"
	cAt         class = "at"
	cOf         class = "of" // of, の
	cThe        class = "the"
	cArticle    class = "article" // a, an
	cFor        class = "for"
	cHalf       class = "half"
	cQuarter    class = "quarter"
	cPast       class = "past" // past, after: in "ten past two"
	cOClock     class = "o'clock"
	cApprox     class = "about" // 頃, about
	cNth        class = "nth"   // 第
	cComma      class = "comma"
	cDash       class = "dash"
	cPlace      class = "noun with a number" // a noun that takes a number for itself (floor, 階)
	cYearOf     class = "year of"            // in words such as 元年
	cOpen       class = "("                  // (
	cClose      class = ")"                  // )
	cPlus       class = "plus"               // +
	cSlash      class = "slash"              // / with blanks around it
	cSeason     class = "season"             // 夏, summer: no two people mean the same days
	cWeekOf     class = "week of"            // week of, w/c
	cRest       class = "rest"               // a: 1 the rest of, 2 later in
	cEach       class = "comes again"        // ごと: makes a length recur
	cExtra      class = "more"               // more: in "2 more minutes"
	cBound      class = "more or less than"  // a: -1 less than, 1 more than: before a length
	cSub        class = "part of the year"   // a: first month, b: how many months: a quarter or half of a year
)

// A token is a piece of the text that the grammar can name.
type token struct {
	class      class
	a, b, c, n int
	start, end int // byte offsets in the text
	gap        bool
	latin      bool
}

// The units of time. A unit written 年, 月, 日, 時, 分 or 秒 also marks a point in time; the others only
// measure.
const (
	unitSecond = iota + 1
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitYear
	unitWeekend
	unitFortnight
	unitWorkday
	unitQuarter
	unitDecade
	unitFiscal
)

// Flags of a unit: where it may stand.
const (
	pointOnly  = 1 << iota // 月: marks a point, never a length
	lengthOnly             // 年間, か月
	weakWord               // a single letter: counts only where something else says that it is a time
	plural                 // weeks
)

// The parts of a day.
const (
	partNone = iota
	partEarly
	partMorning
	partForenoon
	partNoon
	partAfternoon
	partEvening
	partNight
	partLate
)

// parts are the hours of each part of a day, from midnight, which night may run past; and which
// hours of twelve, said in it, are of the second half of the day.
var parts = [...]struct{ hours, pm [2]int }{
	partEarly:     {hours: [2]int{4, 8}},
	partMorning:   {hours: [2]int{5, 12}},
	partForenoon:  {hours: [2]int{0, 12}},
	partNoon:      {hours: [2]int{11, 14}, pm: [2]int{0, 10}},
	partAfternoon: {hours: [2]int{12, 18}, pm: [2]int{0, 12}},
	partEvening:   {hours: [2]int{16, 20}, pm: [2]int{0, 12}},
	partNight:     {hours: [2]int{18, 24}, pm: [2]int{5, 12}},
	partLate:      {hours: [2]int{22, 29}, pm: [2]int{5, 12}},
}

// The halves of a day as said with an hour.
const (
	halfUnknown = iota
	halfAM
	halfPM
	halfFixed // the hour is of 24 and needs no half
)

// The segments of a longer range.
const (
	segmentStart = iota + 1
	segmentMiddle
	segmentEnd
	segmentFirst // the first half
	segmentLater // the second half
)

// What a cWord says beside being no time, in a.
const (
	measure      = 1  // a unit of measure, which may touch a number
	functionWord = 3  // what a number belongs to is no function word
	modal        = 4  // "last" behind it is a verb
	outside      = -1 // no word: outside the text
)

// How a cNum is said, in n: in English, in kanji, 数 (which counts but names no day), few and
// several (which no unit in the singular follows).
const (
	inWords = iota + 1
	inKanji
	several
	pluralOnly
)

// How a cOrdinal is said, in b: in digits, or as a name of its own (ついたち).
const (
	inDigits = iota + 1
	ownName
)

// What a word for an end means beside a period, in n.
const (
	ofDecember = iota + 1 // of a year it is December's
	lastDay               // not the end but the last day
	ofDay                 // of a day it is its last second
)

// What a cAfter is where it is not behind a length, in n: あと3日, 8時過ぎ; or in b: after lunch.
const (
	stillToCome = 1
	goneBy      = 2
	preposition = 1
)

// What a cDayRel counts from, in b, when not from today alone.
const (
	ofUnit = iota + 1 // "day after tomorrow", whose first word is a unit that a number may count
	ofThat            // 翌日: from the day said before it, if one was
)

// What a cPeriodRel is, in n.
const (
	ofCount   = iota + 1 // where a number stands before it, no period but the number's unit (3年内)
	anyOfKind            // days of a kind, which say nothing of a week (土日)
)

// The values of a cRest.
const (
	restAll = iota + 1
	restLater
)

// Marks of one class each.
const (
	definite    = 1 // cWithin, in n: not so long from now, but the current one (within the week)
	ofLonger    = 1 // cUntil, in n: behind a single day no word for its end, but a drink (今日一杯)
	counter     = 1 // cWord, in b: how often (週に一度)
	alone       = 1 // cTo, in b: it may stand without a start (until Friday)
	rightBehind = 1 // cInside, in b: with nothing between (今週中)
	starting    = 1 // cFrom, in b: starting Monday
	atPart      = 1 // cPart, in b: at night
	dueThen     = 1 // cNoon, in b: by the end of the day
	eitherOrder = 1 // cMD and cYMD, in n: the day may come first as well, as it does in most of the world
	glued       = 2 // in n: a word only where it touches the number before it (9a, 25m)
)
