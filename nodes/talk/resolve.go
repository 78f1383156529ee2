package talk

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
)

// A Candidate is something known that the words of an utterance come near to.
type Candidate struct {
	Subject Subject
	// Score is how near the utterance alone comes to it, Before how near the question before did; 0 where it did not.
	Score, Before float64
	// Strength says how surely it is meant by the utterance alone: above 0 it would do by itself.
	Strength float64
}

// Resolve makes of a reading a question that stands by itself, with what the talk has. The order is: what the reader itself says in
// full; the last answer once more; what needs nothing of the talk; a detail of the open matter; another question about what was spoken
// of; the same kind of answer for something else; a new question.
func Resolve(r nlu.Reading, m Memory, near []Candidate) Question {
	q := Question{
		Act: r.Act, Ask: r.Ask, Second: r.Second, About: r.About, Ref: r.Ref, Negated: r.Negated, Text: r.Text, Confidence: r.Confidence,
		AskFrom: Said, SubjectFrom: Absent, WhenFrom: Absent,
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
			q.Subject, q.SubjectFrom = Subject{Title: r.Subject}, Said
		}
		return q
	case !wants(r):
		return q
	case r.Act == nlu.ActAdds && m.Last.Ask != "":
		return adds(q, r, m)
	}
	if onlyTime(r) && ofWhole(m.Last.About) { // the same question, of another time
		q.Ask, q.About, q.AskFrom = m.Last.Ask, m.Last.About, Inherited
		return q
	}
	best, inherited := choose(r, m, near)
	if subject, ok := pointedAt(r, m, best, inherited); ok {
		q = ofSubject(q, r, m, subject)
		if m.Listed && r.Ref != nlu.RefItem && r.Ordinal == 0 && len(m.InView) <= maxEach {
			q.Each = m.InView
		}
		return q
	}
	if r.About == nlu.AboutSubject && best.Strength > weakest {
		q.Subject, q.SubjectFrom = best.Subject, Said
	}
	return sameForOther(q, r, m)
}

// onlyTime reports whether an utterance names a time and nothing else.
func onlyTime(r nlu.Reading) bool { return len(r.Times) > 0 && len(r.Keywords) == 0 }

// ofWhole reports whether something is no single subject: the venue, its programme, a date.
func ofWhole(about nlu.About) bool {
	return about == nlu.AboutVenue || about == nlu.AboutEvents || about == nlu.AboutDate
}

// again reports whether the last answer is wanted once more, or in another language.
func again(r nlu.Reading) bool {
	return r.Act == nlu.ActRepeats && (r.Ask == nlu.AskRepeat || r.Ask == nlu.AskNone) || r.Act == nlu.ActTranslates ||
		r.Ask == nlu.AskRepeat || r.Ask == nlu.AskTranslate
}

// doubts reports whether an utterance only asks whether the last answer is really so, or why the venue is closed, which is told with it.
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
	return q
}

// sameForOther asks the kind of answer of the question before of what this one names: レーザーは？
func sameForOther(q Question, r nlu.Reading, m Memory) Question {
	if r.Alone == r.Ask || r.Ask != m.Last.Ask || r.About != nlu.AboutSubject || r.Topic == "" {
		return q
	}
	q.AskFrom, q.SubjectFrom = Inherited, Said
	q = keepWhen(q, r, m)
	q.Text, q.Alone = Print(q.Ask, r.Topic, q.When, r.Language), true
	return q
}

// ofSubject asks of what was spoken of before.
func ofSubject(q Question, r nlu.Reading, m Memory, subject Subject) Question {
	q.Subject, q.SubjectFrom, q.About = subject, Inherited, nlu.AboutSubject
	q = keepWhen(q, r, m)
	title := subject.In(r.Language)
	if r.Alone != r.Ask && r.Ask == m.Last.Ask || r.Act == nlu.ActChanges {
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

// What counts how much when it is decided what an utterance is about: how near it comes to something, less where it has no words that
// carry meaning; how near the question before came to that; that it is what was spoken of last, or listed, as far as the network says that
// the words do not name it.
const (
	wordsWeight    = 1.0
	noWordsWeight  = 0.25
	beforeWeight   = 0.35
	lastWeight     = 0.7
	namedFloor     = 0.1
	leftOut        = 0.8
	plainScore     = 1.6
	shortRunes     = 8
	shortWords     = 4
	strengthWeight = 1.0
)

// choose is the candidate that an utterance is most likely about. inherited says that it is what was spoken of, rather than something that the
// words name.
func choose(r nlu.Reading, m Memory, near []Candidate) (best Candidate, inherited bool) {
	weight := wordsWeight
	unnamed := 1 - r.Named + namedFloor
	last := lastWeight * unnamed
	if !hasContent(r.Keywords) { // such words name nothing, whatever the network says
		weight, last = noWordsWeight, max(last, leftOut)
	}
	most := -1.0
	kept := m.kept()
	found := false
	for _, c := range near {
		total := weight*c.Score + beforeWeight*c.Before*unnamed + weight*strengthWeight*max(0, c.Strength)
		old := slices.ContainsFunc(kept, c.Subject.Same)
		if old {
			total += last
			found = true
		}
		if total > most {
			most, best, inherited = total, c, old
		}
	}
	if len(kept) > 0 && !found && last > most {
		return Candidate{Subject: kept[0]}, true
	}
	return best, inherited
}

// isBare reports whether an utterance asks for a detail and says nothing of what.
func isBare(r nlu.Reading) bool {
	return !hasContent(r.Keywords) && isShort(r) && len(r.Times) == 0 && r.Act == nlu.ActAsks && r.Ref != nlu.RefNone
}

// isShort reports whether an utterance is no longer than a question for a detail of what was spoken of.
func isShort(r nlu.Reading) bool {
	if r.Language == nlu.English {
		return len(strings.Fields(r.Text)) <= shortWords
	}
	return utf8.RuneCountInString(r.Text) <= shortRunes
}

// hasContent reports whether one of the words says more than which kind of answer is wanted.
func hasContent(keywords []string) bool {
	ask := words.AskWords()
	return slices.ContainsFunc(keywords, func(w string) bool { return !ask[w] })
}

// kept are the subjects that an utterance may be about without naming them: those that were listed, or the last one.
func (m Memory) kept() []Subject {
	if m.Listed {
		return m.InView
	}
	return m.Subjects[:min(1, len(m.Subjects))]
}

// pointedAt is the subject of before that a reading is about; ok is false where it names its own, or is about none.
func pointedAt(r nlu.Reading, m Memory, best Candidate, inherited bool) (Subject, bool) {
	switch r.About {
	case nlu.AboutDate, nlu.AboutConcierge, nlu.AboutStaff, nlu.AboutVisitor, nlu.AboutVenue, nlu.AboutEvents:
		unsaid := !hasContent(r.Keywords) && r.Named < 0.5 && len(r.Times) == 0 && r.Ask != nlu.AskEvents && !ofWhole(m.Last.About)
		if r.Ref != nlu.RefItem && r.Ordinal == 0 && !unsaid && !(m.Listed && len(m.InView) == 1 && !hasContent(r.Keywords)) {
			return Subject{}, false
		}
	case nlu.AboutSubject, nlu.AboutUnknown, nlu.AboutNone:
	}
	if subject, ok := item(r, m); ok {
		return subject, true
	}
	if !inherited && !(isBare(r) && len(m.kept()) > 0 && best.Score < plainScore) {
		return Subject{}, false
	}
	if r.Ref == nlu.RefEarlier && len(m.Subjects) > 1 {
		return m.Subjects[1], true
	}
	kept := m.kept()
	if i := slices.IndexFunc(kept, best.Subject.Same); i >= 0 {
		return kept[i], true
	}
	return kept[0], true
}

// item is the one of those in view that a reading picks: by its number, by its time, or as the other one of two.
func item(r nlu.Reading, m Memory) (Subject, bool) {
	view := m.InView
	if len(view) < 2 {
		return Subject{}, false
	}
	n := r.Ordinal
	if n < 0 {
		n = len(view) + 1 + n
	}
	if n > 0 && n <= len(view) {
		return view[n-1], true
	}
	if r.Ref != nlu.RefItem {
		return Subject{}, false
	}
	for _, e := range r.Times {
		in := slices.DeleteFunc(slices.Clone(view), func(s Subject) bool { return s.At.IsZero() || !within(e, s.At) })
		if len(in) == 1 {
			return in[0], true
		}
	}
	if s, ok := compared(r.Text, view); ok {
		return s, true
	}
	if len(view) == 2 && len(m.Subjects) > 0 {
		for i, s := range view {
			if s.Same(m.Subjects[0]) {
				return view[1-i], true
			}
		}
	}
	return Subject{}, false
}

// compared is the one of several that a comparison picks: the cheaper one, 長い方.
func compared(text string, view []Subject) (Subject, bool) {
	low := strings.ToLower(text)
	for _, row := range words.Comparisons() {
		if !slices.ContainsFunc(row.Words, func(w string) bool { return strings.Contains(low, w) }) {
			continue
		}
		value := func(s Subject) (int64, bool) {
			switch {
			case row.By == words.ByLength:
				return int64(s.Minutes), s.Minutes > 0
			case row.By == words.ByStart:
				return s.At.Unix(), !s.At.IsZero()
			case s.Yen == nil || row.By != words.ByPrice:
				return 0, false
			}
			return int64(*s.Yen), true
		}
		return pick(row.Pick, view, value)
	}
	return Subject{}, false
}

// pick is the one with the least, the most or none of a value.
func pick(which byte, view []Subject, value func(Subject) (int64, bool)) (best Subject, ok bool) {
	var most int64
	for _, s := range view {
		v, known := value(s)
		if !known || which == '0' && v != 0 {
			continue
		}
		if which == '+' {
			v = -v
		}
		if !ok || v < most {
			best, most, ok = s, v, true
		}
	}
	return best, ok
}

// within reports whether an instant is in the time that is named; of a part of the day on any day.
func within(e datetime.Expression, at time.Time) bool {
	if e.Kind == datetime.KindTime && e.NoDay {
		clock := e.TimeRange.Start
		at = at.In(clock.Location())
		at = time.Date(clock.Year(), clock.Month(), clock.Day(), at.Hour(), at.Minute(), 0, 0, clock.Location())
	}
	return e.TimeRange.Contains(at)
}

// join puts two sentences behind each other.
func join(a, b string, lang nlu.Language) string {
	if lang == nlu.English {
		return strings.TrimSpace(a + " " + b)
	}
	return strings.TrimSpace(strings.TrimRight(a, "。？?") + "。" + b)
}

// weakest is the strength from which something is taken for what is meant where an utterance names something, and maxEach of how many subjects
// of a list the same is answered.
const (
	weakest = -0.2
	maxEach = 3
)
