package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ledongthuc/pdf"

	"annai/fault"
)

// Bounds of a PDF.
const (
	maxPages = 2000
	// pdfTime is how long one may take.
	pdfTime = 15 * time.Second
)

// readPDF reads the text of a PDF: a section for each page. A page is one passage or several,
// because a PDF does not say what is a heading.
func readPDF(ctx context.Context, f file) ([]part, []Problem) {
	if f.opts.PDF == nil {
		return nil, []Problem{problem(0, "PDF is read in a process of its own, and there is none here")}
	}
	ctx, cancel := context.WithTimeout(ctx, pdfTime)
	defer cancel()
	pages, err := f.opts.PDF(ctx, f.data)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, []Problem{problem(0, "reading it took too long")}
	case err != nil:
		return nil, []Problem{problem(0, "it can't be read as PDF: %s",
			strings.TrimSuffix(err.Error(), ": "+fault.ErrInvalid.Error()))}
	}
	var body strings.Builder
	for _, page := range pages {
		if text := plain(strings.ToValidUTF8(page, "")); strings.TrimSpace(text) != "" {
			body.WriteString(text + "\n")
		}
	}
	text := body.String()
	if strings.TrimSpace(text) == "" {
		return nil, []Problem{problem(0, "no text: the pages may be pictures")}
	}
	return []part{{front: f.complete(Front{}, text), body: text}}, nil
}

// pdfText returns the text of each page of a PDF. It bounds pages and text, and where the library,
// which is written for files that mean well, panics, the file is [fault.ErrInvalid]. But some files
// have it go on without end, or take all memory: see [IsolatedPDF].
func pdfText(ctx context.Context, data []byte) (pages []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			pages, err = nil, fmt.Errorf("it is damaged: %w", fault.ErrInvalid)
		}
	}()
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", firstLine(err), fault.ErrInvalid)
	}
	found, err := pagesOf(ctx, r.Trailer().Key("Root").Key("Pages"))
	if err != nil {
		return nil, err
	}
	size := 0
	for n, page := range found {
		text, err := pageText(ctx, page, maxText-size)
		if err != nil {
			return nil, fmt.Errorf("page %d: %w", n+1, err)
		}
		size += len(text)
		pages = append(pages, text)
	}
	return pages, nil
}

// Bounds of the tree of pages, which may lead in a circle.
const (
	maxDepth = 32
	maxNodes = 4 * maxPages
)

// pagesOf returns the pages of a tree, in order. The library's own way to them does not end where
// the tree has a circle.
func pagesOf(ctx context.Context, root pdf.Value) ([]pdf.Value, error) {
	var pages []pdf.Value
	nodes := 0
	var walk func(node pdf.Value, depth int) error
	walk = func(node pdf.Value, depth int) error {
		switch nodes++; {
		case ctx.Err() != nil:
			return ctx.Err()
		case len(pages) > maxPages, nodes > maxNodes, depth > maxDepth:
			return fmt.Errorf("it has more than %d pages, or they are in a tree without end: %w", maxPages,
				fault.ErrInvalid)
		case node.Key("Type").Name() == "Page":
			pages = append(pages, node)
			return nil
		}
		kids := node.Key("Kids")
		for i := range kids.Len() {
			if err := walk(kids.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return pages, walk(root, 0)
}

// firstLine is what an error of the library says, without what it dumps.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.ToValidUTF8(string([]rune(line)[:min(len([]rune(line)), 200)]), "?")
}
