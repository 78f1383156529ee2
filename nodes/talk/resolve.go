package talk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
)

// A Candidate is something known that the words of an utterance come near to.
type Candidate struct {
	Subject Subject
	// Score is how near the utterance alone comes to it, Before how near the question before did, Joint
	// how near the utterance does behind what was spoken of; 0 where it does not.
	Score, Before, Joint float64
	// Cosine and Words are how near the utterance comes by its meaning, and by its words (BM25).
	Cosine, Words float64
	// Strength says how surely it is meant by the utterance alone: above 0 it would do by itself.
	Strength float64
	// States says that what is written of it states the kind of answer that is asked for.
	States bool
	// Answers says that what is known of it beside texts has the kind of answer that is asked for: the seats of a room.
	Answers bool
	// Title stands above what is written of it, and that is Text.
	Title, Text string
	// Over says that it is an event that is over.
	Over bool
	// InTalk is how likely the utterance is about it, and Alone how likely its words alone are; 0 where
	// nobody looked.
	InTalk, Alone float64
}

// Resolve makes of a reading a question that stands by itself, with what the talk has. The order
// is: what the reader itself says in full; the last answer once more; what needs nothing of the
// talk; a detail of the open matter; the same question of another time; a question about what it is
// likeliest about; a new question.
func Resolve(r nlu.Reading, m Memory, near []Candidate) Question {
	r.Second = secondAsk(r)
	if !wants(r) && r.Ordinal != 0 { // one of a list, and no more than that
		r.Act, r.Ask = nlu.ActAsks, nlu.AskWhatIs
	}
	q := Question{
		Act: r.Act, Ask: r.Ask, Second: r.Second, About: r.About, Ref: r.Ref, Negated: r.Negated, Text: r.Text,
		Keywords: r.Keywords, Confidence: r.Confidence, AskFrom: Said, SubjectFrom: Absent, WhenFrom: Absent,
	}
	if len(r.Times) > 0 {
		q.When, q.WhenFrom = r.Times[0].Text, Said
	}
	switch {
	case (again(r) || doubts(r, m)) && m.Last.Ask != "":
		return m.again()
	case r.Full != "":
		q.Text, q.Alone = r.Full, true
		if r.Subject != "" {
			q.Subject, q.SubjectFrom, q.Strength = Subject{Title: r.Subject}, Said, 1
		}
		return q
	case asksWhy(r, m):
		return why(q, r, m)
	case !wants(r):
		return q
	case r.Act == nlu.ActAdds && m.Last.Ask != "" && r.Ordinal == 0:
		return adds(q, r, m)
	}
	if otherTime(r, m) && ofWhole(m.Last.About) && !asksAnew(r, m) { // the same question, of another time
		q.Ask, q.About, q.AskFrom = m.Last.Ask, m.Last.About, Inherited
		return ofOtherTime(q, r, m.Last)
	}
	if whole, ok := ofDateOrVenue(q, r, m, near); ok {
		return whole
	}
	return chosen(q, r, m, near)
}

// ofDateOrVenue is a question that names no subject: a first one for days or of the venue, or one that
// names the venue and nothing else.
func ofDateOrVenue(q Question, r nlu.Reading, m Memory, near []Candidate) (Question, bool) {
	first := m.Last.Ask == ""
	switch {
	case first && asksForDays(r):
		q.Ask, q.About = nlu.AskDate, nlu.AboutDate
	case (first || r.Ask == nlu.AskHowToGet) && asksOfVenue(r, near):
		q.About = nlu.AboutVenue
	case r.Abouts[nlu.AboutVenue] == 1:
		if q.About = nlu.AboutVenue; !first && !wholeQuestion(r) {
			q.Ask, q.AskFrom = m.Last.Ask, Inherited
		}
	default:
		return q, false
	}
	return q, true
}

// ofOtherTime puts the time of a question in place of that of the question before: 今日のイベントは？ and
// 明日は？ are 明日のイベントは？. A part of the day or a weekday may only say more of that time, and those at a
// time are some of those listed.
func ofOtherTime(q Question, r nlu.Reading, last Question) Question {
	part := r.Times[0].NoDay || len(r.Times[0].Weekdays) > 0
	some := part || len(r.Times) > 1 || r.Ordinal != 0 || r.Ref == nlu.RefItem
	if !some && last.About != nlu.AboutDate && last.When != "" && strings.Contains(last.Text, last.When) &&
		japanese(last.Text) == japanese(q.Text) {
		q.Text, q.Alone = strings.Replace(last.Text, last.When, r.Times[0].WithArticle(r.Text), 1), true
	}
	return q
}

// chosen asks about what an utterance is likeliest about.
func chosen(q Question, r nlu.Reading, m Memory, near []Candidate) Question {
	if subject, ok := item(r, m); ok {
		return ofSubject(q, ofItem(orAll(r, m)), m, subject)
	}
	if n := max(r.Ordinal, -r.Ordinal); len(m.InView) > 1 && n > len(m.InView) {
		q.NoItem = true
		return q
	}
	_, q.Strange = none(near)
	best, other, p := learntChoice().of(possible(Options(r, m, near), r, m))
	switch {
	case best.About != nlu.AboutSubject || other.About != nlu.AboutSubject:
	case statesInstead(r, best, other): // of the likelier one it is not written
		best = other
	default:
		q.Other = other.Subject
	}
	switch {
	case best.Kept && best.features[featureTitled] > 0:
		q.About, q.Subject, q.SubjectFrom, q.Strength = nlu.AboutSubject, best.Subject, Said, 1
		return keepWhen(q, r, m)
	case best.Kept:
		q = ofSubject(q, orAll(r, m), m, best.Subject)
		q.Likely = p
		if last := m.Last; last.Likely > 0 && last.Subject.Same(best.Subject) { // a doubt stays as the talk goes on
			q.Likely = min(p, last.Likely)
		}
		if m.Listed && r.Ref != nlu.RefItem && len(m.InView) <= maxEach &&
			slices.ContainsFunc(m.InView, best.Subject.Same) {
			q.Each = m.InView
		}
		return q
	case best.About == nlu.AboutSubject:
		q.Ask = orAll(r, m).Ask
		q.About, q.Subject, q.SubjectFrom, q.Strength = nlu.AboutSubject, best.Subject, Said, best.near.Strength
		q.Likely = p
	default:
		q.About = best.About
		q.Likely = p
	}
	if q.About == nlu.AboutVenue && q.Ask == nlu.AskWhatIs && len(r.Times) > 0 { // あしたなにある
		q.Ask, q.About = nlu.AskEvents, nlu.AboutEvents
	}
	return sameForOther(q, r, m)
}

// asksWhy reports whether an utterance asks nothing but the reason of what was said: え、なんで？, "why not?"
func asksWhy(r nlu.Reading, m Memory) bool {
	reason := words.Details()[words.DetailReason]
	return m.Last.Ask != "" && !hasContent(r.Keywords) && reason.AskedIn(strings.ToLower(r.Text))
}

// why asks for the reason of what was said. Of a day it is told with the hours.
func why(q Question, r nlu.Reading, m Memory) Question {
	if m.Last.About != nlu.AboutSubject || m.Last.Subject.IsZero() {
		return m.again()
	}
	r.Ask, r.Alone, r.Act = nlu.AskWhatIs, nlu.AskWhatIs, nlu.ActAsks
	q.Act = nlu.ActAsks
	return ofSubject(q, r, m, m.Last.Subject)
}

// asksForDays reports whether a first question has nothing but weekdays of a longer time: 来月の火曜日は？
func asksForDays(r nlu.Reading) bool {
	days := func(e datetime.Expression) bool { return e.Kind == datetime.KindDays && len(e.Weekdays) == 0 }
	weekday := func(e datetime.Expression) bool { return len(e.Weekdays) > 0 }
	return onlyTime(r) && slices.ContainsFunc(r.Times, days) && slices.ContainsFunc(r.Times, weekday)
}

// asksOfVenue reports whether a first question names nothing, so that it is about the venue:
// いくらですか, "how do I get there?"
func asksOfVenue(r nlu.Reading, near []Candidate) bool {
	if !slices.Contains(ofVenue, r.Ask) || !onlyAsks(r) {
		return false
	}
	meant := func(c Candidate) bool { return c.Strength > 0 }
	return r.Ask == nlu.AskHowToGet || !slices.ContainsFunc(near, meant)
}

// ofVenue are the kinds of answers that are wanted of the venue where a first question names nothing.
var ofVenue = []nlu.Ask{nlu.AskHowToGet, nlu.AskHowMuch, nlu.AskWhatIs, nlu.AskWhere}

// onlyAsks reports whether all words of an utterance ask for its kind of answer, so that it names
// nothing.
func onlyAsks(r nlu.Reading) bool {
	asks := words.AskWords()
	return !slices.ContainsFunc(r.Keywords, func(w string) bool { return !slices.Contains(asks[w], string(r.Ask)) })
}

// orAll is a reading that asks, where it is too unsure what of a thing is asked for, for the
// likeliest of what its words ask for, and where they ask for nothing, for all that is known of it.
func orAll(r nlu.Reading, m Memory) nlu.Reading {
	if r.Asks == nil || r.Asks[r.Ask] >= leastSure || r.Ask == m.Last.Ask {
		return r
	}
	r.Ask = nlu.AskWhatIs
	for _, ask := range askedBy(r.Text) {
		if r.Ask == nlu.AskWhatIs || r.Asks[ask] > r.Asks[r.Ask] {
			r.Ask = ask
		}
	}
	r.Alone = r.Ask
	return r
}

// askedBy are the kinds of answers that the words of a text ask for.
func askedBy(said string) []nlu.Ask {
	var out []nlu.Ask
	for word, asks := range words.AskWords() {
		if !text.ContainsWord(said, word) {
			continue
		}
		for _, ask := range asks {
			out = append(out, nlu.Ask(ask))
		}
	}
	return out
}

// secondAsk is the second kind of answer that an utterance asks for: that which was read, or one
// that its words ask for too and that is likely enough (時間と場所を教えて).
func secondAsk(r nlu.Reading) nlu.Ask {
	if r.Second != "" || r.Asks == nil {
		return r.Second
	}
	second := nlu.Ask("")
	for _, ask := range askedBy(r.Text) {
		if ask != r.Ask && ask != nlu.AskNone && r.Asks[ask] >= leastSecond && r.Asks[ask] > r.Asks[second] {
			second = ask
		}
	}
	return second
}

// otherTime reports whether an utterance only names a time, if anything for a doubt or for a change of a question for
// the hours: not even in August? and 5 July, surely?
func otherTime(r nlu.Reading, m Memory) bool {
	return onlyTime(r) || len(r.Times) > 0 && (r.Act == nlu.ActDoubts || changesHours(r, m))
}

// changesHours reports whether an utterance changes a question for the hours of the venue, and names nothing else.
func changesHours(r nlu.Reading, m Memory) bool {
	ofHours := m.Last.About == nlu.AboutVenue && m.Last.Ask == nlu.AskIsOpen
	return ofHours && r.Act == nlu.ActChanges && r.Named < leastNamed
}

// leastNamed is how likely the words of an utterance have to name what it is about for it to be about something
// else than the question before.
const leastNamed = 0.5

// leastSecond is how likely a second kind of answer has to be that words ask for.
const leastSecond = 0.15

// leastSure is how likely the kind of answer has to be that is given alone.
const leastSure = 0.3

// onlyTime reports whether an utterance names a time and nothing else.
func onlyTime(r nlu.Reading) bool {
	return len(r.Times) > 0 && (len(r.Keywords) == 0 || !hasContent(r.Keywords) && r.Ref != nlu.RefItem)
}

// asksAnew reports whether the words of an utterance ask for another kind of answer than the
// question before.
func asksAnew(r nlu.Reading, m Memory) bool {
	said := r.Text
	for _, e := range slices.Backward(r.Times) { // "next week" does not ask for the next one
		if e.Start >= 0 && e.Start <= e.End && e.End <= len(said) {
			said = said[:e.Start] + " " + said[e.End:]
		}
	}
	return r.Ask != m.Last.Ask && r.Ask != nlu.AskConfirm && slices.Contains(askedBy(said), r.Ask)
}

// wholeQuestion reports whether an utterance says itself which kind of answer it wants.
func wholeQuestion(r nlu.Reading) bool {
	return r.Act == nlu.ActAsks && r.Ask != nlu.AskNone && slices.Contains(askedBy(r.Text), r.Ask)
}

// ofWhole reports whether something is no single subject: the venue, its programme, a date.
func ofWhole(about nlu.About) bool {
	return about == nlu.AboutVenue || about == nlu.AboutEvents || about == nlu.AboutDate
}

// again reports whether the last answer is wanted once more, or in another language.
func again(r nlu.Reading) bool {
	return r.Act == nlu.ActRepeats && (r.Ask == nlu.AskRepeat || r.Ask == nlu.AskNone) || r.Act == nlu.ActTranslates ||
		r.Ask == nlu.AskRepeat || r.Ask == nlu.AskTranslate
}

// doubts reports whether an utterance only asks whether the last answer is really so, or why the
// venue is closed, which is told with it.
func doubts(r nlu.Reading, m Memory) bool {
	if hasContent(r.Keywords) || len(r.Times) > 0 {
		return false
	}
	return r.Ask == nlu.AskConfirm || r.Ask == nlu.AskWhatIs && r.About == nlu.AboutVenue && m.Last.About == nlu.AboutVenue
}

// again is the last question, asked once more.
func (m Memory) again() Question {
	q := m.Last
	q.Alone, q.AskFrom = true, Inherited
	if q.SubjectFrom != Absent {
		q.SubjectFrom = Inherited
	}
	if q.When != "" {
		q.WhenFrom = Inherited
	}
	return q
}

// wants reports whether an utterance is about something that may be left out.
func wants(r nlu.Reading) bool {
	switch r.Act {
	case nlu.ActAdds, nlu.ActChanges, nlu.ActDoubts:
		return true
	case nlu.ActAsks, nlu.ActRepeats, nlu.ActOrders, nlu.ActReports:
		return r.Ask != nlu.AskNone
	case nlu.ActAnswers, nlu.ActTranslates, nlu.ActGreets, nlu.ActThanks, nlu.ActLeaves, nlu.ActChats:
	}
	return false
}

// adds puts a detail behind the question that it belongs to.
func adds(q Question, r nlu.Reading, m Memory) Question {
	q.Subject, q.SubjectFrom, q.AskFrom = m.Last.Subject, Inherited, Inherited
	q.Ask, q.About = m.Last.Ask, m.Last.About
	q.Text, q.Alone = join(m.Last.Text, r.Text, r.Language), true
	all := slices.Concat(m.Last.Keywords, r.Keywords)
	q.Keywords = all[max(0, len(all)-maxKeywords):]
	return q
}

// sameForOther asks the kind of answer of the question before of what this one names: レーザーは？
func sameForOther(q Question, r nlu.Reading, m Memory) Question {
	if r.Alone == r.Ask || r.Ask != m.Last.Ask || r.About != nlu.AboutSubject || r.Topic == "" {
		return q
	}
	q.AskFrom, q.SubjectFrom, q.Strength = Inherited, Said, max(q.Strength, 0)
	q = keepWhen(q, r, m)
	q.Text, q.Alone = Print(q.Ask, r.Topic, q.When, r.Language), true
	return q
}

// ofSubject asks of what was spoken of before.
func ofSubject(q Question, r nlu.Reading, m Memory, subject Subject) Question {
	q.Ask, q.Subject, q.SubjectFrom, q.About = r.Ask, subject, Inherited, nlu.AboutSubject
	q = keepWhen(q, r, m)
	title := subject.In(r.Language)
	if r.Alone != r.Ask && r.Ask == m.Last.Ask || r.Act == nlu.ActChanges && r.Ask != nlu.AskNone {
		q.AskFrom = Inherited
		q.Text = Print(q.Ask, title, q.When, r.Language)
	} else {
		q.Text = about(title, r.Text, r.Language)
	}
	q.Alone = true
	return q
}

// In is the half of the title in a language, where it has two.
func (s Subject) In(lang nlu.Language) string {
	ja, en, both := strings.Cut(s.Title, " / ")
	switch {
	case both && lang == nlu.English:
		return en
	case both:
		return ja
	}
	return s.Title
}

// keepWhen takes over the time of the question before where it matters and none is named.
func keepWhen(q Question, r nlu.Reading, m Memory) Question {
	if r.When == nlu.CarryKept && q.When == "" && m.Last.When != "" {
		q.When, q.WhenFrom = m.Last.When, Inherited
	}
	return q
}

// isShort reports whether an utterance is no longer than a question for a detail of what was spoken of.
func isShort(r nlu.Reading) bool {
	if r.Language == nlu.English {
		return len(strings.Fields(r.Text)) <= shortWords
	}
	return utf8.RuneCountInString(r.Text) <= shortRunes
}

// shortWords and shortRunes are how long such a question is at most, in English and in Japanese.
const (
	shortWords = 4
	shortRunes = 8
)

// hasContent reports whether one of the words says more than which kind of answer is wanted.
func hasContent(keywords []string) bool {
	ask := words.AskWords()
	return slices.ContainsFunc(keywords, func(w string) bool { return ask[w] == nil })
}

// join puts two sentences behind each other.
func join(a, b string, lang nlu.Language) string {
	if lang == nlu.English {
		return strings.TrimSpace(a + " " + b)
	}
	return strings.TrimSpace(strings.TrimRight(a, "。？?") + "。" + b)
}

// weakest is the strength from which it is sure that something is meant that an utterance names, and
// maxEach of how many subjects of a list the same is answered.
const (
	weakest = -0.2
	maxEach = 3
)
