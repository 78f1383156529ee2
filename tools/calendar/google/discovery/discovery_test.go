package discovery

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func document(t *testing.T) *Document {
	t.Helper()
	d, err := Calendar()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const events = "https://www.googleapis.com/calendar/v3/calendars/primary/events"

func address(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

var asJSON = http.Header{"Content-Type": {"application/json; charset=UTF-8"}}

func TestRequest(t *testing.T) {
	d := document(t)
	const times = `"start":{"dateTime":"2026-01-15T14:00:00+09:00"},"end":{"dateTime":"2026-01-15T15:00:00+09:00"}`
	for _, test := range []struct {
		request, body string
		want          []string
	}{
		{"GET " + events + "?singleEvents=true&maxResults=3&eventTypes=default&eventTypes=birthday&alt=json&prettyPrint=false", "", nil},
		{"GET " + events + "/id%2Fwith%20slash?timeZone=Asia/Tokyo", "", nil},
		{"POST " + events, `{` + times + `}`, nil},
		{"POST " + events, `{"start":{"dateTime":"2026-01-15T14:00:00","timeZone":"Asia/Tokyo"},"end":{"date":"2026-01-15"},"extendedProperties":{"private":{"any":"thing"}}}`, nil},
		{"PATCH " + events + "/abcde", `{"location":null,"start":{"date":"2026-01-15","dateTime":null}}`, nil},
		{"GET https://oauth2.googleapis.com/token", "no business of ours", nil},
		{"POST https://www.googleapis.com/calendar/v3/freeBusy", `{"timeMin":"2026-01-15T00:00:00Z","timeMax":"2026-01-16T00:00:00Z","items":[{"id":"a"}]}`, nil},

		{"GET https://www.googleapis.com/calendar/v3/nosuch", "", []string{`GET /calendar/v3/nosuch is no method in the document`}},
		{"PUT " + events, "", []string{`PUT /calendar/v3/calendars/primary/events is no method in the document`}},
		{"GET " + events + "?limit=3", "", []string{`parameter limit: calendar.events.list has none of that name`}},
		{"GET " + events + "?calendarId=x", "", []string{`parameter calendarId: calendar.events.list has none of that name`}},
		{"GET " + events + "?maxResults=0", "", []string{`parameter maxResults: is 0, not between 1 and 2.147483647e+09`}},
		{"GET " + events + "?maxResults=1.5", "", []string{`parameter maxResults: is "1.5", no integer`}},
		{"GET " + events + "?singleEvents=1", "", []string{`parameter singleEvents: is "1", not true or false`}},
		{"GET " + events + "?orderBy=start", "", []string{`parameter orderBy: is "start", not one of startTime, updated`}},
		{"GET " + events + "?timeMin=2026-01-15T10:00:00", "", []string{`parameter timeMin: is "2026-01-15T10:00:00", no date-time`}},
		{"GET " + events + "?q=a&q=b", "", []string{`parameter q: is there 2 times`}},
		{"POST " + events + "/abcde/move", "", []string{`parameter destination: is missing`}},
		{"GET " + events, `{}`, []string{`body: calendar.events.list has none`}},
		{"POST " + events, `{"title":"a",` + times + `}`, []string{`body.title: is not in the document`}},
		{"POST " + events, `{"summary":7,` + times + `}`, []string{`body.summary: is a number, not a string`}},
		{"POST " + events, `{"sequence":"1","sequence":1.5,` + times + `}`, []string{`body.sequence: is "1.5", no integer`}},
		{"POST " + events, `{"attendees":{"email":"a"},` + times + `}`, []string{`body.attendees: is an object, not an array`}},
		{"POST " + events, `{"attendees":[{"mail":"a"}],` + times + `}`, []string{`body.attendees[0].mail: is not in the document`}},
		{"POST " + events, `{"summary":"a"}`, []string{`body.end: is missing`, `body.start: is missing`}},
		{"POST " + events, `{"start":{"dateTime":"2026-01-15T14:00:00"},"end":{"date":"2026-02-30"}}`, []string{
			`body.end.date: is "2026-02-30", no date`, `body.start.dateTime: is "2026-01-15T14:00:00", no date-time`,
		}},
		{"POST " + events, `{`, []string{`body: no JSON: unexpected EOF`}},
		{"POST " + events, `{` + times + `}{}`, []string{`body: something behind the JSON value`}},
		{"POST " + events, `[]`, []string{`body: is an array, not an object`}},
	} {
		verb, where, _ := strings.Cut(test.request, " ")
		got := d.Request(verb, address(t, where), asJSON, []byte(test.body))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Request(%s, %s) (-want +got):\n%s", test.request, test.body, diff)
		}
	}
	got := d.Request("POST", address(t, events), http.Header{"Content-Type": {"text/plain"}}, []byte(`{`+times+`}`))
	if diff := cmp.Diff([]string{`header Content-Type: is "text/plain"`}, got); diff != "" {
		t.Errorf("Request with plain text (-want +got):\n%s", diff)
	}
}

func TestAnswer(t *testing.T) {
	d := document(t)
	const list = "GET " + events
	for _, test := range []struct {
		request string
		status  int
		body    string
		want    []string
	}{
		{list, 200, `{"kind":"calendar#events","items":[{"id":"a","status":"cancelled"}]}`, nil},
		{list + "?fields=items", 200, `{"items":[]}`, nil},
		{"DELETE " + events + "/a", 204, "", nil},
		{list, 304, "", nil},
		{list, 404, `{"error":{"errors":[{"domain":"global","reason":"notFound","message":"Not Found"}],"code":404,"message":"Not Found"}}`, nil},
		{"GET https://oauth2.googleapis.com/tokeninfo", 400, "no business of ours", nil},

		{list, 200, `{}`, []string{`answer.kind: is missing`}},
		{list, 201, `{"kind":"x"}`, []string{`answer: the status is 201`}},
		{list, 200, `{"kind":"x","etag":"\"1\""}`, []string{`answer.etag: is "1", and the header says `}},
		{list, 200, `{"kind":"x","items":[{"summary":null}]}`, []string{`answer.items[0].summary: is null`}},
		{list, 200, `{"kind":"x","items":[{"start":{"dateTime":"2026-01-15T14:00:00","timeZone":"Asia/Tokyo"}}]}`, []string{
			`answer.items[0].start.dateTime: is "2026-01-15T14:00:00", no date-time`,
		}},
		{list, 200, `{"kind":"x","more":1}`, []string{`answer.more: is not in the document`}},
		{list, 200, `nothing`, []string{`answer: no JSON: invalid character 'o' in literal null (expecting 'u')`}},
		{list, 304, "x", []string{`answer: 304 with a body`}},
		{"DELETE " + events + "/a", 200, "{}", []string{`answer: calendar.events.delete has none, and the status is 200`}},
		{"GET https://www.googleapis.com/calendar/v3/nosuch", 200, "{}", []string{`answer: 200 to what is no method`}},
		{list, 404, `Not Found`, []string{`error: the body is "Not Found", not an error in Google's form`}},
		{list, 404, `{"error":{"code":403,"message":"m","errors":[{"domain":"d","reason":"r","message":"m"}]}}`, []string{`error.code: is 403, and the status is 404`}},
		{list, 404, `{"error":{"code":404,"message":"m"}}`, []string{`error: lacks a message or errors: {"error":{"code":404,"message":"m"}}`}},
		{list, 404, `{"error":{"code":404,"message":"m","errors":[{"domain":"d"}]}}`, []string{
			`error.errors[0]: lacks domain, reason or message: {"error":{"code":404,"message":"m","errors":[{"domain":"d"}]}}`,
		}},
	} {
		verb, where, _ := strings.Cut(test.request, " ")
		got := d.Answer(verb, address(t, where), test.status, asJSON, []byte(test.body))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Answer(%s, %d, %s) (-want +got):\n%s", test.request, test.status, test.body, diff)
		}
	}
}

// TestCheckFailsTheTest: what is wrong on the way reaches the test, through the transport and through the handler, and the bodies arrive.
func TestCheckFailsTheTest(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("drop") != "" {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"calendar#events","wrong":1}`))
	})
	for _, test := range []struct {
		name string
		// client makes the client of a server that fails the test t.
		client func(t testing.TB) (*http.Client, string)
		want   []string
	}{
		{"Check", func(t testing.TB) (*http.Client, string) {
			server := httptest.NewServer(answer)
			t.Cleanup(server.Close)
			return &http.Client{Transport: Check(t, nil)}, server.URL
		}, []string{"parameter limit", "answer.wrong"}},
		{"CheckAnswers", func(t testing.TB) (*http.Client, string) {
			server := httptest.NewServer(answer)
			t.Cleanup(server.Close)
			return &http.Client{Transport: CheckAnswers(t, nil)}, server.URL
		}, []string{"answer.wrong"}},
		{"Handler", func(t testing.TB) (*http.Client, string) {
			server := httptest.NewServer(Handler(t, answer))
			t.Cleanup(server.Close)
			return server.Client(), server.URL
		}, []string{"parameter limit", "answer.wrong"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			told := &teller{TB: t}
			client, server := test.client(told)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/calendar/v3/calendars/primary/events?limit=1", nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body := make([]byte, 100)
			if n, _ := response.Body.Read(body); string(body[:n]) != `{"kind":"calendar#events","wrong":1}` {
				t.Errorf("the body that arrived is %q", body[:n])
			}
			if len(told.failures) != len(test.want) {
				t.Fatalf("the test was told %q, want %q", told.failures, test.want)
			}
			for i, want := range test.want {
				if !strings.Contains(told.failures[i], want) {
					t.Errorf("the test was told %q, want %q in it", told.failures[i], want)
				}
			}
		})
	}
}

// teller is a test that may fail without failing.
type teller struct {
	testing.TB
	failures []string
}

func (t *teller) Errorf(format string, args ...any) {
	text := format
	for _, a := range args {
		if s, ok := a.(string); ok {
			text += " " + s
		}
	}
	t.failures = append(t.failures, text)
}

func TestDroppedConnectionIsNoProblem(t *testing.T) {
	told := &teller{TB: t}
	broken := roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset") })
	client := &http.Client{Transport: Check(told, broken)}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, events, nil)
	if err != nil {
		t.Fatal(err)
	}
	if response, err := client.Do(r); err == nil {
		response.Body.Close()
		t.Error("Do with a broken connection = nil, want its error")
	}
	if len(told.failures) != 0 {
		t.Errorf("the test was told %q, want nothing", told.failures)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestMessage(t *testing.T) {
	d := document(t)
	if got := d.Message("Event", []byte(`{"summary":"a"}`)); len(got) > 0 {
		t.Errorf("Message(an event) = %q, want nothing", got)
	}
	for schema, body := range map[string]string{"Event": `{"sumary":"a"}`, "Evnt": `{}`, "EventDateTime": `[`} {
		if got := d.Message(schema, []byte(body)); len(got) == 0 {
			t.Errorf("Message(%s, %s) = nothing, want what is wrong", schema, body)
		}
	}
}

func TestReadOfWhatIsNone(t *testing.T) {
	if _, err := Read([]byte("{")); err == nil {
		t.Error("Read(no JSON) = nil, want an error")
	}
}
