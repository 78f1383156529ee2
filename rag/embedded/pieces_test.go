package embedded

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPieces(t *testing.T) {
	long := strings.Repeat("あ", 70)
	for _, test := range []struct {
		name            string
		sentences, want []string
	}{
		{"nothing", nil, nil},
		{"marks only", []string{"……。", "", " "}, nil},
		{"three sentences", []string{"朝九時に開きます。", "夜十時に閉まります。", "月曜は休みです。"}, []string{"朝九時に開きます。夜十時に閉まります。月曜は休みです。"}},
		{"five sentences", []string{"一です。", "二です。", "三です。", "四です。", "五です。"}, []string{"一です。二です。三です。", "四です。五です。"}},
		{
			"English",
			[]string{"Dogs may come in.", "Please ask Dr. Hill.", "Bikes may not.", "Why?"},
			[]string{"Dogs may come in. Please ask Dr. Hill. Bikes may not.", "Why?"},
		},
		{"long sentences", []string{long + "。", long + "。", "い。"}, []string{long + "。", long + "。い。"}},
		{"a sentence that is too long", []string{long + "、" + long + "。", "い。"}, []string{long + "、", long + "。い。"}},
		{
			"without a comma",
			[]string{strings.Repeat("う", 130) + "。"},
			[]string{strings.Repeat("う", 120), strings.Repeat("う", 10) + "。"},
		},
		{"a list", []string{strings.Repeat("Adults 500 yen\n", 30)}, []string{
			strings.TrimSpace(strings.Repeat("Adults 500 yen\n", 16)),
			strings.TrimSpace(strings.Repeat("Adults 500 yen\n", 14)),
		}},
		{"marks beside words", []string{"……。", "傘です。"}, []string{"……。傘です。"}},
	} {
		got := Pieces(test.sentences)
		if diff := cmp.Diff(test.want, got); diff != "" && len(test.want)+len(got) > 0 {
			t.Errorf("%s: Pieces(%q) differ (-want +got):\n%s", test.name, test.sentences, diff)
		}
	}
}

func FuzzPieces(f *testing.F) {
	for _, text := range []string{
		"", "一です。|二です。|三です。|四です。", "Mr. Hill said: |\"No.\" |", "\xffあ。\xe3",
		strings.Repeat("あ、い", 99),
	} {
		f.Add(text)
	}
	letters := func(texts []string) string {
		var out strings.Builder
		for _, text := range texts {
			for _, r := range text {
				if unicode.IsLetter(r) || unicode.IsNumber(r) {
					out.WriteRune(r)
				}
			}
		}
		return out.String()
	}
	f.Fuzz(func(t *testing.T, text string) {
		sentences := strings.Split(text, "|")
		pieces := Pieces(sentences)
		if diff := cmp.Diff(letters(sentences), letters(pieces)); diff != "" {
			t.Fatalf("letters and digits of Pieces(%q) differ (-sentences +pieces):\n%s", sentences, diff)
		}
		for _, p := range pieces {
			if letters([]string{p}) == "" || !utf8.ValidString(p) || width(p) > pieceWidth {
				t.Fatalf("Pieces(%q) has %q of width %d, want %d at most, and a letter or digit", sentences, p,
					width(p), pieceWidth)
			}
		}
	})
}
