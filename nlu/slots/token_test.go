package slots_test

import (
	"testing"
	"time"

	"annai/nlu/datetime"
	"annai/nlu/slots"
)

// The word that says that the whole of a time is meant is no part of a title.
func TestWholeOfATime(t *testing.T) {
	at := time.Date(2025, time.January, 15, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{"来週中に会議を入れて": "来週中", "今月中に歯医者を入れて": "今月中", "会議を3日以内に入れて": "3日以内に", "明日の午前中に会議を入れて": "明日の午前中"} {
		c := slots.Extract(text, slots.Japanese, datetime.Parse(text, at))
		if c.Operation != slots.Create || len(c.Times) != 1 || c.Times[0].Text != want || c.Title.Text != "会議" && c.Title.Text != "歯医者" {
			t.Errorf("Extract(%q) = %s %q at %+v, want an entry created at %q", text, c.Operation, c.Title.Text, c.Times, want)
		}
	}
}
