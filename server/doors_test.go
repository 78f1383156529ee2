package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/server/keys"
)

// fakeDoor is a protocol in which failures are one line of text.
func fakeDoor(routes ...door.Route) door.Door {
	return door.Door{Name: "fake", Routes: append(routes,
		door.Route{Method: "GET", Path: "/fake/hello", Role: door.Visitor, Handle: func(c *gin.Context) error {
			c.String(http.StatusOK, "hello")
			return nil
		}},
		door.Route{Method: "POST", Path: "/fake/echo", Role: door.Visitor, MaxBody: 10, Handle: func(c *gin.Context) error {
			body, err := io.ReadAll(c.Request.Body)
			if err != nil {
				return err
			}
			c.String(http.StatusOK, "%s", body)
			return nil
		}},
		door.Route{Method: "GET", Path: "/fake/fails", Role: door.Visitor, Handle: func(*gin.Context) error {
			return door.Tell(fault.ErrConflict, "en", "")
		}},
		door.Route{Method: "GET", Path: "/fake/panics", Role: door.Visitor, Handle: func(*gin.Context) error { panic("oh") }},
		door.Route{Method: "GET", Path: "/fake/breaks", Role: door.Visitor, Handle: func(c *gin.Context) error {
			c.String(http.StatusOK, "half")
			return fault.ErrUnavailable
		}},
	), Fail: func(c *gin.Context, f door.Failure) {
		c.String(f.Status, "fake %s %s", f.Code, f.Language)
	}}
}

func TestDoor(t *testing.T) {
	f := setup{keys: keys.Settings{Owner: ownerKey}, doors: []door.Door{fakeDoor()}}.fixture(t)
	for _, test := range []struct {
		method, path, body string
		headers            []string
		status             int
		want               string
	}{
		{"GET", "/fake/hello", "", nil, 200, "hello"},
		{"HEAD", "/fake/hello", "", nil, 200, "hello"}, // the recorder keeps what a listener would not send
		{"POST", "/fake/echo", "0123456789", nil, 200, "0123456789"},
		{"POST", "/fake/echo", "0123456789a", nil, 413, "fake too_large ja"},
		{"GET", "/fake/fails", "", nil, 409, "fake conflict en"},
		{"GET", "/fake/panics", "", nil, 500, "fake internal ja"},
		{"GET", "/fake/breaks", "", nil, 200, "half"},
		{"GET", "/fake/hello", "", []string{"Authorization", "Bearer wrong"}, 401, "fake unauthorized ja"},
		{"GET", "/fake/hello", "", []string{"Origin", "https://evil.example", "Accept-Language", "en"}, 403, "fake denied en"},
		{"GET", "/fake/nothing", "", nil, 404, "fake not_found ja"},
		{"GET", "/fake/echo", "", nil, 405, "fake method_not_allowed ja"},
		{"GET", "/fake/hello", "", []string{"Host", "evil.example"}, 403, "fake denied ja"},
	} {
		w := f.do(t, test.method, test.path, test.body, test.headers...)
		if w.Code != test.status || w.Body.String() != test.want {
			t.Errorf("%s %s %q %q = %d %q, want %d %q", test.method, test.path, test.body, test.headers, w.Code, w.Body, test.status, test.want)
		}
	}
	if !strings.Contains(f.log.String(), "route=/fake/panics status=500") || !strings.Contains(f.log.String(), "route=/fake/breaks status=503") {
		t.Errorf("log = %s, want the panic and the break", f.log)
	}
	if text := f.do(t, "GET", "/metrics", "").Body.String(); !strings.Contains(text, `annai_http_requests_total{door="fake",method="POST",route="/fake/echo",status="413"} 1`) {
		t.Errorf("GET /metrics = %s, want the requests of the door", text)
	}
}

// TestDoorBodies sends bodies without a length, which only reading can measure, and one that does not come.
func TestDoorBodies(t *testing.T) {
	const begin = "POST /fake/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
	for request, want := range map[string]string{
		"a\r\n0123456789\r\n1\r\nx\r\n0\r\n\r\n": "fake too_large ja",
		"5\r\nabc":                               "fake request_timeout ja",
	} {
		synctest.Test(t, func(t *testing.T) {
			f := setup{options: Options{BodyTimeout: time.Second}, doors: []door.Door{fakeDoor()}}.fixture(t)
			if answer := piped(t, f, begin+request); !strings.HasSuffix(answer, want) {
				t.Errorf("%q is answered with %q, want %q", request, answer, want)
			}
		})
	}
}

// long is a route for visitors whose answer may take long.
func long(handle door.Handler) door.Route {
	return door.Route{
		Method: "GET", Path: "/fake/long", Role: door.Visitor, Handle: handle,
		Long: true, Endless: true, KeyInURL: true,
	}
}

// beats is a long answer that sends a line every minute, until it is ended.
func beats(c *gin.Context) error {
	for i := range 10 {
		select {
		case <-c.Request.Context().Done():
			_, _ = c.Writer.WriteString("ended\n")
			return context.Cause(c.Request.Context())
		case <-time.After(time.Minute):
		}
		if _, err := c.Writer.WriteString(strconv.Itoa(i)); err != nil {
			return err
		}
		c.Writer.Flush()
	}
	return nil
}

// TestLong checks that a long answer outlives the limits of time for others, and ends when the server does.
func TestLong(t *testing.T) {
	for name, test := range map[string]struct {
		stopAfter time.Duration
		endless   bool
		want      string
	}{
		"to its end":                       {time.Hour, true, "0123456789"},
		"until a stop":                     {150 * time.Second, true, "01ended\n"},
		"to its end, if that is near":      {9*time.Minute + 55*time.Second, false, "0123456789"},
		"until the grace, if it is not":    {150 * time.Second, false, "01ended\n"},
		"until a stop, near as the end is": {9*time.Minute + 55*time.Second, true, "012345678ended\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := Options{HeaderTimeout: time.Second, BodyTimeout: time.Second, WriteTimeout: 5 * time.Second}
				route := long(beats)
				route.Endless = test.endless
				f := setup{options: opts, doors: []door.Door{fakeDoor(route)}}.fixture(t)
				client, served, stop := pipe(t, f)
				time.AfterFunc(test.stopAfter, stop)
				if _, err := io.WriteString(client, "GET /fake/long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
				answer, err := http.ReadResponse(bufio.NewReader(client), nil)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(answer.Body)
				if string(body) != test.want || err != nil {
					t.Errorf("GET /fake/long = %q, %v, want %q", body, err, test.want)
				}
				_ = answer.Body.Close()
				stop()
				if err := <-served; (err != nil) != (name == "until the grace, if it is not") {
					t.Errorf("Serve = %v", err)
				}
			})
		})
	}
}

// TestLongUnread checks that a reader who does not read holds nobody up for ever.
func TestLongUnread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		f := setup{doors: []door.Door{fakeDoor(long(func(c *gin.Context) error {
			for {
				if _, err := c.Writer.WriteString(strings.Repeat("a", 64<<10)); err != nil {
					ended <- err
					return err
				}
			}
		}))}}.fixture(t)
		client, served, stop := pipe(t, f)
		if _, err := io.WriteString(client, "GET /fake/long HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		var slow net.Error
		if err := <-ended; !errors.As(err, &slow) || !slow.Timeout() || time.Since(begin) > stall {
			t.Errorf("write = %v after %s, want a timeout within %s", err, time.Since(begin), stall)
		}
		stop()
		if err := <-served; err != nil {
			t.Errorf("Serve = %v, want nil", err)
		}
	})
}

// TestStopWaitsForRuns stops while a run goes on that no request waits for.
func TestStopWaitsForRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, Options{Grace: 10 * time.Second})
		_, served, stop := pipe(t, f)
		_, end, err := f.parts.Gate.Begin(context.WithoutCancel(t.Context()), "quick", "")
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		time.AfterFunc(5*time.Second, end)
		stop()
		if err := <-served; err != nil || time.Since(begin) < 5*time.Second || time.Since(begin) > 6*time.Second {
			t.Errorf("Serve = %v after %s, want nil when the run had ended", err, time.Since(begin))
		}

		f = newFixture(t, Options{Grace: 10 * time.Second})
		_, served, stop = pipe(t, f)
		run, end, err := f.parts.Gate.Begin(context.WithoutCancel(t.Context()), "slow", "")
		if err != nil {
			t.Fatal(err)
		}
		context.AfterFunc(run, end)
		begin = time.Now()
		stop()
		if err := <-served; err == nil || time.Since(begin) < 10*time.Second || !errors.Is(context.Cause(run), door.ErrStopping) {
			t.Errorf("Serve = %v after %s, run ended by %v, want the run to be ended after the grace", err, time.Since(begin), context.Cause(run))
		}
	})
}
