package wording

import (
	"encoding/json"
	"strings"

	"annai/grounding"
)

// Schema is that of an answer: its conclusion, and sentences with what they are from.
var Schema = json.RawMessage(`{"type":"object","properties":{` +
	`"conclusion":{"type":"string","enum":["yes","no","value","partly","unknown"]},` +
	`"sentences":{"type":"array","items":{"type":"object","properties":{` +
	`"text":{"type":"string"},"from":{"type":"array","items":{"type":"string"}}},` +
	`"required":["text","from"],"additionalProperties":false}}},` +
	`"required":["conclusion","sentences"],"additionalProperties":false}`)

// A Sentence is one that a model wrote, with the labels of what it says that it is from.
type Sentence struct {
	Text string   `json:"text"`
	From []string `json:"from"`
}

// A Stream cuts what a model writes into sentences as they complete: an answer by [Schema], or
// plain text, which cites nothing. The zero value is ready.
type Stream struct {
	mind  thoughts
	plain grounding.Sentences
	held  string
	// form is what the answer turned out to be; 0 as long as nobody knows.
	form form
	cut  bool // a sentence came
}

type form uint8

const (
	asText form = iota + 1
	asJSON
)

// Write takes the next piece of the answer and returns the sentences that are complete.
func (s *Stream) Write(piece string) []Sentence {
	piece = s.mind.without(piece)
	if s.form == asText {
		return uncited(s.plain.Write(piece))
	}
	s.held += piece
	if s.form == 0 {
		start := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(s.held, " \n\r\t"), "```json"), " \n\r\t")
		switch {
		case start == "" || strings.HasPrefix("```json", start):
			return nil
		case start[0] != '{':
			s.form = asText
			return uncited(s.plain.Write(s.held))
		}
		s.form, s.held = asJSON, start[1:]
	}
	return s.objects()
}

// objects takes the complete objects inside of the answer's out of what is held.
func (s *Stream) objects() []Sentence {
	var out []Sentence
	for {
		start, end := object(s.held)
		if end < 0 {
			return out
		}
		var sentence Sentence
		if json.Unmarshal([]byte(s.held[start:end]), &sentence) == nil && sentence.Text != "" {
			out, s.cut = append(out, sentence), true
		}
		s.held = s.held[end:]
	}
}

// object is where the first object of a JSON text begins and ends; end is -1 if it is not complete.
func object(text string) (start, end int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			if depth == 0 {
				start = i
			}
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return start, i + 1
			}
			if depth < 0 { // the end of the answer
				return 0, -1
			}
		}
	}
	return 0, -1
}

// Close returns what is left once the answer is over: a sentence of plain text without its full
// stop, or an object that is no answer.
func (s *Stream) Close() []Sentence {
	switch {
	case s.form == asText:
		return uncited(s.plain.Close())
	case s.form == asJSON && !s.cut && s.held != "":
		return []Sentence{{Text: "{" + s.held}}
	}
	return nil
}

func uncited(texts []string) []Sentence {
	var out []Sentence
	for _, text := range texts {
		out = append(out, Sentence{Text: text})
	}
	return out
}
