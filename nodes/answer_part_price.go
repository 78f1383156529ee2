package nodes

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/date"
	"annai/venue"
)

// maxRows is how many rows of a price list are spoken.
const maxRows = 3

// asksFree reports whether a question that is not for a price asks whether the part costs nothing.
func (a partAnswer) asksFree(ask nlu.Ask) bool {
	switch ask {
	case nlu.AskConfirm, nlu.AskMayI, nlu.AskNeedI, nlu.AskWhatIs, nlu.AskNone:
		return a.namesFree() && len(a.part.Prices) > 0
	default:
		return false
	}
}

// namesFree reports whether the question has a word for costing nothing.
func (a partAnswer) namesFree() bool {
	return slices.ContainsFunc(words.Filters(), func(f words.FilterRow) bool {
		return f.Name == words.FilterFree && mentions(a.text, f.Question)
	})
}

// price says what the part costs: for the thing, the time and the age that the question names.
func (a partAnswer) price() []string {
	rows, narrowed := a.rowsAsked()
	itself := len(a.ofItself(a.part.Prices)) > 0
	switch {
	case len(a.part.Prices) == 0, !narrowed && !itself && len(a.besides(nlu.AskHowMuch)) > 0:
		return a.said(nlu.AskHowMuch)
	case len(rows) == 0:
		return []string{a.say(prompts.PartNoPrice{Name: a.name()}), a.say(a.priceOf(a.part.Prices, ""))}
	}
	verdict := ""
	if a.namesFree() {
		verdict = prompts.No
		if !slices.ContainsFunc(rows, func(r venue.Price) bool { return !r.Amount.Free }) {
			verdict = prompts.Yes
		}
	}
	said := []string{a.say(a.priceOf(rows, verdict))}
	if narrowed && verdict == "" && !slices.ContainsFunc(rows, a.conditional) { // what is paid all the same is said
		if paid := a.between(a.part.Prices, true); paid != "" {
			said = append(said, paid)
		}
	}
	return said
}

// priceThen is what the part costs in the time for which it is wanted, where the question names one that has a price:
// 朝から晩まで借りたい.
func (a partAnswer) priceThen() []string {
	rows, narrowed := a.rowsAsked()
	if !narrowed || len(rows) == 0 || a.asked.IsZero() || !slices.ContainsFunc(rows, a.conditional) {
		return nil
	}
	return a.price()
}

// conditional reports whether a row costs something, or is free on a condition.
func (a partAnswer) conditional(row venue.Price) bool {
	words := a.row(row)
	return !words.Free || words.Conditional()
}

// maxTable is how many rows of a price list are shown.
const maxTable = 24

// priceTable is the part's price list as it is shown.
func (a partAnswer) priceTable() []display.Field {
	var rows []display.Field
	for _, price := range a.part.Prices[:min(len(a.part.Prices), maxTable)] {
		row := a.row(price)
		rows = append(rows, display.Field{
			Label: display.Capital(a.say(prompts.PartPriceLabel(row)), a.lang),
			Value: a.say(prompts.PartPriceAmount(row)),
		})
	}
	return rows
}

// isFree reports whether the part costs nothing, for everybody at any time.
func (a partAnswer) isFree() bool {
	if len(a.part.Prices) != 1 {
		return false
	}
	row := a.row(a.part.Prices[0])
	return row.Free && row.What == "" && !row.Conditional()
}

// short is what is spoken of a price list, where it is long: what is free for everybody, and between which amounts the
// rest goes.
func (a partAnswer) short(ask nlu.Ask) []string {
	rows, _ := a.rowsAsked()
	if ask != nlu.AskHowMuch || len(rows) <= maxRows || a.namesFree() {
		return nil
	}
	var said []string
	for _, row := range rows {
		if !a.conditional(row) {
			said = append(said, a.say(a.priceOf([]venue.Price{row}, "")))
		}
	}
	paid := a.between(rows, len(said) > 0)
	if paid == "" {
		return nil
	}
	return append(said, paid)
}

// between says between which amounts the rows go that cost something; besides: behind what is free. It is "" where none
// does, and for amounts for different things, an hour and a day, which are not put beside each other.
func (a partAnswer) between(rows []venue.Price, besides bool) string {
	least, most, ok := rangeOf(rows)
	var per []string
	for _, row := range rows {
		if words := a.row(row); !words.Free {
			per = append(per, words.Per)
		}
	}
	if !ok || len(slices.Compact(per)) > 1 {
		return ""
	}
	return a.say(prompts.PartPriceRange{Name: a.name(), Least: least, Most: most, Per: per[0], Besides: besides})
}

// priceRange are the least and the greatest amount of the part's prices; ok is false where it has
// none, or there is no such part.
func (a partAnswer) priceRange() (least, most int, ok bool) {
	if a.part == nil {
		return 0, 0, false
	}
	rows := a.ofItself(a.part.Prices)
	if len(rows) == 0 {
		rows = a.part.Prices
	}
	return rangeOf(rows)
}

// rangeOf are the least and the greatest amount of rows, which is 0 where one has no bound; ok is false where they have
// none.
func rangeOf(rows []venue.Price) (least, most int, ok bool) {
	open := false
	for _, row := range rows {
		if row.Amount.Free {
			continue
		}
		if !ok || row.Amount.Least < least {
			least = row.Amount.Least
		}
		open = open || row.Amount.Most == 0
		most, ok = max(most, row.Amount.Least, row.Amount.Most), true
	}
	if open {
		most = 0
	}
	return least, most, ok
}

// priceOf words rows of prices.
func (a partAnswer) priceOf(rows []venue.Price, verdict string) prompts.PartPrice {
	p := prompts.PartPrice{Name: a.name(), Verdict: verdict}
	var list []string
	for _, row := range rows {
		words := a.row(row)
		p.Things = p.Things || words.What != ""
		p.Free = len(rows) == 1 && words.Free && words.What == "" && !words.Conditional()
		list = append(list, a.say(words))
	}
	if len(list) > maxRows {
		for _, row := range list {
			p.List = append(p.List, display.Capital(row, a.lang))
		}
	} else {
		p.Rows = a.say(prompts.PartList{Items: list})
	}
	return p
}

// row is one row of prices.
func (a partAnswer) row(r venue.Price) prompts.PartPriceRow {
	l := string(a.lang)
	p := prompts.PartPriceRow{
		What: r.What.In(l), Free: r.Amount.Free, Least: r.Amount.Least, Most: r.Amount.Most, Per: r.Per.In(l),
		For: r.For.In(l), Days: a.rowDays(r),
	}
	p.MinAge, p.MaxAge = bounds(r.Ages)
	if clock, ok := r.Clock(); ok {
		p.From, p.Until = a.clock(clock.From), a.clock(clock.Until)
	}
	return p
}

// bounds are those of ages as they are read; "" where there is none.
func bounds(ages venue.Ages) (least, most string) {
	if ages.MinAge > 0 {
		least = strconv.Itoa(ages.MinAge)
	}
	if ages.MaxAge != nil {
		most = strconv.Itoa(*ages.MaxAge)
	}
	return least, most
}

// clock is a time of day as it is read.
func (a partAnswer) clock(c venue.Clock) string {
	if a.lang == nlu.English {
		return c.String()
	}
	return strings.TrimPrefix(c.String(), "0")
}

// rowDays are the days on which a row holds; "" for all.
func (a partAnswer) rowDays(r venue.Price) string {
	if len(r.Days) == 0 {
		return ""
	}
	var set date.Weekdays
	holidays := false
	for _, day := range r.Days {
		one, err := date.ParseWeekdays(day)
		holidays = holidays || err != nil // it is no weekday
		set |= one
	}
	return a.say(prompts.PartDays{Days: display.WeekdaysAsSuch(set, a.lang), Holidays: holidays})
}

// rowsNamed are the rows whose thing, or for whom they are, the question names.
func (a partAnswer) rowsNamed() []venue.Price {
	var out []venue.Price
	for _, row := range a.part.Prices {
		if a.names(row.What) || a.names(row.For) {
			out = append(out, row)
		}
	}
	return out
}

// names reports whether the question has a text in either language in it, or a word of it.
func (a partAnswer) names(t venue.Text) bool {
	for _, said := range []string{t.JA, t.EN} {
		low := strings.ToLower(said)
		if low == "" {
			continue
		}
		if text.ContainsWord(a.text, low) || mentions(low, a.besides(nlu.AskHowMuch)) {
			return true
		}
	}
	return false
}

// rowsAsked are the rows of the price list for what the question names, best first; narrowed is false
// where it names nothing, and they are all.
func (a partAnswer) rowsAsked() (rows []venue.Price, narrowed bool) {
	rows = a.part.Prices
	if named := a.rowsNamed(); len(named) > 0 {
		rows, narrowed = named, true
	} else if itself := a.ofItself(rows); len(itself) > 0 {
		rows = itself
	}
	if ages, ok := agesIn(a.text); ok {
		rows, narrowed = slices.DeleteFunc(slices.Clone(rows), func(r venue.Price) bool {
			return *ages.MaxAge < r.MinAge || r.MaxAge != nil && *r.MaxAge < ages.MinAge
		}), true
	}
	if wholeDayAsked(a.text) {
		return longest(rows), true
	}
	if d, ok := a.duration(); ok && !a.asked.Clock {
		if enough := forLength(rows, d); len(enough) > 0 {
			return enough, true
		}
	}
	if a.asked.IsZero() || a.dayOf().IsZero() || a.asked.Start.Equal(a.now) {
		return rows, narrowed
	}
	return a.atTime(rows, narrowed)
}

// ofItself are the rows that are no prices of things.
func (a partAnswer) ofItself(rows []venue.Price) []venue.Price {
	return slices.DeleteFunc(slices.Clone(rows), func(r venue.Price) bool { return !r.What.IsZero() })
}

// atTime are those of the rows that hold on the day, and at the hours, that the question names: of rows
// for hours that which fits best.
func (a partAnswer) atTime(rows []venue.Price, narrowed bool) ([]venue.Price, bool) {
	q := venue.PriceQuery{From: a.asked.Start, Until: a.asked.End}
	if !a.asked.Clock {
		return onDay(rows, a.asked.Start), true
	}
	if !a.exact() {
		return nearestRows(onDay(rows, q.From), q.From, q.Until), true
	}
	held := venue.Part{Prices: rows}
	rows = held.PricesAt(q)
	for i, row := range rows {
		if _, timed := row.Clock(); timed && i > 0 && clockOf(row) != clockOf(rows[0]) {
			return rows[:i], true
		}
	}
	return rows, narrowed || len(rows) < len(a.part.Prices)
}

func clockOf(r venue.Price) venue.ClockRange {
	clock, _ := r.Clock()
	return clock
}

// onDay are the rows that hold on the day of t, at any hour.
func onDay(rows []venue.Price, t time.Time) []venue.Price {
	return slices.DeleteFunc(slices.Clone(rows), func(r venue.Price) bool { return !r.OnDay(civil.DateOf(t)) })
}

// exact reports whether the hours were named, and not only a part of the day.
func (a partAnswer) exact() bool {
	return slices.ContainsFunc(a.times, func(e datetime.Expression) bool {
		return e.Kind == datetime.KindTime && strings.ContainsAny(e.Text, "0123456789")
	})
}

// duration is for how long the question asks; ok is false where it does not say.
func (a partAnswer) duration() (d time.Duration, ok bool) {
	for _, e := range a.times {
		if e.Kind == datetime.KindDuration && e.Seconds > 0 {
			return time.Duration(e.Seconds) * time.Second, true
		}
	}
	return 0, false
}

// length is for how many minutes of a day a row holds; 0 for one without hours.
func length(r venue.Price) int {
	clock := clockOf(r)
	return int(clock.Until - clock.From)
}

// longest are the rows for the longest time of a day, if rows have hours.
func longest(rows []venue.Price) []venue.Price {
	most := 0
	for _, r := range rows {
		most = max(most, length(r))
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r venue.Price) bool { return length(r) < most })
}

// forLength are the rows for the shortest time of a day that is as long as wished for.
func forLength(rows []venue.Price, d time.Duration) []venue.Price {
	least := 0
	for _, r := range rows {
		if n := length(r); n > 0 && time.Duration(n)*time.Minute >= d && (least == 0 || n < least) {
			least = n
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r venue.Price) bool { return least == 0 || length(r) != least })
}

// nearestRows are the rows whose hours come nearest to a part of the day.
func nearestRows(rows []venue.Price, from, until time.Time) []venue.Price {
	if !slices.ContainsFunc(rows, func(r venue.Price) bool { return length(r) > 0 }) {
		return rows
	}
	first := from.Hour()*60 + from.Minute()
	last := first + int(until.Sub(from).Minutes())
	distance := func(r venue.Price) int {
		c := clockOf(r)
		return abs(int(c.From)-first) + abs(int(c.Until)-last)
	}
	timed := slices.DeleteFunc(slices.Clone(rows), func(r venue.Price) bool { return length(r) == 0 })
	best := slices.MinFunc(timed, func(x, y venue.Price) int { return cmp.Compare(distance(x), distance(y)) })
	return slices.DeleteFunc(timed, func(r venue.Price) bool { return clockOf(r) != clockOf(best) })
}

func abs(n int) int { return max(n, -n) }
