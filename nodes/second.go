package nodes

import (
	"context"
	"slices"
	"strings"

	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
)

// A secondQuestion is one that stands behind another one in the same utterance.
type secondQuestion struct {
	// Text is the question as it was said.
	Text     string        `json:"text,omitempty"`
	Question talk.Question `json:"question,omitzero"`
	// Understanding is what its words say.
	Understanding nlu.Understanding `json:"understanding,omitzero"`
	Info          infoWish          `json:"info,omitzero"`
	// Other is what the first question is about, where the same is asked of two things.
	Other string `json:"other,omitempty"`
}

// twoQuestions are the questions of an utterance that asks two, where the second is one about the
// venue: the state with the first in place of both, and the second. Where it asks one the second has
// no text.
func (c *Concierge) twoQuestions(ctx context.Context, s State) (State, secondQuestion, error) {
	none := secondQuestion{}
	if s.Turn.Owner || s.Asked.Done || !wantsAnswer(s.Question) || s.Question.AskFrom != talk.Said {
		return s, none, nil
	}
	pair, ok := nlu.TwoQuestions(s.Understanding.Text, s.Understanding.Language)
	if !ok {
		return s, none, nil
	}
	first, err := c.readAs(ctx, s, pair.Questions[0])
	if err != nil {
		return s, none, err
	}
	second, err := c.readAs(ctx, s, pair.Questions[1])
	if err != nil || !first.asksByItself() || !second.asksByItself() {
		return s, none, err
	}
	if pair.Things[1] == "" && onlyAsks(second.Understanding.Keywords) { // it is about what the first one is about
		if second, err = c.readAs(ctx, s.after(pair.Questions[0], first.Question), pair.Questions[1]); err != nil {
			return s, none, err
		}
	}
	r, err := c.where(ctx, second)
	if err != nil || r.Node != nodeInfo {
		return s, none, err
	}
	r.Info.Thing = pair.Things[1]
	return first, secondQuestion{pair.Questions[1], second.Question, second.Understanding, r.Info, pair.Things[0]}, nil
}

// after is the state behind a question that was answered.
func (s State) after(said string, asked talk.Question) State {
	var about []talk.Subject
	if !asked.Subject.IsZero() {
		about = append(about, asked.Subject)
	}
	s.Memory = s.Memory.Next(said, asked, about)
	return s
}

// asksByItself reports whether a half of an utterance is a question that names what it is about.
func (s State) asksByItself() bool {
	q := s.Question
	return wantsAnswer(q) && q.AskFrom == talk.Said && q.SubjectFrom != talk.Inherited
}

// withSecond answers the second question of an utterance behind the first.
func (c *Concierge) withSecond(ctx context.Context, s State, d draft) (draft, error) {
	two := s.Route.Second
	if two.Text == "" {
		return d, nil
	}
	now := s.Turn.At.In(c.location(s.Turn))
	s.Route.Info, s.Question, s.Understanding = two.Info, two.Question, two.Understanding
	also, _, err := c.inform(ctx, s, two.Info, now)
	if err != nil {
		return d, err
	}
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	if also.Spoken == nil {
		also.Spoken = display.Sentences(also.Text)
	}
	if strings.Contains(d.Text, also.Text) { // both are answered by one passage
		return d, nil
	}
	d.Text, d.Spoken = display.JoinParts(d.Text, also.Text), append(slices.Clone(d.Spoken), also.Spoken...)
	d.Cards, d.Passages = append(slices.Clone(d.Cards), also.Cards...), append(slices.Clone(d.Passages), also.Passages...)
	d.Facts.Unknown = d.Facts.Unknown && also.Facts.Unknown
	if d.Facts.Knowledge == "" || also.Facts.Knowledge == statusOK {
		d.Facts.Knowledge = also.Facts.Knowledge
	}
	d.Evidence = nil // a model would word the first alone
	return d, nil
}
