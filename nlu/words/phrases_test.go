package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestPhrasesAreNamed holds that each list has a constant and each constant a list.
func TestPhrasesAreNamed(t *testing.T) {
	named := map[Phrases]bool{}
	for _, name := range []string{"phrases.go", "rules.go", "talk.go", "times.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if typed, ok := spec.Type.(*ast.Ident); ok && typed.Name == "Phrases" {
				name, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				named[Phrases(name)] = true
			}
			return true
		})
	}
	for name := range named {
		if len(phrases()[name]) == 0 {
			t.Errorf("no table has a list %q", name)
		}
	}
	for name := range phrases() {
		if !named[name] {
			t.Errorf("no constant is called %q, as a list is", name)
		}
	}
}

func TestPhrasesIn(t *testing.T) {
	for _, test := range []struct {
		list Phrases
		text string
		want bool
	}{
		{Dropping, "やっぱりやめて", true},
		{Dropping, "Cancel", true},
		{Dropping, "cancel my dentist", false},
		{PlainYes, "Yes, please", true},
		{PlainYes, "yesterday", false},
		{Asking, "3時？", true},
		{Asking, "3時", false},
		{Telling, "28日に歯医者があります", true},
		{Telling, "I have a dentist", true},
		{Telling, "do i have a dentist", false},
		{Generic, "appointments", true},
		{Generic, "appointments with Bob", false},
	} {
		if got := test.list.In(test.text); got != test.want {
			t.Errorf("%s.In(%q) = %t, want %t", test.list, test.text, got, test.want)
		}
	}
}

func TestPhrasesBegin(t *testing.T) {
	for _, test := range []struct {
		list       Phrases
		text, rest string
		ok         bool
	}{
		{Denial, "いや、15時", "15時", true},
		{Denial, "いや15時", "15時", true},
		{Denial, "いやだ", "いやだ", false},
		{Denial, "No, 4 pm", "4 pm", true},
		{Denial, "november 3", "november 3", false},
		{Assent, "はいはい、それで", "それで", true},
		{CallIt, "call it Dentist", "Dentist", true},
	} {
		if rest, ok := test.list.Begin(test.text); rest != test.rest || ok != test.ok {
			t.Errorf("%s.Begin(%q) = %q, %t, want %q, %t", test.list, test.text, rest, ok, test.rest, test.ok)
		}
	}
}

func TestPhrasesNumber(t *testing.T) {
	for _, test := range []struct {
		list  Phrases
		text  string
		n     int
		start int
		end   int
	}{
		{HowMany, "英会話を3回", 3, len("英会話"), len("英会話を3回")},
		{HowMany, "yoga for 10 weeks", 10, len("yoga"), len("yoga for 10 weeks")},
		{HowMany, "room 3", 0, 0, 0},
		{EveryNth, "every 3 weeks", 3, 0, len("every 3 week")},
		{EveryNth, "2週間おき", 2, 0, len("2週間おき")},
		{Minutes, "30 分", 30, 0, len("30 分")},
		{BareHour, "make it 4", 4, 0, len("make it 4")},
		{BareHour, "make it 4 people", 0, 0, 0},
	} {
		if n, start, end := test.list.Number(test.text); n != test.n || start != test.start || end != test.end {
			t.Errorf("%s.Number(%q) = %d, %d, %d, want %d, %d, %d",
				test.list, test.text, n, start, end, test.n, test.start, test.end)
		}
	}
}

func TestPhrasesCut(t *testing.T) {
	if before, after, ok := PartPlace.Cut("歯医者の場所を中央病院に"); before != "歯医者の" || after != "を中央病院に" || !ok {
		t.Errorf("PartPlace.Cut = %q, %q, %t, want what stands around the word", before, after, ok)
	}
	if got := Particle.Trim("、の打ち合わせに。"); got != "打ち合わせ" {
		t.Errorf("Particle.Trim = %q, want 打ち合わせ", got)
	}
	if got := HowOften.Replace("毎朝9時"); got != "朝 9時" {
		t.Errorf("HowOften.Replace = %q, want 朝 9時", got)
	}
	if !Nothing("それでお願いします", GoOn, Light) || Nothing("それで16時にお願いします", GoOn, Light) {
		t.Error("Nothing hears more or less than the words of its lists")
	}
}

func FuzzPhrases(f *testing.F) {
	for _, s := range []string{"いや、15時", "9回99回", "", "İstanbul no", "\xff は", "make it 4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name := range phrases() {
			name.In(s)
			if rest, ok := name.Begin(s); ok && len(rest) >= len(s) {
				t.Errorf("%s.Begin(%q) = %q, want less", name, s, rest)
			}
			name.Trim(s)
			Nothing(s, name)
			if _, start, end := name.Number(s); start < 0 || end > len(s) || start > end {
				t.Errorf("%s.Number(%q) is at %d:%d", name, s, start, end)
			}
		}
	})
}
