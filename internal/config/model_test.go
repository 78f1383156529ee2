package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/fault"
)

// modelSamples are values of the settings of a model, by how their names end.
func modelSamples(t *testing.T) map[string]struct {
	text string
	want func(*Model)
} {
	return map[string]struct {
		text string
		want func(*Model)
	}{
		"-provider":    {"anthropic", func(m *Model) { m.Provider = "anthropic" }},
		"":             {"qwen3:4b", func(m *Model) { m.Name = "qwen3:4b" }},
		"-url":         {"https://models.example/v1", func(m *Model) { m.URL = "https://models.example/v1" }},
		"-key":         {"sk-x", func(m *Model) { m.Key = "sk-x" }},
		"-key-file":    {secretFile(t, "sk-y"), func(m *Model) { m.Key = "sk-y" }},
		"-insecure":    {"true", func(m *Model) { m.Insecure = true }},
		"-temperature": {"false", func(m *Model) { m.Temperature = false }},
		"-deadline":    {"3s", func(m *Model) { m.Deadline = 3 * time.Second }},
		"-first-word":  {"700ms", func(m *Model) { m.FirstWord = 700 * time.Millisecond }},
		"-concurrent":  {"2", func(m *Model) { m.Concurrent = 2 }},
	}
}

func TestCheckModels(t *testing.T) {
	for _, test := range []struct{ settings, want string }{
		{"", ""},
		{"model-provider=ollama model=qwen3:4b", ""},
		{"model-provider=openai model=local model-url=http://127.0.0.1:8080/v1", ""},
		{"model-provider=openai model=local model-url=http://localhost:8080/v1 model-key=sk-secret", ""},
		{"model-provider=openai model=local model-url=http://ollama:11434/v1 model-insecure=true", ""},
		{"model-provider=anthropic model=a model-key=sk-secret fallback-model-provider=ollama fallback-model=b", ""},
		{"model=qwen3:4b", "model-provider: none, but a model is named; say who provides it"},
		{"model-provider=openai", "model: openai needs the name of a model"},
		{"model-provider=google model=g", "model-key: google needs a key; set ANNAI_MODEL_KEY or a file"},
		{"model-provider=ollama model=a fallback-model-provider=openai fallback-model=b", "fallback-model-key: openai needs a key; set ANNAI_FALLBACK_MODEL_KEY or a file"},
		{
			"model-provider=openai model=local model-url=http://gpu:8000/v1",
			"model-url: what visitors ask would go to http://gpu:8000 unencrypted; use https, or set model-insecure if that is wanted",
		},
		{"model-provider=openai model=local model-url=http://gpu:8000/v1 model-key=sk-secret model-insecure=true", "model-url: a key goes over https or to this machine, not to http://gpu:8000"},
		{"model-provider=ollama model=a model-deadline=6s", "model-deadline: 6s is longer than deadline, 5s"},
		{"model-provider=ollama model=a model-deadline=1s", "model-first-word: 2s is longer than model-deadline, 1s"},
		{"fallback-model-provider=ollama fallback-model=b", "fallback-model-provider: there is no model before it; set model-provider"},
	} {
		var environ []string
		for word := range strings.FieldsSeq(test.settings) {
			key, text, _ := strings.Cut(word, "=")
			environ = append(environ, setting{key: key}.variable()+"="+text)
		}
		c, err := load(flagsOf(t), environ)
		if err != nil {
			t.Fatalf("load(%s) = %v", test.settings, err)
		}
		err = c.CheckModels()
		if got := fmt.Sprint(err); test.want != "" && got != test.want || test.want == "" && err != nil {
			t.Errorf("CheckModels(%s) = %v, want %q", test.settings, err, test.want)
		}
		if err != nil && (!errors.Is(err, fault.ErrInvalid) || strings.Contains(err.Error(), "sk-secret")) {
			t.Errorf("CheckModels(%s) = %v, want ErrInvalid and no key", test.settings, err)
		}
	}
}

// TestModelMistakes: an address that can't be right is not quoted, because a password may be in it.
func TestModelMistakes(t *testing.T) {
	for environ, want := range map[string]string{
		"ANNAI_MODEL_URL=https://me:hunter2@models.example": "ANNAI_MODEL_URL: is not an address like https://models.example/v1, without a user, a query or a fragment",
		"ANNAI_MODEL=two words":                             `ANNAI_MODEL: "two words" is no name of a model`,
		"ANNAI_MODEL_PROVIDER=acme":                         `ANNAI_MODEL_PROVIDER: "acme" is not one of none, openai, ollama, anthropic, google`,
		"ANNAI_MODEL_KEY=sk x":                              "ANNAI_MODEL_KEY: has a space or another character that no such value has",
	} {
		if _, err := load(flagsOf(t), []string{environ}); fmt.Sprint(err) != want {
			t.Errorf("load(%s) = %v, want %s", environ, err, want)
		}
	}
}
