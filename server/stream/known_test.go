package stream

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"

	"annai/runs"
	"annai/server/door"
)

// TestKnown: a queue that is full and a quota that is used up say when to come again.
func TestKnown(t *testing.T) {
	for err, want := range map[error]int{
		runs.ErrQueue: http.StatusServiceUnavailable, runs.ErrQuota: http.StatusTooManyRequests,
	} {
		got := Known(func(*gin.Context) error { return fmt.Errorf("begin a run: %w", err) })(nil)
		if f := door.Explain(got, ""); f.Status != want || f.Retry < 1 {
			t.Errorf("%v is told as %d with Retry-After %d, want %d and when to come again",
				err, f.Status, f.Retry, want)
		}
	}
}
