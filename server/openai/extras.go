package openai

import (
	"encoding/json"
	"slices"

	"annai/api"
)

// extras are what an answer has besides its text, in the words of POST /query. Who does not know them ignores them.
type extras struct {
	Emotion   string `json:"emotion"`
	AgentName string `json:"agentName,omitempty"`
	Language  string `json:"language"`
	SessionID string `json:"sessionId,omitempty"`
	RunID     string `json:"runId,omitempty"`
	// Error is the code of what went wrong, where an apology was said.
	Error       string         `json:"error,omitempty"`
	Interrupt   *api.Interrupt `json:"interrupt,omitempty"`
	Cards       []api.Card     `json:"cards,omitempty"`
	Suggestions []string       `json:"suggestions,omitempty"`
	// LeftOut is how many cards and suggestions there was no room for.
	LeftOut int `json:"leftOut,omitempty"`
}

func extrasOf(a api.QueryResponse) *extras {
	return &extras{
		Emotion: a.Emotion, AgentName: a.AgentName, Language: a.Language, SessionID: a.SessionID, RunID: a.RunID,
		Interrupt: a.Interrupt, Cards: a.Cards, Suggestions: a.Suggestions,
	}
}

// fit leaves out what does not fit into so many bytes: the descriptions of cards first, then cards from the last on, then suggestions.
func (e *extras) fit(limit int) {
	if e.size() <= limit {
		return
	}
	e.Cards = slices.Clone(e.Cards)
	for i := range e.Cards {
		e.Cards[i].Description = ""
	}
	for e.size() > limit && len(e.Cards) > 0 {
		e.Cards = e.Cards[:len(e.Cards)-1]
		e.LeftOut++
	}
	if e.size() > limit {
		e.LeftOut += len(e.Suggestions)
		e.Suggestions = nil
	}
	if e.size() > limit {
		e.Interrupt = nil
	}
}

func (e *extras) size() int {
	text, err := json.Marshal(e)
	if err != nil {
		return 0
	}
	return len(text)
}
