package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"annai/fault"
	"annai/graph"
	"annai/internal/telemetry"
	"annai/internal/telemetry/telemetrytest"
	"annai/internal/traceparent"
	"annai/llm"
)

func tracesTo(t *testing.T, url string, log *bytes.Buffer, opts telemetry.TraceOptions) *telemetry.Traces {
	t.Helper()
	opts.URL, opts.Share, opts.Log = url+"/v1/traces", 1, slog.New(slog.NewTextHandler(log, nil))
	return telemetry.NewTraces(opts)
}

// tell tells of a span that ended at once.
func tell(ctx context.Context, c graph.Callback, s graph.Span, o graph.Outcome) {
	_, end := c(ctx, s)
	end(o)
}

// TestUpload: spans are sent again to a collector that was busy, with its headers.
func TestUpload(t *testing.T) {
	collector := telemetrytest.New(t)
	var asked atomic.Int64
	collector.Refuse = func() int {
		if asked.Add(1) == 1 {
			return http.StatusServiceUnavailable
		}
		return 0
	}
	var log bytes.Buffer
	traces := tracesTo(t, collector.URL, &log, telemetry.TraceOptions{
		Service: "desk", Header: map[string]string{"api-key": "k"},
	})
	tell(t.Context(), traces.Callback, graph.Span{Kind: graph.SpanRun, Name: "a", Graph: "a"}, graph.Outcome{})
	if err := traces.Close(); err != nil {
		t.Fatal(err)
	}
	if got := collector.Find(t, "invoke_workflow a"); got.Failed || collector.Header().Get("Api-Key") != "k" {
		t.Errorf("sent %+v with %v", got, collector.Header())
	}
	if asked.Load() != 2 || log.Len() > 0 {
		t.Errorf("asked %d times, and logged %s; want twice and nothing", asked.Load(), &log)
	}
}

// TestUnsent: what can't be sent is said once, and keeps nobody.
func TestUnsent(t *testing.T) {
	var where atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		where.Store(r.URL.Path)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	var log bytes.Buffer
	traces := tracesTo(t, server.URL, &log, telemetry.TraceOptions{Every: time.Millisecond})
	for range 3 {
		tell(t.Context(), traces.Callback, graph.Span{Kind: graph.SpanRun, Graph: "a"}, graph.Outcome{})
	}
	if err := traces.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "traces not sent"); n != 1 || where.Load() != "/v1/traces" {
		t.Errorf("said %d times, at %v: %s", n, where.Load(), &log)
	}
}

// TestModelSpan: a model's call has what the conventions want of it, and what it sends says of which span it is a part.
func TestModelSpan(t *testing.T) {
	collector, sent := telemetrytest.New(t), ""
	model := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		sent = r.Header.Get("Traceparent")
	}))
	defer model.Close()
	traces := tracesTo(t, collector.URL, new(bytes.Buffer), telemetry.TraceOptions{})
	request := llm.Request{MaxTokens: 9, Seed: 4, Temperature: 0.5, Schema: []byte("{}")}
	ctx, end := traces.Callback(t.Context(), graph.Span{Kind: graph.SpanModel, Name: "google/gemini-x", Value: request})
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, model.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Transport: traceparent.Transport(http.DefaultTransport)}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	end(graph.Outcome{Value: llm.Answer{
		Text: "hi", End: llm.End{Stop: llm.Length, Model: "google/gemini-x-1", Usage: llm.Usage{Prompt: 7, Answer: 3}},
	}})
	tell(ctx, traces.Callback, graph.Span{Kind: graph.SpanModel, Name: "models.example:1/plain"},
		graph.Outcome{Err: &llm.Failure{Kind: llm.Auth, Err: errors.New("the words")}})
	if err := traces.Close(); err != nil {
		t.Fatal(err)
	}
	got := collector.Find(t, "chat gemini-x")
	for name, want := range map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "gcp.gemini", "gen_ai.request.model": "gemini-x",
		"gen_ai.response.model": "gemini-x-1", "gen_ai.response.finish_reasons": "length", "gen_ai.request.seed": "4",
		"gen_ai.usage.input_tokens": "7", "gen_ai.usage.output_tokens": "3", "gen_ai.request.max_tokens": "9",
		"gen_ai.request.temperature": "0.5", "server.address": "",
		"gen_ai.output.type": "json", "gen_ai.request.stream": "true",
	} {
		if got.Attributes[name] != want {
			t.Errorf("%s = %q, want %q", name, got.Attributes[name], want)
		}
	}
	if want := "00-" + got.Trace + "-" + got.ID + "-01"; sent != want {
		t.Errorf("the model is sent %q, want %q", sent, want)
	}
	failed := collector.Find(t, "chat plain")
	if !failed.Failed || failed.Message != "" || failed.Attributes["error.type"] != "auth" ||
		failed.Parent != got.ID || failed.Attributes["server.address"] != "models.example" {
		t.Errorf("a failed call is %+v", failed)
	}
}

// TestKindOf: the kinds of errors are few.
func TestKindOf(t *testing.T) {
	for want, err := range map[string]error{
		"": nil, "_OTHER": errors.New("x"), "invalid": fmt.Errorf("x: %w", fault.ErrInvalid),
		"not_found": fault.ErrNotFound, "denied": fault.ErrDenied, "conflict": fault.ErrConflict,
		"unavailable": fault.ErrUnavailable, "panic": &graph.PanicError{}, "cancelled": context.Canceled,
		"timeout": context.DeadlineExceeded, "rate_limited": &llm.Failure{Kind: llm.RateLimited},
	} {
		if got := telemetry.KindOf(err); got != want {
			t.Errorf("KindOf(%v) = %q, want %q", err, got, want)
		}
	}
}

// TestBoundedFigures: graphs made at run time, with nodes of their own, do not make figures without end.
func TestBoundedFigures(t *testing.T) {
	f := telemetry.NewFigures(time.Now)
	for i := range 2000 {
		name := fmt.Sprintf("g%d", i)
		tell(t.Context(), f.Callback, graph.Span{Kind: graph.SpanTask, Graph: name, Node: "n", Name: "n"},
			graph.Outcome{Err: context.Canceled})
	}
	metrics := make(chan prometheus.Metric, 10_000)
	f.Collect(metrics)
	if n := len(metrics); n < 100 || n > 1000 {
		t.Errorf("%d figures, want some hundred", n)
	}
}
