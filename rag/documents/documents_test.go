package documents_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/japanese"

	"annai/fault"
	"annai/rag/documents"
)

// lines are passages as "id [lang category pair] title: text".
func lines(d documents.Document) []string {
	var out []string
	for _, s := range d.Sections {
		for _, p := range s.Passages {
			out = append(out, fmt.Sprintf("%s [%s %s %s] %s: %s", p.ID, p.Lang, p.Category, s.Pair, p.Title, p.Text))
		}
	}
	return out
}

func wantLines(t *testing.T, name, text string, want ...string) {
	t.Helper()
	d, problems := documents.Read(t.Context(), name, []byte(text), documents.Options{})
	for _, p := range problems {
		t.Errorf("Read(%s): %v", name, p)
	}
	if diff := cmp.Diff(want, lines(d)); diff != "" {
		t.Errorf("Read(%s) (-want +got):\n%s", name, diff)
	}
}

func TestMarkdown(t *testing.T) {
	wantLines(t, "docs/hours.md", "---\ntitle: Hours\nlang: en\ncategory: hours\npair: hours\n---\n# Doors\nWe *open* at 9.\n\n# Gates\nThey close at 5.\n",
		"docs/hours.md#0 [en hours hours#0] Hours / Doors: We open at 9.",
		"docs/hours.md#1 [en hours hours#1] Hours / Gates: They close at 5.")
	wantLines(t, "guide.ja.md", "# 案内\n\n9時に開きます。\n", "guide.ja.md#0 [ja general ] 案内: 9時に開きます。")
	wantLines(t, "plain.md", "Only words.", "plain.md#0 [en general ] plain: Only words.")
}

func TestText(t *testing.T) {
	wantLines(t, "a.txt", "Opening hours\n\nWe open at 9\nand close at 5.\n\n・tea\n・coffee *black*\n\n# not a heading. | no table |\n1. no list\n",
		"a.txt#0.0 [en general ] a / Opening hours: We open at 9 and close at 5.\ntea.\ncoffee *black*.",
		"a.txt#0.1 [en general ] a / Opening hours: # not a heading. | no table | 1. no list")
	wantLines(t, "hours_ja.txt", "開館時間\n\n9時に開き、\n17時に閉まります。",
		"hours_ja.txt#0 [ja general ] hours / 開館時間: 9時に開き、17時に閉まります。")
	wantLines(t, "f.txt", "---\ntitle: T\nlang: en\ncategory: c\n---\nA text.", "f.txt#0 [en c ] T: A text.")
	// A paragraph that has to be cut repeats a sentence; nothing else does.
	d, _ := documents.Read(t.Context(), "long.txt",
		[]byte(strings.Repeat("This is one of the many sentences of it. ", 12)), documents.Options{})
	if n := len(d.Passages()); n < 3 {
		t.Errorf("Read(a long paragraph) = %d passages, want it cut", n)
	}
}

func TestYAML(t *testing.T) {
	wantLines(t, "menu.yaml", `category: menu
lang: en
passages:
- id: tea
  title: Tea
  text: Tea is 300 yen.
  pair: tea
- title: お茶
  lang: ja
  pair: tea
  text: |
    お茶は300円です。
`, "menu.yaml#tea [en menu tea] Tea: Tea is 300 yen.", "menu.yaml#1 [ja menu tea] お茶: お茶は300円です。")
}

func TestCSV(t *testing.T) {
	wantLines(t, "rooms.csv", "\ufeffRoom,Seats,Price,lang\nA,12,\"1,600 yen\",en\n,,,\n大会議室,30,3400円,ja\n",
		"rooms.csv#0 [en general ] A: Room: A.\nSeats: 12.\nPrice: 1,600 yen.",
		"rooms.csv#1 [ja general ] 大会議室: Room：大会議室。\nSeats：30。\nPrice：3400円。")
	wantLines(t, "faq.tsv", "ID\tTitle\ttext\tPAIR\tcategory\nq1\tDogs\tDogs | cats may come in.\tdogs\trules\n",
		"faq.tsv#q1 [en rules dogs] Dogs: Dogs | cats may come in.")
}

func TestHTML(t *testing.T) {
	wantLines(t, "page.html", `<!doctype html><html lang="en-GB"><head><title>The  garden</title><meta name="category" content="garden">
<style>body { color: red }</style><link rel="canonical" href="https://garden.example/"></head>
<body><nav><a href="/">Home</a> <div>Menu</div></nav><script>var x = "<p>no</p>"</script>
<h2>Hours</h2><p>We <b>open</b> at 9<br>and close at&nbsp;5.</p><ul><li>tea</li><li>cof<i>fee</i></li></ul>
<table><tr><th>Room</th><th>Seats</th><th>Floor</th></tr><tr><td>A</td><td>12</td><td>2</td></tr></table>
<div hidden>secret</div><footer>Imprint</footer><h2>Dogs</h2>They may come in.</body></html>`,
		"page.html#0 [en garden ] The garden / Hours: We open at 9 and close at 5.\ntea.\ncoffee.\nA: Seats 12, Floor 2.",
		"page.html#1 [en garden ] The garden / Dogs: They may come in.")
	wantLines(t, "open.html", "<table><tr><td>Tea<td>300 yen<tr><td>Coffee<td>400 yen</table>",
		"open.html#0 [en general ] open: Tea: 300 yen.\nCoffee: 400 yen.")
	d, problems := documents.Read(t.Context(), "page.html",
		[]byte(`<html><head><title>T</title></head><p>Text.<link rel=canonical href=x>`),
		documents.Options{Source: "s"})
	if len(problems) > 0 || d.Passages()[0].Source != "x" {
		t.Errorf("Read(no end tags) = %v, %v; want a passage with the page's source", lines(d), problems)
	}
}

func TestEncodings(t *testing.T) {
	const text = "開館時間は午前九時から午後五時までです。月曜日はお休みをいただきます。カフェもあります。"
	sjis, err := japanese.ShiftJIS.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	euc, err := japanese.EUCJP.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	jis, err := japanese.ISO2022JP.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ file, data, says string }{
		"UTF-8":              {"a.txt", text, ""},
		"UTF-8 with a mark":  {"a.txt", "\ufeff" + text, ""},
		"Shift_JIS":          {"a.txt", sjis, ""},
		"EUC-JP":             {"a.txt", euc, ""},
		"declared Shift_JIS": {"a.html", `<meta charset="Shift_JIS"><p>` + sjis, ""},
		"declared EUC-JP": {"a.html", `<meta http-equiv="Content-Type" content="text/html; charset=euc-jp"><p>` +
			euc, ""},
		// all of it is UTF-8, whatever it says
		"a wrong declaration": {"a.html", `<meta charset="Shift_JIS"><p>` + text, ""},
		"not what it says":    {"a.html", `<meta charset="Shift_JIS"><p>` + euc + "\xff", "some of it is not"},
		"ISO-2022-JP":         {"a.txt", jis, "ISO-2022-JP"},
		"UTF-16":              {"a.txt", "\xff\xfeA\x00", "UTF-16"},
		"none": {
			"a.txt", "one\ntwo \xff\xfe\xfd",
			"a.txt:2: it is neither UTF-8 nor Shift_JIS nor EUC-JP",
		},
		"Latin 1":     {"a.txt", "caf\xe9 au lait.\n", "neither"},
		"a zero byte": {"a.txt", "one\n\x00two", "a.txt:2: it is no text"},
	} {
		d, problems := documents.Read(t.Context(), test.file, []byte(test.data), documents.Options{})
		if test.says == "" {
			if len(problems) > 0 || d.Passages()[0].Text != text {
				t.Errorf("Read(%s) = %q, %v; want the text", name, lines(d), problems)
			}
			continue
		}
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), test.says) ||
			!errors.Is(problems[0], fault.ErrInvalid) {
			t.Errorf("Read(%s) = %q, %v; want a problem with %q", name, lines(d), problems, test.says)
		}
	}
}

// Every problem names the line, and nothing of the file goes in.
func TestProblems(t *testing.T) {
	front := "---\ntitle: T\nlang: en\ncategory: c\n---\n"
	for name, test := range map[string]struct{ file, data, says string }{
		"an unknown ending":    {"a.docx", "PK", "reads no files with this ending"},
		"an empty file":        {"a.md", " \n", "a.md: the file is empty"},
		"a name to be printed": {"a\x1b[2J.md", "Text.", `"a\x1b[2J.md": its name`},
		"a name that turns":    {"a\u202egnp.md", "Text.", `a\u202egnp.md": its name`},
		"an unknown key":       {"a.md", "---\ntitle: T\nauthor: me\n---\nText.", `a.md:3: unknown key "author"`},
		"a missing key":        {"a.md", "---\ntitle: T\nlang: en\n---\nText.", "a.md:1: category is missing"},
		"an endless front":     {"a.md", "---\ntitle: T\n", "a.md:1: the front matter does not end"},
		"a day that is none": {
			"a.md", "---\ntitle: T\nlang: en\ncategory: c\nupdatedAt: 2026-02-30\n---\nText.",
			"2026-02-30",
		},
		"an end before the start": {"a.md", "---\ntitle: T\nlang: en\ncategory: c\nvalidFrom: 2026-02-02\nvalidUntil: 2026-02-01\n---\nText.", "before"},
		"another language":        {"a.md", "---\ntitle: T\nlang: fr\ncategory: c\n---\nText.", `lang is "fr"`},
		"only headings":           {"a.md", front + "# A\n", "no text"},
		"a long title": {"a.md", "---\ntitle: " + strings.Repeat("T",
			301) + "\nlang: en\ncategory: c\n---\nText.", "301 characters"},
		"a long line": {
			"a.md", front + "Text.\n\n" + strings.Repeat("a", 70_000),
			"a.md:8: more than 64 KiB",
		},
		"a list in one":          {"a.md", front + strings.Repeat("- a\n", 5000), "4096 lines without a blank line"},
		"nothing but colons":     {"a.md", front + strings.Repeat("a:\n\n", 20_000), "lines that all end in a colon"},
		"YAML of another shape":  {"a.yaml", "- a\n- b\n", "a.yaml:1"},
		"no passages":            {"a.yaml", "title: T\n", "no passages"},
		"a passage without text": {"a.yaml", "passages:\n- text: A.\n- title: B\n", "a.yaml:3: passage 2 has no text"},
		"an id twice": {
			"a.yaml", "passages:\n- {id: x, text: A.}\n- {id: x, text: B.}\n",
			`a.yaml:3: the id "x" is there twice, first in line 2`,
		},
		"aliases without end": {"a.yaml", bomb(), "a.yaml:"},
		"a row too long":      {"a.csv", "a,b\n1,2\n1,2,3\n", "a.csv:3: the row has another number of columns"},
		"a quotation mark":    {"a.csv", "a,b\n1,2\n\"1,2\n", "quotation mark"},
		"a column twice":      {"a.csv", "a,A ,a\n", "two columns are called"},
		"only columns":        {"a.csv", "a,b\n", "no rows"},
		"a row's bad day":     {"a.csv", "text,updatedAt\nA.,2026-01-01\nB.,yesterday\n", "a.csv:3: updatedAt is"},
		"only a menu":         {"a.html", "<nav>Menu</nav><script>x</script>", "no text"},
		"no PDF":              {"a.pdf", "This is text.", "PDF is read in a process of its own"},
	} {
		d, problems := documents.Read(t.Context(), test.file, []byte(test.data), documents.Options{})
		if len(d.Sections) > 0 || len(problems) == 0 || !strings.Contains(problems[0].Error(), test.says) ||
			!errors.Is(problems[0], fault.ErrInvalid) {
			t.Errorf("Read(%s) = %q, %v; want a problem with %q", name, lines(d), problems, test.says)
		}
	}
	if _, problems := documents.Read(t.Context(), "a.txt", bytes.Repeat([]byte("a"), documents.MaxFile+1),
		documents.Options{}); len(problems) != 1 {
		t.Errorf("Read(a file of more than 32 MiB) = %v, want a problem", problems)
	}
	if _, problems := documents.Read(t.Context(), "a.txt", bytes.Repeat([]byte("a"), 5<<20),
		documents.Options{}); len(problems) != 1 {
		t.Errorf("Read(a line of 5 MiB) = %v, want a problem", problems)
	}
}

// bomb is YAML that says much in few words.
func bomb() string {
	text := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		text += fmt.Sprintf("%c: &%c [*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s,*%s]\n", c, c, p, p, p, p, p, p, p, p, p)
	}
	return text
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, problems := documents.Read(ctx, "a.txt", []byte("Text."), documents.Options{}); len(problems) != 1 ||
		!errors.Is(problems[0], fault.ErrUnavailable) {
		t.Errorf("Read with a cancelled context = %v, want ErrUnavailable", problems)
	}
}

// checkRead fails where what was read of a file breaks the contract.
func checkRead(t *testing.T, name string, data []byte) {
	t.Helper()
	d, problems := documents.Read(t.Context(), name, data, documents.Options{})
	if (len(d.Passages()) > 0) == (len(problems) > 0) {
		t.Errorf("Read(%s, %q) = %d passages and problems %v, want either", name, data, len(d.Passages()), problems)
	}
	ids := map[string]bool{}
	for _, p := range d.Passages() {
		if strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text+p.Title+p.ID) || ids[p.ID] || p.Title == "" ||
			p.Category == "" || p.Lang != "ja" && p.Lang != "en" {
			t.Errorf("Read(%s, %q) has the passage %+v, want its own id, some text and all that is required", name,
				data, p)
		}
		ids[p.ID] = true
	}
	for _, p := range problems {
		if p.File != name || p.Reason == "" || p.Line < 0 ||
			p.Line > 2+bytes.Count(data, []byte("\n"))+bytes.Count(data, []byte("\r")) {
			t.Errorf("Read(%s, %q): problem %+v, want one that names a line of the file", name, data, p)
		}
	}
}

func fuzz(f *testing.F, name string, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, name, data) })
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, "a.md", "---\ntitle: T\nlang: ja\ncategory: c\npair: p\n---\n# A\n本文。\n\n| a | b |\n|---|---|\n| c | d |\n", "# A\n<!-- x -->text", "---\n---\n")
}

func FuzzText(f *testing.F) {
	fuzz(f, "a.txt", "Heading\n\nA text.\n- item\n\\*`<b>\n", "見出し\n\n本文です。", "\xa4\xa2\xa4\xa4\xa1\xa3", "\x82\xa0\x82\xa2\x81B", "1. a\n#b\n=c")
}

func FuzzYAML(f *testing.F) {
	fuzz(f, "a.yaml", "title: T\npassages:\n- {id: a, text: A.}\n- text: |\n    B.\n", "passages: [{text: x, pair: p, lang: ja}]", "a: &a [*a]")
}

func FuzzCSV(f *testing.F) {
	fuzz(f, "a.csv", "id,title,text,Price\n1,A,\"Text, more\",300\n", "a;b\n\"c\"d", "text,pair,updatedAt\nx,y,2026-01-01\n")
}

func FuzzHTML(f *testing.F) {
	fuzz(f, "a.html", "<html lang=ja><title>T</title><h1>A</h1><p>Text<ul><li>b</ul><table><tr><td>c</table>", "<nav><nav></nav>a", "<meta charset=euc-jp>\xa4\xa2", "<tr><tr><svg><title>x", "<head><p>a")
}
