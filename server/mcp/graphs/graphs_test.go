package graphs_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"annai/runs"
	"annai/server/door"
	"annai/server/door/doortest"
	"annai/server/mcp/graphs"
)

// TestChargedForEach: each message of a batch counts as if it were asked for by itself.
func TestChargedForEach(t *testing.T) {
	tool := graphs.Tool{Name: "agent", Description: "an agent", Input: []byte(`{"type":"object"}`)}
	d, err := graphs.New([]graphs.Tool{tool}, func(*gin.Context) *runs.Service { return nil }, graphs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	charged := 0
	h := doortest.Handler(d, doortest.ByKey, func(n int) error {
		charged += n
		return &door.RateError{Wait: time.Second}
	})
	const one = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agent","arguments":{}}}`
	w := httptest.NewRecorder()
	body := strings.NewReader("[" + one + "," + one + "," + one + "]")
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", body))
	if charged != 2 || w.Code != http.StatusTooManyRequests {
		t.Errorf("a batch of three = %d, charged %d besides itself, want 429 and 2", w.Code, charged)
	}
}
