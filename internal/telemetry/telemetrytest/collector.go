// Package telemetrytest is a collector of traces for tests.
package telemetrytest

import (
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A Collector takes OTLP over HTTP on this machine, and keeps the spans.
type Collector struct {
	// URL is that of the collector, to which /v1/traces is added.
	URL string
	// Refuse, if it is set, is the status of further answers.
	Refuse func() int

	mu      sync.Mutex
	service string
	header  http.Header
	spans   []Span
}

// A Span is one that was sent.
type Span struct {
	Trace, ID, Parent, Name string
	Attributes              map[string]string
	// Failed says that its status is an error, Message what that says.
	Failed  bool
	Message string
}

// New returns a collector that ends with the test.
func New(t *testing.T) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(http.HandlerFunc(c.take))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

func (c *Collector) take(w http.ResponseWriter, r *http.Request) {
	if c.Refuse != nil {
		if status := c.Refuse(); status != 0 {
			w.WriteHeader(status)
			return
		}
	}
	unpacked, err := gzip.NewReader(r.Body)
	if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		w.WriteHeader(http.StatusUnsupportedMediaType)
		return
	}
	data, err := io.ReadAll(unpacked)
	var sent tracepb.TracesData
	if err != nil || proto.Unmarshal(data, &sent) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header
	for _, resource := range sent.ResourceSpans {
		c.service = attributesOf(resource.Resource.GetAttributes())["service.name"]
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, Span{
					Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId),
					Parent: hex.EncodeToString(s.ParentSpanId), Name: s.Name, Attributes: attributesOf(s.Attributes),
					Failed:  s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR,
					Message: s.Status.GetMessage(),
				})
			}
		}
	}
}

func attributesOf(list []*commonpb.KeyValue) map[string]string {
	all := map[string]string{}
	for _, a := range list {
		all[a.Key] = textOf(a.Value)
	}
	return all
}

func textOf(v *commonpb.AnyValue) string {
	switch v := v.Value.(type) {
	case *commonpb.AnyValue_StringValue:
		return v.StringValue
	case *commonpb.AnyValue_IntValue:
		return fmt.Sprint(v.IntValue)
	case *commonpb.AnyValue_DoubleValue:
		return fmt.Sprint(v.DoubleValue)
	case *commonpb.AnyValue_BoolValue:
		return fmt.Sprint(v.BoolValue)
	case *commonpb.AnyValue_ArrayValue:
		var list []string
		for _, one := range v.ArrayValue.Values {
			list = append(list, textOf(one))
		}
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v)
}

// Header is what the last request was sent with, Service who sent it.
func (c *Collector) Header() http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.header
}

// Service is what the last spans' program is called.
func (c *Collector) Service() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.service
}

// Spans are what was sent by now.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Find returns the first span of a name.
func (c *Collector) Find(t *testing.T, name string) Span {
	t.Helper()
	spans := c.Spans()
	i := slices.IndexFunc(spans, func(s Span) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("there is no span %q in\n%s", name, strings.Join(c.Tree(), "\n"))
	}
	return spans[i]
}

// Tree lists each span behind those that it is in: "run / superstep / task ask", each once, sorted.
func (c *Collector) Tree() []string {
	spans := c.Spans()
	byID := map[string]Span{}
	for _, s := range spans {
		byID[s.ID] = s
	}
	var lines []string
	for _, s := range spans {
		line := s.Name
		for at, ok := byID[s.Parent]; ok; at, ok = byID[at.Parent] {
			line = at.Name + " / " + line
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
