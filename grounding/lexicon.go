package grounding

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

var (
	//go:embed words/concepts.txt
	conceptsFile string
	//go:embed words/world.txt
	worldFile string
	//go:embed words/harmless_en.txt
	harmlessEnglishFile string
	//go:embed words/harmless_ja.txt
	harmlessJapaneseFile string
	//go:embed words/hiragana.txt
	hiraganaFile string
)

// An entry is what a form of the word lists says. Without ids and role it is harmless.
type entry struct {
	ids  []signed
	ends ends // of a role word
}

// A lexicon is the word lists, ready to be looked up. It is not changed once made.
type lexicon struct {
	names []string
	ids   map[string]int
	// opposed are the meanings that have an opposite.
	opposed map[int]bool
	// english has phrases by their stems joined with spaces; longest is the longest of them, in words.
	english map[string]*entry
	longest int
	// japanese has forms by their text; runes is the longest of them, by the first rune.
	japanese map[string]*entry
	runes    map[rune]int
	harmless map[string]bool // stems of English words
	// withDigits are the names with figures in them.
	withDigits []string
}

// words is the lexicon of the package.
var words = sync.OnceValue(loadLexicon)

func newLexicon() *lexicon {
	return &lexicon{
		ids: map[string]int{}, opposed: map[int]bool{}, english: map[string]*entry{}, japanese: map[string]*entry{}, runes: map[rune]int{}, harmless: map[string]bool{},
	}
}

// Numbers of names; below are the meanings of the word lists.
const (
	theVenue  = 1 << 16
	firstName = theVenue + 1
)

// newNames is a lexicon of names, each group of spellings one meaning; those of the venue itself another.
func newNames(venue []string, names [][]string) *lexicon {
	l := newLexicon()
	add := func(name string, meant []signed) {
		name = fold(strings.TrimSpace(name)).text
		if name == "" {
			return
		}
		if strings.ContainsAny(name, "0123456789") {
			l.withDigits = append(l.withDigits, name)
		}
		l.longest = max(l.longest, strings.Count(phrase(name), " ")+1)
		grow(l.english, phrase(name), meant, at)
		l.japaneseForm(name)
		grow(l.japanese, name, meant, at)
	}
	for _, name := range venue {
		add(name, []signed{{theVenue, 1}})
		add(sortOf(name), []signed{{theVenue, 1}})
	}
	for i, group := range names {
		for _, name := range group {
			add(name, []signed{{firstName + i, 1}})
		}
	}
	return l
}

// sortOf is what sort of place a name says that it is of: the library of City Library, 水族館 of 鳴浜水族館. It is empty if that is no
// word of the lists.
func sortOf(name string) string {
	name = fold(strings.TrimSpace(name)).text
	if i := strings.LastIndexByte(name, ' '); i > 0 && words().english[phrase(name[i+1:])] != nil {
		return name[i+1:]
	}
	for i := range name {
		if e := words().japanese[name[i:]]; i > 0 && e != nil && len(e.ids) > 0 && len(name[i:]) > len("会館") {
			return name[i:]
		}
	}
	return ""
}

func loadLexicon() *lexicon {
	l := newLexicon()
	for _, line := range dataLines(conceptsFile) {
		name, forms, _ := strings.Cut(line, ":")
		l.concept(strings.TrimSpace(name), forms)
	}
	for _, line := range dataLines(worldFile) {
		first, _, _ := strings.Cut(line, " |")
		first, _, _ = strings.Cut(first, ",")
		l.concept("world/"+first, line)
	}
	for _, line := range dataLines(harmlessEnglishFile) {
		for _, w := range strings.Fields(line) {
			l.harmless[stem(w)], l.harmless[w] = true, true
		}
	}
	for _, line := range append(dataLines(harmlessJapaneseFile), dataLines(hiraganaFile)...) {
		for _, w := range strings.Fields(line) {
			l.japaneseForm(w)
		}
	}
	return l
}

// dataLines are the lines of a list that hold something.
func dataLines(file string) []string {
	var out []string
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

func (l *lexicon) concept(name, forms string) {
	var part ends
	var meant []signed
	switch base := strings.TrimRight(name, "+-!"); {
	case name == "start!":
		part = start
	case name == "end!":
		part = end
	case name == "harmless":
	case strings.HasSuffix(name, "-"):
		meant = []signed{{l.id(base), -1}}
		l.opposed[l.id(base)] = true
	default:
		meant = []signed{{l.id(base), 1}}
	}
	english, japanese, _ := strings.Cut(forms, "|")
	for form := range strings.SplitSeq(english, ",") {
		if form = phrase(form); form != "" {
			l.longest = max(l.longest, strings.Count(form, " ")+1)
			grow(l.english, form, meant, part)
		}
	}
	for form := range strings.SplitSeq(japanese, ",") {
		if form = fold(strings.TrimSpace(form)).text; form != "" {
			l.japaneseForm(form)
			grow(l.japanese, form, meant, part)
		}
	}
}

func (l *lexicon) id(name string) int {
	id, ok := l.ids[name]
	if !ok {
		id = len(l.names)
		l.ids[name], l.names = id, append(l.names, name)
	}
	return id
}

func (l *lexicon) japaneseForm(form string) {
	if l.japanese[form] == nil {
		l.japanese[form] = &entry{}
	}
	first, _ := utf8.DecodeRuneInString(form)
	l.runes[first] = max(l.runes[first], utf8.RuneCountInString(form))
}

func grow(forms map[string]*entry, form string, meant []signed, part ends) {
	e := forms[form]
	if e == nil {
		e = &entry{}
		forms[form] = e
	}
	for _, m := range meant {
		if !slices.Contains(e.ids, m) {
			e.ids = append(e.ids, m)
		}
	}
	if part != at {
		e.ends = part
	}
}

// phrase is English words as they are looked up: their stems, with one space between.
func phrase(s string) string {
	fields := strings.FieldsFunc(fold(s).text, func(r rune) bool { return r == ' ' || r == '-' || r == '&' })
	for i, w := range fields {
		fields[i] = stem(w)
	}
	return strings.Join(fields, " ")
}
