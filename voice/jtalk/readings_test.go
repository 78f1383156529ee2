//go:build !novoice

package jtalk_test

import (
	"errors"
	"strings"
	"testing"

	"annai/fault"
	"annai/voice/jtalk"
)

func TestReadings(t *testing.T) {
	a := analyzer(t, map[string]string{
		"天神南": "テンジンミナミ", "天神": "あまがみ", "凪": "な'ぎ", "もくもく会": "モクモ'クカイ", "AKARI": "アカリー'",
		"A-3": "エーさん", "ＣＯＤＥ": "こーど", "カフェ・ド・天神": "かふぇど てんじん", "空": "そら",
	})
	for text, want := range map[string]string{
		"天神へ":        "amagamie",
		"天神南へ":       "teNjiNminamie",
		"凪です":        "nagidesU",
		"もくもく会":      "mokumokUkai",
		"AKARI":      "akarii",
		"A-3で":       "eesaNde",
		"CODEを":      "koodoo",
		"カフェ・ド・天神":   "kafedoteNjiN",
		"東京は空が無いと言う": "tookyoowasoraganaitoiu",
		"XCODEは違う":   "eclkusushiioodiiiiwachigau",
	} {
		labels, err := a.Labels(text)
		if err != nil {
			t.Errorf("Labels(%q): %v", text, err)
			continue
		}
		if got := strings.ReplaceAll(sounds(strings.Join(labels, " ")), " ", ""); got != "sil"+want+"sil" {
			t.Errorf("Labels(%q) sounds %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"凪です":   "/F:4_1#", // the accent that was given
		"AKARI": "/F:4_4#", // none, in words
		"もくもく会": "/F:6_3#", // within
	} {
		labels, err := a.Labels(text)
		if err != nil || !strings.Contains(labels[1], want) {
			t.Errorf("Labels(%q) = %v, %v, want %s in the second one", text, labels, err, want)
		}
	}
}

func TestReadingsThatCannotBe(t *testing.T) {
	for name, reading := range map[string]string{
		"": "な", "凪": "", "海": "umi", "空": "空", "川": "ーかわ", "長": "'",
		strings.Repeat("山", 101): "やま",
	} {
		_, err := jtalk.New(map[string]string{name: reading})
		if !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("New(%q: %q) = %v, want %v", name, reading, err, fault.ErrInvalid)
		}
	}
}
