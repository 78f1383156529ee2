package httpd

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Figures are what GET /metrics tells, in a registry of their own. Their labels are closed sets: doors, routes and
// statuses, never what a client sent. They are safe for concurrent use.
type Figures struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	handler   http.Handler
}

// NewFigures returns figures of which nothing was counted yet.
func NewFigures() *Figures {
	f := &Figures{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "annai_http_requests_total",
			Help: "Requests by door, method, route and status; 499 is a client that went away.",
		}, []string{"door", "method", "route", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "annai_http_request_duration_seconds", Help: "How long requests took, by route and status.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "status"}),
	}
	f.registry = prometheus.NewRegistry()
	f.registry.MustRegister(
		f.requests, f.durations,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	f.handler = promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{})
	return f
}

// Register adds figures that somebody else keeps.
func (f *Figures) Register(more ...prometheus.Collector) { f.registry.MustRegister(more...) }

// watch tells of the runs, from now on.
func (f *Figures) watch(runs Runs) {
	f.registry.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: "annai_active_runs", Help: "Turns under way."},
		func() float64 { return float64(runs.Active()) },
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

const metricsPath = "/metrics"

// metrics is GET /metrics.
func (s *Server) metrics(c *gin.Context) error {
	s.figures.handler.ServeHTTP(c.Writer, c.Request)
	return nil
}
