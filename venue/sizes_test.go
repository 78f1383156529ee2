package venue_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/fault"
)

// many is a list of so many items.
func many(n int, item string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, item, i)
	}
	return b.String()
}

// What is absurdly large is refused, and before it costs anything.
func TestAbsurdSizes(t *testing.T) {
	for name, test := range map[string]struct{ yaml, want string }{
		"two million corrections": {
			"corrections:\n" + many(2_000_000, "  a%d: b\n"),
			"is larger than 1 MiB",
		},
		"a long text": {
			"website: " + strings.Repeat("a", 2<<20) + "\n",
			"is larger than 1 MiB",
		},
		"corrections": {
			"corrections:\n" + many(3000, "  a%d: b\n"),
			"line 2: corrections: there are 3000; 2000 are the most",
		},
		"readings": {
			"reading:\n" + many(3000, "  a%d: ア\n"),
			"line 2: reading: there are 3000; 2000 are the most",
		},
		"parts": {
			"parts:\n" + many(3000, "  - {id: p%d}\n"),
			"parts: there are 3000; 2000 are the most",
		},
		"calendars": {
			"calendars:\n" + many(101, "  - {id: c%d, source: local}\n"),
			"calendars: there are 101",
		},
		"documents": {
			"knowledge:\n" + many(1001, "  - d%d.md\n"),
			"knowledge: there are 1001",
		},
	} {
		began := time.Now()
		_, err := parse(small + test.yaml)
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse of a venue with %s = %.300v, want ErrInvalid and only %q", name, err, test.want)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("Parse of a venue with %s took %v", name, took)
		}
	}
}
