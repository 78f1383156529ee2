package nodes

import (
	"slices"
	"strings"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
	"annai/tools/calendar"
	"annai/tools/date"
)

// An eventAnswer answers a question about one event, which may be a series, from what the calendars
// and the passages say.
type eventAnswer struct {
	eventContext

	question talk.Question
	// rest are the content words of the question that are not in the title.
	rest []string
	// all are the instances of the event, in order.
	all []display.Entry
	// asked is the time that the question names; zero for none. weekdays are the days of the week that it
	// names by their names alone.
	asked    display.Span
	weekdays date.Weekdays
}

// answer words the conclusion first, then what it rests on. It also says which instance was told.
func (a eventAnswer) answer() (draft, display.Entry) {
	e, there := a.chosen()
	d := draft{Facts: facts{Calendar: statusOK, Knowledge: statusEmpty, Events: 1, Partial: !a.calendar.Complete}}
	d.Cards = a.eventContext.cards([]display.Entry{e})
	var parts, unstated []string
	first := detailAsked(a.question)
	for _, ask := range []nlu.Ask{first, a.question.Second} {
		if ask == "" || len(parts) > 0 && slices.Contains(saidAnyway, ask) {
			continue
		}
		if first == words.DetailRain && ask == nlu.AskStillOn { // what is planned says nothing of the rain
			continue
		}
		d.Facts.Unknown = false
		switch text := a.conclude(ask, e, there, &d); {
		case d.Facts.Unknown:
			unstated = append(unstated, text)
		case text != "" && !slices.Contains(parts, text):
			parts = append(parts, text)
		}
	}
	if d.Facts.Unknown = len(parts) == 0 && len(unstated) > 0; d.Facts.Unknown {
		parts = unstated[:1]
	}
	switch notice := display.NoticeOf(e, a.lang); {
	case !a.noticed(e) || d.Facts.Sorry: // or it is the answer
	case d.Facts.Unknown:
		parts = append([]string{notice}, parts...)
	default:
		parts = append(parts, notice)
	}
	d.Facts.Changed = e.Cancelled()
	d.Text = display.JoinSentences(parts, a.lang)
	d.Spoken = display.Sentences(d.Text)
	span := e.Span(a.now.Location())
	d.Range = display.Span{Name: datetime.Date, Start: span.Start, End: span.End, Explicit: !a.asked.IsZero()}
	return d, e
}

// noticed reports whether there is a notice of an event that is to come, such as that it is full.
func (a eventAnswer) noticed(e display.Entry) bool {
	return !e.Cancelled() && !display.Ended(e.Span(a.now.Location()), a.now) && e.Notice != ""
}

// saidAnyway are the kinds of answers that are said with any other one.
var saidAnyway = []nlu.Ask{nlu.AskNone, nlu.AskIsThere, nlu.AskConfirm}

// answerEach answers the same question about each of several events.
func (t eventContext) answerEach(ask eventAsk) (draft, topic) {
	d := draft{
		Facts: facts{Calendar: statusOK, Knowledge: statusEmpty, Partial: !t.calendar.Complete},
	}
	next := topic{Node: nodeEvent, Range: t.wish.Range}
	var all []draft
	for _, title := range ask.Wish.Each {
		of := instances(t.calendar.Events, title)
		a := eventAnswer{eventContext: t, question: ask.Question, rest: ask.Rest, all: of}
		if len(a.all) == 0 {
			continue
		}
		if !ask.Asked.IsZero() {
			a.asked = ask.Asked.In(t.now.Location())
		}
		one, told := a.answer()
		all, next.Items = append(all, one), append(next.Items, told)
	}
	known := func(one draft) bool { return !one.Facts.Unknown }
	some := slices.ContainsFunc(all, known)
	var texts []string
	for _, one := range all {
		d.Cards, d.Passages = append(d.Cards, one.Cards...), append(d.Passages, one.Passages...)
		d.Facts.Events++
		d.Facts.Changed = d.Facts.Changed || one.Facts.Changed
		if some && !known(one) || slices.Contains(texts, one.Text) { // what is known of some is told of these
			continue
		}
		texts, d.Spoken = append(texts, one.Text), append(d.Spoken, one.Spoken...)
	}
	if next.Total = len(next.Items); next.Total == 0 {
		t.tellFailure(&d, nil)
	} else {
		d.Text = strings.Join(texts, "\n")
	}
	return d, next
}

// conclude answers one kind of question.
func (a eventAnswer) conclude(ask nlu.Ask, e display.Entry, there bool, d *draft) string {
	title, over := a.name(e), display.Ended(e.Span(a.now.Location()), a.now)
	switch {
	case e.Cancelled() && ask != words.DetailReason:
		return a.say(prompts.AnswerCancelled{
			Title: title, When: a.when(e), Next: a.nextAfter(a.now), Only: a.calendar.Complete,
			Postponed: e.Notice == calendar.Postponed,
		})
	case !there && (timely(ask) || ask == nlu.AskWhatIs && a.question.WhenFrom == talk.Said):
		return a.sayNotThen(title)
	case over && timely(ask) && ask != nlu.AskUntilWhen && ask != nlu.AskHowLong:
		return a.say(prompts.AnswerOver{Title: title, When: a.when(e)})
	}
	switch ask {
	case nlu.AskWhen, nlu.AskDate, nlu.AskIsOpen, nlu.AskEvents:
		return a.sayWhen(e, false) + a.aside(ask, e)
	case nlu.AskIsThere:
		return a.sayThere(e, d)
	case nlu.AskStillOn:
		return a.say(prompts.AnswerOn{Title: title, When: a.when(e)}) + a.aside(ask, e)
	case nlu.AskNext:
		return a.sayNext()
	case nlu.AskUntilWhen:
		return a.sayUntil(e)
	case nlu.AskHowLong:
		return a.sayLength(e)
	case nlu.AskHowOften:
		return a.sayOften()
	case nlu.AskCount:
		return a.sayCount()
	case nlu.AskWhere:
		return a.sayWhere(e, d)
	default:
		return a.fromTextOrNotice(ask, e, d)
	}
}

// sayWhere says where an event is; where that is in no field of its own it may be in the description.
func (a eventAnswer) sayWhere(e display.Entry, d *draft) string {
	own := e.In(a.lang)
	if own.Location == "" && own.Description != "" {
		return a.fromText(nlu.AskWhere, e, d)
	}
	p := prompts.AnswerPlace{Title: a.name(e), Place: display.NoBrackets(own.Location), Staff: a.staff()}
	return a.say(p) + a.aside(nlu.AskWhere, e)
}

// fromTextOrNotice is what is written of the event, else of whether there is room the notice.
func (a eventAnswer) fromTextOrNotice(ask nlu.Ask, e display.Entry, d *draft) string {
	text := a.fromText(ask, e, d)
	if ask == nlu.AskAvailability && d.Facts.Unknown && a.noticed(e) {
		d.Facts.Unknown, d.Facts.Sorry = false, true
		return a.say(prompts.EventNotice{Kind: string(e.Notice), Title: a.name(e)})
	}
	return text
}

// sayThere says that an event is held, or whether there is something at it that the question names.
func (a eventAnswer) sayThere(e display.Entry, d *draft) string {
	another := words.Details()[words.DetailAnother].AskedIn(strings.ToLower(a.question.Text))
	if another && a.question.SubjectFrom == talk.Inherited {
		return a.sayAnother(e)
	}
	if len(a.rest) > 0 && !talk.SaysEvent(a.question.Text) {
		return a.fromText(nlu.AskIsThere, e, d)
	}
	return a.sayWhen(e, !a.has(e)) // that one may come on one of its days alone is not known
}

// name is the title as it stands in a sentence.
func (a eventAnswer) name(e display.Entry) string {
	title := display.NoBrackets(titleIn(e.Title, a.lang))
	if title == "" {
		return a.title(e)
	}
	return display.InLang(a.lang, "「"+title+"」", title)
}

func (a eventAnswer) staff() string { return a.venue.Staff.Where.In(string(a.lang)) }

// aside is what the description says of the rest of the question, where it does: whether it takes
// place in the rain.
func (a eventAnswer) aside(ask nlu.Ask, e display.Entry) string {
	if found, shared := stating(e.In(a.lang).Description, nlu.AskWhatIs, a.rest); shared && ask != nlu.AskWhatIs {
		return display.InLang(a.lang, "", " ") + display.JoinSentences(found, a.lang)
	}
	return ""
}

// fromText answers from the sentences of the description that state the kind of answer, else from
// what holds for all events, else says that it is not written.
func (a eventAnswer) fromText(ask nlu.Ask, e display.Entry, d *draft) string {
	own := e.In(a.lang)
	description := display.NoBrackets(own.Description)
	if ask == nlu.AskWhatIs || ask == nlu.AskNone {
		return display.JoinSentences([]string{a.sayWhen(e, false), description}, a.lang)
	}
	found, shared := stating(description, ask, a.rest)
	if len(found) > 0 && (shared || len(a.rest) == 0 || byItself(ask)) {
		return a.stated(ask, a.name(e), found)
	}
	if h, ok := a.general(ask); ok && len(found) == 0 {
		d.Passages, d.Facts.Knowledge = append(d.Passages, passage(h)), statusOK
		text, _ := stating(h.Passage.Text, ask, a.rest)
		return a.say(prompts.AnswerStated{Title: a.name(e), Text: display.JoinSentences(text, a.lang), General: true})
	}
	d.Facts.Unknown = true
	return a.say(prompts.AnswerUnstated{Title: a.name(e), Text: description, Staff: a.staff()})
}

// byItself are the kinds of answer that a sentence states by itself: an amount, a way to sign up.
func byItself(ask nlu.Ask) bool {
	return slices.Contains([]nlu.Ask{
		words.DetailDeadline, words.DetailRain, words.DetailBooking, words.DetailReason,
		nlu.AskHowMuch, nlu.AskNeedI, nlu.AskHowDoI, nlu.AskHowMany, nlu.AskForWhom, nlu.AskWhichLanguage, nlu.AskWho,
		nlu.AskContact, nlu.AskConfirm, nlu.AskCompare, nlu.AskWhich, nlu.AskHowToGet, nlu.AskHowLong, nlu.AskUntilWhen,
		nlu.AskWhen, nlu.AskWhere,
	}, ask)
}

// stated words the sentences of a description that state a kind of answer. Of a sentence that is a
// list of facts only those are told.
func (a eventAnswer) stated(ask nlu.Ask, title string, found []string) string {
	p := prompts.AnswerStated{Title: title}
	var texts []string
	for n, s := range found {
		text, property := factsOf(s, ask, a.lang)
		p.Of = p.Of || n == 0 && property
		texts = append(texts, text)
	}
	p.Text = display.JoinSentences(texts, a.lang)
	needs := ask == nlu.AskNeedI || ask == words.DetailBooking
	if sign, ok := states(p.Text, nlu.AskNeedI); needs && ok && sign == '-' {
		p.No = true
	}
	return a.say(p)
}

// general is a passage that states what holds for events of all kinds. One that is far from the question does
// where that only asks on, and names nothing.
func (a eventAnswer) general(ask nlu.Ask) (rag.Hit, bool) {
	hits, rules := a.knowledge.Hits, a.knowledge.Rules
	if a.question.SubjectFrom == talk.Inherited && onlyAsks(a.rest) {
		hits = rules
	}
	onEvents := func(h rag.Hit) bool { return h.Passage.Category == categoryEvents }
	someOnEvents := slices.ContainsFunc(rules, onEvents) // a venue has such passages, or has all in one
	for _, h := range hits {
		if (onEvents(h) || !someOnEvents) && statesText(h.Passage.Text, ask) && h.Passage.Lang == string(a.lang) {
			return h, true
		}
	}
	return rag.Hit{}, false
}
