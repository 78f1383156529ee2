package nodes

import (
	"context"
	"fmt"

	"annai/api"
	"annai/nlu"
	"annai/nodes/owner"
	"annai/nodes/talk"
)

// given is what the last repeatable run answered in a session. Whoever keeps the answer commits after the
// session does: a run that is begun again in between is told it again, and the question is not asked twice.
type given struct {
	Turn     turn          `json:"turn"`
	Language nlu.Language  `json:"language"`
	Route    route         `json:"route"`
	Draft    draft         `json:"draft"`
	Question talk.Question `json:"question,omitzero"`
	Dropped  owner.Action  `json:"dropped,omitempty"`
}

// keptGiven is what is kept of an answer.
func keptGiven(s State, d draft) given {
	d.Evidence = nil // nobody words it again
	return given{Turn: s.Turn, Language: s.Language, Route: s.Route, Draft: d, Question: s.Question, Dropped: s.Dropped}
}

// answeredRun is the repeatable run that came to its end at a state, with an answer or a question; "" for none.
func answeredRun(s State, asks bool) string {
	switch {
	case asks && s.Turn.Repeatable:
		return s.Turn.RunID
	case asks:
		return ""
	}
	return s.Given.Turn.RunID
}

// giveAgain is the answer of a run that had come to its end in the session before it was begun again. False is
// that it had not.
func (c *Concierge) giveAgain(ctx context.Context, t Turn, entry *session) (api.QueryResponse, bool, error) {
	if !t.Repeatable || t.RunID != entry.run {
		return api.QueryResponse{}, false, nil
	}
	there, err := c.graph.State(ctx, t.Session().thread(), 0)
	if err != nil {
		return api.QueryResponse{}, false, fmt.Errorf("answer of run %s in session %s: %w", t.RunID, t.SessionID, err)
	}
	asks := len(there.Interrupts) > 0
	switch {
	case answeredRun(there.State, asks) != t.RunID:
		return api.QueryResponse{}, false, nil
	case asks:
		return c.ask(there.State, there.Interrupts[0]), true, nil
	}
	g := there.State.Given
	s := State{Turn: g.Turn, Language: g.Language, Route: g.Route, Question: g.Question, Dropped: g.Dropped}
	return c.finish(s, g.Draft), true, nil
}
