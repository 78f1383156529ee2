// Package talk keeps what a talk is about, and makes of a reading a question that stands by itself.
//
// The idea to hold: an utterance is read once, and what it leaves out is filled in from a small
// typed memory, in one place: [Resolve]. Everything behind it sees a [Question], which says where
// each of its parts came from. The package looks nothing up and words no answer.
package talk

import (
	"slices"
	"time"

	"annai/nlu"
)

// Kind is what sort of thing a subject is.
type Kind string

// The values of [Kind].
const (
	Event   Kind = "event"
	Passage Kind = "passage"
	Part    Kind = "part" // of the venue
)

// A Subject is something that was spoken of.
type Subject struct {
	Kind Kind `json:"kind"`
	// ID is that of a passage, or of a part; of several parts that share a name those of all, one in a
	// line. It is empty for an event, which its title names.
	ID string `json:"id,omitempty"`
	// Title is an event's title, the name of a part, or the heading of a passage in the language of the
	// talk.
	Title string `json:"title"`
	// At is when the event that was spoken of begins; zero for what has no time.
	At time.Time `json:"at,omitzero"`
	// Yen is what it costs, nil where that is not written; Minutes is how long it takes, 0 where
	// that is not.
	Yen     *int `json:"yen,omitempty"`
	Minutes int  `json:"minutes,omitempty"`
}

// AskOther is the question about what it may be about instead, as a sentence; empty where there is
// none.
func (q Question) AskOther(lang nlu.Language) string {
	if q.Other.Same(q.Subject) || q.Other.Kind != Event { // a heading is no name, "lounge" none in a sentence
		return ""
	}
	ask := q.Ask
	if !slices.Contains(ofOne, ask) {
		ask = nlu.AskWhatIs
	}
	return Print(ask, q.Other.In(lang), "", lang)
}

// MayMean is what a question may be about instead, where the same can be asked of it.
func (q Question) MayMean() (Subject, bool) {
	return q.Other, !q.Other.IsZero() && !q.Other.Same(q.Subject) && slices.Contains(ofOne, q.Ask)
}

// ofOne are the kinds of answers that may be asked for of any one event or thing.
var ofOne = []nlu.Ask{
	nlu.AskWhen, nlu.AskUntilWhen, nlu.AskWhere, nlu.AskHowToGet, nlu.AskHowMuch, nlu.AskHowLong, nlu.AskIsOpen, nlu.AskNeedI,
	nlu.AskForWhom, nlu.AskAvailability, nlu.AskStillOn, nlu.AskContact,
}

// Same reports whether two subjects are the same, whenever they are.
func (s Subject) Same(o Subject) bool { return s.Kind == o.Kind && s.ID == o.ID && s.Title == o.Title }

// IsZero reports whether there is no subject.
func (s Subject) IsZero() bool { return s == Subject{} }

// Origin is where a part of a question came from.
type Origin string

// The values of [Origin].
const (
	Said      Origin = "said"
	Inherited Origin = "inherited"
	Absent    Origin = "absent"
)

// A Question is a reading with everything that was left out filled in.
type Question struct {
	Act    nlu.Act   `json:"act,omitempty"`
	Ask    nlu.Ask   `json:"ask,omitempty"`
	Second nlu.Ask   `json:"second,omitempty"`
	About  nlu.About `json:"about,omitempty"`
	Ref    nlu.Ref   `json:"ref,omitempty"`
	// Subject is what it is about where that was spoken of before, or was named by whoever read it.
	Subject Subject `json:"subject,omitzero"`
	// NoItem says that one of a list is meant that the list does not have.
	NoItem bool `json:"noItem,omitempty"`
	// Each are several subjects of which the same is asked, where a list is spoken of.
	Each []Subject `json:"each,omitempty"`
	// Strength says how surely a subject is meant that the words name: above 0 it would do by itself.
	Strength float64 `json:"strength,omitempty"`
	// Likely is how likely it is that what the question is about was meant, as learnt, be it named or kept from
	// before; 0 where nothing was chosen.
	Likely float64 `json:"likely,omitempty"`
	// Strange is how likely the words of the utterance alone are about nothing that is known; 0 where
	// nobody looked.
	Strange float64 `json:"strange,omitempty"`
	// Other is what it may be about instead, where that is nearly as likely: it is offered beside
	// the answer.
	Other Subject `json:"other,omitzero"`
	// When are the words for the day or time that it is about.
	When string `json:"when,omitempty"`
	// Negated says that things are filtered by what they are not.
	Negated bool `json:"negated,omitempty"`
	// Text is one sentence that says all of it.
	Text string `json:"text,omitempty"`
	// Keywords are its content words, without those of the subject where that is inherited.
	Keywords []string `json:"keywords,omitempty"`
	// Alone says that Text stands by itself, so that nothing of the talk is needed to understand it.
	Alone bool `json:"alone,omitempty"`

	// Confidence is how sure the reading is, in 0..1.
	Confidence float64 `json:"confidence,omitempty"`

	AskFrom     Origin `json:"askFrom,omitempty"`
	SubjectFrom Origin `json:"subjectFrom,omitempty"`
	WhenFrom    Origin `json:"whenFrom,omitempty"`
}

// Sure reports whether it is known what a question is about: that was spoken of, or the words come
// near enough to it.
func (q Question) Sure() bool {
	near := q.Strength > weakest
	if q.Subject.Kind == Part {
		near = q.Strength >= 0
	}
	return q.SubjectFrom == Inherited || q.SubjectFrom == Said && near
}

// Meant reports whether it is known or likely what a question is about, however far the words are
// from what is written of it.
func (q Question) Meant() bool { return q.Sure() || q.SubjectFrom == Said && q.Likely >= likelyMeant }

// likelyMeant is how likely that has to be.
const likelyMeant = 0.6

// What a memory keeps at most.
const (
	maxSubjects = 6
	maxInView   = 10
	maxSaid     = 200 // characters
	maxKeywords = 40  // of a question to which details are added
)

// A Memory is what a talk has been about: as large after a thousand turns as after one.
type Memory struct {
	// Last is the last question that was about something.
	Last Question `json:"last,omitzero"`
	// Subjects are those spoken of, the newest first.
	Subjects []Subject `json:"subjects,omitempty"`
	// InView are those that the last answer listed, in its order; Listed says that they were spoken
	// of after all of Subjects.
	InView []Subject `json:"inView,omitempty"`
	Listed bool      `json:"listed,omitempty"`
	// Said is the last utterance.
	Said string `json:"said,omitempty"`
}

// Next is the memory after a turn: said was the utterance, asked the question made of it, and
// answered what the answer was about, in its order. An answer that is about nothing leaves the
// subjects as they are.
func (m Memory) Next(said string, asked Question, answered []Subject) Memory {
	same := func(o Subject) func(Subject) bool { return func(s Subject) bool { return s.Same(o) } }
	next := Memory{Last: m.Last, Subjects: m.Subjects, InView: m.InView, Listed: m.Listed, Said: limited(said)}
	if asked.Ask != "" && asked.Ask != nlu.AskNone {
		next.Last = asked
	}
	switch {
	case len(answered) > 1:
		next.InView, next.Listed = slices.Clone(answered[:min(len(answered), maxInView)]), true
	case len(answered) == 1:
		next.Last.Subject, next.Listed = answered[0], false
		next.Subjects = append([]Subject{answered[0]}, slices.DeleteFunc(slices.Clone(m.Subjects), same(answered[0]))...)
		next.Subjects = next.Subjects[:min(len(next.Subjects), maxSubjects)]
	}
	return next
}

// limited is the end of a text of at most maxSaid characters.
func limited(text string) string {
	runes := []rune(text)
	return string(runes[max(0, len(runes)-maxSaid):])
}

// A Context is what a reader sees of a talk.
type Context struct {
	// Said is the utterance before, Ask the kind of answer that it wanted, Subject the title of
	// what it was about.
	Said    string
	Ask     nlu.Ask
	Subject string
	// Earlier is the title of the subject before that, and InView are those that the last answer listed.
	Earlier string
	InView  []string
}

// Context returns what a reader sees of the talk.
func (m Memory) Context() Context {
	c := Context{Said: m.Said, Ask: m.Last.Ask}
	if len(m.Subjects) > 0 {
		c.Subject = m.Subjects[0].Title
	}
	if len(m.Subjects) > 1 {
		c.Earlier = m.Subjects[1].Title
	}
	for _, s := range m.InView {
		c.InView = append(c.InView, s.Title)
	}
	return c
}

// A Reader reads an utterance in its talk. It is safe for concurrent use and never fails: what it
// cannot read has a low confidence. It fills what the network or a model says; what the words
// themselves say, language, times and topic, is the caller's to fill.
type Reader interface {
	Read(utterance string, c Context) nlu.Reading
}
