package datetime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/nlu/datetime"
)

func TestResult(t *testing.T) {
	ref := at(t, "Asia/Tokyo", "2025-01-15T10:00")
	for text, want := range map[string]datetime.Result{
		"来週の月曜": {Kind: "date", Start: "2025-01-20"},
		"2月3日": {Kind: "date", Start: "2025-02-03", Assumed: true, Alternatives: []datetime.Reading{
			{Kind: "date", Start: "2024-02-03"},
		}},
		"来週": {Kind: "daterange", Start: "2025-01-20", End: "2025-01-27"},
		"明日の3時": {
			Kind: "datetime", Start: "2025-01-16T15:00:00", Assumed: true,
			Alternatives: []datetime.Reading{{Kind: "datetime", Start: "2025-01-16T03:00:00"}},
		},
		"15時": {Kind: "datetime", Start: "2025-01-15T15:00:00", NoDay: true},
		"9時": {Kind: "datetime", Start: "2025-01-16T09:00:00", NoDay: true, Alternatives: []datetime.Reading{
			{Kind: "datetime", Start: "2025-01-16T21:00:00"},
		}},
		"明日の14時から16時": {Kind: "datetimerange", Start: "2025-01-16T14:00:00", End: "2025-01-16T16:00:00"},
		"金曜まで":        {Kind: "daterange", End: "2025-01-18"},
		"来週以降":        {Kind: "daterange", Start: "2025-01-20"},
		"after 3pm":   {Kind: "timerange", Start: "15:00:00", NoDay: true},
		"Friday after 3pm": {
			Kind: "datetimerange", Start: "2025-01-17T15:00:00",
		},
		"90分":             {Kind: "duration", Seconds: 5400},
		"every Wednesday": {Kind: "set"},
		"3/4/2025": {
			Kind: "date", Start: "2025-03-04", Assumed: true,
			Alternatives: []datetime.Reading{{Kind: "date", Start: "2025-04-03"}},
		},
	} {
		want.Text, want.Length = text, len(text)
		got := datetime.Parse(text, ref)
		if len(got) != 1 {
			t.Fatalf("Parse(%q) = %v, want one expression", text, got)
		}
		r, ok := got[0].Result()
		if diff := cmp.Diff(want, r); diff != "" || !ok {
			t.Errorf("Parse(%q).Result(), %v (-want +got):\n%s", text, ok, diff)
		}
	}
}

// What does not exist has no plain value.
func TestResultOfNothing(t *testing.T) {
	got := datetime.Parse("2月30日", at(t, "Asia/Tokyo", "2025-01-15T10:00"))
	if len(got) != 1 {
		t.Fatalf("Parse(2月30日) = %v, want one expression", got)
	}
	if r, ok := got[0].Result(); ok {
		t.Errorf("Parse(2月30日).Result() = %+v, want none", r)
	}
}
