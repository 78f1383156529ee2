package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/nlu"
	"annai/nodes"
	"annai/nodes/talk"
)

func TestQuestionExplained(t *testing.T) {
	t.Parallel()
	tea := talk.Subject{Kind: talk.Event, Title: "Tea Ceremony"}
	e := nodes.Explanation{
		Question: talk.Question{
			Act: nlu.ActAsks, Ask: nlu.AskHowMuch, AskFrom: talk.Said, Subject: tea, SubjectFrom: talk.Inherited, WhenFrom: talk.Absent,
			Text: "Tea Ceremony: how much?", Confidence: 0.9,
		},
		Near: []talk.Candidate{
			{Subject: tea, Score: 1.5}, {Subject: talk.Subject{Kind: talk.Passage, Title: "Fees"}, Score: 0.25},
		},
		Evidence: []nodes.Evidence{
			{Source: "Tea Ceremony", Field: nodes.FieldWhere, Text: "Main hall"},
			{Source: "Tea Ceremony", Field: nodes.FieldSentence, Text: "It costs 500 yen.", States: true, Shares: true},
			{Source: "Tea Ceremony", Field: nodes.FieldSentence, Text: "No booking.", States: true, Sign: '-'},
		},
		Conclusion: nodes.ConclusionStated,
	}
	want := `question: Tea Ceremony: how much?
  act: asks; certainty: 0.90
  ask: how_much (said)
  subject: Tea Ceremony (inherited)
  when: (absent)
near:
   1.50 event: Tea Ceremony
   0.25 passage: Fees
evidence:
  does not state it: where: Main hall (Tea Ceremony)
  states it, shares a word: It costs 500 yen. (Tea Ceremony)
  forbids it: No booking. (Tea Ceremony)
conclusion: the evidence states it
  answered by: event (asks about an event)
`
	info := api.ProcessingInfo{Route: "event", Reason: "asks about an event"}
	if diff := cmp.Diff(want, questionExplained(e, info, questionWords["en"])); diff != "" {
		t.Errorf("questionExplained(...) (-want +got):\n%s", diff)
	}
	for name := range questionWords["en"] {
		if questionWords["ja"][name] == "" {
			t.Errorf("questionWords has no Japanese for %s", name)
		}
	}
}
