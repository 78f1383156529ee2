// Package hearing hears: it turns the sound of speech into text.
//
// The idea to hold: whoever hears is a [Recogniser], and a [Listener] stands before it, which bounds how much is
// heard at once and for how long, tells it the words of the venue, and mends what it mistook. That nothing was
// said is a text without words; that it could not be heard is an error. Sound is held in memory while it is heard
// and nowhere else. The package knows neither HTTP nor what is asked.
package hearing

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"annai/fault"
)

// A Speech is the sound of somebody who speaks.
type Speech struct {
	// File is the sound in a format that the recogniser reads, WAV at best. Name is that of the file, whose ending
	// tells some services the format.
	File []byte
	Name string
	// Language is what is spoken, as "ja"; empty: the recogniser finds out.
	Language string
	// Prompt has words that are likely said.
	Prompt string
}

// A Recogniser hears. It is safe for concurrent use.
type Recogniser interface {
	// Hear returns what was said; an empty text: nothing. [fault.ErrInvalid] is a sound that can't be read,
	// [fault.ErrUnavailable] a recogniser that isn't there.
	Hear(ctx context.Context, s Speech) (text string, err error)
}

// ErrBusy says that as much as may be is heard at once.
var ErrBusy = errors.New("too much is being heard at once")

// MaxLength is how long a speech may last, where its length is known without decoding it.
const MaxLength = time.Minute

// Options are the settings of a [Listener] that have a default.
type Options struct {
	// Words returns words that are likely said at the venue, for speech in the language; "" for none. It returns soon.
	Words func(ctx context.Context, language string) string
	// Mend corrects what recognisers mistake.
	Mend func(text string) string
	// Deadline is how long the recogniser may take. 0: 20 seconds.
	Deadline time.Duration
	// MaxConcurrent is how many speeches are heard at once. 0: 4.
	MaxConcurrent int
}

// A Listener hears for visitors. It is safe for concurrent use.
type Listener struct {
	recogniser Recogniser
	opts       Options
	places     chan struct{}
}

// New returns a listener before the recogniser.
func New(r Recogniser, opts Options) *Listener {
	if opts.Words == nil {
		opts.Words = func(context.Context, string) string { return "" }
	}
	if opts.Mend == nil {
		opts.Mend = func(text string) string { return text }
	}
	if opts.Deadline == 0 {
		opts.Deadline = 20 * time.Second
	}
	if opts.MaxConcurrent == 0 {
		opts.MaxConcurrent = 4
	}
	return &Listener{r, opts, make(chan struct{}, opts.MaxConcurrent)}
}

// Hear returns what was said. An empty text means that nothing was: the sound is silent, or the recogniser found
// no words in it. [fault.ErrInvalid] is a sound that can't be read, [ErrBusy] and [fault.ErrUnavailable] mean that it
// could not be heard now.
func (l *Listener) Hear(ctx context.Context, s Speech) (text string, err error) {
	length, loud, known := measure(s.File)
	switch {
	case len(s.File) == 0:
		return "", fmt.Errorf("speech without sound: %w", fault.ErrInvalid)
	case known && length > MaxLength:
		return "", fmt.Errorf("speech of %v, at most %v are heard: %w", length, MaxLength, fault.ErrInvalid)
	case known && loud < silence:
		return "", nil // recognisers find words in silence
	}
	select {
	case l.places <- struct{}{}:
		defer func() { <-l.places }()
	default:
		return "", ErrBusy
	}
	ctx, cancel := context.WithTimeout(ctx, l.opts.Deadline)
	defer cancel()
	s.Prompt = joined(l.opts.Words(ctx, s.Language), s.Prompt)
	text, err = l.recogniser.Hear(ctx, s)
	if err != nil {
		return "", err
	}
	if text = strings.Join(strings.Fields(text), " "); imagined(text, s.Prompt) {
		return "", nil
	}
	return l.opts.Mend(text), nil
}

func joined(a, b string) string { return strings.TrimSpace(a + " " + b) }

//go:embed imagined.txt
var imaginedFile string

// imaginations are sentences that recognisers hear in noise and music, because films end with them.
var imaginations = func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.SplitSeq(imaginedFile, "\n") {
		m[bare(line)] = true
	}
	return m
}()

// imagined reports whether a text is none that was said: a sentence of [imaginations], what was told to the
// recogniser as words that may be said, or no word at all.
func imagined(text, prompt string) bool {
	said := bare(text)
	return imaginations[said] || len(said) > 60 && strings.Contains(bare(prompt), said)
}

// bare is a text without marks, spaces and capitals.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" 　.,!?。、！？…♪「」()（）[]\"'*-\n", r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
}
