package hibari

import (
	"sync"
	"testing"
)

var loaded = sync.OnceValues(New)

// voice is the same for all tests.
func voice(t testing.TB) *Voice {
	t.Helper()
	v, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return v
}
