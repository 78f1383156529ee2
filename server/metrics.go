package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"annai/api"
	"annai/server/gate"
	"annai/tools"
)

// Figures are what GET /metrics tells, in a registry of their own. Their labels are closed sets: doors, routes, statuses, nodes, sources and tools, never
// what a client sent. They are safe for concurrent use.
type Figures struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	turns     *prometheus.CounterVec
	sources   *prometheus.CounterVec
	tools     *prometheus.CounterVec
	cached    *prometheus.CounterVec
	sweeps    *prometheus.CounterVec
	swept     prometheus.Counter
	handler   http.Handler
}

// NewFigures returns figures of which nothing was counted yet.
func NewFigures() *Figures {
	f := &Figures{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annai_http_requests_total", Help: "Requests by door, method, route and status; 499 is a client that went away.",
		}, []string{"door", "method", "route", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "annai_http_request_duration_seconds", Help: "How long requests took, by route and status.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "status"}),
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annai_turns_total", Help: "Turns by the node that answered and the outcome: answered, asked (a question back) or failed (then without node).",
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
	f.registry = prometheus.NewRegistry()
	f.registry.MustRegister(
		f.requests, f.durations, f.turns, f.sources, f.tools, f.cached, f.sweeps, f.swept,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	f.handler = promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{})
	return f
}

// watch tells of the runs of a gate, from now on.
func (f *Figures) watch(gate *gate.Gate) {
	f.registry.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: "annai_active_runs", Help: "Turns under way."}, func() float64 { return float64(gate.Active()) },
	))
}

func (f *Figures) request(name, method, route string, status int, took time.Duration) {
	if route == "" {
		name, route, method = "none", "none", "any" // anybody can make up methods and paths
	}
	code := strconv.Itoa(status)
	f.requests.WithLabelValues(name, method, route, code).Inc()
	f.durations.WithLabelValues(route, code).Observe(took.Seconds())
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

const metricsPath = "/metrics"

// metrics is GET /metrics.
func (s *Server) metrics(c *gin.Context) error {
	s.figures.handler.ServeHTTP(c.Writer, c.Request)
	return nil
}
