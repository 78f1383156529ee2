package langgraph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// people are who there may be, and what the server knows of them.
var people = map[string]door.Caller{
	"a kiosk":         {Role: door.Visitor, Key: "kiosk-1", Network: "192.0.2.1/32"},
	"another kiosk":   {Role: door.Visitor, Key: "kiosk-2", Network: "192.0.2.1/32"},
	"the owner":       {Role: door.Owner, Key: "boss", Network: "192.0.2.1/32"},
	"another owner":   {Role: door.Owner, Key: "partner", Network: "192.0.2.1/32"},
	"an operator":     {Role: door.Operator, Key: "root", Network: "192.0.2.1/32"},
	"this machine":    {Role: door.Visitor, Local: true, Operates: true, Network: "127.0.0.1/32"},
	"another address": {Role: door.Visitor, Network: "203.0.113.5/32"},
	"an unknown one":  {Role: door.Visitor, Network: "invalid"},
}

// mountFor serves the door to whoever the header Who names.
func mountFor(d door.Door) http.Handler {
	engine := gin.New()
	for _, r := range d.Routes {
		engine.Handle(r.Method, r.Path, func(c *gin.Context) {
			door.SetCaller(c, people[c.GetHeader("Who")])
			if err := r.Handle(c); err != nil && !c.Writer.Written() {
				d.Fail(c, door.Explain(err, ""))
			}
		})
	}
	return engine
}

const secret = "PRIVATE-APPOINTMENT"

// about are the bodies with which routes are asked that need more than an assistant.
var about = map[string]string{
	"/threads/:id/state/checkpoint": `{"checkpoint":"CHECKPOINT"}`,
	"/threads/:id/commands":         `{"id":1,"method":"state.get"}`,
	"/threads/:id/stream/events":    `{"channels":["values","messages"]}`,
	"/threads/:id/state":            `{"values":{"text":"mine now"},"as_node":"echo"}`,
	"/threads/:id/runs/crons":       `{"assistant_id":"probe","schedule":"0 0 1 1 *"}`,
	"/threads/:id/history":          `{}`,
	"/threads/:id/runs":             `{"assistant_id":"probe","input":{"mode":"echo"},"if_not_exists":"create"}`,
}

// TestRoutesByMaker asks for every route that leads to a thread or a run, by everybody, with keys and
// without, for what everybody made. What one made is there for them and for operators; for anybody else
// there is nothing, and nothing of it changes.
func TestRoutesByMaker(t *testing.T) {
	d := New(newService(t), Options{CancelRuns: true})
	server := httptest.NewServer(mountFor(d))
	defer server.Close()
	s := site{t, server.URL}
	tried := 0
	for maker := range people {
		made := s.make(maker)
		for who, caller := range people {
			if who == maker || caller.Role == door.Operator {
				if got := s.do(
					"GET",
					"/threads/"+made.thread+"/state",
					"",
					"Who",
					who,
				); got.status != 200 ||
					!bytes.Contains(got.body, []byte(secret)) {
					t.Errorf("what %s made, for %s = %d %s", maker, who, got.status, got.body)
				}
				continue
			}
			for _, r := range d.Routes {
				if !strings.Contains(r.Path, "/threads/:id") && !strings.Contains(r.Path, "/runs/:id") {
					continue
				}
				tried++
				body := about[r.Path]
				if body == "" {
					body = `{"assistant_id":"probe","input":{"mode":"echo"}}`
				}
				s.deny(r, made, who, body)
			}
		}
		if got := s.do(
			"GET",
			"/threads/"+made.thread+"/state",
			"",
			"Who",
			maker,
		); got.status != 200 ||
			!bytes.Equal(got.body, made.state) {
			t.Errorf("what %s made is after that %d %s, want %s", maker, got.status, got.body, made.state)
		}
	}
	if tried < 1000 {
		t.Errorf("%d cells were tried, want the whole table", tried)
	}
}

// what somebody made.
type what struct {
	thread, run, checkpoint string
	state                   []byte
}

func (s site) make(who string) (made what) {
	s.Helper()
	var thread, run struct {
		Thread string `json:"thread_id"`
		Run    string `json:"run_id"`
	}
	read := func(r received, to any) {
		s.Helper()
		if err := json.Unmarshal(r.body, to); err != nil || r.status != 200 {
			s.Fatalf("%s: %d %s", who, r.status, r.body)
		}
	}
	read(s.do("POST", "/threads", `{}`, "Who", who), &thread)
	read(
		s.do(
			"POST",
			"/threads/"+thread.Thread+"/runs",
			`{"assistant_id":"probe","input":{"mode":"echo","text":"`+secret+`"}}`,
			"Who",
			who,
		),
		&run,
	)
	if got := s.do(
		"GET",
		"/threads/"+thread.Thread+"/runs/"+run.Run+"/join",
		"",
		"Who",
		who,
	); got.status != 200 ||
		!bytes.Contains(got.body, []byte(secret)) {
		s.Fatalf("%s: %d %s", who, got.status, got.body)
	}
	state := s.do("GET", "/threads/"+thread.Thread+"/state", "", "Who", who)
	var at struct{ Checkpoint checkpointRef }
	read(state, &at)
	return what{thread.Thread, run.Run, at.Checkpoint.ID, state.body}
}

// deny asks for what somebody else made.
func (s site) deny(r door.Route, made what, who, body string) {
	s.Helper()
	id := made.thread
	if strings.HasPrefix(r.Path, "/runs/") {
		id = made.run
	}
	path := strings.NewReplacer(":id", id, ":run", made.run, ":checkpoint", made.checkpoint).Replace(r.Path)
	body = strings.ReplaceAll(body, "CHECKPOINT", made.checkpoint)
	headers := []string{"Who", who}
	if r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/stream/events") {
		headers = append(
			headers,
			"Connection",
			"Upgrade",
			"Upgrade",
			"websocket",
			"Sec-WebSocket-Version",
			"13",
			"Sec-WebSocket-Key",
			"AAAAAAAAAAAAAAAAAAAAAA==",
		)
	}
	got := s.do(r.Method, path, body, headers...)
	refused := got.status == http.StatusNotFound
	if strings.HasSuffix(r.Path, "/commands") { // replies have errors of their own
		refused = bytes.Contains(got.body, []byte(`"type":"error"`))
	}
	if !refused || bytes.Contains(got.body, []byte(secret)) {
		s.Errorf("%s %s for %s = %d %s, want 404", r.Method, r.Path, who, got.status, got.body)
	}
}

// TestSearchesByMaker: searches, too, find only what is there for the caller.
func TestSearchesByMaker(t *testing.T) {
	server := httptest.NewServer(mountFor(New(newService(t), Options{})))
	defer server.Close()
	s := site{t, server.URL}
	for who := range people {
		s.make(who)
	}
	for who, want := range map[string]string{"this machine": "1", "an operator": "8"} {
		got := s.do("POST", "/threads/search", `{"limit":100}`, "Who", who)
		if n := got.header.Get("X-Pagination-Total"); n != want || got.status != 200 {
			t.Errorf("threads that %s finds = %s (%d), want %s", who, n, got.status, want)
		}
	}
}

// TestLongHistoryIsCut: whoever leaves while a history is being sent ends it.
func TestLongHistoryIsCut(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	for range 3 {
		s.do(
			"POST",
			"/threads/"+thread+"/runs/wait",
			`{"assistant_id":"probe","input":{"mode":"echo","text":"`+strings.Repeat("x", 1<<20)+`"}}`,
		)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(
		ctx,
		http.MethodPost,
		s.url+"/threads/"+thread+"/history",
		strings.NewReader(`{"limit":1000}`),
	)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	cancel()
	if _, err := response.Body.Read(make([]byte, 1)); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("Read = %v", err)
	}
	got := s.do("POST", "/threads/"+thread+"/history", `{"limit":1000}`)
	var states []threadState
	if err := json.Unmarshal(got.body, &states); err != nil || len(states) == 0 || len(got.body) > 16<<20 {
		t.Errorf("the history has %d states in %d bytes, %v", len(states), len(got.body), err)
	}
}

// TestChargedForEach: a batch is charged for each of its runs, and a socket for each of its
// commands.
func TestChargedForEach(t *testing.T) {
	d := New(newService(t), Options{})
	engine := gin.New()
	charged := make(chan int, 10)
	for _, r := range d.Routes {
		engine.Handle(r.Method, r.Path, func(c *gin.Context) {
			door.SetCaller(c, people["a kiosk"])
			door.SetCharge(c, func(n int) error { charged <- n; return nil })
			if err := r.Handle(c); err != nil && !c.Writer.Written() {
				d.Fail(c, door.Explain(err, ""))
			}
		})
	}
	server := httptest.NewServer(engine)
	defer server.Close()
	s := site{t, server.URL}
	one := `{"assistant_id":"probe","input":{"mode":"echo"}}`
	if got := s.do("POST", "/runs/batch", "["+one+","+one+","+one+"]"); got.status != 200 {
		t.Fatalf("POST /runs/batch = %d %s", got.status, got.body)
	}
	if n := <-charged; n != 2 {
		t.Errorf("a batch of three is charged for %d besides itself, want 2", n)
	}
	l := s.dial("3f0b6f5e-7c0a-4b0e-9b57-2f1c7d6c9a11")
	l.send(`{"id":1,"method":"subscription.subscribe","params":{"channels":["values"]}}`)
	l.send(`{"id":2,"method":"run.start","params":{"assistant_id":"probe","input":{"mode":"echo"}}}`)
	if a, b := <-charged, <-charged; a+b != 2 {
		t.Errorf("two commands are charged for %d", a+b)
	}
}

// TestLargeCommands: on a socket a visitor may say as much at once as in a request, and an operator more.
func TestLargeCommands(t *testing.T) {
	server := httptest.NewServer(mountFor(New(newService(t), Options{VisitorBody: 1 << 10, MaxBody: 1 << 20})))
	defer server.Close()
	address := "ws" + strings.TrimPrefix(server.URL, "http") +
		"/threads/3f0b6f5e-7c0a-4b0e-9b57-2f1c7d6c9a11/stream/events"
	for who, want := range map[string]websocket.StatusCode{
		"a kiosk": websocket.StatusMessageTooBig, "an operator": -1, // which is none
	} {
		header := websocket.DialOptions{HTTPHeader: http.Header{"Who": {who}}}
		conn, _, err := websocket.Dial(t.Context(), address, &header) //nolint:bodyclose // a socket has none
		if err != nil {
			t.Fatal(err)
		}
		large := `{"id":1,"method":"` + strings.Repeat("x", 2<<10) + `"}`
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(large)); err != nil {
			t.Fatal(err)
		}
		_, _, err = conn.Read(t.Context())
		if got := websocket.CloseStatus(err); got != want {
			t.Errorf("%s who says 2 KiB: closed with %d, want %d", who, got, want)
		}
		_ = conn.CloseNow()
	}
}
