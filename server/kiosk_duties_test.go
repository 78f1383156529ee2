package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/internal/auditlog"
	"annai/nodes/display"
	"annai/server/keys"
	"annai/tools/calendar"
)

// staffFixture is a server whose webhook fails the first so many times.
func staffFixture(t *testing.T, fails int, audit *bytes.Buffer) (*fixture, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var told []string
	f := setup{more: func(p *Parts) {
		p.Audit = auditlog.To(audit, slog.New(slog.DiscardHandler))
		p.CallStaff = func(_ context.Context, id string, body []byte) error {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, id+" "+string(body))
			if len(told) <= fails {
				return fmt.Errorf("webhook: %w", fault.ErrUnavailable)
			}
			return nil
		}
	}}.fixture(t)
	f.staff.pause = func(context.Context, time.Duration) {}
	return f, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return told
	}
}

// Staff are told once, after tries that failed; calls from the same place that follow are that call.
func TestStaffCall(t *testing.T) {
	var audit bytes.Buffer
	f, told := staffFixture(t, 2, &audit)
	call := func(id, device string) (api.StaffCallResponse, int) {
		w := f.do(t, "POST", "/staff-calls", `{"id":"`+id+`","language":"en"}`, "X-Device", device)
		if w.Code != http.StatusOK {
			checkEnvelope(t, w, w.Code, map[int]string{503: api.CodeUnavailable, 429: api.CodeRateLimited}[w.Code])
			return api.StaffCallResponse{}, w.Code
		}
		return decode[api.StaffCallResponse](t, w), w.Code
	}
	if got, _ := call("call-0001", "door"); got.ID != "call-0001" || got.At != "2026-01-14T12:00:00+09:00" {
		t.Errorf("first call = %+v, want it told at noon", got)
	}
	if n := len(told()); n != 3 {
		t.Fatalf("webhook was sent %d times, want 3: twice it failed", n)
	}
	if got, _ := call("call-0002", "door"); got.ID != "call-0001" || len(told()) != 3 {
		t.Errorf("second call a moment later = %+v after %d messages, want the first call again", got, len(told()))
	}
	if got, _ := call("call-0003", "hall"); got.ID != "call-0003" || len(told()) != 4 {
		t.Errorf("call from elsewhere = %+v, want one of its own", got)
	}
	var message staffMessage
	id, body, _ := strings.Cut(told()[0], " ")
	if err := json.Unmarshal([]byte(body), &message); err != nil || id != "msg_call-0001" {
		t.Fatalf("message %s %s: %v", id, body, err)
	}
	if message.Type != "staff.called" || message.Data.Device != "door" || !strings.Contains(message.Text, "エンジニアカフェ") {
		t.Errorf("message = %+v, want who calls and where", message)
	}
	for _, want := range []string{`"route":"/staff-calls"`, `"device":"door"`} {
		if !strings.Contains(audit.String(), want) {
			t.Errorf("audit log = %s, want the call with its kiosk", &audit)
		}
	}
	metrics := f.do(t, "GET", "/metrics", "").Body.String()
	if !strings.Contains(metrics, `annai_staff_calls_total{device="other",outcome="delivered"} 2`) {
		t.Errorf("figures have not the calls of kiosks that nobody heard of")
	}
}

// What could not be delivered is said to be so, and may be tried again, five times in ten minutes.
func TestStaffCallFails(t *testing.T) {
	var audit bytes.Buffer
	f, told := staffFixture(t, 1000, &audit)
	for i := range 6 {
		w := f.do(t, "POST", "/staff-calls", fmt.Sprintf(`{"id":"call-%04d"}`, i))
		want := http.StatusServiceUnavailable
		if i == 5 {
			want = http.StatusTooManyRequests
		}
		if w.Code != want {
			t.Errorf("call %d = %d %s, want %d", i, w.Code, w.Body, want)
		}
	}
	if n := len(told()); n != 15 {
		t.Errorf("webhook was tried %d times, want three times for each of five calls", n)
	}
	w := newFixture(t, Options{}).do(t, "POST", "/staff-calls", `{"id":"call-0001"}`)
	if w.Code != http.StatusNotFound {
		t.Errorf("call without a webhook = %d, want 404", w.Code)
	}
}

// Whether answers help is counted once for each, with no names but those that are known.
func TestFeedback(t *testing.T) {
	f := newFixture(t, Options{})
	f.do(t, "POST", "/heartbeat", `{"version":"abc"}`, "X-Device", "door")
	for _, test := range []struct {
		body, device string
		status       int
	}{
		{`{"runId":"r1","route":"event","helpful":true}`, "door", 204},
		{`{"runId":"r1","route":"event","helpful":false}`, "door", 204}, // the first word counts
		{`{"runId":"r2","route":"event","helpful":false}`, "stranger", 204},
		{`{"runId":"r3","route":"made up","helpful":true}`, "", 400},
		{`{"runId":"r4","route":"event","helpful":"yes"}`, "", 400},
		{`{"route":"event","helpful":true}`, "", 400},
	} {
		if w := f.do(t, "POST", "/feedback", test.body, "X-Device", test.device); w.Code != test.status {
			t.Errorf("POST /feedback %s = %d, want %d", test.body, w.Code, test.status)
		}
	}
	metrics := f.do(t, "GET", "/metrics", "").Body.String()
	for _, want := range []string{
		`annai_feedback_total{device="door",helpful="true",node="event"} 1`,
		`annai_feedback_total{device="other",helpful="false",node="event"} 1`,
		`annai_kiosk_last_seen_timestamp_seconds{device="door",version="abc"} 1.7683596e+09`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("figures have no %s", want)
		}
	}
	if strings.Contains(metrics, "stranger") || strings.Contains(metrics, `helpful="false",node="event"} 2`) {
		t.Error("figures have what a client made up")
	}
}

// There are never more kiosks than are remembered, in the list or in figures.
func TestKiosksAreBounded(t *testing.T) {
	f := newFixture(t, Options{})
	now := noon
	f.parts.Now = func() time.Time { now = now.Add(time.Second); return now }
	for i := range maxKiosks + 10 {
		name := fmt.Sprintf("kiosk-%03d", i)
		w := f.do(t, "POST", "/heartbeat", `{"version":"v","language":"ja"}`, "X-Device", name)
		if w.Code != http.StatusNoContent {
			t.Fatalf("heartbeat of %s = %d %s", name, w.Code, w.Body)
		}
		word := fmt.Sprintf(`{"runId":"r%d","route":"event","helpful":true}`, i)
		f.do(t, "POST", "/feedback", word, "X-Device", name)
	}
	got := decode[api.KiosksResponse](t, f.do(t, "GET", "/admin/kiosks", "")).Kiosks
	if len(got) != maxKiosks || got[0].Device != "kiosk-073" || got[0].Address != "127.0.0.1" {
		t.Errorf("%d kiosks, the first %+v, want %d and the one heard of last", len(got), got[0], maxKiosks)
	}
	metrics := f.do(t, "GET", "/metrics", "").Body.String()
	if strings.Contains(metrics, "kiosk-009") || !strings.Contains(metrics, "kiosk-010") {
		t.Error("figures have kiosks that were forgotten, or lack others")
	}
	for _, name := range []string{"", "a b", strings.Repeat("a", 41), "案内"} {
		if w := f.do(t, "POST", "/heartbeat", `{"version":"v"}`, "X-Device", name); w.Code != http.StatusBadRequest {
			t.Errorf("heartbeat of %q = %d, want 400", name, w.Code)
		}
	}
}

func TestCorner(t *testing.T) {
	f := setup{more: func(p *Parts) { p.Code = "246810" }}.fixture(t)
	try := func(code, from string) int {
		return f.do(t, "POST", "/corner", `{"code":"`+code+`"}`, "from", from).Code
	}
	if got := try("246810", "127.0.0.1:1"); got != http.StatusNoContent {
		t.Errorf("the right code = %d, want 204", got)
	}
	for i := range 5 {
		want := http.StatusForbidden
		if i == 4 {
			want = http.StatusTooManyRequests
		}
		if got := try("24681", "127.0.0.1:1"); got != want {
			t.Errorf("wrong code %d = %d, want %d", i, got, want)
		}
	}
	if got := try("246810", "127.0.0.1:1"); got != http.StatusTooManyRequests {
		t.Errorf("the right code after too many = %d, want 429", got)
	}
	if w := newFixture(t, Options{}).do(t, "POST", "/corner", `{"code":"246810"}`); w.Code != http.StatusNotFound {
		t.Errorf("corner without a code = %d, want 404", w.Code)
	}
}

// handoverFixture is a server that telephones reach.
func handoverFixture(t *testing.T, now func() time.Time) *fixture {
	t.Helper()
	return setup{
		options: Options{Hosts: []string{"guide.example"}}, keys: keys.Settings{Owner: ownerKey},
		more: func(p *Parts) {
			p.PublicURL, p.Now, p.SessionIdle = "https://guide.example", now, 3*time.Minute
			p.CalendarFile = func(cards []api.Card, language string, _ time.Time) []byte {
				events := display.EventsOf(cards, language)
				if len(events) == 0 {
					return nil
				}
				return fmt.Appendf(nil, "%s at %s", events[0].Title, events[0].Start.UTC())
			}
		},
	}.fixture(t)
}

// An answer is taken along by who asked, for as long as its session lives.
func TestHandover(t *testing.T) {
	now := noon
	f := handoverFixture(t, func() time.Time { return now })
	ask := func(session string, headers ...string) string {
		w := f.do(t, "POST", "/query", `{"query":"secret question","sessionId":"`+session+`"}`, headers...)
		return decode[api.QueryResponse](t, w).RunID
	}
	give := func(session, run string, headers ...string) (string, int) {
		w := f.do(t, "POST", "/handovers", `{"sessionId":"`+session+`","runId":"`+run+`"}`, headers...)
		if w.Code != http.StatusOK {
			return "", w.Code
		}
		return strings.TrimPrefix(decode[api.HandoverResponse](t, w).URL, "https://guide.example"), w.Code
	}
	run := ask("one")
	page, _ := give("one", run, "Host", "localhost:8080")
	if !regexp.MustCompile(`^/phone/[A-Z2-7]{26}$`).MatchString(page) {
		t.Fatalf("page = %q, want one that can't be guessed", page)
	}
	w := f.do(t, "GET", page, "", "Host", "guide.example", "from", "203.0.113.9:1")
	text := html.UnescapeString(w.Body.String())
	file := base64.StdEncoding.EncodeToString([]byte("TypeScript勉強会 at 2026-01-15 10:00:00 +0000 UTC"))
	for _, want := range []string{"TypeScript勉強会", "今週はイベントが1件あります。", file, "カレンダーに追加"} {
		if !strings.Contains(text, want) {
			t.Errorf("page has no %q:\n%s", want, text)
		}
	}
	if w.Code != http.StatusOK || strings.Contains(text, "secret") || w.Header().Get("X-Robots-Tag") == "" {
		t.Errorf("page = %d %v, want it without the question and for nobody else", w.Code, w.Header())
	}
	for name, try := range map[string][]string{
		"another session": {"two", run}, "another run": {"one", "r"},
		"another caller": {"one", run, "from", "203.0.113.9:1"},
	} {
		if _, status := give(try[0], try[1], try[2:]...); status != http.StatusNotFound {
			t.Errorf("taken along by %s = %d, want 404", name, status)
		}
	}
	owner := []string{"Authorization", "Bearer " + ownerKey}
	if _, status := give("mine", ask("mine", owner...), owner...); status != http.StatusNotFound {
		t.Errorf("an owner's answer = %d, want 404", status)
	}
	f.do(t, "DELETE", "/sessions/one", "")
	if w := f.do(t, "GET", page, ""); w.Code != http.StatusGone || strings.Contains(w.Body.String(), "TypeScript") {
		t.Errorf("page after its session was forgotten = %d, want 410 and nothing of it", w.Code)
	}
	page, _ = give("three", ask("three"))
	now = now.Add(3 * time.Minute)
	if w := f.do(t, "GET", page, ""); w.Code != http.StatusGone {
		t.Errorf("page after three minutes = %d, want 410", w.Code)
	}
	w = newFixture(t, Options{}).do(t, "POST", "/handovers", `{"sessionId":"s","runId":"r"}`)
	if w.Code != http.StatusNotFound {
		t.Errorf("handover without public-url = %d, want 404", w.Code)
	}
}

// The page speaks one language, in its calendar file too, and the file has the pictures of the events.
func TestHandoverInOneLanguage(t *testing.T) {
	f := handoverFixture(t, func() time.Time { return noon })
	var events []calendar.Event
	f.parts.CalendarFile = func(cards []api.Card, language string, _ time.Time) []byte {
		events = display.EventsOf(cards, language)
		return nil
	}
	ids := map[string]string{}
	for language, want := range map[string]string{"ja": "もくもく会", "en": "Mokumoku Night"} {
		asked := f.do(t, "POST", "/query", `{"query":"q","sessionId":"`+language+`"}`)
		run, last := decode[api.QueryResponse](t, asked).RunID, f.handovers.all[len(f.handovers.all)-1]
		page, _, err := f.handovers.give(language, last.caller, run, "")
		if err != nil {
			t.Fatal(err)
		}
		one := f.handovers.pages[page]
		one.answer.Language = language
		one.answer.Cards = []api.Card{{
			Type: "event", Title: "もくもく会 (Mokumoku Night)", Start: "2026-01-15T19:00:00+09:00",
			End: "2026-01-15T21:00:00+09:00", Picture: "/pictures/one.jpg",
		}, {Type: "passage", Title: "設備 / Wi-Fi"}}
		text := f.do(t, "GET", phonePath+page, "").Body.String()
		if !strings.Contains(text, "<h2>"+want+"</h2>") || !strings.Contains(text, "<h2>設備</h2>") {
			t.Errorf("page in %s has not the titles %q and 設備:\n%s", language, want, text)
		}
		const picture = "https://guide.example/pictures/one.jpg"
		if len(events) != 1 || events[0].Title != want || events[0].Picture != picture {
			t.Errorf("events of the page in %s = %+v, want %q with its picture", language, events, want)
		}
		ids[language] = events[0].ID
	}
	if ids["ja"] != ids["en"] {
		t.Errorf("events are %v, want one for both languages", ids)
	}
}

// However many answers there are, so many are held.
func TestHandoversAreBounded(t *testing.T) {
	f := handoverFixture(t, func() time.Time { return noon })
	for i := range maxHandovers + 5 {
		f.do(t, "POST", "/query", fmt.Sprintf(`{"query":"q","sessionId":"s%d"}`, i))
	}
	if all := f.handovers.all; len(all) != maxHandovers || all[0].session != "s5" {
		t.Errorf("%d answers are held, the first of %s, want %d and the latest", len(all), all[0].session, maxHandovers)
	}
}

// Whoever asks without end takes no room of others.
func TestHandoversOfOthers(t *testing.T) {
	h := handoverFixture(t, func() time.Time { return noon }).handovers
	answer := api.QueryResponse{SessionID: "s", RunID: "r", Speech: []api.Sentence{{Text: "Yes."}}}
	h.remember(dialog.Turn{Caller: "visitor one"}, answer)
	for range 2 * maxHandovers {
		h.remember(dialog.Turn{Caller: "visitor two"}, answer)
	}
	if _, _, err := h.give("s", "visitor one", "r", ""); err != nil || len(h.all) != maxHandovers {
		t.Errorf("the answer of one who asked once: %v, of %d; want it among %d", err, len(h.all), maxHandovers)
	}
}

// The answers to the suggestions are made once in half an hour, and those that are unsure are not kept.
func TestKept(t *testing.T) {
	now, asked := noon, 0
	unsure := false
	f := setup{more: func(p *Parts) {
		p.Now = func() time.Time { return now }
		p.Rehearse = func(_ context.Context, question, language string) (api.QueryResponse, error) {
			asked++
			answer := api.QueryResponse{Speech: []api.Sentence{{Text: language + " " + question, Emotion: "happy"}}}
			if unsure {
				answer.Metadata.SourceStatus = map[string]string{"calendar": "error"}
			}
			return answer, nil
		}
	}}.fixture(t)
	get := func() api.KeptResponse { return decode[api.KeptResponse](t, f.do(t, "GET", "/kept?language=en", "")) }
	first := get()
	if len(first.Answers) != 1 || first.Apology.Text == "" {
		t.Fatalf("GET /kept = %+v, want the answer to the suggestion and an apology", first)
	}
	if got := first.Answers[0].Sentences[0].Text; got != "en What's on today?" {
		t.Errorf("kept answer = %q, want that to the suggestion", got)
	}
	get()
	if asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
	now, unsure = now.Add(keptFor), true
	if again := get(); asked != 2 || len(again.Answers) != 0 {
		t.Errorf("half an hour later asked %d times with %+v, want the answer that is unsure left out", asked, again)
	}
}
