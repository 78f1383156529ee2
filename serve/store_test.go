package serve_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"annai/serve"
)

// letters is a meaning: texts are near that have the same of three letters.
type letters struct{}

func (letters) Fingerprint() string { return "letters" }

func (letters) Vectors(_ context.Context, text string) ([][]float32, error) {
	v := make([]float32, 3)
	for i, letter := range []string{"x", "y", "z"} {
		if strings.Contains(text, letter) {
			v[i] = 1
			return [][]float32{v}, nil
		}
	}
	return nil, nil
}

// TestMeaning: items of the store are found by what they mean, where a program says what that is.
func TestMeaning(t *testing.T) {
	p := startRun(t, func(ctx context.Context, args []string, said writer, log *bytes.Buffer) error {
		return serve.Options{Meaning: letters{}}.Run(ctx, args, said, log, greeter())
	})
	var found struct {
		Items []struct {
			Key   string
			Score float64
		}
	}
	for key, text := range map[string]string{"a": "x", "b": "z"} {
		p.put(t, "/store/items", `{"namespace":["n"],"key":"`+key+`","value":{"text":"`+text+`"}}`)
	}
	p.ask(t, "/store/items/search", `{"namespace_prefix":["n"],"query":"zzz"}`, &found)
	if len(found.Items) != 2 || found.Items[0].Key != "b" || found.Items[0].Score != 1 {
		t.Errorf("found %+v, want b first", found)
	}
}
