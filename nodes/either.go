package nodes

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
)

// orAsk leads to a question back where one of two things is meant that are about equally likely, both state what is
// asked, and to tell both would be long: which one is asked once. Else both are told ([Concierge.withOther]).
func (c *Concierge) orAsk(ctx context.Context, s State, r route) (route, error) {
	other, ok := s.Question.MayMean()
	may := ok && !s.Asked.Done && c.parts.Checkpointer != nil && r.mayTellOther()
	if !may || slices.Contains(anySentence, s.Question.Ask) {
		return r, nil
	}
	one := s.Question.Subject
	between := []talk.Subject{one, other}
	said := s.Understanding // its words, or its time, may say which one
	named := len(said.Times) > 0 || sharedBy(between, said) >= 0
	// A heading is no name that one could choose by: From Tenjin, or From Hakata Station?
	headings := one.Kind == talk.Passage || other.Kind == talk.Passage
	if named || headings || s.Question.Likely > evenly || one.In(s.Language) == other.In(s.Language) {
		return r, nil
	}
	first, err := c.lengthOf(ctx, s, one)
	if err != nil || first == 0 {
		return r, err
	}
	second, err := c.lengthOf(ctx, s, other)
	if err != nil || second == 0 || first+second <= longBoth(s.Language) {
		return r, err
	}
	r.Node, r.Reason, r.Between = nodeClarify, "either", between
	return r, nil
}

// evenly is how likely the likelier one of two things may be at most for it to be asked which one is meant.
const evenly = 0.5

// lengthOf is how many characters state of a thing what is asked; 0 where none do. When and where an event is
// stands in a sentence, and in some more for a series.
func (c *Concierge) lengthOf(ctx context.Context, s State, of talk.Subject) (int, error) {
	if of.Kind == talk.Event && slices.Contains(ofEvery, s.Question.Ask) {
		return longBoth(s.Language), nil
	}
	_, said, err := c.statedOf(ctx, s, of)
	return utf8.RuneCountInString(strings.Join(said, " ")), err
}

// longBoth is how many characters may be told of two things where only one of them was meant.
func longBoth(lang nlu.Language) int {
	if lang == nlu.English {
		return 220
	}
	return 90
}

// either is the question which of two things is meant.
func (s State) either() question {
	q := question{Kind: nodeClarify}
	for _, subject := range s.Route.Between {
		q.Options = append(q.Options, display.SpokenTitle(subject.In(s.Language), s.Language))
	}
	q.Text = prompts.AskEither{First: q.Options[0], Second: q.Options[1]}.In(string(s.Language))
	return q
}

// pickEither returns which of two things a reply means: by its place, by a word that only its name has, or,
// where it only agrees or points (それ), the likelier one; -1 where it means neither.
func (s State) pickEither(r reply, said nlu.Understanding) int {
	if n := place(r, said); n != 0 {
		if n < 0 {
			n += len(s.Route.Between) + 1
		}
		if n < 1 || n > len(s.Route.Between) {
			return -1
		}
		return n - 1
	}
	low := strings.ToLower(r.Turn.Query)
	has := func(subject talk.Subject) bool { return inText(low, subject.Title) }
	if i := onlyOne(s.Route.Between, has); i >= 0 {
		return i
	}
	if i := sharedBy(s.Route.Between, said); i >= 0 {
		return i
	}
	if said.Intent == nlu.Affirm || said.Reference.That && onlyAsks(said.Keywords) {
		return 0
	}
	return -1
}

// sharedBy is the place of the only one of some things whose name has a word of an utterance, or -1.
func sharedBy(things []talk.Subject, said nlu.Understanding) int {
	return onlyOne(things, func(subject talk.Subject) bool {
		return slices.ContainsFunc(contentWords(said.Keywords), func(w string) bool {
			return text.ContainsWord(strings.ToLower(subject.Title), strings.ToLower(w))
		})
	})
}

// of is the state with the question asked of one thing.
func (c *Concierge) of(s State, subject talk.Subject) State {
	q := s.Question
	q.Subject, q.SubjectFrom, q.Other, q.About = subject, talk.Said, talk.Subject{}, nlu.AboutSubject
	q.Likely, q.Strength, q.Alone = 1, max(q.Strength, 1), true
	q.Text = talk.Print(q.Ask, subject.In(s.Language), q.When, s.Language)
	s.Question = q
	s.Understanding = c.parts.Understander.Understand(q.Text, s.Turn.At.In(c.location(s.Turn)))
	return s
}

// otherEither is the question asked of the other one of two things.
func (s State) otherEither(i int) string {
	subject := s.Route.Between[len(s.Route.Between)-1-i]
	return talk.Print(s.Question.Ask, subject.In(s.Language), s.Question.When, s.Language)
}
