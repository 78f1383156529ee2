package main

import (
	"io"
	"strings"
	"testing"
)

const (
	passing = `{"Action":"start","Package":"x/a"}
{"Action":"output","Package":"x/a","Output":"-test.shuffle 17\n"}
{"Action":"run","Package":"x/a","Test":"TestA"}
{"Action":"output","Package":"x/a","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"x/a","Test":"TestA","Output":"    a_test.go:3: a detail\n"}
{"Action":"output","Package":"x/a","Test":"TestA","Output":"--- PASS: TestA (0.00s)\n"}
{"Action":"pass","Package":"x/a","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"x/a","Output":"PASS\n"}
{"Action":"output","Package":"x/a","Output":"ok  \tx/a\t0.002s\n"}
{"Action":"pass","Package":"x/a","Elapsed":0.002}
`
	skipping = `{"Action":"output","Package":"x/s","Test":"TestS","Output":"=== RUN   TestS\n"}
{"Action":"output","Package":"x/s","Test":"TestS","Output":"    s_test.go:9: no browser:\n"}
{"Action":"output","Package":"x/s","Test":"TestS","Output":"        not found\n"}
{"Action":"output","Package":"x/s","Test":"TestS","Output":"--- SKIP: TestS (0.00s)\n"}
{"Action":"skip","Package":"x/s","Test":"TestS","Elapsed":0}
{"Action":"output","Package":"x/s","Output":"ok  \tx/s\t0.002s\n"}
{"Action":"pass","Package":"x/s","Elapsed":0.002}
`
	failing = `{"Action":"output","Package":"x/f","Output":"-test.shuffle 17\n"}
{"Action":"output","Package":"x/f","Test":"TestF","Output":"=== RUN   TestF\n"}
{"Action":"output","Package":"x/f","Test":"TestF","Output":"    f_test.go:3: F() = 1, want 2\n"}
{"Action":"output","Package":"x/f","Test":"TestF","Output":"--- FAIL: TestF (0.00s)\n"}
{"Action":"fail","Package":"x/f","Test":"TestF","Elapsed":0}
{"Action":"output","Package":"x/f","Output":"FAIL\tx/f\t0.002s\n"}
{"Action":"fail","Package":"x/f","Elapsed":0.002}
`
	stuck = `{"Action":"run","Package":"x/t","Test":"TestT"}
{"Action":"output","Package":"x/t","Test":"TestT","Output":"=== RUN   TestT\n"}
{"Action":"output","Package":"x/t","Test":"TestT","Output":"    waiting for nobody\n"}
{"Action":"output","Package":"x/t","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"x/t","Elapsed":9}
`
	unbuilt = `{"ImportPath":"x/u","Action":"build-output","Output":"u.go:1:1: undefined: y\n"}
{"ImportPath":"x/u","Action":"build-fail"}
{"Action":"output","Package":"x/u","Output":"FAIL\tx/u [build failed]\n"}
{"Action":"fail","Package":"x/u","Elapsed":0,"FailedBuild":"x/u"}
`
	empty = `{"Action":"output","Package":"x/e","Output":"?   \tx/e\t[no test files]\n"}
{"Action":"skip","Package":"x/e","Elapsed":0}
`
)

func TestSummary(t *testing.T) {
	for _, test := range []struct {
		name, in, want string
		forbidSkips    bool
		ok             bool
	}{
		{"a passing test says nothing", passing, "ok  \tx/a\t0.002s\n1 passed, 0 failed, 0 skipped\n", true, true},
		{"a package without tests says nothing", passing + empty, "ok  \tx/a\t0.002s\n1 passed, 0 failed, 0 skipped\n", true, true},
		{
			"a skipped test is named with its reason", passing + skipping,
			"ok  \tx/a\t0.002s\nok  \tx/s\t0.002s\nSKIPPED x/s TestS: s_test.go:9: no browser: not found\n1 passed, 0 failed, 1 skipped\n", false, true,
		},
		{
			"a skipped test is a failure where that is forbidden", passing + skipping,
			"ok  \tx/a\t0.002s\nok  \tx/s\t0.002s\nSKIPPED x/s TestS: s_test.go:9: no browser: not found\n" +
				"FAIL: tests were skipped, and ANNAI_TEST_NOSKIP=1 forbids that\n1 passed, 0 failed, 1 skipped\n", true, false,
		},
		{
			"a failed test says all, and its seed", failing,
			"    f_test.go:3: F() = 1, want 2\n--- FAIL: TestF (0.00s)\n-test.shuffle 17\nFAIL\tx/f\t0.002s\n0 passed, 1 failed, 0 skipped\n", false, false,
		},
		{
			"a test that never ended says what it had", passing + stuck,
			"ok  \tx/a\t0.002s\n    waiting for nobody\npanic: test timed out\n1 passed, 1 failed, 0 skipped\n", false, false,
		},
		{
			"a build that failed is one failure", passing + unbuilt,
			"ok  \tx/a\t0.002s\nu.go:1:1: undefined: y\nFAIL\tx/u [build failed]\n1 passed, 1 failed, 0 skipped\n", false, false,
		},
		{
			"the slowest tests are named", strings.ReplaceAll(passing, `"TestA","Elapsed":0`, `"TestA","Elapsed":12.34`),
			"ok  \tx/a\t0.002s\n  12.3 s x/a TestA\n1 passed, 0 failed, 0 skipped\n", false, true,
		},
		{"no test at all is a failure", empty, "FAIL: no test ran\n0 passed, 0 failed, 0 skipped\n", false, false},
		{"what is no event is passed on", passing + "go: no such tool", "ok  \tx/a\t0.002s\ngo: no such tool1 passed, 0 failed, 0 skipped\n", false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			s, err := summarize(&out, strings.NewReader(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if ok := s.finish(&out, test.forbidSkips); ok != test.ok {
				t.Errorf("finish(forbid skips %t) = %t, want %t", test.forbidSkips, ok, test.ok)
			}
			if out.String() != test.want {
				t.Errorf("printed\n%s\nwant\n%s", out.String(), test.want)
			}
		})
	}
}

func TestSeveralOutputs(t *testing.T) {
	// Line by line the two tell about packages of the same name: what one says is not taken for what the other said.
	a, b := newLines(failing), newLines(strings.ReplaceAll(strings.ReplaceAll(passing, "x/a", "x/f"), "TestA", "TestF"))
	var out strings.Builder
	s, err := summarize(&out, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if s.finish(&out, false) {
		t.Error("finish = true, want false: a test of one output failed")
	}
	for _, want := range []string{"    f_test.go:3: F() = 1, want 2\n--- FAIL: TestF (0.00s)\n", "ok  \tx/f\t0.002s\n", "1 passed, 1 failed, 0 skipped\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("printed\n%s\nwithout\n%s", out.String(), want)
		}
	}
}

// newLines gives the lines of text one by one.
func newLines(text string) io.Reader {
	var readers []io.Reader
	for line := range strings.Lines(text) {
		readers = append(readers, strings.NewReader(line))
	}
	return io.MultiReader(readers...)
}
