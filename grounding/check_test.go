package grounding_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"annai/grounding"
	"annai/internal/budget"

	"github.com/google/go-cmp/cmp"
)

// TestForms: one value in the forms of both languages, right and wrong.
func TestForms(t *testing.T) {
	week := loadScenes(t)["week"].Checker
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{"LT会は19時からです。", true},
		{"LT会は午後7時からです。", true},
		{"LT会は１９：００からです。", true},
		{"LT会は十九時からです。", true},
		{"The Lightning Talks Night starts at 7 p.m.", true},
		{"The Lightning Talks Night starts at seven in the evening.", true},
		{"The Lightning Talks Night starts at 7 a.m.", false},
		{"LT会は11月27日(金)です。", true},
		{"LT会は11月27日(木)です。", false},
		{"LT会は2026-11-27です。", true},
		{"LT会は3日後です。", false}, // what is counted in days must be said as a day
		{"もくもく会は明日です。", true},
		{"もくもく会は今日です。", false},
		{"はんだ付け入門ワークショップの材料費は500円です。", true},
		{"Soldering for Beginners costs ¥500.", true},
		{"Soldering for Beginners costs five hundred yen.", true},
		{"Soldering for Beginners costs $500.", false},
		{"もくもく会は1Fのメインホールです。", true},
		{"Mokumoku Night is on the first floor.", true},
		{"Mokumoku Night is on the second floor.", false},
		{"LT会は2時間です。", true},
		{"LT会は3時間です。", false},
	} {
		if v := week.Check(c.text); v.OK != c.ok {
			t.Errorf("Check(%q) = %v (%s), want %v", c.text, v.OK, v.Reason, c.ok)
		}
	}
}

// TestCheckAfter: a sentence that names nothing speaks of what the one before did.
func TestCheckAfter(t *testing.T) {
	week := loadScenes(t)["week"].Checker
	first := week.Check("The Go Study Group is on Thursday.")
	if diff := cmp.Diff([]string{"go"}, first.Uses); !first.OK || diff != "" {
		t.Fatalf("Check = %+v, want it to use go:\n%s", first, diff)
	}
	if v := week.CheckAfter(first, "It starts at 19:00."); !v.OK {
		t.Errorf("CheckAfter(It starts at 19:00) = %+v, want OK", v)
	}
	if v := week.CheckAfter(first, "It starts at 13:00."); v.OK {
		t.Errorf("CheckAfter(It starts at 13:00) = %+v, want it refused: that is another event", v)
	}
}

// TestVerdictPointsAtWords: the span is in bytes of the sentence as given.
func TestVerdictPointsAtWords(t *testing.T) {
	const text = "ＬＴ会は２０時からです。"
	v := loadScenes(t)["week"].Checker.Check(text)
	if v.OK || len(v.Unsupported) == 0 {
		t.Fatalf("Check(%q) = %+v, want it refused with a span", text, v)
	}
	s := v.Unsupported[0]
	if text[s.Start:s.End] != s.Text || !strings.Contains(s.Text, "２０時") {
		t.Errorf("Unsupported[0] = %+v, want the hour as it stands", s)
	}
}

// TestNothingIsEvidence: without items only courtesies pass.
func TestNothingIsEvidence(t *testing.T) {
	c := grounding.New(grounding.Evidence{Now: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)})
	for text, ok := range map[string]bool{"はい、こちらです。": true, "Enjoy!": true, "19時からです。": false, "駐車場があります。": false, "": true} {
		if v := c.Check(text); v.OK != ok {
			t.Errorf("Check(%q) = %+v, want OK %v", text, v, ok)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range loadTruths(f, "testdata/lies.txt") {
		f.Add(s.Text)
	}
	f.Add(strings.Repeat("1月", 5000))
	f.Add(strings.Repeat("a.", 5000))
	f.Add("\xff\xfe[")
	f.Add("はじꂁてのプログラミングは3時間の教室です。") // a letter of a script that nobody here reads
	all := loadScenes(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"week", "floors"} {
			v := all[name].Checker.Check(text)
			if v.OK && len(v.Unsupported) > 0 {
				t.Errorf("Check(%q) = %+v, want no spans with OK", text, v)
			}
			for _, s := range v.Unsupported {
				if text[s.Start:s.End] != s.Text {
					t.Errorf("Check(%q): span %+v is not of the sentence", text, s)
				}
			}
		}
		grounding.New(grounding.Evidence{Items: []grounding.Item{{ID: "x", Kind: grounding.Passage, Title: text, Text: text}}}).Check(text)
	})
}

// BenchmarkCheck is one sentence against the evidence of one answer.
func BenchmarkCheck(b *testing.B) {
	for _, name := range []string{"week", "floors"} {
		s := loadScenes(b)[name]
		texts := map[string][]string{
			"week":   {"LT会は11月27日（金）の夜7時から9時まで、1階のメインホールで開かれます。", "The Lightning Talks Night runs from 7 to 9 p.m. on Friday in the Main Hall."},
			"floors": {"テラスでもWi-Fiは使えますが、電源はありません。", "There is a swimming pool on the terrace, open until 9 p.m."},
		}[name]
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.Checker.Check(texts[i%2])
			}
		})
	}
}

// BenchmarkNew is reading the evidence of one answer.
func BenchmarkNew(b *testing.B) {
	e := loadScenes(b)["week"].Evidence
	for b.Loop() {
		grounding.New(e)
	}
}

// BenchmarkCheckAll is the mean over all true sentences and their corruptions.
func BenchmarkCheckAll(b *testing.B) {
	truths := loadTuned(b)
	all := truths
	for _, kind := range corruptions {
		for _, f := range corrupted(kind, truths) {
			all = append(all, f.sentence)
		}
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		s := all[i%len(all)]
		s.Scene.Checker.Check(s.Text)
	}
	var rounds []float64
	for range budget.Rounds {
		began := time.Now()
		for _, s := range all {
			s.Scene.Checker.Check(s.Text)
		}
		rounds = append(rounds, time.Since(began).Seconds()*1000/float64(len(all)))
	}
	budget.AtMost(os.Stdout, "grounding-sentence-mean", budget.Median(rounds), "ms", 0.2)
}

// BenchmarkFirstSentence is all that stands between the evidence of an answer and its first
// sentence: ten passages are read, and one sentence is checked against them.
func BenchmarkFirstSentence(b *testing.B) {
	s := loadScenes(b)["rooms"]
	e := s.Evidence
	e.Items = e.Items[:10]
	const text = "会議室3は30席で、13時から17時までは3,400円です。"
	once := func() {
		if v := grounding.New(e).Check(text); !v.OK {
			b.Fatalf("Check(%q) = %+v, want OK", text, v)
		}
	}
	for b.Loop() {
		once()
	}
	var whole, other, check []float64
	c := grounding.New(e)
	for range budget.Rounds {
		const runs = 20
		began := time.Now()
		for range runs {
			once()
		}
		whole = append(whole, time.Since(began).Seconds()*1000/runs)
		began = time.Now()
		for range runs {
			grounding.New(e).Check("The auditorium on the second floor has thirty chairs.") // words that only a dictionary has
		}
		other = append(other, time.Since(began).Seconds()*1000/runs)
		began = time.Now()
		for range runs {
			c.Check(text)
		}
		check = append(check, time.Since(began).Seconds()*1000/runs)
	}
	budget.AtMost(os.Stdout, "grounding-first-sentence-10-passages", budget.Median(whole), "ms", 5)
	budget.AtMost(os.Stdout, "grounding-first-sentence-10-passages-dictionary", budget.Median(other), "ms", 5)
	budget.AtMost(os.Stdout, "grounding-sentence-10-passages", budget.Median(check), "ms", 1)
}

// BenchmarkCheckLong is the longest sentence that is read, made of values.
func BenchmarkCheckLong(b *testing.B) {
	c := loadScenes(b)["floors"].Checker
	text := strings.Repeat("1月15日は500円、Wi-Fi、", 60)
	for b.Loop() {
		c.Check(text)
	}
}

// A Japanese clause that ends in まで leaves its predicate to the next one, and its hours stay its
// own.
func TestUnfinishedClause(t *testing.T) {
	c := grounding.New(grounding.Evidence{Items: []grounding.Item{{
		ID: "hours", Kind: grounding.Passage, Title: "開館時間", Text: "平日は9時30分から20時まで、土曜日と日曜日は17時まで開いています。",
	}}})
	for _, test := range []struct {
		text string
		ok   bool
	}{
		{"平日は20時まで開いています。", true},
		{"It is open until 8 p.m. on weekdays.", true},
		{"日曜日は17時まで開いています。", true},
		{"日曜日は20時まで開いています。", false},
	} {
		if v := c.Check(test.text); v.OK != test.ok {
			t.Errorf("Check(%q) = %v (%s), want %v", test.text, v.OK, v.Reason, test.ok)
		}
	}
}
