package todo

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed frames.txt
var file string

// A frame is a sentence with a place for a title.
type frame struct {
	do    Operation
	loose bool
	parts []part
}

// A part is one step of a frame: one of some words, the title, or the end of a verb.
type part struct {
	// words are the choices, longest first; a blank in one is any blank.
	words []string
	// optional parts may be missing.
	optional bool
	// hole is the title, tail any number of words of the class tail.
	hole, tail bool
}

// A span is where something stands, in bytes.
type span struct{ from, to int }

// read reads the file once. It is part of the program, so that a mistake in it is one.
var read = sync.OnceValues(func() (map[string][]string, []frame) {
	named, all := map[string][]string{}, []frame{}
	for line := range strings.SplitSeq(file, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, rest, ok := strings.Cut(line, ": ")
		if !ok {
			panic(fmt.Sprintf("frames.txt: %q is neither a class nor a frame", line))
		}
		if name, isClass := strings.CutPrefix(head, "class "); isClass {
			named[name] = choices(rest)
			continue
		}
		do, loose := strings.CutSuffix(head, "?")
		f := frame{do: Operation(do), loose: loose}
		for _, word := range strings.Fields(rest) {
			f.parts = append(f.parts, partOf(word, named))
		}
		all = append(all, f)
	}
	return named, all
})

func classes() map[string][]string {
	named, _ := read()
	return named
}

func frames() []frame {
	_, all := read()
	return all
}

func partOf(word string, named map[string][]string) part {
	switch word {
	case "*":
		return part{hole: true}
	case "~":
		return part{tail: true, words: named["tail"]}
	}
	inner, optional := strings.CutPrefix(word, "[")
	inner = strings.TrimSuffix(inner, "]")
	p := part{optional: optional}
	for _, choice := range choices(inner) {
		name, isClass := strings.CutPrefix(choice, "<")
		if !isClass {
			p.words = append(p.words, choice)
			continue
		}
		words, there := named[strings.TrimSuffix(name, ">")]
		if !there {
			panic(fmt.Sprintf("frames.txt: no class %s", name))
		}
		p.words = append(p.words, words...)
	}
	slices.SortStableFunc(p.words, func(a, b string) int { return len(b) - len(a) })
	return p
}

// choices are the words with | between them, the longest first.
func choices(list string) []string {
	words := strings.Split(list, "|")
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "_", " ")
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
}

// match reports whether the frame is the whole text, and where its title stands.
func (f frame) match(text string) (hole span, ok bool) {
	m := matcher{text: text, parts: f.parts, steps: maxSteps}
	ok = m.at(0, 0)
	return m.hole, ok
}

// maxSteps bounds the tries for one frame: a sentence that needs more is none.
const maxSteps = 20_000

// A matcher tries the parts of a frame one after the other.
type matcher struct {
	text  string
	parts []part
	hole  span
	steps int
}

// at reports whether the parts from n on are the rest of the text from i on.
func (m *matcher) at(i, n int) bool {
	if m.steps--; m.steps < 0 {
		return false
	}
	i = m.blank(i)
	if n == len(m.parts) {
		return i == len(m.text)
	}
	switch p := m.parts[n]; {
	case p.hole:
		return m.title(i, n)
	case p.tail:
		return m.ending(i, n, 0)
	default:
		for _, w := range p.words {
			if end, ok := m.word(i, w); ok && m.at(end, n+1) {
				return true
			}
		}
		return p.optional && m.at(i, n+1)
	}
}

// title tries every length for the title, the shortest first.
func (m *matcher) title(i, n int) bool {
	for end := i; end < len(m.text); {
		_, size := utf8.DecodeRuneInString(m.text[end:])
		end += size
		if m.breaks(end) && m.at(end, n+1) {
			if m.hole.to == 0 {
				m.hole = span{i, end}
			}
			return true
		}
	}
	return false
}

// maxEndings is how many endings a verb has at most.
const maxEndings = 5

// ending takes words of the tail, as many as there are.
func (m *matcher) ending(i, n, taken int) bool {
	if m.at(i, n+1) {
		return true
	}
	if taken == maxEndings {
		return false
	}
	for _, w := range m.parts[n].words {
		if end, ok := m.word(i, w); ok && m.ending(end, n, taken+1) {
			return true
		}
	}
	return false
}

// word returns the end of a word that stands at i.
func (m *matcher) word(i int, w string) (end int, ok bool) {
	end = i + len(w)
	if !strings.HasPrefix(m.text[i:], w) || !m.breaks(end) || !m.breaks(i) {
		return 0, false
	}
	return end, true
}

// breaks reports whether a word may end, and another begin, at i: not within one of Latin letters.
func (m *matcher) breaks(i int) bool {
	if i == 0 || i >= len(m.text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(m.text[:i])
	behind, _ := utf8.DecodeRuneInString(m.text[i:])
	return !isLatin(before) || !isLatin(behind)
}

func isLatin(r rune) bool {
	return r < unicode.MaxLatin1 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// blank skips blanks.
func (m *matcher) blank(i int) int {
	for i < len(m.text) && m.text[i] == ' ' {
		i++
	}
	return i
}

// hasWord reports whether a word stands in a text.
func hasWord(text, w string) bool {
	m := matcher{text: text}
	for i := range text {
		if _, ok := m.word(i, w); ok {
			return true
		}
	}
	return false
}
