package nodes

import (
	"slices"

	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/talk"
	"annai/prompts"
)

// compared reports whether several parts are compared.
func (a partsAnswer) compared() bool {
	return len(a.parts) > 1 && (a.one.question.Ask == nlu.AskCompare || a.one.question.Ask == nlu.AskWhich)
}

// comparedParts are the ids of the parts that a question compares: those that it names, or else
// that one and the one of before, or those in view.
func (f found) comparedParts(q talk.Question, m talk.Memory, text string) []string {
	if q.Ask != nlu.AskCompare && q.Ask != nlu.AskWhich || !compares(q, text) {
		return nil
	}
	ids := idsOf(f.partsNamed)
	for _, s := range slices.Concat(m.InView, m.Subjects) {
		for _, id := range idsOf(s) {
			if len(ids) < 2 && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// compare says which of the parts it is that is asked for, if that can be known, and then what each
// has.
func (a partsAnswer) compare() (text, spoken []string, ok bool) {
	row, by := comparedBy(a.one.text)
	if by {
		if i, known := a.pick(row); known {
			p := prompts.AnswerChoice{By: row.By, Pick: string(row.Pick)}
			if i >= 0 {
				p.Title = a.parts[i].name()
			}
			text = append(text, a.one.say(p))
		}
	}
	spoken = slices.Clone(text)
	for _, p := range a.parts {
		switch {
		case by && row.By == words.ByPrice:
			text = append(text, p.price()...)
			spoken = append(spoken, p.shortOr(p.price())...)
		case by && row.By == words.BySeats:
			text = append(text, p.seats()...)
		default:
			text = append(text, slices.Concat(p.prose(), p.where(), p.seats(), p.shortOr(p.price()))...)
		}
	}
	if len(spoken) <= 1 {
		spoken = text
	}
	return text, spoken, len(text) > 0
}

// shortOr is the short form of the price list, or what it is the short form of.
func (a partAnswer) shortOr(long []string) []string {
	if short := a.short(nlu.AskHowMuch); len(short) > 0 {
		return short
	}
	return long
}

// pick is the place of the part that a comparison asks for, -1 where they are alike. known is false
// where one of them does not say it.
func (a partsAnswer) pick(row words.CompareRow) (place int, known bool) {
	var least, most []int
	for _, p := range a.parts {
		low, high, ok := p.value(row)
		if !ok {
			return 0, false
		}
		least, most = append(least, low), append(most, high)
	}
	values := least
	if row.By == words.BySeats {
		values = most
	}
	low, high := slices.Min(values), slices.Max(values)
	switch {
	case low == high && slices.Min(most) == slices.Max(most):
		return -1, row.Pick != '0' || low == 0
	case row.Pick == '0' && low > 0:
		return 0, false
	case row.Pick == '+':
		return slices.Index(values, high), true
	}
	return slices.Index(values, low), true
}

// value is what a part is compared by: between which numbers it is.
func (a partAnswer) value(row words.CompareRow) (least, most int, ok bool) {
	if row.By == words.BySeats {
		n := a.part.Seats
		return n.Least, max(n.Least, n.Most), !n.IsZero()
	}
	if row.By != words.ByPrice {
		return 0, 0, false
	}
	rows, _ := a.rowsAsked()
	for i, r := range rows {
		amount := r.Amount.Least
		if i == 0 || amount < least {
			least = amount
		}
		most = max(most, amount, r.Amount.Most)
	}
	return least, most, len(rows) > 0
}
