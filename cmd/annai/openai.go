package main

import (
	"crypto/rand"

	"annai/server/door"
	"annai/server/gate"
	"annai/server/openai"
	"annai/voice"
)

// newOpenAI makes the door for clients of OpenAI's API. Chat pages suggest the venue's own questions.
func newOpenAI(
	a *assembly, concierge gate.Concierge, speaker *voice.Cache, hears openai.Hearer,
) (door.Door, error) {
	return openai.New(openai.Parts{Concierge: concierge, Now: a.now, NewID: rand.Text}, openai.Options{
		Voice: speaker, Hearing: hears, Suggestions: a.suggestions,
	})
}
