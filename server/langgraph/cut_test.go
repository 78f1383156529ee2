package langgraph

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// TestCutStreamsSayIt: a stream that the server ends before its end says so in the words of its
// protocol.
func TestCutStreamsSayIt(t *testing.T) {
	d := New(newService(t), Options{Heartbeat: 10 * time.Millisecond})
	engine := gin.New()
	stop := make(chan struct{})
	for _, r := range d.Routes {
		engine.Handle(r.Method, r.Path, func(c *gin.Context) {
			door.SetCaller(c, people["an operator"])
			ctx, cancel := context.WithCancelCause(c.Request.Context())
			defer cancel(nil)
			if r.Long {
				go func() {
					select {
					case <-stop:
						cancel(door.ErrStopping)
					case <-ctx.Done():
					}
				}()
			}
			c.Request = c.Request.WithContext(ctx)
			if err := r.Handle(c); err != nil && !c.Writer.Written() {
				d.Fail(c, door.Explain(err, ""))
			}
		})
	}
	server := httptest.NewServer(engine)
	defer server.Close()
	s := site{t, server.URL}
	thread := s.thread()
	slow := `{"assistant_id":"probe","input":{"mode":"slow","delay_ms":3600000},` +
		`"stream_mode":["custom","values"],"on_disconnect":"cancel"}`
	streams := map[string]struct{ method, path, body, want string }{
		"a run":  {"POST", "/runs/stream", slow, "event: error\ndata: {\"error\":\"StreamBrokenError\""},
		"a wait": {"POST", "/runs/wait", slow, `{"__error__":{"error":"StreamBrokenError"`},
		"a thread": {
			"GET",
			"/threads/" + thread + "/stream",
			"",
			"event: error\ndata: {\"error\":\"StreamBrokenError\"",
		},
		"a thread's news": {
			"POST",
			"/threads/" + thread + "/stream/events",
			`{"channels":["values"]}`,
			"event: error\ndata: {\"error\":\"StreamBrokenError\"",
		},
	}
	bodies := map[string]io.ReadCloser{}
	for name, a := range streams {
		r, err := http.NewRequestWithContext(t.Context(), a.method, s.url+a.path, strings.NewReader(a.body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(r) //nolint:bodyclose // it is, below
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v %v", name, response, err)
		}
		bodies[name] = response.Body
	}
	l := s.dial(thread)
	close(stop)
	for name, a := range streams {
		data, err := io.ReadAll(bodies[name])
		_ = bodies[name].Close()
		if err != nil || !strings.Contains(string(data), a.want) {
			t.Errorf("%s ends with %q, %v, want %s", name, data, err, a.want)
		}
	}
	if m := l.next(); m.Type != "error" || m.Error == "" {
		t.Errorf("a socket says %+v, want an error", m)
	}
	if _, _, err := l.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("a socket ends with %v, want going away", err)
	}
}
