package nodes_test

import (
	"os"
	"testing"
	"time"
)

// TestMain runs everything as on a server that stands far from the venue: nothing may depend on the server's zone.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("Kiritimati", 14*60*60)
	os.Exit(m.Run())
}
