package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"annai/internal/peer"
)

// TestVisitIsForgotten: of what a visitor typed at the kiosk of a real server nothing is left once they finished: not
// in the page, its address, storage and caches, nor in the server's files, log and figures.
func TestVisitIsForgotten(t *testing.T) {
	t.Parallel()
	peer.NPM(t, "../../web", false)
	const mark = "キリンマーク"
	data := t.TempDir()
	server := start(t, "--data", data, "--public-url", "https://guide.example")
	cmd := exec.CommandContext(t.Context(), "node", "test/forgotten.mjs", server.url, mark)
	cmd.Dir = "../../web"
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("forgotten.mjs: %v: %s", err, &stderr)
	}
	var left struct {
		Found, Faults []string
		Files         int
	}
	if err := json.Unmarshal(out, &left); err != nil {
		t.Fatalf("forgotten.mjs says %q: %v", out, err)
	}
	if len(left.Found) > 0 || len(left.Faults) > 0 || left.Files < 10 {
		t.Errorf("left in the browser: %q (faults %q, %d files in its caches), want nothing, and the page's own files",
			left.Found, left.Faults, left.Files)
	}
	response, err := http.Get(server.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	figures, err := io.ReadAll(response.Body)
	if err != nil || response.Body.Close() != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(figures), `annai_feedback_total{`) || strings.Contains(string(figures), mark) {
		t.Errorf("GET /metrics has the words, or no word of the visit:\n%s", figures)
	}
	if code := server.stop(); code != exitOK {
		t.Errorf("annai ended with %d", code)
	}
	if log := server.out.String(); strings.Contains(log, mark) {
		t.Errorf("the log has the words:\n%s", log)
	}
	if inFiles(t, data, mark) {
		t.Error("the data folder has the words")
	}
}
