package datetime_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/nlu/datetime"
)

func TestWords(t *testing.T) {
	want := []datetime.Word{
		{Text: "来週", Start: 0, End: 6, Class: "period"},
		{Text: "の", Start: 6, End: 9, Class: "of"},
		{Text: "火曜", Start: 9, End: 15, Class: "weekday"},
		{Text: "3", Start: 15, End: 16, Class: "number"},
		{Text: "時", Start: 16, End: 19, Class: "unit"},
		{Text: "に", Start: 19, End: 22, Class: "word"},
	}
	if diff := cmp.Diff(want, datetime.Words("来週の火曜3時に")); diff != "" {
		t.Errorf("Words(来週の火曜3時に) (-want +got):\n%s", diff)
	}
}

func TestExplain(t *testing.T) {
	ref := at(t, "Asia/Tokyo", "2025-01-15T10:00")
	for text, want := range map[string]string{
		"来週の火曜3時に":                  "来週の火曜3時: week, weekday, clock",
		"between 2 and 4 on Friday": "between 2 and 4 on Friday: weekday, clock, other end",
		"毎週水曜と3月の第2火曜":              "毎週水曜: weekday, recurs | 3月の第2火曜: month, which one of the month, weekday",
		"two hours from now":        "two hours from now: instant",
		"nothing":                   "",
	} {
		var got []string
		for _, e := range datetime.Explain(text, ref) {
			got = append(got, e.Text+": "+strings.Join(e.Named, ", "))
		}
		if diff := cmp.Diff(want, strings.Join(got, " | ")); diff != "" {
			t.Errorf("Explain(%q) (-want +got):\n%s", text, diff)
		}
	}
	for _, c := range forms {
		parsed := datetime.Parse(c.text, ref)
		for i, e := range datetime.Explain(c.text, ref) {
			if i >= len(parsed) || e.Text != parsed[i].Text || len(e.Named) == 0 {
				t.Errorf("Explain(%q)[%d] = %q, %q, want what Parse finds, and what it names",
					c.text, i, e.Text, e.Named)
			}
		}
	}
}
