package setup

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"annai/internal/config"
)

// TestNetworkOf: an address of IPv4 lets nobody in by IPv6.
func TestNetworkOf(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:8080": "tcp4", "127.0.0.1:0": "tcp4", "[::]:8080": "tcp", "[::1]:8080": "tcp", "localhost:8080": "tcp",
	} {
		if got := networkOf(address); got != want {
			t.Errorf("networkOf(%s) = %s, want %s", address, got, want)
		}
	}
}

// TestLogIsMasked: whatever the error of a library has in it.
func TestLogIsMasked(t *testing.T) {
	var out bytes.Buffer
	for _, format := range []string{"text", "json"} {
		out.Reset()
		err := errors.New(`Get "https://maps.example/?q=home&key=K": no answer for hanako@example.com`)
		Logger(config.Config{LogFormat: format}, &out).Warn("source failed", "err", err)
		if got := out.String(); strings.Contains(got, "hanako") || strings.Contains(got, "key=K") ||
			!strings.Contains(got, "maps.example") {
			t.Errorf("the line in %s is %s", format, got)
		}
	}
}
