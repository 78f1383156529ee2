package nlu_test

import (
	"testing"

	"annai/nlu"
)

// TestWantsTalk checks that who wants to be talked to is told that we are no talker, and who wants to hear of something is not.
func TestWantsTalk(t *testing.T) {
	r := demo()
	for text, want := range map[string]bool{
		"ひまだからなんかおもしろいはなしして": true,
		"面白い話して":                  true,
		"なんか話してよ":                 true,
		"雑談しよう":                   true,
		"tell me a story":         true,
		"tell me something funny": true,
		"I'm bored, talk to me":   true,
		"イベントについて話して":             false,
		"コミュニティマネージャーの話を聞きたい":                              false,
		"歴史の話を聞かせて":                                        false,
		"tell me something interesting about the building": false,
		"is there a talk tonight":                          false,
	} {
		if u := r.Understand(text, now(t)); (u.Intent == nlu.SmallTalk) != want {
			t.Errorf("Understand(%q) = %s (%s), want small talk: %v", text, u.Intent, u.Reason, want)
		}
	}
}

// TestMatters checks what a wish to talk with somebody is about, a gathering by what is done there, and what is around.
func TestMatters(t *testing.T) {
	r := demo()
	for text, want := range map[string]nlu.Intent{
		"I want to talk to someone about changing my career": nlu.Info,
		"I want to talk to someone":                          nlu.CallStaff,
		"転職についてスタッフに相談したい":                                   nlu.Info,
		"子どもと参加できる会はいつ":                                      nlu.Event,
		"anything for kids this weekend":                     nlu.Event,
		"Is there a swimming pool nearby?":                   nlu.Info,
		"any events nearby?":                                 nlu.Event,
		"会議室3は一日いくら":                                         nlu.Info,
	} {
		if u := r.Understand(text, now(t)); u.Intent != want {
			t.Errorf("Understand(%q) = %s (%s), want %s", text, u.Intent, u.Reason, want)
		}
	}
}
