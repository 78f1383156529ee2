package config

import (
	"errors"
	"testing"

	"annai/fault"
)

func TestCheckVoice(t *testing.T) {
	const elsewhere = "http://a.example/v1"
	for name, c := range map[string]struct {
		voice Voice
		good  bool
	}{
		"embedded":             {Voice{Engine: VoiceEmbedded}, true},
		"none with an address": {Voice{Engine: VoiceNone, URL: "https://a.example"}, false},
		"no address":           {Voice{Engine: VoiceVoicevox, Name: "3"}, false},
		"nobody":               {Voice{Engine: VoiceVoicevox, URL: "http://127.0.0.1:50021"}, false},
		"this machine":         {Voice{Engine: VoiceVoicevox, URL: "http://127.0.0.1:50021", Name: "3"}, true},
		"https":                {Voice{Engine: VoiceOpenAI, URL: "https://a.example/v1", Name: "x", Key: "k"}, true},
		"in the clear":         {Voice{Engine: VoiceOpenAI, URL: elsewhere, Name: "x"}, false},
		"as it is wanted":      {Voice{Engine: VoiceOpenAI, URL: elsewhere, Name: "x", Insecure: true}, true},
		"a key in the clear": {
			Voice{Engine: VoiceOpenAI, URL: elsewhere, Name: "x", Key: "k", Insecure: true}, false,
		},
	} {
		err := Config{Voice: c.voice}.CheckVoice()
		if c.good && err != nil || !c.good && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("CheckVoice(%s) = %v", name, err)
		}
	}
}
