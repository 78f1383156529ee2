package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"annai/internal/auditlog"
	"annai/server/door"
	"annai/server/keys"
)

// TestAudit: what owners and operators do, what is erased and who is refused is kept, with no word
// of a visitor, no query and no key; what visitors ask is not.
func TestAudit(t *testing.T) {
	var out bytes.Buffer
	f := setup{
		keys: keys.Settings{Ask: askKey, Owner: ownerKey, Admin: adminKey}, doors: []door.Door{rolesDoor()},
		more: func(p *Parts) { p.Audit = auditlog.To(&out, slog.New(slog.DiscardHandler)) },
	}.fixture(t)
	const from = "192.0.2.7"
	send := func(method, path, body, key string) {
		headers := []string{"from", from + ":1", "X-Request-Id", "r1"}
		if key != "" {
			headers = append(headers, "Authorization", "Bearer "+key)
		}
		f.do(t, method, path, body, headers...)
	}
	for _, c := range []struct {
		method, path, body, key string
		want                    *auditlog.Entry // nil: none
	}{
		{"POST", "/query", goodBody, askKey, nil},
		{"GET", "/healthz", "", adminKey, nil},
		{"GET", "/metrics", "", adminKey, nil},
		{"GET", "/nowhere", "", adminKey, nil},
		{"GET", "/venue", "", ownerKey, nil},
		{"POST", "/query", `{"query":"今週のイベントは？","sessionId":"desk"}`, ownerKey, &auditlog.Entry{
			Key: keys.OwnerKey, Role: "owner", Route: "/query", Outcome: auditlog.Done, Status: 200,
			Object: map[string]string{"session": "desk"},
		}},
		{"DELETE", "/sessions/kiosk-1", "", askKey, &auditlog.Entry{
			Key: keys.AskKey, Role: "ask", Route: "/sessions/:id", Outcome: auditlog.Done, Status: 204,
			Object: map[string]string{"id": "kiosk-1"},
		}},
		{"POST", "/fake/operator/thing?secret=SECRETMARK", "", adminKey, &auditlog.Entry{
			Key: keys.AdminKey, Role: "admin", Route: "/fake/operator/:id", Outcome: auditlog.Done, Status: 200,
			Object: map[string]string{"id": "thing"},
		}},
		{"POST", "/fake/operator/thing", "", askKey, &auditlog.Entry{
			Key: keys.AskKey, Role: "ask", Route: "/fake/operator/:id", Outcome: auditlog.Refused, Status: 403,
		}},
		{"POST", "/query", goodBody, "WRONGMARK", &auditlog.Entry{
			Route: "/query", Outcome: auditlog.Refused, Status: 401,
		}},
		{"POST", "/query", goodBody, "", &auditlog.Entry{Route: "/query", Outcome: auditlog.Refused, Status: 401}},
	} {
		out.Reset()
		send(c.method, c.path, c.body, c.key)
		if c.want == nil {
			if out.Len() > 0 {
				t.Errorf("%s %s is kept: %s", c.method, c.path, out.String())
			}
			continue
		}
		var got auditlog.Entry
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Errorf("%s %s is kept as %q: %v", c.method, c.path, out.String(), err)
			continue
		}
		w := *c.want
		if got.Key != w.Key || got.Role != w.Role || got.Route != w.Route || got.Outcome != w.Outcome ||
			got.Status != w.Status || got.Address != from || got.Method != c.method || got.RequestID != "r1" {
			t.Errorf("%s %s is kept as %s, want %+v", c.method, c.path, out.String(), w)
		}
		for kind, id := range w.Object {
			if got.Object[kind] != id {
				t.Errorf("%s %s: objects are %v, want %v", c.method, c.path, got.Object, w.Object)
			}
		}
		for _, never := range []string{"MARK", "イベント", askKey, ownerKey, adminKey} {
			if strings.Contains(out.String(), never) {
				t.Errorf("%s %s: %s is in %s", c.method, c.path, never, out.String())
			}
		}
	}
}

// TestRefusalsDoNotFillTheDisk: who is refused all the time is soon refused without a line, and a
// right key from there comes in all the same.
func TestRefusalsDoNotFillTheDisk(t *testing.T) {
	var out bytes.Buffer
	var log lockedWriter
	var lines bytes.Buffer
	log.w = &lines
	f := setup{
		keys: keys.Settings{Ask: askKey}, options: Options{Log: slog.New(slog.NewTextHandler(&log, nil))},
		more: func(p *Parts) { p.Audit = auditlog.To(&out, slog.New(slog.DiscardHandler)) },
	}.fixture(t)
	codes := map[int]int{}
	for range 200 {
		codes[f.do(t, "GET", "/venue", "").Code]++
		codes[f.do(t, "GET", "/metrics", "", "X-Api-Key", askKey).Code]++
		codes[f.do(t, "GET", "/venue", "", "Host", "evil.example").Code]++
	}
	if codes[http.StatusUnauthorized] != guesses || codes[http.StatusTooManyRequests] != 200-guesses {
		t.Errorf("without a key: %v, want %d times 401, then 429", codes, guesses)
	}
	kept, told := strings.Count(out.String(), "\n"), strings.Count(lines.String(), "\n")
	if kept > refusals || told > refusals {
		t.Errorf("%d lines are kept and %d told, want at most %d", kept, told, refusals)
	}
	if w := f.do(t, "GET", "/venue", "", "X-Api-Key", askKey); w.Code != http.StatusOK {
		t.Errorf("with the right key = %d, want 200", w.Code)
	}
}
