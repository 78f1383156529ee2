package nlu_test

import (
	"strings"
	"testing"

	"annai/nlu"
)

// Topics are the nouns that a title may have: no verb, no word of a question, nothing of where it was heard of.
func TestTopics(t *testing.T) {
	r := demo()
	for text, want := range map[string]string{
		"さっき看板で見たLT会って何時から":                                      "lt会",
		"昨日ポスターで見かけた勉強会について教えて":                                  "勉強会",
		"友達に聞いたハッカソンはいつ":                                         "ハッカソン",
		"初心者でも参加できる勉強会":                                          "初心者 勉強会",
		"子ども連れでも行けるイベント":                                         "子ども",
		"子どもを連れて行ってもいいイベントはありますか":                                "子ども",
		"もくもく会は何時に終わりますか":                                        "もくもく会",
		"もくもく会は何時に始まるの":                                          "もくもく会",
		"LT会は今週開かれますか":                                           "lt会",
		"中止になったイベントはありますか":                                       "",
		"ハッカソンは何時に終了しますか":                                        "ハッカソン",
		"女性が集まるイベント":                                             "女性",
		"Pythonを学べるイベント":                                         "python",
		"ロボットを作るワークショップ":                                         "ロボット ワークショップ",
		"お酒が飲めるイベント":                                             "お酒",
		"日本語の勉強会":                                                "日本語 勉強会",
		"大人向けのワークショップ":                                           "大人 ワークショップ",
		"小学生が参加できるイベント":                                          "小学生",
		"今月中にあるイベント":                                             "",
		"machine learning workshop":                              "machine learning workshop",
		"who is Engineer Cafe's founder":                         "founder",
		"財布落とした":                                                 "財布",
		"3年内にあるハッカソン":                                            "ハッカソン",
		"どこで待てばいいですか":                                            "待",
		"どこで開かれますか":                                              "",
		"what meetups next month":                                "meetup",
		"any classes for beginners":                              "class beginner",
		"When does Mokumoku Night finish?":                       "mokumoku night",
		"Do I have to give a talk at the Lightning Talks Night?": "talk lightning night",
		"the hackathon I saw on the poster":                      "hackathon",
		"Was the event on Saturday cancelled?":                   "",
		"is the meetup tomorrow still on?":                       "meetup",
		"I can't hear music at the hackathon":                    "music hackathon",
	} {
		if got := strings.Join(r.Understand(text, now(t)).Keywords, " "); got != want {
			t.Errorf("Understand(%q).Keywords = %q, want %q", text, got, want)
		}
	}
}

// The day on which somebody heard of an event is not the day of the event.
func TestHearingIsNoTime(t *testing.T) {
	for text, want := range map[string]int{
		"昨日ポスターで見た勉強会はいつ":     0,
		"昨日友達に聞いたんだけど明日のLT会は": 1,
		"昨日の勉強会": 1,
	} {
		if got := demo().Understand(text, now(t)).Times; len(got) != want {
			t.Errorf("Understand(%q).Times = %+v, want %d", text, got, want)
		}
	}
}

func TestStillOn(t *testing.T) {
	r := demo()
	for text, want := range map[string]bool{
		"中止になったイベントはありますか":                     true,
		"もくもく会は予定通りやりますか":                      true,
		"明日の勉強会は延期になったって本当？":                   true,
		"来週のイベントはキャンセルになりましたか":                 true,
		"雨でもイベントやりますか":                         true,
		"Was the event on Saturday cancelled?": true,
		"is the meetup tomorrow still on?":     true,
		"has the workshop been called off":     true,
		"is the talk going ahead as planned":   true,
		"今週のイベントは":                             false,
		"会議をキャンセルして":                           false,
		"申し込みをキャンセルしたい":                        false,
		"what's on today?":                     false,
		"cancel my meeting":                    false,
	} {
		if got := r.Understand(text, now(t)).StillOn; got != want {
			t.Errorf("Understand(%q).StillOn = %v, want %v", text, got, want)
		}
	}
	if u := r.Understand("申し込みをキャンセルしたい", now(t)); u.Intent != nlu.Info || u.Write {
		t.Errorf("Understand(申し込みをキャンセルしたい) = %s, write %v, want info that writes nothing", u.Intent, u.Write)
	}
}
