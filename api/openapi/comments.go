package openapi

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
)

// readComments returns the comments of the types ("Card") and fields ("Card.When", by the name in Go) in the Go files of source,
// each as one line.
func readComments(source fs.FS) (map[string]string, error) {
	files, err := fs.Glob(source, "*.go")
	if err != nil {
		return nil, fmt.Errorf("list the Go files of the contract: %w", err)
	}
	comments := map[string]string{}
	for _, name := range files {
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return nil, fmt.Errorf("read the comments of the contract: %w", err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("read the comments of the contract: %w", err)
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				commentsOf(d, comments)
			}
		}
	}
	return comments, nil
}

func commentsOf(d *ast.GenDecl, comments map[string]string) {
	for _, spec := range d.Specs {
		t := spec.(*ast.TypeSpec)
		comments[t.Name.Name] = oneLine(d.Doc)
		fields, ok := t.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range fields.Fields.List {
			for _, name := range f.Names {
				comments[t.Name.Name+"."+name.Name] = oneLine(f.Doc)
			}
		}
	}
}

// oneLine joins a comment's lines and takes the brackets off its links.
func oneLine(doc *ast.CommentGroup) string {
	text := strings.Join(strings.Fields(doc.Text()), " ")
	return strings.NewReplacer("[", "", "]", "").Replace(text)
}
