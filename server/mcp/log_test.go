package mcp

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestClientsFaultsAreNoErrors: what the protocol's library tells of a client that does wrong is a
// warning, so that nobody is called at night for it.
func TestClientsFaultsAreNoErrors(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(warnings{slog.NewTextHandler(&out, nil)})
	log.Info("session began", "id", "s1")
	log.Error("method out of order")
	got := out.String()
	if strings.Contains(got, "ERROR") || strings.Contains(got, "s1") || !strings.Contains(got, "WARN") {
		t.Errorf("the log has %s, want a warning only", got)
	}
}
