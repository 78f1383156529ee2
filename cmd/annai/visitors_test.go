package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestVisitorExportAndErasure: an operator gets all that is kept of one visitor, by the session or by
// the key of the device, and nothing of others; afterwards it is gone, from the files too.
func TestVisitorExportAndErasure(t *testing.T) {
	t.Parallel()
	const mine, other, threaded = "GIRAFFEMARK", "OKAPIMARK", "ZEBRAMARK"
	data := t.TempDir()
	kiosk := newKey(t, "--role", "ask", "--name", "kiosk-1", "--data", data)
	second := newKey(t, "--role", "ask", "--name", "kiosk-2", "--data", data)
	admin := newKey(t, "--role", "admin", "--name", "boss", "--data", data)
	s := start(t, "--data", data, "--venue", smallVenue(t), "--session-idle", "1h")
	askAs(t, s, kiosk, "s1", mine+"について教えて")
	askAs(t, s, second, "s1", other+"について教えて")
	var thread struct {
		ID string `json:"thread_id"`
	}
	callAs(t, s, kiosk, http.MethodPost, "/threads", map[string]any{}, &thread)
	said := map[string]any{"messages": []any{map[string]any{"role": "user", "content": threaded}}}
	run := map[string]any{"assistant_id": "annai", "input": said}
	status := callAs(t, s, kiosk, http.MethodPost, "/threads/"+thread.ID+"/runs/wait", run, nil)
	if status != http.StatusOK {
		t.Fatalf("POST /threads/ID/runs/wait = %d", status)
	}
	export := func(query string) string {
		t.Helper()
		var all json.RawMessage
		status := callAs(t, s, admin, http.MethodGet, "/admin/visitors/export?"+query, nil, &all)
		if status != http.StatusOK {
			t.Fatalf("GET /admin/visitors/export?%s = %d", query, status)
		}
		return string(all)
	}
	contains(t, "the export of a key", export("key=kiosk-1"), mine, threaded, thread.ID, "visitor kiosk-1", `"at":`)
	contains(t, "the export of a thread", export("session="+thread.ID), threaded)
	contains(t, "the export of a session", export("session=s1"), mine, other)
	for query, never := range map[string]string{
		"key=kiosk-1": other, "key=kiosk-2": mine, "session=" + thread.ID: mine,
	} {
		if got := export(query); strings.Contains(got, never) {
			t.Errorf("the export of %s has %s: %s", query, never, got)
		}
	}
	var forgotten struct{ Sessions, Threads int }
	for key, want := range map[string]int{kiosk: http.StatusForbidden, "": http.StatusUnauthorized} {
		if got := callAs(t, s, key, http.MethodDelete, "/admin/visitors?key=kiosk-1", nil, nil); got != want {
			t.Errorf("DELETE /admin/visitors without an admin's key = %d, want %d", got, want)
		}
	}
	callAs(t, s, admin, http.MethodDelete, "/admin/visitors?key=kiosk-1", nil, &forgotten)
	if forgotten.Sessions != 1 || forgotten.Threads != 1 {
		t.Errorf("DELETE /admin/visitors = %+v, want a session and a thread", forgotten)
	}
	if got := export("key=kiosk-1"); strings.Contains(got, mine) || strings.Contains(got, threaded) {
		t.Errorf("the export after that = %s", got)
	}
	contains(t, "the export of another", export("key=kiosk-2"), other)
	s.stop()
	for mark, there := range map[string]bool{mine: false, threaded: false, other: true} {
		if inFiles(t, data, mark) != there {
			t.Errorf("%s is in the files: %v, want %v", mark, !there, there)
		}
	}
}
