package main

import (
	"errors"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoVoice: a program that is built without the voices says so, and does all else.
func TestNoVoice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "novoice", "-o", path, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build -tags novoice = %v\n%s", err, out)
	}
	p := running{url: launch(t, path).url}
	if answer := p.ask(t, `{"query":"今日のイベントは？"}`); len(answer.Speech) == 0 {
		t.Errorf("POST /query = %+v, want an answer in sentences", answer)
	}
	for path, want := range map[string]string{"/venue": "", "/v1/audio/speech": "no voice"} {
		said := read(t, p.url+path, `{"input":"Hello."}`)
		if strings.Contains(said, `"voice"`) || !strings.Contains(said, want) {
			t.Errorf("%s says %s, want %q", path, said, want)
		}
	}
}

// read is what is answered: to a body by POST where the address takes one, else by GET.
func read(t *testing.T, address, body string) string {
	t.Helper()
	response, err := http.Post(address, "application/json", strings.NewReader(body))
	if err == nil && response.StatusCode == http.StatusMethodNotAllowed {
		_ = response.Body.Close()
		response, err = http.Get(address)
	}
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return string(said)
}
