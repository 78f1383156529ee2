package google_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/google"
)

// A script is a Google that says what it was told to, one answer after the other, and the last one again and again.
type script struct {
	answers []answer

	mu   sync.Mutex
	sent []sent
	// slept are the pauses between tries.
	slept []time.Duration
	now   time.Time
}

// An answer is what comes; an error is that none does.
type answer struct {
	status int
	header map[string]string
	body   string
	err    error
}

// sent is a request.
type sent struct {
	method, url, ifMatch, authorization, body string
}

func say(status int, body string) answer { return answer{status: status, body: body} }

// refuse is an error in Google's form.
func refuse(status int, reason string) answer {
	return say(status, fmt.Sprintf(`{"error":{"code":%d,"message":"Bearer secret-token %s","errors":[{"domain":"global","reason":%q,"message":"Dinner with the boss"}]}}`,
		status, reason, reason))
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	a := s.answers[min(len(s.sent), len(s.answers)-1)]
	s.sent = append(s.sent, sent{r.Method, r.URL.String(), r.Header.Get("If-Match"), r.Header.Get("Authorization"), string(body)})
	if a.err != nil {
		return nil, a.err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range a.header {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

func (s *script) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *script) sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
	s.slept = append(s.slept, d)
	return ctx.Err()
}

// Token implements [google.Tokens]: every refused token makes a new one.
func (s *script) Token(_ context.Context, refused string) (string, error) {
	return refused + "secret-token", nil
}

func (s *script) requests() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, r := range s.sent {
		all = append(all, r.method)
	}
	return strings.Join(all, " ")
}

func scripted(t *testing.T, answers ...answer) (*script, *google.Calendar) {
	t.Helper()
	s := &script{answers: answers, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	return s, s.account(t, google.Options{}).Calendar("team")
}

func (s *script) account(t *testing.T, opts google.Options) *google.Account {
	t.Helper()
	opts.Now, opts.Client, opts.Sleep = s.Now, &http.Client{Transport: s}, s.sleep
	opts.Random = func() float64 { return 0 }
	account, err := google.NewAccount(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return account
}

const lunch = `{"kind":"calendar#event","id":"lunch","etag":"\"1\"","status":"confirmed","summary":"Lunch",` +
	`"start":{"dateTime":"2026-01-15T12:00:00+09:00","timeZone":"Asia/Tokyo"},"end":{"dateTime":"2026-01-15T13:00:00+09:00","timeZone":"Asia/Tokyo"}}`

const goneLunch = `{"kind":"calendar#event","id":"lunch","etag":"\"3\"","status":"cancelled"}`

func tokyo(t *testing.T) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func aLunch(t *testing.T) calendar.Event {
	t.Helper()
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, tokyo(t))
	return calendar.Event{ID: "lunch", Title: "Lunch", Start: start, End: start.Add(time.Hour), TimeZone: "Asia/Tokyo"}
}

func theDay(t *testing.T) civil.TimeRange {
	t.Helper()
	day := civil.Date{Year: 2026, Month: 1, Day: 15}
	return civil.Days(day, day.AddDays(1), tokyo(t))
}
