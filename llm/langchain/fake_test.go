package langchain_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"annai/llm"
	"annai/llm/langchain"
	"annai/llm/llmtest"
)

// A provider is a fake of one on loopback, which speaks its wire.
type provider struct {
	name  string
	model func(string, langchain.Options) (*langchain.Model, error)
	// path is where requests go, below the address.
	path string
	// say writes an answer.
	say func(w *wire, reply llmtest.Reply)
	// refuse are the status and the body of failures.
	refuse map[llm.Kind]refusal
}

type refusal struct {
	status int
	body   string
}

// key is what the tests send, and look for where it must not be.
const key = "sk-test-4f1d8a9e77c2"

// serve starts the provider and returns a model that asks it.
func (p provider) serve(t *testing.T, handler http.HandlerFunc, opts langchain.Options) *langchain.Model {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	opts.BaseURL = server.URL + "/base"
	m, err := p.model("model-1", opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// reply answers as a suite wants it.
func (p provider) reply(t *testing.T, reply llmtest.Reply) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/base"+p.path {
			t.Errorf("asked %s %s, want POST /base%s", r.Method, r.URL.Path, p.path)
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Errorf("read the request: %v", err)
		}
		if refused, ok := p.refuse[reply.Fail]; ok {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			if reply.RetryAfter > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int(reply.RetryAfter.Seconds())))
			}
			w.WriteHeader(refused.status)
			_, _ = io.WriteString(w, refused.body)
			return
		}
		if reply.Fail == llm.Malformed {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>It works!</title>\n")
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		p.say(&wire{w, r}, reply)
	}
}

// wire writes events.
type wire struct {
	w http.ResponseWriter
	r *http.Request
}

func (w *wire) raw(text string) {
	_, _ = io.WriteString(w.w, text)
	_ = http.NewResponseController(w.w).Flush()
}

func (w *wire) event(format string, args ...any) {
	w.raw("data: " + fmt.Sprintf(format, args...) + "\n\n")
}

// over hangs or breaks the connection where the reply says so, and reports whether it did.
func (w *wire) over(reply llmtest.Reply) bool {
	if reply.Hang {
		<-w.r.Context().Done()
		return true
	}
	if reply.Stop == "" && reply.Fail == "" {
		panic(http.ErrAbortHandler)
	}
	return false
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// providers are those that the suite runs against.
func providers() []provider {
	return []provider{
		{name: "openai", model: langchain.OpenAI, path: "/chat/completions", say: sayOpenAI, refuse: map[llm.Kind]refusal{
			llm.Auth:        {401, `{"error":{"message":"Incorrect API key provided: ` + key + `.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`},
			llm.NoModel:     {404, `{"error":{"message":"The model 'model-1' does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`},
			llm.RateLimited: {429, `{"error":{"message":"Rate limit reached for model-1","type":"requests","param":null,"code":"rate_limit_exceeded"}}`},
			llm.TooLong:     {400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
			llm.Unfit:       {400, `{"error":{"message":"Invalid schema for response_format","type":"invalid_request_error","param":"response_format","code":null}}`},
			llm.Unavailable: {500, `{"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}}`},
		}},
		{name: "llama.cpp", model: langchain.OpenAI, path: "/chat/completions", say: sayLlama, refuse: map[llm.Kind]refusal{
			llm.Auth:        {401, `{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}`},
			llm.NoModel:     {404, `{"error":{"code":404,"message":"model not found","type":"not_found_error"}}`},
			llm.RateLimited: {429, `{"error":{"code":429,"message":"busy","type":"unavailable_error"}}`},
			llm.TooLong:     {400, `{"error":{"code":400,"message":"request (10031 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":10031,"n_ctx":4096}}`},
			llm.Unfit:       {400, `{"error":{"code":400,"message":"JSON schema error at #: unrecognized type nonsense","type":"invalid_request_error"}}`},
			llm.Unavailable: {503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`},
		}},
		{name: "ollama", model: langchain.OpenAI, path: "/chat/completions", say: sayWhole, refuse: map[llm.Kind]refusal{
			llm.Auth:        {401, `{"error":"unauthorized"}`},
			llm.NoModel:     {404, `{"error":{"message":"model \"model-1\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`},
			llm.RateLimited: {429, `{"error":"too many requests"}`},
			llm.TooLong:     {400, `{"error":{"message":"the input exceeds the context length","type":"invalid_request_error","param":null,"code":null}}`},
			llm.Unfit:       {400, `{"error":{"message":"model-1 does not support tools","type":"invalid_request_error","param":null,"code":null}}`},
			llm.Unavailable: {503, `{"error":"server busy, please try again. maximum pending requests exceeded"}`},
		}},
		{name: "vllm", model: langchain.OpenAI, path: "/chat/completions", say: sayOpenAI, refuse: map[llm.Kind]refusal{
			llm.Auth:        {401, `{"error":"Unauthorized"}`},
			llm.NoModel:     {404, `{"object":"error","message":"The model model-1 does not exist.","type":"NotFoundError","param":null,"code":404}`},
			llm.RateLimited: {429, `{}`},
			llm.TooLong:     {400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError","param":null,"code":400}`},
			llm.Unfit:       {422, `{"object":"error","message":"[{'type': 'extra_forbidden'}]","type":"BadRequestError","param":null,"code":422}`},
			llm.Unavailable: {502, `<html>Bad Gateway</html>`},
		}},
		{name: "google", model: langchain.Google, path: "/chat/completions", say: sayWhole, refuse: map[llm.Kind]refusal{
			llm.Auth:        {400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`},
			llm.NoModel:     {404, `[{"error":{"code":404,"message":"models/model-1 is not found for API version v1main","status":"NOT_FOUND"}}]`},
			llm.RateLimited: {429, `[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}]`},
			llm.TooLong:     {400, `[{"error":{"code":400,"message":"The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`},
			llm.Unfit:       {400, `[{"error":{"code":400,"message":"Invalid JSON payload received.","status":"INVALID_ARGUMENT"}}]`},
			llm.Unavailable: {503, `[{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]`},
		}},
		{name: "anthropic", model: langchain.Anthropic, path: "/messages", say: sayAnthropic, refuse: map[llm.Kind]refusal{
			llm.Auth:        {401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`},
			llm.NoModel:     {404, `{"type":"error","error":{"type":"not_found_error","message":"model: model-1"}}`},
			llm.RateLimited: {429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit"}}`},
			llm.TooLong:     {400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`},
			llm.Unfit:       {400, `{"type":"error","error":{"type":"invalid_request_error","message":"tools.0: unexpected"}}`},
			llm.Unavailable: {529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		}},
	}
}

// sayOpenAI streams as OpenAI does: a role first, tool calls in pieces, the usage in a chunk of its own.
func sayOpenAI(w *wire, reply llmtest.Reply) {
	w.event(`{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}],"usage":null}`)
	for _, p := range reply.Pieces {
		w.event(`{"choices":[{"index":0,"delta":{"content":%s},"logprobs":null,"finish_reason":null}],"usage":null}`, quote(p))
	}
	sayCalls(w, reply)
	if w.over(reply) {
		return
	}
	w.event(`{"choices":[{"index":0,"delta":{},"finish_reason":%s}],"usage":null}`, quote(openAIStop(reply)))
	w.event(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":1,"completion_tokens_details":{"reasoning_tokens":0}}}`, reply.Usage.Prompt, reply.Usage.Answer)
	w.raw("data: [DONE]\n\n")
}

// sayCalls sends the start of every call and then the arguments of all, mixed.
func sayCalls(w *wire, reply llmtest.Reply) {
	for i, c := range reply.Calls {
		w.event(`{"choices":[{"index":0,"delta":{"content":null,"tool_calls":[{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":""}}]},"finish_reason":null}]}`, i, quote(c.ID), quote(c.Name))
	}
	for from := 0; from < 1000; from += 5 {
		for i, c := range reply.Calls {
			if arguments := []rune(string(c.Arguments)); from < len(arguments) {
				piece := string(arguments[from:min(from+5, len(arguments))])
				w.event(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"type":"function","function":{"arguments":%s}}]},"finish_reason":null}]}`, i, quote(piece))
			}
		}
	}
}

func openAIStop(reply llmtest.Reply) string {
	switch {
	case reply.Fail == llm.Refused:
		return "content_filter"
	case reply.Stop == llm.Length:
		return "length"
	case reply.Stop == llm.Calls:
		return "tool_calls"
	default:
		return "stop"
	}
}

// sayLlama streams as llama.cpp does: null first, and every line ends in CRLF, with comments between.
func sayLlama(w *wire, reply llmtest.Reply) {
	w.raw(": ping\r\n\r\n")
	w.raw("data: {\"choices\":[{\"finish_reason\":null,\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\r\n\r\n")
	for _, p := range reply.Pieces {
		w.raw(fmt.Sprintf("data:{\"choices\":[{\"finish_reason\":null,\"index\":0,\"delta\":{\"content\":%s}}]}\r\n\r\n", quote(p)))
	}
	sayCalls(w, reply)
	if w.over(reply) {
		return
	}
	w.raw(fmt.Sprintf("data: {\"choices\":[{\"finish_reason\":%s,\"index\":0,\"delta\":{}}]}\r\n\r\n", quote(openAIStop(reply))))
	w.event(`{"choices":[],"usage":{"completion_tokens":%d,"prompt_tokens":%d},"timings":{"prompt_ms":1.5}}`, reply.Usage.Answer, reply.Usage.Prompt)
	w.raw("data: [DONE]\r\n\r\n")
}

// sayWhole streams as Ollama and Google do: calls are whole, all at the same index, and the answer just stops; nothing says [DONE].
func sayWhole(w *wire, reply llmtest.Reply) {
	for _, p := range reply.Pieces {
		w.event(`{"choices":[{"index":0,"delta":{"role":"assistant","content":%s},"finish_reason":null}]}`, quote(p))
	}
	for _, c := range reply.Calls {
		w.event(`{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":%s,"index":0,"type":"function","function":{"name":%s,"arguments":%s}}]},"finish_reason":null}]}`, quote(c.ID), quote(c.Name), quote(string(c.Arguments)))
	}
	if w.over(reply) {
		return
	}
	stop := openAIStop(reply)
	if stop == "tool_calls" {
		stop = "stop"
	}
	w.event(`{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":%s}],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, quote(stop), reply.Usage.Prompt, reply.Usage.Answer)
}

// sayAnthropic streams as Anthropic does.
func sayAnthropic(w *wire, reply llmtest.Reply) {
	w.raw("event: message_start\n")
	w.event(`{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","content":[],"model":"model-1","stop_reason":null,"usage":{"input_tokens":%d,"cache_read_input_tokens":2,"output_tokens":1}}}`, max(reply.Usage.Prompt-2, 0))
	w.event(`{"type": "ping"}`)
	index := 0
	if len(reply.Pieces) > 0 {
		w.event(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
		for _, p := range reply.Pieces {
			w.event(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}`, quote(p))
		}
		if w.over(reply) {
			return
		}
		w.event(`{"type":"content_block_stop","index":0}`)
		index++
	}
	for i, c := range reply.Calls {
		w.event(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":%s,"name":%s,"input":{}}}`, index+i, quote(c.ID), quote(c.Name))
		for _, r := range string(c.Arguments) {
			w.event(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, index+i, quote(string(r)))
		}
		w.event(`{"type":"content_block_stop","index":%d}`, index+i)
	}
	if w.over(reply) {
		return
	}
	w.event(`{"type":"message_delta","delta":{"stop_reason":%s,"stop_sequence":null},"usage":{"output_tokens":%d}}`, quote(anthropicStop(reply)), reply.Usage.Answer)
	w.event(`{"type":"message_stop"}`)
}

func anthropicStop(reply llmtest.Reply) string {
	switch {
	case reply.Fail == llm.Refused:
		return "refusal"
	case reply.Stop == llm.Length:
		return "max_tokens"
	case reply.Stop == llm.Calls:
		return "tool_use"
	default:
		return "end_turn"
	}
}
