//go:build novoice

package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"annai/internal/config"
	"annai/venue"
)

// TestNoVoices has a program without voices say so, and be mute.
func TestNoVoices(t *testing.T) {
	var log strings.Builder
	s, err := openVoice(config.Config{Voice: config.Voice{Engine: config.VoiceEmbedded, Speed: 1}}, &venue.Venue{},
		time.Now, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil || s.cache != nil || !strings.Contains(log.String(), "nothing is spoken") {
		t.Errorf("openVoice = %v, %v, and the log has %q", s.cache, err, log.String())
	}
	s.open()
}
