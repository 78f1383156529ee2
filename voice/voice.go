// Package voice speaks: it turns a sentence into sound and into how a mouth moves with it.
//
// The idea to hold: whoever speaks is a [Speaker]. The embedded voices are two, one a language, that share
// sentences in both ([Bilingual]); another service may stand before them and fail without a gap ([Spare]);
// and a [Cache] gives sentences addresses before they were spoken, and speaks each once. The package knows
// neither HTTP nor how words are pronounced.
package voice

import (
	"context"
	"time"

	"annai/api"
)

// Rate is the samples per second of all speech.
const Rate = 24_000

// MaxText is the longest text that is spoken, in characters.
const MaxText = 1000

// A Speaker speaks. It is safe for concurrent use.
type Speaker interface {
	// Speak speaks the text, whose language is "ja" or "en" where its letters don't say it. A text with
	// nothing to say is an empty speech. It ends early with the error of ctx; [fault.ErrInvalid] is a
	// text that can't be spoken, and [fault.ErrUnavailable] a voice that isn't there.
	Speak(ctx context.Context, text, language string) (Speech, error)
}

// A Timer is a speaker that knows how the mouth will move long before there is sound.
type Timer interface {
	// Mouth returns the mouth of the speech of the text, and how long this lasts. Where it can't say without
	// speaking the error is [fault.ErrUnavailable].
	Mouth(text, language string) ([]api.Viseme, time.Duration, error)
}

// A Speech is what was spoken. It is shared: nobody changes it.
type Speech struct {
	// Samples are mono, [Rate] a second.
	Samples []int16
	// Mouth is how the mouth moves, from its first time on until the next.
	Mouth []api.Viseme
	// Spare says that another voice spoke than the wanted one, which could not.
	Spare bool
}

// Length is how long the speech lasts.
func (s Speech) Length() time.Duration {
	return time.Duration(len(s.Samples)) * time.Second / Rate
}
