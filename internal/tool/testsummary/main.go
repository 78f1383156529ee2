// Testsummary reads what go test -json writes and prints what a person wants of it: a line per package, all that a failed test said, and
// every skipped test with its reason, which go test keeps to itself.
//
// Usage: go test -json ./... | testsummary
//
// It exits with 1 if a test or a build failed, if no test ran, or if one was skipped while ANNAI_TEST_NOSKIP=1 forbids that.
package main

import (
	"fmt"
	"os"
)

func main() {
	s, err := summarize(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsummary:", err)
		os.Exit(1)
	}
	if !s.finish(os.Stdout, os.Getenv("ANNAI_TEST_NOSKIP") == "1") {
		os.Exit(1)
	}
}
