package openai

import (
	"context"
	"strings"

	"annai/api"
	"annai/dialog"
)

// A listener hears an answer as it is made. An error of a method ends the turn.
type listener interface {
	// begin comes first.
	begin() error
	// piece is the next piece of the text as it is to be read: a sentence or a line with the line break behind it, or all of it.
	piece(text string) error
	// progress says that a node of the graph begins, in the language of the answer.
	progress(label string) error
}

// An answered turn: what the concierge said, and how it was written.
type answered struct {
	api.QueryResponse

	text string
}

// answer runs the turn and tells the listener of it. The error is the concierge's or the listener's.
func (s *service) answer(ctx context.Context, turn dialog.Turn, r rendering, l listener) (answered, error) {
	w := writer{rendering: r, listener: l}
	for event, err := range s.parts.Concierge.Ask(ctx, turn) {
		if err == nil {
			err = w.hear(event)
		}
		if err != nil {
			return answered{}, err
		}
	}
	return answered{w.final, w.written.String()}, nil
}

// A writer writes one answer as its rendering says.
type writer struct {
	rendering
	listener

	language string
	final    api.QueryResponse
	written  strings.Builder
}

func (w *writer) hear(event dialog.Event) error {
	switch e := event.(type) {
	case dialog.Started:
		w.language = e.Language
		return w.begin()
	case dialog.Progress:
		if e.Done {
			return nil
		}
		if w.language == "ja" {
			return w.progress(e.LabelJA)
		}
		return w.progress(e.LabelEN)
	case dialog.Sentence:
		if w.profile.speaks() {
			return w.say(e.Text, e.Emotion)
		}
	case dialog.Cards, dialog.Suggestions, dialog.Confirm: // all of them are in the last event
	case dialog.Final:
		w.final, w.language = e.QueryResponse, e.Language
		return w.end()
	}
	return nil
}

// end writes what no sentence brought.
func (w *writer) end() error {
	face, text := untagged(w.final.Text)
	switch {
	case w.profile.speaks() && w.written.Len() == 0:
		return w.say(text, face)
	case w.profile.speaks():
		return nil
	case w.tags != tagNone:
		text = w.faces.tag(face) + text
	}
	if w.profile == profileRaw {
		return w.write(text)
	}
	for line := range strings.Lines(text) {
		if err := w.write(line); err != nil {
			return err
		}
	}
	return nil
}

// say writes what is to be spoken with the face.
func (w *writer) say(text, face string) error {
	for _, sentence := range sentences(text, w.language) {
		if w.tags == tagEvery || w.tags == tagFirst && w.written.Len() == 0 {
			sentence = w.faces.tag(face) + sentence
		}
		if err := w.write(sentence + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) write(text string) error {
	w.written.WriteString(text)
	return w.piece(text)
}

// emotions are those that an answer may have.
var emotions = dialog.Emotions().Emotions

// untagged parts the face from the text behind it.
func untagged(text string) (face, rest string) {
	for _, e := range emotions {
		if rest, ok := strings.CutPrefix(text, e.Tag); ok {
			return e.Expression, rest
		}
	}
	return "neutral", text
}

// faceOf returns the face of an emotion.
func faceOf(emotion string) string {
	for _, e := range emotions {
		if e.Emotion == emotion {
			return e.Expression
		}
	}
	return "neutral"
}

// silent is a listener that waits for the end.
type silent struct{}

func (silent) begin() error          { return nil }
func (silent) piece(string) error    { return nil }
func (silent) progress(string) error { return nil }
