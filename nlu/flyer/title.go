package flyer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// title is what the event is called.
func (p page) title(place Field) Field {
	for _, l := range p.lines {
		if l.role == roleTitle && l.led && l.value != "" {
			return Field{text.OneLine(l.value, maxTitle), Source{l.no, ByLabel}}
		}
	}
	var may []int
	for i, l := range p.lines {
		if l.mayBeTitle() && (l.no != place.Line || place.By == ByLabel) {
			may = append(may, i)
		}
	}
	if len(may) == 0 {
		return Field{}
	}
	if high := p.largest(may); high > 0 {
		return p.headline(may, high)
	}
	first := p.lines[may[0]]
	return Field{first.name(), Source{first.no, ByPosition}}
}

// mayBeTitle reports whether a line may be a title: it names something, and no label, time or
// address.
func (l line) mayBeTitle() bool {
	name := l.name()
	letters := 0
	for _, r := range name {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case l.role != "", letters < 2, strings.Contains(l.folded, "://"), strings.Contains(l.folded, "www."):
		return false
	case utf8.RuneCountInString(name) > maxTitle/2, strings.HasSuffix(name, "。"):
		return false
	case preface.around(l.folded) && utf8.RuneCountInString(name) <= maxPreface:
		return false
	}
	return !l.onlyTimes()
}

// maxPreface is how long a line is that is no more than an invitation.
const maxPreface = 40

// onlyTimes reports whether a line says when, and little else.
func (l line) onlyTimes() bool {
	said := 0
	for _, e := range l.times {
		if !e.Holiday {
			said += e.End - e.Start
		}
	}
	return said*3 > len(l.text)
}

// name is a line as a title: without the marks around it.
func (l line) name() string {
	return strings.TrimFunc(l.text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("■□●○◆◇▶►☆★※*•-–—=~〜～|｜.,、。_'\"", r)
	})
}

// largest is the size of the largest letters of some lines, 0 where it is not known.
func (p page) largest(may []int) float64 {
	high := 0.0
	for _, i := range may {
		high = max(high, p.lines[i].size)
	}
	return high
}

// sameSize is how large letters are, in parts of the largest, that belong to the same headline.
const sameSize = 0.78

// headline joins the lines with the largest letters that stand one below the other.
func (p page) headline(may []int, high float64) Field {
	var f Field
	last := -1
	for _, i := range may {
		l := p.lines[i]
		switch {
		case l.size < high*sameSize:
		case f.Text == "":
			f, last = Field{l.name(), Source{l.no, BySize}}, i
		case i == last+1:
			f.Text, last = join(f.Text, l.name()), i
		}
	}
	f.Text = text.OneLine(f.Text, maxTitle)
	return f
}

// join puts the lines of one title together, in Japanese without a blank.
func join(a, b string) string {
	before, _ := utf8.DecodeLastRuneInString(a)
	behind, _ := utf8.DecodeRuneInString(b)
	if text.IsJapanese(before) && text.IsJapanese(behind) {
		return a + b
	}
	return a + " " + b
}
