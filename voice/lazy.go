package voice

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"annai/api"
	"annai/fault"
)

// A Lazy is a speaker that is opened when it is first needed, for one that takes its time and memory.
type Lazy struct {
	open   func() (Speaker, error)
	opened atomic.Pointer[Speaker]
}

// NewLazy returns a speaker that open opens, once.
func NewLazy(open func() (Speaker, error)) *Lazy {
	l := &Lazy{}
	l.open = sync.OnceValues(func() (Speaker, error) {
		speaker, err := open()
		if err == nil {
			l.opened.Store(&speaker)
		}
		return speaker, err
	})
	return l
}

// Open opens it, or waits until it is open.
func (l *Lazy) Open() error {
	_, err := l.open()
	return err
}

// Speak is described at [Speaker].
func (l *Lazy) Speak(ctx context.Context, text, language string) (Speech, error) {
	speaker, err := l.open()
	if err != nil {
		return Speech{}, err
	}
	return speaker.Speak(ctx, text, language)
}

// Mouth is described at [Timer]. It does not wait for the speaker to open.
func (l *Lazy) Mouth(text, language string) ([]api.Viseme, time.Duration, error) {
	if speaker := l.opened.Load(); speaker != nil {
		if timer, ok := (*speaker).(Timer); ok {
			return timer.Mouth(text, language)
		}
	}
	return nil, 0, fmt.Errorf("mouth before there is sound: %w", fault.ErrUnavailable)
}
