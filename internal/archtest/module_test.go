package archtest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModule: a copy of the module gets another path, and then has nothing of the old one and compiles.
func TestModule(t *testing.T) {
	const path = "example.org/me/annai"
	root, dir := filepath.Join("..", ".."), t.TempDir()
	copyModule(t, root, dir)
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v: %s", name, args, err, out)
		}
		return string(out)
	}
	run("make", "--no-print-directory", "module", "PATH="+path)
	packages, err := Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	ours := 0
	for _, p := range packages {
		for _, imported := range append(p.Imports, p.TestImports...) {
			if strings.HasPrefix(imported, "annai/") {
				t.Errorf("%s still imports %s", p.Dir, imported)
			}
			if strings.HasPrefix(imported, path+"/") {
				ours++
			}
		}
	}
	if ours < 100 {
		t.Errorf("%d imports are of the new path, want all of ours", ours)
	}
	if module := strings.TrimSpace(run("go", "list", "-m")); module != path {
		t.Errorf("the module is %s, want %s", module, path)
	}
	run("go", "build", "./fault", "./graph", "./llm", "./storage/mem")
	for file, want := range map[string]string{
		"testdata/outside/go.mod":    "replace " + path + " => ../..",
		"docs/your-own-graph.md":     `"` + path + `/serve"`,
		"internal/archtest/table.go": `Module: "` + path + `"`,
		"scripts/test":               "^" + path + "/(",
		".golangci.yml":              "module-path: " + path,
	} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s has no %s: %v", file, want, err)
		}
	}
}

// copyModule copies what scripts/module looks at.
func copyModule(t *testing.T, from, to string) {
	t.Helper()
	root := os.DirFS(from)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch entry.Name() {
			case ".git", "node_modules", "bin":
				return fs.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".mod", ".sum", ".md":
		default:
			if name != "Makefile" && name != ".golangci.yml" && filepath.Dir(name) != "scripts" {
				return nil
			}
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o700) //nolint:gosec // scripts are run
	})
	if err != nil {
		t.Fatal(err)
	}
}
