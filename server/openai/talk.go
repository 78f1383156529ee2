package openai

import (
	"encoding/json"

	"annai/server/render"
)

// A message is one of a talk as clients send it. What it has besides is ignored.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// A talk is what a client sent, read.
type talk struct {
	// instructions are the client's, from whatever role gives them.
	instructions string
	// said are the visitor's utterances, the oldest first, as they were said.
	said []string
	// prompt is the last message of the visitor as it was sent.
	prompt string
	// tokens is about how many all of it makes.
	tokens int
}

// readTalk reads messages. Words before the visitor's that a client adds are cut off, in the visitor's messages only.
func readTalk(messages []message) talk {
	var t talk
	for _, m := range messages {
		text := render.Text(m.Content)
		t.tokens += render.Tokens(text)
		switch m.Role {
		case "user":
			t.prompt = text
			t.said = append(t.said, render.Utterance(text))
		case "system", "developer":
			t.instructions += text + "\n"
		}
	}
	return t
}

// words returns what was said this turn. It is an error that the visitor can be told of if it is nothing, or too much.
func (t talk) words() (string, error) {
	last := t.said[len(t.said)-1]
	return last, render.CheckWords("messages", last)
}
