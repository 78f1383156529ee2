package wording

import "strings"

// Between these marks some models think aloud before they answer.
const thinking, thought = "<think>", "</think>"

// thoughts takes out of an answer what a model thinks aloud at its beginning. The zero value is
// ready.
type thoughts struct {
	held string
	over bool // it is no thinking, or no more
}

// without takes the next piece of the answer and returns what of it is to be heard.
func (t *thoughts) without(piece string) string {
	if t.over {
		return piece
	}
	t.held += piece
	text := strings.TrimLeft(t.held, " \n\r\t")
	if len(text) < len(thinking) && strings.HasPrefix(thinking, text) {
		return ""
	}
	if !strings.HasPrefix(text, thinking) {
		t.over = true
		return t.held
	}
	_, rest, ended := strings.Cut(text, thought)
	if !ended {
		t.held = thinking + text[max(len(thinking), len(text)-len(thought)):] // the end may come in pieces
		return ""
	}
	t.over = true
	return rest
}
