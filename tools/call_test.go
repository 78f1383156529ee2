package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/tools"
)

var words = map[string]string{"ja": "説明", "en": "words"}

type input struct {
	Name  string   `json:"name"`
	Count int      `json:"count,omitempty" min:"1" max:"9"`
	Ratio float64  `json:"ratio,omitempty"`
	Kind  string   `json:"kind,omitempty" enum:"big,small"`
	Yes   *bool    `json:"yes,omitempty"`
	Items []string `json:"items,omitempty"`
	Inner *inner   `json:"inner,omitempty"`
}

type inner struct {
	Text string `json:"text"`
}

type output struct {
	Said string `json:"said"`
}

// spec is a tool that everybody may call, tried three times.
func spec(name string, class tools.Class) tools.Spec {
	s := tools.Spec{
		Name: name, Description: words, Class: class, Timeout: time.Second, Retries: 2,
		Roles: []tools.Role{tools.Visitor, tools.Owner, tools.Operator},
	}
	if class == tools.UnkeyedWrite {
		s.Retries = 0
	}
	return s
}

func echo(_ context.Context, _ tools.Caller, in input) (output, error) {
	return output{Said: in.Name}, nil
}

// failing fails as told, so many times, then echoes.
func failing(times int, err error, calls *int) func(context.Context, tools.Caller, input) (output, error) {
	return func(_ context.Context, _ tools.Caller, in input) (output, error) {
		*calls++
		if *calls <= times {
			return output{}, err
		}
		return output{Said: in.Name}, nil
	}
}

var visitor = tools.Caller{Role: tools.Visitor, Language: "en", RequestID: "r1"}

func add(t *testing.T, r *tools.Registry, s tools.Spec, do func(context.Context, tools.Caller, input) (output, error)) {
	t.Helper()
	if err := tools.Add(r, tools.Tool[input, output]{Spec: s, Do: do}); err != nil {
		t.Fatal(err)
	}
}

func TestCall(t *testing.T) {
	r := tools.New(time.Now, tools.Options{})
	add(t, r, spec("echo", tools.Read), echo)
	text := spec("text", tools.Read)
	text.TextInput = true
	add(t, r, text, echo)
	for _, tt := range []struct{ tool, in string }{
		{"echo", `{"name":"<案内> & co"}`},
		{"echo", `{"name":"<案内> & co","count":null,"inner":null,"yes":null}`},
		{"echo", " {\"name\":\"<案内> & co\",\"inner\":{\"text\":\"x\"},\"items\":[\"a\"],\"yes\":true,\"ratio\":0.5,\"kind\":\"big\"}\n"},
		{"text", `"{\"name\":\"<案内> & co\"}"`},
		{"text", `{"name":"<案内> & co"}`},
	} {
		got, err := r.Call(t.Context(), visitor, tt.tool, json.RawMessage(tt.in))
		if err != nil || string(got) != `{"said":"<案内> & co"}` {
			t.Errorf("Call(%s, %s) = %s, %v, want the name said", tt.tool, tt.in, got, err)
		}
	}
}

func TestInputThatDoesNotFit(t *testing.T) {
	r := tools.New(time.Now, tools.Options{})
	calls := 0
	add(t, r, spec("echo", tools.Read), failing(0, nil, &calls))
	for _, tt := range []struct{ in, ja, en string }{
		{``, "「name」が必要です。", `The field "name" is required.`},
		{`null`, "「name」が必要です。", `The field "name" is required.`},
		{`{"name":null}`, "「name」が必要です。", `The field "name" is required.`},
		{`{"name":"a","nmae":1}`, "「nmae」という項目はありません。", `There is no field "nmae".`},
		{`{"name":"a","nmae":null}`, "「nmae」という項目はありません。", `There is no field "nmae".`},
		{`{"Name":"a"}`, "「Name」という項目はありません。「name」が必要です。", `There is no field "Name". The field "name" is required.`},
		{`{"name":1}`, "「name」は文字列で指定してください。", `"name" must be a string.`},
		{`{"name":["a"]}`, "「name」は文字列で指定してください。", `"name" must be a string.`},
		{`{"name":"a","count":"1"}`, "「count」は整数で指定してください。", `"count" must be a whole number.`},
		{`{"name":"a","count":1.5}`, "「count」は整数で指定してください。", `"count" must be a whole number.`},
		{`{"name":"a","count":99999999999999999999}`, "「count」は整数で指定してください。", `"count" must be a whole number.`},
		{`{"name":"a","count":0}`, "「count」は 1 から 9 までの数で指定してください。", `"count" must be from 1 to 9.`},
		{`{"name":"a","ratio":"x"}`, "「ratio」は数で指定してください。", `"ratio" must be a number.`},
		{`{"name":"a","kind":"huge"}`, "「kind」は big, small のどれかで指定してください。", `"kind" must be one of big, small.`},
		{`{"name":"a","yes":"true"}`, "「yes」は true か false で指定してください。", `"yes" must be true or false.`},
		{`{"name":"a","items":["a",2]}`, "「items.1」は文字列で指定してください。", `"items.1" must be a string.`},
		{`{"name":"a","items":{}}`, "「items」は配列で指定してください。", `"items" must be an array.`},
		{`{"name":"a","inner":{"text":"x","more":1}}`, "「inner.more」という項目はありません。", `There is no field "inner.more".`},
		{`{"name":"a","inner":{}}`, "「inner.text」が必要です。", `The field "inner.text" is required.`},
		{`{"name":"a","inner":[]}`, "「inner」はオブジェクトで指定してください。", `"inner" must be an object.`},
		{`[]`, "「入力」はオブジェクトで指定してください。", `"input" must be an object.`},
		{`"{}"`, "「入力」はオブジェクトで指定してください。", `"input" must be an object.`},
		{`{"name":"a"`, "入力を JSON として読めません。", "The input is not valid JSON."},
		{`{"name":"a"} {}`, "入力を JSON として読めません。", "The input is not valid JSON."},
		{"{\"\x07\\u0000bell\":1,\"name\":\"a\"}", "入力を JSON として読めません。", "The input is not valid JSON."},
		{`{"\u0000bell\u202e":1,"name":"a"}`, "「bell」という項目はありません。", `There is no field "bell".`},
	} {
		_, err := r.Call(t.Context(), visitor, "echo", json.RawMessage(tt.in))
		var wrong *tools.InputError
		if !errors.As(err, &wrong) || !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Call(%s) = %v, want an InputError", tt.in, err)
			continue
		}
		if diff := cmp.Diff([]string{tt.ja, tt.en}, []string{tools.Message(err, "ja"), tools.Message(err, "en")}); diff != "" {
			t.Errorf("Call(%s): messages (-want +got):\n%s", tt.in, diff)
		}
	}
	if calls != 0 {
		t.Errorf("the tool was called %d times, want never", calls)
	}
}

// A second object under the same name must not mix with the first, which nobody checked.
func TestFieldsGivenTwice(t *testing.T) {
	r := tools.New(time.Now, tools.Options{})
	var got input
	add(t, r, spec("echo", tools.Read), func(_ context.Context, _ tools.Caller, in input) (output, error) {
		got = in
		return output{}, nil
	})
	if _, err := r.Call(t.Context(), visitor, "echo", json.RawMessage(`{"inner":{"text":"a"},"name":"a","inner":{"text":"b"}}`)); err != nil {
		t.Fatal(err)
	}
	if got.Inner == nil || got.Inner.Text != "b" {
		t.Errorf("inner = %+v, want the last", got.Inner)
	}
	_, err := r.Call(t.Context(), visitor, "echo", json.RawMessage(`{"inner":{"text":"a"},"name":"a","inner":{}}`))
	if !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Call = %v, want ErrInvalid: the last inner has no text", err)
	}
}

func TestWhoMayCall(t *testing.T) {
	r := tools.New(time.Now, tools.Options{})
	mine := spec("mine", tools.Read)
	mine.Roles = []tools.Role{tools.Owner}
	add(t, r, mine, echo)
	off := spec("off", tools.Read)
	off.Unconfigured = "no key"
	add(t, r, off, nil)
	add(t, r, spec("all", tools.UnkeyedWrite), echo)

	in := json.RawMessage(`{"name":"a"}`)
	for _, tt := range []struct {
		role tools.Role
		tool string
		want error
		ja   string
	}{
		{tools.Owner, "mine", nil, ""},
		{tools.Visitor, "mine", fault.ErrDenied, "申し訳ありませんが、この操作はカレンダーの持ち主だけができます。"},
		{tools.Operator, "mine", fault.ErrDenied, "申し訳ありませんが、この操作はカレンダーの持ち主だけができます。"},
		{"", "all", fault.ErrDenied, "この操作は許可されていません。"},
		{tools.Owner, "off", fault.ErrNotFound, "その機能はありません。"},
		{tools.Owner, "none", fault.ErrNotFound, "その機能はありません。"},
	} {
		_, err := r.Call(t.Context(), tools.Caller{Role: tt.role}, tt.tool, in)
		if !errors.Is(err, tt.want) || tt.want != nil && tools.Message(err, "ja") != tt.ja {
			t.Errorf("Call(%s) as %q = %v, want %v: %s", tt.tool, tt.role, err, tt.want, tt.ja)
		}
	}
	names := func(role tools.Role) (names []string) {
		for _, d := range r.Offered(tools.Caller{Role: role, Language: "en"}) {
			names = append(names, d.Name)
		}
		return names
	}
	if diff := cmp.Diff([][]string{{"mine", "all"}, {"all"}, nil}, [][]string{names(tools.Owner), names(tools.Visitor), names("")}); diff != "" {
		t.Errorf("Offered to owner, visitor and nobody (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]tools.Absence{{Name: "off", Why: "no key"}}, r.Unoffered()); diff != "" {
		t.Errorf("Unoffered (-want +got):\n%s", diff)
	}
	d := r.Offered(tools.Caller{Role: tools.Visitor})[0]
	if d.Description != "説明" || d.Annotations != (tools.Annotations{}) {
		t.Errorf("Offered = %+v, want the Japanese description of a write that is not idempotent", d)
	}
}

func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unavailable := fmt.Errorf("down: %w", fault.ErrUnavailable)
		for _, tt := range []struct {
			name  string
			class tools.Class
			times int
			err   error
			calls int
			took  time.Duration
			fails bool
		}{
			{"at once", tools.Read, 0, unavailable, 1, 0, false},
			{"at the third try", tools.Read, 2, unavailable, 3, 75*time.Millisecond + 150*time.Millisecond, false},
			{"too often", tools.Read, 3, unavailable, 3, 225 * time.Millisecond, true},
			{"a keyed write", tools.KeyedWrite, 2, unavailable, 3, 225 * time.Millisecond, false},
			{"an unkeyed write", tools.UnkeyedWrite, 1, unavailable, 1, 0, true},
			{"invalid", tools.Read, 1, fault.ErrInvalid, 1, 0, true},
			{"of no kind", tools.Read, 1, errors.New("odd"), 1, 0, true},
		} {
			r := tools.New(time.Now, tools.Options{Jitter: func() float64 { return 0.5 }})
			calls := 0
			add(t, r, spec("it", tt.class), failing(tt.times, tt.err, &calls))
			began := time.Now()
			_, err := r.Call(t.Context(), visitor, "it", json.RawMessage(`{"name":"a"}`))
			if (err != nil) != tt.fails || calls != tt.calls || time.Since(began) != tt.took {
				t.Errorf("%s: Call = %v after %d tries and %s, want failure %v, %d tries, %s", tt.name, err, calls, time.Since(began), tt.fails, tt.calls, tt.took)
			}
		}
	})
}

func TestRetryAsTheToolSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := errors.New("busy")
		for wait, want := range map[time.Duration]int{time.Second: 2, 3 * time.Second: 1} {
			r := tools.New(time.Now, tools.Options{})
			calls := 0
			err := tools.Add(r, tools.Tool[input, output]{
				Spec: spec("it", tools.Read), Do: failing(1, odd, &calls),
				Retry: func(err error) (time.Duration, bool) { return wait, errors.Is(err, odd) },
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = r.Call(t.Context(), visitor, "it", json.RawMessage(`{"name":"a"}`))
			if calls != want || (err == nil) != (want == 2) {
				t.Errorf("Call of what wants %s = %v after %d tries, want %d", wait, err, calls, want)
			}
		}
	})
}

func TestTimeLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen tools.Observation
		r := tools.New(time.Now, tools.Options{Jitter: func() float64 { return 0 }, Observe: func(o tools.Observation) { seen = o }})
		calls := 0
		add(t, r, spec("slow", tools.Read), func(ctx context.Context, _ tools.Caller, _ input) (output, error) {
			calls++
			<-ctx.Done()
			return output{}, ctx.Err()
		})
		began := time.Now()
		_, err := r.Call(t.Context(), visitor, "slow", json.RawMessage(`{"name":"a"}`))
		if !errors.Is(err, fault.ErrUnavailable) || calls != 3 || time.Since(began) != 3*time.Second+150*time.Millisecond {
			t.Errorf("Call(slow) = %v after %d tries and %s, want ErrUnavailable after three of a second each", err, calls, time.Since(began))
		}
		calls = 0
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if _, err := r.Call(ctx, visitor, "slow", json.RawMessage(`{"name":"a"}`)); !errors.Is(err, context.DeadlineExceeded) || calls != 1 || seen.Failure != "cancelled" {
			t.Errorf("Call(slow) by a caller with less time = %v after %d tries, observed %+v, want the deadline after one", err, calls, seen)
		}
	})
}

func TestPanics(t *testing.T) {
	var log bytes.Buffer
	r := tools.New(time.Now, tools.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	add(t, r, spec("bad", tools.Read), func(context.Context, tools.Caller, input) (output, error) { panic("boom") })
	_, err := r.Call(t.Context(), visitor, "bad", json.RawMessage(`{"name":"secret words"}`))
	if err == nil || errors.Is(err, fault.ErrUnavailable) || tools.Message(err, "en") != "I am sorry, something went wrong." {
		t.Errorf("Call(bad) = %v, want an error of no kind", err)
	}
	if !strings.Contains(log.String(), "boom") || !strings.Contains(log.String(), "call_test.go") {
		t.Errorf("log = %s, want the panic and where it was", &log)
	}
	if strings.Contains(log.String(), "secret words") {
		t.Errorf("log = %s, want none of the input", &log)
	}
}

func TestDegradedAnswer(t *testing.T) {
	var seen tools.Observation
	var log strings.Builder
	r := tools.New(time.Now, tools.Options{
		Observe: func(o tools.Observation) { seen = o }, Backoff: time.Nanosecond,
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	err := tools.Add(r, tools.Tool[input, output]{
		Spec: spec("it", tools.Read),
		Do: func(_ context.Context, _ tools.Caller, in input) (output, error) {
			if in.Name == "wrong" {
				return output{}, fault.ErrInvalid
			}
			return output{}, fault.ErrUnavailable
		},
		Degraded: func(_ tools.Caller, err error) (output, bool) {
			return output{Said: "unknown"}, errors.Is(err, fault.ErrUnavailable)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Call(t.Context(), visitor, "it", json.RawMessage(`{"name":"a"}`))
	if err != nil || string(got) != `{"said":"unknown"}` || !seen.Degraded || seen.Tries != 3 {
		t.Errorf("Call = %s, %v, observed %+v, want the degraded answer after three tries", got, err, seen)
	}
	if !strings.Contains(log.String(), "answered without its source") ||
		!strings.Contains(log.String(), "unavailable") {
		t.Errorf("log = %s, want that it was answered without its source, and why", &log)
	}
	if _, err := r.Call(t.Context(), visitor, "it", json.RawMessage(`{"name":"wrong"}`)); !errors.Is(err, fault.ErrInvalid) || seen.Failure != "invalid" {
		t.Errorf("Call(wrong) = %v, observed %+v, want ErrInvalid", err, seen)
	}
}

func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cached := 0
		r := tools.New(time.Now, tools.Options{CacheSize: 2, Observe: func(o tools.Observation) {
			if o.Cached {
				cached++
			}
		}})
		calls := 0
		s := spec("it", tools.Read)
		s.TTL = time.Minute
		add(t, r, s, failing(0, nil, &calls))
		ask := func(role tools.Role, lang, in string) string {
			t.Helper()
			got, err := r.Call(t.Context(), tools.Caller{Role: role, Language: lang}, "it", json.RawMessage(in))
			if err != nil {
				t.Fatal(err)
			}
			answer := string(got)
			got[0] = 'X' // what is kept must not be the caller's
			return answer
		}
		step := func(what string, wantCalls, wantCached int) {
			t.Helper()
			if calls != wantCalls || cached != wantCached {
				t.Errorf("%s: %d calls, %d from the cache, want %d and %d", what, calls, cached, wantCalls, wantCached)
			}
		}
		ask(tools.Owner, "ja", `{"name":"a","count":1}`)
		if got := ask(tools.Owner, "ja", `{ "count":1, "yes":null, "name":"a"}`); got != `{"said":"a"}` {
			t.Errorf("answer from the cache = %s", got)
		}
		step("the same, written otherwise", 1, 1)
		ask(tools.Visitor, "ja", `{"name":"a","count":1}`)
		step("another role", 2, 1)
		ask(tools.Owner, "en", `{"name":"a","count":1}`)
		step("another language, for which the first is forgotten", 3, 1)
		ask(tools.Owner, "ja", `{"name":"a","count":1}`)
		step("the first again", 4, 1)
		time.Sleep(time.Minute)
		ask(tools.Owner, "ja", `{"name":"a","count":1}`)
		step("after its time", 5, 1)
	})
}

// The same call of the same request has the same request id, at every try; one without id gets one.
func TestRequestIDs(t *testing.T) {
	r := tools.New(time.Now, tools.Options{Backoff: time.Nanosecond})
	var ids []string
	add(t, r, spec("it", tools.KeyedWrite), func(_ context.Context, caller tools.Caller, _ input) (output, error) {
		ids = append(ids, caller.RequestID)
		return output{}, fault.ErrUnavailable
	})
	for range 2 {
		_, _ = r.Call(t.Context(), tools.Caller{Role: tools.Owner}, "it", json.RawMessage(`{"name":"a"}`))
	}
	if len(ids) != 6 || ids[0] == "" || ids[0] != ids[1] || ids[1] != ids[2] || ids[2] == ids[3] || ids[3] != ids[5] {
		t.Errorf("request ids of two calls = %v, want one for the tries of each", ids)
	}
}

func TestLogAndObservation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var seen []tools.Observation
		r := tools.New(time.Now, tools.Options{
			Log: slog.New(slog.NewTextHandler(&log, nil)), Observe: func(o tools.Observation) { seen = append(seen, o) },
		})
		add(t, r, spec("slow", tools.Read), func(context.Context, tools.Caller, input) (output, error) {
			time.Sleep(time.Millisecond)
			return output{Said: "secret answer"}, nil
		})
		_, _ = r.Call(t.Context(), visitor, "slow", json.RawMessage(`{"name":"secret words"}`))
		_, _ = r.Call(t.Context(), visitor, "made up", nil)
		want := []tools.Observation{
			{Tool: "slow", Role: tools.Visitor, RequestID: "r1", Took: time.Millisecond, Tries: 1},
			{Role: tools.Visitor, RequestID: "r1", Failure: "not_found"},
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("observations (-want +got):\n%s", diff)
		}
		if strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "tool=slow role=visitor request_id=r1 dur=1ms tries=1") {
			t.Errorf("log = %s, want the call and none of what was said", &log)
		}
	})
}

func TestSpecsThatContradictThemselves(t *testing.T) {
	for name, change := range map[string]func(*tools.Spec){
		"bad name":         func(s *tools.Spec) { s.Name = "Get It" },
		"taken name":       func(s *tools.Spec) { s.Name = "taken" },
		"no description":   func(s *tools.Spec) { s.Description = map[string]string{"en": "x"} },
		"no class":         func(s *tools.Spec) { s.Class = "" },
		"nobody":           func(s *tools.Spec) { s.Roles = nil },
		"no timeout":       func(s *tools.Spec) { s.Timeout = 0 },
		"unkeyed retries":  func(s *tools.Spec) { s.Class = tools.UnkeyedWrite },
		"a cached write":   func(s *tools.Spec) { s.Class, s.TTL = tools.KeyedWrite, time.Minute },
		"negative retries": func(s *tools.Spec) { s.Retries = -1 },
	} {
		r := tools.New(time.Now, tools.Options{})
		add(t, r, spec("taken", tools.Read), echo)
		s := spec("it", tools.Read)
		change(&s)
		if err := tools.Add(r, tools.Tool[input, output]{Spec: s, Do: echo}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Add(%s) = %v, want ErrInvalid", name, err)
		}
	}
	r := tools.New(time.Now, tools.Options{})
	if err := tools.Add(r, tools.Tool[input, output]{Spec: spec("it", tools.Read)}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Add(no function) = %v, want ErrInvalid", err)
	}
}

func BenchmarkCall(b *testing.B) {
	r := tools.New(time.Now, tools.Options{})
	if err := tools.Add(r, tools.Tool[input, output]{Spec: spec("echo", tools.Read), Do: echo}); err != nil {
		b.Fatal(err)
	}
	in := json.RawMessage(`{"name":"案内","count":3,"items":["a","b"],"inner":{"text":"c"}}`)
	for b.Loop() {
		if _, err := r.Call(b.Context(), visitor, "echo", in); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDottedName holds that a dot stands for an underscore, in figures too.
func TestDottedName(t *testing.T) {
	var seen tools.Observation
	r := tools.New(time.Now, tools.Options{Observe: func(o tools.Observation) { seen = o }})
	tool := tools.Tool[input, output]{Spec: spec("flash_image_edit", tools.Read), Do: echo}
	if err := tools.Add(r, tool); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Call(t.Context(), visitor, "flash_image.edit", json.RawMessage(`{"name":"a"}`)); err != nil {
		t.Errorf("Call(flash_image.edit) = %v, want the answer of flash_image_edit", err)
	}
	if seen.Tool != "flash_image_edit" {
		t.Errorf("observed tool %q, want flash_image_edit", seen.Tool)
	}
}

func FuzzCall(f *testing.F) {
	for _, seed := range []string{`{"name":"a"}`, `{"name":1,"x":[]}`, `{"inner":{"text":"b"},"name":""}`, `"{}"`, `[[]]`, `{"name":"a","count":1e3}`, "\xff"} {
		f.Add(seed)
	}
	r := tools.New(time.Now, tools.Options{})
	text := spec("it", tools.Read)
	text.TextInput = true
	if err := tools.Add(r, tools.Tool[input, output]{Spec: text, Do: echo}); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := r.Call(t.Context(), visitor, "it", json.RawMessage(in))
		if err == nil && !json.Valid(got) || err != nil && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Call(%q) = %s, %v, want JSON or ErrInvalid", in, got, err)
		}
		if message := tools.Message(err, "ja"); err != nil && message == "" {
			t.Errorf("Call(%q) = %v, want a message", in, err)
		}
	})
}
