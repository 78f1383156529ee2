package render

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	for _, test := range []struct {
		name, text, language string
		want                 []string
	}{
		{"as it was", "今日はイベントが2件あります。", "ja", []string{"今日はイベントが2件あります。"}},
		{"two in one", "はい。明日です！", "ja", []string{"はい。", "明日です！"}},
		{"no ender", "There are two events this week", "en", []string{"There are two events this week."}},
		{"a title in brackets", "[要予約]週末［音楽会］があります。", "ja", []string{"〔要予約〕週末〔音楽会〕があります。"}},
		{"a title that calls", "「歌おう！」は13時からです。", "ja", []string{"「歌おう」は13時からです。"}},
		{"an ender in a quotation", "合言葉は「Hello! 2025」です。次。", "ja", []string{"合言葉は「Hello 2025」です。", "次。"}},
		{"a quotation that is never closed", "「はい。そうです。", "ja", []string{"「はい。", "そうです。"}},
		{"an ender that is quoted last", "合言葉は「開け。」", "ja", []string{"合言葉は「開け」。"}},
		{"many enders", "本当!?すごい！！", "ja", []string{"本当?", "すごい！"}},
		{"decimals", "It is 3.5 km away, or 2.25 miles. Version 1.2.3 is out.", "en", []string{
			"It is 3 and a half km away, or 2 point 25 miles.", "Version 1 point 2 point 3 is out.",
		}},
		{"Japanese decimals", "距離は3.5キロ、気温は２０．５℃です。", "ja", []string{"距離は3点5キロ、気温は２０点５度です。"}},
		{"addresses of the web", "See https://example.com/a?b=c or www.example.org for more.", "en", []string{
			"See or for more.",
		}},
		{"a name of the web", "公式サイトはengineercafe.jpです。", "ja", []string{"公式サイトはengineercafeドットjpです。"}},
		{"abbreviations", "Open 7 p.m. on Jan. 15, e.g. for Mr. Sato from the U.S. team.", "en", []string{
			"Open 7 PM on January 15, for example for Mr Sato from the US team.",
		}},
		{"no is no number", "No. It is room No. 5.", "en", []string{"No.", "It is room number 5."}},
		{"Markdown", "## *Events*\n- **[Music](https://x.example/a)** (free)\n- `code`_x_\n2. Second\n" +
			"> quoted | table", "en", []string{
			"Events.", "Music, free.", "code x.", "2, Second.", "quoted, table.",
		}},
		{"Japanese parentheses", "音楽会(無料)です。", "ja", []string{"音楽会（無料）です。"}},
		{"HTML", "<b>Hi</b> &amp; welcome<br/>x", "en", []string{"Hi & welcome x."}},
		{"pictures", "こんにちは😀👨‍👩‍👧♪です", "ja", []string{"こんにちはです。"}},
		{"what can't be seen", "a\u200bb\u202ec\x1b[31md\u0085e", "en", []string{"abc〔31md e."}},
		{"the word data:", "The field data: is 5.", "en", []string{"The field data: is 5."}},
		{"a pause at the end", "今日のイベントは：\n", "ja", []string{"今日のイベントは。"}},
		{"dots", "Well... yes…", "en", []string{"Well… yes."}},
		{"nothing to say", "…！！\n---\n（）", "ja", nil},
		{"not UTF-8", "a\xff\xfeb", "en", []string{"ab."}},
		{"an English answer with a Japanese title", "週末ハッカソン is on right now.", "en", []string{
			"週末ハッカソン is on right now.",
		}},
		{"a Japanese sentence in an English answer", "すみません。", "en", []string{"すみません。"}},
		{"an English sentence in a Japanese answer", "Wi-Fi is free 3.5", "ja", []string{
			"Wi-Fi is free 3 and a half.",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Sentences(test.text, test.language)); diff != "" {
				t.Errorf("Sentences(%q, %s) (-want +got):\n%s", test.text, test.language, diff)
			}
		})
	}
}

// TestSentencesOfGreatLength has no sentence longer than there may be, and loses nothing.
func TestSentencesOfGreatLength(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("あ", 1000), strings.Repeat("会場は、", 200) + "です。", strings.Repeat("word ", 300),
	} {
		said := strings.Join(Sentences(text, "ja"), "")
		for _, r := range "あ会場はです" {
			if got, want := strings.Count(said, string(r)), strings.Count(text, string(r)); got != want {
				t.Errorf("Sentences(%.12q...) has %d times %c, want %d", text, got, r, want)
			}
		}
		for _, s := range Sentences(text, "ja") {
			if n := utf8.RuneCountInString(s); n > maxSentence+1 {
				t.Errorf("Sentences(%.12q...) has one of %d characters, want at most %d", text, n, maxSentence+1)
			}
		}
	}
}

// unsafe says what a reader would break at in a sentence, or "".
func unsafe(s string) string {
	last, size := utf8.DecodeLastRuneInString(s)
	body := s[:len(s)-size]
	switch {
	case !utf8.ValidString(s):
		return "bytes that are no text"
	case !isEnder(last):
		return "no ender at its end"
	case strings.ContainsFunc(body, isEnder):
		return "an ender before its end"
	case strings.ContainsAny(body, "[]{}<>*`#_\\~|()［］｛｝＊"):
		return "a mark that readers take for something"
	case strings.ContainsFunc(body, func(r rune) bool { return !unicode.IsPrint(r) || unicode.Is(unicode.So, r) }):
		return "a character that can't be read"
	case strings.Contains(body, "://"), strings.Contains(body, "www."):
		return "an address of the web"
	case !strings.ContainsFunc(body, isWord):
		return "nothing to say"
	case strings.TrimSpace(s) != s || strings.Contains(s, "  "):
		return "spaces too many"
	}
	return ""
}

func FuzzSentences(f *testing.F) {
	for _, text := range []string{
		"[happy]はい。", "3.5.", "a.b.c. d", "「あ。」い", "https://x.example/ data: [DONE]", "x!!??。。\n\n1. a",
		"(((", "U.S.A. e.g. p.m.", "٣.٥ ①", "a\u0085b\u2028c", "&lt;b&gt;&#91;x&#93;",
		".5 5. …. .a", "Mr. No. No. 5 Jan.1", "\"a.\" b 'c!'", "http:[x](y)", "a　、b、、c", "<a b",
		"!!a。)", "..。」x", "0.\u0301", "－a", "》。a",
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, japanese bool) {
		language := either(japanese, "ja", "en")
		for _, s := range Sentences(text, language) {
			if problem := unsafe(s); problem != "" {
				t.Errorf("Sentences(%q, %s) has %q, with %s", text, language, s, problem)
			}
			if again := Sentences(s, language); len(again) != 1 {
				t.Errorf("Sentences(%q, %s) has %q, which makes %q, want one sentence", text, language, s, again)
			}
		}
	})
}
