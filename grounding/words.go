package grounding

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

var (
	//go:embed words/labels.txt
	labelsFile string
	//go:embed words/values.txt
	valuesFile string
	//go:embed words/signs.txt
	signsFile string
)

// A form is a stretch of folded text that a list has, with what it says.
type form struct {
	text string
	// name and n are what it says: a unit and its factor, the number of a month, a label and its
	// sign.
	name string
	n    int
}

// forms are the forms of a list by their first rune, the longest first.
type forms map[rune][]form

func (fs forms) add(f form) {
	first, _ := utf8.DecodeRuneInString(f.text)
	fs[first] = append(fs[first], f)
}

// at returns the longest form that stands at byte i of a text, as a word of its own where it is
// Latin.
func (fs forms) at(text string, i int) (form, bool) {
	first, _ := utf8.DecodeRuneInString(text[i:])
	for _, f := range fs[first] {
		if strings.HasPrefix(text[i:], f.text) && wordAt(text, i, i+len(f.text)) {
			return f, true
		}
	}
	return form{}, false
}

// all are the longest forms that stand at a byte, all that are the same.
func (fs forms) all(text string, i int) []form {
	longest, ok := fs.at(text, i)
	if !ok {
		return nil
	}
	var out []form
	first, _ := utf8.DecodeRuneInString(longest.text)
	for _, f := range fs[first] {
		if f.text == longest.text {
			out = append(out, f)
		}
	}
	return out
}

// endAt reports whether a form ends where a text does, but for spaces.
func (fs forms) endAt(text string) bool {
	text = strings.TrimRight(text, " 「\"('")
	for _, list := range fs {
		for _, f := range list {
			if strings.HasSuffix(text, f.text) && wordAt(text, len(text)-len(f.text), len(text)) {
				return true
			}
		}
	}
	return false
}

// startAt reports whether a text begins with a form, but for spaces and what else stands between a
// value and its particle.
func (fs forms) startAt(text string) bool {
	text = strings.TrimLeft(text, " 」\")'")
	if text == "" {
		return false
	}
	_, ok := fs.at(text, 0)
	return ok
}

// wordAt reports whether a stretch of Latin letters is no part of a longer word.
func wordAt(text string, i, j int) bool {
	return !(i > 0 && isLetter(text[i]) && isLetter(text[i-1])) && !(j < len(text) && isLetter(text[j-1]) && isLetter(text[j]))
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// A vocabulary is the word lists, ready to be looked up. It is not changed once made.
type vocabulary struct {
	values        map[string]forms // by section
	signs         map[string]forms
	labels, rooms forms
	// polar are the labels that have an opposite.
	polar map[string]bool
	// status are those that must stand in the evidence where a sentence has them.
	status map[string]bool
	// stop are words that say nothing of what a sentence is about.
	stop map[string]bool
}

// words is the vocabulary of the package.
var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{values: sections(valuesFile), signs: sections(signsFile), stop: map[string]bool{}, polar: map[string]bool{}, status: map[string]bool{}}
	v.labels, v.rooms = v.readLabels()
	for _, list := range v.labels {
		for _, f := range list {
			if f.n < 0 {
				v.polar["a:"+f.name] = true
			}
		}
	}
	for _, list := range v.values["stop"] {
		for _, f := range list {
			v.stop[f.text] = true
		}
	}
	return v
})

// sections reads a file of lists: "[name]" begins one, "what it says: form, form" is a line of it.
func sections(file string) map[string]forms {
	out, section := map[string]forms{}, ""
	for _, line := range dataLines(file) {
		if line[0] == '[' && strings.HasSuffix(line, "]") && !strings.Contains(line, ",") {
			section = line[1 : len(line)-1]
			out[section] = forms{}
			continue
		}
		says, list, _ := strings.Cut(line, ": ")
		name, number, two := strings.Cut(says, " ")
		if !two {
			number = name
		}
		n, err := strconv.Atoi(number)
		if err != nil {
			n = 1
		}
		for text := range strings.SplitSeq(list, ",") {
			if text = strings.TrimSpace(text); text != "" {
				out[section].add(form{text, name, n})
			}
		}
	}
	for _, fs := range out {
		fs.sort()
	}
	return out
}

// Marks of labels: a room is a name as well, and that something has a status, such as being called
// off, must stand in the evidence.
const (
	room   = "room "
	status = "status "
)

// readLabels reads the list of labels, and of those which are names of rooms.
func (v *vocabulary) readLabels() (out, rooms forms) {
	out, rooms = forms{}, forms{}
	for _, line := range dataLines(labelsFile) {
		name, list, _ := strings.Cut(line, ":")
		base, sign := strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(name, room), status), "+-"), 1
		if strings.HasSuffix(name, "-") {
			sign = -1
		}
		for text := range strings.SplitSeq(strings.Replace(list, "|", ",", 1), ",") {
			text = fold(strings.TrimSpace(text)).text
			if text == "" {
				continue
			}
			out.add(form{text, base, sign})
			if strings.HasPrefix(name, room) {
				rooms.add(form{text, "room:" + base, 0})
			}
			if strings.HasPrefix(name, status) {
				v.status["a:"+base] = true
			}
			if last := text[len(text)-1]; isLetter(last) && last != 's' {
				out.add(form{text + "s", base, sign})
			}
		}
	}
	out.sort()
	return out, rooms
}

func (fs forms) sort() {
	for _, list := range fs {
		slices.SortStableFunc(list, func(a, b form) int { return cmp.Compare(len(b.text), len(a.text)) })
	}
}

// dataLines are the lines of a list that hold something.
func dataLines(file string) []string {
	var out []string
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	return out
}
