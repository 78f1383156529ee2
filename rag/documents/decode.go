package documents

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"

	"annai/internal/charset"
)

// encodings are those that are read besides UTF-8, by the names that declarations use.
var encodings = map[string]encoding.Encoding{
	"shift_jis": japanese.ShiftJIS, "shift-jis": japanese.ShiftJIS, "sjis": japanese.ShiftJIS,
	"x-sjis":      japanese.ShiftJIS,
	"windows-31j": japanese.ShiftJIS, "ms932": japanese.ShiftJIS, "cp932": japanese.ShiftJIS,
	"euc-jp": japanese.EUCJP, "x-euc-jp": japanese.EUCJP, "eucjp": japanese.EUCJP,
}

// decode returns the text of a file with lines that end in "\n". What is no UTF-8 is read as the
// encoding that was declared, or as the one of Shift_JIS and EUC-JP in which all of it is valid;
// anything else is refused.
func decode(data []byte, declared string) (string, *Problem) {
	if len(data) > maxText {
		return refuse(0, "its text is larger than %d MiB; cut it into several files", maxText>>20)
	}
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return refuse(1, "it is written in UTF-16; save it as UTF-8")
	case bytes.Contains(data, []byte("\x1b$")):
		return refuse(lineOf(data, bytes.Index(data, []byte("\x1b$"))),
			"it is written in ISO-2022-JP; save it as UTF-8")
	}
	text, p := convert(bytes.TrimPrefix(data, []byte("\ufeff")), strings.ToLower(declared))
	if p != nil {
		return "", p
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return refuse(1+strings.Count(text[:i], "\n"), "it is no text: there is a zero byte in it")
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), nil
}

func convert(data []byte, declared string) (string, *Problem) {
	if utf8.Valid(data) {
		return string(data), nil
	}
	if e := encodings[declared]; e != nil {
		text, err := e.NewDecoder().Bytes(data)
		if err == nil && !bytes.ContainsRune(text, utf8.RuneError) {
			return string(text), nil
		}
		return refuse(1, "it says that it is written in %s, and some of it is not", declared)
	}
	if text, ok := charset.Japanese(data); ok {
		return text, nil
	}
	return refuse(invalidLine(data), "it is neither UTF-8 nor Shift_JIS nor EUC-JP; save it as UTF-8")
}

func refuse(line int, format string, args ...any) (string, *Problem) {
	p := problem(line, format, args...)
	return "", &p
}

// invalidLine returns the line of the first byte that is not UTF-8.
func invalidLine(data []byte) int {
	for i, at := 0, data; ; {
		r, size := utf8.DecodeRune(at)
		if size == 0 || r == utf8.RuneError && size == 1 {
			return lineOf(data, i)
		}
		i += size
		at = at[size:]
	}
}

func lineOf(data []byte, i int) int { return 1 + bytes.Count(data[:i], []byte("\n")) }
