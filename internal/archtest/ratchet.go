package archtest

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// A Measure is a count that the code should keep low.
type Measure string

// The measures. What counts too high today stands in the list of exceptions, which may only shrink.
const (
	// Branches is the cyclomatic number of a function, as gocyclo counts it, beside tests.
	Branches Measure = "branches"
	// Width is how many lines of a file are wider than [maxColumns].
	Width Measure = "width"
	// Regexp is 1 for a file of nodes, or of its rooms, that imports regexp: people's words are
	// read before, once.
	Regexp Measure = "regexp"
	// Literals is how many string literals of such a file are in a language people speak: words
	// stand in tables and templates.
	Literals Measure = "literals"
	// Patterns is how many regular expressions the packages of languages compile, together.
	Patterns Measure = "patterns"
)

const (
	// maxBranches is the highest cyclomatic number of a function.
	maxBranches = 20
	// maxColumns is how wide a line of Go may be.
	maxColumns = 120
	// tabColumns is what a tab counts in a line.
	tabColumns = 4
	// spokenWords is from how many English words on a literal counts as language.
	spokenWords = 3
)

// languageDirs are the folders that read and write language.
var languageDirs = []string{"nlu", "nodes", "grounding", "rag"}

// limit is how high the count may be without an exception.
func (m Measure) limit() int {
	if m == Branches {
		return maxBranches
	}
	return 0
}

// A Count says how high one measure is at one place.
type Count struct {
	Measure Measure
	Place   string // a file, or a folder and a function
	N       int
}

func compareCounts(a, b Count) int {
	return cmp.Or(strings.Compare(string(a.Measure), string(b.Measure)), strings.Compare(a.Place, b.Place))
}

// Ratchet counts the module at the root of fsys and returns what is over a limit, sorted.
func Ratchet(fsys fs.FS) ([]Count, error) {
	var r ratchet
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && foreign(fsys, name):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || ignored(name):
			return nil
		}
		return r.file(fsys, name)
	})
	if err != nil {
		return nil, err
	}
	r.add(Patterns, strings.Join(languageDirs, " "), r.patterns)
	slices.SortFunc(r.over, compareCounts)
	return r.over, nil
}

// A ratchet collects what is over a limit.
type ratchet struct {
	over     []Count
	patterns int
}

func (r *ratchet) add(m Measure, place string, n int) {
	if n > m.limit() {
		r.over = append(r.over, Count{m, place, n})
	}
}

func (r *ratchet) file(fsys fs.FS, name string) error {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("count: %w", err)
	}
	if ast.IsGenerated(file) {
		return nil
	}
	r.add(Width, name, wideLines(string(src)))
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			r.add(Branches, path.Dir(name)+" "+functionName(f), branches(f))
		}
	}
	if within(name, "nodes") {
		r.add(Regexp, name, regexpImports(file))
		r.add(Literals, name, spokenLiterals(file))
	}
	if slices.ContainsFunc(languageDirs, func(dir string) bool { return within(name, dir) }) {
		r.patterns += patterns(file)
	}
	return nil
}

func wideLines(src string) int {
	n := 0
	for line := range strings.Lines(src) {
		line = strings.TrimRight(line, "\r\n")
		if utf8.RuneCountInString(line)+(tabColumns-1)*strings.Count(line, "\t") > maxColumns {
			n++
		}
	}
	return n
}

// functionName is Name, or Type.Name for a method.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
		case *ast.IndexExpr:
			receiver = t.X
		case *ast.IndexListExpr:
			receiver = t.X
		case *ast.Ident:
			return t.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// branches is the cyclomatic number of a function with the literals in it.
func branches(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(len(node.List), 1)
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func regexpImports(file *ast.File) int {
	n := 0
	for _, spec := range file.Imports {
		if spec.Path.Value == `"regexp"` {
			n++
		}
	}
	return n
}

func patterns(file *ast.File) int {
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok && isCall(call, "regexp", "MustCompile", "Compile") {
			n++
		}
		return true
	})
	return n
}

// isCall reports whether a function of a package is called by one of its names.
func isCall(call *ast.CallExpr, from string, names ...string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && x.Name == from && slices.Contains(names, f.Sel.Name)
}

// spokenLiterals counts the literals that a person would say, or be told. Errors and what is logged
// are for those who run it.
func spokenLiterals(file *ast.File) int {
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			return !isForOperators(node)
		case *ast.Field:
			node.Tag = nil
		case *ast.BasicLit:
			if s, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING && isSpoken(s) {
				n++
			}
		}
		return true
	})
	return n
}

// isForOperators reports whether a call makes an error, logs or panics.
func isForOperators(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		switch f.Sel.Name {
		case "Errorf":
			return true
		case "New":
			return ok && x.Name == "errors"
		case "Debug", "Info", "Warn", "Error", "DebugContext", "InfoContext", "WarnContext", "ErrorContext", "LogAttrs":
			return true
		}
	}
	return false
}

// isSpoken reports whether a text has Japanese letters, or some English words that are all letters.
func isSpoken(s string) bool {
	if text.HasJapanese(s) {
		return true
	}
	words := 0
	for word := range strings.FieldsSeq(s) {
		word = strings.Trim(word, `.,;:!?"'()`)
		if word != "" && !strings.ContainsFunc(word, notInWord) {
			words++
		}
	}
	return words >= spokenWords
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }

// CheckRatchet returns what is wrong between the counts over a limit and the list of exceptions, a
// sentence each.
func CheckRatchet(counts, list []Count) []string {
	var problems []string
	listed := places(list)
	for _, c := range counts {
		allowed, known := listed[key(c)]
		if !known {
			allowed = c.Measure.limit()
		}
		if c.N > allowed {
			problems = append(problems, fmt.Sprintf("%s of %s: %d, and at most %d are allowed", c.Measure, c.Place, c.N, allowed))
		}
	}
	now := places(counts)
	for _, c := range list {
		if _, still := now[key(c)]; !still {
			problems = append(problems, fmt.Sprintf("%s of %s needs no exception: -update takes it out", c.Measure, c.Place))
		}
	}
	return problems
}

// Lower returns the list with every number as low as it is now, and without what is no longer over.
func Lower(list, counts []Count) []Count {
	now := places(counts)
	var out []Count
	for _, c := range list {
		if n, still := now[key(c)]; still {
			c.N = min(c.N, n)
			out = append(out, c)
		}
	}
	return out
}

// key is a count without its number.
func key(c Count) Count {
	c.N = 0
	return c
}

func places(counts []Count) map[Count]int {
	out := map[Count]int{}
	for _, c := range counts {
		out[key(c)] = c.N
	}
	return out
}

// ParseRatchet reads a list of exceptions: a measure, a number and a place a line. Lines that begin
// with "#" are left out.
func ParseRatchet(list string) ([]Count, error) {
	var out []Count
	lines := bufio.NewScanner(strings.NewReader(list))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, " ", 3)
		if len(fields) < 3 {
			return nil, fmt.Errorf("line %d is not a measure, a number and a place: %q", n, line)
		}
		count, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, Count{Measure(fields[0]), fields[2], count})
	}
	return out, lines.Err()
}

// FormatRatchet writes a list as [ParseRatchet] reads it.
func FormatRatchet(list []Count) string {
	var b strings.Builder
	b.WriteString("# What counts too high today: see ratchet.go. This list may only shrink:\n")
	b.WriteString("# `go test ./internal/archtest -update` shortens it.\n")
	for _, c := range list {
		fmt.Fprintf(&b, "%s %d %s\n", c.Measure, c.N, c.Place)
	}
	return b.String()
}
