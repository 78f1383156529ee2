package embedded

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"annai/internal/unigram"
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
	tokenizer := modelInside(t)
	g, _ := readGolden(t)
	for _, want := range g.Texts {
		if diff := cmp.Diff(want.IDs, tokenizer.tokens(want.Text)); diff != "" {
			t.Errorf("tokens(%q) differ (-want +got):\n%s", want.Text, diff)
		}
	}
}

func TestNormalize(t *testing.T) {
	tokenizer := modelInside(t).network.pieces.Tokenizer
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
		if got := tokenizer.Normalize(text); got != want {
			t.Errorf("Normalize(%q) = %q, want %q", text, got, want)
		}
	}
}

// space is how the vocabulary writes the space before a word.
const space = "\u2581"

func FuzzTokens(f *testing.F) {
	tokenizer := modelInside(f).network.pieces.Tokenizer
	for _, text := range []string{
		"", "開館時間は9時から22時までです。", "Wi-Fi ｶﾞ か\u3099", "\xff\xe3\x81", "🎉한국어",
		strings.Repeat("あ", 300), "▁ ▁",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		normal := tokenizer.Normalize(text)
		if normal == "" {
			return
		}
		if !utf8.ValidString(normal) || !strings.HasPrefix(normal, space) || strings.HasSuffix(normal, space) ||
			strings.Contains(normal, space+space) ||
			strings.Contains(normal, " ") {
			t.Fatalf("Normalize(%q) = %q, want words with one mark before each", text, normal)
		}
		ids := tokenizer.Tokens(normal)
		last := len(ids) - 1
		if ids[0] != unigram.Begin || ids[last] != unigram.End || slices.Contains(ids[1:last], unigram.Begin) ||
			slices.Contains(ids[1:last], unigram.End) {
			t.Fatalf("Tokens(%q) = %v, want what lies between those of beginning and end", normal, ids)
		}
		checkCover(t, tokenizer, normal, ids[1:last])
	})
}

// checkCover fails unless the pieces are the text, with unknown characters where unk stands.
func checkCover(t *testing.T, tokenizer *unigram.Tokenizer, text string, ids []int32) {
	t.Helper()
	rest, unknown := text, false
	for _, id := range ids {
		if id == unigram.Unknown {
			if unknown {
				t.Fatalf("Tokens(%q) = %v, want a run of unk to be one", text, ids)
			}
			unknown = true
			continue
		}
		at := 0
		if unknown {
			at = strings.Index(rest, tokenizer.Piece(id))
		}
		if at < 0 || !strings.HasPrefix(rest[at:], tokenizer.Piece(id)) || unknown && at == 0 {
			t.Fatalf("Tokens(%q) = %v, want its pieces in order, but %q does not follow", text, ids,
				tokenizer.Piece(id))
		}
		rest, unknown = rest[at+len(tokenizer.Piece(id)):], false
	}
	if (rest != "") != unknown {
		t.Fatalf("Tokens(%q) = %v, want all of it; %q is left", text, ids, rest)
	}
}
