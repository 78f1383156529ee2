package markdown

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/rag"
)

const front = "---\ntitle: Wi-Fi\nlang: en\ncategory: facility\n---\n"

// load reads one document of the given body.
func load(t *testing.T, document string) []rag.Passage {
	t.Helper()
	passages, problems := Load(fstest.MapFS{"a.md": {Data: []byte(document)}}, []string{"a.md"})
	for _, p := range problems {
		t.Errorf("Load: %v", p)
	}
	return passages
}

func TestPassages(t *testing.T) {
	document := `---
title: 'Wi-Fi: free'
lang: en
category: facility
source: https://example.com/wifi
updatedAt: 2026-11-01
validFrom: 2026-01-01
validUntil: "2026-12-31"
pair: wifi
---
Free **everywhere**, even on the
[terrace](https://example.com/t).

# Wi-Fi: free

## Password

Ask at ` + "`reception`" + `.

### For events

Ask the staff.

## Empty

## Last
Bye.
`
	day := func(month time.Month, day int) civil.Date { return civil.Date{Year: 2026, Month: month, Day: day} }
	passage := func(id, title, text string) rag.Passage {
		return rag.Passage{
			ID: id, Document: "a.md", Title: title, Text: text, Lang: "en", Category: "facility",
			Source:    "https://example.com/wifi",
			UpdatedAt: day(11, 1), ValidFrom: day(1, 1), ValidUntil: day(12, 31),
		}
	}
	want := []rag.Passage{
		passage("a.md#0", "Wi-Fi: free", "Free everywhere, even on the terrace."),
		passage("a.md#1", "Wi-Fi: free / Password", "Ask at reception."),
		passage("a.md#2", "Wi-Fi: free / Password / For events", "Ask the staff."),
		passage("a.md#3", "Wi-Fi: free / Last", "Bye."),
	}
	if diff := cmp.Diff(want, load(t, document)); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
}

func TestText(t *testing.T) {
	japanese := strings.Replace(front, "lang: en", "lang: ja", 1)
	for _, test := range []struct{ name, document, want string }{
		{
			"list", front + "You can borrow:\n\n- a *4K* monitor\n- a projector\n  and a screen!\n- [x] cables",
			"You can borrow:\na 4K monitor.\na projector and a screen!\ncables.",
		},
		{"numbered list", front + "1. Come in.\n2) Sign up", "Come in.\nSign up."},
		{"Japanese list", japanese + "* 4Kモニター\n* スクリーン。", "4Kモニター。\nスクリーン。"},
		{
			"table of two columns", front + "| Room | Price |\n|---|--:|\n| Room 1 | 800 yen |\n| Room 2 | 500 yen |",
			"Room 1: 800 yen.\nRoom 2: 500 yen.",
		},
		{
			"table of three", japanese + "| 部屋 | 午前 | 午後 |\n| --- | --- | --- |\n| 会議室1 | 800円 | 1,600円 |",
			"会議室1：午前800円、午後1,600円。",
		},
		{"table without headings, with a bar", front + `| a \| b | c |`, "a | b: c."},
		{"lines of Japanese", japanese + "地下鉄の駅から\n歩いて5分です。\n16番出口です。", "地下鉄の駅から歩いて5分です。16番出口です。"},
		{"quote and rule", front + "> Please be\n> quiet.\n\n---\n\nThanks.", "Please be quiet.\nThanks."},
		{"code", front + "```\nnet: x\n# not a heading\n```\n", "net: x\n# not a heading"},
		{"comment", front + "Seen. <!-- not\n\nseen --> Also seen.", "Seen.\nAlso seen."},
		{
			"links and images", front + "![map](m.png) See [the *site*](https://a.b), <https://c.d> or [this][1].",
			"map See the site, https://c.d or this.",
		},
		{
			"kept marks", front + `snake_case, 2 * 3 * 4, \*not\*, 5 < 6 and` + " `a*b*`" + `; cafe&bar &amp; co`,
			"snake_case, 2 * 3 * 4, *not*, 5 < 6 and a*b*; cafe&bar & co",
		},
		{"tags", front + "a<br>b and <b>bold</b>", "a b and bold"},
	} {
		got := load(t, test.document)
		if len(got) != 1 || got[0].Text != test.want {
			t.Errorf("%s: Load(%q) = %q, want one passage %q", test.name, test.document, texts(got), test.want)
		}
	}
}

func TestUnderlinedHeadings(t *testing.T) {
	got := load(t, front+"Hours\n=====\nAlways.\n\nPrice\n-----\nNone.\n")
	var titles []string
	for _, p := range got {
		titles = append(titles, p.Title)
	}
	if diff := cmp.Diff([]string{"Wi-Fi / Hours", "Wi-Fi / Hours / Price"}, titles); diff != "" {
		t.Errorf("titles (-want +got):\n%s", diff)
	}
}

func TestSplit(t *testing.T) {
	long := strings.Repeat("This sentence is there to make the paragraph a long one. ", 12)
	got := load(t, front+long)
	if len(got) < 2 {
		t.Fatalf("Load of %d characters = %d passages, want several", len(long), len(got))
	}
	for i, p := range got {
		if n := utf8.RuneCountInString(p.Text); n > maxRunes || !strings.HasSuffix(p.Text, ".") {
			t.Errorf("passage %s has %d characters and ends in %q; want at most %d and whole sentences", p.ID, n,
				p.Text[len(p.Text)-5:], maxRunes)
		}
		if i > 0 && !strings.HasPrefix(p.Text, "This sentence is there") {
			t.Errorf("passage %s begins %q, want the sentence before it again", p.ID, p.Text[:20])
		}
	}
	if got[0].ID != "a.md#0.0" || got[1].ID != "a.md#0.1" {
		t.Errorf("ids %s, %s; want the parts numbered", got[0].ID, got[1].ID)
	}
}

func TestSplitAtParagraphsWithoutOverlap(t *testing.T) {
	got := load(t, front+"One is here. Two is here. Three is here.\n\nFour is here. Five is here.")
	want := []string{"One is here. Two is here. Three is here.", "Four is here. Five is here."}
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
}

func TestProblems(t *testing.T) {
	for name, test := range map[string]struct {
		document string
		line     int
		reason   string
	}{
		"no front matter":  {"# Hi\n", 1, "front matter"},
		"empty":            {"", 1, "front matter"},
		"no end":           {"---\ntitle: a\n", 1, "does not end"},
		"unknown key":      {"---\ntitle: a\nlang: en\nauthor: b\ncategory: c\n---\nText.", 4, `"author"`},
		"repeated key":     {"---\ntitle: a\ntitle: b\n---\nText.", 3, "twice"},
		"missing title":    {"---\nlang: en\ncategory: c\n---\nText.", 1, "title"},
		"blank category":   {"---\ntitle: a\nlang: en\ncategory: ''\n---\nText.", 4, "category"},
		"unknown language": {"---\ntitle: a\nlang: fr\ncategory: c\n---\nText.", 3, `"fr"`},
		"not a day": {
			"---\ntitle: a\nlang: en\ncategory: c\nupdatedAt: 2026-02-30\n---\nText.", 5,
			"2026-02-30",
		},
		"ends before begin": {"---\ntitle: a\nlang: en\ncategory: c\nvalidFrom: 2026-02-02\nvalidUntil: 2026-02-01\n---\nText.", 6, "before"},
		"wrong type":        {"---\ntitle: [a]\nlang: en\ncategory: c\n---\nText.", 1, "line 2"},
		"not UTF-8":         {front + "ok\n\xff\n", 7, "UTF-8"},
		"no text":           {front + "\n## Heading only\n", 8, "no text"},
	} {
		files := fstest.MapFS{"k/bad.md": {Data: []byte(test.document)}, "k/good.md": {Data: []byte(front + "Text.")}}
		passages, problems := Load(files, []string{"k"})
		if len(passages) != 1 {
			t.Errorf("%s: Load = %d passages, want that of the good file", name, len(passages))
		}
		if len(problems) != 1 {
			t.Errorf("%s: Load = %v, want one problem", name, problems)
			continue
		}
		p := problems[0]
		if p.File != "k/bad.md" || p.Line != test.line || !strings.Contains(p.Reason, test.reason) ||
			!errors.Is(p, fault.ErrInvalid) {
			t.Errorf("%s: problem %v, want line %d of k/bad.md with %q", name, p, test.line, test.reason)
		}
	}
}

func TestPaths(t *testing.T) {
	doc := &fstest.MapFile{Data: []byte(front + "Text.")}
	files := fstest.MapFS{"k/b.md": doc, "k/a.md": doc, "k/sub/c.md": doc, "k/notes.txt": doc, "one.text": doc}
	passages, problems := Load(files, []string{"one.text", "k", "./k/a.md", "missing.md"})
	var got []string
	for _, p := range passages {
		got = append(got, p.Document)
	}
	if diff := cmp.Diff([]string{"one.text", "k/a.md", "k/b.md", "k/sub/c.md"}, got); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if len(problems) != 1 || problems[0].File != "missing.md" || !errors.Is(problems[0], fault.ErrNotFound) {
		t.Errorf("Load of a missing file = %v, want ErrNotFound", problems)
	}
}

func TestPairs(t *testing.T) {
	doc := func(lang, body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\ntitle: t\nlang: " + lang + "\ncategory: c\npair: hours\n---\n" +
			body)}
	}
	long := strings.Repeat("これは段落を長くするための文です。", 30)
	for name, test := range map[string]struct {
		files    fstest.MapFS
		want     []string
		problems int
	}{
		"same sections": {
			fstest.MapFS{"e.md": doc("en", "One.\n\n# A\nTwo."), "j.md": doc("ja", "一。\n\n# A\n二。")},
			[]string{"hours#0", "hours#1", "hours#0", "hours#1"},
			0,
		},
		"another number of sections": {
			fstest.MapFS{"e.md": doc("en", "One."), "j.md": doc("ja", "一。\n\n# A\n二。")},
			[]string{"", "", ""},
			1,
		},
		"a section in more parts": {
			fstest.MapFS{"e.md": doc("en", "One.\n\n# A\nTwo."), "j.md": doc("ja", long+"\n\n# A\n二。")},
			[]string{"", "hours#1", "", "", "hours#1"},
			0,
		},
		"the same language": {fstest.MapFS{"e.md": doc("en", "One."), "f.md": doc("en", "Two.")}, []string{"", ""}, 1},
		"a third document": {fstest.MapFS{
			"e.md": doc("en", "One."), "j.md": doc("ja", "一。"),
			"k.md": doc("ja", "二。"),
		}, []string{"hours#0", "hours#0", ""}, 1},
		"alone": {fstest.MapFS{"e.md": doc("en", "One.")}, []string{""}, 0},
	} {
		passages, problems := Load(test.files, []string{"."})
		var got []string
		for _, p := range passages {
			got = append(got, p.Pair)
		}
		if name == "a section in more parts" { // how many is not this test's business
			got = slices.Compact(got[2:])
			test.want = []string{"", "hours#1"}
		}
		if diff := cmp.Diff(test.want, got); diff != "" || len(problems) != test.problems {
			t.Errorf("%s: %d problems %v, want %d; pairs (-want +got):\n%s", name, len(problems), problems,
				test.problems, diff)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(front + "# A\n\nText. More text.\n\n- a\n- b\n\n| a | b |\n|---|---|\n| c | d |\n")
	f.Add("---\r\ntitle: t\r\nlang: ja\r\ncategory: c\r\n---\r\n本文です。「はい。」\r\n")
	f.Add(front + "``` \n![a](b) **c** _d_ <e> &#0; \\\\ `x`\n<!-- ")
	f.Add("---\n- a\n---\n")
	f.Fuzz(func(t *testing.T, document string) {
		passages, problems := Load(fstest.MapFS{"a.md": {Data: []byte(document)}}, []string{"a.md"})
		if (len(passages) > 0) == (len(problems) > 0) {
			t.Errorf("Load(%q) = %d passages and problems %v, want either", document, len(passages), problems)
		}
		ids := map[string]bool{}
		for _, p := range passages {
			if strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text) || ids[p.ID] {
				t.Errorf("Load(%q) has passage %q with text %q, want its own id and some text", document, p.ID, p.Text)
			}
			ids[p.ID] = true
		}
	})
}

func texts(passages []rag.Passage) []string {
	var out []string
	for _, p := range passages {
		out = append(out, p.Text)
	}
	return out
}
