package langchain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"annai/llm"
)

// trouble is an error as servers write it: in "error", or bare, with a code that is a number or a word.
type trouble struct {
	Message string          `json:"message"`
	Type    string          `json:"type"`
	Status  string          `json:"status"`
	Code    json.RawMessage `json:"code"`
}

// words are all that an error says of its kind, for looking up.
func (t trouble) words() string {
	return strings.ToLower(strings.Join([]string{t.Type, t.Status, strings.Trim(string(t.Code), `"`), t.Message}, " "))
}

// readTrouble finds the error in a body: {"error": {…}}, {"error": "…"}, the same in a list, or bare.
func readTrouble(body []byte) (trouble, bool) {
	var many []json.RawMessage
	if json.Unmarshal(body, &many) == nil && len(many) > 0 {
		body = many[0]
	}
	var wrapped struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &wrapped) != nil {
		return trouble{}, false
	}
	inner := bytes.TrimSpace(wrapped.Error)
	isWrapped := len(inner) > 0 && !bytes.Equal(inner, []byte("null"))
	if isWrapped {
		body = inner
	}
	var t trouble
	if json.Unmarshal(body, &t.Message) == nil || json.Unmarshal(body, &t) == nil {
		return t, t.Message != "" || isWrapped
	}
	return trouble{}, isWrapped
}

// refusal is the failure of a request that was answered with something else than a stream.
func refusal(response *http.Response, body []byte) *llm.Failure {
	t, ok := readTrouble(body)
	status := response.StatusCode
	if status == http.StatusOK {
		if !ok {
			return &llm.Failure{Kind: llm.Malformed, Err: errors.New("what came is no stream of events")}
		}
		status = t.status()
	}
	f := &llm.Failure{Kind: kindOf(status, t, ok), RetryAfter: retryAfter(response.Header)}
	f.Err = told(status, f.Kind, t)
	return f
}

// told is the failure in words: the status, and what the server says. Where it is about a key nothing is quoted, for servers quote parts of keys.
func told(status int, kind llm.Kind, t trouble) error {
	if kind == llm.Auth || t.Message == "" {
		return fmt.Errorf("the server answered %d", status)
	}
	return fmt.Errorf("the server answered %d: %s", status, plain(t.Message))
}

// inStream is the failure that an event tells of.
func inStream(t trouble) *llm.Failure {
	f := &llm.Failure{Kind: kindOf(t.status(), t, true)}
	f.Err = told(t.status(), f.Kind, t)
	return f
}

// status is the HTTP status that an error within an answer stands for.
func (t trouble) status() int {
	if code, err := strconv.Atoi(strings.Trim(string(t.Code), `"`)); err == nil && code >= 400 && code < 600 {
		return code
	}
	for status, name := range map[int]string{
		http.StatusUnauthorized:          "authentication_error",
		http.StatusForbidden:             "permission_error",
		http.StatusNotFound:              "not_found_error",
		http.StatusRequestEntityTooLarge: "request_too_large",
		http.StatusTooManyRequests:       "rate_limit",
		http.StatusBadRequest:            "invalid_request",
	} {
		if strings.Contains(t.words(), name) {
			return status
		}
	}
	return http.StatusInternalServerError
}

// marks are words by which servers tell failures apart that share a status.
var marks = []struct {
	kind  llm.Kind
	words []string
}{
	{llm.TooLong, []string{
		"exceed_context_size_error", "context_length_exceeded", "maximum context length", "available context size", "prompt is too long",
		"context window", "input token count", "context length",
	}},
	{llm.Auth, []string{"api_key_invalid", "api key not valid", "invalid_api_key"}},
	{llm.Refused, []string{"content_filter", "content_policy_violation", "responsibleaipolicyviolation"}},
}

// kindOf says what a status and what comes with it mean. Known says that the body is an error as such servers write it.
func kindOf(status int, t trouble, known bool) llm.Kind {
	if status != http.StatusTooManyRequests {
		words := t.words()
		for _, m := range marks {
			for _, w := range m.words {
				if strings.Contains(words, w) {
					return m.kind
				}
			}
		}
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return llm.Auth
	case status == http.StatusNotFound && known:
		return llm.NoModel
	case status == http.StatusTooManyRequests || status == http.StatusPaymentRequired:
		return llm.RateLimited
	case status == http.StatusRequestEntityTooLarge:
		return llm.TooLong
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return llm.Unfit
	default:
		return llm.Unavailable
	}
}

// retryAfter reads how long a server wants to be left alone: in milliseconds, in seconds, or as a time, which is compared with the server's own.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	now, nowErr := http.ParseTime(h.Get("Date"))
	if err != nil || nowErr != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
