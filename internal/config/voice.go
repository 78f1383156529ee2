package config

import (
	"fmt"
	"strconv"

	"annai/internal/secret"
)

// The voices that Voice.Engine names.
const (
	VoiceNone     = "none"
	VoiceEmbedded = "embedded"
	VoiceVoicevox = "voicevox"
	VoiceOpenAI   = "openai"
)

// Voice is what speaks.
type Voice struct {
	// Engine is one of the constants.
	Engine string
	// URL, Key, Name and Model are those of a service; the embedded voice has none.
	URL         string
	Key         secret.Text
	Name, Model string
	// Insecure allows a service on another machine that is not https.
	Insecure bool
	// Speed is how much faster than usual is spoken.
	Speed float64
}

func voiceKeyField(c *Config) *secret.Text { return &c.Voice.Key }

func voiceTable() []setting {
	return []setting{
		{
			key: "voice", value: "VOICE", def: VoiceEmbedded, scope: serverOnly,
			usage: "what speaks: embedded, none, or a service, voicevox or openai",
			parse: oneOf(func(c *Config) *string { return &c.Voice.Engine },
				VoiceEmbedded, VoiceNone, VoiceVoicevox, VoiceOpenAI),
		},
		{
			key: "voice-url", value: "URL", scope: serverOnly,
			usage: "address of that service; for openai it ends in /v1 (none)",
			parse: serviceURL("http://127.0.0.1:50021", func(c *Config) *string { return &c.Voice.URL }),
		},
		{
			key: "voice-key", value: "KEY", secret: true, usage: "key of that service (none)",
			parse: secretText(voiceKeyField),
		},
		{
			key: "voice-key-file", value: "FILE", path: true, scope: serverOnly, usage: "file with that key (none)",
			parse: fromSecretFile("voice-key", voiceKeyField, secretText(voiceKeyField)),
		},
		{
			key: "voice-name", value: "NAME", scope: serverOnly,
			usage: "who speaks at that service: for voicevox the number of a style (none)",
			parse: parseModelName(func(c *Config) *string { return &c.Voice.Name }),
		},
		{
			key: "voice-model", value: "NAME", def: "tts-1", scope: serverOnly, usage: "model that speaks, for openai",
			parse: parseModelName(func(c *Config) *string { return &c.Voice.Model }),
		},
		{
			key: "voice-insecure", value: "BOOL", def: "false", scope: serverOnly,
			usage: "allow a service on another machine that is not https",
			parse: parseBool(func(c *Config) *bool { return &c.Voice.Insecure }),
		},
		{
			key: "voice-speed", value: "FACTOR", def: "1", scope: serverOnly,
			usage: "how much faster than usual is spoken, 0.5 to 2", parse: parseVoiceSpeed,
		},
	}
}

func parseVoiceSpeed(c *Config, s string) error {
	speed, err := strconv.ParseFloat(s, 64)
	if err != nil || !(speed >= 0.5 && speed <= 2) {
		return fmt.Errorf("%q is not a number from 0.5 to 2", s)
	}
	c.Voice.Speed = speed
	return nil
}

// CheckVoice says whether the settings of the voice go together. The error wraps [fault.ErrInvalid].
func (c Config) CheckVoice() error {
	v := c.Voice
	remote := v.Engine == VoiceVoicevox || v.Engine == VoiceOpenAI
	switch {
	case !remote && v.URL != "":
		return invalid("voice-url: %s has no address; set voice to %s or %s", v.Engine, VoiceVoicevox, VoiceOpenAI)
	case !remote:
		return nil
	case v.URL == "" || v.Name == "":
		return invalid("voice: %s needs voice-url and voice-name", v.Engine)
	}
	if err := (service{"voice", "what is said", v.URL, v.Key, v.Insecure}).check(); err != nil {
		return invalid("%w", err)
	}
	return nil
}
