package documents

import (
	"context"
	"strings"
)

// readText reads plain text: paragraphs have blank lines between them, and a short line alone that
// ends no sentence is a heading. Front matter as that of Markdown may come first.
func readText(_ context.Context, f file) ([]part, []Problem) {
	text, p := decode(f.data, "")
	if p != nil {
		return nil, []Problem{*p}
	}
	front, body, _, p := splitFront(text)
	if p != nil {
		return nil, []Problem{*p}
	}
	front = f.complete(front, body)
	return []part{{front: front, body: plain(body)}}, nil
}

// plain turns plain text into Markdown.
func plain(text string) string {
	var b strings.Builder
	paragraphs := blocks(text)
	for i, lines := range paragraphs {
		switch {
		case len(lines) == 1 && i+1 < len(paragraphs) && isHeading(lines[0]):
			b.WriteString("## " + escape(lines[0]) + "\n\n")
		case isItem(lines[0]):
			for n, line := range lines {
				if n%(maxList/4) == maxList/4-1 {
					b.WriteString("\n")
				}
				b.WriteString(item(line))
			}
			b.WriteString("\n")
		default:
			b.WriteString(paragraph(joinLines(lines)) + "\n")
		}
	}
	return b.String()
}

// blocks cuts a text at its blank lines into lines without space around them.
func blocks(text string) [][]string {
	var out [][]string
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.Map(dropControl, line)); line != "" {
			lines = append(lines, line)
			continue
		}
		if len(lines) > 0 {
			out = append(out, lines)
		}
		lines = nil
	}
	if len(lines) > 0 {
		out = append(out, lines)
	}
	return out
}

// marks begin an item of a list in plain text.
var marks = []string{"- ", "* ", "・", "● ", "•", "■", "○"}

func isItem(line string) bool { return item(line) != paragraph(line) }

// item turns a line that begins with a mark into an item of a list, and another into text.
func item(line string) string {
	for _, mark := range marks {
		if rest, found := strings.CutPrefix(line, mark); found && strings.TrimSpace(rest) != "" {
			return "- " + strings.ReplaceAll(paragraph(rest), "\n", " ") + "\n"
		}
	}
	return paragraph(line)
}

// isHeading reports whether a line that stands alone is over what follows, rather than a sentence by itself.
func isHeading(line string) bool {
	const longest = 60
	return len([]rune(line)) <= longest && !strings.ContainsAny(line, "。．！!") && !strings.HasSuffix(line, ".") &&
		!strings.HasSuffix(line, ":") && !isItem(line)
}

// joinLines joins the lines of a paragraph: with a space, but for Japanese.
func joinLines(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 && !(endsWide(lines[i-1]) || beginsWide(line)) {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}
