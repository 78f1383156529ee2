package nodes

import (
	"cmp"
	"context"
	"slices"

	"annai/api"
	"annai/dialog"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
)

// An Explanation says how a turn was answered, for people.
type Explanation struct {
	// Question is what was asked, with where each part of it came from. Its Act is empty where the
	// utterance was not read in its talk.
	Question talk.Question
	// Near is what the question comes near to among events and passages, the nearest first.
	Near []talk.Candidate
	// Evidence is what was looked at in what the answer is about.
	Evidence []Evidence
	// Conclusion is what follows from it.
	Conclusion Conclusion
}

// Evidence is a sentence of a passage, or a field of an event.
type Evidence struct {
	// Source is the heading of the passage or the title of the event, Field that of an event.
	Source string
	Field  EvidenceField
	Text   string
	// States says that it states the kind of answer that was asked for; Sign is + where it grants or
	// requires that, - where it forbids it or dispenses with it, and 0 elsewhere.
	States bool
	Sign   byte
	// Shares says that it has a word of what was asked besides the subject.
	Shares bool
}

// EvidenceField is what a piece of evidence is a part of.
type EvidenceField string

// The values of [EvidenceField].
const (
	FieldSentence EvidenceField = "sentence"
	FieldWhen     EvidenceField = "when"
	FieldWhere    EvidenceField = "where"
)

// Conclusion is what an answer concludes from its evidence.
type Conclusion string

// The values of [Conclusion].
const (
	ConclusionStated   Conclusion = "stated"   // a piece of evidence states it
	ConclusionTold     Conclusion = "told"     // what was found was told; what was asked for is no kind that is stated
	ConclusionUnstated Conclusion = "unstated" // nothing states it
	ConclusionComputed Conclusion = "computed" // it was worked out from rules, dates or lists
)

// Explain answers a turn as [Concierge.Answer] does, and says how.
func (c *Concierge) Explain(ctx context.Context, t dialog.Turn) (api.QueryResponse, Explanation, error) {
	var after State
	answer, err := c.run(ctx, utterance{Turn: t}, listener{after: func(s State) { after = s }})
	if err != nil {
		return answer, Explanation{}, err
	}
	e, err := c.explain(ctx, after, answer)
	return answer, e, err
}

// explain looks at what an answer was made of once more.
func (c *Concierge) explain(ctx context.Context, s State, answer api.QueryResponse) (Explanation, error) {
	e := Explanation{Question: s.Question, Conclusion: ConclusionComputed}
	if s.Question.Act == "" {
		return e, nil
	}
	near, err := c.lookFor(ctx, s, s.Question.Text, s.Turn.At.In(c.location(s.Turn)))
	if err != nil {
		return e, err
	}
	e.Near = near.candidates(found{}, found{}, s.Question.Ask)
	slices.SortStableFunc(e.Near, func(a, b talk.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	switch s.Route.Node {
	case nodeInfo:
		e.Evidence = passageEvidence(s, near, answer)
	case nodeEvent:
		e.Evidence = eventEvidence(s)
	}
	e.Conclusion = conclusion(s.Question.Ask, e.Evidence)
	return e, nil
}

// conclusion is what follows from pieces of evidence.
func conclusion(ask nlu.Ask, looked []Evidence) Conclusion {
	switch {
	case len(looked) == 0:
		return ConclusionComputed
	case slices.ContainsFunc(looked, func(e Evidence) bool { return e.States }):
		return ConclusionStated
	case slices.Contains(anySentence, ask):
		return ConclusionTold
	}
	return ConclusionUnstated
}

// passageEvidence are the sentences of the passages that an answer quotes.
func passageEvidence(s State, near found, answer api.QueryResponse) []Evidence {
	var out []Evidence
	for _, told := range answer.Metadata.Passages {
		for _, h := range near.passages.Hits {
			if h.Passage.ID == told.ID {
				out = append(out, sentencesOf(s, h.Passage.Title, h.Passage.Text)...)
			}
		}
	}
	return out
}

// maxExplained is how many events are looked at where a list was told.
const maxExplained = 3

// eventEvidence are the fields of the events that an answer is about, and the sentences that describe
// them.
func eventEvidence(s State) []Evidence {
	items := s.Topic.Items
	if s.Topic.Focus > 0 && s.Topic.Focus <= len(items) {
		items = items[s.Topic.Focus-1 : s.Topic.Focus]
	}
	var out []Evidence
	for _, e := range items[:min(len(items), maxExplained)] {
		when := Evidence{Source: e.Title, Field: FieldWhen, Text: e.Start.Format("2006-01-02 15:04")}
		if e.AllDay {
			when.Text = e.FirstDay.String()
		}
		switch s.Question.Ask {
		case nlu.AskWhen, nlu.AskUntilWhen, nlu.AskHowLong, nlu.AskNext, nlu.AskStillOn, nlu.AskHowOften, nlu.AskDate:
			when.States = true
		default:
		}
		out = append(out, when)
		if e.Location != "" {
			where := s.Question.Ask == nlu.AskWhere || s.Question.Ask == nlu.AskHowToGet
			out = append(out, Evidence{Source: e.Title, Field: FieldWhere, Text: e.Location, States: where})
		}
		out = append(out, sentencesOf(s, e.Title, e.In(s.Language).Description)...)
	}
	return out
}

// sentencesOf are the sentences of a text as evidence.
func sentencesOf(s State, source, text string) []Evidence {
	rest := contentWords(s.Understanding.Keywords)
	var out []Evidence
	for _, sentence := range display.Sentences(display.NoBrackets(text)) {
		e := Evidence{Source: source, Field: FieldSentence, Text: sentence}
		e.Sign, e.States = states(sentence, s.Question.Ask)
		_, e.Shares = stating(sentence, s.Question.Ask, rest)
		out = append(out, e)
	}
	return out
}
