package documents

import (
	"context"
	"strings"

	"annai/internal/strictyaml"
)

// readMarkdown reads Markdown. Front matter is as package markdown wants it; a file that does not
// begin with it gets one from its name and its first heading.
func readMarkdown(_ context.Context, f file) ([]part, []Problem) {
	text, p := decode(f.data, "")
	if p != nil {
		return nil, []Problem{*p}
	}
	front, body, line, p := splitFront(text)
	if p != nil {
		return nil, []Problem{*p}
	}
	body = uncomment(body)
	if line == 1 {
		front.Title = firstHeading(body)
		front = f.complete(front, body)
	}
	return []part{{front: front, body: body, line: line, exact: true}}, nil
}

// splitFront cuts the front matter off a text; what follows begins in that line. Without any it begins in line 1.
func splitFront(text string) (front Front, body string, line int, p *Problem) {
	lines := strings.SplitAfter(text, "\n")
	if strings.TrimRight(lines[0], " \t\n") != "---" {
		return front, text, 1, nil
	}
	end := 1
	for end < len(lines) && strings.TrimRight(lines[end], " \t\n") != "---" {
		end++
	}
	if end == len(lines) {
		p := problem(1, "the front matter does not end: a second line of --- is missing")
		return front, "", 0, &p
	}
	header := strings.Join(lines[1:end], "")
	// The blank line in place of the first --- makes the line numbers of errors those of the file.
	if err := strictyaml.Decode([]byte("\n"+header), &front); err != nil {
		p := yamlProblem(err)
		return front, "", 0, &p
	}
	if p := checkFront(front, lines[:end]); p != nil {
		return front, "", 0, p
	}
	return front, strings.Join(lines[end+1:], ""), end + 2, nil
}

// checkFront names the keys that a document with front matter must have.
func checkFront(front Front, lines []string) *Problem {
	for _, required := range []struct{ key, value string }{
		{"title", front.Title},
		{"lang", front.Lang},
		{"category", front.Category},
	} {
		if strings.TrimSpace(required.value) == "" {
			p := problem(lineOfKey(lines, required.key), "%s is missing in the front matter", required.key)
			return &p
		}
	}
	return nil
}

// lineOfKey returns the line in which a key of front matter stands, or else the first.
func lineOfKey(lines []string, key string) int {
	for i, line := range lines {
		if strings.HasPrefix(line, key+":") {
			return i + 1
		}
	}
	return 1
}

// uncomment blanks out HTML comments, keeping the count of lines.
func uncomment(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!--")
		inside, after, ended := strings.Cut(rest, "-->")
		if !found || !ended {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		b.WriteString(strings.Repeat("\n", strings.Count(inside, "\n")))
		text = after
	}
}

// firstHeading returns the text of the first heading of Markdown, or "".
func firstHeading(text string) string {
	for line := range strings.Lines(text) {
		if rest := strings.TrimLeft(line, "#"); len(rest) < len(line) && strings.HasPrefix(rest, " ") {
			return strings.Trim(strings.TrimSpace(rest), "# ")
		}
	}
	return ""
}
