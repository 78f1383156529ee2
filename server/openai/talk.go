package openai

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/api"
	"annai/internal/text"
	"annai/server/door"
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
		return str(m.Content)
	}
	var texts []string
	for _, raw := range parts {
		var part struct {
			Text json.RawMessage `json:"text"`
		}
		text := str(raw)
		if text == "" && json.Unmarshal(raw, &part) == nil {
			text = str(part.Text)
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
			t.said = append(t.said, utterance(text))
		case "system", "developer":
			t.instructions += text + "\n"
		}
	}
	return t
}

// words returns what was said this turn. It is an error that the visitor can be told of if it is nothing, or too much.
func (t talk) words() (string, error) {
	last := t.said[len(t.said)-1]
	switch {
	case last == "":
		return "", &door.InputError{Details: []api.ErrorDetail{{Field: "messages", Message: "must end with words of the user"}}, Words: "empty"}
	case utf8.RuneCountInString(last) > maxQuery:
		return "", &door.InputError{Details: []api.ErrorDetail{{Field: "messages", Message: "must end with at most 2000 characters of the user"}}, Words: "too_long"}
	}
	return last, nil
}

// maxQuery is how many characters the concierge hears at once.
const maxQuery = 2000

// added is what AITuberKit puts before an utterance: when it was said, or by whom in a broadcast's comments.
var added = regexp.MustCompile(`^\s*\[(?:\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|[+-]\d{2}:?\d{2})?|[^\[\]\n]{1,64}さんのコメント)\]`)

// utterance returns what a visitor said of what a client sent.
func utterance(text string) string {
	for {
		rest := text[len(added.FindString(text)):]
		if rest == text {
			return trim(text)
		}
		text = rest
	}
}

// trim cuts what can't be seen off both ends.
func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
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
