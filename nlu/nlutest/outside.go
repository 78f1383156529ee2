// Package nlutest reads what understanding is measured with: cases by others, which are not part of
// this repository. Only tests import it.
package nlutest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"
)

// maxLine is how many bytes a case may have.
const maxLine = 1 << 20

// ReadCases reads a file of cases, one a line. Where the file is absent it skips the test, loudly.
func ReadCases[C any](t testing.TB, file string) []C {
	t.Helper()
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: the outside test data %s is not there", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var cases []C
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var c C
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}
