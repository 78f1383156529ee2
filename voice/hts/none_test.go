//go:build novoice

package hts

import (
	"errors"
	"testing"

	"annai/fault"
)

func TestNone(t *testing.T) {
	if _, err := Mei(); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Mei = %v, want ErrUnavailable", err)
	}
}
