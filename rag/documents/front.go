package documents

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/strictyaml"
	"annai/internal/text"
	"annai/rag"
	"annai/rag/markdown"
)

// Front is what a document, or a part of it, says about itself. Days are written as 2006-01-02.
type Front struct {
	Title      string `yaml:"title"`
	Lang       string `yaml:"lang"`
	Category   string `yaml:"category"`
	Source     string `yaml:"source,omitempty"`
	UpdatedAt  string `yaml:"updatedAt,omitempty"`
	ValidFrom  string `yaml:"validFrom,omitempty"`
	ValidUntil string `yaml:"validUntil,omitempty"`
	Pair       string `yaml:"pair,omitempty"`
}

// fields are the texts of a front by their keys.
func (f *Front) fields() map[string]*string {
	return map[string]*string{
		"title": &f.Title, "lang": &f.Lang, "category": &f.Category, "source": &f.Source,
		"updatedAt": &f.UpdatedAt, "validFrom": &f.ValidFrom, "validUntil": &f.ValidUntil, "pair": &f.Pair,
	}
}

// over returns f with what it does not say taken from below. The pair is not: it belongs to one thing.
func (f Front) over(below Front) Front {
	out := f
	from := below.fields()
	for key, into := range out.fields() {
		if *into == "" && key != "pair" {
			*into = *from[key]
		}
	}
	return out
}

// complete fills in what is still missing: the language from the name or the text, the title from the name.
func (f file) complete(front Front, body string) Front {
	for _, into := range front.fields() {
		*into = strings.Join(strings.Fields(strings.Map(dropControl, *into)), " ")
	}
	base, lang := nameParts(f.name)
	if front.Title == "" {
		front.Title = base
	}
	for _, value := range []string{lang, f.opts.Lang, text.MainLanguage(body)} {
		if front.Lang == "" {
			front.Lang = value
		}
	}
	if front.Category == "" {
		front.Category = f.opts.Category
	}
	if front.Category == "" {
		front.Category = "general"
	}
	if front.Source == "" {
		front.Source = f.opts.Source
	}
	return front
}

// nameParts returns what stands before the endings of a name, and the language that one of them says, if any.
func nameParts(name string) (base, lang string) {
	base = path.Base(name)
	base = strings.TrimSuffix(base, path.Ext(base))
	for _, lang := range []string{"ja", "en"} {
		for _, mark := range []string{".", "_", "-"} {
			if rest, found := strings.CutSuffix(base, mark+lang); found && rest != "" {
				return rest, lang
			}
		}
	}
	return base, ""
}

// cut has package markdown cut the part into sections of passages.
func (p part) cut(name string) ([][]rag.Passage, []Problem) {
	if n := utf8.RuneCountInString(p.front.Title); n > maxTitle {
		return nil, []Problem{problem(p.line, "the title has %d characters, more than %d", n, maxTitle)}
	}
	if err := checkShape(p.body); err != nil {
		err.Line = p.lineAt(err.Line)
		return nil, []Problem{*err}
	}
	front, err := strictyaml.Encode(p.front)
	if err != nil {
		return nil, []Problem{problem(p.line, "what it says about itself can't be written: %v", err)}
	}
	document := "---\n" + string(front) + "---\n" + p.body
	passages, wrong := markdown.Load(oneFile(document), []string{oneName})
	if len(wrong) > 0 {
		return nil, p.explain(wrong, strings.Count(string(front), "\n")+2)
	}
	return bySection(passages), nil
}

// explain turns problems of a part, whose front takes so many lines, into those of the file.
func (p part) explain(wrong []markdown.Problem, front int) []Problem {
	var problems []Problem
	for _, w := range wrong {
		line := p.lineAt(max(w.Line-front, 0))
		reason := strings.Replace(w.Reason, " in the front matter", "", 1)
		problems = append(problems, problem(line, "%s", reason))
	}
	return problems
}

// lineAt returns the line of the file where that line of the body is; 0 is what comes before.
func (p part) lineAt(line int) int {
	if !p.exact || line == 0 {
		return p.line
	}
	return p.line + line - 1
}

// bySection groups passages by the section in their ids, which are path#section or path#section.part.
func bySection(passages []rag.Passage) [][]rag.Passage {
	var out [][]rag.Passage
	last := ""
	for _, p := range passages {
		_, place, _ := strings.Cut(p.ID, "#")
		section, _, _ := strings.Cut(place, ".")
		if section != last || len(out) == 0 {
			out = append(out, nil)
		}
		last = section
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// Bounds of what package markdown is given: it joins lines, which takes time that grows with the
// square of a paragraph, and keeps what ends in a colon together with what follows.
const (
	maxParagraph = 64 << 10
	maxList      = 4096     // lines without a blank one between them
	maxColons    = 16 << 10 // of lines that may end in a colon, without one that does not
)

// checkShape refuses text with a paragraph that is too large.
func checkShape(text string) *Problem {
	size, lines, colons, number := 0, 0, 0, 0
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			size, lines = 0, 0
			continue
		}
		if colons += len(line); !mayAnnounce(trimmed) {
			colons = 0
		}
		if colons > maxColons {
			p := problem(number, "more than %d KiB of lines that all end in a colon", maxColons>>10)
			return &p
		}
		if !strings.HasPrefix(trimmed, "|") || strings.Count(trimmed, "|") < 2 { // rows of a table are not joined
			size += len(line)
			lines++
		}
		if size > maxParagraph || lines > maxList || len(line) > maxParagraph {
			p := problem(number, "more than %d KiB or %d lines without a blank line between them", maxParagraph>>10,
				maxList)
			return &p
		}
	}
	return nil
}

// mayAnnounce reports whether a line may end in a colon once its Markdown is taken away.
func mayAnnounce(line string) bool {
	end := strings.TrimRight(line, " \t|*_`~#")
	return strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：") || strings.ContainsAny(line, ":：") && strings.ContainsAny(line, "<&[(\\")
}

// printable reports whether a name can be shown as it is.
func printable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// dropControl is for [strings.Map]: control characters and marks that turn the direction of text say nothing.
func dropControl(r rune) rune {
	if unicode.IsSpace(r) {
		return r
	}
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\ufeff' || r == '\u200b' {
		return -1
	}
	return r
}

// escape makes a line of plain text into Markdown that reads the same.
func escape(line string) string {
	var b strings.Builder
	for i, r := range line {
		if strings.ContainsRune("\\`*_<>&[]!~|", r) || i == 0 && strings.ContainsRune("#-+=:", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	text := b.String()
	if digits := len(text) - len(strings.TrimLeft(text, "0123456789")); digits > 0 && digits < len(text) &&
		strings.ContainsRune(".)", rune(text[digits])) {
		return text[:digits] + `\` + text[digits:]
	}
	return text
}

// paragraph writes plain text as paragraphs of Markdown, each small enough to be read.
func paragraph(plain string) string {
	var b strings.Builder
	size := 0
	for _, sentence := range text.Sentences(strings.Join(strings.Fields(strings.Map(dropControl, plain)), " ")) {
		for _, piece := range pieces(sentence, maxParagraph/16) {
			line := escape(piece)
			if size += len(line); size > maxParagraph/8 {
				b.WriteString("\n")
				size = len(line)
			}
			fmt.Fprintln(&b, line)
		}
	}
	return b.String()
}

// pieces cuts a text into pieces of at most so many bytes.
func pieces(text string, most int) []string {
	var out []string
	for len(text) > most {
		cut := most
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		out = append(out, text[:cut])
		text = text[cut:]
	}
	return append(out, text)
}
