// Package archtest holds the arrows between our packages as two tables, and its test fails when an import breaks one.
//
// The one idea: [Folders] has a line per folder with what it may import of ours, [Libraries] a line per outside library with the one
// folder that may import it. What no line allows is forbidden, so a new top-level folder and a new library each need a line here, which
// a reviewer sees. Tests may import more: see [Check].
//
// The package reads import lines only. It knows no build tags and no types.
package archtest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Package is a folder of Go files and what they import, by path.
type Package struct {
	Dir         string   // relative to the module's root, with slashes
	Imports     []string // of the files that are no tests
	TestImports []string // of the _test.go files
}

// Folder is a line of the table of our own folders.
type Folder struct {
	// Dir is a folder; the line also holds for folders below it that have no line of their own.
	Dir string
	// May lists the folders of ours that it may import: "nlu" is that package alone, "nlu/..." also all below, "..." everything.
	// A folder may always import what shares its line.
	May []string
	// BackEnd says that only folders that wire, and tests, may import it.
	BackEnd bool
	// Wires says that it puts programs together, and so may know back ends.
	Wires bool
	// Suite says that it is for tests: only they may import it, and it may import libraries for tests.
	Suite bool
	// Not lists packages of the standard library that would let something in that the folder must not know.
	Not []string
}

// Library is a line of the table of outside libraries.
type Library struct {
	// Path is the start of the import path.
	Path string
	// Homes are the folders, with all below them, that may import it; one, unless a comment in the table says why.
	Homes []string
	// Tests says that any test and every [Folder.Suite] may import it.
	Tests bool
}

// Rules are the two tables, and the name of our module.
type Rules struct {
	Module    string
	Folders   []Folder
	Libraries []Library
}

// Check returns what breaks the rules, a sentence each, sorted. Tests may import every package of ours (a conformance suite, a
// back end to try something on), but an outside library only at its home or where its line allows tests.
func (r Rules) Check(packages []Package) []string {
	var problems []string
	for _, p := range packages {
		folder, ok := r.folder(p.Dir)
		if !ok {
			problems = append(problems, fmt.Sprintf("%s has no line in the table of folders", p.Dir))
			continue
		}
		for _, imported := range p.Imports {
			if why := r.forbids(folder, p.Dir, imported); why != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", p.Dir, imported, why))
			}
		}
		for _, imported := range p.TestImports {
			if why := r.forbidsTest(p.Dir, imported); why != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s in a test: %s", p.Dir, imported, why))
			}
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

// folder returns the line for dir: of those at it or above it, the one with the longest path.
func (r Rules) folder(dir string) (Folder, bool) {
	var best Folder
	found := false
	for _, f := range r.Folders {
		if within(dir, f.Dir) && (!found || len(f.Dir) > len(best.Dir)) {
			best, found = f, true
		}
	}
	return best, found
}

// forbids says why code in folder, at dir, must not import the path, or returns "".
func (r Rules) forbids(folder Folder, dir, imported string) string {
	own, isOurs := r.ours(imported)
	switch {
	case isOurs && r.may(folder, own):
		return ""
	case isOurs:
		return folder.Dir + " may not import it"
	case outside(imported):
		return r.homeless(dir, imported, folder.Suite)
	case slices.ContainsFunc(folder.Not, func(not string) bool { return within(imported, not) }):
		return folder.Dir + " must not know it"
	default:
		return ""
	}
}

// may reports whether code in folder may import our package at own.
func (r Rules) may(folder Folder, own string) bool {
	line, ok := r.folder(own)
	return ok && line.Dir == folder.Dir || slices.ContainsFunc(folder.May, func(may string) bool { return matches(own, may) })
}

func (r Rules) forbidsTest(dir, imported string) string {
	if _, ok := r.ours(imported); ok || !outside(imported) {
		return ""
	}
	return r.homeless(dir, imported, true)
}

// homeless says why the outside library is not at home in dir, or returns "".
func (r Rules) homeless(dir, imported string, test bool) string {
	var best Library
	for _, l := range r.Libraries {
		if within(imported, l.Path) && len(l.Path) > len(best.Path) {
			best = l
		}
	}
	switch {
	case best.Path == "":
		return "it has no line in the table of libraries"
	case test && best.Tests, slices.ContainsFunc(best.Homes, func(home string) bool { return within(dir, home) }):
		return ""
	case len(best.Homes) == 0:
		return "it is for tests only"
	default:
		return "its home is " + strings.Join(best.Homes, ", ")
	}
}

// ours returns the folder of an import path of our module.
func (r Rules) ours(imported string) (string, bool) {
	if imported == r.Module {
		return ".", true
	}
	return strings.CutPrefix(imported, r.Module+"/")
}

// outside tells an outside library from the standard one, whose first element has no dot. ("C" is cgo, which we build without.)
func outside(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return strings.Contains(first, ".") || first == "C"
}

// within reports whether the slash-separated path is at or below folder.
func within(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, folder+"/")
}

// matches reports whether dir is what a [Folder.May] pattern names.
func matches(dir, pattern string) bool {
	if below, ok := strings.CutSuffix(pattern, "..."); ok {
		return below == "" || within(dir, path.Clean(below))
	}
	return dir == pattern
}
