package nlu_test

import (
	"testing"

	"annai/nlu"
)

func TestRepeat(t *testing.T) {
	r := demo()
	for text, want := range map[string]bool{
		"もう一回言って":                         true,
		"もう一度お願いします":                      true,
		"すみません、もう一度お願いできますか":              true,
		"もう一回":                            true,
		"もっかい言って":                         true,
		"聞こえなかった":                         true,
		"よく聞き取れませんでした":                    true,
		"何て言った？":                          true,
		"なんて言いましたか":                       true,
		"さっきのをもう一回教えて":                    true,
		"え？":                              true,
		"say that again":                  true,
		"could you say it again please":   true,
		"pardon?":                         true,
		"repeat please":                   true,
		"can you repeat that":             true,
		"come again?":                     true,
		"sorry, what?":                    true,
		"I didn't catch that":             true,
		"what did you say":                true,
		"one more time please":            true,
		"今週のイベントをもう一度教えて":                 false,
		"もう一度営業時間を教えて":                    false,
		"やっぱり今週をもう一回":                     false,
		"please repeat the opening hours": false,
		"repeat every Monday":             false,
		"say hello":                       false,
		"sorry":                           false,
		"excuse me":                       false,
		"何ですか":                            false,
		"他には？":                            false,
	} {
		u := r.Understand(text, now(t))
		if u.Reference.Repeat != want || want && (u.Intent != "unclear" || u.Topic != "") {
			t.Errorf("Understand(%q) = %s %q, repeat %v, want repeat %v", text, u.Intent, u.Topic, u.Reference.Repeat,
				want)
		}
	}
}

func TestSpeak(t *testing.T) {
	r := demo()
	for want, texts := range map[nlu.Language][]string{
		nlu.English: {
			"in English please", "In English, please.", "English please", "switch to english",
			"Say it again in English", "英語でお願いします", "英語でもう一度", "英語で",
		},
		nlu.Japanese: {
			"Can you speak Japanese?", "please  answer in Japanese", "すみません、日本語で話してください。",
			"日本語に切り替えて",
		},
		"": {
			"Does the staff speak English?", "スタッフは英語が話せますか", "英語は通じますか",
			"Is there an English class this week?",
			"英語の勉強会はある？", "English menu", "日本語", "",
		},
	} {
		for _, text := range texts {
			if got := r.Understand(text, now(t)).Speak; got != want {
				t.Errorf("Understand(%q).Speak = %q, want %q", text, got, want)
			}
		}
	}
}

func TestThatDay(t *testing.T) {
	r := demo()
	for text, want := range map[string]bool{
		"その日は開いてますか":               true,
		"その日開いてますか":                true,
		"その日なにかイベント":               true,
		"当日は予約が必要ですか":              true,
		"同じ日に何かありますか":              true,
		"その日の15時は":                 true,
		"anything else that day?":  true,
		"are you open on that day": true,
		"what's on the same day":   true,
		"and on then?":             true,
		"来週の月曜日の当日":                false,
		"明日のその日は":                  false,
		"その日曜は":                    false,
		"その日本語の会":                  false,
		"来週の同じ曜日":                  false,
		"then what":                false,
		"今日は開いてますか":                false,
	} {
		if u := r.Understand(text, now(t)); u.Reference.ThatDay != want {
			t.Errorf("Understand(%q).Reference = %+v, times %+v, want that day %v", text, u.Reference, u.Times, want)
		}
	}
	u := r.Understand("その日は？", now(t))
	if !u.Reference.Elliptic || !u.Reference.ThatDay || u.Reference.That {
		t.Errorf("Understand(その日は？).Reference = %+v, want an ellipsis about that day and no thing", u.Reference)
	}
}
