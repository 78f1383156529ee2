package config

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"annai/internal/secret"
)

// Traces say where OpenTelemetry's traces are sent.
type Traces struct {
	// Endpoint is where a collector takes OTLP over HTTP; /v1/traces is added. Address is where it takes traces, as
	// it stands, and wins over Endpoint. Without either nothing is traced.
	Endpoint, Address string
	// Headers are sent with each request: name=value, with commas. Empty: none.
	Headers secret.Text
	// Service is what this program is called there. Empty: its name.
	Service string
	// Share of the runs that nobody else began to trace is traced, from 0 to 1.
	Share float64
	// Words puts what is said to models and tools, and what they say, into traces.
	Words bool
}

// URL is where traces are sent; empty: nowhere.
func (t Traces) URL() string {
	if t.Address != "" || t.Endpoint == "" {
		return t.Address
	}
	return strings.TrimSuffix(t.Endpoint, "/") + "/v1/traces"
}

// Header is what is sent with each request, by name.
func (t Traces) Header() map[string]string {
	header, _ := parseHeaders(string(t.Headers)) // they were parsed before
	return header
}

func otlpHeadersField(c *Config) *secret.Text { return &c.Traces.Headers }

func tracesTable() []setting {
	const collector = "http://127.0.0.1:4318"
	return []setting{
		{
			key: "otlp-endpoint", value: "URL", also: "OTEL_EXPORTER_OTLP_ENDPOINT",
			usage: "collector that takes traces by OTLP over HTTP, like " + collector + " (none)",
			parse: serviceURL(collector, func(c *Config) *string { return &c.Traces.Endpoint }),
		},
		{
			key: "otlp-traces-endpoint", value: "URL", also: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
			usage: "its address for traces, if it does not end in /v1/traces (made of otlp-endpoint)",
			parse: serviceURL(collector+"/v1/traces", func(c *Config) *string { return &c.Traces.Address }),
		},
		{
			key: "otlp-headers", value: "HEADERS", secret: true, also: "OTEL_EXPORTER_OTLP_HEADERS",
			usage: "headers that it wants, as name=value with commas (none)", parse: parseOTLPHeaders,
		},
		{
			key: "otlp-headers-file", value: "FILE", path: true, usage: "file with those headers (none)",
			parse: fromSecretFile("otlp-headers", otlpHeadersField, parseOTLPHeaders),
		},
		{
			key: "otlp-service", value: "NAME", also: "OTEL_SERVICE_NAME",
			usage: "what this program is called in traces (its name)",
			parse: text(func(c *Config) *string { return &c.Traces.Service }),
		},
		{
			key: "traces-share", value: "SHARE", def: "1", usage: "share of the runs that are traced, from 0 to 1",
			parse: parseShare,
		},
		{
			key: "traces-words", value: "BOOL", def: "false",
			usage: "put what is said to models and tools, and what they say, into traces",
			parse: parseBool(func(c *Config) *bool { return &c.Traces.Words }),
		},
	}
}

func parseShare(c *Config, s string) error {
	share, err := strconv.ParseFloat(s, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return fmt.Errorf("%q is not a share from 0 to 1", s)
	}
	c.Traces.Share = share
	return nil
}

// parseOTLPHeaders takes headers. What is wrong with them is not quoted, since a key might be in them.
func parseOTLPHeaders(c *Config, s string) error {
	if _, err := parseHeaders(s); err != nil {
		return err
	}
	c.Traces.Headers = secret.Text(s)
	return nil
}

// parseHeaders reads headers as OpenTelemetry writes them: values are encoded as in URLs.
func parseHeaders(s string) (map[string]string, error) {
	header := map[string]string{}
	for pair := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, given := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !given || err != nil || !isToken(name) || !isPrintable(value) {
			return nil, errors.New("are no headers like api-key=SECRET,tenant=museum")
		}
		header[name] = value
	}
	return header, nil
}

// isToken says whether a text can be the name of a header.
func isToken(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// checkTraces refuses to send a key in the clear.
func checkTraces(c Config) error {
	u, err := url.Parse(c.Traces.URL())
	if err == nil && u.Scheme == "http" && !loopback(u.Hostname()) && c.Traces.Headers != "" {
		return fmt.Errorf("otlp-headers: a key goes over https or to this machine, not to http://%s", u.Host)
	}
	return nil
}
