package media_test

import (
	"context"
	"errors"
	"testing"

	"annai/fault"
	"annai/tools/media"
)

func TestTurns(t *testing.T) {
	turns := media.NewTurns()
	late, cancel := context.WithCancel(t.Context())
	cancel()
	err := turns.Do(t.Context(), func() error {
		return turns.Do(late, func() error { t.Error("two are made at once"); return nil })
	})
	if !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("Do(while another is made) = %v, want ErrUnavailable", err)
	}
	failed := errors.New("no paper")
	if err := turns.Do(t.Context(), func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("Do = %v, want what it did", err)
	}
}
