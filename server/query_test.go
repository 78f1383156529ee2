package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/prompts"
	"annai/server/door"
)

func TestQueryAnswers(t *testing.T) {
	f := newFixture(t, Options{NewID: func() string { return "id-1" }})
	w := f.do(t, "POST", "/query", `{"query":" 今週のイベントは？　","language":"ja","sessionId":"kiosk-1","timezone":"Europe/Paris","format":"spec","new":{"a":[1]}}`)
	if w.Code != http.StatusOK {
		t.Fatalf("status = %d, body %s", w.Code, w.Body)
	}
	turn := dialog.Turn{
		Query: "今週のイベントは？", Language: "ja", SessionID: "kiosk-1", Location: mustZone("Europe/Paris"), SpecFormat: true,
		RequestID: "id-1", RunID: "id-1",
	}
	if diff := cmp.Diff(turn, f.concierge.last(t), cmp.Comparer(sameZone)); diff != "" {
		t.Errorf("turn (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(sampleAnswer(turn), decode[api.QueryResponse](t, w)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func sameZone(a, b *time.Location) bool { return a == b }

func TestQueryFillsLists(t *testing.T) {
	f := newFixture(t, Options{})
	f.concierge.ask = func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
		yield(dialog.Final{}, nil)
	}
	w := f.do(t, "POST", "/query", goodBody)
	for _, want := range []string{`"speech":[]`, `"cards":[]`, `"suggestions":[]`, `"sources":[]`, `"sourceStatus":{}`, `"timingsMs":{}`, `"interrupt":null`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("POST /query = %s, want %s in it", w.Body, want)
		}
	}
}

func TestQueryAliases(t *testing.T) {
	for body, want := range map[string]dialog.Turn{
		`{"question":"a","session_id":"s"}`:                        {Query: "a", SessionID: "s"},
		`{"text":"a"}`:                                             {Query: "a"},
		`{"message":"a"}`:                                          {Query: "a"},
		`{"message":"c","text":"b","query":"a"}`:                   {Query: "a"},
		`{"query":null,"message":"a","language":null}`:             {Query: "a"},
		`{"query":"a","message":{"role":"user"}}`:                  {Query: "a"},
		"\ufeff" + ` {"query":"a"} ` + "\n":                        {Query: "a"},
		`{"query":"a","format":"natural","stream":false}`:          {Query: "a"},
		`{"query":"\u200ba\u3000\ufeff"}`:                          {Query: "a"},
		`{"resume":{"interruptId":"i","value":2},"sessionId":"s"}`: {SessionID: "s", Resume: &dialog.Resume{InterruptID: "i", Value: json.RawMessage("2")}},
		`{"resume":{"interrupt_id":"i","value":"はい"},"sessionId":"s","query":""}`: {
			SessionID: "s", Resume: &dialog.Resume{InterruptID: "i", Value: json.RawMessage(`"はい"`)},
		},
	} {
		q, err := parseQuery([]byte(body))
		if err != nil {
			t.Errorf("parseQuery(%s): %v", body, err)
			continue
		}
		if diff := cmp.Diff(want, q.turn); diff != "" {
			t.Errorf("parseQuery(%s) (-want +got):\n%s", body, diff)
		}
	}
}

func TestQueryRefuses(t *testing.T) {
	long := strings.Repeat("あ", 2000)
	for name, test := range map[string]struct {
		body   string
		fields []string
		words  string
		in     string
	}{
		"empty query":          {`{"query":""}`, []string{"query"}, "empty", "ja"},
		"blank query":          {`{"query":" \t\u3000\n\u200b"}`, []string{"query"}, "empty", "ja"},
		"no query":             {`{}`, []string{"query"}, "empty", "ja"},
		"no query, in English": {`{"language":"en"}`, []string{"query"}, "empty", "en"},
		"2,001 characters":     {`{"query":"` + long + `い"}`, []string{"query"}, "too_long", "ja"},
		"too long an alias":    {`{"text":"` + strings.Repeat("a", 2001) + `"}`, []string{"text"}, "too_long", "en"},
		"query is a number":    {`{"query":1}`, []string{"query"}, "invalid", "ja"},
		"message is a list":    {`{"message":["a"]}`, []string{"message"}, "invalid", "ja"},
		"everything is wrong": {
			`{"query":{},"language":1,"sessionId":[],"timezone":true,"stream":"yes","format":0,"resume":1}`,
			[]string{"query", "language", "sessionId", "timezone", "format", "stream", "resume"},
			"invalid", "ja",
		},
		"unknown language":      {`{"query":"hello","language":"fr"}`, []string{"language"}, "invalid", "en"},
		"unknown zone":          {`{"query":"hello","timezone":"Asia/Tokio"}`, []string{"timezone"}, "invalid", "en"},
		"the server's zone":     {`{"query":"hello","timezone":"Local"}`, []string{"timezone"}, "invalid", "en"},
		"a path as zone":        {`{"query":"hello","timezone":"../../etc/passwd"}`, []string{"timezone"}, "invalid", "en"},
		"unknown format":        {`{"query":"今日は？","format":"html"}`, []string{"format"}, "invalid", "ja"},
		"long session id":       {`{"query":"a","sessionId":"` + strings.Repeat("s", 129) + `"}`, []string{"sessionId"}, "invalid", "en"},
		"unprintable session":   {`{"query":"a","session_id":"a\u0000b"}`, []string{"session_id"}, "invalid", "en"},
		"line break in session": {`{"query":"a","sessionId":"a\nb"}`, []string{"sessionId"}, "invalid", "en"},
		"resume, no session":    {`{"resume":{"interruptId":"i","value":"はい"}}`, []string{"sessionId"}, "invalid", "ja"},
		"resume, no id":         {`{"resume":{"value":"はい"},"sessionId":"s"}`, []string{"resume.interruptId"}, "invalid", "ja"},
		"resume, id a number":   {`{"resume":{"interruptId":7,"value":"はい"},"sessionId":"s"}`, []string{"resume.interruptId"}, "invalid", "ja"},
		"resume, no value":      {`{"resume":{"interruptId":"i","value":null},"sessionId":"s"}`, []string{"resume.value"}, "invalid", "ja"},
		"empty body":            {` `, []string{"body"}, "invalid", "ja"},
		"broken JSON":           {`{"query":"a"`, []string{"body"}, "invalid", "ja"},
		"not JSON":              {`query=a`, []string{"body"}, "invalid", "ja"},
		"a list":                {`["a"]`, []string{"body"}, "invalid", "ja"},
		"null":                  {`null`, []string{"body"}, "invalid", "ja"},
		"a string":              {`"今日は？"`, []string{"body"}, "invalid", "ja"},
		"trailing garbage":      {`{"query":"a"} x`, []string{"body"}, "invalid", "ja"},
		"two objects":           {`{"query":"a"}{"query":"b"}`, []string{"body"}, "invalid", "ja"},
		"invalid UTF-8":         {"{\"query\":\"\xff\xfe\"}", []string{"body"}, "invalid", "ja"},
		"deep":                  {`{"query":"a","x":` + strings.Repeat("[", 30000) + strings.Repeat("]", 30000) + `}`, []string{"body"}, "invalid", "ja"},
		"deep objects":          {`{"query":"a","x":` + strings.Repeat(`{"a":`, 12000), []string{"body"}, "invalid", "ja"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, Options{})
			e := checkEnvelope(t, f.do(t, "POST", "/query", test.body), http.StatusBadRequest, api.CodeInvalid)
			var fields []string
			for _, d := range e.Error.Details {
				fields = append(fields, d.Field)
				if !strings.Contains(e.Error.Message, d.Field+" "+d.Message) {
					t.Errorf("message = %q, want %q in it", e.Error.Message, d.Field+" "+d.Message)
				}
			}
			if diff := cmp.Diff(test.fields, fields); diff != "" {
				t.Errorf("details (-want +got):\n%s", diff)
			}
			if want := "[sad]" + (prompts.Failure{Name: test.words}.In(test.in)); e.Text != want {
				t.Errorf("text = %q, want %q", e.Text, want)
			}
			if len(f.concierge.turns) > 0 {
				t.Error("the concierge was asked")
			}
		})
	}
}

func TestQueryAcceptsLongest(t *testing.T) {
	f := newFixture(t, Options{})
	if w := f.do(t, "POST", "/query", `{"query":" `+strings.Repeat("あ", 2000)+` ","sessionId":"`+strings.Repeat("客", 128)+`"}`); w.Code != http.StatusOK {
		t.Errorf("2,000 characters and a session of 128: status = %d, body %s", w.Code, w.Body)
	}
}

func TestQueryMediaTypes(t *testing.T) {
	f := newFixture(t, Options{})
	for contentType, want := range map[string]int{
		"application/json":                          200,
		"application/json; charset=utf-8":           200,
		"Application/JSON;charset=\"UTF-8\"":        200,
		"application/json; charset=shift_jis":       415,
		"text/plain":                                415,
		"application/x-www-form-urlencoded":         415,
		"application/ld+json":                       415,
		"":                                          415,
		"application/json; charset":                 415,
		"application/json, application/json; q=0.5": 415,
	} {
		w := f.do(t, "POST", "/query", goodBody, "Content-Type", contentType)
		if w.Code != want {
			t.Errorf("Content-Type %q: status = %d, want %d", contentType, w.Code, want)
		}
		if want == 415 {
			checkEnvelope(t, w, 415, api.CodeMediaType)
		}
	}
	checkEnvelope(t, f.do(t, "POST", "/query", goodBody, "Content-Encoding", "gzip"), 415, api.CodeMediaType)
}

func TestQueryBodyLimit(t *testing.T) {
	f := newFixture(t, Options{MaxBody: 100})
	fits := `{"query":"` + strings.Repeat("a", 100-len(`{"query":""}`)) + `"}`
	if w := f.do(t, "POST", "/query", fits); w.Code != http.StatusOK {
		t.Errorf("body of the limit: status = %d", w.Code)
	}
	checkEnvelope(t, f.do(t, "POST", "/query", fits+" "), http.StatusRequestEntityTooLarge, api.CodeTooLarge)
}

// TestFailures checks every kind of failure of the concierge, in both forms of POST /query.
func TestFailures(t *testing.T) {
	for name, test := range map[string]struct {
		err    error
		body   string
		status int
		code   string
		words  string
	}{
		"invalid":       {fault.ErrInvalid, goodBody, 400, api.CodeInvalid, "invalid"},
		"denied":        {fault.ErrDenied, goodBody, 403, api.CodeDenied, "denied"},
		"not found":     {fault.ErrNotFound, goodBody, 404, api.CodeNotFound, "not_found"},
		"resume lost":   {fault.ErrNotFound, `{"sessionId":"s","resume":{"interruptId":"i","value":1}}`, 404, api.CodeNotFound, "resume_lost"},
		"conflict":      {fault.ErrConflict, goodBody, 409, api.CodeConflict, "conflict"},
		"unavailable":   {fault.ErrUnavailable, goodBody, 503, api.CodeUnavailable, "unavailable"},
		"no time":       {fmt.Errorf("%w: %w", fault.ErrUnavailable, context.DeadlineExceeded), goodBody, 504, api.CodeDeadline, "deadline"},
		"anything else": {errors.New("sql: /var/lib/annai/threads.db is locked"), goodBody, 500, api.CodeInternal, "internal"},
		"session ended": {context.Canceled, goodBody, 409, api.CodeCancelled, "cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, Options{})
			f.concierge.ask = func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
				yield(nil, fmt.Errorf("put step 3 of thread /home/x/*nodes.Concierge: %w", test.err))
			}
			for _, accept := range []string{"application/json", "text/event-stream"} {
				w := f.do(t, "POST", "/query", test.body, "Accept", accept)
				e := checkEnvelope(t, w, test.status, test.code)
				if want := (prompts.Failure{Name: test.words}.In("ja")); !strings.HasSuffix(e.Text, want) {
					t.Errorf("text = %q, want %q", e.Text, want)
				}
				checkNoLeak(t, w.Body.String())
			}
			if !strings.Contains(f.log.String(), "put step 3") || !strings.Contains(f.log.String(), "request_id=") {
				t.Errorf("log = %s, want the error and the request's id", f.log)
			}
		})
	}
}

// checkNoLeak looks for what must stay inside.
func checkNoLeak(t testing.TB, body string) {
	t.Helper()
	for _, secret := range []string{"/home", "/var", "/work", ".go", "nodes.", "server.", "goroutine", "0x", "step 3", "panic", "sql"} {
		if strings.Contains(body, secret) {
			t.Errorf("answer %s holds %q", body, secret)
		}
	}
}

func TestPanic(t *testing.T) {
	f := newFixture(t, Options{})
	f.concierge.ask = func(context.Context, dialog.Turn, func(dialog.Event, error) bool) {
		panic(fmt.Sprintf("nil map in %s", "/var/secret"))
	}
	for _, accept := range []string{"application/json", "text/event-stream"} {
		w := f.do(t, "POST", "/query", `{"query":"hello"}`, "Accept", accept)
		if e := checkEnvelope(t, w, http.StatusInternalServerError, api.CodeInternal); e.Language != "en" {
			t.Errorf("language = %q, want en", e.Language)
		}
		checkNoLeak(t, w.Body.String())
	}
	if !strings.Contains(f.log.String(), "stack=") || !strings.Contains(f.log.String(), "nil map") {
		t.Errorf("log = %s, want the panic with its stack", f.log)
	}
	checkIdle(t, f)
	f.concierge.end = func(string) error { panic("end") }
	checkEnvelope(t, f.do(t, "DELETE", "/sessions/a", ""), http.StatusInternalServerError, api.CodeInternal)
}

func TestErrorLanguage(t *testing.T) {
	f := newFixture(t, Options{})
	for _, test := range []struct{ body, accept, want string }{
		{`{"query":"","language":"en"}`, "ja", "en"},
		{`{"query":"hello","format":"x"}`, "ja", "en"},
		{`{"query":"Wi-Fiは？","format":"x"}`, "en", "ja"},
		{`{"query":"123","format":"x"}`, "en-US,en;q=0.9,ja;q=0.8", "en"},
		{`{`, "fr, en;q=0.5, ja;q=0.7", "ja"},
		{`{`, "fr", "ja"},
		{`{`, "en;q=0", "ja"},
		{`{`, "", "ja"},
	} {
		e := checkEnvelope(t, f.do(t, "POST", "/query", test.body, "Accept-Language", test.accept), http.StatusBadRequest, api.CodeInvalid)
		if e.Language != test.want {
			t.Errorf("body %s, Accept-Language %q: language = %q, want %q", test.body, test.accept, e.Language, test.want)
		}
	}
}

func TestRequestID(t *testing.T) {
	f := newFixture(t, Options{NewID: func() string { return "made" }})
	for given, want := range map[string]string{
		"abc-1.2_3:4": "abc-1.2_3:4", "": "made", "a b": "made", "日本": "made", "a\"b": "made", strings.Repeat("a", 129): "made",
	} {
		w := f.do(t, "POST", "/query", goodBody, "X-Request-Id", given)
		if got := w.Header().Get("X-Request-Id"); got != want {
			t.Errorf("X-Request-Id %q: answered with %q, want %q", given, got, want)
		}
		if got := f.concierge.last(t).RequestID; got != want {
			t.Errorf("X-Request-Id %q: turn has %q, want %q", given, got, want)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{
		goodBody, `{"resume":{"interruptId":"i","value":[{}]},"sessionId":"s"}`, `{"query":1,"text":null}`, `[`, "\xff", `{"query":"\ud800"}`,
		`{"timezone":"Asia/Tokyo","query":"a","format":"spec","language":"en","stream":true}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := parseQuery(body)
		if err != nil {
			failed := door.Explain(err, "")
			e := envelope(failed, "id")
			checkSpoken(t, e)
			if failed.Status != http.StatusBadRequest || len(e.Error.Details) == 0 {
				t.Errorf("parseQuery(%q) = %v, want status 400 with details", body, err)
			}
			return
		}
		length := len([]rune(q.turn.Query))
		if length > maxQuery || length == 0 && q.turn.Resume == nil || q.turn.Resume != nil && q.turn.SessionID == "" {
			t.Errorf("parseQuery(%q) = %+v, which should have been refused", body, q.turn)
		}
	})
}
