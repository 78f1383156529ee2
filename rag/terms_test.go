package rag

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
)

// heavy returns the terms of a text that tell much about it.
func heavy(text string) []string {
	var out []string
	for _, t := range terms(text) {
		if t.weight >= loneWeight {
			out = append(out, t.text)
		}
	}
	return out
}

func TestTerms(t *testing.T) {
	for text, want := range map[string][]string{
		"駐車場の料金":                {"駐車", "車場", "料金"},
		"傘を借りる":                 {"傘", "借"},
		"３Ｄプリンターとコピー":           {"3d", "プリンタ|", "コピー|"},
		"プリンタ":                  {"プリンタ|"},
		"1,600円です":              {"1600", "円"},
		"The opening hours":     {"open", "hour"},
		"Wi-Fi and WIFI":        {"wifi", "wifi"},
		"soundproof-booth":      {"soundproofbooth", "soundproof", "booth"},
		"visitor's caf\u00e9":   {"visitor", "café"},
		"cafe\u0301 9:00-22:00": {"café", "900", "2200"},
		"らーめん ガーデン":             {"ガーデン|"},
		"！？🎉":                   nil,
	} {
		if diff := cmp.Diff(want, heavy(text)); diff != "" {
			t.Errorf("terms(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestQuestion(t *testing.T) {
	s, err := ParseSynonyms("# comment\n\n車 = 駐車場 = parking = car park\ntoilet = 化粧室\n~ どこ = where\nhow much < 料金 = price = how dear > 円\nカフェ = cafe\n! left my < 忘れ物 = lost property\n傘 = umbrella\n")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][][]string{
		"駐車場はどこですか":              {{"車", "駐車 車場", "park", "car park"}, {"どこ", "wher"}},
		"電車":                     {{"電車"}},
		"車で":                     {{"車", "駐車 車場", "park", "car park"}},
		"Is there a car park?":   {{"車", "駐車 車場", "park", "car park"}},
		"TOILETS and a toilet":   {{"toilet", "化粧 粧室"}},
		"円":                      {{"円"}},
		"The price of the cards": {{"料金", "pric", "how dear", "円"}, {"card"}},
		"How much?":              {{"料金", "pric", "how dear", "円"}},
		"how":                    {{"how"}},
		"umbrella I left my":     {{"忘 忘れ 物 れ物", "lost property"}, {"傘", "umbrella"}},
		"エンジニアカフェ":               {{"エンジニアカフェ|"}},
	} {
		var got [][]string
		for _, u := range s.question(text) {
			if u.weight >= hintWeight {
				got = append(got, u.names())
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("question(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseSynonymsRefuses(t *testing.T) {
	for _, table := range []string{
		"alone", "a = ", "= a", "~ alone", "the = of", "a >", "a <", "< a", "a < = b",
		"how much = how", "! alone",
	} {
		if _, err := ParseSynonyms(table); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("ParseSynonyms(%q) = %v, want ErrInvalid", table, err)
		}
	}
}

func TestSynonymsOfThePackage(t *testing.T) {
	s, err := ParseSynonyms(synonymsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{
		{"お手洗い", "restroom"},
		{"車で行けますか", "parking"},
		{"無線LAN", "Wi-Fi"},
		{"いくら", "how much"},
		{"何時まで", "opening hours"},
		{"行き方", "how to get there"},
		{"地下", "B1"},
	} {
		a, b := s.question(pair[0]), s.question(pair[1])
		if len(a) == 0 || len(b) == 0 || !slices.EqualFunc(a[0].alternatives, b[0].alternatives,
			func(x, y alternative) bool { return slices.Equal(x, y) }) {
			t.Errorf("%q and %q are not the same group: %v, %v", pair[0], pair[1], a, b)
		}
	}
}

func FuzzQuestion(f *testing.F) {
	s, err := ParseSynonyms(synonymsFile)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		"トイレはどこですか？", "How do I get there?", "Wi-Fiのパスワード", "3Dプリンター", "ーーー",
		"a-b-c's 1,2.3", "\xff車\xfe",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, u := range s.question(text) {
			for _, a := range u.alternatives {
				if len(a) == 0 {
					t.Errorf("question(%q) has a way to say something without terms", text)
				}
			}
		}
	})
}
