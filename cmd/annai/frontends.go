package main

import (
	"crypto/rand"

	"annai/runs"
	"annai/server/agentcore"
	"annai/server/dify"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/linkage"
	"annai/server/navigator"
	"annai/server/recipes"
	"annai/voice"
)

// newFrontEnds makes the doors for front ends that speak a protocol of their own.
func newFrontEnds(a *assembly, turns *gate.Gate, speaker *voice.Cache, call staffCall) ([]door.Door, error) {
	apps, err := dify.New(dify.Parts{
		Gate: turns, Now: a.now, NewID: runs.NewID, Name: a.venue.Name.In("ja"),
	}, dify.Options{Voice: speaker, Suggestions: a.suggestions})
	if err != nil {
		return nil, err
	}
	links, err := linkage.New(linkage.Parts{Concierge: turns, Now: a.now, NewID: rand.Text})
	if err != nil {
		return nil, err
	}
	invocations, err := agentcore.New(agentcore.Parts{Gate: turns, Now: a.now, NewID: rand.Text})
	if err != nil {
		return nil, err
	}
	pages, err := navigator.New(navigator.Parts{Concierge: turns, Now: a.now, NewID: rand.Text}, navigator.Options{
		Suggestions: a.suggestions, CallStaff: a.escalate(call),
	})
	return []door.Door{apps, links, invocations, pages, recipes.Door()}, err
}

// suggestions are the venue's own questions.
func (a *assembly) suggestions(language string) []string {
	var out []string
	for _, text := range a.venue.Suggestions {
		out = append(out, text.In(language))
	}
	return out
}
