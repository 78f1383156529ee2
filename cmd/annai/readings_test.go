package main

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

func metrics(t *testing.T, s running) string {
	t.Helper()
	response, err := http.Get(s.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET /metrics = %s, %v", response.Status, err)
	}
	return string(text)
}

// TestFiguresOfStores: what an operator is to be told at night is at GET /metrics.
func TestFiguresOfStores(t *testing.T) {
	_, address := postgresSchema(t)
	s := start(t, "--venue", smallVenue(t), "--postgres", address)
	var thread struct {
		ID string `json:"thread_id"`
	}
	callAs(t, s, "", http.MethodPost, "/threads", map[string]any{}, &thread)
	for range 2 {
		run := map[string]any{
			"assistant_id": "annai", "input": map[string]any{}, "after_seconds": 600, "multitask_strategy": "enqueue",
		}
		status := callAs(t, s, "", http.MethodPost, "/threads/"+thread.ID+"/runs", run, nil)
		if status != http.StatusOK {
			t.Fatalf("POST /threads/ID/runs = %d", status)
		}
	}
	contains(
		t, "GET /metrics", metrics(t, s),
		"annai_runs_pending 2\n", "annai_runs_running 0\n", "annai_runs_oldest_pending_seconds 0\n",
		"annai_run_takeovers_total 0\n", `annai_database_connections_max{store="sessions"}`,
		`annai_database_connections_in_use{store="runs"}`, `annai_database_waits_total{store="keys"}`,
		`annai_database_connections_idle{store="threads"}`, `annai_database_connections_max{store="calendars"} 4`,
		"annai_audit_lost_total 0\n",
		`annai_run_sweeps_total{outcome="failed"} 0`, "annai_threads_swept_total 0\n", "annai_sessions_swept_total 0\n",
	)
	s.stop()
	// A calendar in a file is as old as the file; one that can't be read has no age, instead of none.
	none := metrics(t, start(t, "--venue", brokenVenue(t)))
	if strings.Contains(none, "annai_calendar_age_seconds{") || strings.Contains(none, "annai_database_") {
		t.Errorf("GET /metrics tells the age of a calendar that was never read, or of connections that are not there")
	}
}

// TestFiguresOfTheDocument: each figure that docs/operations.md names is one that there is, and the
// document names each.
func TestFiguresOfTheDocument(t *testing.T) {
	read := func(path ...string) (text string) {
		for _, p := range path {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			text += string(data)
		}
		return text
	}
	name := regexp.MustCompile(`annai_[a-z_]*[a-z]`)
	document := read("../../docs/operations.md")
	there := map[string]bool{}
	for _, n := range regexp.MustCompile(`"annai_[a-z_]*[a-z]"`).FindAllString(
		read("../../server/metrics.go", "../../server/httpd/metrics.go", "../../internal/setup/http.go",
			"../../server/kiosks.go", "../../internal/telemetry/figures.go", "readings.go"), -1) {
		n = strings.Trim(n, `"`)
		there[n] = true
		if !strings.Contains(document, "`"+n+"`") {
			t.Errorf("docs/operations.md does not name %s", n)
		}
	}
	for _, n := range name.FindAllString(document, -1) {
		if !there[strings.TrimSuffix(n, "_bucket")] {
			t.Errorf("docs/operations.md names %s, which is not there", n)
		}
	}
}
