package h264

import (
	"fmt"
	"strings"
	"testing"
)

// TestCodeWordsAreApart says that no code word begins another of its table, and that a table has
// no room left but for the words of zeros that the standard keeps free.
func TestCodeWordsAreApart(t *testing.T) {
	tables := map[string][][]codeWord{}
	for column, table := range coeffToken {
		var all []codeWord
		for _, row := range table {
			all = append(all, row...)
		}
		tables[fmt.Sprint("coeff_token ", column)] = [][]codeWord{all}
	}
	tables["total_zeros"], tables["total_zeros of chroma DC"] = totalZeros, totalZerosChromaDC
	tables["run_before"] = runBefore
	for name, table := range tables {
		for i, row := range table {
			var written []string
			room := 1.0
			for _, word := range row {
				written = append(written, fmt.Sprintf("%0*b", word.size, word.bits))
				room -= 1 / float64(int(1)<<word.size)
			}
			for a, word := range written {
				for b, other := range written {
					if a != b && strings.HasPrefix(other, word) {
						t.Errorf("%s, row %d: %s begins %s", name, i, word, other)
					}
				}
			}
			if room < 0 || room > 0.002 {
				t.Errorf("%s, row %d: a share of %g is left", name, i, room)
			}
		}
	}
}

func TestPatternsAreApart(t *testing.T) {
	seen := map[int]bool{}
	for _, code := range codedPatternInter {
		seen[code] = true
	}
	if len(seen) != len(codedPatternInter) {
		t.Errorf("codedPatternInter has %d different numbers, want %d", len(seen), len(codedPatternInter))
	}
}
