package archtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestArrows is the check of this repository.
func TestArrows(t *testing.T) {
	root := os.DirFS(filepath.Join("..", ".."))
	packages, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(packages, func(p Package) bool { return p.Dir == "internal/archtest" }) {
		t.Fatal("Load(the repository) does not find this package")
	}
	for _, problem := range annai().Check(packages) {
		t.Error(problem)
	}
}

// TestTables guards the rules themselves: what they promise in general must hold for each line.
func TestTables(t *testing.T) {
	rules := annai()
	seen := map[string]bool{}
	for _, f := range rules.Folders {
		if seen[f.Dir] {
			t.Errorf("%s has two lines", f.Dir)
		}
		seen[f.Dir] = true
		for _, other := range rules.Folders {
			switch {
			case other.Dir == f.Dir || !rules.may(f, other.Dir) || f.Dir == "cmd":
			case other.BackEnd && !f.Wires:
				t.Errorf("%s may import the back end %s, and does not wire", f.Dir, other.Dir)
			case other.Suite:
				t.Errorf("%s may import the suite %s: only tests may", f.Dir, other.Dir)
			case rules.may(other, f.Dir):
				t.Errorf("%s and %s may import each other", f.Dir, other.Dir)
			}
		}
	}
	for _, l := range rules.Libraries {
		if seen[l.Path] {
			t.Errorf("%s has two lines", l.Path)
		}
		seen[l.Path] = true
		if len(l.Homes) == 0 && !l.Tests {
			t.Errorf("%s has no home", l.Path)
		}
	}
}

func TestCheck(t *testing.T) {
	rules := Rules{
		Module: "m",
		Folders: []Folder{
			{Dir: "engine", Not: []string{"net/http"}},
			{Dir: "store", May: []string{"engine"}},
			{Dir: "store/disk", May: []string{"engine", "store"}},
			{Dir: "engine/suite", Suite: true, May: []string{"engine"}},
			{Dir: "door", May: []string{"engine/..."}},
			{Dir: "main", May: []string{"..."}},
		},
		Libraries: []Library{
			{Path: "x.org/db", Homes: []string{"store/disk"}},
			{Path: "x.org/db/ui", Homes: []string{"door"}},
			{Path: "x.org/cmp", Tests: true},
		},
	}
	for _, test := range []struct {
		name string
		p    Package
		want string // "" is allowed
	}{
		{"the standard library", Package{Dir: "engine", Imports: []string{"context", "encoding/json"}}, ""},
		{"what shares the line", Package{Dir: "engine/parts", Imports: []string{"m/engine", "m/engine/other"}}, ""},
		{"a child its parent", Package{Dir: "store/disk", Imports: []string{"m/store", "m/engine"}}, ""},
		{"a library at home", Package{Dir: "store/disk/v2", Imports: []string{"x.org/db", "x.org/db/driver"}}, ""},
		{"all below", Package{Dir: "door", Imports: []string{"m/engine", "m/engine/parts"}}, ""},
		{"a suite a library for tests", Package{Dir: "engine/suite", Imports: []string{"testing", "m/engine", "x.org/cmp"}}, ""},
		{"a test a suite", Package{Dir: "store", TestImports: []string{"m/engine/suite"}}, ""},
		{"everything", Package{Dir: "main/app", Imports: []string{"m/store/disk", "m/door"}}, ""},
		{"a test any package of ours", Package{Dir: "engine", TestImports: []string{"m/store/disk", "net/http"}}, ""},
		{"a test a library for tests", Package{Dir: "engine", TestImports: []string{"x.org/cmp/opts"}}, ""},

		{"a folder without a line", Package{Dir: "utils"}, "utils has no line in the table of folders"},
		{"a name that only begins like a line", Package{Dir: "engineer"}, "engineer has no line in the table of folders"},
		{"upwards", Package{Dir: "engine", Imports: []string{"m/store"}}, "engine imports m/store: engine may not import it"},
		{"a parent its child", Package{Dir: "store", Imports: []string{"m/store/disk"}}, "store imports m/store/disk: store may not import it"},
		{"a package that does not exist", Package{Dir: "store", Imports: []string{"m/none"}}, "store imports m/none: store may not import it"},
		{"the module's root", Package{Dir: "store", Imports: []string{"m"}}, "store imports m: store may not import it"},
		{"below what is allowed", Package{Dir: "store", Imports: []string{"m/door"}}, "store imports m/door: store may not import it"},
		{"a forbidden part of the standard library", Package{Dir: "engine/parts", Imports: []string{"net/http/httptest"}}, "engine/parts imports net/http/httptest: engine must not know it"},
		{"a library away from home", Package{Dir: "door", Imports: []string{"x.org/db"}}, "door imports x.org/db: its home is store/disk"},
		{"a library within a library", Package{Dir: "store/disk", Imports: []string{"x.org/db/ui"}}, "store/disk imports x.org/db/ui: its home is door"},
		{"a suite a library away from home", Package{Dir: "engine/suite", Imports: []string{"x.org/db"}}, "engine/suite imports x.org/db: its home is store/disk"},
		{"a suite outside tests", Package{Dir: "store", Imports: []string{"m/engine/suite"}}, "store imports m/engine/suite: store may not import it"},
		{"a new library", Package{Dir: "main", Imports: []string{"y.org/new"}}, "main imports y.org/new: it has no line in the table of libraries"},
		{"a name that only begins like a library", Package{Dir: "store/disk", Imports: []string{"x.org/dbx"}}, "store/disk imports x.org/dbx: it has no line in the table of libraries"},
		{"cgo", Package{Dir: "engine", Imports: []string{"C"}}, "engine imports C: it has no line in the table of libraries"},
		{"a library for tests elsewhere", Package{Dir: "engine", Imports: []string{"x.org/cmp"}}, "engine imports x.org/cmp: it is for tests only"},
		{"a test a library away from home", Package{Dir: "engine", TestImports: []string{"x.org/db"}}, "engine imports x.org/db in a test: its home is store/disk"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want []string
			if test.want != "" {
				want = []string{test.want}
			}
			if diff := cmp.Diff(want, rules.Check([]Package{test.p})); diff != "" {
				t.Errorf("Check(%+v) (-want +got):\n%s", test.p, diff)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, src := range map[string]string{
		"a/one.go":              "package a\n\nimport (\n\t\"fmt\"\n\tx \"m/b\"\n)\n\nthis is never parsed\n",
		"a/two.go":              "package a\n\nimport \"fmt\"\n",
		"a/tagged.go":           "//go:build never\n\npackage a\n\nimport `hidden.org/x`\n",
		"a/a_test.go":           "package a_test\n\nimport \"testing\"\n",
		"a/testdata/t.go":       "package t\n\nimport \"wrong\"\n",
		"a/_scratch.go":         "not Go",
		"a/.hidden.go":          "not Go",
		"a/readme.md":           "not Go",
		"nested/go.mod":         "module nested\n",
		"nested/n/n.go":         "package n\n\nimport \"wrong\"\n",
		"node_modules/x/x.go":   "package x\n\nimport \"wrong\"\n",
		"root.go":               "package root\n",
		"go.mod":                "module m\n",
		"deep/down/here/d.go":   "package here\n",
		".git/hooks/sample.go":  "package sample\n",
		"web/vendor/v/thing.go": "package thing\n",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(src)}
	}
	got, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	want := []Package{
		{Dir: "."},
		{Dir: "a", Imports: []string{"fmt", "hidden.org/x", "m/b"}, TestImports: []string{"testing"}},
		{Dir: "deep/down/here"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
	fsys["a/broken.go"] = &fstest.MapFile{Data: []byte("import")}
	if _, err := Load(fsys); err == nil || !strings.Contains(err.Error(), "a/broken.go") {
		t.Errorf("Load(a broken file) = %v, want an error that names a/broken.go", err)
	}
}
