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
)

// metrics are the figures of one server, in a registry of their own. Their labels are closed sets: routes, statuses, nodes and sources, never
// what a client sent.
type metrics struct {
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	turns     *prometheus.CounterVec
	sources   *prometheus.CounterVec
	handler   http.Handler
}

func newMetrics(r *runs) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annai_http_requests_total", Help: "Requests by method, route and status; 499 is a client that went away.",
		}, []string{"method", "route", "status"}),
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
	}
	active := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "annai_active_runs", Help: "Turns under way."}, r.count)
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		m.requests, m.durations, m.turns, m.sources, active,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

func (m *metrics) request(method, route string, status int, took time.Duration) {
	if route == "" {
		route, method = "none", "any" // anybody can make up methods and paths
	}
	code := strconv.Itoa(status)
	m.requests.WithLabelValues(method, route, code).Inc()
	m.durations.WithLabelValues(route, code).Observe(took.Seconds())
}

// answered counts a turn that ended with an answer.
func (m *metrics) answered(a api.QueryResponse) {
	outcome := "answered"
	if a.Interrupt != nil {
		outcome = "asked"
	}
	m.turns.WithLabelValues(a.Metadata.ProcessingInfo.Route, outcome).Inc()
	for source, status := range a.Metadata.SourceStatus {
		if status == "error" {
			m.sources.WithLabelValues(source).Inc()
		}
	}
}

func (m *metrics) failed() { m.turns.WithLabelValues("", "failed").Inc() }

// figures is GET /metrics.
func (s *Server) figures(c *gin.Context) error {
	s.metrics.handler.ServeHTTP(c.Writer, c.Request)
	return nil
}
