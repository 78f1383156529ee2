package nlu_test

import (
	"testing"
	"time"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
)

// TestEntries says what is meant by those who speak to their own calendar, wherever they are.
func TestEntries(t *testing.T) {
	r := nlu.New(nlu.Options{Anywhere: true})
	for _, c := range []struct {
		text      string
		intent    nlu.Intent
		operation slots.Operation // of a calendar command
		title     string
	}{
		{"歯医者はいつ？", nlu.Calendar, slots.Query, "歯医者"},
		{"歯医者さんはいつ", nlu.Calendar, slots.Query, "歯医者さん"},
		{"お医者さんの予約はいつ？", nlu.Calendar, slots.Query, "お医者さんの予約"},
		{"医者を呼んで", nlu.Safety, "", ""},
		{"お医者さんを呼んでください", nlu.Safety, "", ""},
		{"お医者さんはいますか", nlu.Safety, "", ""},
		{"はい、削除してください", nlu.Calendar, slots.Delete, ""},
		{"ヨガの時間を教えて", nlu.Calendar, slots.Query, "ヨガ"},
		{"ランチの時間は？", nlu.Calendar, slots.Query, "ランチ"},
		{"英会話の開始時間を教えて", nlu.Calendar, slots.Query, ""},
		{"東京の時間を教えて", nlu.DateCalc, "", ""},
		{"時間を教えて", nlu.DateCalc, "", ""},
		{"Change dinner to 8", nlu.Calendar, slots.Update, "dinner"},
		{"move my dentist appointment to 4, please", nlu.Calendar, slots.Update, "dentist appointment"},
		{"Move it to 9 please", nlu.Calendar, slots.Update, ""},
		{"change the volume to 8", nlu.OutOfScope, "", ""},
		{"extend it by an hour", nlu.Calendar, slots.Update, ""},
		{"Delete 定例会議", nlu.Calendar, slots.Delete, "定例会議"},
		{"Cancel 英会話", nlu.Calendar, slots.Delete, "英会話"},
		{"いつなら空いてる？", nlu.Calendar, slots.Query, ""},
		{"When am I free?", nlu.Calendar, slots.Query, ""},
		{"英会話は休みにして", nlu.Calendar, slots.Delete, "英会話"},
		{"終日休みを入れて", nlu.Calendar, slots.Create, "休み"},
		{"明日は休みにして", nlu.Calendar, slots.Create, "休み"},
		{"今日は休みですか", nlu.Info, "", ""},
		{"when's my flight to Osaka", nlu.Calendar, slots.Query, ""},
		{"when is our trip to Kyoto?", nlu.Calendar, slots.Query, "trip to Kyoto"},
		{"when is my electricity due date", nlu.Info, "", ""},
		{"vacation from August 1 to August 10", nlu.Calendar, slots.Create, "vacation"},
		{"flight friday at 9am", nlu.Calendar, slots.Create, "flight"},
		{"weather report tomorrow", nlu.OutOfScope, "", ""},
		{"明日の夜8時から飲み会", nlu.Calendar, slots.Create, "飲み会"},
		{"明日の19時から新宿で忘年会", nlu.Calendar, slots.Create, "忘年会"},
	} {
		u := r.Understand(c.text, now(t))
		if u.Intent != c.intent || u.Command.Operation != c.operation || u.Command.Title.Text != c.title {
			t.Errorf("Understand(%q) = %s (%s), %s %q, want %s, %s %q", c.text, u.Intent, u.Reason,
				u.Command.Operation, u.Command.Title.Text, c.intent, c.operation, c.title)
		}
	}
}

// An hour to which an entry is changed is a time, and a length that is all that is said is a length.
func TestEntryTimes(t *testing.T) {
	r := nlu.New(nlu.Options{Anywhere: true})
	u := r.Understand("Change dinner to 8", now(t))
	if times := u.Command.Change.Times; len(times) != 1 || times[0].Text != "8" ||
		u.Text[times[0].Start:times[0].End] != "8" {
		t.Errorf("Understand(Change dinner to 8).Command.Change.Times = %+v, want eight o'clock", times)
	}
	for text, want := range map[string]time.Duration{
		"30分で": 30 * time.Minute, "1時間で。": time.Hour,
		"30分にして": 30 * time.Minute, "30分で戻ります": 0,
	} {
		u := r.Understand(text, now(t))
		isLength := len(u.Times) == 1 && u.Times[0].Kind == datetime.KindDuration
		if isLength != (want > 0) || isLength && u.Times[0].Seconds != int64(want.Seconds()) {
			t.Errorf("Understand(%q).Times = %+v, want a length of %v, or a time for 0", text, u.Times, want)
		}
	}
}

// N-grams alone do not make an answer.
func TestAnswersAreSaid(t *testing.T) {
	for _, r := range []*nlu.Reader{demo(), nlu.New(nlu.Options{Anywhere: true})} {
		for _, text := range []string{
			"それで大丈夫だと思います", "そんな感じかな", "that works for me", "そっちじゃないほう", "let us leave it",
			"出張、終日で",
		} {
			if u := r.Understand(text, now(t)); u.Intent == nlu.Affirm || u.Intent == nlu.Deny {
				t.Errorf("Understand(%q) = %s (%s), want no answer", text, u.Intent, u.Reason)
			}
		}
	}
}
