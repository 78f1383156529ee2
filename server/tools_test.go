package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/server/keys"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/agenda/family"
	"annai/tools/calendar/mem"
	"annai/tools/date"
)

type echoed struct {
	Text string `json:"text"`
}

// kindStatuses is what each failure of a calendar is over HTTP.
var kindStatuses = map[calendar.Kind]struct {
	status int
	code   string
	retry  string
}{
	calendar.Invalid:     {http.StatusBadRequest, api.CodeInvalid, ""},
	calendar.InvalidText: {http.StatusBadRequest, api.CodeInvalid, ""},
	calendar.Instance:    {http.StatusBadRequest, api.CodeInvalid, ""},
	calendar.Auth:        {http.StatusForbidden, api.CodeDenied, ""},
	calendar.Scope:       {http.StatusForbidden, api.CodeDenied, ""},
	calendar.Forbidden:   {http.StatusForbidden, api.CodeDenied, ""},
	calendar.NotFound:    {http.StatusNotFound, api.CodeNotFound, ""},
	calendar.Gone:        {http.StatusGone, api.CodeGone, ""},
	calendar.Exists:      {http.StatusConflict, api.CodeConflict, ""},
	calendar.Stale:       {http.StatusConflict, api.CodeConflict, ""},
	calendar.RateLimited: {http.StatusTooManyRequests, api.CodeRateLimited, "31"},
	calendar.Quota:       {http.StatusTooManyRequests, api.CodeRateLimited, "3600"},
	calendar.Unavailable: {http.StatusServiceUnavailable, api.CodeUnavailable, ""},
	calendar.Ambiguous:   {http.StatusServiceUnavailable, api.CodeAmbiguous, "5"},
}

// ownerKey is the key of these tests.
const ownerKey = "a-key-that-nobody-guesses"

// sampleTools returns echo and fail, which fails with the kind that it is given, the date tools, and those of an empty calendar.
func sampleTools(t testing.TB) *tools.Registry {
	t.Helper()
	return toolsOver(t, mem.New("own"))
}

func toolsOver(t testing.TB, w calendar.Writer) *tools.Registry {
	t.Helper()
	now := func() time.Time { return noon }
	a, err := agenda.New([]agenda.Calendar{{ID: "own", Writer: w}}, agenda.Options{Location: tokyo, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	r := tools.New(now, tools.Options{})
	spec := func(name string) tools.Spec {
		return tools.Spec{
			Name: name, Class: tools.Read, Timeout: time.Minute, Description: map[string]string{"ja": "言う", "en": "say"},
			Roles: []tools.Role{tools.Visitor, tools.Owner},
		}
	}
	err = errors.Join(
		tools.Add(r, tools.Tool[echoed, echoed]{Spec: spec("echo"), Do: func(_ context.Context, _ tools.Caller, in echoed) (echoed, error) {
			return in, nil
		}}),
		tools.Add(r, tools.Tool[echoed, echoed]{Spec: spec("fail"), Do: func(_ context.Context, _ tools.Caller, in echoed) (echoed, error) {
			if in.Text == "odd" {
				return echoed{}, errors.New("token 12345 leaked")
			}
			return echoed{}, &calendar.Failure{Kind: calendar.Kind(in.Text), RetryAfter: 30*time.Second + time.Millisecond}
		}}),
		date.Register(r, now, tokyo),
		family.Register(r, a, family.Options{}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func toolFixture(t *testing.T) *fixture {
	t.Helper()
	f := setup{keys: keys.Settings{Owner: ownerKey}}.fixture(t)
	f.parts.Tools = sampleTools(t)
	return f
}

func asOwner(headers ...string) []string {
	return append([]string{"Authorization", "Bearer " + ownerKey}, headers...)
}

func TestToolsList(t *testing.T) {
	f := toolFixture(t)
	names := func(headers ...string) []string {
		var names []string
		for _, tool := range decode[api.ToolsResponse](t, f.do(t, "GET", "/tools", "", headers...)).Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	public := []string{"echo", "fail", "get_current_datetime", "calculate_date", "list_dates_in_range"}
	if diff := cmp.Diff(public, names()); diff != "" {
		t.Errorf("GET /tools for a visitor (-want +got):\n%s", diff)
	}
	own := append(public, "list_events", "create_event", "update_event", "delete_event", "check_availability", "suggest_schedule",
		"create_calendar_event", "list_calendar_events", "calendar_read", "calendar_write")
	if diff := cmp.Diff(own, names(asOwner()...)); diff != "" {
		t.Errorf("GET /tools for the owner (-want +got):\n%s", diff)
	}
	got := decode[api.ToolsResponse](t, f.do(t, "GET", "/tools", "", asOwner("Accept-Language", "en")...)).Tools[8]
	if got.Name != "delete_event" || !strings.HasPrefix(got.Description, "Deletes an event") || !got.Annotations.DestructiveHint ||
		got.Annotations.ReadOnlyHint || !strings.Contains(string(got.InputSchema), `"event_id"`) {
		t.Errorf("delete_event = %+v, want its English description, its schema, and that it destroys", got)
	}
	checkEnvelope(t, f.do(t, "GET", "/tools", "", "Authorization", "Bearer wrong"), http.StatusUnauthorized, api.CodeUnauthorized)
	if got := newFixture(t, Options{}).do(t, "GET", "/tools", "").Body.String(); strings.TrimSpace(got) != `{"tools":[]}` {
		t.Errorf("GET /tools without any = %s, want an empty list", got)
	}
}

func TestToolCall(t *testing.T) {
	f := toolFixture(t)
	w := f.do(t, "POST", "/tools/echo", `{"text":"<案内>"}`)
	if w.Code != http.StatusOK || w.Body.String() != `{"text":"<案内>"}` || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("POST /tools/echo = %d %s %s, want what was sent", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	w = f.do(t, "POST", "/tools/date", `{"base_date":"2026-03-01","offset_weeks":2}`)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "2026-03-01（日曜日）の2週間後は 2026-03-15（日曜日）です。") {
		t.Errorf("POST /tools/date = %d %s, want two weeks later", w.Code, w.Body)
	}
	w = f.do(t, "POST", "/tools/date", `{}`, "Accept-Language", "en")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "It is 12:00 on 2026-01-14 (Wednesday), in week 3.") {
		t.Errorf("POST /tools/date of nothing = %d %s, want the time in English", w.Code, w.Body)
	}
}

// A dot in a tool's name stands for an underscore.
func TestToolWithADot(t *testing.T) {
	f := toolFixture(t)
	if w := f.do(t, "POST", "/tools/get_current.datetime", `{}`); w.Code != http.StatusOK {
		t.Errorf("POST /tools/get_current.datetime = %d %s, want the answer of get_current_datetime", w.Code, w.Body)
	}
}

// A tool that needs no input needs no body.
func TestToolCallWithoutBody(t *testing.T) {
	f := toolFixture(t)
	for _, path := range []string{"/tools/get_current_datetime", "/tools/date"} {
		if w := f.do(t, "POST", path, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "2026-01-14") {
			t.Errorf("POST %s without body = %d %s, want the time", path, w.Code, w.Body)
		}
	}
}

// checkToolFailure checks that the answer is a tool's failure with this status, code and message.
func checkToolFailure(t *testing.T, call string, got api.ToolFailure, status, wantStatus int, code, message string) {
	t.Helper()
	if status != wantStatus || got.Error.Code != code || got.Message != message || got.Success || got.Text != "[sad]"+message {
		t.Errorf("%s = %d %+v, want %d, %s, %q", call, status, got, wantStatus, code, message)
	}
}

func TestToolFailures(t *testing.T) {
	f := toolFixture(t)
	for kind, want := range kindStatuses {
		for lang, message := range map[string]string{"ja": kind.Message("ja"), "en": kind.Message("en")} {
			w := f.do(t, "POST", "/tools/fail", `{"text":"`+string(kind)+`"}`, "Accept-Language", lang)
			checkToolFailure(t, string(kind), decode[api.ToolFailure](t, w), w.Code, want.status, want.code, message)
			if got := w.Header().Get("Retry-After"); got != want.retry {
				t.Errorf("%s: Retry-After = %q, want %q", kind, got, want.retry)
			}
		}
	}
	w := f.do(t, "POST", "/tools/fail", `{"text":"odd"}`, "Accept-Language", "en")
	checkToolFailure(t, "odd", decode[api.ToolFailure](t, w), w.Code, http.StatusInternalServerError, api.CodeInternal, "I am sorry, something went wrong.")
	if strings.Contains(w.Body.String(), "12345") || !strings.Contains(f.log.String(), "12345") {
		t.Errorf("answer = %s, want the reason in the log only", w.Body)
	}
	w = f.do(t, "POST", "/tools/echo", `{"test":"a"}`, "Accept-Language", "en")
	got := decode[api.ToolFailure](t, w)
	checkToolFailure(t, "unknown field", got, w.Code, http.StatusBadRequest, api.CodeInvalid, `There is no field "test". The field "text" is required.`)
	if diff := cmp.Diff([]api.ErrorDetail{
		{Field: "test", Message: `There is no field "test".`}, {Field: "text", Message: `The field "text" is required.`},
	}, got.Error.Details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
	w = f.do(t, "POST", "/tools/date", `{"start_date":"2026-03-02","end_date":"2026-03-01","weekday":"火"}`)
	checkToolFailure(t, "reversed dates", decode[api.ToolFailure](t, w), w.Code, http.StatusBadRequest, api.CodeInvalid, "終わりの日が始まりの日より前になっています。")
	w = f.do(t, "POST", "/tools/nothing", `{}`)
	checkToolFailure(t, "no such tool", decode[api.ToolFailure](t, w), w.Code, http.StatusNotFound, api.CodeNotFound, "その機能はありません。")
	w = f.do(t, "POST", "/tools/list_events", `{}`)
	checkToolFailure(t, "a visitor", decode[api.ToolFailure](t, w), w.Code, http.StatusForbidden, api.CodeDenied,
		"申し訳ありませんが、この操作はカレンダーの持ち主だけができます。")
	w = f.do(t, "POST", "/tools/calendar", `{"event_id":"abc"}`, asOwner()...)
	checkToolFailure(t, "event_id alone", decode[api.ToolFailure](t, w), w.Code, http.StatusBadRequest, api.CodeInvalid,
		"event_id だけでは削除しません。削除する場合は confirm を true にしてください。")
	checkEnvelope(t, f.do(t, "POST", "/tools/echo", `{}`, "Content-Type", "text/plain"), http.StatusUnsupportedMediaType, api.CodeMediaType)
	checkEnvelope(t, f.do(t, "POST", "/tools/echo", `{}`, "Origin", "https://evil.example"), http.StatusForbidden, api.CodeDenied)
	checkEnvelope(t, f.do(t, "POST", "/tools/echo", `{}`, "Authorization", "Bearer wrong"), http.StatusUnauthorized, api.CodeUnauthorized)
}

// A call that is sent again, because its answer was lost, writes nothing again.
func TestToolCallTwice(t *testing.T) {
	f := setup{keys: keys.Settings{Owner: ownerKey}}.fixture(t)
	own := mem.New("own")
	f.parts.Tools = toolsOver(t, own)
	const body = `{"title":"会議","start":"2026-01-15T14:00:00+09:00"}`
	create := func(body, requestID string) string {
		t.Helper()
		w := f.do(t, "POST", "/tools/create_event", body, asOwner("X-Request-Id", requestID)...)
		if w.Code != http.StatusOK {
			t.Fatalf("create_event = %d %s", w.Code, w.Body)
		}
		return w.Body.String()
	}
	if first, again := create(body, "r-1"), create(body, "r-1"); first != again {
		t.Errorf("the same request again = %s, want %s", again, first)
	}
	create(body, "r-2")
	create(strings.Replace(body, "会議", "昼食", 1), "r-1")
	const keyed = `{"title":"会議","start":"2026-01-15T14:00:00+09:00","idempotency_key":"k"}`
	create(keyed, "r-3")
	create(keyed, "r-4")
	w := f.do(t, "POST", "/tools/create_event", strings.Replace(keyed, "会議", "夕食", 1), asOwner()...)
	checkToolFailure(t, "the key of another event", decode[api.ToolFailure](t, w), w.Code, http.StatusConflict, api.CodeConflict,
		calendar.Exists.Message("ja"))
	var events struct {
		Count int `json:"count"`
	}
	w = f.do(t, "POST", "/tools/calendar", `{"date":"2026-01-15"}`, asOwner()...)
	if err := json.Unmarshal(w.Body.Bytes(), &events); err != nil || events.Count != 4 {
		t.Errorf("list_events = %s, want four events", w.Body)
	}
}
