package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// public are the packages that programs of others import.
var public = []string{
	"agent", "civil", "fault", "graph", "llm", "llm/langchain", "runs", "runs/mem", "runs/postgres", "runs/river",
	"runs/sqlite", "serve", "storage/mem", "storage/postgres", "storage/row", "storage/sqlite", "tools",
}

// known are the exported things that still have an internal type. The list may only get shorter.
var known = map[string]bool{}

// TestExported: nothing that programs of others can name has a type that they can't.
func TestExported(t *testing.T) {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export"}
	for _, p := range public {
		args = append(args, "./"+p)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = filepath.Join("..", "..")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, errs.Bytes())
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
	module := annai().Module
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
	for _, p := range public {
		pkg, err := load.Import(module + "/" + p)
		if err != nil {
			t.Fatal(err)
		}
		w := walk{pkg: pkg, internal: module + "/internal/", seen: map[types.Type]bool{}}
		for _, name := range pkg.Scope().Names() {
			if object := pkg.Scope().Lookup(name); object.Exported() {
				w.object(p+"."+name, object)
			}
		}
		for _, problem := range w.problems {
			if !known[problem] {
				t.Error(problem)
			}
		}
	}
}

// A walk looks at all types that can be named by way of a package.
type walk struct {
	pkg      *types.Package
	internal string
	seen     map[types.Type]bool
	problems []string
}

// object looks at an exported thing: of a type at its fields and methods too.
func (w *walk) object(at string, o types.Object) {
	name, ok := o.(*types.TypeName)
	if !ok {
		w.look(at, o.Type())
		return
	}
	named, ok := types.Unalias(name.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != w.pkg {
		w.look(at, name.Type())
		return
	}
	w.look(at, named.Underlying())
	for method := range named.Methods() {
		if method.Exported() {
			w.look(at+"."+method.Name(), method.Type())
		}
	}
}

// look looks for internal types in a type, and in those that it is made of.
func (w *walk) look(at string, t types.Type) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && strings.HasPrefix(p.Path(), w.internal) {
			w.problems = append(w.problems, at+" has the type "+t.String())
		}
		for argument := range t.TypeArgs().Types() {
			w.look(at, argument)
		}
	case *types.Alias:
		w.look(at, types.Unalias(t))
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				w.look(at+"."+field.Name(), field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			if method.Exported() {
				w.look(at+"."+method.Name(), method.Type())
			}
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				w.look(at, v.Type())
			}
		}
	case *types.Map:
		w.look(at, t.Key())
		w.look(at, t.Elem())
	case interface{ Elem() types.Type }: // pointers, lists, channels
		w.look(at, t.Elem())
	}
}
