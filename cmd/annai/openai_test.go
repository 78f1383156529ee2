package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/internal/config"
	"annai/server"
	"annai/server/door"
	"annai/server/gate"
	"annai/web"
)

// TestOpenAI asks the demonstration venue through the door for clients of OpenAI.
func TestOpenAI(t *testing.T) {
	none := config.Model{Provider: "none"}
	a := opened(t, config.Config{SessionIdle: time.Minute, Deadline: time.Minute, SourceDeadline: time.Minute, Model: none, FallbackModel: none})
	turns := gate.New(a.concierge, gate.Options{})
	d, err := newOpenAI(a, turns, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Parts{
		Gate: turns, Concierge: a.concierge, Events: a.events, Venue: a.venue, Tools: a.tools, Kiosk: web.Kiosk(), Now: a.now, Doors: []door.Door{d},
	}, server.Options{})
	ask := func(model, words string) string {
		body, err := json.Marshal(map[string]any{"model": model, "stream": true, "messages": []map[string]string{{"role": "user", "content": words}}})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/chat/completions", bytes.NewReader(body))
		r.Host, r.RemoteAddr = "127.0.0.1:8080", "127.0.0.1:5000"
		r.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(w, r)
		return w.Body.String()
	}
	if got := ask("annai", "開館時間は？"); !strings.Contains(got, `"content":"[relaxed]開館時間は、9時から22時までです。\n"`) || !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Errorf("the hours are %s", got)
	}
	if got := ask("annai-utility", "### Task:\nJSON: { \"follow_ups\": [] }\n<chat_history>\nUSER: hello\n</chat_history>"); !strings.Contains(got, a.venue.Suggestions[0].EN) {
		t.Errorf("questions to ask next are %s, want the venue's", got)
	}
}
