package documents

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"annai/internal/strictyaml"
)

// A collection is a YAML file: passages, and what they all say about themselves if they say nothing else.
type collection struct {
	Front    `yaml:",inline"`
	Passages []entry `yaml:"passages"`
}

// An entry is a passage of a collection. Its text is plain, not Markdown.
type entry struct {
	Front `yaml:",inline"`
	ID    string `yaml:"id"`
	Text  string `yaml:"text"`
}

// readYAML reads a collection. An id makes the passage's own id stable, a pair names the passage
// that says the same in the other language.
func readYAML(_ context.Context, f file) ([]part, []Problem) {
	text, p := decode(f.data, "")
	if p != nil {
		return nil, []Problem{*p}
	}
	var c collection
	if err := strictyaml.Decode([]byte(text), &c); err != nil {
		return nil, []Problem{yamlProblem(err)}
	}
	if len(c.Passages) == 0 {
		return nil, []Problem{problem(1, "no passages: the file needs a list of that name, each with a text")}
	}
	lines := entryLines(text, len(c.Passages))
	var parts []part
	var problems []Problem
	for i, e := range c.Passages {
		if strings.TrimSpace(e.Text) == "" {
			problems = append(problems, problem(lines[i], "passage %d has no text", i+1))
			continue
		}
		parts = append(parts, f.row(e.Front.over(c.Front), e.ID, plain(e.Text), e.Text, lines[i]))
	}
	return parts, problems
}

// row makes a part that stands by itself.
func (f file) row(front Front, id, body, text string, line int) part {
	p := part{front: f.complete(front, text), body: body, line: line, alone: true}
	if id = strings.TrimSpace(id); id != "" {
		p.id = strings.Join(strings.Fields(strings.Map(dropControl, id)), "-")
	}
	return p
}

// listItem is a line that begins an item of the list of passages.
var listItem = regexp.MustCompile(`^(\s*)-(\s|$)`)

// entryLines finds the lines in which the n passages begin. Where it can't, they are 0: the file as a whole.
func entryLines(text string, n int) []int {
	var lines []int
	indent, inside := -1, false
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(line, "passages:") {
			inside = true
		}
		m := listItem.FindStringSubmatch(line)
		if !inside || m == nil {
			continue
		}
		if indent < 0 {
			indent = len(m[1])
		}
		if len(m[1]) == indent {
			lines = append(lines, number)
		}
	}
	if len(lines) != n {
		return make([]int, n)
	}
	return lines
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// yamlProblem makes a problem of an error of package strictyaml, with the line that it names.
func yamlProblem(err error) Problem {
	text := strings.TrimSuffix(err.Error(), ": invalid")
	first, _, _ := strings.Cut(text, "\n")
	line := 1
	if m := yamlLine.FindStringSubmatch(first); m != nil {
		line, _ = strconv.Atoi(m[1])
		first = first[len(m[0]):]
	}
	return problem(line, "%s", fmt.Sprint(strings.ToValidUTF8(first, "?")))
}
