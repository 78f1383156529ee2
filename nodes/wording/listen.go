package wording

import (
	"context"

	"annai/llm"
)

// Listen hears a model out. It returns why not to the end, if so; err is the failure of the model,
// if it was one.
func (a *Answer) Listen(ctx context.Context, m llm.Model, r llm.Request) (failure string, err error) {
	var cut Stream
	for d, err := range m.Stream(ctx, r) {
		if err != nil {
			a.Unfinished(len(cut.Close()))
			return FailureOf(err), err //nolint:wrapcheck // llm says what it did
		}
		if a.HearAll(cut.Write(d.Text)); a.Full() {
			return a.enough(), nil
		}
		if d.End == nil {
			continue
		}
		a.use.Name = d.End.Model
		if d.End.Stop == llm.Length {
			a.Unfinished(len(cut.Close()))
			return FellForLength, nil
		}
	}
	a.HearAll(cut.Close())
	return a.enough(), nil
}

// HearText takes a whole answer.
func (a *Answer) HearText(text string) {
	var cut Stream
	a.HearAll(append(cut.Write(text), cut.Close()...))
}

// HearAll takes the next sentences, as long as not enough was heard.
func (a *Answer) HearAll(list []Sentence) {
	for _, s := range list {
		if !a.Full() {
			a.Hear(s)
		}
	}
}

// FailureOf names what went wrong with a model.
func FailureOf(err error) string {
	if kind := llm.KindOf(err); kind != "" {
		return string(kind)
	}
	return string(llm.Unfit)
}

// Why the template finished an answer, where it was no failure of the model.
const (
	FellForNothing  = "nothing_kept"
	FellForNonsense = "nonsense"
	FellForLength   = "too_long_answer"
)
