package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/venue"
)

// A partAnswer answers a question about one part of the venue from what the venue file says of it.
type partAnswer struct {
	venue    *venue.Venue
	part     *venue.Part
	question talk.Question
	now      time.Time
	lang     nlu.Language

	// text is the question in lower case without the names of parts, rest its content words that are in
	// no name.
	text string
	rest []string
	// asked is the time that the question names, times all that it says of time.
	asked display.Span
	times []datetime.Expression
	// act is what the part allows or forbids of what the question asks, if it says anything of that.
	act    *venue.Text
	mayAct bool
}

func (a partAnswer) say(p prompts.Prompt) string { return p.In(string(a.lang)) }

func (a partAnswer) name() string { return a.part.Name.In(string(a.lang)) }

// conclude answers one kind of question, the conclusion first; nothing where the venue file does not
// say it.
func (a partAnswer) conclude(ask nlu.Ask) []string {
	if ask == nlu.AskHowMuch || a.asksFree(ask) {
		return a.price()
	}
	if slices.Contains(useAsks, ask) && a.closedThen() {
		return a.hours(nlu.AskIsOpen)
	}
	switch ask {
	case nlu.AskHowMany:
		return a.seats()
	case nlu.AskWhere, nlu.AskHowToGet:
		return a.where()
	case nlu.AskIsOpen, nlu.AskUntilWhen, nlu.AskWhen:
		return a.hours(ask)
	case nlu.AskEvents, nlu.AskStillOn:
		return a.hours(nlu.AskIsOpen)
	case nlu.AskNeedI, nlu.AskHowDoI, nlu.AskAvailability:
		return a.booking(ask)
	case nlu.AskContact:
		return a.contact(false)
	case nlu.AskForWhom:
		return a.audience()
	case nlu.AskMayI, nlu.AskConfirm:
		return a.mayI()
	case nlu.AskIsThere:
		return a.isThere("there")
	case nlu.AskWhatIs, nlu.AskNone:
		return a.overview()
	default:
		return nil
	}
}

// useAsks are the kinds of questions about the use of a part to which yes is no answer while it is closed.
var useAsks = []nlu.Ask{nlu.AskIsThere, nlu.AskMayI, nlu.AskConfirm, nlu.AskStillOn, nlu.AskAvailability}

// bestFor is the answer to one kind of question: of what is said in prose rather, where only that has
// what the question names besides the part.
func (a partAnswer) bestFor(ask nlu.Ask) []string {
	out := a.conclude(ask)
	besides := a.besides(ask)
	if len(besides) == 0 || mentions(strings.Join(out, " "), besides) {
		return out
	}
	if said := a.said(ask); len(said) > 0 {
		return said
	}
	return out
}

// besides are the content words of the question that neither name the part nor only ask.
func (a partAnswer) besides(ask nlu.Ask) []string {
	table := words.Asked()
	only := slices.Concat(table["all"], table[string(ask)])
	return slices.DeleteFunc(contentWords(a.rest), func(w string) bool {
		return slices.ContainsFunc(only, func(o string) bool {
			return o == w || text.HasJapanese(o) && strings.Contains(w, o) ||
				text.HasJapanese(w) && strings.Contains(o, w)
		})
	})
}

// said are the sentences of what the venue file says in prose that have a word of the question that
// neither names the part nor only asks, in either language: those that state the kind of answer, if
// any do.
func (a partAnswer) said(ask nlu.Ask) []string {
	besides := a.besides(ask)
	if len(besides) == 0 {
		return nil
	}
	var all, best []string
	for _, t := range []venue.Text{a.part.Booking.How, a.part.Description} {
		said, ja, en := display.Sentences(t.In(string(a.lang))), display.Sentences(t.JA), display.Sentences(t.EN)
		for i, s := range said {
			if !mentions(s, besides) && (len(ja) != len(en) || !mentions(ja[i]+" "+en[i], besides)) {
				continue
			}
			all = append(all, s)
			if _, ok := states(s, ask); ok {
				best = append(best, s)
			}
		}
	}
	if len(best) > 0 {
		return best
	}
	return all
}

// mentions reports whether a text has one of the words.
func mentions(said string, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return text.ContainsWord(said, w) })
}

func (a partAnswer) where() []string {
	if a.part.Floor == "" && a.part.Where.IsZero() {
		return nil
	}
	if a.asksToBook() && !a.part.Booking.Contact.IsZero() {
		return a.contact(true)
	}
	return []string{a.say(a.place(""))}
}

func (a partAnswer) place(as string) prompts.PartPlace {
	return prompts.PartPlace{Name: a.name(), Floor: a.part.Floor, Where: a.part.Where.In(string(a.lang)), As: as}
}

// asksToBook reports whether the question has a word for booking.
func (a partAnswer) asksToBook() bool {
	return slices.ContainsFunc(words.Asked()[string(nlu.AskNeedI)], func(w string) bool {
		return !lone(w) && text.ContainsWord(a.text, w)
	})
}

// seats says how many there are, and whether those who ask have room.
func (a partAnswer) seats() []string {
	n := a.part.Seats
	if n.IsZero() {
		return nil
	}
	p := prompts.PartSeats{Name: a.name(), Least: n.Least, Most: max(n.Least, n.Most)}
	if people, ok := marked(a.text, words.MarkPeople); ok {
		p.People, p.Verdict = people, prompts.No
		if people <= p.Most {
			p.Verdict = prompts.Yes
		}
	}
	return []string{a.say(p)}
}

// isThere says that there is the part or, where a thing is asked for that it has a price of, that one.
func (a partAnswer) isThere(as string) []string {
	if rows := a.rowsNamed(); len(rows) > 0 {
		return []string{a.say(a.priceOf(rows, prompts.Yes))}
	}
	if len(a.besides(nlu.AskIsThere)) > 0 && as == "there" {
		return a.said(nlu.AskIsThere)
	}
	out := []string{a.say(a.place(as))}
	if a.isFree() {
		out = append(out, a.price()...)
	}
	if as == "usable" {
		out = append(out, a.priceThen()...)
	}
	return slices.Concat(out, a.prose(), a.how())
}

// prose is the description, sentence by sentence.
func (a partAnswer) prose() []string { return display.Sentences(a.part.Description.In(string(a.lang))) }

// how is how it is booked, sentence by sentence.
func (a partAnswer) how() []string { return display.Sentences(a.part.Booking.How.In(string(a.lang))) }

// overview is what is known of the part, shortly.
func (a partAnswer) overview() []string {
	if len(a.besides(nlu.AskWhatIs)) > 0 {
		return a.said(nlu.AskWhatIs)
	}
	out := slices.Concat(a.where(), a.prose(), a.seats())
	if least, most, ok := a.priceRange(); ok && most != least {
		out = append(out, a.say(prompts.PartPriceRange{Name: a.name(), Least: least, Most: most}))
	} else {
		out = append(out, a.price()...)
	}
	return append(out, a.how()...)
}

// booking says whether the part has to be booked, and how.
func (a partAnswer) booking(ask nlu.Ask) []string {
	b := a.part.Booking
	if b.IsZero() || len(a.besides(ask)) > 0 && ask != nlu.AskAvailability {
		return a.said(ask)
	}
	var out []string
	how := a.how()
	switch {
	case ask == nlu.AskAvailability:
		staff := a.venue.Staff.Where.In(string(a.lang))
		out = append(out, a.say(prompts.PartAvailability{Name: a.name(), Staff: staff}))
	case b.Needed != "":
		out = append(out, a.say(prompts.PartBooking{
			Name: a.name(), Needed: b.Needed, Verdict: ask == nlu.AskNeedI,
			Short: b.Needed == venue.BookingNone && len(how) > 0 && dispenses(how[0]),
		}))
	}
	out = slices.Concat(out, a.priceThen(), how)
	if b.Needed != venue.BookingNone {
		out = append(out, a.contact(true)...)
	}
	return out
}

// dispenses reports whether a sentence says that something need not be done.
func dispenses(sentence string) bool {
	return slices.ContainsFunc(words.States()[string(nlu.AskNeedI)], func(row words.StateRow) bool {
		return row.Sign == '-' && mentions(sentence, row.Words)
	})
}

func (a partAnswer) contact(booking bool) []string {
	if a.part.Booking.Contact.IsZero() {
		return nil
	}
	contact := a.part.Booking.Contact.In(string(a.lang))
	return []string{a.say(prompts.PartContact{Name: a.name(), Contact: contact, Booking: booking})}
}

// audience says for whom the part is, and whether that holds of the age that the question names.
func (a partAnswer) audience() []string {
	w := a.part.For
	if w.IsZero() {
		return nil
	}
	p := prompts.PartAudience{
		Name: a.name(), Who: w.Who.In(string(a.lang)), Members: w.Members,
	}
	p.MinAge, p.MaxAge = bounds(w.Ages)
	if ages, ok := agesIn(a.text); ok && !w.Ages.IsZero() {
		switch least, most := w.Hold(ages.MinAge), w.Hold(*ages.MaxAge); {
		case least && most:
			p.Verdict = prompts.Yes
		case !least && !most:
			p.Verdict = prompts.No
		}
	}
	return []string{a.say(p)}
}

// mayI says whether something may be done in the part, or whether it may be used.
func (a partAnswer) mayI() []string {
	_, aged := agesIn(a.text)
	_, people := marked(a.text, words.MarkPeople)
	switch {
	case a.act != nil:
		return []string{a.say(prompts.PartAct{Name: a.name(), Act: a.act.In(string(a.lang)), May: a.mayAct})}
	case aged && !a.part.For.Ages.IsZero():
		return a.audience()
	case people && !a.part.Seats.IsZero():
		return a.seats()
	case len(a.besides(nlu.AskMayI)) > 0:
		return a.said(nlu.AskMayI)
	case a.question.Ask == nlu.AskConfirm:
		return nil
	case !a.part.For.IsZero():
		return append(a.audience(), a.how()...)
	}
	return a.isThere("usable")
}

// card is what the venue file says of the part; where it is asked what that costs, with all of its price list.
func (a partAnswer) card() display.Card {
	text := slices.Concat(a.overview(), a.contact(false))
	card := display.Card{Type: "passage", Title: a.name(), Description: display.JoinSentences(text, a.lang)}
	if a.question.Ask == nlu.AskHowMuch && len(a.part.Prices) > 1 {
		card.Type, card.Rows = "prices", a.priceTable()
	}
	return card
}

// dayOf is the one day in which all of the time that is asked about lies; today where none is.
func (a partAnswer) dayOf() civil.Date {
	if a.asked.IsZero() {
		return civil.DateOf(a.now)
	}
	if first := civil.DateOf(a.asked.Start); first == a.asked.LastDate() {
		return first
	}
	return civil.Date{}
}
