package evals_test

import (
	"testing"

	"annai/evals"
)

// TestEnoughCases holds the number of cases, and that neither language is a poor relation.
func TestEnoughCases(t *testing.T) {
	cases, err := evals.Load(evals.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	var ja, en int
	for _, c := range cases {
		if isASCII(c.Turns[0].Say) {
			en++
		} else {
			ja++
		}
	}
	if ja+en < 140 || ja < 2*(ja+en)/5 || en < 2*(ja+en)/5 {
		t.Errorf("%d cases in Japanese and %d in English, want 140 together and at least two in five of each", ja, en)
	}
}

func isASCII(s string) bool {
	for _, r := range s {
		if r > 0x7F && r != '’' {
			return false
		}
	}
	return true
}
