package server

import (
	"errors"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"annai/api"
	"annai/server/door"
	"annai/server/httpd"
	"annai/tools"
)

// Figures are those of [httpd.Figures], and what the concierge does. Their labels are closed sets: nodes, sources and
// tools, never what a client sent. They are safe for concurrent use.
type Figures struct {
	*httpd.Figures

	turns   *prometheus.CounterVec
	sources *prometheus.CounterVec
	tools   *prometheus.CounterVec
	cached  *prometheus.CounterVec
	sweeps  *prometheus.CounterVec
	swept   prometheus.Counter

	// Of kiosks, by the names of those that said that they live.
	questions, calls, words *prometheus.CounterVec
}

// NewFigures returns figures of which nothing was counted yet.
func NewFigures() *Figures {
	f := &Figures{
		Figures: httpd.NewFigures(),
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annai_turns_total", Help: "Turns by the node that answered and the outcome: " +
				"answered, asked (a question back) or failed (then without node).",
		}, []string{"node", "outcome"}),
		sources: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annai_source_failures_total", Help: "Turns in which a source could not be read.",
		}, []string{"source"}),
		tools: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annai_tool_calls_total", Help: "Calls of tools by the kind of failure; none: it answered.",
		}, []string{"tool", "failure"}),
	}
	f.cached = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "annai_tool_cache_hits_total", Help: "Calls of tools that were answered from memory.",
	}, []string{"tool"})
	f.sweeps = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "annai_session_sweeps_total", Help: "Sweeps of idle sessions by outcome: done or failed.",
	}, []string{"outcome"})
	f.swept = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "annai_sessions_swept_total", Help: "Sessions that were forgotten because they were idle.",
	})
	f.questions = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "annai_kiosk_questions_total",
		Help: "Questions by the kiosk that they were asked at; none: it has no name.",
	}, []string{"device"})
	f.calls = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "annai_staff_calls_total", Help: "Calls for staff by kiosk and outcome: delivered, repeated (they had " +
			"been called a moment ago), refused (too many) or failed.",
	}, []string{"device", "outcome"})
	f.words = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "annai_feedback_total", Help: "Answers that helped, or did not, by the node that answered and the kiosk.",
	}, []string{"node", "device", "helpful"})
	f.Register(f.questions, f.calls, f.words)
	f.Register(f.turns, f.sources, f.tools, f.cached, f.sweeps, f.swept)
	return f
}

// Turn counts a turn that ended, for [gate.Options].
func (f *Figures) Turn(a api.QueryResponse, err error) {
	outcome := "answered"
	switch {
	case err != nil:
		f.turns.WithLabelValues("", "failed").Inc()
		return
	case a.Interrupt != nil:
		outcome = "asked"
	}
	f.turns.WithLabelValues(a.Metadata.ProcessingInfo.Route, outcome).Inc()
	for source, status := range a.Metadata.SourceStatus {
		if status == "error" {
			f.sources.WithLabelValues(source).Inc()
		}
	}
}

// ToolCall counts a call that ended, for [tools.Options].
func (f *Figures) ToolCall(o tools.Observation) {
	f.tools.WithLabelValues(o.Tool, o.Failure).Inc()
	if o.Cached {
		f.cached.WithLabelValues(o.Tool).Inc()
	}
}

// sweep counts a sweep of sessions.
func (f *Figures) sweep(n int, err error) {
	outcome := "done"
	if err != nil {
		outcome = "failed"
	}
	f.sweeps.WithLabelValues(outcome).Inc()
	f.swept.Add(float64(n))
}

// question counts a question at a kiosk.
func (f *Figures) question(device string) { f.questions.WithLabelValues(device).Inc() }

// staffCall counts a call for staff.
func (f *Figures) staffCall(device string, repeated bool, err error) {
	outcome := "delivered"
	var often *door.RateError
	switch {
	case errors.As(err, &often):
		outcome = "refused"
	case err != nil:
		outcome = "failed"
	case repeated:
		outcome = "repeated"
	}
	f.calls.WithLabelValues(device, outcome).Inc()
}

// feedback counts whether an answer helped.
func (f *Figures) feedback(node, device string, helpful bool) {
	f.words.WithLabelValues(node, device, strconv.FormatBool(helpful)).Inc()
}

// forgetKiosk drops the figures of a kiosk.
func (f *Figures) forgetKiosk(device string) {
	for _, counter := range []*prometheus.CounterVec{f.questions, f.calls, f.words} {
		counter.DeletePartialMatch(prometheus.Labels{"device": device})
	}
}
