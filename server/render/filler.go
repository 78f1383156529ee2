package render

import (
	"context"
	"iter"
	"sync"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/prompts"
	"annai/server/gate"
)

// fillAfter is how long somebody who asked hears nothing before they are told to wait: longer is a
// silence in which people ask again.
const fillAfter = 1200 * time.Millisecond

// Ask asks the concierge as it does itself, and yields a sentence more where the first one is long
// in coming once the turn has begun: that it will take a moment, once, in the language of the
// answer. The sentences behind it are counted on from there.
func Ask(ctx context.Context, c gate.Concierge, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		f := filling{events: make(chan happened), left: make(chan struct{})}
		var asking sync.WaitGroup
		asking.Go(func() { f.listen(c.Ask(ctx, turn)) })
		defer asking.Wait()
		defer cancel()
		defer close(f.left)
		f.pass(yield)
	}
}

// happened is an event of a turn, or how it failed.
type happened struct {
	event dialog.Event
	err   error
}

// A filling passes on what happens in a turn.
type filling struct {
	language string
	events   chan happened
	// left is closed when nobody wants to hear more.
	left chan struct{}
	// shift is how many sentences were said that are not the answer's.
	shift int
}

func (f *filling) listen(events iter.Seq2[dialog.Event, error]) {
	defer close(f.events)
	for event, err := range events {
		select {
		case f.events <- happened{event, err}:
		case <-f.left:
			return
		}
	}
}

func (f *filling) pass(yield func(dialog.Event, error) bool) {
	var late <-chan time.Time
	for {
		select {
		case h, more := <-f.events:
			if !more {
				return
			}
			switch e := h.event.(type) {
			case dialog.Started:
				f.language, late = e.Language, time.After(fillAfter)
			case dialog.Progress:
			default: // an answer, or an error
				late = nil
			}
			if !yield(f.counted(h.event), h.err) {
				return
			}
		case <-late:
			f.shift = 1
			said := api.SpokenSentence{Text: prompts.Filler{}.In(f.language), Emotion: "neutral", Filler: true}
			if !yield(dialog.Sentence{SpokenSentence: said}, nil) {
				return
			}
		}
	}
}

// counted returns the event with its number among all sentences.
func (f *filling) counted(event dialog.Event) dialog.Event {
	if e, ok := event.(dialog.Sentence); ok {
		e.Index += f.shift
		return e
	}
	return event
}
