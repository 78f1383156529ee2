package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"annai/internal/config"
	"annai/tools"
)

// A feed in a private network is read where its network is allowed, and the doctor says so where it
// is not, and what of it could not be read.
func TestFeedInAPrivateNetwork(t *testing.T) {
	const list = `{"events":[{"title":"【満席】Go ハンズオン","started_at":"2026-11-20T19:00:00+09:00"},{"title":"Bad"}]}`
	var keys []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("X-Api-Key"))
		_, _ = w.Write([]byte(list))
	}))
	defer server.Close()
	dir := t.TempDir()
	venue := filepath.Join(dir, "venue.yaml")
	yaml := "name: {en: Club}\ncalendars:\n  - {id: club, source: feed, visibility: public, url: \"" + server.URL +
		"/v2\", keyHeader: X-API-Key, keyFile: club.key, mapping: {items: events, title: title, start: started_at}}\n"
	for name, text := range map[string]string{venue: yaml, filepath.Join(dir, "club.key"): "secret\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--venue", venue, "--now", thursday}
	_, out, _ := command(t, "", append([]string{"doctor"}, args...)...)
	if want := "the address is private or special"; !strings.Contains(out, want) || !strings.Contains(out,
		"feed-networks") {
		t.Errorf("annai doctor = %q, want %q and what allows it", out, want)
	}
	if len(keys) > 0 {
		t.Errorf("the feed was asked %d times, want none", len(keys))
	}
	allowed := append(args, "--feed-networks", "127.0.0.1/32")
	_, out, _ = command(t, "", append([]string{"doctor", "--contact", "ops@club.example"}, allowed...)...)
	for _, want := range []string{
		"1 of 2 items could not be read", "item 2: it has no start",
		`(ops@club.example)"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("annai doctor with the network allowed = %q, want %q in it", out, want)
		}
	}
	if len(keys) == 0 || keys[0] != "secret" {
		t.Errorf("the feed was asked with the keys %q, want the one in the file", keys)
	}
	_, out, _ = command(t, "", append([]string{"ask", "Go ハンズオンは何時から？"}, allowed...)...)
	if !strings.Contains(out, "「Go ハンズオン」") || !strings.Contains(out, "満席です") {
		t.Errorf("annai ask = %q, want when it is, and that it is full", out)
	}
	code, _, errs := command(t, "", append([]string{"doctor", "--feed-networks", "8.8.8.0/24"}, args...)...)
	if code == exitOK || !strings.Contains(errs, "feed-networks: 8.8.8.0/24 is not a private network") {
		t.Errorf("annai doctor with a network that is not private = %d, %q, want it refused", code, errs)
	}
}

// Everybody may ask what a link is about, and nobody reaches this machine by it.
func TestURLExpandIsOffered(t *testing.T) {
	a := assembled(t, config.Config{Venue: smallVenue(t)})
	hits := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	defer server.Close()
	for _, address := range []string{
		server.URL, "http://169.254.169.254/", "http://[::ffff:10.0.0.1]/",
		"http://127.0.0.1/",
	} {
		out, err := a.tools.Call(t.Context(), tools.Caller{Role: tools.Visitor}, "url_expand",
			[]byte(`{"url":"`+address+`"}`))
		if err != nil || !strings.Contains(string(out), `"reason":"refused"`) {
			t.Errorf("url_expand of %q = %s, %v, want it refused", address, out, err)
		}
	}
	if hits > 0 {
		t.Errorf("the server on this machine was asked %d times, want none", hits)
	}
}
