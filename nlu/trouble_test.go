package nlu_test

import (
	"testing"

	"annai/nlu"
)

// TestDefects checks that what does not work is told to the staff, and that a question whether it works is none for them.
func TestDefects(t *testing.T) {
	r := demo()
	for text, want := range map[string]bool{
		"電気がつかない":                     true,
		"Wi-Fiがつながらないんですけど":           true,
		"3Dプリンターが動きません":               true,
		"トイレが詰まってる":                   true,
		"エアコンが全然効かない":                 true,
		"コンセントが使えない":                  true,
		"Wi-Fiがすごく遅いです":               true,
		"トイレットペーパーがない":                true,
		"the light doesn't work":      true,
		"the printer is broken":       true,
		"the door won't open":         true,
		"I can't connect to the wifi": true,
		"the wifi is so slow":         true,
		"there is no toilet paper":    true,
		"コンセントは使えない？":                 false,
		"カードは使えないですか":                 false,
		"月曜は開かないですか":                  false,
		"電源がないところでもいいです":              false,
		"お水はありますか":                    false,
		"is the printer working":      false,
		"is the wifi fast":            false,
		"do you have a printer":       false,
		"プリンターの勉強会が中止になった":            false,
	} {
		if u := r.Understand(text, now(t)); (u.Intent == nlu.CallStaff && u.Complaint) != want {
			t.Errorf("Understand(%q) = %s (%s), complaint %v, want a report to the staff: %v", text, u.Intent, u.Reason, u.Complaint, want)
		}
	}
}

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
		"外国の人と話せる会があると聞いたのですが":                               nlu.Event,
		"子どもと参加できる会はいつ":                                      nlu.Event,
		"anything for kids this weekend":                     nlu.Event,
		"anything for foreigners to talk in english":         nlu.Event,
		"Is there a swimming pool nearby?":                   nlu.Info,
		"any events nearby?":                                 nlu.Event,
		"会議室3は一日いくら":                                         nlu.Info,
	} {
		if u := r.Understand(text, now(t)); u.Intent != want {
			t.Errorf("Understand(%q) = %s (%s), want %s", text, u.Intent, u.Reason, want)
		}
	}
}
