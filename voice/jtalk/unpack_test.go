package jtalk

import (
	"errors"
	"strings"
	"testing"

	"annai/fault"
)

func TestUnpackNothing(t *testing.T) {
	_, err := unpack(nil)
	if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), "novoice") {
		t.Errorf("unpack(nil) = %v, want ErrUnavailable and the build tag novoice", err)
	}
}

func TestUnpackBroken(t *testing.T) {
	if len(packedDictionary) == 0 {
		return // built without it, which the test before looks at
	}
	for _, size := range []int{1, 100, 10_000, 1_000_000, len(packedDictionary) - 1} {
		if _, err := unpack(packedDictionary[:size]); err == nil {
			t.Errorf("unpack of %d bytes of %d has no error", size, len(packedDictionary))
		}
	}
}
