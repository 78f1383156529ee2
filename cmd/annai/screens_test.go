//go:build !novoice

package main

import (
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"annai/internal/peer"
)

var (
	screensFolder = flag.String("screens", "", "folder for pictures of all screens of the kiosk on ten sizes")
	screensOnly   = flag.String("screens-only", "", "screens that are looked at, with commas (some; all with a folder)")
)

// TestScreens looks at the kiosk before a real server with all that a kiosk can have: staff to call,
// pages for telephones, a service that hears, the operator's corner and an owner. The screens are in
// web/test/screens.mjs. Without -screens a few are looked at, on the sizes that are hardest.
func TestScreens(t *testing.T) {
	peer.NPM(t, "../../web", false)
	const key, code = "a-key-for-who-looks-at-screens", "246810"
	others := httptest.NewServer(http.HandlerFunc(staffAndEars))
	defer others.Close()
	server := start(t,
		"--now", "2026-01-14T12:00:00+09:00", "--data", t.TempDir(), "--rate-address", "6000/min",
		"--owner-key-file", fileWith(t, key), "--kiosk-code-file", fileWith(t, code),
		"--staff-webhook-file", fileWith(t, others.URL+"/staff"), "--hearing-url", others.URL+"/v1",
		"--public-url", "https://guide.example",
	)
	what := map[string]any{"key": key, "code": code}
	if *screensFolder != "" {
		what["folder"] = *screensFolder
	} else {
		what["only"] = []string{"week", "confirm", "walk"}
		what["wanted"] = []string{"320x568", "768x1024", "1024x768"}
		what["languages"] = []string{"en"}
	}
	if *screensOnly != "" {
		what["only"] = strings.Split(*screensOnly, ",")
	}
	wanted, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "test/screens.mjs", server.url, string(wanted))
	cmd.Dir = "../../web"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("screens.mjs: %v\n%s", err, out)
	}
}

// staffAndEars is told that staff are wanted, which it refuses from a kiosk named closed, and hears the
// same in every sound.
func staffAndEars(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil || strings.Contains(string(body), `"device":"closed"`):
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.URL.Path == "/staff":
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"text":"駐車場はありますか"}`)
	}
}
