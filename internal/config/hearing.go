package config

import (
	"annai/internal/secret"
)

// Hearing is the service that hears visitors.
type Hearing struct {
	// URL is its address; empty: nothing hears. Key and Model are what it wants to be asked with.
	URL   string
	Key   secret.Text
	Model string
	// Insecure allows a service on another machine that is not https.
	Insecure bool
}

func hearingKeyField(c *Config) *secret.Text { return &c.Hearing.Key }

func hearingTable() []setting {
	return []setting{
		{
			key: "hearing-url", value: "URL", scope: serverOnly,
			usage: "service that hears, with OpenAI's /audio/transcriptions; it ends in /v1 (none)",
			parse: serviceURL("http://127.0.0.1:8000/v1", func(c *Config) *string { return &c.Hearing.URL }),
		},
		{
			key: "hearing-key", value: "KEY", secret: true, usage: "key of that service (none)",
			parse: secretText(hearingKeyField),
		},
		{
			key: "hearing-key-file", value: "FILE", path: true, scope: serverOnly, usage: "file with that key (none)",
			parse: fromSecretFile("hearing-key", hearingKeyField, secretText(hearingKeyField)),
		},
		{
			key: "hearing-model", value: "NAME", def: "whisper-1", scope: serverOnly, usage: "model that hears",
			parse: parseModelName(func(c *Config) *string { return &c.Hearing.Model }),
		},
		{
			key: "hearing-insecure", value: "BOOL", def: "false", scope: serverOnly,
			usage: "allow a service on another machine that is not https",
			parse: parseBool(func(c *Config) *bool { return &c.Hearing.Insecure }),
		},
	}
}

// CheckHearing says whether the settings of hearing go together. The error wraps [fault.ErrInvalid].
func (c Config) CheckHearing() error {
	h := c.Hearing
	if h.URL == "" && h.Key != "" {
		return invalid("hearing-key: there is no service to be asked with it; set hearing-url")
	}
	if err := (service{"hearing", "what visitors say", h.URL, h.Key, h.Insecure}).check(); err != nil {
		return invalid("%w", err)
	}
	return nil
}
