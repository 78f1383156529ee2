package config

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"annai/internal/secret"
)

// Model is how a language model is reached, and how long it may take.
type Model struct {
	// Provider is none (or empty), openai (and all that speak its protocol), ollama, anthropic or google.
	Provider string
	// Name is what the provider calls the model. Empty means none.
	Name string
	// URL is where the API begins. Empty means the provider's own, or Ollama on this machine.
	URL string
	// Key is sent with each request. Empty sends none.
	Key secret.Text
	// Insecure allows a URL of another machine that is not https.
	Insecure bool
	// Temperature says that the model takes one.
	Temperature bool
	// Deadline bounds an answer, FirstWord the time until it begins.
	Deadline, FirstWord time.Duration
	// Concurrent is how many answers may be under way at once.
	Concurrent int
}

// On reports whether there is such a model.
func (m Model) On() bool { return m.Provider != "" && m.Provider != "none" }

// ollamaURL is where Ollama listens on this machine.
const ollamaURL = "http://127.0.0.1:11434/v1"

// Address is where the API begins; empty for the provider's own.
func (m Model) Address() string {
	if m.Provider == "ollama" && m.URL == "" {
		return ollamaURL
	}
	return m.URL
}

func modelTable() []setting {
	return append(
		modelSettings("model", "language model that words answers", func(c *Config) *Model { return &c.Model }),
		modelSettings("fallback-model", "language model to ask if that fails", func(c *Config) *Model { return &c.FallbackModel })...,
	)
}

// modelSettings are the settings of one model; all begin with name.
func modelSettings(name, role string, of func(*Config) *Model) []setting {
	key := func(c *Config) *secret.Text { return &of(c).Key }
	return []setting{
		{key: name + "-provider", value: "PROVIDER", def: "none", usage: role + ": openai, ollama, anthropic, google or none", parse: oneOf(func(c *Config) *string { return &of(c).Provider }, "none", "openai", "ollama", "anthropic", "google")},
		{key: name, value: "NAME", usage: "name of that model at its provider (none)", parse: parseModelName(func(c *Config) *string { return &of(c).Name })},
		{key: name + "-url", value: "URL", usage: "address of its API (the provider's; for ollama " + ollamaURL + ")", parse: parseModelURL(func(c *Config) *string { return &of(c).URL })},
		{key: name + "-key", value: "KEY", secret: true, usage: "key of its API (none)", parse: secretText(key)},
		{key: name + "-key-file", value: "FILE", path: true, usage: "file with that key (none)", parse: fromSecretFile(name+"-key", key, secretText(key))},
		{key: name + "-insecure", value: "BOOL", def: "false", usage: "allow an address on another machine that is not https", parse: parseBool(func(c *Config) *bool { return &of(c).Insecure })},
		{key: name + "-temperature", value: "BOOL", def: "true", usage: "send it a temperature, which some models refuse", parse: parseBool(func(c *Config) *bool { return &of(c).Temperature })},
		{key: name + "-deadline", value: "DURATION", def: "4s", usage: "how long one answer of it may take", parse: positive(func(c *Config) *duration { return &of(c).Deadline })},
		{key: name + "-first-word", value: "DURATION", def: "2s", usage: "how long it may take until its answer begins", parse: positive(func(c *Config) *duration { return &of(c).FirstWord })},
		{key: name + "-concurrent", value: "COUNT", def: "4", usage: "how many answers of it may be under way at once", parse: count(func(c *Config) *int { return &of(c).Concurrent })},
	}
}

func parseModelName(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, s string) error {
		if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			return fmt.Errorf("%q is no name of a model", s)
		}
		*field(c) = s
		return nil
	}
}

func parseModelURL(field func(*Config) *string) func(*Config, string) error {
	return serviceURL("https://models.example/v1", field)
}

// serviceURL takes an address. What is wrong with one is not quoted, since a password might be in it.
func serviceURL(example string, field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, s string) error {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("is not an address like %s, without a user, a query or a fragment", example)
		}
		*field(c) = s
		return nil
	}
}

// CheckModels says whether the settings of the models go together. The error wraps [fault.ErrInvalid].
func (c Config) CheckModels() error {
	for _, m := range []struct {
		name  string
		model Model
	}{{"model", c.Model}, {"fallback-model", c.FallbackModel}} {
		if err := m.model.check(m.name, c.Deadline); err != nil {
			return invalid("%w", err)
		}
	}
	if c.FallbackModel.On() && !c.Model.On() {
		return invalid("fallback-model-provider: there is no model before it; set model-provider")
	}
	return nil
}

func (m Model) check(name string, turn time.Duration) error {
	own := m.URL == ""
	switch {
	case !m.On() && m.Name != "":
		return fmt.Errorf("%s-provider: none, but a model is named; say who provides it", name)
	case !m.On():
		return nil
	case m.Name == "":
		return fmt.Errorf("%s: %s needs the name of a model", name, m.Provider)
	case m.Key == "" && own && m.Provider != "ollama":
		return fmt.Errorf("%s-key: %s needs a key; set %s%s_KEY or a file", name, m.Provider, prefix, strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
	case m.Deadline > turn:
		return fmt.Errorf("%s-deadline: %s is longer than deadline, %s", name, m.Deadline, turn)
	case m.FirstWord > m.Deadline:
		return fmt.Errorf("%s-first-word: %s is longer than %s-deadline, %s", name, m.FirstWord, name, m.Deadline)
	}
	return service{name, "what visitors ask", m.URL, m.Key, m.Insecure}.check()
}
