package kana

import (
	"strings"
	"testing"
)

func TestMend(t *testing.T) {
	l := NewLexicon(map[string]string{
		"駐車場": "", "開館時間": "かいかんじかん", "休館日": "きゅうかんび", "最寄り駅": "もよりえき", "会議室": "", "もくもく会": "",
		"澪標の間": "みおつくしのま", "説明会": "", "講演会": "", "入れますか": "はいれますか", "相談": "そうだん",
	})
	for said, want := range map[string]string{
		"":                 "",
		"Is there parking": "Is there parking",
		"中車場はありますか":        "駐車場はありますか",
		"すみません、中車場は？":      "すみません、駐車場は?",
		"開関時間を教えて":         "開館時間を教えて",
		"会館時間は":            "開館時間は",
		"級管備はいつ":           "休館日はいつ",
		"もより駅から会議質まで":      "最寄り駅から会議室まで",
		"モクモク会":            "もくもく会",
		"澪つくしの間はどこ":        "澪標の間はどこ",
		"会館は何時まで":          "会館は何時まで",     // a word of its own
		"公演会があります":         "講演会があります",    // two words that are none together
		"早段したい":            "早段したい",       // too short
		"説明書いてある":          "説明書いてある",     // a verb
		"プールは入れますか":        "プールは入れますか",   // words that end in hiragana are none to mend
		"新駐車場":             "新駐車場",        // as it is
		"開館時間と駐車場":         "開館時間と駐車場",    // as they are
		"仮中車場":             "仮中車場",        // it begins within a word
		"ＣＡＦＥの中車場は①階":      "CAFEの駐車場は1階", // composed characters have other places
		"駐車場も中車場も、会議質も会議室も": "駐車場も駐車場も、会議室も会議室も",
	} {
		if got := l.Mend(said); got != want {
			t.Errorf("Mend(%s) = %s, want %s", said, got, want)
		}
	}
	loans := NewLexicon(map[string]string{
		"3Dプリンター": "", "レーザーカッター": "", "ミーティング": "", "コワーキングスペース": "", "ドリンクバー": "",
	})
	for said, want := range map[string]string{
		"3Dクリンターは使えますか":     "3Dプリンターは使えますか",
		"クリンターとレーダーカッター":    "プリンターとレーザーカッター",
		"コワーキングスベースは":       "コワーキングスペースは",
		"ヒーティングはありますか":      "ヒーティングはありますか", // words of their own
		"シーティングとプランターとカッター": "シーティングとプランターとカッター",
		"ドリンクダーは":           "ドリンクバーは",
		"ドリンクカーとプリンシー":      "ドリンクカーとプリンシー", // not easily taken for another
		"くりんたー":             "くりんたー",
	} {
		if got := loans.Mend(said); got != want {
			t.Errorf("Mend(%s) = %s, want %s", said, got, want)
		}
	}
	two := NewLexicon(map[string]string{"交流会会場": "こうりゅうかい", "交流会場所": "こうりゅうかい"})
	if got := two.Mend("拘留界"); got != "拘留界" {
		t.Errorf("of two words that sound the same one was taken: %s", got)
	}
}

func FuzzMend(f *testing.F) {
	l := NewLexicon(map[string]string{"駐車場": "", "開館時間": "", "もくもく会": ""})
	f.Add("中車場と開関時間とモクモク会")
	f.Add("①ｶﾞ々ー\xff")
	f.Fuzz(func(t *testing.T, text string) {
		mended := l.Mend(text)
		has := false
		for word := range l.written {
			has = has || strings.Contains(mended, word)
		}
		if mended != text && !has {
			t.Errorf("Mend(%q) = %q, which has no word of the lexicon", text, mended)
		}
	})
}
