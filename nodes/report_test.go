package nodes_test

import (
	"strings"
	"testing"
)

// TestReports checks that what does not work, or disturbs, is told to the staff; that a question whether it works is
// none for them, and that what was lost is answered.
func TestReports(t *testing.T) {
	for said, want := range map[string]bool{
		"電気がつかない": true, "Wi-Fiがつながらないんですけど": true, "3Dプリンターが動きません": true, "エアコンが全然効かない": true,
		"コンセントが使えない": true, "トイレットペーパーがない": true, "コーヒーマシンが動かない": true, "隣の席の人がうるさい": true,
		"the light doesn't work": true, "the printer is broken": true, "the door won't open": true,
		"my wifi doesn't work": true, "there is no toilet paper": true, "the people next to me are too loud": true,
		"コンセントは使えない？": false, "カードは使えないですか": false, "月曜は開かないですか": false, "お水はありますか": false,
		"is the printer working": false, "is the wifi fast": false, "do you have a printer": false, "傘を忘れました": false,
		"わいふぁいのぱすわーど": false, "I lost my umbrella": false,
	} {
		s := newStage(t, talk{sections: map[string][]string{"setup": {"now: 2026-11-20T10:00:00+09:00"}}})
		s.open()
		answer := s.answer(said)
		if got := strings.Contains(answer, "ご不便") || strings.Contains(answer, "I'm sorry about that"); got != want {
			t.Errorf("%s\n\t%s\nwant a word to the staff: %v", said, answer, want)
		}
	}
}
