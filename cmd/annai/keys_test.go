package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var aKey = regexp.MustCompile(`(?m)^annai_[A-Za-z0-9_-]{43}$`)

func TestKeys(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	code, out, errs := command(t, "", "keys", "add", "--role", "ask", "--name", "kiosk-1", "--data", data, "--now", thursday)
	key := aKey.FindString(out)
	if code != exitOK || key == "" {
		t.Fatalf("annai keys add = %d, %q, %q, want a key", code, out, errs)
	}
	_, list, _ := command(t, "", "keys", "list", "--data", data)
	if !regexp.MustCompile(`(?m)^kiosk-1 +ask +2026-11-19T01:00:0\dZ *$`).MatchString(list) || strings.Contains(list, key[10:]) {
		t.Errorf("annai keys list = %q, want kiosk-1 without its key", list)
	}
	if code, out, _ := command(t, "", "keys", "revoke", "kiosk-1", "--data", data, "--now", thursday); code != exitOK || !strings.Contains(out, "kiosk-1") {
		t.Errorf("annai keys revoke = %d, %q", code, out)
	}
	if _, list, _ := command(t, "", "keys", "list", "--data", data); strings.Count(list, "2026-11-19") != 2 {
		t.Errorf("annai keys list = %q, want when it was revoked", list)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no folder":       {[]string{"list"}, exitFailed, "--data"},
		"no role":         {[]string{"add", "--name", "a", "--data", data}, exitFailed, "ask, owner and admin"},
		"no such role":    {[]string{"add", "--role", "root", "--name", "a", "--data", data}, exitFailed, `"root"`},
		"no name":         {[]string{"add", "--role", "ask", "--data", data}, exitFailed, "name"},
		"a taken name":    {[]string{"add", "--role", "ask", "--name", "kiosk-1", "--data", data}, exitFailed, "kiosk-1"},
		"revoke nothing":  {[]string{"revoke", "--data", data}, exitUsage, "which key"},
		"revoke again":    {[]string{"revoke", "kiosk-1", "--data", data}, exitFailed, "kiosk-1"},
		"too many to add": {[]string{"add", "a", "--data", data}, exitUsage, `"a"`},
	} {
		code, _, errs := command(t, "", append([]string{"keys"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) || strings.Count(strings.TrimSpace(errs), "\n") > 0 {
			t.Errorf("%s: annai keys %q = %d, %q, want %d and one line with %q", name, c.args, code, errs, c.code, c.says)
		}
	}
	empty := t.TempDir()
	if code, out, _ := command(t, "", "keys", "list", "--data", empty); code != exitOK || out != "There are no keys.\n" {
		t.Errorf("annai keys list without any = %d, %q", code, out)
	}
}

// A named key opens the owner's calendars as one of the settings does, at a start; the command and the doctor say so.
func TestFirstOwnerKey(t *testing.T) {
	t.Parallel()
	data, venue := filepath.Join(t.TempDir(), "data"), smallVenue(t)
	const note = "first key for an owner"
	doctor := func() (code int, out string) {
		code, out, _ = command(t, "", "doctor", "--venue", venue, "--data", data, "--now", thursday)
		return code, out
	}
	const own = "own (local, private)"
	if code, out := doctor(); code != exitOK || strings.Contains(out, own) {
		t.Errorf("annai doctor without keys = %d, %q, want no calendar of an owner whom nobody can be", code, out)
	}
	for _, key := range []struct {
		role, name string
		first      bool
	}{{"ask", "kiosk", false}, {"owner", "one", true}, {"owner", "two", false}} {
		_, out, errs := command(t, "", "keys", "add", "--role", key.role, "--name", key.name, "--data", data)
		if strings.Contains(out, note) != key.first || !aKey.MatchString(out) {
			t.Errorf("annai keys add --role %s = %q, %q, want a key, and to be told to start anew: %v", key.role, out, errs, key.first)
		}
	}
	if code, out := doctor(); code != exitOK || !strings.Contains(out, own) || !strings.Contains(out, "1 for ask, 2 for owner") {
		t.Errorf("annai doctor with named keys = %d, %q, want how many there are, and the owner's calendar", code, out)
	}
	if err := os.WriteFile(filepath.Join(data, "keys.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := doctor(); code != exitFailed || !strings.Contains(out, "FAIL  keys") {
		t.Errorf("annai doctor with a broken file of keys = %d, %q, want it to say so", code, out)
	}
}

// TestServeWithKeys makes and revokes a key while the server runs.
func TestServeWithKeys(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	const admin = "an-admin-key-of-these-tests"
	s := start(t, "--venue", smallVenue(t), "--data", data, "--admin-key-file", fileWith(t, admin), "--log-level", "debug")
	_, out, errs := command(t, "", "keys", "add", "--role", "ask", "--name", "kiosk-1", "--data", data)
	key := aKey.FindString(out)
	if key == "" {
		t.Fatalf("annai keys add: %q, %q", out, errs)
	}
	status := func(method, path, key string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(`{"query":"今日のイベントは？"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		if key != "" {
			request.Header.Set("X-Api-Key", key)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); errors.Join(err, response.Body.Close()) != nil {
			t.Fatal(err)
		}
		return response.StatusCode
	}
	until := func(what string, key string, want int) {
		t.Helper()
		tries := time.NewTicker(50 * time.Millisecond)
		defer tries.Stop()
		late := time.After(time.Minute)
		for status("POST", "/query", key) != want {
			select {
			case <-tries.C:
			case <-late:
				t.Fatalf("%s: POST /query is never %d", what, want)
			}
		}
	}
	until("a key was made", "", http.StatusUnauthorized)
	if got := status("POST", "/query", key); got != http.StatusOK {
		t.Errorf("POST /query with the key = %d, want 200", got)
	}
	for key, want := range map[string]int{"": http.StatusUnauthorized, key: http.StatusForbidden, admin: http.StatusOK} {
		if got := status("GET", "/metrics", key); got != want {
			t.Errorf("GET /metrics with %.9q = %d, want %d", key, got, want)
		}
	}
	if code, _, errs := command(t, "", "keys", "revoke", "kiosk-1", "--data", data); code != exitOK {
		t.Fatal(errs)
	}
	until("the key was revoked", key, http.StatusUnauthorized)
	if code := s.stop(); code != exitOK {
		t.Errorf("annai serve ended with %d", code)
	}
	for _, secret := range []string{key, key[6:], admin} {
		if strings.Contains(s.out.String(), secret) {
			t.Errorf("a key is in what the server wrote: %s", s.out)
		}
	}
}
