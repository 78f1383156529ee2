package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/server/door"
	"annai/server/keys"
)

// contract checks requests and answers against the OpenAPI document that the server publishes.
type contract struct{ doc *openapi3.T }

func loadContract(t testing.TB, f *fixture) contract {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(f.do(t, "GET", "/openapi.json", "").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return contract{doc}
}

// check validates one answer of the operation at path (as in the document), and its request if it was a good one.
func (c contract) check(t testing.TB, path string, r *http.Request, requestBody string, w *httptest.ResponseRecorder) {
	t.Helper()
	item := c.doc.Paths.Value(path)
	operation := item.GetOperation(r.Method)
	if operation.Responses.Status(w.Code) == nil {
		t.Errorf("%s %s answers %d, which is not in the document", r.Method, path, w.Code)
	}
	r.Body = io.NopCloser(strings.NewReader(requestBody))
	options := &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	input := &openapi3filter.RequestValidationInput{
		Request: r, QueryParams: r.URL.Query(), Options: options,
		PathParams: map[string]string{"id": "some-id", "name": "echo", "path": "akari.svg"},
		Route:      &routers.Route{Spec: c.doc, Path: path, PathItem: item, Method: r.Method, Operation: operation},
	}
	if w.Code < http.StatusBadRequest {
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			t.Errorf("%s %s: request %s: %v", r.Method, path, requestBody, err)
		}
	}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		c.checkStream(t, w)
		return
	}
	if known := operation.Responses.Status(w.Code); known != nil && len(known.Value.Content) > 0 {
		if mediaType := w.Header().Get("Content-Type"); known.Value.Content.Get(mediaType) == nil {
			t.Errorf("%s %s: Content-Type %q is not in the document", r.Method, path, mediaType)
		}
	}
	options.ExcludeResponseBody = !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json")
	response := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: w.Code, Header: w.Header(), Options: options, Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())),
	}
	if err := openapi3filter.ValidateResponse(context.Background(), response); err != nil {
		t.Errorf("%s %s: answer %d %s: %v", r.Method, path, w.Code, w.Body, err)
	}
}

func (c contract) checkStream(t testing.TB, w *httptest.ResponseRecorder) {
	t.Helper()
	schemas := map[string]string{
		api.EventRunStarted: "RunStarted", api.EventNodeStarted: "NodeProgress", api.EventNodeFinished: "NodeProgress", api.EventSentence: "SpokenSentence",
		api.EventCards: "Cards", api.EventSuggestions: "Suggestions", api.EventConfirm: "Interrupt", api.EventFinal: "QueryResponse", api.EventError: "ErrorResponse",
	}
	for _, e := range readEvents(t, w.Body.String()) {
		var data any
		if err := json.Unmarshal([]byte(e.Data), &data); err != nil {
			t.Errorf("event %s: %v", e.Name, err)
			continue
		}
		schema := c.doc.Components.Schemas[schemas[e.Name]]
		if schema == nil {
			t.Errorf("event %s has no schema", e.Name)
			continue
		}
		if err := schema.Value.VisitJSON(data, openapi3.EnableJSONSchema2020()); err != nil {
			t.Errorf("event %s: %s: %v", e.Name, e.Data, err)
		}
	}
}

// TestContract sends a good and, where there can be one, a bad request to every route, and validates both sides.
func TestContract(t *testing.T) {
	f := setup{keys: keys.Settings{Owner: ownerKey}}.fixture(t)
	f.parts.SignIn = fakeSignIn{}
	c := loadContract(t, f)
	documented := map[string]bool{}
	ask := func(method, path, url, body string, headers ...string) {
		t.Helper()
		documented[method+" "+path] = true
		w := f.do(t, method, url, body, headers...)
		r := httptest.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		c.check(t, path, r, body, w)
	}
	ask("POST", "/query", "/query", `{"query":"今週のイベントは？","language":"ja","sessionId":"kiosk-1","timezone":"Asia/Tokyo","format":"spec","stream":false}`)
	ask("POST", "/query", "/query", `{"message":"What's on?","session_id":"kiosk-1"}`)
	ask("POST", "/query", "/query", `{"resume":{"interruptId":"i","value":1},"sessionId":"kiosk-1"}`)
	ask("POST", "/query", "/query", `{"query":"今日は？","stream":true}`)
	ask("POST", "/query", "/query", `{"query":1}`)
	ask("POST", "/query", "/query", goodBody, "Content-Type", "text/plain")
	ask("POST", "/query", "/query", goodBody, "Host", "evil.example")
	for _, err := range []error{fault.ErrNotFound, fault.ErrConflict, fault.ErrUnavailable, context.DeadlineExceeded, io.EOF} {
		f.concierge.ask = func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
			_ = turn.Query != "start" || yield(dialog.Confirm{Interrupt: api.Interrupt{ID: "i", Kind: "clarify", Question: "?", Options: []string{"a"}}}, nil)
			yield(nil, err)
		}
		ask("POST", "/query", "/query", goodBody)
		ask("POST", "/query", "/query", `{"query":"start","stream":true}`)
	}
	f.concierge.ask = func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
		yield(dialog.Final{QueryResponse: api.QueryResponse{
			Emotion: "surprised", Language: "en", Metadata: api.Metadata{Language: "en"}, VRM: api.VRM{Expression: "surprised"}, Interrupt: &api.Interrupt{ID: "i"},
		}}, nil)
	}
	ask("POST", "/query", "/query", goodBody)
	ask("DELETE", "/sessions/{id}", "/sessions/some-id", "")
	ask("DELETE", "/sessions/{id}", "/sessions/%00", "")
	ask("GET", "/admin/visitors/export", "/admin/visitors/export?session=kiosk-1", "")
	ask("GET", "/admin/visitors/export", "/admin/visitors/export", "")
	ask("DELETE", "/admin/visitors", "/admin/visitors?key=kiosk-1&address=192.0.2.1", "")
	ask("DELETE", "/admin/visitors", "/admin/visitors?address=here", "")
	ask("POST", "/runs/{id}/cancel", "/runs/some-id/cancel", "")
	ask("GET", "/speech/{name}", "/speech/unknown.wav", "")
	ask("GET", "/events", "/events?from=2026-01-01&to=2026-01-31", "")
	ask("GET", "/events", "/events?from=2026-01-01&to=2025-01-31", "")
	ask("GET", "/emotions", "/emotions", "")
	ask("GET", "/graph", "/graph", "")
	ask("GET", "/graph", "/graph?format=mermaid", "")
	ask("GET", "/graph", "/graph?format=x", "")
	ask("GET", "/venue", "/venue", "")
	ask("GET", "/venue/crest/{name}", "/venue/crest/unknown.svg", "")
	ask("GET", "/venue/avatar/{name}", "/venue/avatar/unknown.vrm", "")
	f.parts.Tools = sampleTools(t)
	ask("GET", "/tools", "/tools", "")
	ask("GET", "/tools", "/tools", "", "Authorization", "Bearer wrong")
	ask("POST", "/tools/{name}", "/tools/echo", `{"text":"a"}`)
	ask("POST", "/tools/{name}", "/tools/echo", `{"text":1}`)
	ask("POST", "/tools/{name}", "/tools/nothing", `{}`)
	for kind := range kindStatuses {
		ask("POST", "/tools/{name}", "/tools/fail", `{"text":"`+string(kind)+`"}`)
	}
	ask("POST", "/tools/calendar", "/tools/calendar", `{"event_id":"x"}`)
	ask("POST", "/tools/date", "/tools/date", `{}`)
	ask("POST", "/tools/date", "/tools/date", `{}`, "Content-Type", "text/plain")
	ask("POST", "/capture", "/capture", `{"text":"Fair"}`, "Authorization", "Bearer "+ownerKey)
	ask("POST", "/capture", "/capture", `{"text":1}`, "Authorization", "Bearer "+ownerKey)
	ask("POST", "/capture", "/capture", `{"text":"Fair"}`)
	ask("GET", "/healthz", "/healthz", "")
	ask("GET", "/readyz", "/readyz", "")
	f.stopped(t)
	ask("GET", "/readyz", "/readyz", "")
	ask("GET", "/metrics", "/metrics", "")
	ask("GET", "/metrics", "/metrics", "", "Origin", "https://evil.example")
	ask("GET", "/openapi.json", "/openapi.json", "")
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	ask("GET", "/auth/google", "/auth/google", "")
	ask("POST", "/auth/google/start", "/auth/google/start", "key="+ownerKey, form...)
	ask("POST", "/auth/google/start", "/auth/google/start", "key=wrong", form...)
	ask("GET", "/auth/google/callback", "/auth/google/callback?code=c", "")
	ask("GET", "/auth/google/callback", "/auth/google/callback?error=access_denied", "")
	ask("GET", "/", "/", "")
	ask("GET", "/kiosk", "/kiosk", "")
	ask("GET", "/preview", "/preview?language=en&shape=landscape", "")
	ask("GET", "/phone/{id}", "/phone/some-id", "")
	ask("GET", "/kept", "/kept?language=en", "")
	ask("GET", "/kept", "/kept?language=x", "")
	ask("POST", "/feedback", "/feedback", `{"runId":"r","route":"event","helpful":true}`)
	ask("POST", "/feedback", "/feedback", `{"runId":"r","route":"nowhere","helpful":true}`)
	ask("POST", "/heartbeat", "/heartbeat", `{"version":"abc"}`, "X-Device", "door")
	ask("POST", "/heartbeat", "/heartbeat", `{"version":"abc"}`)
	ask("POST", "/staff-calls", "/staff-calls", `{"id":"call-0001"}`)
	ask("POST", "/handovers", "/handovers", `{"sessionId":"s","runId":"r"}`)
	ask("POST", "/corner", "/corner", `{"code":"123456"}`)
	ask("GET", "/admin/kiosks", "/admin/kiosks", "")
	ask("GET", "/media/{name}", "/media/some-picture", "")
	ask("GET", "/pictures/{name}", "/pictures/some.jpg", "")
	ask("GET", "/kiosk/{path}", "/kiosk/akari.svg", "")
	ask("GET", "/kiosk/{path}", "/kiosk/nothing", "")
	for _, refused := range []*fixture{setup{keys: keys.Settings{Ask: askKey}}.fixture(t), setup{options: Options{AddressRate: door.Rate{Count: 1, Per: time.Hour}}}.fixture(t)} {
		f = refused
		for range 2 {
			ask("POST", "/query", "/query", goodBody, "from", "192.0.2.1:1")
			ask("GET", "/metrics", "/metrics", "", "from", "192.0.2.1:1")
			ask("GET", "/tools", "/tools", "", "from", "192.0.2.1:1")
		}
	}
	for path, item := range c.doc.Paths.Map() {
		for method := range item.Operations() {
			if !documented[method+" "+path] {
				t.Errorf("%s %s was not checked", method, path)
			}
		}
	}
}

// TestContractRefuses checks that the document is no formality: it finds what is wrong.
func TestContractRefuses(t *testing.T) {
	c := loadContract(t, newFixture(t, Options{}))
	for name, bad := range map[string]string{
		"null list":       `{"cards":null}`,
		"unknown type":    `{"cards":[{"type":"movie","title":"a"}]}`,
		"missing title":   `{"cards":[{"type":"event"}]}`,
		"title no string": `{"cards":[{"type":"event","title":1}]}`,
	} {
		var data any
		if err := json.Unmarshal([]byte(bad), &data); err != nil {
			t.Fatal(err)
		}
		if err := c.doc.Components.Schemas["Cards"].Value.VisitJSON(data, openapi3.EnableJSONSchema2020()); err == nil {
			t.Errorf("%s: %s passes", name, bad)
		}
	}
}
