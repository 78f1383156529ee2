package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/graph"
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
	w := dateWish{}
	times := timesProper(u.Times)
	if e, ok := bestExpression(times); ok {
		w.Words, w.Range = text.OneLine(e.Text, display.MaxWords), display.FromExpression(e, now)
		w.Words, _ = words.UpTo.End(w.Words)
		w.Words, _ = words.FromThen.End(w.Words)
	}
	if d := edge(u.Text, w.Range); !d.IsZero() {
		w.Range.Start, w.Range.End, w.Range.Name = d.In(now.Location()), d.AddDays(1).In(now.Location()), datetime.Date
		w.Words = ""
	}
	q := dateQuestion{said: strings.ToLower(u.Text), all: u.Times, times: times, wish: w, now: now}
	w.Kind, w.Dated = q.kind(), words.DateAndTime.In(q.said)
	if place, ok := placeOf(u, now); ok {
		w.Kind, w.Place = dateElsewhere, place
	}
	counted := slices.ContainsFunc(times, func(e datetime.Expression) bool { return e.Counted })
	if w.Kind == dateIs && !counted && goesOnAsking(before) {
		w.Kind = before
		if before == dateNextHoliday || before == dateHoliday || before == dateHolidays {
			w.Kind = holidayKind(w.Range)
		}
	}
	q.complete(&w)
	return w
}

// A dateQuestion is what is said around a date.
type dateQuestion struct {
	// said is in lower case.
	said string
	// all are the times that are named, times those without kinds of days beside another time.
	all, times []datetime.Expression
	wish       dateWish
	now        time.Time
}

// complete fills in what a question of its kind needs besides the time.
func (q dateQuestion) complete(w *dateWish) {
	loc := q.now.Location()
	switch w.Kind {
	case dateBetween:
		q.between(w)
	case dateUntil:
		w.Range = begins(*w, q.now)
		for _, e := range daysNamed(q.times) {
			if e.Name != datetime.Today {
				w.Range, w.Words = display.FromExpression(e, q.now), e.Text
			}
		}
	case dateLeft:
		if !w.Range.Holds(q.now) {
			w.Kind = dateLength
		}
	case dateEra:
		w.Range = w.Range.Or(bareYear(q.said, loc))
		w.Era, w.EraYear = eraAsked(q.said, *w)
		w.Range = withinEra(w.Range, w.Era, w.EraYear)
	case dateLeap:
		w.Range = w.Range.Or(bareYear(q.said, loc))
		w.Next, w.Last = w.Range.IsZero() && words.NextYear.In(q.said), w.Range.IsZero() && words.LastYear.In(q.said)
	case dateList:
		w.Weekdays = q.listed()
		if month, ok := monthOf(q.times, q.now); ok {
			w.Range = month
		}
		if words.Remains.In(q.said) && w.Range.Holds(q.now) { // those that are left
			w.Range.Start, w.Range.Name = civil.DateOf(q.now).AddDays(1).In(loc), datetime.Range
		}
	case dateIs:
		w.Same = sameDayIn(q.said, w.Range)
	case dateNow, dateElsewhere, dateLength, dateWeek, dateHoliday, dateNextHoliday, dateHolidays, dateHour,
		dateInvalid:
	}
}

// between fills in the two days of which the distance is asked, or says that the length of a time is.
func (q dateQuestion) between(w *dateWish) {
	if days := daysNamed(q.times); len(days) >= 2 {
		w.Range, w.Second = display.FromExpression(days[0], q.now), display.FromExpression(days[len(days)-1], q.now)
		return
	}
	if !words.Between.In(q.said) {
		w.Kind = dateLength
		return
	}
	w.Second = w.Range
	w.Second.Start = w.Range.LastDate().In(q.now.Location())
}

// listed are the days of the week to list: a kind of days, or the first that is named.
func (q dateQuestion) listed() date.Weekdays {
	named := weekdaysNamed(q.all)
	if named.Name("") != "" {
		return named
	}
	for _, e := range q.all {
		if len(e.Named) > 0 {
			return date.Only(e.Named[0])
		}
	}
	return 0
}

// goesOnAsking reports whether a bare time may ask again what was asked before of another one.
func goesOnAsking(before dateKind) bool {
	switch before {
	case "", dateInvalid, dateBetween, dateLength, dateElsewhere, dateHour:
		return false
	case dateIs, dateNow, dateUntil, dateLeft, dateList, dateWeek, dateHoliday, dateNextHoliday, dateHolidays,
		dateEra, dateLeap:
	}
	return true
}

// timesProper leaves out kinds of days (平日, weekdays) where another time is named: those of next
// month are not those of this week.
func timesProper(times []datetime.Expression) []datetime.Expression {
	rest := slices.DeleteFunc(slices.Clone(times), func(e datetime.Expression) bool {
		return (e.Kind == datetime.KindDays || e.Kind == datetime.KindSet) && len(e.Weekdays) > 1
	})
	if len(rest) == 0 {
		return times
	}
	return rest
}

// kind reads what is asked from the words around the time.
func (q dateQuestion) kind() dateKind {
	switch {
	case words.PublicHoliday.In(q.said):
		if words.NextOne.In(q.said) || q.wish.Range.IsZero() {
			return dateNextHoliday
		}
		return holidayKind(q.wish.Range)
	case words.WeekNumber.In(q.said) || words.WhichWeek.In(strings.ReplaceAll(q.said, "weekday", "")):
		return dateWeek
	case words.LeapYear.In(q.said):
		return dateLeap
	case asksEra(q.said, q.wish):
		return dateEra
	case sameDayIn(q.said, q.wish.Range) != "":
		return dateIs
	}
	if kind := q.counting(); kind != "" {
		return kind
	}
	switch {
	case q.lists():
		return dateList
	case q.ofHour():
		return dateHour
	case words.DateAndTime.In(q.said), words.AsksTime.In(q.said):
		return dateNow
	}
	return dateIs
}

// counting is the kind of a question for a number of days; "" for any other one.
func (q dateQuestion) counting() dateKind {
	s, weekdays := q.wish.Range, weekdaysNamed(q.all) != 0
	several := isStretch(s) && !weekdays
	switch {
	case len(daysNamed(q.times)) >= 2 && words.DaysBetween.In(q.said):
		return dateBetween
	case several && s.Holds(q.now) && words.Remains.In(q.said) && words.CountsDays.In(q.said):
		return dateLeft
	case several && s.Start.After(q.now) && words.DaysTo.In(q.said):
		return dateUntil
	case several && words.DaysOf.In(q.said):
		return dateBetween
	case !s.IsZero() && words.DaysUntil.In(q.said) && (!weekdays || words.UntilWeekend.In(q.said)):
		return dateUntil
	}
	return ""
}

// lists reports whether it is asked which days of a time are some days of the week.
func (q dateQuestion) lists() bool {
	s, named := q.wish.Range, weekdaysNamed(q.all)
	if named == 0 {
		return false
	}
	if !s.IsZero() && !s.Clock && s.OneDay().IsZero() {
		return named != date.Weekend || len(s.DaysOf(maxListed)) > len(named.List()) // or that is the time itself
	}
	return words.OfMonth.In(q.said) && !oneOfMonth(q.all)
}

// oneOfMonth reports whether one day of the week in a month is named: 第2土曜日, the last Friday.
func oneOfMonth(times []datetime.Expression) bool {
	return slices.ContainsFunc(times, func(e datetime.Expression) bool {
		return e.Kind == datetime.KindDay && len(e.Named) > 0 && len(e.Weekdays) == 0
	})
}

// ofHour reports whether the hour of something is asked for, and not that of now: 何時に終わりますか,
// ラストオーダーは何時？, "what time does it start?".
func (q dateQuestion) ofHour() bool {
	if before, _, ok := words.IsWhatHour.Cut(q.said); ok {
		subject := before[strings.LastIndexAny(before, "、。,. ")+1:]
		if i := strings.LastIndex(before, "、"); i >= 0 {
			subject = before[i+len("、"):]
		}
		if subject != "" && !words.HereAndNow.In(subject) {
			return true
		}
	}
	if q.wish.Range.Clock {
		return false
	}
	_, after, ok := words.WhatHour.Cut(q.said)
	for ok {
		if _, of := words.OfHour.Begin(after); of {
			return true
		}
		rest, _ := words.AboutHour.Begin(after)
		rest, _ = words.AboutHour.Begin(rest)
		if _, of := words.BeginsOrEnds.Begin(rest); of {
			return true
		}
		_, after, ok = words.WhatHour.Cut(after)
	}
	return words.HourOf.In(q.said)
}

// placeOf is the place other than here whose time is asked for; it has no name if we don't know it.
func placeOf(u nlu.Understanding, now time.Time) (date.Place, bool) {
	said := strings.ToLower(u.Text)
	if !words.TimeOfPlace.In(said) {
		return date.Place{}, false
	}
	if place, ok := date.PlaceIn(said, now); ok {
		return place, true
	}
	return date.Place{}, words.TimeDifference.In(said) || words.TimeSomewhere.In(said) && len(u.Keywords) > 0
}

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
