package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"annai/fault"
)

func TestCheckEmbedder(t *testing.T) {
	for _, test := range []struct {
		environ []string
		says    string // "" for nothing
	}{
		{nil, ""},
		{[]string{"ANNAI_EMBEDDER=ollama", "ANNAI_EMBEDDER_MODEL=bge-m3"}, ""},
		{[]string{"ANNAI_EMBEDDER=openai", "ANNAI_EMBEDDER_MODEL=m", "ANNAI_EMBEDDER_KEY=k"}, ""},
		{[]string{"ANNAI_EMBEDDER=openai", "ANNAI_EMBEDDER_MODEL=m", "ANNAI_EMBEDDER_URL=http://127.0.0.1:8080/v1"}, ""},
		{[]string{"ANNAI_EMBEDDER=ollama", "ANNAI_EMBEDDER_MODEL=m", "ANNAI_EMBEDDER_URL=http://ollama:11434/v1", "ANNAI_EMBEDDER_INSECURE=true"}, ""},
		{[]string{"ANNAI_EMBEDDER_MODEL=m"}, "embedded, but another is named"},
		{[]string{"ANNAI_EMBEDDER=ollama"}, "needs the name of a model"},
		{[]string{"ANNAI_EMBEDDER=google", "ANNAI_EMBEDDER_MODEL=m"}, "ANNAI_EMBEDDER_KEY"},
		{[]string{"ANNAI_EMBEDDER=openai", "ANNAI_EMBEDDER_MODEL=m", "ANNAI_EMBEDDER_URL=http://h/v1", "ANNAI_EMBEDDER_KEY=secret"}, "a key goes over https"},
		{[]string{"ANNAI_EMBEDDER=ollama", "ANNAI_EMBEDDER_MODEL=m", "ANNAI_EMBEDDER_URL=http://ollama:11434/v1"}, "unencrypted"},
	} {
		c, err := load(pflag.NewFlagSet("", pflag.ContinueOnError), test.environ)
		if err != nil {
			t.Fatalf("load(%q): %v", test.environ, err)
		}
		err = c.CheckEmbedder()
		if test.says == "" && err != nil || test.says != "" && (!errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("CheckEmbedder with %q = %v, want %q", test.environ, err, test.says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("CheckEmbedder with %q = %v, which quotes the key", test.environ, err)
		}
	}
}
