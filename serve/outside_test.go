package serve_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goCommand runs the go command in a folder, without a network.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, errs.Bytes())
	}
	return string(out)
}

// TestOutside: a module of somebody else compiles and runs with each public package.
func TestOutside(t *testing.T) {
	own, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	const outside = "../testdata/outside"
	theirs, err := os.ReadFile(filepath.Join(outside, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	// As go mod tidy would, if it had a network: what we require, and the sums of it.
	_, required, _ := strings.Cut(string(own), "\nrequire ")
	mod := filepath.Join(t.TempDir(), "go.mod")
	if err := os.WriteFile(mod, []byte(string(theirs)+"\nrequire "+required), 0o600); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(strings.TrimSuffix(mod, "mod")+"sum", sums, 0o600); err != nil {
		t.Fatal(err)
	}
	goCommand(t, outside, "test", "-modfile="+mod, "-count=1", "./...")
}

// TestDocument: the programs in docs/your-own-graph.md compile.
func TestDocument(t *testing.T) {
	document, err := os.ReadFile("../docs/your-own-graph.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(document), "```go\n")[1:]
	if len(parts) != 3 {
		t.Errorf("%d programs, want 3", len(parts))
	}
	dir, err := os.MkdirTemp(".", "_document") // in the module, whose packages it imports
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for i, part := range parts {
		source, _, _ := strings.Cut(part, "```")
		folder := filepath.Join(dir, string(rune('a'+i)))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	goCommand(t, dir, "vet", "./a", "./b", "./c")
}
