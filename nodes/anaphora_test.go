package nodes

import (
	"testing"
	"time"

	"annai/nodes/display"
)

// TestWithDays puts days in place of words that hang on an event on Sunday, 21 June 2026.
func TestWithDays(t *testing.T) {
	t.Parallel()
	japan := time.FixedZone("", 9*60*60)
	at := time.Date(2026, time.June, 21, 13, 0, 0, 0, japan)
	event := display.Entry{Title: "ドローン体験会", Start: at, End: at.Add(2 * time.Hour)}
	told := topic{Node: nodeEvent, Items: []display.Entry{event}, Focus: 1}
	for _, c := range []struct{ said, want string }{
		{"ほなその前の日はなんかやってます？", "ほな2026年6月20日はなんかやってます？"},
		{"翌日は？", "2026年6月22日は？"},
		{"その日は開いてる？", "2026年6月21日は開いてる？"},
		{"その日の夜は？", "2026年6月21日の夜は？"},
		{"翌週も同じ？", "2026年6月22日から2026年6月28日も同じ？"},
		{"anything on that evening?", "anything on June 21, 2026 in the evening?"},
		{"what about a week later", "what about June 28, 2026"},
		{"その1週間後は？", "2026年6月28日は？"},
		{"and the day after?", "and June 22, 2026?"},
		{"The week after, same place?", "from June 22, 2026 to June 28, 2026, same place?"},
		// These do not hang on it.
		{"the day after tomorrow?", "the day after tomorrow?"},
		{"前日までに予約がいる？", "前日までに予約がいる？"},
		{"次の日程は？", "次の日程は？"},
		{"いくらですか", "いくらですか"},
	} {
		if got := withDays(c.said, told, at); got != c.want {
			t.Errorf("withDays(%q) = %q, want %q", c.said, got, c.want)
		}
	}
	august := told
	august.Items = []display.Entry{{Title: "夏まつり", Start: at.AddDate(0, 2, 0), End: at.AddDate(0, 2, 0).Add(time.Hour)}}
	for said, want := range map[string]string{
		"and the 17th?": "and the August 17, 2026?", "17日は？": "2026年8月17日は？", "7月17日は？": "7月17日は？",
	} {
		if got := withDays(said, august, at); got != want {
			t.Errorf("withDays(%q) after a day in August = %q, want %q", said, got, want)
		}
	}
	if got := withDays("翌日は？", topic{}, at); got != "翌日は？" {
		t.Errorf("withDays of a talk about no day = %q", got)
	}
}
