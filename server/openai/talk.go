package openai

import (
	"encoding/json"
	"strings"

	"annai/internal/text"
	"annai/server/render"
)

// A message is one of a talk as clients send it. What it has besides is ignored.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text returns the words of a message, whose content is a string or a list of parts. Pictures and whatever else is in it are left out.
func (m message) text() string {
	var parts []json.RawMessage
	if json.Unmarshal(m.Content, &parts) != nil {
		return render.Str(m.Content)
	}
	var texts []string
	for _, raw := range parts {
		var part struct {
			Text json.RawMessage `json:"text"`
		}
		text := render.Str(raw)
		if text == "" && json.Unmarshal(raw, &part) == nil {
			text = render.Str(part.Text)
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
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
		text := m.text()
		t.tokens += tokens(text)
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

// tokens is about how many tokens a model would make of the text: one of each Japanese character, one of four others. No model counts them here.
func tokens(of string) int {
	japanese, others := 0, 0
	for _, r := range of {
		if text.IsJapanese(r) {
			japanese++
		} else {
			others++
		}
	}
	return japanese + (others+3)/4
}
