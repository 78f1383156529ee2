package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"annai/api"
	"annai/dialog"
)

func body(i int) io.Reader {
	return strings.NewReader(fmt.Sprintf(`{"query":"今週のイベントは？","stream":%v}`, i%2 == 0))
}

// listen serves on a free port of the loopback until the test ends or stop is called, which returns what Serve did.
func listen(t testing.TB, f *fixture) (url string, stop func() error) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	var served error
	go func() {
		defer close(done)
		served = f.Serve(ctx, listener)
	}()
	stop = func() error {
		cancel()
		<-done
		return served
	}
	t.Cleanup(func() { _ = stop() })
	return "http://" + listener.Addr().String(), stop
}

func post(t testing.TB, url, body string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func dial(t testing.TB, url string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// raw sends bytes as they are and returns all that comes back until the server closes the connection, which is a reset where it has not read all.
func raw(t testing.TB, url, request string) string {
	t.Helper()
	conn := dial(t, url)
	if _, err := io.WriteString(conn, request); err != nil {
		t.Logf("write: %v", err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("after %q: %v", answer, err)
	}
	return string(answer)
}

const head = "POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

func TestRawSockets(t *testing.T) {
	url, _ := listen(t, newFixture(t, Options{HeaderTimeout: time.Minute, BodyTimeout: time.Minute}))
	for name, test := range map[string]struct {
		request string
		status  string // of the first answer
		code    string
	}{
		"5 MB with its length":     {head + "Content-Length: 5242880\r\n\r\n" + strings.Repeat("a", 5<<20), "413 Request Entity Too Large", api.CodeTooLarge},
		"5 MB in one chunk":        {head + "Transfer-Encoding: chunked\r\n\r\n500000\r\n" + strings.Repeat("a", 5<<20) + "\r\n0\r\n\r\n", "413 Request Entity Too Large", api.CodeTooLarge},
		"broken chunk":             {head + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400 Bad Request", api.CodeInvalid},
		"huge headers":             {head + "X-A: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", "431 Request Header Fields Too Large", ""},
		"no HTTP":                  {"\x16\x03\x01\x02\x00\x01\r\n\r\n", "400 Bad Request", ""},
		"two lengths":              {head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", "400 Bad Request", ""},
		"HTTP/1.0 without a host":  {"GET /healthz HTTP/1.0\r\n\r\n", "200 OK", ""},
		"another host, one socket": {"GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "403 Forbidden", api.CodeDenied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkRaw(t, raw(t, url, test.request), test.status, test.code)
		})
	}
}

// checkRaw looks at the status of an answer, "" for none, and for the envelope where there is to be one.
func checkRaw(t *testing.T, answer, wantStatus, wantCode string) {
	t.Helper()
	line, _, _ := strings.Cut(answer, "\r\n")
	if _, status, _ := strings.Cut(line, " "); status != wantStatus {
		t.Errorf("status = %q, want %q; answer %q", status, wantStatus, answer)
	}
	if wantCode != "" && !strings.Contains(answer, `"code":"`+wantCode+`"`) {
		t.Errorf("answer %q, want the envelope with code %s", answer, wantCode)
	}
	checkNoLeak(t, answer)
}

// TestHalfSent sends what nothing comes after.
func TestHalfSent(t *testing.T) {
	for name, test := range map[string]struct{ request, status, code string }{
		"body":         {head + "Content-Length: 100\r\n\r\n{\"query\":", "408 Request Timeout", api.CodeTooSlow},
		"chunked body": {head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"que", "408 Request Timeout", api.CodeTooSlow},
		"headers":      {head, "", ""},
		"nothing":      {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, Options{HeaderTimeout: time.Second, BodyTimeout: 2 * time.Second})
				checkRaw(t, piped(t, f, test.request), test.status, test.code)
			})
		})
	}
}

// piped sends bytes as they are over a connection that stays in the process, and returns all that comes back until the server, which then is
// stopped, closes it.
func piped(t testing.TB, f *fixture, request string) string {
	t.Helper()
	client, served, stop := pipe(t, f)
	if _, err := io.WriteString(client, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(client)
	if err != nil {
		t.Errorf("after %q: %v", answer, err)
	}
	stop()
	if err := <-served; err != nil {
		t.Errorf("Serve = %v, want nil", err)
	}
	return string(answer)
}

// TestHalfClosed checks that a body which ends early gets an answer.
func TestHalfClosed(t *testing.T) {
	url, _ := listen(t, newFixture(t, Options{}))
	conn := dial(t, url)
	if _, err := io.WriteString(conn, head+"Content-Length: 100\r\n\r\n{\"query\":"); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if answer, _ := io.ReadAll(conn); len(answer) > 0 && !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") {
		t.Errorf("answer %q, want 400 or none", answer)
	}
}

// pipes is a listener whose connections stay in the process, so that their time can be that of a test.
type pipes struct {
	idleListener
	connections chan net.Conn
}

func (l pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-l.connections:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// pipe serves one connection that stays in the process. stop may be called again.
func pipe(t testing.TB, f *fixture) (client net.Conn, served <-chan error, stop func()) {
	t.Helper()
	listener := pipes{idleListener{make(chan struct{})}, make(chan net.Conn)}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Serve(ctx, listener) }()
	client, server := net.Pipe()
	listener.connections <- server
	return client, done, stop
}

// TestSlowTurn checks that the limit of time for a request does not end its turn, nor the connection.
func TestSlowTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, Options{HeaderTimeout: time.Second, BodyTimeout: time.Second})
		f.concierge.ask = func(ctx context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
			select {
			case <-ctx.Done():
				yield(nil, ctx.Err())
			case <-time.After(20 * time.Second):
				yield(dialog.Final{QueryResponse: sampleAnswer(turn)}, nil)
			}
		}
		client, served, stop := pipe(t, f)
		answers := bufio.NewReader(client)
		for i := range 2 {
			if _, err := fmt.Fprintf(client, "%sContent-Length: %d\r\n\r\n%s", head, len(goodBody), goodBody); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
				t.Errorf("turn %d: status = %d, %v, want 200", i, response.StatusCode, err)
			}
			if err := response.Body.Close(); err != nil {
				t.Error(err)
			}
			time.Sleep(10 * time.Second)
		}
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

func TestDisconnectCancels(t *testing.T) {
	for _, stream := range []bool{false, true} {
		begun, ended := make(chan string, 1), make(chan error, 1)
		f := newFixture(t, Options{})
		f.concierge.ask = func(ctx context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
			waits(begun)(ctx, turn, func(e dialog.Event, err error) bool {
				if err != nil {
					ended <- err
				}
				return yield(e, err)
			})
		}
		url, stop := listen(t, f)
		conn := dial(t, url)
		text := fmt.Sprintf(`{"query":"a","stream":%v}`, stream)
		if _, err := fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s", head, len(text), text); err != nil {
			t.Fatal(err)
		}
		<-begun
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("stream %v: the turn ended with %v, want context.Canceled", stream, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("stream %v: the turn goes on after its client went away", stream)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		checkIdle(t, f)
		if !strings.Contains(f.log.String(), "status=499") {
			t.Errorf("stream %v: log = %s, want status 499", stream, f.log)
		}
	}
}

// TestStopFinishes stops the server while a turn is under way: it is not ready, and the turn finishes.
func TestStopFinishes(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	f := newFixture(t, Options{})
	f.concierge.ask = func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
		close(begun)
		<-finish
		yield(dialog.Final{QueryResponse: sampleAnswer(turn)}, nil)
	}
	url, stop := listen(t, f)
	conn := dial(t, url)
	if _, err := fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s", head, len(goodBody), goodBody); err != nil {
		t.Fatal(err)
	}
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for f.do(t, "GET", "/readyz", "").Code == http.StatusOK {
		runtime.Gosched()
	}
	if w := f.do(t, "GET", "/readyz", ""); w.Code != http.StatusServiceUnavailable || decode[api.ReadyResponse](t, w).Status != "stopping" {
		t.Errorf("GET /readyz = %d %s, want 503 stopping", w.Code, w.Body)
	}
	close(finish)
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "200 OK") {
		t.Errorf("answer %q, %v, want 200 OK", line, err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Serve = %v, want nil", err)
	}
}

// TestStopCutsOff stops the server while a turn goes on for longer than the grace.
func TestStopCutsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := make(chan string, 1)
		f := newFixture(t, Options{})
		f.concierge.ask = waits(begun)
		client, served, stop := pipe(t, f)
		if _, err := fmt.Fprintf(client, "%sContent-Length: %d\r\n\r\n%s", head, len(goodBody), goodBody); err != nil {
			t.Fatal(err)
		}
		<-begun
		stop()
		answer, err := io.ReadAll(client)
		if err != nil || !strings.Contains(string(answer), "503 Service Unavailable") || !strings.Contains(string(answer), api.CodeUnavailable) {
			t.Errorf("answer %q, %v, want 503 with the envelope", answer, err)
		}
		if err := <-served; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Serve = %v, want it to tell that runs were ended", err)
		}
	})
}

// idleListener accepts nothing until it is closed.
type idleListener struct{ closed chan struct{} }

func (l idleListener) Accept() (net.Conn, error) { <-l.closed; return nil, net.ErrClosed }
func (l idleListener) Addr() net.Addr            { return &net.TCPAddr{} }
func (l idleListener) Close() error {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
	return nil
}

func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setup{more: func(p *Parts) { p.SweepEvery = time.Minute }}.fixture(t)
		swept := 0
		f.concierge.sweep = func(context.Context) (int, error) {
			swept++
			switch swept {
			case 1:
				panic("sweep")
			case 2:
				return 0, errors.New("disk full")
			}
			return 1, nil
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- f.Serve(ctx, idleListener{make(chan struct{})}) }()
		time.Sleep(5*time.Minute + time.Second)
		stop()
		if err := <-done; err != nil || swept != 5 {
			t.Errorf("Serve = %v after %d sweeps, want nil after 5", err, swept)
		}
		if !strings.Contains(f.log.String(), "disk full") || !strings.Contains(f.log.String(), "panic: sweep") {
			t.Errorf("log = %s, want both failed sweeps", f.log)
		}
	})
}

func TestServeBadListener(t *testing.T) {
	listener := idleListener{make(chan struct{})}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := newFixture(t, Options{}).Serve(t.Context(), listener); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve on a closed listener = %v, want net.ErrClosed", err)
	}
}
