package langgraph

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
)

// site is a server that is asked.
type site struct {
	testing.TB

	url string
}

type received struct {
	status int
	header http.Header
	body   []byte
}

func (s site) do(method, path, body string, header ...string) received {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	return received{response.StatusCode, response.Header, data}
}

func (s site) thread() string {
	s.Helper()
	var t struct {
		ID string `json:"thread_id"`
	}
	if err := json.Unmarshal(s.do("POST", "/threads", "{}").body, &t); err != nil {
		s.Fatal(err)
	}
	return t.ID
}

func TestStatuses(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	const nobody = "00000000-0000-4000-8000-000000000000"
	for _, test := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/ok", "", 200},
		{"GET", "/nowhere", "", 404},
		{"POST", "/runs/wait", "{nope", 400},
		{"POST", "/runs/wait", `{"assistant_id":7}`, 422},
		{"POST", "/runs/wait", `{"input":{}}`, 422},
		{"POST", "/runs/wait", `{"assistant_id":"nobody"}`, 404},
		{"POST", "/runs/stream", `{"assistant_id":"probe","stream_mode":"loud"}`, 422},
		{"POST", "/runs/wait", `{"assistant_id":"probe","webhook":"ftp://x","input":{}}`, 422},
		{"POST", "/runs/crons", `{"assistant_id":"probe","schedule":"* * * * *","webhook":"http://a:b@x"}`, 422},
		{"POST", "/threads/" + nobody + "/runs/wait", `{"assistant_id":"probe"}`, 404},
		{"GET", "/threads/" + nobody, "", 404},
		{"POST", "/threads", `{"thread_id":"` + thread + `"}`, 409},
		{"POST", "/threads", `{"thread_id":"mine"}`, 422},
		{"GET", "/threads/" + thread + "/runs/" + nobody + "/join", "", 404},
		{"POST", "/threads/" + thread + "/state", `{"values":{}}`, 422},
		{"POST", "/threads/search", `{"limit":100000}`, 422},
		{"POST", "/assistants/probe/latest", `{"version":9}`, 404},
		{"PUT", "/store/items", `{"namespace":[],"key":"k","value":{}}`, 422},
		{"GET", "/store/items?namespace=a.b&key=c", "", 404},
		{"DELETE", "/store/items", `{"namespace":["a"],"key":"c"}`, 204},
		{"POST", "/runs/crons", `{"assistant_id":"probe","schedule":"often"}`, 422},
		{"POST", "/threads/" + thread + "/commands", `{"method":"run.start"}`, 422},
	} {
		got := s.do(test.method, test.path, test.body)
		if got.status != test.want {
			t.Errorf("%s %s %s = %d %s, want %d", test.method, test.path, test.body, got.status, got.body, test.want)
		}
		if got.status/100 == 4 && test.path != "/nowhere" && !bytes.Contains(got.body, []byte(`{"detail":"`)) {
			t.Errorf("%s %s: body %s, want a detail", test.method, test.path, got.body)
		}
	}
}

// A body is JSON, whatever it says it is.
func TestPlainText(t *testing.T) {
	s := site{t, serve(t)}
	got := s.do("POST", "/runs/wait", `{"assistant_id":"probe","input":{"mode":"echo","text":"b"}}`, "Content-Type", "text/plain")
	if got.status != 200 || !bytes.Contains(got.body, []byte(`"text":"b"`)) {
		t.Errorf("POST /runs/wait as text = %d %s, want the text b", got.status, got.body)
	}
	if where := got.header.Get("Content-Location"); !strings.HasPrefix(where, "/runs/") {
		t.Errorf("Content-Location = %q, want /runs/…", where)
	}
}

// events reads a stream of server-sent events.
func events(t testing.TB, body io.Reader) (names, ids []string) {
	t.Helper()
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			names = append(names, name)
		}
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			ids = append(ids, id)
		}
	}
	return names, ids
}

func TestStreamAndResume(t *testing.T) {
	s := site{t, serve(t)}
	path := "/threads/" + s.thread() + "/runs"
	body := `{"assistant_id":"probe","input":{"mode":"custom","n":2},"stream_mode":["values","custom","updates","debug"],"stream_resumable":true}`
	got := s.do("POST", path+"/stream", body)
	names, ids := events(t, bytes.NewReader(got.body))
	want := []string{"metadata", "debug", "debug", "values", "debug", "custom", "custom", "debug", "updates", "debug", "values"}
	if d := cmp.Diff(want, names); d != "" {
		t.Fatalf("events (-want +got):\n%s", d)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(ids)))) != len(ids) {
		t.Errorf("ids = %q, want each once", ids)
	}
	again := got.header.Get("Location")
	if again != got.header.Get("Content-Location")+"/stream" {
		t.Fatalf("Location = %q, want the stream below Content-Location", again)
	}
	for at, id := range ids {
		_, rest := events(t, bytes.NewReader(s.do("GET", again, "", "Last-Event-ID", id).body))
		if d := cmp.Diff(ids[at+1:], rest, cmp.Transformer("", func(s []string) string { return strings.Join(s, " ") })); d != "" {
			t.Errorf("events after %s (-want +got):\n%s", id, d)
		}
	}
	if names, _ := events(t, bytes.NewReader(s.do("GET", again+"?stream_mode=custom", "", "Last-Event-ID", "-1").body)); !slices.Equal(names, []string{"metadata", "custom", "custom"}) {
		t.Errorf("replay of custom events only = %q", names)
	}
	whole := s.do("GET", again+"?stream_mode=", "", "Last-Event-ID", "-1").body
	if names, _ := events(t, bytes.NewReader(whole)); len(names) != len(want) {
		t.Errorf("replay where the mode is empty, as the Python client sends it = %q", names)
	}
	if names, _ := events(t, bytes.NewReader(s.do("GET", again, "").body)); len(names) != 0 {
		t.Errorf("join of a run that has ended, without a replay = %q, want nothing", names)
	}
}

func TestPagination(t *testing.T) {
	s := site{t, serve(t)}
	for range 3 {
		s.thread()
	}
	for offset, next := range []string{"2", "3", ""} {
		got := s.do("POST", "/threads/search", fmt.Sprintf(`{"limit":%d,"offset":%d}`, 1+min(1, 1-min(offset, 1)), offset))
		if total := got.header.Get("X-Pagination-Total"); total != "3" {
			t.Errorf("X-Pagination-Total at %d = %q, want 3", offset, total)
		}
		if offset == 2 && got.header.Get("X-Pagination-Next") != "" {
			t.Errorf("X-Pagination-Next on the last page = %q", got.header.Get("X-Pagination-Next"))
		}
		if offset == 0 && got.header.Get("X-Pagination-Next") != next {
			t.Errorf("X-Pagination-Next on the first page = %q, want %s", got.header.Get("X-Pagination-Next"), next)
		}
	}
}

// settled waits until there are not more goroutines than there were.
func settled(t *testing.T, before int) {
	t.Helper()
	again, late := time.NewTicker(5*time.Millisecond), time.After(2*time.Minute)
	defer again.Stop()
	for runtime.NumGoroutine() > before {
		select {
		case <-again.C: // sockets tell nobody when they are closed
			http.DefaultClient.CloseIdleConnections()
		case <-late:
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines are left, there were %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// Clients that leave, or do not read, on each kind of stream leave nothing behind, and a run that nobody wants is cancelled.
func TestClientsThatLeave(t *testing.T) {
	server := httptest.NewServer(mount(New(newService(t), Options{Heartbeat: 10 * time.Millisecond}))) // so that each answer begins soon
	defer server.Close()
	s := site{t, server.URL}
	thread := s.thread()
	s.do("POST", "/runs/wait", `{"assistant_id":"probe","input":{"mode":"echo"}}`)
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	slow := `{"assistant_id":"probe","input":{"mode":"slow","delay_ms":3600000},"stream_mode":["custom","values"],"on_disconnect":"cancel"}`
	for range 5 {
		for _, path := range []string{"/runs/stream", "/runs/wait", "/threads/" + thread + "/stream", "/threads/" + thread + "/stream/events"} {
			s.leave(path, slow)
		}
		s.leaveSocket("/threads/" + thread + "/stream/events")
	}
	settled(t, before)
}

// leave asks, and goes away once the answer has begun.
func (s site) leave(path, body string) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.Context())
	defer cancel()
	method := http.MethodPost
	if strings.HasSuffix(path, "/stream") && strings.HasPrefix(path, "/threads") {
		method = http.MethodGet
	}
	if strings.HasSuffix(path, "/events") {
		body = `{"channels":["values","lifecycle"]}`
	}
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	cancel()
	_ = response.Body.Close()
}

func (s site) leaveSocket(path string) {
	s.Helper()
	conn, _, err := websocket.Dial(s.Context(), "ws"+strings.TrimPrefix(s.url, "http")+path, nil) //nolint:bodyclose // a socket has none
	if err != nil {
		s.Fatal(err)
	}
	subscribe := `{"id":1,"method":"subscription.subscribe","params":{"channels":["values"]}}`
	if err := conn.Write(s.Context(), websocket.MessageText, []byte(subscribe)); err != nil {
		s.Fatal(err)
	}
	if _, data, err := conn.Read(s.Context()); err != nil || !bytes.Contains(data, []byte(`"subscription_id":"sub-1"`)) {
		s.Fatalf("reply to subscribe = %s %v", data, err)
	}
	_ = conn.CloseNow()
}

// A line is a socket as a client of it sees it.
type line struct {
	testing.TB
	conn *websocket.Conn
}

type socketMessage struct {
	Type, Method, Error string
	ID                  *int
	Seq                 int64
	Params              struct{ Data json.RawMessage }
	Result              struct {
		Replayed int `json:"replayed_events"`
	}
}

func (s site) dial(thread string) line {
	s.Helper()
	conn, _, err := websocket.Dial(s.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/threads/"+thread+"/stream/events", nil) //nolint:bodyclose // a socket has none
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = conn.CloseNow() })
	return line{s.TB, conn}
}

func (l line) send(text string) {
	l.Helper()
	if err := l.conn.Write(l.Context(), websocket.MessageText, []byte(text)); err != nil {
		l.Fatal(err)
	}
}

func (l line) next() (m socketMessage) {
	l.Helper()
	ctx, cancel := context.WithTimeout(l.Context(), time.Minute)
	defer cancel()
	_, data, err := l.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		l.Fatal(err)
	}
	return m
}

// Who subscribes twice in one breath to what is over is sent the state before the first copy of the end.
func TestSocketAfterwards(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	s.do("POST", "/threads/"+thread+"/commands", `{"id":1,"method":"run.start","params":{"assistant_id":"probe","input":{"mode":"echo","text":"x"}}}`)
	first := s.dial(thread)
	first.send(`{"id":1,"method":"subscription.subscribe","params":{"channels":["lifecycle"]}}`)
	for !bytes.Contains(first.next().Params.Data, []byte(`"completed"`)) {
	}
	l := s.dial(thread)
	l.send(`{"id":1,"method":"subscription.subscribe","params":{"channels":["lifecycle"]}}`)
	l.send(`{"id":2,"method":"subscription.subscribe","params":{"channels":["values","lifecycle"]}}`)
	values := 0
	for ends := 0; ends < 2; {
		m := l.next()
		if m.Method == "values" {
			values++
		}
		if bytes.Contains(m.Params.Data, []byte(`"completed"`)) {
			ends++
			if values == 0 {
				t.Error("the end of the run came before its values")
			}
		}
	}
}

// Subscriptions of a socket are told of a run in the order of the log, and later ones of what was before.
func TestSocket(t *testing.T) {
	s := site{t, serve(t)}
	l := s.dial("3f0b6f5e-7c0a-4b0e-9b57-2f1c7d6c9a11")
	l.send(`{"id":1,"method":"subscription.subscribe","params":{"channels":["lifecycle"]}}`)
	l.send(`{"id":2,"method":"subscription.subscribe","params":{"channels":["values","lifecycle"]}}`)
	l.send(`{"id":3,"method":"run.start","params":{"assistant_id":"probe","input":{"mode":"echo","text":"x"}}}`)
	var methods []string
	last, ends := int64(0), 0
	for ends < 2 {
		m := l.next()
		if m.Type != "event" {
			continue
		}
		if m.Seq < last {
			t.Errorf("event %d came after %d", m.Seq, last)
		}
		last = m.Seq
		methods = append(methods, m.Method)
		if bytes.Contains(m.Params.Data, []byte(`"completed"`)) {
			ends++
		}
	}
	want := []string{"lifecycle", "lifecycle", "values", "values"}
	if d := cmp.Diff(want, methods[:4]); d != "" {
		t.Errorf("first events (-want +got):\n%s", d)
	}
	l.send(`{"id":4,"method":"subscription.subscribe","params":{"channels":["values"]}}`)
	if m := l.next(); m.ID == nil || *m.ID != 4 || m.Result.Replayed != 2 {
		t.Errorf("reply to a late subscription = %+v, want 2 events replayed", m)
	}
	if a, b := l.next(), l.next(); a.Method != "values" || b.Method != "values" {
		t.Errorf("replayed events = %s, %s, want values twice", a.Method, b.Method)
	}
	l.send(`{"id":5,"method":"subscription.unsubscribe","params":{"subscription_id":"none"}}`)
	if m := l.next(); m.Error != "no_such_subscription" {
		t.Errorf("reply to unsubscribe(none) = %+v", m)
	}
}

// TestNothingWritten: the state of a run that pauses before anything was written is an object.
func TestNothingWritten(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	got := s.do("POST", "/threads/"+thread+"/runs/wait", `{"assistant_id":"probe","interrupt_before":"*"}`)
	if body := string(got.body); got.status != 200 || body != `{"__interrupt__":[]}` {
		t.Errorf("POST runs/wait = %d %s, want 200 and no values", got.status, body)
	}
	var state struct{ Values map[string]any }
	err := json.Unmarshal(s.do("GET", "/threads/"+thread+"/state", "").body, &state)
	if err != nil || state.Values == nil {
		t.Errorf("GET state has the values %v, %v; want an object", state.Values, err)
	}
}
