package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Load returns the packages of the module at the root of fsys, sorted by folder. It reads every Go file whatever its build tags, and leaves
// out what the go command does: testdata, vendor, node_modules, names that start with a dot or an underscore, and modules within.
func Load(fsys fs.FS) ([]Package, error) {
	byDir := map[string]*Package{}
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && foreign(fsys, name):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || ignored(name):
			return nil
		}
		dir := path.Dir(name)
		if byDir[dir] == nil {
			byDir[dir] = &Package{Dir: dir}
		}
		return byDir[dir].add(fsys, name)
	})
	if err != nil {
		return nil, err
	}
	var packages []Package
	for _, p := range byDir {
		slices.Sort(p.Imports)
		slices.Sort(p.TestImports)
		p.Imports, p.TestImports = slices.Compact(p.Imports), slices.Compact(p.TestImports)
		packages = append(packages, *p)
	}
	slices.SortFunc(packages, func(a, b Package) int { return strings.Compare(a.Dir, b.Dir) })
	return packages, nil
}

// add notes the imports of the file.
func (p *Package) add(fsys fs.FS, name string) error {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		return fmt.Errorf("read imports: %w", err)
	}
	imports := &p.Imports
	if strings.HasSuffix(name, "_test.go") {
		imports = &p.TestImports
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		*imports = append(*imports, imported)
	}
	return nil
}

// foreign reports whether the folder holds no package of this module.
func foreign(fsys fs.FS, dir string) bool {
	switch base := path.Base(dir); {
	case ignored(dir), base == "testdata", base == "vendor", base == "node_modules":
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}

func ignored(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
}
