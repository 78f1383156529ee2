package talks

import (
	"annai/nlu"
	"annai/nodes/talk"
)

// An Oracle reads turns as their annotations say: what an answer is worth when everything was understood.
type Oracle struct {
	turns map[said]Turn
}

// said tells turns apart: what was said, and before that.
type said struct{ before, now string }

// NewOracle returns the oracle of a place. Turns without annotations it reads as nothing that it knows.
func NewOracle(p Place) *Oracle {
	o := &Oracle{turns: map[said]Turn{}}
	for _, t := range p.Talks {
		before := ""
		for _, turn := range t.Turns {
			o.turns[said{before, turn.Say}] = turn
			before = turn.Say
		}
	}
	for _, s := range p.Singles {
		o.turns[said{"", s.Say}] = s.Turn
	}
	return o
}

// kinds are the words of annotations for what is no single subject.
var kinds = map[string]nlu.About{
	"venue": nlu.AboutVenue, "date": nlu.AboutDate, "concierge": nlu.AboutConcierge, "staff": nlu.AboutStaff, "visitor": nlu.AboutVisitor,
	"none": nlu.AboutNone, "": nlu.AboutNone,
}

// Read implements [talk.Reader].
func (o *Oracle) Read(utterance string, c talk.Context) nlu.Reading {
	t := o.turns[said{c.Said, utterance}]
	r := nlu.Reading{Act: nlu.ActAsks, Ask: nlu.Ask(t.Ask), Alone: nlu.Ask(t.Ask), Ref: nlu.RefNamed, Full: t.Full, Confidence: 1}
	if about, ok := kinds[t.About]; ok {
		r.About = about
	} else {
		r.About, r.Subject = nlu.AboutSubject, t.About
	}
	switch {
	case r.Ask == nlu.AskEvents, r.Ask == nlu.AskCount && r.About != nlu.AboutSubject:
		r.About = nlu.AboutEvents
	case r.Ask == nlu.AskRepeat:
		r.Act = nlu.ActRepeats
	case r.Ask == nlu.AskTranslate:
		r.Act = nlu.ActTranslates
	case r.Ask == nlu.AskNone && r.About == nlu.AboutSubject:
		r.Act = nlu.ActAdds
	case r.Ask == nlu.AskNone:
		r.Act = nlu.ActChats
	}
	return r
}
