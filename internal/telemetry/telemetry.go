// Package telemetry tells what runs do to whoever operates: as traces of OpenTelemetry, sent to a collector, and as
// figures of Prometheus.
//
// The idea to hold: both are a [graph.Callback], so the engine knows neither, and what nobody asked for costs
// nothing. Models and tools have the names of OpenTelemetry's semantic conventions for generative AI; what was said
// to them is told only if the settings say so. The package is the home of OpenTelemetry's library.
package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// TraceOptions are the settings of [NewTraces]. All but URL have a default.
type TraceOptions struct {
	// URL is where OTLP is taken over HTTP: "http://127.0.0.1:4318/v1/traces".
	URL string
	// Header is sent with each request.
	Header map[string]string
	// Service and Version are this program's. Empty: "annai" and none.
	Service, Version string
	// Share of the traces that begin here is sent.
	Share float64
	// Words puts what is said to models and tools, and what they say, into the traces.
	Words bool
	// Log receives a line when traces can't be sent, and when they can again. Nil discards them.
	Log *slog.Logger
	// Every is how often is sent. 0: 5 seconds.
	Every time.Duration
}

// Traces sends what runs do to a collector. They are safe for concurrent use. What can't be sent in time is dropped.
type Traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	words    bool
}

const (
	scope = "annai"
	// maxValue is how many bytes of a text are told, maxWaiting how many spans wait to be sent.
	maxValue   = 16 << 10
	maxWaiting = 4096
	// lastSend is how long the last spans have.
	lastSend = 5 * time.Second
)

// NewTraces returns traces that are sent to the collector. Nothing is asked of it before there are some.
func NewTraces(opts TraceOptions) *Traces {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Service == "" {
		opts.Service = scope
	}
	if opts.Every == 0 {
		opts.Every = 5 * time.Second
	}
	header := http.Header{}
	for name, value := range opts.Header {
		header.Set(name, value)
	}
	exporter := otlptrace.NewUnstarted(newUploader(opts.URL, header, opts.Log))
	limits := sdk.NewSpanLimits()
	limits.AttributeValueLengthLimit = maxValue
	about := []attribute.KeyValue{attribute.String("service.name", opts.Service)}
	if opts.Version != "" {
		about = append(about, attribute.String("service.version", opts.Version))
	}
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(exporter, sdk.WithBatchTimeout(opts.Every), sdk.WithMaxQueueSize(maxWaiting)),
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(opts.Share))),
		sdk.WithResource(resource.NewSchemaless(about...)), sdk.WithRawSpanLimits(limits),
	)
	return &Traces{provider: provider, tracer: provider.Tracer(scope), words: opts.Words}
}

// Close sends what was not sent yet.
func (t *Traces) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastSend)
	defer cancel()
	return t.provider.Shutdown(ctx)
}
