package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"annai/internal/auditlog"
	"annai/internal/setup"
)

// TestAuditOfAnOwner: what an owner writes, by talking and by a tool, is kept with the ids of what
// was written and the name of the key, and so is who made the key; no title and no key is.
func TestAuditOfAnOwner(t *testing.T) {
	t.Parallel()
	const title = "SECRETMARK"
	folder := t.TempDir()
	data, venueFile := filepath.Join(folder, "data"), filepath.Join(folder, "venue.yaml")
	text := strings.Replace(libraryVenue, "knowledge: []", ownCalendar+"knowledge: []", 1)
	if err := os.WriteFile(venueFile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	key := newKey(t, "--role", "owner", "--name", "desk-1", "--data", data)
	s := start(t, "--data", data, "--venue", venueFile)
	askAs(t, s, key, "desk", "明日の10時に"+title+"を入れて")
	askAs(t, s, key, "desk", "はい")
	event := map[string]any{"title": title, "start": "2026-11-21T10:00:00+09:00"}
	if status := callAs(t, s, key, http.MethodPost, "/tools/create_event", event, nil); status != http.StatusOK {
		t.Fatalf("POST /tools/create_event = %d", status)
	}
	if status := callAs(t, s, "annai_wrong", http.MethodPost, "/query", event, nil); status != http.StatusUnauthorized {
		t.Fatalf("POST /query with a wrong key = %d", status)
	}
	s.stop()
	kept, err := os.ReadFile(filepath.Join(data, setup.AuditFile))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(kept)) {
		var e auditlog.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if (e.What == auditlog.Talk || e.What == auditlog.Tool) && e.Object["id"] == "" {
			t.Errorf("%s has no id of what was written", line)
		}
		got = append(got, strings.Join([]string{e.What, e.Role, e.Key, e.Act, e.Route, e.Outcome}, " "))
	}
	want := []string{
		"command   keys add  done",
		"request owner desk-1  /query done",
		"talk owner desk-1 add  done",
		"request owner desk-1  /query done",
		"tool owner desk-1 create_event  done",
		"request owner desk-1  /tools/:name done",
		"request    /query refused",
	}
	if !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
	if strings.Contains(string(kept), title) || strings.Contains(string(kept), key) {
		t.Errorf("a title or a key is kept: %s", kept)
	}
}

// TestAuditOfATerminal: what an owner says yes to in a terminal is kept with who ran the command.
func TestAuditOfATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	data, venueFile := filepath.Join(folder, "data"), filepath.Join(folder, "venue.yaml")
	text := strings.Replace(libraryVenue, "knowledge: []", ownCalendar+"knowledge: []", 1)
	if err := os.WriteFile(venueFile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := "明日の10時に会議を入れて\nはい\n"
	if code, out, errs := command(t, said, "chat", "--owner", "--data", data, "--venue", venueFile); code != exitOK {
		t.Fatalf("annai chat --owner = %d, %s, %s", code, out, errs)
	}
	kept, err := os.ReadFile(filepath.Join(data, setup.AuditFile))
	var e auditlog.Entry
	if err != nil || json.Unmarshal(kept, &e) != nil {
		t.Fatalf("kept is %q, %v, want an entry", kept, err)
	}
	by, added := e.Role == "owner" && e.User == setup.Username(), e.What == auditlog.Talk && e.Act == "add"
	if !by || !added || e.Object["id"] == "" {
		t.Errorf("kept is %+v, want an event added by %s", e, setup.Username())
	}
}

// libraryVenue has no calendar; ownCalendar is one of the owner's.
const (
	libraryVenue = `name: {ja: 図書館, en: The Library}
timezone: Asia/Tokyo
website: https://library.example
knowledge: []
`
	ownCalendar = `calendars: [{id: own, label: {ja: 予定, en: Diary}, source: local, writable: true}]
`
)

// TestAuditOnAFullDisk: everybody is answered, and it is said in the log and at /readyz.
func TestAuditOnAFullDisk(t *testing.T) {
	t.Parallel()
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		return // a disk can't be made full everywhere
	}
	s := start(t, "--venue", smallVenue(t), "--owner-key-file", fileWith(t, calendarKey), "--audit", full)
	askAs(t, s, calendarKey, "desk", "Do you have books?")
	var ready struct {
		Status string
		Parts  map[string]string
	}
	if status := callAs(t, s, "", http.MethodGet, "/readyz", nil, &ready); status != http.StatusOK {
		t.Errorf("GET /readyz = %d, want 200", status)
	}
	if ready.Parts["audit"] != "error" || !strings.Contains(s.out.String(), "audit log can't be written") {
		t.Errorf("GET /readyz = %+v, and the log %s, want that it is said", ready, s.out)
	}
	code, _, errs := command(t, "", "serve", "--listen", "127.0.0.1:0", "--audit", filepath.Join(full, "audit.log"))
	if code != exitFailed || !strings.Contains(errs, "audit log") {
		t.Errorf("annai serve with an audit log that can't be = %d, %q", code, errs)
	}
}
