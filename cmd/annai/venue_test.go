package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"annai/api"
	"annai/venue"
)

// exampleVenue writes the example venue and returns its file.
func exampleVenue(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mine")
	if code, out, errs := command(t, "", "venue", "init", dir); code != exitOK || !strings.Contains(out, "venue.yaml") {
		t.Fatalf("annai venue init = %d, %q, %q", code, out, errs)
	}
	return filepath.Join(dir, "venue.yaml")
}

func TestVenueInit(t *testing.T) {
	t.Parallel()
	path := exampleVenue(t)
	if err := os.WriteFile(path, []byte("name: Mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := command(t, "", "venue", "init", filepath.Dir(path))
	if code != exitFailed || !strings.Contains(errs, "is there already") {
		t.Errorf("annai venue init over another = %d, %q, want it refused", code, errs)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "name: Mine\n" {
		t.Errorf("the file that was there is %q, %v, want it as it was", text, err)
	}
	if code, _, _ := command(t, "", "venue", "init", "a", "b"); code != exitUsage {
		t.Errorf("annai venue init a b = %d, want %d", code, exitUsage)
	}
}

// The example is well, and answers its own suggestions from what it says.
func TestExampleVenueAnswersItsSuggestions(t *testing.T) {
	t.Parallel()
	path := exampleVenue(t)
	code, out, errs := command(t, "", "doctor", "--venue", path)
	if code != exitOK || strings.Contains(out, "FAIL") {
		t.Errorf("annai doctor = %d, %q, %q, want all well", code, out, errs)
	}
	contains(t, "annai doctor", out,
		"hours      Mon closed, Tue-Thu 09:30-17:00, Fri 09:30-19:00", "a closed weekday moves if it is a public holiday",
		"喫茶こかげ / Cafe Kokage: other names: 4; floor 1; 20 seats; Mon closed, Tue-Sun 10:00-12:00 and 13:00-16:30; 2 prices: 450, 480-620; booking: no",
		"灯台 / lighthouse: other names: 4; floor 1; Mon closed", "forbids taking a pushchair up",
	)
	v, err := venue.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	wants := []map[string]string{
		{"ja": "館内ツアー", "en": "Guided tour"},
		{"ja": "9:30から17:00", "en": "09:30 to 17:00"},
		{"ja": "600円", "en": "600 yen"},
		{"ja": "自由に撮って", "en": "You may take photos"},
	}
	if len(v.Suggestions) != len(wants) {
		t.Fatalf("the example has %d suggestions, want %d", len(v.Suggestions), len(wants))
	}
	for i, want := range wants {
		for lang, words := range want {
			question := v.Suggestions[i].In(lang)
			code, out, errs := command(t, "", "ask", "--json", "--venue", path, "--now", "2026-11-25T10:00:00+09:00", question)
			var answer api.QueryResponse
			if err := json.Unmarshal([]byte(out), &answer); code != exitOK || err != nil || !strings.Contains(answer.Text, words) {
				t.Errorf("annai ask %q = %d, %q, %q, %v; want %q in it", question, code, answer.Text, errs, err, words)
			}
		}
	}
}

func TestDoctorNotesWhatMayBeASlip(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "venue.yaml")
	text := "name: Bar\nhours: {weekly: {daily: \"19:00-10:00\"}}\nparts: [{name: Stage}]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ := command(t, "", "doctor", "--venue", path)
	contains(t, "annai doctor", out, "note  venue      line 2: hours.weekly.daily: 19:00-10:00 ends at 10:00 on the next day", "part       Stage / Stage: only its name")
}
