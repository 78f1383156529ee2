package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestWrite makes the bill of this test's own program.
func TestWrite(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	for _, w := range []*bytes.Buffer{&first, &second} {
		if err := write(w, program, "v1.2.3"); err != nil {
			t.Fatal(err)
		}
	}
	var b bill
	if err := json.Unmarshal(first.Bytes(), &b); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("the bill is %s, %v, want the same twice", first.String(), err)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Version != "v1.2.3" || len(b.Components) == 0 ||
		!strings.HasPrefix(b.Components[0].PURL, "pkg:golang/std@1.") {
		t.Errorf("the bill is %+v", b)
	}
	if err := write(&first, "main.go", ""); err == nil {
		t.Error("a bill of what is no program is made")
	}
}
