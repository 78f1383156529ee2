package langchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/llm"
	"annai/llm/langchain"
	"annai/llm/llmtest"
)

// raw answers with a stream as it stands.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
	}
}

func named(t *testing.T, name string) provider {
	t.Helper()
	for _, p := range providers() {
		if p.name == name {
			return p
		}
	}
	t.Fatalf("no provider %s", name)
	return provider{}
}

const (
	hello  = `data: {"choices":[{"index":0,"delta":{"content":"Hello."}}]}` + "\n\n"
	stop   = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	done   = "data: [DONE]\n\n"
	start  = `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n"
	greets = start + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello."}}` + "\n\n"
	ended  = `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"
)

func tool(index, id, name, arguments string) string {
	return `data: {"choices":[{"index":0,"delta":{"tool_calls":[{` + index + `"id":"` + id + `","function":{"name":"` + name + `","arguments":` + arguments + `}}]}}]}` + "\n\n"
}

// Streams as servers were seen to send them, and as none should.
func TestStreams(t *testing.T) {
	for _, tt := range []struct {
		name, provider, stream string
		text, calls            string
		kind                   llm.Kind
	}{
		{"nothing behind the reason", "openai", hello + stop, "Hello.", "", ""},
		{"done without a reason", "openai", hello + done, "Hello.", "", ""},
		{"the last line without its end", "openai", hello + strings.TrimRight(stop, "\n"), "Hello.", "", ""},
		{"a clean end in the middle", "openai", hello, "Hello.", "", llm.CutOff},
		{"an event in several lines", "openai", "event: x\nid: 1\nretry: 5\ndata: {\"choices\":\ndata:[{\"delta\":{\"content\":\"Hi\"}}]}\n\n" + done, "Hi", "", ""},
		{"something after the end", "openai", hello + done + hello, "Hello.", "", ""},
		{"an event of a proxy", "openai", `data: {"type":"ping"}` + "\n\n" + hello + done, "Hello.", "", ""},
		{"another choice", "openai", `data: {"choices":[{"index":1,"delta":{"content":"no"}}]}` + "\n\n" + hello + done, "Hello.", "", ""},
		{"an error in the stream", "openai", hello + `data: {"error":{"code":500,"message":"The output does not match the expected peg-native format","type":"server_error"}}` + "\n\n", "Hello.", "", llm.Unavailable},
		{"a word for an error in the stream", "openai", hello + `data: {"error":{"message":"Rate limit reached","type":"rate_limit_error"}}` + "\n\n", "Hello.", "", llm.RateLimited},
		{"an error beside a choice", "openai", hello + `data: {"error":{"code":429,"message":"x"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}` + "\n\n", "Hello.", "", llm.RateLimited},
		{"an end that is an error", "openai", hello + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}` + "\n\n", "Hello.", "", llm.Unavailable},
		{"the context is full in the stream", "openai", `data: {"error":{"message":"the request exceeds the available context size","code":400}}` + "\n\n", "", "", llm.TooLong},
		{"what is no JSON", "openai", hello + "data: {oops\n\n" + done, "Hello.", "", llm.Malformed},
		{"another type than text", "openai", `data: {"choices":[{"delta":{"content":{"a":1}}}]}` + "\n\n" + done, "", "", llm.Malformed},
		{"no stream at all", "openai", "It works!\n", "", "", llm.Malformed},
		{"only comments", "openai", ": a\n\n: b\n\n", "", "", llm.Malformed},
		{"a refusal", "openai", `data: {"choices":[{"delta":{"refusal":"I am sorry"}}]}` + "\n\n" + stop + done, "", "", llm.Refused},
		{"held back in the middle", "openai", hello + `data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}` + "\n\n" + done, "Hello.", "", llm.Refused},
		{"an endless line", "openai", hello + "data: " + strings.Repeat("x", 1<<20), "Hello.", "", llm.Malformed},
		{"an endless comment", "openai", hello + ": " + strings.Repeat("x", 1<<20) + "\n\n" + done, "Hello.", "", llm.Malformed},
		{"an endless event", "openai", "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}\n" + strings.Repeat("data: "+strings.Repeat(" ", 1000)+"\n", 600) + "data: ]}\n\n" + done, "", "", llm.Malformed},
		{"an endless stream of nothing", "openai", hello + strings.Repeat(": "+strings.Repeat("x", 10_000)+"\n\n", 1700), "Hello.", "", llm.Malformed},

		{"calls without an index", "openai", tool("", "a", "f", `"{\"n\":"`) + tool("", "", "", `"1}"`) + tool("", "b", "g", `"{}"`) + done, "", `a f {"n":1}; b g {}`, ""},
		{"calls that are all the first", "openai", tool(`"index":0,`, "a", "f", `"{}"`) + tool(`"index":0,`, "b", "g", `"{}"`) + done, "", `a f {}; b g {}`, ""},
		{"a second call that is the first, in pieces", "openai", tool(`"index":0,`, "a", "f", `"{}"`) + tool(`"index":0,`, "b", "g", `"{\"n\""`) + tool(`"index":0,`, "", "", `":1}"`) + done, "", `a f {}; b g {"n":1}`, ""},
		{"a call whose name is said again", "openai", tool(`"index":0,`, "a", "f", `"{\"n\""`) + tool(`"index":0,`, "a", "f", `":1}"`) + done, "", `a f {"n":1}`, ""},
		{"an object for arguments", "openai", tool(`"index":0,`, "a", "f", `{"n":1}`) + done, "", `a f {"n":1}`, ""},
		{"a call without id and arguments", "openai", tool(`"index":0,`, "", "f", `null`) + done, "", `call_1 f {}`, ""},
		{"a call without a name", "openai", tool(`"index":0,`, "a", "", `"{}"`) + done, "", "", llm.Malformed},
		{"a call that is a list", "openai", tool(`"index":0,`, "a", "f", `"[1]"`) + done, "", "", llm.Malformed},
		{"a call cut off", "openai", tool(`"index":0,`, "a", "f", `"{}"`), "", "", llm.CutOff},
		{"too many calls", "openai", func() string {
			var all strings.Builder
			for range 100 {
				all.WriteString(tool("", time.Duration(all.Len()).String(), "f", `"{}"`))
			}
			return all.String() + done
		}(), "", "", llm.Malformed},

		{"whole", "anthropic", greets + ended, "Hello.", "", ""},
		{"kinds of event and block that are new", "anthropic", `data: {"type":"novelty","x":1}` + "\n\n" + greets + `data: {"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":""}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"hm"}}` + "\n\n" + ended, "Hello.", "", ""},
		{"overloaded in the middle", "anthropic", greets + "event: error\n" + `data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}` + "\n\n" + ended, "Hello.", "", llm.Unavailable},
		{"no end", "anthropic", greets, "Hello.", "", llm.CutOff},
		{"no last event", "anthropic", greets + strings.Split(ended, "\n\n")[0] + "\n\n", "Hello.", "", ""},
		{"what is no JSON, at Anthropic", "anthropic", greets + "data: {oops\n\n", "Hello.", "", llm.Malformed},
		{"a strange index", "anthropic", `data: {"type":"content_block_delta","index":-7,"delta":{"type":"text_delta","text":"Hi"}}` + "\n\n" + ended, "Hi", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := llm.Collect(named(t, tt.provider).serve(t, raw(tt.stream), langchain.Options{}).Stream(t.Context(), llmtest.Ask()))
			var calls []string
			for _, c := range a.Calls {
				calls = append(calls, c.ID+" "+c.Name+" "+string(c.Arguments))
			}
			if a.Text != tt.text || strings.Join(calls, "; ") != tt.calls || llm.KindOf(err) != tt.kind {
				t.Errorf("Stream = %q, %q, %v; want %q, %q, %q", a.Text, calls, err, tt.text, tt.calls, tt.kind)
			}
		})
	}
}

// An answer without end is given up once it is too long, in text or in arguments.
func TestAnswersWithoutEnd(t *testing.T) {
	for name, piece := range map[string]string{
		"text": hello, "a call": tool(`"index":0,`, "a", "f", `"{}"`),
	} {
		left := make(chan struct{})
		m := named(t, "openai").serve(t, func(w http.ResponseWriter, r *http.Request) {
			defer close(left)
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, piece)
			}
		}, langchain.Options{MaxAnswer: 1000})
		a, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask()))
		if llm.KindOf(err) != llm.Malformed || !strings.Contains(err.Error(), "longer than 1000 bytes") || len(a.Text) > 1000 {
			t.Errorf("Stream of %s without end = %d bytes, %v; want at most 1000, malformed", name, len(a.Text), err)
		}
		<-left
	}
}

// The server sees that its reader has gone, whether by leaving or by its context.
func TestTheServerSeesWhoLeaves(t *testing.T) {
	for _, p := range providers() {
		left := make(chan struct{})
		m := p.serve(t, func(w http.ResponseWriter, r *http.Request) {
			defer close(left)
			p.reply(t, llmtest.Reply{Pieces: []string{"a"}, Hang: true})(w, r)
		}, langchain.Options{})
		for range m.Stream(t.Context(), llmtest.Ask()) {
			break
		}
		<-left
	}
}

func TestNobodyThere(t *testing.T) {
	m, err := langchain.OpenAI("x", langchain.Options{BaseURL: "http://127.0.0.1:1/v1", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	_, err = llm.Collect(m.Stream(t.Context(), llmtest.Ask()))
	if llm.KindOf(err) != llm.Unavailable || !strings.Contains(err.Error(), "refused") || m.Name() != "127.0.0.1:1/x" {
		t.Errorf("%s: Stream = %v, want unavailable, and why", m.Name(), err)
	}
}

// A connection that the server closes while it waits for a request is no failure: there are others.
func TestConnectionsThatTheServerCloses(t *testing.T) {
	var first string
	m := named(t, "openai").serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch first {
		case "":
			first = r.RemoteAddr
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.RemoteAddr:
			panic(http.ErrAbortHandler)
		default:
			if h := r.Header.Values("Idempotency-Key"); len(h) > 0 {
				t.Errorf("sent Idempotency-Key %q, want none", h)
			}
			raw(hello+done)(w, r)
		}
	}, langchain.Options{})
	if _, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask())); llm.KindOf(err) != llm.Unavailable {
		t.Fatalf("Stream = %v, want unavailable", err)
	}
	if a, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask())); err != nil || a.Text != "Hello." {
		t.Errorf("Stream on a connection that is closed = %q, %v; want an answer on another", a.Text, err)
	}
}

// A key must not follow a redirect to somebody else.
func TestRedirects(t *testing.T) {
	m := named(t, "openai").serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			t.Error("the redirect was followed")
		}
		http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
	}, langchain.Options{Key: key})
	if _, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask())); llm.KindOf(err) != llm.Unavailable {
		t.Errorf("Stream = %v, want unavailable", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, tt := range []struct {
		url string
		key langchain.Key
		ok  bool
	}{
		{"http://127.0.0.1:11434/v1", key, true},
		{"http://localhost:8080/v1/", key, true},
		{"http://[::1]:80", key, true},
		{"https://models.example/v1", key, true},
		{"http://ollama:11434/v1", "", true},
		{"http://ollama:11434/v1", key, false},
		{"https://user:" + key + "@models.example", "", false},
		{"https://models.example?key=" + key, "", false},
		{"ftp://models.example", "", false},
		{"models.example", "", false},
		{"http://", "", false},
		{"http://%zz" + key, "", false},
	} {
		_, err := langchain.OpenAI("x", langchain.Options{BaseURL: tt.url, Key: tt.key})
		if tt.ok != (err == nil) || !tt.ok && (!errors.Is(err, fault.ErrInvalid) || strings.Contains(err.Error(), key)) {
			t.Errorf("OpenAI(%s) = %v, want it to be fine: %t", tt.url, err, tt.ok)
		}
	}
	for _, model := range []string{"", "a b", "a\nb"} {
		if _, err := langchain.Anthropic(model, langchain.Options{}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Anthropic(%q) = %v, want ErrInvalid", model, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		header http.Header
		want   time.Duration
	}{
		{http.Header{"Retry-After": {"7"}}, 7 * time.Second},
		{http.Header{"Retry-After": {"7"}, "Retry-After-Ms": {"1500"}}, 1500 * time.Millisecond},
		{http.Header{"Retry-After": {"Sat, 01 Mar 2025 10:00:20 GMT"}, "Date": {"Sat, 01 Mar 2025 10:00:00 GMT"}}, 20 * time.Second},
		{http.Header{"Retry-After": {"Sat, 01 Mar 2025 09:00:00 GMT"}, "Date": {"Sat, 01 Mar 2025 10:00:00 GMT"}}, 0},
		{http.Header{"Retry-After": {"soon"}}, 0},
		{http.Header{"Retry-After": {"-5"}}, 0},
		{http.Header{"Retry-After": {"99999999999999"}}, 0},
		{nil, 0},
	} {
		m := named(t, "openai").serve(t, func(w http.ResponseWriter, _ *http.Request) {
			for name, values := range tt.header {
				w.Header()[name] = values
			}
			w.WriteHeader(http.StatusTooManyRequests)
		}, langchain.Options{})
		_, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask()))
		var f *llm.Failure
		if !errors.As(err, &f) || f.Kind != llm.RateLimited || f.RetryAfter != tt.want {
			t.Errorf("Stream answered %v = %v, want to wait %s", tt.header, err, tt.want)
		}
	}
}

// What the status says goes before words that happen to be in the message.
func TestStatuses(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		want   llm.Kind
	}{
		{429, `{"error":{"message":"too many tokens per minute for this context length"}}`, llm.RateLimited},
		{402, `{"error":{"message":"Insufficient Balance"}}`, llm.RateLimited},
		{403, `forbidden`, llm.Auth},
		{404, `404 page not found`, llm.Unavailable},
		{404, `{"detail":"Not Found"}`, llm.Unavailable},
		{400, `{"error":{"message":"held back","code":"content_filter"}}`, llm.Refused},
		{400, `bad`, llm.Unfit},
		{413, ``, llm.TooLong},
		{500, `{"error":{"message":"the request exceeds the available context size, try increasing it"}}`, llm.TooLong},
		{500, `{"error":{"code":500,"message":"The model produced output that does not match the expected peg-native format","type":"server_error"}}`, llm.Unavailable},
		{200, `{"error":{"message":"slow down","type":"rate_limit_exceeded"}}`, llm.RateLimited},
		{200, `{"choices":[{"message":{"content":"no stream"}}]}`, llm.Malformed},
	} {
		m := named(t, "openai").serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(tt.status)
			_, _ = io.WriteString(w, tt.body)
		}, langchain.Options{})
		if _, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask())); llm.KindOf(err) != tt.want {
			t.Errorf("Stream answered %d %s = %v, want %s", tt.status, tt.body, err, tt.want)
		}
	}
}

// talk has every kind of message.
func talk() llm.Request {
	return llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are brief."},
			{Role: llm.System, Text: "Speak Japanese."},
			{Role: llm.User, Text: "明日と明後日は？"},
			{Role: llm.Assistant, Text: "お調べします。", Calls: []llm.ToolCall{
				{ID: "a1", Name: "list_events", Arguments: json.RawMessage(`{"day":"tomorrow"}`)},
				{ID: "b2", Name: "list_events", Arguments: json.RawMessage(`{"day":"the day after"}`)},
			}},
			{Role: llm.Result, CallID: "a1", Tool: "list_events", Text: `{"events":[]}`},
			{Role: llm.Result, CallID: "b2", Tool: "list_events", Text: "nothing"},
		},
		Tools:     []llm.Tool{{Name: "list_events", Description: "Lists events.", Schema: json.RawMessage(`{"type":"object","properties":{"day":{"type":["string","null"],"minLength":1}}}`)}},
		MaxTokens: 100, Temperature: 1.5, Seed: 42,
	}
}

// What each provider is sent, as a whole.
func TestRequests(t *testing.T) {
	schema := llmtest.Ask()
	schema.Schema = json.RawMessage(`{"type":"object","properties":{"route":{"enum":["event","info"]}},"required":["route"],"additionalProperties":false}`)
	for _, tt := range []struct {
		name, provider string
		request        llm.Request
		opts           langchain.Options
		want           string
	}{
		{"all, to OpenAI's like", "openai", talk(), langchain.Options{}, `{"model":"model-1","stream":true,"stream_options":{"include_usage":true},"max_tokens":100,"temperature":1.5,"seed":42,
			"messages":[{"role":"system","content":"You are brief."},{"role":"system","content":"Speak Japanese."},{"role":"user","content":"明日と明後日は？"},
			{"role":"assistant","content":"お調べします。","tool_calls":[{"id":"a1","type":"function","function":{"name":"list_events","arguments":"{\"day\":\"tomorrow\"}"}},
			{"id":"b2","type":"function","function":{"name":"list_events","arguments":"{\"day\":\"the day after\"}"}}]},
			{"role":"tool","tool_call_id":"a1","content":"{\"events\":[]}"},{"role":"tool","tool_call_id":"b2","content":"nothing"}],
			"tools":[{"type":"function","function":{"name":"list_events","description":"Lists events.","parameters":{"type":"object","properties":{"day":{"type":["string","null"],"minLength":1}}}}}]}`},
		{"a schema, to OpenAI's like", "openai", schema, langchain.Options{NoTemperature: true}, `{"model":"model-1","stream":true,"stream_options":{"include_usage":true},
			"messages":[{"role":"system","content":"You are brief."},{"role":"user","content":"今日のイベントは？"}],
			"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object","properties":{"route":{"enum":["event","info"]}},"required":["route"],"additionalProperties":false}}}}`},
		{"no seed, to Google", "google", func() llm.Request { r := llmtest.Ask(); r.Seed = 7; return r }(), langchain.Options{}, `{"model":"model-1","stream":true,"stream_options":{"include_usage":true},"temperature":0,
			"messages":[{"role":"system","content":"You are brief."},{"role":"user","content":"今日のイベントは？"}]}`},
		{"all, to Anthropic", "anthropic", talk(), langchain.Options{}, `{"model":"model-1","stream":true,"max_tokens":100,"temperature":1,"system":"You are brief.\n\nSpeak Japanese.",
			"messages":[{"role":"user","content":[{"type":"text","text":"明日と明後日は？"}]},
			{"role":"assistant","content":[{"type":"text","text":"お調べします。"},{"type":"tool_use","id":"a1","name":"list_events","input":{"day":"tomorrow"}},{"type":"tool_use","id":"b2","name":"list_events","input":{"day":"the day after"}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"a1","content":"{\"events\":[]}"},{"type":"tool_result","tool_use_id":"b2","content":"nothing"}]}],
			"tools":[{"name":"list_events","description":"Lists events.","input_schema":{"type":"object","properties":{"day":{"type":["string","null"],"minLength":1}}}}]}`},
		{"a schema, to Anthropic", "anthropic", schema, langchain.Options{}, `{"model":"model-1","stream":true,"max_tokens":2048,"temperature":0,"system":"You are brief.",
			"messages":[{"role":"user","content":[{"type":"text","text":"今日のイベントは？"}]}],"tool_choice":{"type":"tool","name":"answer"},
			"tools":[{"name":"answer","description":"Gives the answer.","input_schema":{"type":"object","properties":{"route":{"enum":["event","info"]}},"required":["route"],"additionalProperties":false}}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []byte
			m := named(t, tt.provider).serve(t, func(w http.ResponseWriter, r *http.Request) {
				got, _ = io.ReadAll(r.Body)
				w.WriteHeader(http.StatusTeapot)
			}, tt.opts)
			_, _ = llm.Collect(m.Stream(t.Context(), tt.request))
			var wanted, sent any
			if err := json.Unmarshal([]byte(tt.want), &wanted); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(got, &sent); err != nil {
				t.Fatalf("sent %q: %v", got, err)
			}
			if diff := cmp.Diff(wanted, sent); diff != "" {
				t.Errorf("the request (-want +got):\n%s", diff)
			}
		})
	}
}

// What Google gives with a call it gets back, and from another model's calls it gets what it says to send.
func TestWhatGoogleWantsBack(t *testing.T) {
	signed := `{"google":{"thought_signature":"c2lnbmVk"}}`
	var sent string
	m := named(t, "google").serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		raw(`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","extra_content":`+signed+`,"function":{"name":"f","arguments":"{}"}}]}}]}`+"\n\n"+
			tool(`"index":1,`, "b", "g", `"{}"`)+stop)(w, r)
	}, langchain.Options{})
	a, err := llm.Collect(m.Stream(t.Context(), llmtest.Ask()))
	if err != nil || len(a.Calls) != 2 || string(a.Calls[0].Extra) != signed || a.Calls[1].Extra != nil {
		t.Fatalf("Stream = %+v, %v; want two calls, the first signed", a, err)
	}
	next := llmtest.Ask()
	other := llm.ToolCall{ID: "c", Name: "h", Arguments: json.RawMessage(`{}`)}
	next.Messages = append(
		next.Messages,
		llm.Message{Role: llm.Assistant, Calls: a.Calls}, llm.Message{Role: llm.Result, CallID: "a", Tool: "f"}, llm.Message{Role: llm.Result, CallID: "b", Tool: "g"},
		llm.Message{Role: llm.Assistant, Calls: []llm.ToolCall{other}}, llm.Message{Role: llm.Result, CallID: "c", Tool: "h"},
	)
	_, _ = llm.Collect(m.Stream(t.Context(), next))
	if strings.Count(sent, signed) != 1 || strings.Count(sent, "skip_thought_signature_validator") != 1 || strings.Count(sent, "extra_content") != 2 {
		t.Errorf("sent %s, want what came with the first call, and the stand-in with the third", sent)
	}
}

// A schema is the input of a tool at Anthropic, and text to the reader.
func TestSchemaAtAnthropic(t *testing.T) {
	m := named(t, "anthropic").serve(t, raw(`data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"answer","input":{}}}`+"\n\n"+
		`data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Let me see."}}`+"\n\n"+
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"route\":"}}`+"\n\n"+
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"event\"}"}}`+"\n\n"+
		`data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}`+"\n\n"+`data: {"type":"message_stop"}`+"\n\n"), langchain.Options{})
	r := llmtest.Ask()
	r.Schema = json.RawMessage(`{"type":"object"}`)
	a, err := llm.Collect(m.Stream(t.Context(), r))
	if err != nil || a.Text != `{"route":"event"}` || len(a.Calls) > 0 || a.End.Stop != llm.Finished {
		t.Errorf("Stream = %+v, %v; want the answer as text", a, err)
	}
}

// A first word leaves as it comes: the provider waits for its reader to have it before it goes on.
func TestWordsAreNotHeldBack(t *testing.T) {
	for _, p := range providers() {
		heard := make(chan struct{})
		m := p.serve(t, func(w http.ResponseWriter, r *http.Request) {
			said := llmtest.Reply{Pieces: []string{"One."}, Hang: true}
			ctx, cancel := context.WithCancel(r.Context())
			go func() {
				<-heard
				cancel()
			}()
			p.reply(t, said)(w, r.WithContext(ctx))
		}, langchain.Options{})
		for d, err := range m.Stream(t.Context(), llmtest.Ask()) {
			if d.Text == "One." {
				close(heard)
			} else if llm.KindOf(err) != llm.CutOff {
				t.Errorf("%s: %+v, %v behind the first word, want cut_off", p.name, d, err)
			}
		}
	}
}
