package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/internal/setup"
)

// TestKeysOfReplicas: with --postgres and without a data folder, keys that are added, rotated and
// revoked hold at each server within seconds; those of a data folder from before are taken over.
func TestKeysOfReplicas(t *testing.T) {
	_, address := postgresSchema(t)
	venueFile, before := smallVenue(t), t.TempDir()
	old := newKey(t, "--role", "ask", "--name", "old", "--data", before)
	list := func() string {
		t.Helper()
		code, out, errs := command(t, "", "keys", "list", "--postgres", address)
		if code != exitOK {
			t.Fatalf("annai keys list = %d, %q", code, errs)
		}
		return out
	}
	if out := list(); out != "There are no keys.\n" {
		t.Errorf("annai keys list = %q", out)
	}
	servers := []running{
		start(t, "--venue", venueFile, "--postgres", address, "--data", before),
		start(t, "--venue", venueFile, "--postgres", address),
	}
	wait := func(what, key string, want int) {
		t.Helper()
		for _, s := range servers {
			for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
				got := callAs(t, s, key, http.MethodGet, "/venue", nil, nil)
				if got == want {
					break
				} else if time.Now().After(end) {
					t.Fatalf("%s: GET /venue at %s = %d, want %d", what, s.url, got, want)
				}
			}
		}
	}
	wait("taken over", old, http.StatusOK)
	wait("without a key", "", http.StatusUnauthorized)
	first := newKey(t, "--role", "ask", "--name", "kiosk-1", "--rate", "1000/min", "--postgres", address)
	wait("added", first, http.StatusOK)
	code, out, errs := command(t, "", "keys", "rotate", "kiosk-1", "--overlap", "0s", "--postgres", address)
	next := aKey.FindString(out)
	if code != exitOK || next == "" {
		t.Fatalf("annai keys rotate = %d, %q, %q", code, out, errs)
	}
	wait("rotated", first, http.StatusUnauthorized)
	wait("rotated", next, http.StatusOK)
	if code, _, errs := command(t, "", "keys", "revoke", "kiosk-1", "--postgres", address); code != exitOK {
		t.Fatalf("annai keys revoke = %d, %q", code, errs)
	}
	wait("revoked", next, http.StatusUnauthorized)
	for _, s := range servers {
		s.stop()
	}
	var used string
	for line := range strings.Lines(list()) {
		if strings.HasPrefix(line, "kiosk-1") {
			used = line
		}
	}
	if strings.Count(used, "2026-11-19T") != 1 || strings.Count(used, "T") != 3 {
		t.Errorf("annai keys list = %q, want when it was made, used and revoked", used)
	}
}

// TestKeysExpireAndRotate: the words of the command, and what is kept of them.
func TestKeysExpireAndRotate(t *testing.T) {
	data := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"a rate":    {[]string{"add", "--role", "ask", "--name", "a", "--rate", "often"}, "--rate"},
		"an expiry": {[]string{"add", "--role", "ask", "--name", "a", "--expires", "soon"}, "--expires"},
		"one that is over": {
			[]string{"add", "--role", "ask", "--name", "a", "--expires", "2020-01-01"}, "worth nothing",
		},
		"nobody's": {[]string{"rotate", "nobody"}, "nobody"},
		"which":    {[]string{"rotate"}, "which key"},
	} {
		code, _, errs := command(t, "", append(append([]string{"keys"}, c.args...), "--data", data)...)
		if code == exitOK || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: annai keys %q = %d, %q, want %q in one line", name, c.args, code, errs, c.says)
		}
	}
	newKey(t, "--role", "ask", "--name", "a", "--rate", "600/min", "--expires", "2099-03-31", "--data", data)
	code, out, errs := command(t, "", "keys", "rotate", "a", "--data", data)
	if code != exitOK || aKey.FindString(out) == "" || !strings.Contains(out, "is good until") {
		t.Errorf("annai keys rotate = %d, %q, %q", code, out, errs)
	}
	_, list, _ := command(t, "", "keys", "list", "--data", data)
	if !strings.Contains(list, "600/min") || !strings.Contains(list, "2099-03-3") {
		t.Errorf("annai keys list = %q, want the rate and when it expires", list)
	}
	kept, err := os.ReadFile(filepath.Join(data, setup.AuditFile))
	if err != nil || !strings.Contains(string(kept), `"act":"keys rotate","object":{"key":"a"}`) {
		t.Errorf("audit.log = %s, %v, want that it was rotated", kept, err)
	}
}
