package config

import (
	"fmt"

	"annai/internal/secret"
)

// Embedder is what turns questions and passages into vectors.
type Embedder struct {
	// Provider is embedded (inside this program), openai (and all that speak its protocol), ollama or google.
	Provider string
	// Name is what the provider calls the model. Empty means none.
	Name string
	// URL is where the API begins. Empty means the provider's own, or Ollama on this machine.
	URL string
	// Key is sent with each request. Empty sends none.
	Key secret.Text
	// Insecure allows a URL of another machine that is not https.
	Insecure bool
}

// Embedded reports whether it is the one inside this program.
func (e Embedder) Embedded() bool { return e.Provider == "" || e.Provider == "embedded" }

func embedderKeyField(c *Config) *secret.Text { return &c.Embedder.Key }

func embedderTable() []setting {
	return []setting{
		{key: "embedder", value: "PROVIDER", def: "embedded", usage: "what knowledge is found by meaning with: embedded, openai, ollama or google", parse: oneOf(func(c *Config) *string { return &c.Embedder.Provider }, "embedded", "openai", "ollama", "google")},
		{key: "embedder-model", value: "NAME", usage: "name of the embedding model at its provider (none)", parse: parseModelName(func(c *Config) *string { return &c.Embedder.Name })},
		{key: "embedder-url", value: "URL", usage: "address of its API (the provider's; for ollama " + ollamaURL + ")", parse: parseModelURL(func(c *Config) *string { return &c.Embedder.URL })},
		{key: "embedder-key", value: "KEY", secret: true, usage: "key of its API (none)", parse: secretText(embedderKeyField)},
		{key: "embedder-key-file", value: "FILE", path: true, usage: "file with that key (none)", parse: fromSecretFile("embedder-key", embedderKeyField, secretText(embedderKeyField))},
		{key: "embedder-insecure", value: "BOOL", def: "false", usage: "allow an address on another machine that is not https", parse: parseBool(func(c *Config) *bool { return &c.Embedder.Insecure })},
	}
}

// CheckEmbedder says whether the settings of the embedder go together. The error wraps [fault.ErrInvalid].
func (c Config) CheckEmbedder() error {
	if err := c.Embedder.check(); err != nil {
		return invalid("%w", err)
	}
	return nil
}

func (e Embedder) check() error {
	switch {
	case e.Embedded() && (e.Name != "" || e.URL != "" || e.Key != ""):
		return fmt.Errorf("embedder: embedded, but another is named; say who provides it: openai, ollama or google")
	case e.Embedded():
		return nil
	case e.Name == "":
		return fmt.Errorf("embedder-model: %s needs the name of a model", e.Provider)
	case e.Key == "" && e.URL == "" && e.Provider != "ollama":
		return fmt.Errorf("embedder-key: %s needs a key; set %sEMBEDDER_KEY or a file", e.Provider, prefix)
	}
	return service{"embedder", "what visitors ask", e.URL, e.Key, e.Insecure}.check()
}
