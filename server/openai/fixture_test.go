package openai_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/graph"
	"annai/nlu"
	"annai/nodes"
	"annai/nodes/talk"
	"annai/rag"
	"annai/server"
	"annai/server/agentcore"
	"annai/server/dify"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/keys"
	"annai/server/navigator"
	"annai/server/openai"
	"annai/storage/mem"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	calendarmem "annai/tools/calendar/mem"
	"annai/venue"
)

// The keys of the server: of a visitor's front end, and of the owner of the calendars. Who sends none is a visitor too where none is asked for.
const (
	askKey   = "a key that visitors have"
	ownerKey = "a key that only the owner has"
)

// monday is the clock of all tests: Monday, 13 January 2025, ten o'clock in Tokyo.
var monday = time.Date(2025, 1, 13, 10, 0, 0, 0, time.FixedZone("JST", 9*60*60))

// A fixture is the server with this door, on a port of this machine.
type fixture struct {
	*httptest.Server

	asked *recorder
	log   *locked
}

// concierge is what a server needs of one.
type concierge interface {
	gate.Concierge
	server.Concierge
}

// recorder keeps the turns that were asked.
type recorder struct {
	concierge

	mu    sync.Mutex
	turns []dialog.Turn
}

func (r *recorder) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	r.mu.Lock()
	r.turns = append(r.turns, turn)
	r.mu.Unlock()
	return r.concierge.Ask(ctx, turn)
}

// last returns the last turn.
func (r *recorder) last(t testing.TB) dialog.Turn {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.turns) == 0 {
		t.Fatal("the concierge was not asked")
	}
	return r.turns[len(r.turns)-1]
}

// sessions returns those of the turns that were asked, in order.
func (r *recorder) sessions() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, turn := range r.turns {
		out = append(out, turn.SessionID)
	}
	return out
}

// settings are what a test may want to be different.
type settings struct {
	door   openai.Options
	gate   gate.Options
	server server.Options
	// guarded lets nobody in without a key.
	guarded bool
}

// newFixture serves the concierge.
func newFixture(t testing.TB, c concierge, with settings) *fixture {
	t.Helper()
	f := &fixture{asked: &recorder{concierge: c}, log: &locked{}}
	turns := gate.New(f.asked, with.gate)
	n := 0
	var mu sync.Mutex
	d, err := openai.New(openai.Parts{Concierge: turns, Now: func() time.Time { return monday }, NewID: func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprintf("id%d", n)
	}}, with.door)
	if err != nil {
		t.Fatal(err)
	}
	demo, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	known := keys.Settings{Owner: ownerKey}
	if with.guarded {
		known.Ask = askKey
	}
	ring, err := keys.NewRing(t.Context(), known, nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	with.server.Log = slog.New(slog.NewTextHandler(f.log, nil))
	s := server.New(server.Parts{
		Gate: turns, Concierge: c, Events: noEvents, Venue: demo, Keys: ring,
		Doors: append([]door.Door{d}, frontEnds(t, turns)...),
		Kiosk: fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}}, Now: func() time.Time { return monday },
	}, with.server)
	f.Server = httptest.NewServer(s.Handler())
	t.Cleanup(f.Close)
	return f
}

func noEvents(context.Context, civil.TimeRange) (api.EventsResponse, error) {
	return api.EventsResponse{}, nil
}

// frontEnds are the doors for front ends with a protocol of their own.
func frontEnds(t testing.TB, turns *gate.Gate) (doors []door.Door) {
	t.Helper()
	now := func() time.Time { return monday }
	apps, err := dify.New(dify.Parts{Gate: turns, Now: now, NewID: rand.Text}, dify.Options{})
	invocations, err2 := agentcore.New(agentcore.Parts{Gate: turns, Now: now, NewID: rand.Text})
	pages, err3 := navigator.New(navigator.Parts{Concierge: turns, Now: now, NewID: rand.Text}, navigator.Options{})
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	return []door.Door{apps, invocations, pages}
}

// logged returns what is in the server's log once it serves no one any more.
func (f *fixture) logged() string {
	f.Close()
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	return f.log.text.String()
}

type locked struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// A got is what came back. Its body is closed with the test.
type got struct {
	Status     string
	StatusCode int
	Header     http.Header
	Body       io.ReadCloser
}

// post sends a body, with headers name, value, name, value.
func (f *fixture) post(t testing.TB, path, body string, headers ...string) got {
	t.Helper()
	return f.do(t, http.MethodPost, path, body, headers...)
}

func (f *fixture) do(t testing.TB, method, path, body string, headers ...string) got {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, f.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w, err := f.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Body.Close() })
	return got{w.Status, w.StatusCode, w.Header, w.Body}
}

// text reads all of an answer.
func text(t testing.TB, w got) string {
	t.Helper()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// fake is a concierge whose answers a test writes.
type fake struct {
	// ask replaces the events of a turn. Nil: the words are said back.
	ask func(ctx context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool)
}

func (f *fake) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) {
		if f.ask != nil {
			f.ask(ctx, turn, yield)
			return
		}
		tell(yield, turn, reply("helpful", turn.Query+"。"))
	}
}

func (f *fake) Answer(ctx context.Context, turn dialog.Turn) (api.QueryResponse, error) {
	for event, err := range f.Ask(ctx, turn) {
		if err != nil {
			return api.QueryResponse{}, err
		}
		if final, ok := event.(dialog.Final); ok {
			return final.QueryResponse, nil
		}
	}
	return api.QueryResponse{}, io.ErrUnexpectedEOF
}

func (f *fake) EndSession(context.Context, dialog.Session) error { return nil }

func (f *fake) Sweep(context.Context) (int, error) { return 0, nil }

func (f *fake) Drawing() graph.Drawing { return graph.Drawing{} }

// faceOf is the table of faces, once more.
var faceOf = map[string]string{"excited": "happy", "helpful": "relaxed", "apologetic": "sad", "surprised": "surprised", "neutral": "neutral"}

// reply is an answer that says the sentences.
func reply(emotion string, said ...string) api.QueryResponse {
	a := api.QueryResponse{
		Text: "[" + faceOf[emotion] + "]" + strings.Join(said, ""), Emotion: emotion, AgentName: "InfoAgent", Language: "ja",
		Metadata: api.Metadata{Language: "ja", AgentName: "InfoAgent"},
	}
	for _, s := range said {
		a.Speech = append(a.Speech, api.Sentence{Text: s, Emotion: faceOf[emotion]})
	}
	return a
}

// tell yields the events of a whole turn.
func tell(yield func(dialog.Event, error) bool, turn dialog.Turn, a api.QueryResponse) {
	a.SessionID, a.RunID = turn.SessionID, turn.RunID
	started := api.RunStarted{RunID: turn.RunID, SessionID: turn.SessionID, Language: a.Language}
	if !yield(dialog.Started{RunStarted: started}, nil) {
		return
	}
	if !yield(dialog.Progress{NodeProgress: api.NodeProgress{Node: "event", LabelJA: "予定を確認しています", LabelEN: "Checking the calendar"}}, nil) {
		return
	}
	for i, s := range a.Speech {
		if !yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Index: i, Text: s.Text, Emotion: s.Emotion}}, nil) {
			return
		}
	}
	yield(dialog.Final{QueryResponse: a}, nil)
}

// knowledge finds a passage by any of its words.
type knowledge []struct {
	words   []string
	passage rag.Passage
}

func (k knowledge) Search(_ context.Context, q rag.Query) ([]rag.Hit, error) {
	var hits []rag.Hit
	for _, known := range k {
		for _, word := range known.words {
			if strings.Contains(strings.ToLower(q.Text), word) && (q.Lang == "" || q.Lang == known.passage.Lang) {
				hits = append(hits, rag.Hit{Passage: known.passage, Score: 1.5})
				break
			}
		}
	}
	return hits, nil
}

// asking reads all but greetings as questions that name what they are about.
type asking struct{}

func (asking) Read(utterance string, _ talk.Context) nlu.Reading {
	if utterance == "こんにちは" {
		return nlu.Reading{Act: nlu.ActGreets, Ask: nlu.AskNone}
	}
	return nlu.Reading{Act: nlu.ActAsks, Ask: nlu.AskWhatIs, Alone: nlu.AskWhatIs, Ref: nlu.RefNamed, Named: 1}
}

// nothing is an index that finds nothing.
func nothing(context.Context, []rag.Passage) (rag.Retriever, error) { return knowledge{}, nil }

// newConcierge is the real one, over events and passages whose words are hard to speak.
func newConcierge(t testing.TB, events calendar.Reader, known knowledge) *nodes.Concierge {
	t.Helper()
	v, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	v.Parts = nil // the passages below are all that is known
	own, err := agenda.New([]agenda.Calendar{{
		ID: "own", Label: map[string]string{"ja": "マイカレンダー", "en": "My calendar"}, Writer: calendarmem.New("own"),
	}}, agenda.Options{Location: v.Location, Now: func() time.Time { return monday }})
	if err != nil {
		t.Fatal(err)
	}
	c, err := nodes.New(nodes.Parts{
		Reader: asking{}, Index: nothing, Venue: v,
		Calendar: events, Agenda: own, Knowledge: known, Checkpointer: mem.New(),
		Understander: nlu.New(nlu.Options{VenueNames: []string{v.Name.JA, v.Name.EN}, Corrections: v.Corrections, StaffWords: v.Staff.Words}),
	}, nodes.Options{Now: func() time.Time { return monday }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var errBroken = fmt.Errorf("it broke: %w", fault.ErrUnavailable)
