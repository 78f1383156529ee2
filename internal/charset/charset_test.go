package charset_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"annai/internal/charset"
)

const said = "夏まつりのお知らせ。7月20日（月）、会場は本館です。"

func encode(t *testing.T, e encoding.Encoding, text string) []byte {
	t.Helper()
	data, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestText(t *testing.T) {
	sjis, euc, jis := japanese.ShiftJIS, japanese.EUCJP, japanese.ISO2022JP
	utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	meta := func(name string) string { return "<html><head><meta charset=" + name + ">" }
	equiv := `<META http-equiv="Content-Type" CONTENT="text/html; charset=x-sjis">`
	far := "<html><!--" + strings.Repeat("x", 2000) + "-->" + meta("EUC-JP")
	for _, tt := range []struct {
		name, head, kind string
		in               encoding.Encoding
	}{
		{"plain UTF-8", "", "", encoding.Nop},
		{"UTF-8 that claims to be Shift_JIS", meta("shift_jis"), "", encoding.Nop},
		{"UTF-8 with a mark", "", "text/html; charset=euc-jp", unicode.UTF8BOM},
		{"UTF-16 with a mark", "", "text/html", utf16},
		{"UTF-16 by header", "", "text/html; charset=utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
		{"Shift_JIS by header", "", "text/html; charset=Shift_JIS", sjis},
		{"Shift_JIS by meta", equiv, "text/html", sjis},
		{"Shift_JIS by its bytes", "", "", sjis},
		{"Shift_JIS that claims to be UTF-8", meta("utf-8"), "text/html; charset=utf-8", sjis},
		{"EUC-JP by meta far down", far, "", euc},
		{"EUC-JP by its bytes", "", "text/html", euc},
		{"ISO-2022-JP by header", "", "text/html; charset=iso-2022-jp", jis},
		{"ISO-2022-JP by its bytes", "", "", jis},
		{"an encoding that is not there", meta("klingon"), "text/html; charset=elvish", sjis},
	} {
		if got := charset.Text(encode(t, tt.in, tt.head+said), tt.kind, true); got != tt.head+said {
			t.Errorf("%s: Text = %q, want %q", tt.name, got, said)
		}
	}
	if got := charset.Text(encode(t, sjis, meta("euc-jp")+said), "", false); got != meta("euc-jp")+said {
		t.Errorf("Text of no page = %q, want its meta element not looked at", got)
	}
	if got := charset.Text([]byte("caf\xe9 noir"), "text/html; charset=iso-8859-1", true); got != "café noir" {
		t.Errorf("Text of Latin 1 = %q, want café noir", got)
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("<meta charset=sjis>\x82\xa0"), "text/html; charset=x")
	f.Add([]byte("\x1b$B$\"\x1b(B"), "")
	f.Add([]byte("\xff\xfea\x00"), "text/html")
	f.Add([]byte("<meta <meta charset = >"), "text/html; charset=replacement")
	f.Fuzz(func(t *testing.T, data []byte, contentType string) {
		if got := charset.Text(data, contentType, true); !utf8.ValidString(got) {
			t.Errorf("Text(%q, %q) = %q, want UTF-8", data, contentType, got)
		}
	})
}
