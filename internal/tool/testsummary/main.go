// Testsummary reads what go test -json writes and prints what a person wants of it: a line per package, all that a failed test said, and
// every skipped test with its reason, which go test keeps to itself.
//
// Usage: testsummary FILE...
//
// Each file, or pipe, has the output of one go test; several are read at once. It exits with 1 if a test or a build failed,
// if no test ran, or if one was skipped while ANNAI_TEST_NOSKIP=1 forbids that.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	var outputs []io.Reader
	for _, name := range os.Args[1:] {
		f, err := os.Open(name)
		if err != nil {
			fail(err)
		}
		outputs = append(outputs, f)
	}
	s, err := summarize(os.Stdout, outputs...)
	if err != nil {
		fail(err)
	}
	if !s.finish(os.Stdout, os.Getenv("ANNAI_TEST_NOSKIP") == "1") {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "testsummary:", err)
	os.Exit(1)
}
