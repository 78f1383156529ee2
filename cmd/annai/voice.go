package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/config"
	"annai/voice"
	"annai/voice/remote"
)

// speaking is what speaks: its cache, nil where nothing does, and whom to name for it.
type speaking struct {
	cache  *voice.Cache
	credit func() string
}

// openVoice opens the voice of the settings. A program that was built without voices is mute where the
// settings name no other, and says so in its log.
func openVoice(c config.Config, now func() time.Time, log *slog.Logger) (speaking, error) {
	if err := c.CheckVoice(); err != nil {
		return speaking{}, err
	}
	v := c.Voice
	if v.Engine == config.VoiceNone {
		return speaking{}, nil
	}
	japanese, english, credits, err := embeddedVoices(v.Speed, log)
	if err != nil {
		return speaking{}, fmt.Errorf("voice: %w", err)
	}
	credit := func() string { return strings.Join(credits, "; ") }
	embedded := voice.Bilingual(japanese, english)
	opts := remote.Options{URL: v.URL, Key: v.Key, Voice: v.Name, Model: v.Model, Speed: v.Speed}
	spare := voice.SpareOptions{Now: now, Log: log}
	speaker := embedded
	switch {
	case v.Engine == config.VoiceVoicevox:
		wanted, named := remote.Voicevox(opts)
		speaker = voice.Bilingual(voice.Spare(wanted, voice.Bilingual(japanese, english), spare), english)
		own := credit
		credit = func() string { return strings.Trim(named()+"; "+own(), "; ") }
	case v.Engine == config.VoiceOpenAI:
		speaker = voice.Spare(remote.OpenAI(opts), embedded, spare)
	case japanese == nil && english == nil:
		log.Warn("nothing is spoken: there are no voices in this program; see docs/voice.md")
		return speaking{}, nil
	}
	name := fmt.Sprintf("%s %s %s %s %g %s", v.Engine, v.URL, v.Name, v.Model, v.Speed, version())
	return speaking{voice.NewCache(speaker, voice.CacheOptions{Name: name, Now: now}), credit}, nil
}

// embeddedVoices opens those that are in the program; nil for one that is not.
func embeddedVoices(speed float64, log *slog.Logger) (japanese, english voice.Speaker, credits []string, err error) {
	return nil, nil, nil, nil
}

// left says whether an embedded voice was left out of the program, which is no failure.
func left(err error) bool { return errors.Is(err, fault.ErrUnavailable) }
