package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/graph"
	"annai/internal/text"
	"annai/nodes/display"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/keys"
	"annai/tools/calendar"
	"annai/venue"
)

var (
	tokyo = mustZone("Asia/Tokyo")
	// noon is the clock of all tests: Wednesday, 14 January 2026, in Tokyo.
	noon = time.Date(2026, 1, 14, 12, 0, 0, 0, tokyo)
)

func mustZone(name string) *time.Location {
	location, ok := zone(name)
	if !ok {
		panic(name)
	}
	return location
}

// fakeConcierge answers with what it was given. Its zero value answers every turn with sampleAnswer.
type fakeConcierge struct {
	// ask replaces the events of a turn.
	ask func(ctx context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool)
	// end and sweep replace EndSession and Sweep.
	end   func(id string) error
	sweep func(ctx context.Context) (int, error)

	mu    sync.Mutex
	turns []dialog.Turn
}

func (f *fakeConcierge) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	f.mu.Lock()
	f.turns = append(f.turns, turn)
	f.mu.Unlock()
	return func(yield func(dialog.Event, error) bool) {
		if f.ask != nil {
			f.ask(ctx, turn, yield)
			return
		}
		for _, e := range sampleEvents(turn) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (f *fakeConcierge) Answer(ctx context.Context, turn dialog.Turn) (api.QueryResponse, error) {
	events := f.Ask(ctx, turn)
	if f.ask == nil {
		return sampleAnswer(turn), nil
	}
	for event, err := range events {
		if err != nil {
			return api.QueryResponse{}, err
		}
		if final, ok := event.(dialog.Final); ok {
			return final.QueryResponse, nil
		}
	}
	return api.QueryResponse{}, ctx.Err()
}

func (f *fakeConcierge) EndSession(_ context.Context, s dialog.Session) error {
	if f.end != nil {
		return f.end(s.ID)
	}
	return nil
}

func (f *fakeConcierge) Sweep(ctx context.Context) (int, error) {
	if f.sweep != nil {
		return f.sweep(ctx)
	}
	return 0, nil
}

func (f *fakeConcierge) Drawing() graph.Drawing {
	inside := graph.Drawing{
		Name: "event", Nodes: []graph.DrawnNode{{Name: graph.Start}, {Name: "calendar"}, {Name: graph.End}},
		Edges: []graph.DrawnEdge{{From: graph.Start, To: "calendar"}, {From: "calendar", To: graph.End, Joined: true}},
	}
	return graph.Drawing{
		Name: "concierge", Nodes: []graph.DrawnNode{{Name: graph.Start}, {Name: "event", Subgraph: &inside}, {Name: graph.End}},
		Edges: []graph.DrawnEdge{{From: graph.Start, To: "event", Conditional: true, Label: "public"}, {From: "event", To: graph.End}},
	}
}

// last returns the turn that was asked last.
func (f *fakeConcierge) last(t testing.TB) dialog.Turn {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.turns) == 0 {
		t.Fatal("the concierge was not asked")
	}
	return f.turns[len(f.turns)-1]
}

func sampleAnswer(turn dialog.Turn) api.QueryResponse {
	session := turn.SessionID
	if session == "" {
		session = "made-up"
	}
	return api.QueryResponse{
		Text:    "[happy]今週は以下のイベントがあります：\n\n- TypeScript勉強会\n  時間: 2026年1月15日(木) 19:00〜21:00",
		Emotion: "excited", AgentName: "EventAgent", Language: "ja",
		Metadata: api.Metadata{
			Confidence: 0.8, Category: "events", Sources: []string{"calendar", "knowledge_base"},
			ProcessingInfo: api.ProcessingInfo{Route: "event", RoutedBy: "rule", TimingsMS: map[string]float64{"total": 3.1}},
			SourceStatus:   map[string]string{"calendar": "ok", "knowledge_base": "ok"},
			TimeRange:      &api.TimeRange{Name: "thisWeek", Start: "2026-01-12T00:00:00+09:00", End: "2026-01-19T00:00:00+09:00", Explicit: true},
			AgentName:      "EventAgent", Language: "ja", RequestID: turn.RequestID,
		},
		Speech: []api.Sentence{
			{Text: "今週はイベントが1件あります。", Emotion: "happy"}, {Text: "15日、木曜日の19時から、TypeScript勉強会です。", Emotion: "happy"},
		},
		VRM: api.VRM{Expression: "happy", Intensity: 1, Gesture: "present"},
		Cards: []api.Card{{
			Type: "event", Title: "TypeScript勉強会", Start: "2026-01-15T19:00:00+09:00", End: "2026-01-15T21:00:00+09:00", Location: "3F",
		}},
		Suggestions: []string{"来週は？", "場所はどこ？"},
		SessionID:   session, RunID: turn.RunID,
	}
}

func sampleEvents(turn dialog.Turn) []dialog.Event {
	answer := sampleAnswer(turn)
	events := []dialog.Event{
		dialog.Started{RunStarted: api.RunStarted{RunID: turn.RunID, SessionID: answer.SessionID, Language: "ja"}},
		dialog.Progress{NodeProgress: api.NodeProgress{Node: "event", LabelJA: "予定を確認しています", LabelEN: "Checking the calendar"}},
		dialog.Progress{NodeProgress: api.NodeProgress{Node: "event", LabelJA: "予定を確認しています", LabelEN: "Checking the calendar", MS: 1.5}, Done: true},
	}
	for i, s := range answer.Speech {
		events = append(events, dialog.Sentence{SpokenSentence: api.SpokenSentence{Index: i, Text: s.Text, Emotion: s.Emotion}})
	}
	return append(events,
		dialog.Cards{Cards: api.Cards{Cards: answer.Cards}},
		dialog.Suggestions{Suggestions: api.Suggestions{Suggestions: answer.Suggestions}},
		dialog.Final{QueryResponse: answer},
	)
}

// fakeCalendar answers every read with what it was given.
type fakeCalendar struct {
	listing calendar.Listing
	err     error
	window  civil.TimeRange
}

func (f *fakeCalendar) Events(_ context.Context, window civil.TimeRange) (calendar.Listing, error) {
	f.window = window
	return f.listing, f.err
}

// sent reads the calendar for GET /events.
func (f *fakeCalendar) sent(ctx context.Context, window civil.TimeRange) (api.EventsResponse, error) {
	listing, err := f.Events(ctx, window)
	return display.Listing(listing, window), err
}

func sampleListing() calendar.Listing {
	return calendar.Listing{
		Complete: true, AsOf: time.Date(2026, 1, 14, 2, 30, 0, 0, time.UTC),
		Events: []calendar.Event{
			{
				ID: "camp", CalendarID: "events", Title: "冬の合宿", AllDay: true,
				FirstDay: civil.Date{Year: 2026, Month: 1, Day: 15}, EndDay: civil.Date{Year: 2026, Month: 1, Day: 18}, Status: calendar.Cancelled,
			},
			{
				ID: "ts", CalendarID: "events", Title: "TypeScript勉強会", Location: "3F", Description: "参加者30名募集中です。", URL: "https://example.org/ts",
				Start: time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC), End: time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC), Status: calendar.Confirmed,
			},
		},
	}
}

func sampleKiosk() fstest.MapFS {
	return fstest.MapFS{
		"index.html":                {Data: []byte("<!doctype html><title>annai</title>" + strings.Repeat("<p>案内</p>", 200))},
		"assets/index-B1x9_aZ3.js":  {Data: []byte("export {}")},
		"assets/index-Qw12er34.css": {Data: []byte("body {}")},
		"akari.svg":                 {Data: []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")},
		"sw.js":                     {Data: []byte("self")},
	}
}

// fixture is a server with everything faked.
type fixture struct {
	*Server
	concierge *fakeConcierge
	calendar  *fakeCalendar
	log       *bytes.Buffer
}

// What package httpd holds to, for tests that count.
const (
	guesses      = 30
	refusals     = 60
	keysEvery    = 2 * time.Second
	stall        = 30 * time.Second
	preflightAge = "600"
)

// stopped makes the server one that was told to stop.
func (f *fixture) stopped(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Serve(ctx, idleListener{make(chan struct{})}); err != nil {
		t.Fatal(err)
	}
}

func newFixture(t testing.TB, opts Options) *fixture {
	t.Helper()
	return setup{options: opts}.fixture(t)
}

// setup is what a fixture is made of; its zero value has nothing but fakes.
type setup struct {
	options Options
	gate    gate.Options
	doors   []door.Door
	keys    keys.Settings
	// keyFolder has named keys.
	keyFolder string
	// more changes the parts.
	more func(*Parts)
}

func (s setup) fixture(t testing.TB) *fixture {
	t.Helper()
	var store keys.Store
	if s.keyFolder != "" {
		store = keys.In(s.keyFolder)
	}
	ring, err := keys.NewRing(t.Context(), s.keys, store, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{concierge: &fakeConcierge{}, calendar: &fakeCalendar{listing: sampleListing()}, log: &bytes.Buffer{}}
	if s.options.Log == nil {
		s.options.Log = slog.New(slog.NewTextHandler(&lockedWriter{w: f.log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	figures := NewFigures()
	s.gate.Observe = figures.Turn
	parts := Parts{
		Gate: gate.New(f.concierge, s.gate), Figures: figures, Doors: s.doors, Keys: ring,
		Concierge: f.concierge, Events: f.calendar.sent, Kiosk: sampleKiosk(), Now: func() time.Time { return noon },
		Venue: &venue.Venue{
			Name: venue.Text{JA: "エンジニアカフェ", EN: "Engineer Cafe"}, Timezone: "Asia/Tokyo", Location: tokyo, Website: "https://example.org", Demo: true,
			Suggestions: []venue.Text{{JA: "今日のイベントは？", EN: "What's on today?"}},
		},
	}
	if s.more != nil {
		s.more(&parts)
	}
	f.Server = New(parts, s.options)
	return f
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// do sends one request. Headers are name, value, name, value; a body without Content-Type is JSON.
func (f *fixture) do(t testing.TB, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Host, r.RemoteAddr = "localhost:8080", "127.0.0.1:40000"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		switch headers[i] {
		case "Host":
			r.Host = headers[i+1]
			continue
		case "from": // no header: the address that the request comes from
			r.RemoteAddr = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, r)
	return w
}

// decode reads a JSON answer.
func decode[T any](t testing.TB, w *httptest.ResponseRecorder) T {
	t.Helper()
	var value T
	if got, want := w.Header().Get("Content-Type"), "application/json; charset=utf-8"; got != want {
		t.Fatalf("Content-Type = %q, want %q; body %s", got, want, w.Body)
	}
	d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("body %s: %v", w.Body, err)
	}
	return value
}

// checkEnvelope checks that the answer is the envelope with this status and code, and can be spoken.
func checkEnvelope(t testing.TB, w *httptest.ResponseRecorder, status int, code string) api.ErrorResponse {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status = %d, want %d; body %s", w.Code, status, w.Body)
	}
	e := decode[api.ErrorResponse](t, w)
	if e.Error.Code != code {
		t.Errorf("error.code = %q, want %q", e.Error.Code, code)
	}
	checkSpoken(t, e)
	if id := w.Header().Get("X-Request-Id"); id == "" || id != e.RequestID {
		t.Errorf("requestId = %q, X-Request-Id = %q, want the same", e.RequestID, id)
	}
	return e
}

func checkSpoken(t testing.TB, e api.ErrorResponse) {
	t.Helper()
	tag := tags[e.Emotion]
	said, tagged := strings.CutPrefix(e.Text, tag)
	if tag == "" || !tagged || said == "" || strings.ContainsAny(said, "[]") {
		t.Errorf("text = %q with emotion %q, want words after %s", e.Text, e.Emotion, tag)
	}
	want := map[string]string{"ja": "ja", "en": "en"}[e.Language]
	if want == "" || text.Language(said) != want {
		t.Errorf("text = %q, want it in language %q", e.Text, e.Language)
	}
	if e.Error.Message == "" {
		t.Error("error.message is empty")
	}
}

const goodBody = `{"query":"今週のイベントは？"}`
