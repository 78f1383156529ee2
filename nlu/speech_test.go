package nlu_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/nlu"
)

// spoken are utterances as a recogniser writes them, and as people type them: fillers, words said
// twice, spelled numbers, no punctuation, names mis-heard.
var spoken = []struct{ heard, typed string }{
	{"えーと来週の土曜日のイベントを教えて", "来週の土曜日のイベントを教えて"},
	{"えっと えっと 明日は何がありますか", "明日は何がありますか?"},
	{"あのー今日の今日の予定は", "今日の予定は？"},
	{"うーん 十二月二十四日のイベント", "12月24日のイベント"},
	{"明日の午後三時半に打ち合わせを入れて", "明日の15時30分に打ち合わせを入れて"},
	{"エンジニア壁の営業時間を教えて", "エンジニアカフェの営業時間を教えて"},
	{"エンジンカフェ で来週イベントイベントはありますか", "エンジニアカフェで来週イベントはありますか？"},
	{"スタッフを えーと 呼んでください", "スタッフを呼んでください"},
	{"um what's on this weekend", "What's on this weekend?"},
	{"what is is there uh on friday", "What is there on Friday?"},
	{"put lunch with my mother on friday at twelve thirty p. m.", "Put lunch with my mother on Friday at 12:30 pm."},
	{"er cancel my my meeting tomorrow at nine am", "Cancel my meeting tomorrow at 9am."},
	{"when is engineer calf open", "When is Engineer Cafe open?"},
	{"events on march twenty third", "Events on March 23rd"},
	{"what day is it two weeks from now", "What day is it 2 weeks from now?"},
	{"help me um somebody collapsed", "Help me, somebody collapsed!"},
}

// TestSpoken says that what is heard is understood as what is typed.
func TestSpoken(t *testing.T) {
	r := demo()
	type gist struct {
		Language, Intent, Safety, Operation string
		Times                               []string
		Write, Owner                        bool
	}
	of := func(text string) gist {
		u := r.Understand(text, now(t))
		g := gist{
			Language: string(u.Language), Intent: string(u.Intent), Safety: string(u.Safety),
			Operation: string(u.Command.Operation), Write: u.Write, Owner: u.Owner,
		}
		for _, e := range u.Times {
			g.Times = append(g.Times, e.TimeRange.Start.Format(time.DateTime)+" to "+e.TimeRange.End.Format(time.DateTime))
		}
		return g
	}
	for _, c := range spoken {
		if diff := cmp.Diff(of(c.typed), of(c.heard)); diff != "" {
			t.Errorf("Understand(%q) is not understood as %q (-typed +heard):\n%s", c.heard, c.typed, diff)
		}
	}
}

// TestMend has words that recognisers really wrote for what was said.
func TestMend(t *testing.T) {
	r := nlu.New(nlu.Options{
		Words: map[string]string{"澪標の間": "みおつくしのま"}, Corrections: map[string]string{"エンジニア壁": "エンジニアカフェ"},
	})
	for said, want := range map[string]string{
		"中車場はありますか?":        "駐車場はありますか?",
		"開関時間を教えてください":      "開館時間を教えてください",
		"級管備はいつですか":         "休館日はいつですか",
		"急関備は":              "休館日は",
		"もより駅はどこですか?":       "最寄り駅はどこですか?",
		"澪つくしの間はどこ":         "澪標の間はどこ",
		"エンジニア壁は何時まで":       "エンジニアカフェは何時まで",
		"3Dクリンターは使えますか?":    "3Dプリンターは使えますか?",
		"Is there parking?": "Is there parking?",
	} {
		if got := r.Mend(said); got != want {
			t.Errorf("Mend(%s) = %s, want %s", said, got, want)
		}
		if got := r.Understand(said, time.Unix(0, 0)).Text; got != want {
			t.Errorf("Understand(%s) has the text %s, want %s", said, got, want)
		}
	}
}
