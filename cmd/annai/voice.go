package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"annai/fault"
	"annai/internal/config"
	"annai/venue"
	"annai/voice"
	"annai/voice/hibari"
	"annai/voice/hts"
	"annai/voice/jtalk"
	"annai/voice/remote"
)

// speaking is what speaks: its cache, nil where nothing does, and whom to name for it. Its data are unpacked
// by open, which may be called or not.
type speaking struct {
	cache  *voice.Cache
	credit func() string
	open   func()
	// romaji writes Japanese in Latin letters; "" as long as the voice is not open.
	romaji func(text string) string
}

// openVoice opens the voice of the settings. A program that was built without voices is mute where the settings
// name no other, and says so in its log.
func openVoice(c config.Config, v *venue.Venue, now func() time.Time, log *slog.Logger) (speaking, error) {
	mute := speaking{open: func() {}, romaji: func(string) string { return "" }}
	if err := c.CheckVoice(); err != nil || c.Voice.Engine == config.VoiceNone {
		return mute, err
	}
	own, err := newEmbedded(c.Voice.Speed, v.Reading)
	if err != nil {
		return mute, fmt.Errorf("voice: %w", err)
	}
	if own == nil && c.Voice.Engine == config.VoiceEmbedded {
		log.Warn("nothing is spoken: the program was built without its voices, and the setting voice names no other")
		return mute, nil
	}
	s := c.Voice
	name := fmt.Sprintf("%s %s %s %s %g %s %v", s.Engine, s.URL, s.Name, s.Model, s.Speed, version(), v.Reading)
	speaker, credit := own.before(s, now, log)
	return speaking{
		cache: voice.NewCache(speaker, voice.CacheOptions{Name: name, Now: now}), credit: credit,
		open: func() { own.open(log) }, romaji: own.romaji,
	}, nil
}

// before returns the speaker of the settings, with the embedded voices to spare, and its credit.
func (e *embeddedVoices) before(v config.Voice, now func() time.Time, log *slog.Logger) (voice.Speaker, func() string) {
	credit := func() string { return "" }
	own, english := voice.Bilingual(nil, nil), voice.Speaker(nil)
	if e != nil {
		credit = func() string { return e.credit }
		own, english = voice.Bilingual(e.japanese, e.english), e.english
	}
	opts := remote.Options{URL: v.URL, Key: v.Key, Voice: v.Name, Model: v.Model, Speed: v.Speed}
	spare := voice.SpareOptions{Now: now, Log: log}
	switch v.Engine {
	case config.VoiceVoicevox: // speaks Japanese alone
		wanted, named := remote.Voicevox(opts)
		both := voice.Bilingual(voice.Spare(wanted, own, spare), english)
		return both, func() string { return strings.TrimSuffix(named()+"; "+credit(), "; ") }
	case config.VoiceOpenAI:
		return voice.Spare(remote.OpenAI(opts), own, spare), credit
	}
	return own, credit
}

// embeddedVoices are those in the program, whose data take some time to unpack: open does that.
type embeddedVoices struct {
	japanese, english *voice.Lazy
	credit            string
	analyser          atomic.Pointer[jtalk.Analyzer]
}

// romaji writes Japanese in Latin letters, once the voice was opened.
func (e *embeddedVoices) romaji(text string) string {
	if e == nil {
		return ""
	}
	if a := e.analyser.Load(); a != nil {
		return a.Romaji(text)
	}
	return ""
}

func (e *embeddedVoices) open(log *slog.Logger) {
	if e == nil {
		return
	}
	for _, v := range []*voice.Lazy{e.japanese, e.english} {
		if err := v.Open(); err != nil {
			log.Error("voice not opened", "err", err)
		}
	}
	debug.FreeOSMemory() // unpacking takes twice what is kept
}

// newEmbedded returns the voices in the program; nil where it was built without.
func newEmbedded(speed float64, readings map[string]string) (*embeddedVoices, error) {
	mei, err := hts.Mei()
	switch {
	case errors.Is(err, fault.ErrUnavailable):
		return nil, nil //nolint:nilnil // left out on purpose
	case err != nil:
		return nil, err
	}
	e := &embeddedVoices{
		english: voice.NewLazy(func() (voice.Speaker, error) {
			engine, err := hibari.New()
			return voice.English(englishEngine{engine}), err
		}),
		credit: "HTS Voice \"Mei\" (c) Nagoya Institute of Technology, MMDAgent Project Team, CC BY 3.0; " +
			"\"heart\" of hibari-tts, Apache-2.0",
	}
	e.japanese = voice.NewLazy(func() (voice.Speaker, error) {
		analyser, err := jtalk.New(readings)
		if err == nil {
			e.analyser.Store(analyser)
		}
		return voice.Japanese(japaneseLabels{analyser}, mei, speed), err
	})
	return e, nil
}

// japaneseLabels has nothing to say of a text in which there is nothing to be read.
type japaneseLabels struct{ *jtalk.Analyzer }

func (j japaneseLabels) Labels(text string) ([]string, error) {
	labels, err := j.Say(text)
	if errors.Is(err, jtalk.ErrSilent) {
		return nil, nil
	}
	return labels, err
}

// englishEngine is the English voice. What it can't say, in the pieces that it gets, is nothing to say.
type englishEngine struct{ *hibari.Voice }

func (e englishEngine) Synthesize(ctx context.Context, text string) ([]float32, int, []voice.Mark, error) {
	samples, rate, heard, err := e.Voice.Synthesize(ctx, text)
	if errors.Is(err, fault.ErrInvalid) {
		return nil, hibari.Rate, nil, nil
	}
	var marks []voice.Mark
	for _, m := range heard {
		marks = append(marks, voice.Mark{
			Phoneme: m.Phoneme, Start: time.Duration(m.Start) * time.Millisecond,
			End: time.Duration(m.End) * time.Millisecond,
		})
	}
	return samples, rate, marks, err
}
