package kana

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Scratch", "すくらっち"},
		{"Pitch Night", "ぴっち ないと"},
		{"ＳＣＲＡＴＣＨ", "すくらっち"},
		{"mokumoku", "もくもく"},
		{"matsuri", "まつり"},
		{"tanabata yuube", "たなばた ゆうべ"},
		{"hack", "はっく"},
		{"workshops", "わーくしょっぷず"},
		{"LT会", "えるてぃーかい"},
		{"3Dプリンター", "3でぃーぷりんたー"},
		{"ナイトズー", "ないとずー"},
		{"写真展", "しゃしんてん"},
		{"夏まつり", "なつまつり"},
		{"区民卓球大会", "くみんたっきゅうたいかい"},
		{"蔵開き", "くらひらき"},
		{"相談", "そうだん"},
		{"早段", "そうだん"},
		{"駅便祭り", "えきべんまつり"},
		{"もくもく会", "もくもくかい"},
		{"水のスポーツ写真展", "みずのすぽーつしゃしんてん"},
		{"遊ぶ、遊んだ 泳ぐ", "あそぶ あそんだ およぐ"},
		{"ペットボトルロケットを飛ばそう", "ぺっとぼとるろけっとをとばそう"},
	} {
		if got := Of(c.text); got != c.want {
			t.Errorf("Of(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		min, max float64
	}{
		{"すくらっち", "すくらっち", 1, 1},
		{"すくらっち", "すくらち", 0.9, 0.99},
		{"くらびらき", "くらひらき", 0.9, 0.99},
		{"ないとずー", "ないとづう", 1, 1},
		{"こーひー", "こおひい", 0.9, 1},
		{"おちゃをのむ", "おちゃおのむ", 1, 1},
		{"こんにちは", "こんにちわ", 0.9, 0.99},
		{"たっきゅう", "やきゅう", 0.3, 0.8},
		{"えきべんまつり", "えきびんまつり", 0.85, 0.95},
		{"すくらっち", "しゃしんてん", 0, 0.3},
		{"", "", 0, 0},
		{"あ", "", 0, 0},
	} {
		got := Similarity(c.a, c.b)
		if got < c.min || got > c.max {
			t.Errorf("Similarity(%q, %q) = %.2f, want %.2f to %.2f", c.a, c.b, got, c.min, c.max)
		}
		if back := Similarity(c.b, c.a); math.Abs(back-got) > 1e-9 {
			t.Errorf("Similarity(%q, %q) = %.2f, but %.2f the other way", c.b, c.a, back, got)
		}
	}
}

var names = []string{
	"スクラッチで作ろう / Make it with Scratch", "Pitch Night", "ナイトズー / Night Zoo", "水のスポーツ写真展 / Water Sports Photo Exhibition",
	"つばめ野夏まつり", "夏まつりの出店", "区民卓球大会 / Ward Table Tennis Tournament", "蔵びらき", "生活相談",
	"ペンギンのごはんタイム / Penguin Feeding Time",
	"もくもく会 / Quiet Hack Night", "恐竜の歯特別展", "恐竜ホール", "抹茶と和菓子の会", "傘", "はじめてのヨガ教室", "駅弁まつり",
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ utterance, want string }{
		{"こどもの すくらっち いつ？", "スクラッチで作ろう / Make it with Scratch"},
		{"ピッチナイトっていつでしたっけ", "Pitch Night"},
		{"ないとずーっておいくらですか", "ナイトズー / Night Zoo"},
		{"しゃしんてん いつまで", "水のスポーツ写真展 / Water Sports Photo Exhibition"},
		{"なつまつりいつやったっけ", "つばめ野夏まつり"},
		{"たっきゅうたいかいっていつ", "区民卓球大会 / Ward Table Tennis Tournament"},
		{"蔵開きの日って何日やったっけ", "蔵びらき"},
		{"生活早段は予約いりますか", "生活相談"},
		{"ぺんぎんさんのごはんなんじ？", "ペンギンのごはんタイム / Penguin Feeding Time"},
		{"is mokumoku kai tonight", "もくもく会 / Quiet Hack Night"},
		{"まっちゃとわがしのかい です", "抹茶と和菓子の会"},
		{"駅便祭りって今日からですか", "駅弁まつり"},

		{"きょうりゅうどこ！", ""},                // two names have it
		{"かさ かして", ""},                   // too short
		{"はじめてなんですけど", ""},               // says nothing
		{"きょうしつはどこですか", ""},              // so does this
		{"おなかがすいた、ぺんきでぬりたい", ""},         // nearly ペンギン
		{"good night and good luck", ""}, // what letters say on both sides is for others
		{"the photo is lovely", ""},      // likewise
		{"きのうのよるの たいかい くるしかった", ""},      // not the whole of 卓球大会
		{"すみません、ちょっとよろしいですか", ""},        // nothing is named
		{"そうだったんですね、ありがとうございました", ""},    // not 相談
	} {
		i, score := Find(c.utterance, names)
		got := ""
		if i >= 0 {
			got = names[i]
		}
		if got != c.want || got != "" && score < 0.85 {
			t.Errorf("Find(%q) = %q, %.2f, want %q", c.utterance, got, score, c.want)
		}
	}
}

func TestFindWritten(t *testing.T) {
	m, ok := NewIndex(names).Find("しゃしんてん いつまで")
	if !ok || m.Written != "写真展" {
		t.Errorf("Find = %+v, %t, want 写真展 as it is written", m, ok)
	}
	if i, score := Find("写真展", nil); i != -1 || score != 0 {
		t.Errorf("Find among no names = %d, %v, want -1, 0", i, score)
	}
}

func TestReadings(t *testing.T) {
	const most = 600_000
	if len(readingsFile) > most {
		t.Errorf("the readings have %d bytes, want at most %d", len(readingsFile), most)
	}
	var words []string
	for line := range strings.Lines(readings().lines) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		words = append(words, fields[0])
		for _, letters := range fields[1:] {
			read, ok := FromRomaji(letters)
			if !ok || Romaji(read) != letters {
				t.Fatalf("%q of %s is read as %q, which is written %q", letters, fields[0], read, Romaji(read))
			}
		}
	}
	if !slices.IsSorted(words) {
		t.Error("the readings are not in order")
	}
	for _, word := range []string{words[0], words[len(words)/2], words[len(words)-1]} {
		if alone, behind := readings().lookup(word); alone == "" || behind == "" {
			t.Errorf("lookup(%q) = %q, %q, want readings", word, alone, behind)
		}
	}
	if alone, behind := readings().lookup("no such word"); alone+behind != "" {
		t.Errorf("lookup of no word = %q, %q", alone, behind)
	}
}

func TestFromRomaji(t *testing.T) {
	for _, c := range []struct{ letters, want string }{
		{"shinbun", "しんぶん"},
		{"shimbun", "しんぶん"},
		{"kon'ya", "こんや"},
		{"konnichiwa", "こんにちわ"},
		{"zasshi", "ざっし"},
		{"matcha", "まっちゃ"},
		{"sya", "しゃ"},
		{"", ""},
		{"n", "ん"},
		{"night", ""},
		{"q", ""},
	} {
		if got, ok := FromRomaji(c.letters); got != c.want || ok != (c.want != "" || c.letters == "") {
			t.Errorf("FromRomaji(%q) = %q, %t, want %q", c.letters, got, ok, c.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("しゃしんてん いつまで", "水のスポーツ写真展 / Water Sports Photo Exhibition")
	f.Add("ーーっっん", "ー")
	f.Add("n'n'mb", "q$=\xff / ")
	f.Add("１２３ヶ月々〆", "𠮷野家ヷ")
	f.Fuzz(func(t *testing.T, utterance, name string) {
		if len(utterance)+len(name) > 1000 { // the time grows with the product
			t.Skip()
		}
		i, score := Find(utterance, []string{name, "写真展"})
		if i < -1 || i > 1 || score < 0 || score > 1 || (i < 0) != (score == 0) {
			t.Errorf("Find(%q, %q) = %d, %v", utterance, name, i, score)
		}
		if s := Similarity(utterance, name); s < 0 || s > 1 || math.IsNaN(s) {
			t.Errorf("Similarity(%q, %q) = %v", utterance, name, s)
		}
		read := Of(utterance)
		if strings.ContainsFunc(read, func(r rune) bool { return scriptOf(r) == latin || 'ァ' <= r && r <= 'ヴ' }) {
			t.Errorf("Of(%q) = %q, which is not hiragana", utterance, read)
		}
	})
}
