//go:build unix

package documents_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/rag/documents"
)

// tree makes files in a new folder of that name, and returns it.
func tree(t *testing.T, name string, files ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("Text of "+f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("SKIPPED: no links here: %v", err)
	}
}

func list(t *testing.T, paths ...string) (names []string, l documents.Listing) {
	t.Helper()
	l, err := documents.List(t.Context(), paths)
	if err != nil {
		t.Fatalf("List(%q): %v", paths, err)
	}
	for _, f := range l.Files {
		names = append(names, f.Name)
	}
	return names, l
}

func TestList(t *testing.T) {
	dir := tree(t, "docs", "b.md", "a.txt", "deep/er/c.html", "photo.jpg", ".hidden.md", ".git/d.md")
	names, l := list(t, dir, filepath.Join(dir, "a.txt"), filepath.Join(dir, "photo.jpg"),
		filepath.Join(dir, "none.md"))
	if diff := cmp.Diff([]string{"docs/a.txt", "docs/b.md", "docs/deep/er/c.html", "photo.jpg"}, names); diff != "" {
		t.Errorf("List (-want +got):\n%s", diff)
	}
	if len(l.Problems) != 1 || !strings.Contains(l.Problems[0].Error(), "none.md: it is not there") {
		t.Errorf("List(a file that is not there) = %v, want a problem", l.Problems)
	}
	if len(l.Whole) != 3 {
		t.Errorf("List looked through %q, want the folder and two files", l.Whole)
	}
	if data, err := l.Files[0].Read(); err != nil || string(data) != "Text of a.txt" {
		t.Errorf("Read(%s) = %q, %v", l.Files[0].Name, data, err)
	}
}

// Links lead neither in a circle nor out of the folder, and what is no file is not opened.
func TestLinks(t *testing.T) {
	dir := tree(t, "docs", "a.md", "sub/b.md")
	outside := tree(t, "outside", "secret.md")
	link(t, dir, filepath.Join(dir, "sub", "loop"))
	link(t, "me.md", filepath.Join(dir, "me.md"))
	link(t, filepath.Join(outside, "secret.md"), filepath.Join(dir, "out.md"))
	link(t, "a.md", filepath.Join(dir, "in.md"))
	link(t, outside, filepath.Join(dir, "elsewhere"))
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	names, l := list(t, dir)
	if diff := cmp.Diff([]string{"docs/a.md", "docs/in.md", "docs/sub/b.md"}, names); diff != "" {
		t.Errorf("List (-want +got):\n%s", diff)
	}
	var problems []string
	for _, p := range l.Problems {
		problems = append(problems, filepath.Base(p.File)+": "+p.Reason)
	}
	want := []string{"me.md: too many levels of symbolic links", "out.md: it is a link that leads out of the folder"}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if len(l.Whole) != 1 || len(l.Hidden) != 2 {
		t.Errorf("List looked through %q and could not look at %q, want one folder and two files", l.Whole, l.Hidden)
	}
}

// A file that becomes a link out of the folder after it was listed is not read.
func TestLinkMadeLater(t *testing.T) {
	dir := tree(t, "docs", "a.md")
	_, l := list(t, dir)
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(tree(t, "outside", "secret.md"), "secret.md"), filepath.Join(dir, "a.md"))
	if data, err := l.Files[0].Read(); err == nil {
		t.Errorf("Read(a link out of the folder) = %q, want an error", data)
	} else if p := documents.Unreadable("docs/a.md", err); !strings.Contains(p.Error(), "leads out of the folder") {
		t.Errorf("Unreadable(%v) = %v, want it said", err, p)
	}
}
