package server

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/tools/calendar"
)

func TestEvents(t *testing.T) {
	f := newFixture(t, Options{})
	w := f.do(t, "GET", "/events?from=2026-01-01&to=2026-01-31", "")
	want := api.EventsResponse{
		Events: []api.Event{
			{ID: "camp", CalendarID: "events", Title: "冬の合宿", Start: "2026-01-15", End: "2026-01-17", AllDay: true, Status: "cancelled"},
			{
				ID: "ts", CalendarID: "events", Title: "TypeScript勉強会", Start: "2026-01-15T19:00:00+09:00", End: "2026-01-15T21:00:00+09:00",
				Location: "3F", Description: "参加者30名募集中です。", URL: "https://example.org/ts", Status: "confirmed",
			},
		},
		Window:   api.Window{Start: "2026-01-01T00:00:00+09:00", End: "2026-02-01T00:00:00+09:00", Timezone: "Asia/Tokyo"},
		Complete: true, AsOf: "2026-01-14T11:30:00+09:00",
	}
	if diff := cmp.Diff(want, decode[api.EventsResponse](t, w)); diff != "" {
		t.Errorf("GET /events (-want +got):\n%s", diff)
	}
}

func TestEventsWindow(t *testing.T) {
	f := newFixture(t, Options{})
	for query, want := range map[string][3]string{
		"":                              {"2026-01-14", "2026-01-21", "Asia/Tokyo"},
		"from=2026-02-01":               {"2026-02-01", "2026-02-08", "Asia/Tokyo"},
		"to=2026-01-14":                 {"2026-01-14", "2026-01-15", "Asia/Tokyo"},
		"from=2026-01-01&to=2026-01-01": {"2026-01-01", "2026-01-02", "Asia/Tokyo"},
		"from=2024-01-01&to=2024-12-31": {"2024-01-01", "2025-01-01", "Asia/Tokyo"},
		"from=2026-03-29&to=2026-03-29&timezone=Europe/Paris": {"2026-03-29", "2026-03-30", "Europe/Paris"},
		"timezone=Pacific/Honolulu":                           {"2026-01-13", "2026-01-20", "Pacific/Honolulu"},
	} {
		w := f.do(t, "GET", "/events?"+query, "")
		if w.Code != http.StatusOK {
			t.Errorf("GET /events?%s: status = %d, body %s", query, w.Code, w.Body)
			continue
		}
		location := mustZone(want[2])
		start, end := civil.DateOf(f.calendar.window.Start), civil.DateOf(f.calendar.window.End)
		got := [3]string{start.String(), end.String(), f.calendar.window.Location().String()}
		if got != want || f.calendar.window != civil.Days(start, end, location) {
			t.Errorf("GET /events?%s reads %v, want %v", query, f.calendar.window, want)
		}
	}
}

func TestEventsRefuses(t *testing.T) {
	f := newFixture(t, Options{})
	for query, field := range map[string]string{
		"from=tomorrow":                 "from",
		"from=2026-02-30":               "from",
		"from=2026-1-1":                 "from",
		"from=2026-01-01T00:00:00Z":     "from",
		"from=0001-01-01":               "from",
		"from=9999-12-31":               "from",
		"to=x":                          "to",
		"from=2026-01-31&to=2026-01-30": "to",
		"from=2026-01-01&to=2027-01-02": "to",
		"timezone=Tokyo":                "timezone",
		"timezone=Local":                "timezone",
		"timezone=../UTC":               "timezone",
	} {
		e := checkEnvelope(t, f.do(t, "GET", "/events?"+query, ""), http.StatusBadRequest, api.CodeInvalid)
		if len(e.Error.Details) != 1 || e.Error.Details[0].Field != field {
			t.Errorf("GET /events?%s: details = %v, want field %s", query, e.Error.Details, field)
		}
	}
}

func TestEventsDegraded(t *testing.T) {
	f := newFixture(t, Options{})
	f.calendar.listing = calendar.Listing{Problems: []calendar.Problem{{CalendarID: "b", Err: errors.New("GET http://10.0.0.1/secret.ics")}}}
	w := f.do(t, "GET", "/events", "")
	got := decode[api.EventsResponse](t, w)
	if got.Complete || got.Events == nil || got.AsOf != "" || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("GET /events = %s, want an incomplete empty list without problems", w.Body)
	}
	f.calendar.err = fmt.Errorf("read /var/calendar.ics: %w", fault.ErrUnavailable)
	w = f.do(t, "GET", "/events", "")
	checkEnvelope(t, w, http.StatusServiceUnavailable, api.CodeUnavailable)
	checkNoLeak(t, w.Body.String())
	f.calendar.err = fmt.Errorf("read: %w: %w", fault.ErrUnavailable, context.DeadlineExceeded)
	checkEnvelope(t, f.do(t, "GET", "/events", ""), http.StatusGatewayTimeout, api.CodeDeadline)
}

func TestSessions(t *testing.T) {
	f := newFixture(t, Options{})
	var ended []string
	f.concierge.end = func(id string) error { ended = append(ended, id); return nil }
	for _, path := range []string{"/sessions/kiosk-1", "/sessions/a%2Fb%20c", "/sessions/%E5%AE%A2"} {
		if w := f.do(t, "DELETE", path, ""); w.Code != http.StatusNoContent || w.Body.Len() > 0 {
			t.Errorf("DELETE %s = %d %s, want 204", path, w.Code, w.Body)
		}
	}
	if diff := cmp.Diff([]string{"kiosk-1", "a/b c", "客"}, ended); diff != "" {
		t.Errorf("sessions ended (-want +got):\n%s", diff)
	}
	for _, path := range []string{"/sessions/a%0Ab", "/sessions/%FF", "/sessions/" + strings.Repeat("a", 129)} {
		checkEnvelope(t, f.do(t, "DELETE", path, ""), http.StatusBadRequest, api.CodeInvalid)
	}
	f.concierge.end = func(string) error { return fault.ErrUnavailable }
	checkEnvelope(t, f.do(t, "DELETE", "/sessions/a", ""), http.StatusServiceUnavailable, api.CodeUnavailable)
}

func TestGraph(t *testing.T) {
	f := newFixture(t, Options{})
	drawing := f.concierge.Drawing()
	got := decode[api.GraphResponse](t, f.do(t, "GET", "/graph", ""))
	want := api.GraphResponse{
		Mermaid: drawing.Mermaid(), DOT: drawing.DOT(),
		Nodes: []api.Node{{Name: "__start__"}, {Name: "event", Subgraph: &api.Subgraph{
			Nodes: []api.Node{{Name: "__start__"}, {Name: "calendar"}, {Name: "__end__"}},
			Edges: []api.Edge{{From: "__start__", To: "calendar"}, {From: "calendar", To: "__end__", Joined: true}},
		}}, {Name: "__end__"}},
		Edges: []api.Edge{{From: "__start__", To: "event", Conditional: true, Label: "public"}, {From: "event", To: "__end__"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("GET /graph (-want +got):\n%s", diff)
	}
	for format, text := range map[string]string{"mermaid": drawing.Mermaid(), "dot": drawing.DOT()} {
		w := f.do(t, "GET", "/graph?format="+format, "")
		if w.Body.String() != text || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("GET /graph?format=%s = %s %q, want %q", format, w.Header().Get("Content-Type"), w.Body, text)
		}
	}
	checkEnvelope(t, f.do(t, "GET", "/graph?format=svg", ""), http.StatusBadRequest, api.CodeInvalid)
}

func TestVenue(t *testing.T) {
	want := api.VenueResponse{
		Name: api.LocalText{JA: "エンジニアカフェ", EN: "Engineer Cafe"}, Timezone: "Asia/Tokyo", Website: "https://example.org", Demo: true,
		Now: "2026-01-14T12:00:00+09:00", IdleSeconds: 180, Suggestions: []api.LocalText{{JA: "今日のイベントは？", EN: "What's on today?"}},
		Kiosk: api.VenueKiosk{Volume: 100, Hours: []api.VolumeHours{}},
	}
	if diff := cmp.Diff(want, decode[api.VenueResponse](t, newFixture(t, Options{}).do(t, "GET", "/venue", ""))); diff != "" {
		t.Errorf("GET /venue (-want +got):\n%s", diff)
	}
}

func TestEmotions(t *testing.T) {
	got := decode[api.EmotionsResponse](t, newFixture(t, Options{}).do(t, "GET", "/emotions", ""))
	if diff := cmp.Diff(dialog.Emotions(), got); diff != "" {
		t.Errorf("GET /emotions (-want +got):\n%s", diff)
	}
}

func TestHealth(t *testing.T) {
	f := newFixture(t, Options{Version: "1.2.3"})
	if got, want := decode[api.ReadyResponse](t, f.do(t, "GET", "/healthz", "")), (api.ReadyResponse{Status: "ok", Version: "1.2.3"}); !cmp.Equal(got, want) {
		t.Errorf("GET /healthz = %+v, want %+v", got, want)
	}
	for _, test := range []struct {
		listing calendar.Listing
		err     error
		want    string
	}{
		{calendar.Listing{Complete: true}, nil, "ok"}, {calendar.Listing{}, nil, "degraded"}, {calendar.Listing{}, fault.ErrUnavailable, "error"},
	} {
		f.calendar.listing, f.calendar.err = test.listing, test.err
		w := f.do(t, "GET", "/readyz", "")
		want := api.ReadyResponse{Status: "ok", Version: "1.2.3", Parts: map[string]string{"calendar": test.want, "kiosk": "ok"}}
		if got := decode[api.ReadyResponse](t, w); w.Code != http.StatusOK || !cmp.Equal(got, want) {
			t.Errorf("GET /readyz = %d %+v, want 200 %+v", w.Code, got, want)
		}
	}
}

func TestMetrics(t *testing.T) {
	f := newFixture(t, Options{})
	f.do(t, "POST", "/query", goodBody)
	f.do(t, "POST", "/query", `{"query":""}`)
	f.do(t, "GET", "/made-up-by-a-scanner", "")
	f.do(t, "BREW", "/query", "")
	f.concierge.ask = func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
		answer := sampleAnswer(turn)
		answer.Metadata.SourceStatus = map[string]string{"calendar": "error", "knowledge_base": "ok"}
		answer.Interrupt = &api.Interrupt{ID: "i"}
		yield(dialog.Final{QueryResponse: answer}, nil)
	}
	f.do(t, "POST", "/query", `{"query":"a","stream":true}`)
	f.concierge.ask = func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
		yield(nil, fault.ErrConflict)
	}
	f.do(t, "POST", "/query", goodBody)
	text := f.do(t, "GET", "/metrics", "").Body.String()
	for _, want := range []string{
		`annai_http_requests_total{door="annai",method="POST",route="/query",status="200"} 2`,
		`annai_http_requests_total{door="annai",method="POST",route="/query",status="400"} 1`,
		`annai_http_requests_total{door="annai",method="POST",route="/query",status="409"} 1`,
		`annai_http_requests_total{door="none",method="any",route="none",status="404"} 1`,
		`annai_http_requests_total{door="none",method="any",route="none",status="405"} 1`,
		`annai_http_request_duration_seconds_count{route="/query",status="200"} 2`,
		`annai_turns_total{node="event",outcome="answered"} 1`,
		`annai_turns_total{node="event",outcome="asked"} 1`,
		`annai_turns_total{node="",outcome="failed"} 1`,
		`annai_source_failures_total{source="calendar"} 1`,
		`annai_active_runs 0`,
		`go_goroutines`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("GET /metrics lacks %s", want)
		}
	}
	if strings.Contains(text, "scanner") || strings.Contains(text, "BREW") {
		t.Error("GET /metrics has labels that a client made up")
	}
}

func TestKiosk(t *testing.T) {
	f := newFixture(t, Options{})
	for path, want := range map[string]struct{ mediaType, cache string }{
		"/kiosk":                           {"text/html; charset=utf-8", "no-cache"},
		"/kiosk/":                          {"text/html; charset=utf-8", "no-cache"},
		"/kiosk/index.html":                {"text/html; charset=utf-8", "no-cache"},
		"/kiosk/akari.svg":                 {"image/svg+xml", "no-cache"},
		"/kiosk/sw.js":                     {"text/javascript; charset=utf-8", "no-cache"},
		"/kiosk/assets/index-B1x9_aZ3.js":  {"text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		"/kiosk/assets/index-Qw12er34.css": {"text/css; charset=utf-8", "public, max-age=31536000, immutable"},
	} {
		w := f.do(t, "GET", path, "")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != want.mediaType || w.Header().Get("Cache-Control") != want.cache {
			t.Errorf("GET %s = %d %v, want 200 %+v", path, w.Code, w.Header(), want)
		}
		if csp := w.Header().Get("Content-Security-Policy"); csp != strict || strings.Contains(csp, "unsafe") {
			t.Errorf("GET %s: Content-Security-Policy = %q", path, csp)
		}
		if scope := w.Header().Get("Service-Worker-Allowed"); (scope == "/kiosk") != strings.HasSuffix(path, "sw.js") {
			t.Errorf("GET %s: Service-Worker-Allowed = %q", path, scope)
		}
		again := f.do(t, "GET", path, "", "If-None-Match", w.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("GET %s again = %d, want 304 without body", path, again.Code)
		}
	}
	for _, path := range []string{"/kiosk/../server.go", "/kiosk/%2e%2e/go.mod", "/kiosk/assets", "/kiosk/assets/", "/kiosk//index.html", "/kiosk/a.js"} {
		checkEnvelope(t, f.do(t, "GET", path, ""), http.StatusNotFound, api.CodeNotFound)
	}
	if w := f.do(t, "GET", "/", ""); w.Code != http.StatusFound || w.Header().Get("Location") != "/kiosk" {
		t.Errorf("GET / = %d to %q, want 302 to /kiosk", w.Code, w.Header().Get("Location"))
	}
}

func TestKioskCompressed(t *testing.T) {
	f := newFixture(t, Options{})
	w := f.do(t, "GET", "/kiosk", "", "Accept-Encoding", "br, gzip")
	if w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("GET /kiosk with gzip: headers %v", w.Header())
	}
	r, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil || string(text) != string(sampleKiosk()["index.html"].Data) {
		t.Errorf("GET /kiosk, unpacked = %q, %v", text, err)
	}
	if w := f.do(t, "GET", "/kiosk/akari.svg", "", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Error("a small file is compressed")
	}
}

// TestKioskMissing checks that questions are answered without the page.
func TestKioskMissing(t *testing.T) {
	f := newFixture(t, Options{})
	f.kiosk = loadPages(fstest.MapFS{"other.html": {}})
	w := f.do(t, "GET", "/kiosk", "")
	checkEnvelope(t, w, http.StatusInternalServerError, api.CodeInternal)
	checkNoLeak(t, w.Body.String())
	if got := decode[api.ReadyResponse](t, f.do(t, "GET", "/readyz", "")); got.Parts["kiosk"] != "error" {
		t.Errorf("GET /readyz = %+v, want kiosk error", got)
	}
	if w := f.do(t, "POST", "/query", goodBody); w.Code != http.StatusOK {
		t.Errorf("POST /query = %d without a page, want 200", w.Code)
	}
}
