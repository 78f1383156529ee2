package emulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/tools/calendar/google/discovery"
)

// clock is a clock that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// account is an emulator behind a server, and a client whose every request and answer is checked against the discovery document.
type account struct {
	t     *testing.T
	e     *Emulator
	url   string
	http  *http.Client
	loose *http.Client // whose requests may be wrong
	token string
	clock *clock
}

func open(t *testing.T, opts Options) *account {
	t.Helper()
	a := &account{t: t, clock: &clock{at: time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)}}
	opts.Now = a.clock.now
	opts.OAuth.AccessLife = cmp.Or(opts.OAuth.AccessLife, 100*24*time.Hour)
	a.e = New(opts)
	server := httptest.NewServer(a.e)
	t.Cleanup(server.Close)
	a.url = server.URL
	a.http = &http.Client{Transport: discovery.Check(t, server.Client().Transport), CheckRedirect: stay}
	a.loose = &http.Client{Transport: discovery.CheckAnswers(t, server.Client().Transport), CheckRedirect: stay}
	a.token = a.e.AccessToken()
	return a
}

func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// with returns the account with another token.
func (a *account) with(token string) *account {
	b := *a
	b.token = token
	return &b
}

// wrong returns the account with a client whose requests may be wrong.
func (a *account) wrong() *account {
	b := *a
	b.http = a.loose
	return &b
}

// answer is an answer taken apart.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any
	err    error
}

// do makes a request with an access token: "POST calendars/primary/events", a JSON body or "", and headers in pairs.
func (a *account) do(request, body string, headers ...string) answer {
	a.t.Helper()
	verb, path, _ := strings.Cut(request, " ")
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(a.t.Context(), verb, a.url+base+path, reader)
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+a.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := a.http.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	got := answer{status: response.StatusCode, header: response.Header, text: string(text), err: err}
	_ = json.Unmarshal(text, &got.body) // nil where it is none
	return got
}

// must is do where the status has to be 200, or 204.
func (a *account) must(request, body string, headers ...string) answer {
	a.t.Helper()
	got := a.do(request, body, headers...)
	if got.err != nil || got.status != http.StatusOK && got.status != http.StatusNoContent {
		a.t.Fatalf("%s %s = %d %s %v, want 200", request, body, got.status, got.text, got.err)
	}
	return got
}

// refused is do where the answer has to be an error; it returns "404 notFound: Not Found".
func (a *account) refused(request, body string, headers ...string) string {
	a.t.Helper()
	got := a.wrong().do(request, body, headers...)
	if got.err != nil {
		return got.err.Error()
	}
	var e struct {
		Error errorBody `json:"error"`
	}
	if err := json.Unmarshal([]byte(got.text), &e); err != nil || len(e.Error.Errors) == 0 {
		return fmt.Sprintf("%d %s", got.status, got.text)
	}
	return fmt.Sprintf("%d %s: %s", got.status, e.Error.Errors[0].Reason, e.Error.Message)
}

// insert inserts an event and returns its id.
func (a *account) insert(body string) string {
	a.t.Helper()
	return a.must("POST calendars/primary/events", body).string("id")
}

// list returns a list as lines "id status start": all pages of it, and the sync token.
func (a *account) list(query string) (lines []string, syncToken string) {
	a.t.Helper()
	page := ""
	for range 100 {
		got := a.must("GET calendars/primary/events?"+query+page, "")
		for _, item := range got.items() {
			lines = append(lines, line(item))
		}
		if next := got.string("nextPageToken"); next != "" {
			if got.string("nextSyncToken") != "" {
				a.t.Errorf("list %s: a sync token on a page that is not the last", query)
			}
			page = "&pageToken=" + url.QueryEscape(next)
			continue
		}
		return lines, got.string("nextSyncToken")
	}
	a.t.Fatalf("list %s: more than 100 pages", query)
	return nil, ""
}

func (a *account) ids(query string) []string {
	a.t.Helper()
	lines, _ := a.list(query)
	ids := []string{}
	for _, l := range lines {
		id, _, _ := strings.Cut(l, " ")
		ids = append(ids, id)
	}
	return ids
}

func line(item map[string]any) string {
	start, _ := item["start"].(map[string]any)
	text := fmt.Sprint(item["id"])
	if item["status"] != "confirmed" {
		text += fmt.Sprint(" ", item["status"])
	}
	for _, name := range []string{"date", "dateTime"} {
		if start[name] != nil {
			text += fmt.Sprint(" ", start[name])
		}
	}
	return text
}

func (g answer) string(name string) string {
	text, _ := g.body[name].(string)
	return text
}

func (g answer) items() []map[string]any {
	items, _ := g.body["items"].([]any)
	var objects []map[string]any
	for _, item := range items {
		object, _ := item.(map[string]any)
		objects = append(objects, object)
	}
	return objects
}

// timed is the body of an event from and to a time of 15 January 2026 in Tokyo: timed("a", "14:00", "15:00").
func timed(summary, from, to string, more ...string) string {
	return fmt.Sprintf(`{"summary":%q,"start":{"dateTime":"2026-01-15T%s:00+09:00","timeZone":"Asia/Tokyo"},"end":{"dateTime":"2026-01-15T%s:00+09:00","timeZone":"Asia/Tokyo"}%s}`,
		summary, from, to, strings.Join(more, ""))
}

func sprint(v any) string { return fmt.Sprint(v) }
