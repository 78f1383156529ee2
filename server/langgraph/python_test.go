package langgraph

import (
	"os/exec"
	"strings"
	"testing"

	"annai/internal/peer"
)

// TestPythonClient lets LangGraph's own Python client judge the door.
func TestPythonClient(t *testing.T) {
	python := peer.Python(t, "testdata/python")
	out, err := exec.CommandContext(t.Context(), python, "testdata/python/check.py", serve(t)).CombinedOutput()
	if err != nil || strings.Contains(string(out), "FAIL") || !strings.Contains(string(out), ", 0 failed") {
		t.Errorf("check.py: %v\n%s", err, out)
	}
}
