// Package documents reads an operator's files as passages: Markdown, YAML, CSV, plain text, HTML and the text of PDF.
//
// Its one idea: every format is turned into Markdown, section by section, and package markdown cuts
// all of them at headings and sentences in the same way. Files are hostile until they are read:
// each is bounded in size, and one that can't be read is named by problems and leaves nothing
// behind. The package knows no store and no retrieval.
package documents

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"annai/fault"
	"annai/rag"
)

// A Document is one file, read.
type Document struct {
	// Name is what its passages call it, with slashes.
	Name string
	// Pair is the pair of the whole document; empty where there is none, or where each section has its own.
	Pair     string
	Sections []Section
}

// A Section is what stands under one heading, or a row of a table of passages.
type Section struct {
	// Pair is the same for sections that say the same in the two languages. Empty has no other.
	Pair string
	// Passages have no Pair yet: see package corpus.
	Passages []rag.Passage
}

// Passages returns those of all sections, in order.
func (d Document) Passages() []rag.Passage {
	var out []rag.Passage
	for _, s := range d.Sections {
		out = append(out, s.Passages...)
	}
	return out
}

// A Problem is why a file was left out. It is an error of one of the kinds of package fault.
type Problem struct {
	File string
	// Line counts from 1; 0 is the file as a whole.
	Line   int
	Reason string
	kind   error
}

// Error returns "file:line: reason". A name that can't be printed is quoted.
func (p Problem) Error() string {
	file := p.File
	if !printable(file) {
		file = strconv.QuoteToGraphic(file)
	}
	if p.Line == 0 {
		return file + ": " + p.Reason
	}
	return fmt.Sprintf("%s:%d: %s", file, p.Line, p.Reason)
}

// Unwrap returns the kind of failure.
func (p Problem) Unwrap() error { return p.kind }

// problem is one of what was given, whose file is not known yet.
func problem(line int, format string, args ...any) Problem {
	return Problem{Line: line, Reason: fmt.Sprintf(format, args...), kind: fault.ErrInvalid}
}

// Options are the settings of [Read] that have a default.
type Options struct {
	// Lang, Category and Source are those of documents that do not say. Without Lang the name of
	// the file says it (hours.ja.txt), or else the script of the text; without Category it is
	// "general".
	Lang, Category, Source string
	// PDF returns the text of each page: see [IsolatedPDF]. Nil refuses PDFs.
	PDF func(ctx context.Context, data []byte) ([]string, error)
}

// The sizes of files, in bytes.
const (
	// MaxFile is what a file may have.
	MaxFile = 32 << 20
	// maxText is what may be text of it.
	maxText = 4 << 20
	// maxTitle is what a title may have, in characters.
	maxTitle = 300
	// maxParts is how many passages that stand by themselves a file may have.
	maxParts = 100_000
	// maxProblems is how many are told of one file.
	maxProblems = 20
)

// A format turns the content of a file into parts.
type format func(ctx context.Context, f file) ([]part, []Problem)

// A file is what is being read.
type file struct {
	name string
	data []byte
	opts Options
}

// A part is Markdown with what is said about it.
type part struct {
	front Front
	body  string
	// line is where it begins in the file.
	line int
	// id is its place in the document. Empty counts the sections.
	id string
	// exact says that the lines of the body are those of the file.
	exact bool
	// alone says that front.Pair is of this part and not of the whole document.
	alone bool
}

// formats are by the ending of a name, in lower case.
var formats = map[string]format{
	".md": readMarkdown, ".markdown": readMarkdown, ".txt": readText, ".text": readText, ".yaml": readYAML,
	".yml": readYAML,
	".csv": readCSV, ".tsv": readCSV, ".html": readHTML, ".htm": readHTML, ".xhtml": readHTML, ".pdf": readPDF,
}

// Endings are those of the names of files that can be read, for people.
const Endings = ".md, .txt, .html, .yaml, .csv, .tsv and .pdf"

// Known reports whether the ending of a name is that of a format.
func Known(name string) bool { return formats[strings.ToLower(path.Ext(name))] != nil }

// Read reads one file, whose name says its format. Either the document has passages or there are
// problems. A context that ends is a problem of the kind [fault.ErrUnavailable].
func Read(ctx context.Context, name string, data []byte, opts Options) (Document, []Problem) {
	d, problems := read(ctx, name, data, opts)
	for i := range problems {
		problems[i].File = name
	}
	if len(problems) > 0 {
		return Document{}, problems[:min(len(problems), maxProblems)]
	}
	return d, nil
}

func read(ctx context.Context, name string, data []byte, opts Options) (Document, []Problem) {
	format := formats[strings.ToLower(path.Ext(name))]
	switch {
	case format == nil:
		return Document{}, []Problem{problem(0, "annai reads no files with this ending, only %s", Endings)}
	case !printable(name):
		return Document{}, []Problem{problem(0, "its name has characters that can't be printed; rename it")}
	case len(data) > MaxFile:
		return Document{}, []Problem{problem(0, "larger than %d MiB", MaxFile>>20)}
	case len(strings.TrimSpace(string(data[:min(len(data), 64)]))) == 0 && len(strings.TrimSpace(string(data))) == 0:
		return Document{}, []Problem{problem(0, "the file is empty")}
	}
	parts, problems := format(ctx, file{name: name, data: data, opts: opts})
	if len(problems) > 0 {
		return Document{}, problems
	}
	if len(parts) > maxParts {
		return Document{}, []Problem{problem(0, "it has %d passages, more than %d; cut it into several files",
			len(parts), maxParts)}
	}
	return assemble(ctx, name, parts)
}

// assemble cuts the parts into passages.
func assemble(ctx context.Context, name string, parts []part) (Document, []Problem) {
	d := Document{Name: name}
	var problems []Problem
	ids := map[string]int{}
	for _, p := range parts {
		if err := ctx.Err(); err != nil {
			return d, []Problem{{Reason: "stopped: " + err.Error(), kind: fault.ErrUnavailable}}
		}
		sections, wrong := p.cut(name)
		problems = append(problems, wrong...)
		if len(problems) >= maxProblems {
			break
		}
		if !p.alone {
			d.Pair = p.front.Pair
		}
		for _, s := range sections {
			problems = append(problems, d.add(s, p, ids)...)
		}
	}
	if len(d.Sections) == 0 && len(problems) == 0 {
		problems = append(problems, problem(0, "no text"))
	}
	return d, problems
}

// add appends a section, with the ids that its passages have in this document.
func (d *Document) add(passages []rag.Passage, p part, ids map[string]int) []Problem {
	place := p.id
	if place == "" {
		place = strconv.Itoa(len(d.Sections))
	}
	if line := ids[place]; line > 0 && p.id != "" {
		return []Problem{problem(p.line, "the id %q is there twice, first in line %d", p.id, line)}
	}
	ids[place] = p.line
	s := Section{Passages: passages}
	switch {
	case p.front.Pair == "":
	case p.alone:
		s.Pair = p.front.Pair
	default:
		s.Pair = fmt.Sprintf("%s#%d", p.front.Pair, len(d.Sections))
	}
	for i := range passages {
		passages[i].ID = d.Name + "#" + place
		if len(passages) > 1 {
			passages[i].ID += "." + strconv.Itoa(i)
		}
		passages[i].Document = d.Name
	}
	d.Sections = append(d.Sections, s)
	return nil
}

// Version is that of how files are read: where it differs, the same file may become other passages.
const Version = 1

// NameTaken is the problem of a file whose passages would have the names of those of another, at that path.
func NameTaken(name, owner string) Problem {
	p := problem(0, "%s was ingested under the same name; rename this one, or the folder that it is in", owner)
	p.File = name
	return p
}

// NothingToFind is the problem of a file with a passage that no question can find, as the error says.
func NothingToFind(name string, err error) Problem {
	p := problem(0, "a passage has no word that could be searched for: %s",
		strings.TrimSuffix(err.Error(), ": "+fault.ErrInvalid.Error()))
	p.File = name
	return p
}
