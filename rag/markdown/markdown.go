// Package markdown reads knowledge documents: Markdown with front matter becomes passages, one for each section of a
// heading, or several where a section is long.
//
// Its one idea: a passage must read well aloud and on its own, so everything that is only there for
// the eye goes: links, emphasis, list marks, tables. The package knows no retrieval and no venue.
//
// A document begins with front matter between two lines of "---": title, lang (ja or en) and category are required;
// source, updatedAt, validFrom, validUntil (2006-01-02) and pair may follow. Documents with the same pair, one in each
// language, say the same: their passages are paired section by section, if both have as many sections with text and the
// section became as many passages in both.
package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"annai/fault"
	"annai/rag"
)

// A Problem is why a document, or the pairing of two, was left out. It is an error of the kind [fault.ErrInvalid], or
// [fault.ErrNotFound] where the file is not there.
type Problem struct {
	// File is the path as Passage.Document would have it.
	File string
	// Line counts from 1; 0 is the file as a whole.
	Line   int
	Reason string
	kind   error
}

// Error returns "file:line: reason".
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Reason
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Reason)
}

// Unwrap returns the kind of failure.
func (p Problem) Unwrap() error { return p.kind }

func problem(line int, format string, args ...any) *Problem {
	return &Problem{Line: line, Reason: fmt.Sprintf(format, args...), kind: fault.ErrInvalid}
}

// Load reads documents. Each path is a file, or a directory whose *.md files are read, with those
// of the directories in it. What can't be read is named by a problem, and the rest is returned, in
// the order of the paths, files of a directory by name. A file that is named twice is read once.
func Load(fsys fs.FS, paths []string) ([]rag.Passage, []Problem) {
	files, problems := list(fsys, paths)
	var documents []document
	for _, file := range files {
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			problems = append(problems, unreadable(file, err))
			continue
		}
		d, p := parse(file, data)
		if p != nil {
			p.File = file
			problems = append(problems, *p)
			continue
		}
		documents = append(documents, d)
	}
	problems = append(problems, pair(documents)...)
	var passages []rag.Passage
	for _, d := range documents {
		for _, s := range d.sections {
			passages = append(passages, s.passages...)
		}
	}
	return passages, problems
}

// list returns the files that the paths mean, each once.
func list(fsys fs.FS, paths []string) ([]string, []Problem) {
	var files []string
	var problems []Problem
	for _, p := range paths {
		p = path.Clean(p)
		err := fs.WalkDir(fsys, p, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				problems = append(problems, unreadable(name, err))
			case !entry.IsDir() && (name == p || path.Ext(name) == ".md") && !slices.Contains(files, name):
				files = append(files, name)
			}
			return nil
		})
		if err != nil {
			problems = append(problems, unreadable(p, err))
		}
	}
	return files, problems
}

func unreadable(file string, err error) Problem {
	kind := fault.ErrInvalid
	if errors.Is(err, fs.ErrNotExist) {
		kind = fault.ErrNotFound
	}
	return Problem{File: file, Reason: err.Error(), kind: kind}
}

// A document is one file, read.
type document struct {
	front    frontMatter
	file     string
	sections []section
	paired   bool
}

// A section is what stands under one heading.
type section struct {
	line     int
	passages []rag.Passage
}

// parse reads one file. The problem has no file yet.
func parse(file string, data []byte) (document, *Problem) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := invalidLine(data); i > 0 {
		return document{}, problem(i, "not UTF-8")
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	front, body, p := readFront(lines)
	if p != nil {
		return document{}, p
	}
	d := document{front: front, file: file}
	for _, raw := range sections(lines, body, front.Lang) {
		d.addSection(raw)
	}
	if len(d.sections) == 0 {
		return document{}, problem(len(lines), "no text")
	}
	return d, nil
}

// invalidLine returns the line of the first byte that is not UTF-8, or 0.
func invalidLine(data []byte) int {
	if utf8.Valid(data) {
		return 0
	}
	for i, line := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(line) {
			return i + 1
		}
	}
	return 0
}

// addSection appends the passages of one section. Their ids are path#section, or path#section.part.
func (d *document) addSection(raw rawSection) {
	s := section{line: raw.line}
	texts := split(raw.blocks, d.front.Lang)
	for i, text := range texts {
		place := fmt.Sprint(len(d.sections))
		if len(texts) > 1 {
			place += "." + fmt.Sprint(i)
		}
		s.passages = append(s.passages, rag.Passage{
			ID: d.file + "#" + place, Document: d.file, Title: title(d.front.Title, raw.headings), Text: text,
			Lang: d.front.Lang, Category: d.front.Category, Source: d.front.Source,
			UpdatedAt: d.front.updatedAt, ValidFrom: d.front.validFrom, ValidUntil: d.front.validUntil,
		})
	}
	if len(texts) > 0 {
		d.sections = append(d.sections, s)
	}
}

// title puts the headings after the document's title, without repeating it.
func title(document string, headings []string) string {
	parts := []string{document}
	for _, h := range headings {
		if h != "" && h != parts[len(parts)-1] {
			parts = append(parts, h)
		}
	}
	return strings.Join(parts, rag.TitleSeparator)
}
