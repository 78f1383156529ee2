package ics_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"annai/fault"
	"annai/internal/outbound"
	"annai/internal/outbound/outboundtest"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/ics"
)

const week = "2026-01-05 2026-01-12 UTC"

// calendarWith is a file of one event, on 2026-01-05.
func calendarWith(title string) string {
	return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:one\r\nSUMMARY:" + title + "\r\nDTSTART:20260105T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
}

// A server serves whatever handler it has at the moment, and counts.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	handler http.HandlerFunc
	calls   atomic.Int64
}

func serve(t *testing.T, h http.HandlerFunc) *server {
	s := &server{handler: h}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		s.mu.Lock()
		h := s.handler
		s.mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) set(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = h
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
}

func failing(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }

// A clockwork is a clock that tests move.
type clockwork struct{ seconds atomic.Int64 }

func (c *clockwork) now() time.Time {
	return clock().Add(time.Duration(c.seconds.Load()) * time.Second)
}
func (c *clockwork) move(d time.Duration) { c.seconds.Add(int64(d / time.Second)) }

// clientHere reaches the servers of a test.
func clientHere(t *testing.T) *outbound.Client {
	t.Helper()
	c, err := outbound.New(outbound.Options{OwnPort: true, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func feedOf(t *testing.T, address string, opts ics.Options) *ics.Reader {
	t.Helper()
	if opts.Now == nil {
		opts.Now = clock
	}
	opts.CalendarID = "test"
	if opts.Client == nil {
		opts.Client = clientHere(t)
	}
	r, err := ics.URL(address, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func titles(l calendar.Listing) string {
	var all []string
	for _, e := range l.Events {
		all = append(all, e.Title)
	}
	return strings.Join(all, ", ")
}

func TestFeedConformance(t *testing.T) {
	calendartest.Run(t, func(t *testing.T, seed []calendar.Event) calendar.Reader {
		return feedOf(t, serve(t, text(write(seed))).URL, ics.Options{})
	})
}

func TestFeedIsPolledLazily(t *testing.T) {
	var c clockwork
	s := serve(t, text(calendarWith("First")))
	r := feedOf(t, s.URL, ics.Options{Now: c.now, Refresh: time.Minute})
	if s.calls.Load() != 0 {
		t.Errorf("requests before the first read = %d, want none", s.calls.Load())
	}
	steps := []struct {
		wait  time.Duration
		want  string
		calls int64
	}{{0, "First", 1}, {59 * time.Second, "First", 1}, {time.Second, "Second", 2}, {time.Hour, "Second", 3}}
	for i, step := range steps {
		c.move(step.wait)
		got, err := r.Events(t.Context(), windowOf(t, week))
		if err != nil || titles(got) != step.want || s.calls.Load() != step.calls || !got.Complete {
			t.Errorf("read %d = %q (complete %v), %v after %d requests, want %q after %d",
				i, titles(got), got.Complete, err, s.calls.Load(), step.want, step.calls)
		}
		s.set(text(calendarWith("Second")))
	}
}

// versioned serves a calendar with that title and without changes, and notes what it is asked about them.
func versioned(asked *[]string, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Header.Get("If-None-Match")+" "+r.Header.Get("If-Modified-Since"))
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
		_, _ = w.Write([]byte(calendarWith(title)))
	}
}

func TestFeedAsksOnlyForChanges(t *testing.T) {
	var c clockwork
	var asked []string
	s := serve(t, versioned(&asked, "First"))
	r := feedOf(t, s.URL, ics.Options{Now: c.now})
	for range 2 {
		got, err := r.Events(t.Context(), windowOf(t, week))
		if err != nil || titles(got) != "First" || !got.Complete || !got.AsOf.Equal(c.now()) {
			t.Errorf("Events = %q (complete %v, as of %s), %v, want First as of now", titles(got), got.Complete, got.AsOf, err)
		}
		c.move(time.Hour)
	}
	want := []string{" ", `"v1" Thu, 01 Jan 2026 00:00:00 GMT`}
	if strings.Join(asked, "|") != strings.Join(want, "|") {
		t.Errorf("conditions = %q, want %q", asked, want)
	}
}

func TestFeedKeepsTheLastGoodCopy(t *testing.T) {
	bad := map[string]http.HandlerFunc{
		"status 502":   failing,
		"a web page":   text("<html><body>Sorry</body></html>"),
		"nothing":      text(""),
		"not modified": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
		"too large":    text(strings.Repeat("X", 5000)),
		"lost connection": func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		},
		"a bomb": func(w http.ResponseWriter, _ *http.Request) {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
			_ = z.Close()
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		},
	}
	for name, h := range bad {
		t.Run(name, func(t *testing.T) {
			var c clockwork
			s := serve(t, text(calendarWith("Good")))
			r := feedOf(t, s.URL+"/secret-token/basic.ics", ics.Options{Now: c.now, MaxBytes: 4096, Retry: 10 * time.Second})
			first, err := r.Events(t.Context(), windowOf(t, week))
			if err != nil {
				t.Fatal(err)
			}
			s.set(h)
			c.move(time.Hour)
			var tried int64
			for i := range 2 {
				got, err := r.Events(t.Context(), windowOf(t, week))
				if i == 0 {
					tried = s.calls.Load()
				}
				if err != nil || titles(got) != "Good" || got.Complete || !got.AsOf.Equal(first.AsOf) || len(got.Problems) != 1 {
					t.Fatalf("Events = %q (complete %v, as of %s, problems %v), %v, want the copy, incomplete",
						titles(got), got.Complete, got.AsOf, got.Problems, err)
				}
				if p := got.Problems[0]; !errors.Is(p.Err, fault.ErrUnavailable) || strings.Contains(p.Err.Error(), "secret") {
					t.Errorf("problem = %v, want ErrUnavailable without the address", p.Err)
				}
			}
			if got := s.calls.Load(); got != tried {
				t.Errorf("requests = %d, want still %d: a failed feed is left alone for a while", got, tried)
			}
			s.set(text(calendarWith("Better")))
			c.move(10 * time.Second)
			got, err := r.Events(t.Context(), windowOf(t, week))
			if err != nil || titles(got) != "Better" || !got.Complete {
				t.Errorf("Events once it works again = %q (complete %v), %v, want Better", titles(got), got.Complete, err)
			}
		})
	}
}

func TestFeedThatWasNeverRead(t *testing.T) {
	closed := httptest.NewServer(http.HandlerFunc(failing))
	closed.Close()
	for name, address := range map[string]string{
		"status 502": serve(t, failing).URL, "a web page": serve(t, text("<html>")).URL, "no server": closed.URL,
	} {
		_, err := feedOf(t, address+"/secret-token", ics.Options{}).Events(t.Context(), windowOf(t, week))
		if !errors.Is(err, fault.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Events of %s = %v, want ErrUnavailable without the address", name, err)
		}
	}
}

func TestFeedAddresses(t *testing.T) {
	for _, address := range []string{
		"", "example.org/a.ics", "file:///etc/passwd", "ftp://example.org/", "https://", "http://user@example.org/",
		"https://user:password@example.org/a.ics", "http://[::1", "webcal://example.org/",
	} {
		if _, err := ics.URL(address, ics.Options{Now: clock}); !errors.Is(err, fault.ErrInvalid) || strings.Contains(err.Error(), "password") {
			t.Errorf("URL(%q) = %v, want ErrInvalid", address, err)
		}
	}
	if _, err := ics.URL("https://example.org/", ics.Options{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("URL without clock = %v, want ErrInvalid", err)
	}
	if _, err := ics.File(fstest.MapFS{}, "../a.ics", ics.Options{Now: clock}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("File(../a.ics) = %v, want ErrInvalid", err)
	}
}

// What is private is refused however it is written, and with a network that is allowed only what is in it.
func TestFeedsOnPrivateAddressesAreRefused(t *testing.T) {
	s := serve(t, text(calendarWith("Secret")))
	r, err := ics.URL(s.URL, ics.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Events(t.Context(), windowOf(t, week)); !errors.Is(err, fault.ErrUnavailable) || s.calls.Load() != 0 {
		t.Errorf("Events = %q, %v after %d requests, want ErrUnavailable after none", titles(got), err, s.calls.Load())
	}
	outboundtest.Run(t, func(t *testing.T, client *outbound.Client, address string) error {
		r, err := ics.URL(address, ics.Options{Now: clock, Client: client})
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }()
		_, err = r.Events(t.Context(), windowOf(t, week))
		return err
	})
}

func TestFeedRedirects(t *testing.T) {
	to := func(address string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, address, http.StatusFound) }
	}
	moved := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/new" {
			_, _ = w.Write([]byte(calendarWith("Moved")))
			return
		}
		http.Redirect(w, r, "/new", http.StatusMovedPermanently)
	})
	got, err := feedOf(t, moved.URL, ics.Options{}).Events(t.Context(), windowOf(t, week))
	if err != nil || titles(got) != "Moved" {
		t.Errorf("Events after a redirect = %q, %v, want Moved", titles(got), err)
	}
	loop := serve(t, nil)
	loop.set(to(loop.URL))
	for name, address := range map[string]string{
		"to a user":         serve(t, to(strings.Replace(moved.URL, "http://", "http://a:b@", 1))).URL,
		"to another scheme": serve(t, to("ftp://example.org/")).URL,
		"for ever":          loop.URL,
	} {
		if _, err := feedOf(t, address, ics.Options{}).Events(t.Context(), windowOf(t, week)); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Events after a redirect %s = %v, want ErrUnavailable", name, err)
		}
	}
	if got := loop.calls.Load(); got > 6 {
		t.Errorf("requests in a loop of redirects = %d, want at most 6", got)
	}
}

// held answers when told.
func held(release <-chan struct{}, arrived chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		_, _ = w.Write([]byte(calendarWith("Late")))
	}
}

func TestReadersShareOneFetch(t *testing.T) {
	release, arrived := make(chan struct{}), make(chan struct{}, 8)
	s := serve(t, held(release, arrived))
	r := feedOf(t, s.URL, ics.Options{})

	ctx, cancel := context.WithCancel(t.Context())
	gaveUp := make(chan error)
	go func() {
		_, err := r.Events(ctx, windowOf(t, week))
		gaveUp <- err
	}()
	<-arrived
	cancel() // the one who began the fetch leaves
	if err := <-gaveUp; !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("Events(cancelled) = %v, want ErrUnavailable and the context's error", err)
	}
	var readers sync.WaitGroup
	for range 5 {
		readers.Go(func() {
			if got, err := r.Events(t.Context(), windowOf(t, week)); err != nil || titles(got) != "Late" {
				t.Errorf("Events = %q, %v, want Late", titles(got), err)
			}
		})
	}
	close(release)
	readers.Wait()
	if got := s.calls.Load(); got != 1 {
		t.Errorf("requests = %d, want one for all", got)
	}
}

func TestSlowRefreshAnswersFromTheCopy(t *testing.T) {
	var c clockwork
	s := serve(t, text(calendarWith("Before")))
	r := feedOf(t, s.URL, ics.Options{Now: c.now, Patience: time.Millisecond})
	if _, err := r.Events(t.Context(), windowOf(t, week)); err != nil {
		t.Fatal(err)
	}
	release, arrived := make(chan struct{}), make(chan struct{}, 8)
	defer close(release)
	s.set(held(release, arrived))
	c.move(time.Hour)
	got, err := r.Events(t.Context(), windowOf(t, week))
	if err != nil || titles(got) != "Before" || got.Complete || len(got.Problems) != 1 {
		t.Errorf("Events = %q (complete %v, problems %v), %v, want the copy, incomplete", titles(got), got.Complete, got.Problems, err)
	}
}

func TestTimeoutAndClose(t *testing.T) {
	release, arrived := make(chan struct{}), make(chan struct{}, 8)
	defer close(release)
	s := serve(t, held(release, arrived))
	r := feedOf(t, s.URL, ics.Options{Timeout: 20 * time.Millisecond})
	if _, err := r.Events(t.Context(), windowOf(t, week)); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Events of a hanging feed = %v, want ErrUnavailable", err)
	}
	arrived = make(chan struct{}, 8)
	r = feedOf(t, serve(t, held(release, arrived)).URL, ics.Options{Timeout: time.Hour})
	done := make(chan error)
	go func() {
		_, err := r.Events(t.Context(), windowOf(t, week))
		done <- err
	}()
	<-arrived
	if err := r.Close(); err != nil {
		t.Errorf("Close = %v, want nil", err)
	}
	if err := <-done; !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Events while closed = %v, want ErrUnavailable", err)
	}
	if _, err := r.Events(t.Context(), windowOf(t, week)); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Events after Close = %v, want ErrUnavailable", err)
	}
}

func TestFileThatChanges(t *testing.T) {
	var c clockwork
	files := fstest.MapFS{}
	r, err := ics.File(files, "cal/a.ics", ics.Options{Now: c.now, CalendarID: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Events(t.Context(), windowOf(t, week)); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Events of a missing file = %v, want ErrUnavailable", err)
	}
	for _, title := range []string{"First", "Second"} {
		files["cal/a.ics"] = &fstest.MapFile{Data: []byte(calendarWith(title))}
		c.move(time.Minute)
		got, err := r.Events(t.Context(), windowOf(t, week))
		if err != nil || titles(got) != title || !got.Complete {
			t.Errorf("Events = %q (complete %v), %v, want %s", titles(got), got.Complete, err, title)
		}
	}
	delete(files, "cal/a.ics")
	c.move(time.Minute)
	got, err := r.Events(t.Context(), windowOf(t, week))
	if err != nil || titles(got) != "Second" || got.Complete {
		t.Errorf("Events once the file is gone = %q (complete %v), %v, want the copy, incomplete", titles(got), got.Complete, err)
	}
}

func TestFileThatIsCutOff(t *testing.T) {
	whole := calendarWith("Whole")
	cut := strings.TrimSuffix(whole, "END:VCALENDAR\r\n") + "BEGIN:VEVENT\r\nUID:two\r\nDTSTART:2026"
	got, err := fileOf(t, cut, ics.Options{}).Events(t.Context(), windowOf(t, week))
	if err != nil || titles(got) != "Whole" || got.Complete || len(got.Problems) != 2 {
		t.Errorf("Events = %q (complete %v, problems %v), %v, want Whole and two problems", titles(got), got.Complete, got.Problems, err)
	}
}
