package main

import (
	"testing"
	"testing/synctest"

	"annai/evals"
)

// TestCases asks the concierge, put together as it is sold, all cases in the binary. What hangs is waited for in no time, and nothing else is ever late.
func TestCases(t *testing.T) {
	t.Parallel()
	cases, err := evals.Load(evals.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	var report evals.Report
	synctest.Test(t, func(t *testing.T) {
		var e evaluator
		report = evals.Run(t.Context(), cases, e.asker, evals.Options{})
		if err := e.demo.close(); err != nil {
			t.Error(err)
		}
	})
	for _, r := range report.Results {
		t.Run(r.Case.File+"/"+r.Case.Name, func(t *testing.T) {
			if !r.Passed() {
				t.Fatal("\n" + r.String())
			}
			t.Log("\n" + r.String())
		})
	}
}

func TestEvalOfAFolder(t *testing.T) {
	if code, _, errs := command(t, "", "eval", t.TempDir()+"/none"); code != exitFailed || errs == "" {
		t.Errorf("annai eval of no folder = %d, %q, want a failure that says so", code, errs)
	}
	if code, _, errs := command(t, "", "eval", "a", "b"); code != exitUsage || errs == "" {
		t.Errorf("annai eval a b = %d, %q, want a usage error", code, errs)
	}
}
