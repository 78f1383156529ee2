package jtalk

import (
	"strings"
	"testing"
)

func TestUnpackNothing(t *testing.T) {
	if _, err := unpack(nil); err == nil || !strings.Contains(err.Error(), "novoice") {
		t.Errorf("unpack(nil) = %v, want an error that names the build tag novoice", err)
	}
}

func TestUnpackBroken(t *testing.T) {
	for _, size := range []int{1, 100, 10_000, 1_000_000, len(packedDictionary) - 1} {
		if _, err := unpack(packedDictionary[:size]); err == nil {
			t.Errorf("unpack of %d bytes of %d has no error", size, len(packedDictionary))
		}
	}
}
