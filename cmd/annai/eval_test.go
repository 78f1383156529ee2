package main

import (
	"testing"

	"annai/evals"
)

// TestCases asks the concierge, put together as it is sold, all cases in the binary.
func TestCases(t *testing.T) {
	cases, err := evals.Load(evals.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	var e evaluator
	for _, r := range evals.Run(t.Context(), cases, e.asker, evals.Options{}).Results {
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
