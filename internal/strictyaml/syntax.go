package strictyaml

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// syntaxWindow is how many lines from the one that the library names are looked at for the text
// that is at fault.
const (
	syntaxWindow = 20
	// maxTries and maxTried bound the work: how many texts are tried in quotes, and in how large a
	// document.
	maxTries = 100
	maxTried = 200_000
)

var (
	lineNumber = regexp.MustCompile(`^line (\d+): `)
	// textBegins and textEnds are where a text without quotes may begin and end in its line.
	textBegins = regexp.MustCompile(`: +|- +|[\[{,] *`)
	textEnds   = regexp.MustCompile(`[,\]}]|$`)
)

// syntax says in words of the file why data, for which the library has these words, is no YAML.
// Where a text is at fault that would be right in quotes, that is what it says.
func syntax(words string, data []byte) string {
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	reported := lineOf(words)
	tries := 0
	for n := max(1, reported-1); n <= min(len(lines), reported+syntaxWindow) && len(data) <= maxTried; n++ {
		for _, text := range unquoted(lines[n-1]) {
			if tries++; tries > maxTries {
				break
			}
			if helps(lines, n, text, reported) {
				return fmt.Sprintf("line %d: quote this text: \"%s\"", n, text)
			}
		}
	}
	// The library's parser counts lines from zero, its scanner from one.
	if strings.Contains(words, ": did not find expected ") {
		words = lineNumber.ReplaceAllString(words, "")
		return fmt.Sprintf("line %d: %s", min(reported+1, len(lines)), words)
	}
	return words
}

// lineOf is the line that words of the library name; 0 for none.
func lineOf(words string) int {
	m := lineNumber.FindStringSubmatch(words)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}

// unquoted are the texts that a line may have without quotes, the shortest first.
func unquoted(line string) []string {
	var texts []string
	for _, begin := range textBegins.FindAllStringIndex(line, maxTries) {
		rest := line[begin[1]:]
		for _, end := range textEnds.FindAllStringIndex(rest, maxTries) {
			text := strings.TrimSpace(rest[:end[0]])
			if text != "" && !strings.ContainsAny(text, `"'`) && !strings.ContainsAny(text[:1], "[{") {
				texts = append(texts, text)
			}
		}
	}
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return slices.Compact(texts)
}

// helps reports whether the lines can be read, or further than up to the line that was reported,
// with text in quotes in line n.
func helps(lines []string, n int, text string, reported int) bool {
	quoted := slices.Clone(lines)
	i := strings.LastIndex(quoted[n-1], text)
	quoted[n-1] = quoted[n-1][:i] + strconv.Quote(text) + quoted[n-1][i+len(text):]
	var document yaml.Node
	err := yaml.Unmarshal([]byte(strings.Join(quoted, "\n")), &document)
	return err == nil || lineOf(strings.TrimPrefix(err.Error(), "yaml: ")) > reported
}
