package markdown

import (
	"regexp"
	"strings"

	"annai/internal/text"
)

// A block is a paragraph, or a list, table or piece of code whose lines belong together.
type block struct {
	// sentences are the paragraph's, or one a line of a list or table.
	sentences []string
	// whole says that the sentences are lines of one thing, each read on its own.
	whole bool
}

// A rawSection is what stands under one heading, before it is cut into passages.
type rawSection struct {
	// line is the heading's, from 1.
	line int
	// headings lead to it: the one it stands under comes last.
	headings []string
	blocks   []block
}

var (
	headingLine = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	listLine    = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$`)
	ruleLine    = regexp.MustCompile(`^ {0,3}([-*_])(?:[ \t]*([-*_])){2,}[ \t]*$`)
	fenceLine   = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	quoteMark   = regexp.MustCompile(`^ {0,3}(?:>[ \t]?)+`)
	underline   = regexp.MustCompile(`^ {0,3}(=+|-+)[ \t]*$`)
)

// A reader turns the lines of a document into sections.
type reader struct {
	lang     string
	sections []rawSection
	current  rawSection
	levels   []int // of the headings that lead to the current section
	// What is being collected.
	paragraph []string
	items     []string
	table     []string
}

// sections reads the lines from body on.
func sections(lines []string, body int, lang string) []rawSection {
	r := reader{lang: lang, current: rawSection{line: body + 1}}
	lines = uncomment(lines, body)
	for i := body; i < len(lines); i++ {
		i = r.line(lines, i)
	}
	r.endSection()
	return r.sections
}

// line reads the block that begins at line i and returns the last line it took.
func (r *reader) line(lines []string, i int) int {
	line := quoteMark.ReplaceAllString(lines[i], "")
	trimmed := strings.TrimSpace(line)
	switch {
	case fenceLine.MatchString(line):
		return r.fence(lines, i)
	case trimmed == "":
		r.endBlocks()
	case headingLine.MatchString(line):
		m := headingLine.FindStringSubmatch(line)
		r.heading(i+1, len(m[1]), m[2])
	case underline.MatchString(line) && len(r.paragraph) == 1:
		text := r.paragraph[0]
		r.paragraph = nil
		r.heading(i, 1+strings.Count(trimmed[:1], "-"), text)
	case ruleLine.MatchString(line):
		r.endBlocks()
	case isRow(trimmed):
		r.endParagraph()
		r.endItems()
		r.table = append(r.table, trimmed)
	case listLine.MatchString(line):
		r.endParagraph()
		r.endTable()
		r.items = append(r.items, listLine.FindStringSubmatch(line)[1])
	case len(r.items) > 0: // an item goes on in the next line
		last := len(r.items) - 1
		r.items[last] = join(r.items[last], trimmed)
	default:
		r.endTable()
		r.paragraph = append(r.paragraph, trimmed)
	}
	return i
}

// fence reads a block of code: it is quoted line by line.
func (r *reader) fence(lines []string, i int) int {
	r.endBlocks()
	mark := fenceLine.FindStringSubmatch(quoteMark.ReplaceAllString(lines[i], ""))[1]
	b := block{whole: true}
	for i++; i < len(lines); i++ {
		line := strings.TrimSpace(quoteMark.ReplaceAllString(lines[i], ""))
		if strings.HasPrefix(line, mark) && strings.Trim(line, mark[:1]) == "" {
			break
		}
		if line != "" {
			b.sentences = append(b.sentences, line)
		}
	}
	r.add(b)
	return i
}

// heading ends the section before and begins another.
func (r *reader) heading(line, level int, text string) {
	r.endSection()
	keep := 0
	for keep < len(r.levels) && r.levels[keep] < level {
		keep++
	}
	r.levels = append(r.levels[:keep:keep], level)
	headings := append(r.current.headings[:keep:keep], inline(text))
	r.current = rawSection{line: line, headings: headings}
}

func (r *reader) endSection() {
	r.endBlocks()
	if len(r.current.blocks) > 0 {
		r.sections = append(r.sections, r.current)
	}
}

func (r *reader) endBlocks() {
	r.endParagraph()
	r.endItems()
	r.endTable()
}

func (r *reader) endParagraph() {
	paragraph := ""
	for _, line := range r.paragraph {
		paragraph = join(paragraph, strings.TrimSuffix(line, `\`))
	}
	r.paragraph = nil
	r.add(block{sentences: text.Sentences(inline(paragraph))})
}

func (r *reader) endItems() {
	b := block{whole: true}
	for _, item := range r.items {
		if text := inline(item); text != "" {
			b.sentences = append(b.sentences, finish(text, r.lang))
		}
	}
	r.items = nil
	r.add(b)
}

func (r *reader) endTable() {
	rows := r.table
	r.table = nil
	r.add(block{sentences: readTable(rows, r.lang), whole: true})
}

func (r *reader) add(b block) {
	if len(b.sentences) > 0 {
		r.current.blocks = append(r.current.blocks, b)
	}
}

// uncomment blanks out HTML comments from line body on, keeping the count of lines.
func uncomment(lines []string, body int) []string {
	text := strings.Join(lines[min(body, len(lines)):], "\n")
	for {
		start := strings.Index(text, "<!--")
		if start < 0 {
			break
		}
		end := strings.Index(text[start:], "-->")
		if end < 0 {
			break
		}
		end += start + len("-->")
		text = text[:start] + strings.Repeat("\n", strings.Count(text[start:end], "\n")) + text[end:]
	}
	return append(append([]string{}, lines[:min(body, len(lines))]...), strings.Split(text, "\n")...)
}
