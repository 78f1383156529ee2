package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"annai/internal/config"
	"annai/rag/ragtest"
)

// ownVenue copies the demonstration venue with one document of its own, and no vectors, and returns the path of its file.
func ownVenue(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "knowledge"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"venue.yaml", "calendar.ics"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "venue", "demo", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const hall = "---\ntitle: Hall\nlang: en\ncategory: facility\nsource: Guide\n---\n\n## Parking\n\nThe parking lot is behind the old mill.\n"
	if err := os.WriteFile(filepath.Join(folder, "knowledge", "hall.en.md"), []byte(hall), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "venue.yaml")
}

// A fake of an embedding service counts the texts that it embeds.
func embeddingService(t *testing.T) (url string, texts *atomic.Int64) {
	t.Helper()
	texts = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Errorf("the service was asked for %v", err)
		}
		texts.Add(int64(len(asked.Input)))
		vectors, err := ragtest.Hashed{}.Embed(r.Context(), asked.Input)
		if err != nil {
			t.Errorf("the service was asked for %q: %v", asked.Input, err)
		}
		data := make([]string, len(vectors))
		for i, v := range vectors {
			numbers, _ := json.Marshal(v)
			data[i] = fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, numbers)
		}
		_, _ = io.WriteString(w, `{"data":[`+strings.Join(data, ",")+`]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL, texts
}

// TestVectorsAreKept says that only the first start of a venue of its own embeds, that another embedder does not take the vectors of the first,
// and that a damaged file is made anew.
func TestVectorsAreKept(t *testing.T) {
	t.Parallel()
	file, data := ownVenue(t), t.TempDir()
	url, texts := embeddingService(t)
	kept := filepath.Join(data, vectorsFile)
	start := func(model string) int64 {
		before := texts.Load()
		code, out, errs := command(t, "", "ask", "--venue", file, "--data", data, "--embedder", "ollama", "--embedder-model", model, "--embedder-url", url, "Where is the parking lot?")
		if code != exitOK || !strings.Contains(out, "behind the old mill") {
			t.Fatalf("annai ask with the embedder %s = %d, %q, %q", model, code, out, errs)
		}
		if problems := strings.Count(errs, "vectors left out"); problems > 1 || problems == 1 && strings.Count(errs, "\n") != 1 {
			t.Errorf("annai ask with the embedder %s logs %q, want at most one line", model, errs)
		}
		return texts.Load() - before
	}
	// The question and its subject, each for passages and for events, one text for the dimension, and the events and parts, which may be others at each start.
	const again = 2*2 + 1 + 270
	first := start("a")
	if first < 200 {
		t.Errorf("the first start embedded %d texts, want the passage and all everyday questions", first)
	}
	if n := start("a"); n > again {
		t.Errorf("the second start embedded %d texts, want at most %d", n, again)
	}
	if n := start("b"); n != first {
		t.Errorf("the first start with another embedder embedded %d texts, want %d", n, first)
	}
	whole, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, whole[:len(whole)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	if n := start("b"); n != first {
		t.Errorf("a start with a file that is cut off embedded %d texts, want %d", n, first)
	}
	if n := start("b"); n > again {
		t.Errorf("the start after that embedded %d texts, want at most %d", n, again)
	}
	left, err := filepath.Glob(filepath.Join(data, "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDoctorLooksAtEmbedder(t *testing.T) {
	url, _ := embeddingService(t)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"model \"x\" not found, try pulling it first","type":"api_error"}}`, http.StatusNotFound)
	}))
	defer refuses.Close()
	venue := smallVenue(t)
	for _, test := range []struct {
		args []string
		code int
		says []string
	}{
		{nil, exitOK, []string{"ok    embedder   inside this program"}},
		{[]string{"--embedder", "openai", "--embedder-model", "m", "--embedder-url", url}, exitOK, []string{"ok    embedder", "/m/64/1"}},
		{[]string{"--embedder", "ollama", "--embedder-model", "x", "--embedder-url", refuses.URL}, exitFailed, []string{"FAIL  embedder", "ollama pull", "モデルはサーバーにありません"}},
		{[]string{"--embedder", "ollama", "--embedder-model", "x", "--embedder-url", "http://127.0.0.1:1"}, exitFailed, []string{"FAIL  embedder", "could not be reached", "ok    knowledge"}},
		{[]string{"--embedder", "ollama"}, exitFailed, []string{"FAIL  embedder", "needs the name of a model"}},
	} {
		code, out, errs := command(t, "", append([]string{"doctor", "--venue", venue}, test.args...)...)
		if code != test.code {
			t.Errorf("annai doctor %q = %d, %q, want %d", test.args, code, errs, test.code)
		}
		for _, words := range test.says {
			if !strings.Contains(out, words) {
				t.Errorf("annai doctor %q = %q, want %q in it", test.args, out, words)
			}
		}
	}
}

// TestEmbedderGone says that a server whose embedder goes away answers by words, and says that it could not look only where they find nothing.
func TestEmbedderGone(t *testing.T) {
	var gone atomic.Bool
	url, _ := embeddingService(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, url, r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(w, response.Body)
		_ = response.Body.Close()
	}))
	defer proxy.Close()
	c := config.Config{Venue: ownVenue(t), Deadline: time.Minute, SourceDeadline: time.Minute, SessionIdle: time.Minute}
	c.Model.Provider, c.FallbackModel.Provider = "none", "none"
	c.Embedder = config.Embedder{Provider: "openai", Name: "m", URL: proxy.URL}
	a, err := assemble(t.Context(), c, wants{}, discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close() }()
	gone.Store(true)
	for question, words := range map[string]string{"Where is the parking lot?": "behind the old mill", "Where are the lockers?": "couldn't check"} {
		var out strings.Builder
		v := view{out: &out}
		if err := v.turn(t.Context(), a, question, ""); err != nil || !strings.Contains(out.String(), words) {
			t.Errorf("asked %q without an embedder: %q, %v; want %q", question, out.String(), err, words)
		}
	}
}

// TestIngestEmbeds says that what is ingested is embedded by the embedder of the settings, once.
func TestIngestEmbeds(t *testing.T) {
	t.Parallel()
	file, data := ownVenue(t), t.TempDir()
	url, texts := embeddingService(t)
	settings := []string{"--venue", file, "--data", data, "--embedder", "ollama", "--embedder-model", "a", "--embedder-url", url}
	document := filepath.Join(t.TempDir(), "bikes.en.md")
	if err := os.WriteFile(document, []byte("# Bicycles\n\nBicycle stands are under the bridge.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := command(t, "", append([]string{"ingest", document}, settings...)...); code != exitOK || texts.Load() < 200 {
		t.Fatalf("annai ingest = %d, %q, %q after %d texts, want the service to embed it", code, out, errs, texts.Load())
	}
	// The venue's own document and what visitors ask anywhere, and then only the question, and the events and parts, which may be others at each start.
	for _, most := range []int64{3400, 275} {
		before := texts.Load()
		code, out, errs := command(t, "", append([]string{"ask", "Where are the bicycle stands?"}, settings...)...)
		if n := texts.Load() - before; code != exitOK || !strings.Contains(out, "under the bridge") || n > most {
			t.Errorf("annai ask after annai ingest = %d, %q, %q after %d texts, want what was ingested after at most %d", code, out, errs, n, most)
		}
	}
}
