package render

import (
	"context"
	"iter"
	"strings"

	"annai/api"
	"annai/dialog"
	"annai/internal/text"
	"annai/server/door"
	"annai/server/gate"
)

// A Piece is the next piece of an answer as it is to be read: a sentence or a line with the line
// break behind it, or all of it.
type Piece struct {
	// Face is the client's word for the face; empty: the piece has none.
	Face, Text string
}

// String is the piece with its face in brackets before it.
func (p Piece) String() string {
	if p.Face == "" {
		return p.Text
	}
	return "[" + p.Face + "]" + p.Text
}

// A Step is a node of the graph that begins, with what it does in the language of the answer.
type Step struct{ Node, Label string }

// A Listener hears an answer as it is made. An error of a method ends the turn.
type Listener interface {
	// Begin comes first.
	Begin() error
	Piece(p Piece) error
	Progress(s Step) error
}

// Silent is a listener that waits for the end.
type Silent struct{}

// Begin implements [Listener].
func (Silent) Begin() error { return nil }

// Piece implements [Listener].
func (Silent) Piece(Piece) error { return nil }

// Progress implements [Listener].
func (Silent) Progress(Step) error { return nil }

// An Answer is what the concierge said, and how it was written.
type Answer struct {
	api.QueryResponse

	Written string
}

// An Answerer asks the concierge, one turn of a session at a time. A turn that is spoken while it
// is answered silences the one before it in its session, unless it is an owner's, which may be
// writing; where its first sentence takes long, it says so ([Ask]). An Answerer is safe for
// concurrent use.
type Answerer struct {
	concierge gate.Concierge
	turns     turns
}

// NewAnswerer returns one for a door.
func NewAnswerer(c gate.Concierge) *Answerer {
	return &Answerer{concierge: c, turns: turns{busy: map[dialog.Session]*queue{}}}
}

// Answer answers the turn once it is its session's, telling the listener. The error is the
// concierge's or the listener's, and speaks the language of the question.
func (a *Answerer) Answer(ctx context.Context, turn dialog.Turn, s Style, l Listener) (Answer, error) {
	_, silent := l.(Silent)
	aloud := s.Profile.Speaks() && !silent
	during, leave, err := a.turns.enter(ctx, turn.Session(), aloud && !turn.Owner)
	if err != nil {
		return Answer{}, door.Tell(err, text.Language(turn.Query), "")
	}
	defer leave()
	ask := a.concierge.Ask
	if aloud {
		ask = func(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
			return Ask(ctx, a.concierge, turn)
		}
	}
	w := writer{Style: s, Listener: l}
	for event, err := range ask(during, turn) {
		if err == nil {
			err = w.hear(event)
		}
		if err != nil {
			return Answer{}, door.Tell(err, text.Language(turn.Query), "")
		}
	}
	return Answer{w.final, w.written.String()}, nil
}

// Apologize tells the listener the failure as a visitor is told it, and returns what was written.
// Of a turn that was stopped nothing more is said.
func Apologize(f door.Failure, s Style, l Listener) (written string, err error) {
	if f.Code == api.CodeCancelled {
		return "", nil
	}
	w := writer{Style: s, Listener: l, language: f.Language}
	err = w.say(gate.Words(f), FaceOf(f.Emotion))
	return w.written.String(), err
}

// A writer writes one answer as its style says.
type writer struct {
	Style
	Listener

	language string
	final    api.QueryResponse
	written  strings.Builder
}

func (w *writer) hear(event dialog.Event) error {
	switch e := event.(type) {
	case dialog.Started:
		w.language = e.Language
		return w.Begin()
	case dialog.Progress:
		if e.Done {
			return nil
		}
		if w.language == "ja" {
			return w.Progress(Step{e.Node, e.LabelJA})
		}
		return w.Progress(Step{e.Node, e.LabelEN})
	case dialog.Sentence:
		if w.Profile.Speaks() {
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
	case w.Profile.Speaks() && w.written.Len() == 0:
		return w.say(text, face)
	case w.Profile.Speaks():
		return nil
	case w.Tags == TagNone:
		face = ""
	default:
		face = w.Faces.word(face)
	}
	if w.Profile == Raw {
		return w.write(Piece{face, text})
	}
	for line := range strings.Lines(text) {
		if err := w.write(Piece{face, line}); err != nil {
			return err
		}
		face = ""
	}
	return nil
}

// say writes what is to be spoken with the face.
func (w *writer) say(text, face string) error {
	for _, sentence := range Sentences(text, w.language) {
		p := Piece{Text: sentence + "\n"}
		if w.Tags == TagEvery || w.Tags == TagFirst && w.written.Len() == 0 {
			p.Face = w.Faces.word(face)
		}
		if err := w.write(p); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) write(p Piece) error {
	w.written.WriteString(p.String())
	return w.Piece(p)
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

// FaceOf returns the face of an emotion.
func FaceOf(emotion string) string {
	for _, e := range emotions {
		if e.Emotion == emotion {
			return e.Expression
		}
	}
	return "neutral"
}
