package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"annai/internal/telemetry/telemetrytest"
)

// TestTraces: a question of a visitor is one trace, from the turn down to the calendar and the model, which is told of
// which span its call is a part; a tool that is called by itself is another. What was said is in none.
func TestTraces(t *testing.T) {
	t.Parallel()
	var sent atomic.Value
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent.Store(r.Header.Get("Traceparent"))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"勉強会です。\"}}]}\n\n"+
			"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer model.Close()
	collector := telemetrytest.New(t)
	s := start(t, "--otlp-endpoint", collector.URL,
		"--model-provider", "openai", "--model", "small", "--model-url", model.URL+"/v1")
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for path, body := range map[string]string{
		"/query":                      `{"query": "今日のイベントは？", "sessionId": "s1"}`,
		"/tools/get_current_datetime": `{}`,
		"/runs/wait":                  `{"assistant_id": "annai", "input": {"messages": "今日のイベントは？"}}`,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Traceparent", parent)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(response.Body)
		if _ = response.Body.Close(); response.StatusCode != http.StatusOK {
			t.Errorf("POST %s = %s %s", path, response.Status, answer)
		}
	}
	var figures string
	if response, err := http.Get(s.url + "/metrics"); err == nil {
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		figures = string(text)
	}
	if code := s.stop(); code != exitOK {
		t.Errorf("it ended with %d", code)
	}
	for _, want := range []string{
		`annai_graph_runs_total{graph="concierge",outcome="done"} 2`,
		`annai_node_tasks_total{graph="concierge",node="event/calendar_search",outcome="done"} 2`,
		`annai_model_calls_total{failure="",model="127.0.0.1:`,
	} {
		if !strings.Contains(figures, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	const step = "invoke_workflow concierge / superstep / "
	const event = step + "task event / invoke_workflow event / superstep / "
	tree := collector.Tree()
	for _, want := range []string{
		"execute_tool get_current_datetime", step + "task understand", event + "task knowledge_search",
		event + "task calendar_search / calendar events",
	} {
		if !slices.Contains(tree, want) {
			t.Errorf("there is no span %s in\n%s", want, strings.Join(tree, "\n"))
		}
	}
	chat := collector.Find(t, "chat small")
	if header, _ := sent.Load().(string); !strings.HasPrefix(header, "00-4bf92f3577b34da6a3ce929d0e0e4736-") {
		t.Errorf("the model is sent %q, want a span of the caller's trace", header)
	}
	if chat.Attributes["server.address"] != "127.0.0.1" || chat.Attributes["annai.node"] == "" {
		t.Errorf("the model's call has %v", chat.Attributes)
	}
	for _, span := range collector.Spans() {
		text := fmt.Sprint(span)
		words := strings.Contains(text, "イベント") || strings.Contains(text, "勉強会")
		if span.Trace != parent[3:35] || words {
			t.Errorf("%s is no part of the caller's trace, or has words: %v", span.Name, span)
		}
	}
}

// TestTracesOfCommands: what is asked in the terminal is traced too, to the last span before the process ends.
func TestTracesOfCommands(t *testing.T) {
	t.Parallel()
	for in, args := range map[string][]string{
		"": {"ask", "今日のイベントは？"}, "今日のイベントは？\nexit\n": {"chat"},
	} {
		collector := telemetrytest.New(t)
		code, out, errs := command(t, in, append(args, "--otlp-endpoint", collector.URL)...)
		if code != exitOK || out == "" {
			t.Errorf("%s ended with %d and said %q, %s", args[0], code, out, errs)
		}
		understood(t, collector)
	}
}

// understood checks that the trace of a turn was sent.
func understood(t *testing.T, collector *telemetrytest.Collector) {
	t.Helper()
	const want = "invoke_workflow concierge / superstep / task understand"
	if tree := collector.Tree(); !slices.Contains(tree, want) {
		t.Errorf("there is no span %s in\n%s", want, strings.Join(tree, "\n"))
	}
}
