//go:build !novoice

package jtalk_test

import (
	"os"
	"strings"
	"testing"
)

func TestSpoken(t *testing.T) {
	text, err := os.ReadFile("testdata/spoken.txt")
	if err != nil {
		t.Fatal(err)
	}
	a := analyzer(t, nil)
	written, n := "", 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "> "); ok {
			written = rest
		} else if written != "" {
			n++
			if got := a.Spoken(written); got != line {
				t.Errorf("Spoken(%q) = %q, want %q", written, got, line)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d texts in testdata/spoken.txt, want 50", n)
	}
}

// TestSay hears what whole sentences sound like.
func TestSay(t *testing.T) {
	a := analyzer(t, nil)
	for text, want := range map[string]string{
		"10:30から":          "juujisaNjuclpuNkara",
		"9:00〜22:00":       "kujikaranijuunijimade",
		"092-080-2929":     "zerokyuuniipauzerohachizeropauniikyuuniikyuu",
		"1,200円と¥500":      "seNnihyakueNtogohyakueN",
		"B1Fと3F":           "chikaiclkaitosaNgai",
		"A-3":              "einosaN",
		"Wi-Fi":            "waifai",
		"1月14日(水)":         "ichigatsujuuyoclkasuiyoobi",
		"4月20日":            "shigatsuhatsUka",
		"TypeScript":       "taipUsukuripUto",
		"会議室 は 3F です":      "kaigishItsuwasaNgaidesU",
		"約5 分、1 人":         "yakugofuNpauhItori",
		"NHKとLLM":          "enueichikeitoerueruemu",
		"3件と千件":            "saNkeNtoseNkeN",
		"19:00〜21:00に登録":   "juukujikaranijuuichijinitooroku",
		"16歳以上の方は無料":       "juurokusaiijoonokatawamuryoo",
		"土・日・祝":            "dopaunichipaushuku",
		"0:00まで":           "reejimade",
		"ご案内します？":          "goaNnaishimasu",
		"Engineer Cafeです。": "eNjiniakafedesU",
		// words that are written together, and that no dictionary has
		"engineercafe":        "eNjiniakafe",
		"engineercafefukuoka": "eNjiniakafefUkuoka",
		"lunchtime":           "raNchItaimu",
		"makerspaceで":         "meekaasUpeesude",
		"techfair":            "teclkufea",
		"hands-on":            "haNzuoN",
	} {
		labels, err := a.Say(text)
		if err != nil {
			t.Errorf("Say(%q): %v", text, err)
			continue
		}
		got := strings.ReplaceAll(sounds(strings.Join(labels, " ")), " ", "")
		if got != "sil"+want+"sil" {
			t.Errorf("Say(%q) sounds %s, want %s", text, got, want)
		}
	}
}

// TestSayForeignAccent hears the accents of foreign words, of which Open JTalk makes several.
func TestSayForeignAccent(t *testing.T) {
	a := analyzer(t, nil)
	for text, want := range map[string]string{
		"コワーキング":     "/F:6_4#", // コワーキ↓ング
		"ドッカーです":     "/F:6_1#", // ド↓ッカー
		"Docker":     "/F:4_1#",
		"TypeScript": "/F:8_6#", // タイプスクリ↓プト
		"GitHub":     "/F:5_3#", // ギット↓ハブ
		"エンジニアカフェ":   "/F:7_5#", // エンジニア↓カフェ, of two words that the dictionary has
	} {
		labels, err := a.Say(text)
		if err != nil {
			t.Errorf("Say(%q): %v", text, err)
		} else if !strings.Contains(labels[1], want) {
			t.Errorf("Say(%q) gives the label %s, want %s", text, labels[1], want)
		}
	}
}

// TestRomaji writes titles as signs do.
func TestRomaji(t *testing.T) {
	a := analyzer(t, map[string]string{"澪標の間": "みおつく'しのま"})
	for text, want := range map[string]string{
		"冬のもくもく会":               "Fuyu no Mokumoku Kai",
		"初心者のためのReact勉強会 vol.3": "Shoshinsha no Tame no React Benkyo Kai Vol.3",
		"エンジニアのための英会話":          "Enjinia no Tame no Eikaiwa",
		"AIを学ぼう！":               "AI wo Manabou!",
		"読んで話す会 2026":           "Yonde Hanasu Kai 2026",
		"【満席】1月の博多弁講座":          "Manseki Ichigatsu no Hakata Ben Koza",
		"澪標の間":                  "Miotsukushinoma",
		"":                      "",
		"!!":                    "!!",
	} {
		if got := a.Romaji(text); got != want {
			t.Errorf("Romaji(%q) = %q, want %q", text, got, want)
		}
	}
}
