package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// TestTraces: the variables of OpenTelemetry's standard say where traces go, and a key is not sent in the clear.
func TestTraces(t *testing.T) {
	for name, test := range map[string]struct {
		environ []string
		url     string
		header  map[string]string
		err     string
	}{
		"nothing is set": {nil, "", map[string]string{}, ""},
		"the standard's": {
			[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318/", "OTEL_SERVICE_NAME=x"},
			"http://collector:4318/v1/traces",
			map[string]string{},
			"",
		},
		"ours first": {
			[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://a", "ANNAI_OTLP_ENDPOINT=http://b/otlp"},
			"http://b/otlp/v1/traces",
			map[string]string{},
			"",
		},
		"an address of its own": {
			[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://a", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://b/in"},
			"https://b/in",
			map[string]string{},
			"",
		},
		"headers": {
			[]string{"ANNAI_OTLP_ENDPOINT=https://a", "OTEL_EXPORTER_OTLP_HEADERS=Authorization=Basic%20eA%3D%3D, b=c"},
			"https://a/v1/traces",
			map[string]string{"Authorization": "Basic eA==", "b": "c"},
			"",
		},
		"no headers": {
			[]string{"OTEL_EXPORTER_OTLP_HEADERS=secret"},
			"", nil,
			"OTEL_EXPORTER_OTLP_HEADERS: are no headers like api-key=SECRET,tenant=museum",
		},
		"a line break in one": {
			[]string{"ANNAI_OTLP_HEADERS=a=b%0D%0Ac"},
			"", nil,
			"ANNAI_OTLP_HEADERS: are no headers like api-key=SECRET,tenant=museum",
		},
		"a key in the clear": {
			[]string{"ANNAI_OTLP_ENDPOINT=http://a:4318", "ANNAI_OTLP_HEADERS=key=secret"},
			"", nil,
			"otlp-headers: a key goes over https or to this machine, not to http://a:4318",
		},
		"no address": {
			[]string{"ANNAI_OTLP_ENDPOINT=collector:4317"},
			"", nil,
			"ANNAI_OTLP_ENDPOINT: is not an address like http://127.0.0.1:4318, without a user, a query or a fragment",
		},
		"no share": {
			[]string{"ANNAI_TRACES_SHARE=NaN"}, "", nil, `ANNAI_TRACES_SHARE: "NaN" is not a share from 0 to 1`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := load(pflag.NewFlagSet("annai", pflag.ContinueOnError), test.environ)
			if test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Fatalf("it fails with %v, want %s", err, test.err)
				}
				return
			}
			if err != nil || c.Traces.URL() != test.url {
				t.Fatalf("URL = %q, %v, want %q", c.Traces.URL(), err, test.url)
			}
			if diff := cmp.Diff(test.header, c.Traces.Header()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
