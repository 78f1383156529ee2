package voice

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"annai/fault"
)

// SpareOptions are the settings of [Spare] that have a default.
type SpareOptions struct {
	// Deadline is how long the wanted voice may take for a sentence. 0: 3 seconds.
	Deadline time.Duration
	// Rest is how long it is left alone after it failed. 0: a minute.
	Rest time.Duration
	// Now is the clock.
	Now func() time.Time
	// Log is told when it fails. Nil discards that.
	Log *slog.Logger
}

type spare struct {
	first, second Speaker
	opts          SpareOptions
	// failed is when the first failed last, in nanoseconds; 0: it did not.
	failed atomic.Int64
}

// Spare returns a speaker that has the second speak where the first fails, and for a while after it, so
// that a service which is gone is waited for once. What the second spoke says so.
func Spare(first, second Speaker, opts SpareOptions) Speaker {
	if opts.Deadline == 0 {
		opts.Deadline = 3 * time.Second
	}
	if opts.Rest == 0 {
		opts.Rest = time.Minute
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &spare{first: first, second: second, opts: opts}
}

func (s *spare) Speak(ctx context.Context, text, language string) (Speech, error) {
	if failed := s.failed.Load(); failed == 0 || s.opts.Now().UnixNano()-failed >= int64(s.opts.Rest) {
		speech, err := s.wanted(ctx, text, language)
		if err == nil {
			s.failed.Store(0)
			return speech, nil
		}
		if ctx.Err() != nil || errors.Is(err, fault.ErrInvalid) {
			return Speech{}, err
		}
		s.failed.Store(s.opts.Now().UnixNano())
		s.opts.Log.WarnContext(ctx, "voice failed, the embedded one speaks", slog.Any("err", err))
	}
	speech, err := s.second.Speak(ctx, text, language)
	speech.Spare = true
	return speech, err
}

func (s *spare) wanted(ctx context.Context, text, language string) (Speech, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.Deadline)
	defer cancel()
	speech, err := s.first.Speak(ctx, text, language)
	if err != nil || len(speech.Mouth) > 0 {
		return speech, err
	}
	if timer, ok := s.second.(Timer); ok {
		if mouth, length, err := timer.Mouth(text, language); err == nil {
			speech.Mouth = Stretched(mouth, length, speech.Length())
			return speech, nil
		}
	}
	speech.Mouth = Loudness(speech.Samples)
	return speech, nil
}
