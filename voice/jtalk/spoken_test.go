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
		"約 5 分、1 人":        "yakugofuNpauhItori",
		"NHKとLLM":          "enueichikeitoerueruemu",
		"ご案内します？":          "goaNnaishimasu",
		"Engineer Cafeです。": "eNjiniakafedesU",
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

func TestSayForeignAccent(t *testing.T) {
	a := analyzer(t, nil)
	labels, err := a.Say("ファルモネート")
	if err != nil {
		t.Fatal(err)
	}
	// Six morae, the accent on the fourth.
	if !strings.Contains(labels[1], "/F:6_4#") {
		t.Errorf("Say gives the label %s, want the accent /F:6_4#", labels[1])
	}
	plain, err := a.Labels("ファルモネート")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plain[1], "/F:6_6#") {
		t.Errorf("Labels gives the label %s, want Open JTalk's /F:6_6#", plain[1])
	}
}
