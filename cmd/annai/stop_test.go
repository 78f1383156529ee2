package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"annai/rag/ragtest"
)

// A start that takes long, here because an embedding service does not answer, ends when the process is told to stop.
func TestStopWhileStarting(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Errorf("the service was asked for %v", err)
		}
		if len(asked.Input) > 1 { // passages, not the question that tries it out
			stop()
			<-r.Context().Done()
			return
		}
		vectors, err := ragtest.Hashed{}.Embed(r.Context(), asked.Input)
		if err != nil {
			t.Errorf("the service was asked for %q: %v", asked.Input, err)
			return
		}
		numbers, _ := json.Marshal(vectors[0])
		_, _ = fmt.Fprintf(w, `{"data":[{"index":0,"embedding":%s}]}`, numbers)
	}))
	t.Cleanup(server.Close)
	out := new(strings.Builder)
	args := []string{
		"serve", "--listen", "127.0.0.1:0", "--venue", ownVenue(t), "--embedder", "ollama",
		"--embedder-model", "hashed", "--embedder-url", server.URL,
	}
	if code := run(ctx, args, terminal{in: strings.NewReader(""), out: io.Discard, err: out}); code != exitStopped {
		t.Errorf("annai serve, told to stop while it starts = %d, %s, want %d", code, out, exitStopped)
	}
}
