package nodes

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/graph"
	"annai/internal/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/tools/date"
)

// dateKind is what is asked about a date.
type dateKind string

const (
	dateIs          dateKind = "is" // which day, with its weekday
	dateNow         dateKind = "now"
	dateElsewhere   dateKind = "elsewhere" // the time in another place
	dateUntil       dateKind = "until"
	dateBetween     dateKind = "between"
	dateLength      dateKind = "length" // of one range
	dateLeft        dateKind = "left"   // the days of a range that remain
	dateList        dateKind = "list"   // the Tuesdays, working days, ... of a range
	dateWeek        dateKind = "week"
	dateHoliday     dateKind = "holiday"
	dateNextHoliday dateKind = "next_holiday"
	dateHolidays    dateKind = "holidays"
	dateEra         dateKind = "era"
	dateLeap        dateKind = "leap"
	dateHour        dateKind = "hour" // of something that is not named
	dateInvalid     dateKind = "invalid"
)

// A dateWish is what the date node is to compute.
type dateWish struct {
	Kind dateKind `json:"kind"`
	// Words are those of the time, as they were said.
	Words string `json:"words,omitempty"`
	// Range is the time, zero where none was named; Second another one, for between.
	Range  display.Span `json:"range,omitzero"`
	Second display.Span `json:"second,omitzero"`
	// Weekdays names the kind of days to list.
	Weekdays date.Weekdays `json:"weekdays,omitempty"`
	// Place is where the time is asked for, if not here; without a name it is one that we don't know.
	Place date.Place `json:"place,omitzero"`
	// Era is the Japanese name of the era that was named, EraYear the year of it, 0 for none.
	Era     string `json:"era,omitempty"`
	EraYear int    `json:"eraYear,omitempty"`
	// Next and Last ask for the next leap year and the one before, Same for the day of Range that
	// is like the one spoken of.
	Next bool    `json:"next,omitempty"`
	Last bool    `json:"last,omitempty"`
	Same sameDay `json:"same,omitempty"`
	// Dated says that the date is asked for beside the time.
	Dated bool `json:"dated,omitempty"`
}

// dateWishOf is what the utterance asks about a date. Where it does not say, it is what was asked
// before.
func dateWishOf(u nlu.Understanding, now time.Time, before dateKind) dateWish {
	said := strings.ToLower(u.Text)
	w := dateWish{}
	u.Times = timesProper(u.Times)
	if e, ok := bestExpression(u.Times); ok {
		w.Words, w.Range = text.OneLine(e.Text, display.MaxWords), display.FromExpression(e, now)
		w.Words = strings.TrimSuffix(strings.TrimSuffix(w.Words, "まで"), "から")
	}
	if d := edge(said, w.Range); !d.IsZero() {
		w.Range.Start, w.Range.End, w.Range.Name = d.In(now.Location()), d.AddDays(1).In(now.Location()), datetime.Date
		w.Words = ""
	}
	w.Kind, w.Dated = kindOf(said, w, len(daysNamed(u.Times)), now), words.DateAndTime.In(said)
	if place, ok := placeOf(u, now); ok {
		w.Kind, w.Place = dateElsewhere, place
	}
	counted := slices.ContainsFunc(u.Times, func(e datetime.Expression) bool { return e.Counted })
	if w.Kind == dateIs && !counted && goesOnAsking(before) {
		w.Kind = before
		if before == dateNextHoliday || before == dateHoliday || before == dateHolidays {
			w.Kind = holidayKind(w.Range)
		}
	}
	w.complete(said, u.Times, now)
	return w
}

// complete fills in what a question of its kind needs besides the time.
func (w *dateWish) complete(text string, times []datetime.Expression, now time.Time) {
	days := daysNamed(times)
	switch w.Kind {
	case dateBetween:
		if len(days) >= 2 {
			w.Range, w.Second = display.FromExpression(days[0], now), display.FromExpression(days[len(days)-1], now)
			break
		}
		if !hasAny(text, "から", "〜", "from", "between", " to ", "until") {
			w.Kind = dateLength
			break
		}
		w.Second = w.Range
		w.Second.Start = w.Range.LastDate().In(now.Location())
	case dateUntil:
		w.Range = begins(*w, now)
		for _, e := range days {
			if e.Name != datetime.Today {
				w.Range, w.Words = display.FromExpression(e, now), e.Text
			}
		}
	case dateLeft:
		if !w.Range.Holds(now) {
			w.Kind = dateLength
		}
	case dateEra:
		w.Range = w.Range.Or(bareYear(text, now.Location()))
		w.Era, w.EraYear = eraAsked(text, *w)
		w.Range = withinEra(w.Range, w.Era, w.EraYear)
	case dateLeap:
		w.Range = w.Range.Or(bareYear(text, now.Location()))
		w.Next, w.Last = w.Range.IsZero() && nextWords.MatchString(text), w.Range.IsZero() && lastWords.MatchString(text)
	case dateList:
		w.Weekdays = weekdaysIn(text)
		month, ok := monthOf(times, now)
		if !ok { // "Tuesdays in March" was read as one recurring time
			month, ok = monthOf(datetime.Parse(englishWeekday.ReplaceAllString(text, ""), now), now)
		}
		if ok {
			w.Range = month
		}
		if remains.MatchString(text) && w.Range.Holds(now) { // those that are left
			w.Range.Start, w.Range.Name = civil.DateOf(now).AddDays(1).In(now.Location()), datetime.Range
		}
	case dateIs:
		w.Same = sameDayIn(text, w.Range)
	case dateNow, dateElsewhere, dateLength, dateWeek, dateHoliday, dateNextHoliday, dateHolidays, dateHour, dateInvalid:
	}
}

// goesOnAsking reports whether a bare time may ask again what was asked before of another one.
func goesOnAsking(before dateKind) bool {
	switch before {
	case "", dateInvalid, dateBetween, dateLength, dateElsewhere, dateHour:
		return false
	case dateIs, dateNow, dateUntil, dateLeft, dateList, dateWeek, dateHoliday, dateNextHoliday, dateHolidays, dateEra, dateLeap:
	}
	return true
}

var (
	remains    = regexp.MustCompile(`あと何|あと(?:どの|どれ)(?:くらい|ぐらい)|残り|残って|残る|\bleft\b|\bremain|\bmore (?:days|weeks)|days to go`)
	countsDays = regexp.MustCompile(`何日|なんにち|日数|何週|何[かヶカケか]月|どの(?:くらい|ぐらい)|どれ(?:くらい|ぐらい)|\bhow (?:many|much|long)\b|\bdays\b`)
	countsTo   = regexp.MustCompile(`あと何|まで何|days (?:until|till|to)\b|how long until|weeks until`)
	nextWords  = regexp.MustCompile(`次|つぎ|今度|いつ|何年|\bnext\b|\bwhen\b|\bwhat year\b|\bwhich year`)
	lastWords  = regexp.MustCompile(`前回|前の|最後|\blast\b|\bprevious\b`)
	// subjectOfHour finds what a question for the hour is about.
	subjectOfHour = regexp.MustCompile(`([^、。,. ]+?)(?:は|って)(?:何時|なんじ)`)
	leapYear      = regexp.MustCompile(`うるう(?:年|どし)|閏(?:年|どし)|leap years?\b`)
	// hourOf finds a question for the hour of something, and not of the day: 何時に終わりますか, "what time
	// does it start?".
	hourOf = regexp.MustCompile(`(?:何|なん)時(?:から|まで|ごろ|頃|くらい)?に?(?:始|はじま|終|おわ|開|閉|集)|(?:何|なん)時(?:から|まで)|\bwhat time (?:does|do|will|should|can|are|am)\b|\bwhat time is (?:the|that|this|my|your)\b`)
)

// timesProper leaves out kinds of days (平日, weekdays) where another time is named: those of next
// month are not those of this week.
func timesProper(times []datetime.Expression) []datetime.Expression {
	rest := slices.DeleteFunc(slices.Clone(times), func(e datetime.Expression) bool {
		return slices.Contains(kindsOfDays, strings.ToLower(e.Text))
	})
	if len(rest) == 0 {
		return times
	}
	return rest
}

var kindsOfDays = []string{"平日", "週末", "土日", "weekday", "weekdays", "workdays", "working days", "business days", "weekend", "weekends", "weekend days"}

// kindOf reads what is asked from the words around the time.
func kindOf(text string, w dateWish, days int, now time.Time) dateKind {
	switch {
	case hasAny(text, "祝日", "祭日", "国民の休日", "public holiday", "national holiday", "holiday"):
		if hasAny(text, "次の", "つぎの", "next") || w.Range.IsZero() {
			return dateNextHoliday
		}
		return holidayKind(w.Range)
	case hasAny(text, "何週目", "第何週", "週番号", "week number", "iso week") || hasAny(strings.ReplaceAll(text, "weekday", ""), "what week", "which week"):
		return dateWeek
	case leapYear.MatchString(text):
		return dateLeap
	case asksEra(text, w):
		return dateEra
	case sameDayIn(text, w.Range) != "":
		return dateIs
	case days >= 2 && hasAny(text, "何日", "how many days", "days between", "how long"):
		return dateBetween
	case isStretch(w.Range) && w.Range.Holds(now) && remains.MatchString(text) && countsDays.MatchString(text) && weekdaysIn(text) == 0:
		return dateLeft
	case isStretch(w.Range) && w.Range.Start.After(now) && countsTo.MatchString(text) && weekdaysIn(text) == 0:
		return dateUntil
	case isStretch(w.Range) && hasAny(text, "何日", "how many days", "days between") && weekdaysIn(text) == 0:
		return dateBetween
	case hasAny(text, "あと何", "まで何日", "まで何週", "何日ある", "何日残", "までどのくらい", "までどれくらい", "days until", "days till", "days to ", "days left", "how long until",
		"how far", "weeks until", "how many days") && (weekdaysIn(text) == 0 || strings.Contains(text, "週末まで")) && !w.Range.IsZero():
		return dateUntil
	case weekdaysIn(text) != 0 && !w.Range.IsZero() && w.Range.OneDay().IsZero():
		return dateList
	case weekdaysIn(text) != 0 && hasAny(text, "月の", "月は", " of ", " in ") && !whichOfMonth.MatchString(text):
		return dateList
	case hourOf.MatchString(text) && !w.Range.Clock, ofOther(text):
		return dateHour
	case words.DateAndTime.In(text),
		hasAny(text, "何時", "なんじ", "時刻", "今の時間", "いまの時間", "現在の時間"),
		hasAny(text, "what time", "current time", "the time"):
		return dateNow
	}
	return dateIs
}

// ofOther reports whether the hour of something is asked for that is named: ラストオーダーは何時？
func ofOther(text string) bool {
	m := subjectOfHour.FindStringSubmatch(text)
	return m != nil && !hasAny(m[1], "今", "いま", "現在", "時", "こちら", "ここ", "日本", "東京", "大阪", "福岡", "博多", "後", "前")
}

// whichOfMonth finds words that single out one day of the week in a month: 第2土曜日, the last Friday.
var whichOfMonth = regexp.MustCompile(`第[0-9０-９一二三四五]|最初の.曜|最後の.曜|最終.曜|\b(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)

// placeOf is the place other than here whose time is asked for; it has no name if we don't know it.
func placeOf(u nlu.Understanding, now time.Time) (date.Place, bool) {
	text := strings.ToLower(u.Text)
	if !hasAny(text, "何時", "時刻", "時差", "の時間", "時間は", "what time", "the time", "current time", "time difference", "time zone", "time in ") {
		return date.Place{}, false
	}
	if place, ok := date.PlaceIn(text, now); ok {
		return place, true
	}
	return date.Place{}, hasAny(text, "時差", "time difference") || timeSomewhere.MatchString(text) && len(u.Keywords) > 0
}

var timeSomewhere = regexp.MustCompile(`\btime (?:is it |is it now )?(?:in|at) |(?:は|の)(?:今|いま|現在)の?(?:何時|時刻|時間)`)

func holidayKind(s display.Span) dateKind {
	if s.IsZero() || !s.OneDay().IsZero() {
		return dateHoliday
	}
	return dateHolidays
}

// bestExpression is the expression that [spanOf] chooses first.
func bestExpression(times []datetime.Expression) (best datetime.Expression, ok bool) {
	for _, e := range times {
		if display.Usable(e) && (!ok || display.Specific(e) > display.Specific(best) || display.Specific(e) == display.Specific(best) && len(e.Text) > len(best.Text)) {
			best, ok = e, true
		}
	}
	return best, ok
}

// daysNamed are the expressions that name one day.
func daysNamed(times []datetime.Expression) []datetime.Expression {
	var out []datetime.Expression
	for _, e := range times {
		if display.Usable(e) && e.Kind == datetime.KindDay {
			out = append(out, e)
		}
	}
	return out
}

var (
	japaneseWeekday = regexp.MustCompile(`([月火水木金土日])曜`)
	englishWeekday  = regexp.MustCompile(`\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b`)
)

// weekdaysIn reads which days of the week are named; 0 for none.
func weekdaysIn(text string) date.Weekdays {
	var word string
	switch {
	case hasAny(text, "平日", "weekdays", "working days", "business days"):
		word = "平日"
	case hasAny(text, "土日", "週末", "weekends", "weekend days"):
		word = "週末"
	default:
		if m := japaneseWeekday.FindStringSubmatch(text); m != nil {
			word = m[1]
		} else if m := englishWeekday.FindString(text); m != "" {
			word = m
		}
	}
	days, err := date.ParseWeekdays(word)
	if err != nil {
		return 0
	}
	return days
}

// dateNode computes what was asked.
func (c *Concierge) dateNode(ctx context.Context, s State) (graph.Command[State], error) {
	now := s.Turn.At.In(c.location(s.Turn))
	w := s.Route.Date
	if !w.Range.IsZero() {
		w.Range = w.Range.In(now.Location())
	}
	if !w.Second.IsZero() {
		w.Second = w.Second.In(now.Location())
	}
	if w.Same != "" {
		w.Range = likeDay(w.Range, dayOf(s.Topic.Range, now), w.Same)
		w.Words = ""
	}
	r := reckoning{wish: w, now: now, lang: s.Language}
	d := r.tell()
	if r.unread(len(s.Understanding.Keywords) > 0) {
		d, _, _ = c.withTools(ctx, &s, d)
	}
	return graph.Command[State]{Update: graph.Update[State]{
		draftChannel.Write(d), topicChannel.Write(topic{Node: nodeDate, Date: w.Kind, Range: r.about()}), routeChannel.Write(s.Route),
	}}, nil
}
