package setup

import (
	"log/slog"
	"time"

	"annai/graph"
	"annai/internal/config"
	"annai/internal/telemetry"
	"annai/server/httpd"
)

// Telemetry is who hears what runs do.
type Telemetry struct {
	// Callbacks are those of every graph that is served, and of calls outside of runs.
	Callbacks graph.Callbacks
	// Traced says that traces are sent somewhere.
	Traced  bool
	figures *telemetry.Figures
	close   func() error
}

// NewTelemetry makes figures of what runs do, and traces, if the settings say where these are sent.
func NewTelemetry(c config.Config, program, version string, now func() time.Time, log *slog.Logger) *Telemetry {
	figures := telemetry.NewFigures(now)
	t := &Telemetry{
		Callbacks: graph.Callbacks{figures.Callback}, figures: figures, close: func() error { return nil },
	}
	url := c.Traces.URL()
	if url == "" {
		return t
	}
	service := c.Traces.Service
	if service == "" {
		service = program
	}
	traces := telemetry.NewTraces(telemetry.TraceOptions{
		URL: url, Header: c.Traces.Header(), Service: service, Version: version, Share: c.Traces.Share,
		Words: c.Traces.Words, Log: log,
	})
	t.Callbacks = append(graph.Callbacks{traces.Callback}, t.Callbacks...)
	t.Traced, t.close = true, traces.Close
	return t
}

// Tell has GET /metrics tell the figures too.
func (t *Telemetry) Tell(figures *httpd.Figures) { figures.Register(t.figures) }

// Close sends what was not sent yet. Nobody waits long for that.
func (t *Telemetry) Close() error { return t.close() }
