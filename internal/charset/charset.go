// Package charset makes UTF-8 of texts that come in other encodings, as Japanese files and pages
// still do.
//
// The idea to hold: what a text says of itself is believed only if it can be true; else the
// encoding is guessed from the bytes. The package knows no format but the declaration of HTML.
package charset

import (
	"bytes"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
)

// sniffed is how far into a page its declaration is looked for. The standard has 1,024 bytes; pages
// have more before it.
const sniffed = 4 << 10

// Text returns a text as UTF-8, without a byte order mark. contentType is what the server said, or
// empty; a page may declare its encoding in a meta element too. What can't be decoded is U+FFFD.
//
// A byte order mark goes before everything. A declared encoding in which the text is not valid
// gives way to the Japanese encoding in which it is.
func Text(data []byte, contentType string, page bool) string {
	declared := named(data, contentType, page)
	if declared == nil {
		if guessed, ok := Japanese(data); ok {
			return strings.TrimPrefix(guessed, "\ufeff")
		}
		declared = encoding.Nop
	}
	text, err := declared.NewDecoder().Bytes(data)
	if err == nil {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		if utf8.Valid(text) && !bytes.ContainsRune(text, utf8.RuneError) {
			return string(text)
		}
	}
	if guessed, ok := Japanese(data); ok {
		return guessed
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// named returns the encoding that is declared; nil where none is, or one that there is not.
func named(data []byte, contentType string, page bool) encoding.Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return nil
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		e, _, _ := charset.DetermineEncoding(data, "")
		return e
	}
	if _, params, err := mime.ParseMediaType(contentType); err == nil && params["charset"] != "" {
		if e, _ := charset.Lookup(params["charset"]); e != nil {
			return e
		}
	}
	if !page {
		return nil
	}
	if e, _ := charset.Lookup(declaredIn(data[:min(len(data), sniffed)])); e != nil {
		return e
	}
	return nil
}

// declaredIn returns the encoding that a meta element names, in either of its two forms, or "".
func declaredIn(head []byte) string {
	head = bytes.Clone(head)
	for i, b := range head {
		if b >= 'A' && b <= 'Z' {
			head[i] = b + 'a' - 'A'
		}
	}
	for {
		at := bytes.Index(head, []byte("<meta"))
		if at < 0 {
			return ""
		}
		head = head[at+len("<meta"):]
		element, _, _ := bytes.Cut(head, []byte(">"))
		if at := bytes.Index(element, []byte("charset")); at >= 0 {
			value := bytes.TrimLeft(element[at+len("charset"):], " \t\r\n")
			if value, ok := bytes.CutPrefix(value, []byte("=")); ok {
				value = bytes.TrimLeft(value, " \t\r\n\"'")
				if end := bytes.IndexAny(value, " \t\r\n\"';/"); end >= 0 {
					value = value[:end]
				}
				return string(value)
			}
		}
	}
}

// Japanese returns the text of bytes that are no UTF-8 but valid as ISO-2022-JP, Shift_JIS or
// EUC-JP from the first to the last, and looks Japanese. ok is false where there is no such
// encoding.
func Japanese(data []byte) (text string, ok bool) {
	if bytes.Contains(data, []byte("\x1b$")) {
		return strict(japanese.ISO2022JP, data)
	}
	if utf8.Valid(data) {
		return string(data), true
	}
	sjis, isSJIS := strict(japanese.ShiftJIS, data)
	euc, isEUC := strict(japanese.EUCJP, data)
	switch {
	case isSJIS && isEUC && strange(euc) <= strange(sjis):
		return euc, true
	case isSJIS:
		return sjis, true
	}
	return euc, isEUC
}

// strict decodes only what is valid from the first byte to the last.
func strict(e encoding.Encoding, data []byte) (string, bool) {
	text, err := e.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return "", false
	}
	return string(text), strange(string(text))*4 < utf8.RuneCount(text)
}

// strange counts characters that Japanese texts seldom have: half-width kana, control characters
// and those of private areas.
func strange(text string) int {
	n := 0
	for _, r := range text {
		if r >= 0xff61 && r <= 0xff9f || unicode.Is(unicode.Co, r) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}
