package nlu_test

import (
	"testing"

	"annai/nlu"
)

func TestTwoQuestions(t *testing.T) {
	for _, test := range []struct {
		lang   nlu.Language
		text   string
		things [2]string
		want   [2]string
	}{
		{
			nlu.Japanese, "すみません、住所と電話番号を教えて",
			[2]string{"住所", "電話番号"},
			[2]string{"住所を教えて", "電話番号を教えて"},
		},
		{
			nlu.Japanese, "会議室とホールの料金はいくら？",
			[2]string{"会議室", "ホール"},
			[2]string{"会議室の料金はいくら？", "ホールの料金はいくら？"},
		},
		{
			nlu.English, "Where are the toilet and the lift?",
			[2]string{"toilet", "lift"},
			[2]string{"Where are the toilet?", "Where are the lift?"},
		},
		{
			nlu.Japanese, "トイレはどこですか、あとWi-Fiはありますか",
			[2]string{},
			[2]string{"トイレはどこですか?", "Wi-Fiはありますか"},
		},
		{
			nlu.English, "where is the toilet and is there Wi-Fi",
			[2]string{},
			[2]string{"where is the toilet?", "is there Wi-Fi"},
		},
		{
			nlu.Japanese, "会議室の料金と、どうやって予約するか教えて",
			[2]string{},
			[2]string{"会議室の料金?", "どうやって予約するか教えて"},
		},
		{nlu.Japanese, "子どもと、どこに行けますか", [2]string{}, [2]string{}},
		{nlu.English, "is it open? and how much", [2]string{}, [2]string{"is it open?", "how much"}},
		{nlu.Japanese, "子どもと入れる場所はどこ", [2]string{}, [2]string{}},
		{nlu.Japanese, "会議室とホールの違いは何ですか", [2]string{}, [2]string{}},
		{nlu.Japanese, "そうですか。ありがとう", [2]string{}, [2]string{}},
		{nlu.English, "rock and roll", [2]string{}, [2]string{}},
	} {
		p, ok := nlu.TwoQuestions(test.text, test.lang)
		if p.Things != test.things || p.Questions != test.want || ok != (test.want[0] != "") {
			t.Errorf("TwoQuestions(%q) = %q, %t, want %q %q", test.text, p, ok, test.things, test.want)
		}
	}
}
