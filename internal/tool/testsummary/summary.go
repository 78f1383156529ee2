package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action  string
	Package string
	Test    string // empty: about the package
	Output  string
}

// summary counts tests, subtests included, and remembers what they said until it is clear whether anybody needs it.
type summary struct {
	passed, failed int
	skipped        []string // "package test: reason"
	said           map[key]*strings.Builder
	failing        map[string]bool // packages with a failed test
}

// key names a test, or a package where test is empty.
type key struct{ pkg, test string }

// summarize copies what matters from r, the output of go test -json, to w.
func summarize(r io.Reader, w io.Writer) (*summary, error) {
	s := &summary{said: map[key]*strings.Builder{}, failing: map[string]bool{}}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		s.line(line, w)
		if errors.Is(err, io.EOF) {
			return s, nil
		} else if err != nil {
			return nil, fmt.Errorf("read test output: %w", err)
		}
	}
}

func (s *summary) line(line string, w io.Writer) {
	var e event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		fmt.Fprint(w, line) // go itself speaks plainly when it can't start
		return
	}
	k := key{e.Package, e.Test}
	switch e.Action {
	case "output":
		if s.said[k] == nil {
			s.said[k] = &strings.Builder{}
		}
		s.said[k].WriteString(e.Output)
	case "build-output":
		fmt.Fprint(w, e.Output)
	case "pass", "fail", "skip":
		said := ""
		if b := s.said[k]; b != nil {
			said = b.String()
		}
		delete(s.said, k)
		if e.Test != "" {
			s.testEnd(e, said, w)
		} else {
			s.packageEnd(e, said, w)
		}
	}
}

func (s *summary) testEnd(e event, said string, w io.Writer) {
	switch e.Action {
	case "pass":
		s.passed++
	case "fail":
		s.failed++
		s.failing[e.Package] = true
		fmt.Fprint(w, strip(said, "=== "))
	case "skip":
		s.skipped = append(s.skipped, e.Package+" "+e.Test+": "+reason(said))
	}
}

// packageEnd prints the package's line. A package that failed prints all it said, and what its unfinished tests said: a panic or a
// time-out ends a package without ending its tests. A package that failed without a failed test counts as one.
func (s *summary) packageEnd(e event, said string, w io.Writer) {
	switch e.Action {
	case "pass":
		for line := range strings.Lines(said) {
			if strings.HasPrefix(line, "ok ") {
				fmt.Fprint(w, line)
			}
		}
	case "fail":
		for k, b := range s.said {
			if k.pkg == e.Package {
				fmt.Fprint(w, strip(b.String(), "=== "))
				delete(s.said, k)
			}
		}
		if !s.failing[e.Package] {
			s.failed++
		}
		fmt.Fprint(w, said)
	}
}

// strip returns text without the lines that start with prefix.
func strip(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, prefix) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// reason returns what a skipped test said, on one line.
func reason(said string) string {
	var parts []string
	for line := range strings.Lines(strip(said, "=== ")) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "--- SKIP") {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
}

// finish prints what was skipped and how many tests there were, and reports whether all is well.
func (s *summary) finish(w io.Writer, forbidSkips bool) bool {
	for _, skipped := range s.skipped {
		fmt.Fprintln(w, "SKIPPED", skipped)
	}
	ok := s.failed == 0
	if forbidSkips && len(s.skipped) > 0 {
		fmt.Fprintln(w, "FAIL: tests were skipped, and ANNAI_TEST_NOSKIP=1 forbids that")
		ok = false
	}
	if s.passed+s.failed == 0 {
		fmt.Fprintln(w, "FAIL: no test ran")
		ok = false
	}
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", s.passed, s.failed, len(s.skipped))
	return ok
}
