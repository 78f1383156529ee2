package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action  string
	Package string
	Test    string // empty: about the package
	Output  string
	Elapsed float64 // of what passed or failed, in seconds
}

// summary counts tests, subtests included, and remembers what they said until it is clear whether anybody needs it.
type summary struct {
	passed, failed int
	skipped        []string // "package test: reason"
	said           map[key]*strings.Builder
	failing        map[key]bool // packages with a failed test
	slow           []event      // tests that took slowTest and more
}

// slowTest is from how many seconds on a test is named in the end: all of them together have 15 minutes.
const slowTest = 10

// key names a test, or a package where test is empty, in one of several outputs: a package may be in two of them.
type key struct {
	output    int
	pkg, test string
}

// summarize copies what matters from several outputs of go test -json, which it reads at once, to w.
func summarize(w io.Writer, outputs ...io.Reader) (*summary, error) {
	s := &summary{said: map[key]*strings.Builder{}, failing: map[key]bool{}}
	var mu sync.Mutex
	errs := make([]error, len(outputs))
	var group sync.WaitGroup
	for i, r := range outputs {
		group.Go(func() {
			errs[i] = eachLine(r, func(line string) {
				mu.Lock()
				defer mu.Unlock()
				s.line(i, line, w)
			})
		})
	}
	group.Wait()
	return s, errors.Join(errs...)
}

// eachLine calls do with each line of r, of any length.
func eachLine(r io.Reader, do func(line string)) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		do(line)
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read test output: %w", err)
		}
	}
}

func (s *summary) line(output int, line string, w io.Writer) {
	var e event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		fmt.Fprint(w, line) // go itself speaks plainly when it can't start
		return
	}
	k := key{output, e.Package, e.Test}
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
			s.testEnd(k, e, said, w)
		} else {
			s.packageEnd(k, e, said, w)
		}
	}
}

func (s *summary) testEnd(k key, e event, said string, w io.Writer) {
	if e.Elapsed >= slowTest && !strings.Contains(e.Test, "/") {
		s.slow = append(s.slow, e)
	}
	switch e.Action {
	case "pass":
		s.passed++
	case "fail":
		s.failed++
		s.failing[key{k.output, k.pkg, ""}] = true
		fmt.Fprint(w, strip(said, "=== "))
	case "skip":
		s.skipped = append(s.skipped, e.Package+" "+e.Test+": "+reason(said))
	}
}

// packageEnd prints the package's line. A package that failed prints all it said, and what its unfinished tests said: a panic or a
// time-out ends a package without ending its tests. A package that failed without a failed test counts as one.
func (s *summary) packageEnd(of key, e event, said string, w io.Writer) {
	switch e.Action {
	case "pass":
		for line := range strings.Lines(said) {
			if strings.HasPrefix(line, "ok ") {
				fmt.Fprint(w, line)
			}
		}
	case "fail":
		for k, b := range s.said {
			if k.output == of.output && k.pkg == of.pkg {
				fmt.Fprint(w, strip(b.String(), "=== "))
				delete(s.said, k)
			}
		}
		if !s.failing[of] {
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

// finish prints what was slow, what was skipped and how many tests there were, and reports whether all is well.
func (s *summary) finish(w io.Writer, forbidSkips bool) bool {
	slices.SortStableFunc(s.slow, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	for _, e := range s.slow {
		fmt.Fprintf(w, "%6.1f s %s %s\n", e.Elapsed, e.Package, e.Test)
	}
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
