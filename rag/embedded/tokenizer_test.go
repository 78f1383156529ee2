package embedded

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func modelInside(t testing.TB) *model {
	t.Helper()
	_, m, err := read(file)
	if err != nil {
		t.Fatalf("read(the file inside): %v", err)
	}
	return m
}

func TestTokensGolden(t *testing.T) {
	tokenizer := modelInside(t).tokenizer
	g, _ := readGolden(t)
	for _, want := range g.Texts {
		if diff := cmp.Diff(want.IDs, tokenizer.tokens(want.Text)); diff != "" {
			t.Errorf("tokens(%q) differ (-want +got):\n%s", want.Text, diff)
		}
	}
}

func TestNormalize(t *testing.T) {
	tokenizer := modelInside(t).tokenizer
	for text, want := range map[string]string{
		"":                      "",
		" \t\n\u3000\u00a0":     "",
		"\xff\xfe":              "",
		" a  b\u3000c\n":        "▁a▁b▁c",
		"a\xffb":                "▁a▁b",
		"ＡＢＣ１２３":                "▁ABC123",
		"ｺﾝｻｰﾄ ﾊﾟﾝ":             "▁コンサート▁パン",
		"か\u3099はひ\u309a":       "▁がはぴ",
		"cafe\u0301":            "▁café",
		"Wi-Fi は①階":             "▁Wi-Fi▁は1階",
		"大文字 UPPER":             "▁大文字▁UPPER",
		"▁a▁▁b":                 "▁a▁b",
		"zero\u200bwidth\ufeff": "▁zero▁width",
	} {
		if got := tokenizer.normalize(text); got != want {
			t.Errorf("normalize(%q) = %q, want %q", text, got, want)
		}
	}
}

// small is a tokenizer whose pieces are "▁", "a", "b", "ab", "aba" and "ba", from id 3.
func small(scores ...float32) *tokenizer {
	t := &tokenizer{ids: map[string]int32{}, pieces: make([]string, 3), scores: []float32{0, 0, 0}, longestPiece: 3}
	for i, piece := range []string{"▁", "a", "b", "ab", "aba", "ba"} {
		t.ids[piece] = int32(len(t.pieces))
		t.pieces, t.scores = append(t.pieces, piece), append(t.scores, scores[i])
		t.unk = min(t.unk, scores[i])
	}
	t.unk -= 10
	return t
}

func TestBest(t *testing.T) {
	nan := float32(math.NaN())
	for _, test := range []struct {
		name, text string
		tokenizer  *tokenizer
		want       []int32
	}{
		{"highest sum", "▁aba", small(-1, -2, -2, -3, -9, -2), []int32{bos, 3, 4, 8, eos}},
		{"long piece", "▁aba", small(-1, -2, -2, -3, -3, -2), []int32{bos, 3, 7, eos}},
		{"the first of equals", "▁ab", small(-1, -2, -2, -4, -9, -9), []int32{bos, 3, 6, eos}},
		{"run of unknown ones", "▁axyzb☃", small(-1, -2, -2, -4, -9, -9), []int32{bos, 3, 4, unk, 5, unk, eos}},
		{"scores that are no numbers", "▁ab", small(nan, nan, nan, nan, nan, nan), []int32{bos, 3, 6, eos}},
	} {
		if diff := cmp.Diff(test.want, test.tokenizer.best(test.text)); diff != "" {
			t.Errorf("%s: best(%q) differs (-want +got):\n%s", test.name, test.text, diff)
		}
	}
}

func FuzzTokens(f *testing.F) {
	tokenizer := modelInside(f).tokenizer
	for _, text := range []string{"", "開館時間は9時から22時までです。", "Wi-Fi ｶﾞ か\u3099", "\xff\xe3\x81", "🎉한국어", strings.Repeat("あ", 300), "▁ ▁"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		normal := tokenizer.normalize(text)
		if normal == "" {
			return
		}
		if !utf8.ValidString(normal) || !strings.HasPrefix(normal, space) || strings.HasSuffix(normal, space) || strings.Contains(normal, space+space) ||
			strings.Contains(normal, " ") {
			t.Fatalf("normalize(%q) = %q, want words with one mark before each", text, normal)
		}
		ids := tokenizer.best(normal)
		last := len(ids) - 1
		if ids[0] != bos || ids[last] != eos || slices.Contains(ids[1:last], bos) || slices.Contains(ids[1:last], eos) {
			t.Fatalf("best(%q) = %v, want what lies between bos and eos", normal, ids)
		}
		checkCover(t, tokenizer, normal, ids[1:last])
	})
}

// checkCover fails unless the pieces are the text, with unknown characters where unk stands.
func checkCover(t *testing.T, tokenizer tokenizer, text string, ids []int32) {
	t.Helper()
	rest, unknown := text, false
	for _, id := range ids {
		if id == unk {
			if unknown {
				t.Fatalf("best(%q) = %v, want a run of unk to be one", text, ids)
			}
			unknown = true
			continue
		}
		at := 0
		if unknown {
			at = strings.Index(rest, tokenizer.pieces[id])
		}
		if at < 0 || !strings.HasPrefix(rest[at:], tokenizer.pieces[id]) || unknown && at == 0 {
			t.Fatalf("best(%q) = %v, want its pieces in order, but %q does not follow", text, ids, tokenizer.pieces[id])
		}
		rest, unknown = rest[at+len(tokenizer.pieces[id]):], false
	}
	if (rest != "") != unknown {
		t.Fatalf("best(%q) = %v, want all of it; %q is left", text, ids, rest)
	}
}
