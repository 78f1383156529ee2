//go:build novoice

package hibari

import (
	"errors"
	"testing"

	"annai/fault"
)

func TestNone(t *testing.T) {
	if _, err := New(); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("New() = %v, want ErrUnavailable", err)
	}
}
