package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"annai/api"
)

// TestReadyChecks: what the server can't do without makes it not ready, and is asked at most every
// other second.
func TestReadyChecks(t *testing.T) {
	synctest.Test(t, testReadyChecks)
}

func testReadyChecks(t *testing.T) {
	asked := 0
	var broken error
	f := setup{more: func(p *Parts) {
		p.Checks = map[string]func(context.Context) error{
			"sessions": func(context.Context) error { asked++; return broken },
			"runs":     func(context.Context) error { return nil },
		}
	}}.fixture(t)
	ready := func() (int, api.ReadyResponse) {
		w := f.do(t, "GET", "/readyz", "")
		return w.Code, decode[api.ReadyResponse](t, w)
	}
	for range 3 {
		if code, got := ready(); code != http.StatusOK || got.Parts["sessions"] != "ok" || got.Parts["runs"] != "ok" {
			t.Errorf("GET /readyz = %d %+v", code, got)
		}
	}
	if asked != 1 {
		t.Errorf("it was looked %d times, want once", asked)
	}
	broken = errors.New("no space left")
	time.Sleep(3 * time.Second)
	if code, got := ready(); code != http.StatusServiceUnavailable || got.Status != "unavailable" ||
		got.Parts["sessions"] != "error" ||
		got.Parts["runs"] != "ok" {
		t.Errorf("GET /readyz with a full disk = %d %+v", code, got)
	}
	broken = nil
	time.Sleep(3 * time.Second)
	if code, got := ready(); code != http.StatusOK {
		t.Errorf("GET /readyz with room again = %d %+v", code, got)
	}
}

// TestDrain: a server that is told to stop says so for a while in which it takes requests, then
// does not any more.
func TestDrain(t *testing.T) {
	f := newFixture(t, Options{Drain: 2 * time.Second})
	url, stop := listen(t, f)
	stopped := make(chan error)
	go func() { stopped <- stop() }()
	for {
		response := get(t, url+"/readyz")
		if response == http.StatusServiceUnavailable {
			break
		}
	}
	response := post(t, url+"/query", goodBody)
	if _, err := io.Copy(io.Discard, response.Body); response.StatusCode != http.StatusOK || err != nil {
		t.Errorf("POST /query while it drains = %d, %v, want 200", response.StatusCode, err)
	}
	_ = response.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if err := <-stopped; err != nil {
		t.Errorf("Serve = %v", err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/readyz", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if response, err := http.DefaultClient.Do(r); err == nil {
		_ = response.Body.Close()
		t.Errorf("GET /readyz after that = %d, want no connection", response.StatusCode)
	}
}

func get(t *testing.T, url string) (status int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}
