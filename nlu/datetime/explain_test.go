package datetime_test

import (
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
