package nlu_test

import (
	"testing"

	"annai/nlu"
)

// Who only says which time was meant writes nothing, wherever he is, and the time that was not meant is gone.
func TestCorrections(t *testing.T) {
	for _, r := range []*nlu.Reader{demo(), nlu.New(nlu.Options{Anywhere: true})} {
		for text, want := range map[string]string{
			"日曜じゃなくて土曜日のこと":               "土曜日",
			"日曜ではなく土曜です":                  "土曜",
			"来週じゃなくて再来週":                  "再来週",
			"明日じゃないよ、明後日":                 "明後日",
			"3時じゃなくて4時":                   "4時",
			"いや、15時":                      "15時",
			"ちがう、来週":                      "来週",
			"違います、土曜日です":                  "土曜日",
			"やっぱり今週":                      "今週",
			"やっぱり今週をもう一回":                 "今週",
			"土曜のこと":                       "土曜",
			"土曜って言ったんだけど":                 "土曜",
			"no, I meant Saturday":        "Saturday",
			"not Sunday, Saturday":        "Saturday",
			"Saturday, not Sunday":        "Saturday",
			"sorry, I mean next week":     "next week",
			"I said Saturday":             "Saturday",
			"I was asking about tomorrow": "tomorrow",
			"actually Friday":             "Friday",
		} {
			u := r.Understand(text, now(t))
			if len(u.Times) != 1 || u.Times[0].Text != want || !u.Reference.Elliptic || u.Write || u.Topic != "" {
				t.Errorf("Understand(%q) = %s (%s), write %v, topic %q, %+v, times %+v, want an ellipsis with %q that writes nothing",
					text, u.Intent, u.Reason, u.Write, u.Topic, u.Reference, u.Times, want)
			}
		}
	}
}

// A time that is taken back is gone also where more is said, but not from an order to change it.
func TestTakenBack(t *testing.T) {
	for text, want := range map[string]int{
		"日曜じゃなくて土曜日のイベント":                   1,
		"土曜、いや日曜のイベントは":                     1,
		"events on Saturday, I mean Sunday": 1,
		"土曜と日曜のイベント":                        1,
		"会議を明日じゃなくて明後日にして":                  2,
		"not tomorrow": 1,
	} {
		u := demo().Understand(text, now(t))
		if len(u.Times) != want {
			t.Errorf("Understand(%q).Times = %+v, want %d", text, u.Times, want)
		}
	}
	for _, text := range []string{"15時に変更して", "会議を明日じゃなくて明後日にして"} {
		if u := demo().Understand(text, now(t)); u.Intent != nlu.Calendar || !u.Write || u.Reference.Elliptic {
			t.Errorf("Understand(%q) = %s (%s), write %v, want an order to the calendar", text, u.Intent, u.Reason,
				u.Write)
		}
	}
}

// A room of the venue is nobody's calendar, unless it is said to be.
func TestRooms(t *testing.T) {
	for text, want := range map[string]nlu.Intent{
		"明日の14時から会議室空いてますか":                       nlu.Info,
		"ミーティングスペースは土曜の午後空いてる？":                   nlu.Info,
		"is the meeting room free at 3":           nlu.Info,
		"明日15時に会議室を予約したい":                         nlu.Info,
		"is there a room available tomorrow at 2": nlu.Info,
		"金曜の午後空いてる？":                              nlu.Calendar,
		"am I free on Friday afternoon?":          nlu.Calendar,
	} {
		u := demo().Understand(text, now(t))
		if u.Intent != want || u.Write || u.Reference.Field != nlu.FieldNone {
			t.Errorf("Understand(%q) = %s (%s), write %v, %q?, want %s", text, u.Intent, u.Reason, u.Write,
				u.Reference.Field, want)
		}
	}
}
