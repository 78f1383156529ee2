package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestEndsElsewhere cancels a turn, and ends the session of another, at a server that does not have
// them.
func TestEndsElsewhere(t *testing.T) {
	t.Parallel()
	_, address := postgresSchema(t)
	begun := make(chan struct{}, 10)
	model := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		begun <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(model.Close)
	args := []string{
		"--postgres", address, "--model-provider", "openai", "--model", "small", "--model-url", model.URL,
		"--model-deadline", "1m", "--model-first-word", "1m",
	}
	here, elsewhere := start(t, args...), start(t, args...)
	for _, end := range [][2]string{{http.MethodPost, "/runs/RUN/cancel"}, {http.MethodDelete, "/sessions/s"}} {
		body := `{"query": "今週のイベントは？", "sessionId": "s", "stream": true}`
		response, err := http.Post(here.url+"/query", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		var started struct{ RunID string }
		for started.RunID == "" && lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if err := json.Unmarshal([]byte(data), &started); err != nil {
					t.Fatal(err)
				}
			}
		}
		<-begun
		url := elsewhere.url + strings.Replace(end[1], "RUN", started.RunID, 1)
		request, err := http.NewRequestWithContext(t.Context(), end[0], url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		ended, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if err := ended.Body.Close(); err != nil || ended.StatusCode >= http.StatusBadRequest {
			t.Errorf("%s %s = %s, %v", request.Method, request.URL, ended.Status, err)
		}
		rest := ""
		for lines.Scan() {
			rest += lines.Text() + "\n"
		}
		if name, data := lastEvent(rest); name != "error" || !strings.Contains(data, `"cancelled"`) {
			t.Errorf("the turn ends with %s %s, want error with cancelled", name, data)
		}
		if err := response.Body.Close(); err != nil {
			t.Error(err)
		}
	}
}
