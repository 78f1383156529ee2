package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"annai/internal/config"
	"annai/rag"
	"annai/rag/corpus"
)

// ingest runs `annai ingest` with these arguments.
func ingest(t *testing.T, args ...string) (out, errs string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	root := &cobra.Command{Use: "annai", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(ingestCommand())
	root.SetArgs(append([]string{"ingest"}, args...))
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	err = root.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

// writeFiles writes texts by the names of files, into a new folder called docs.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "docs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func contains(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s says %q, want %q in it", what, text, want)
		}
	}
}

func TestIngest(t *testing.T) {
	t.Parallel()
	docs := writeFiles(t, map[string]string{
		"saino.txt": "Saino in the evening\n\ncafe&bar saino closes at 20:30.\n",
		"menu.csv":  "Item,Price\nMatcha,500 yen\n",
		"bad.yaml":  "passages:\n- text: A.\n- wrong: B.\n",
	})
	data := filepath.Join(t.TempDir(), "data")
	out, errs, err := ingest(t, "--data", data, "--now", thursday, "--category", "cafe", docs)
	if !errors.Is(err, errSilent) {
		t.Errorf("annai ingest with a bad file = %v, want a failure that was said", err)
	}
	contains(t, "annai ingest", errs, `left out: docs/bad.yaml:3: unknown key "wrong"`)
	contains(t, "annai ingest", out, "ingested: files: 2 new, 1 left out; 2 passages read", "version 1 is served",
		"contradiction: docs/saino.txt#0 and knowledge/saino.", "closing time", `no translation: docs/menu.csv#0: "Matcha" has no passage of its pair in Japanese`)
	if err := os.Remove(filepath.Join(docs, "bad.yaml")); err != nil {
		t.Fatal(err)
	}
	out, errs, err = ingest(t, "--data", data, "--category", "cafe", docs)
	if err != nil || strings.Contains(errs, "left out") { // on a busy machine it says how far it is
		t.Errorf("annai ingest again = %v, %q; want no error, and nothing left out", err, errs)
	}
	contains(t, "annai ingest again", out, "ingested: files: 2 unchanged; 0 passages read, 0 texts embedded; version 1 is served")
}

func TestIngestDryRun(t *testing.T) {
	t.Parallel()
	docs := writeFiles(t, map[string]string{"tea.txt": "Tea is 300 yen."})
	data, venue := filepath.Join(t.TempDir(), "data"), smallVenue(t)
	for _, args := range [][]string{{"--dry-run", "--venue", venue, docs}, {"--dry-run", "--venue", venue, "--data", data, docs}} {
		out, _, err := ingest(t, args...)
		if err != nil {
			t.Errorf("annai ingest %q = %v", args, err)
		}
		contains(t, "annai ingest --dry-run", out, "would be ingested: files: 1 new; 1 passages read", "docs/tea.txt#0")
		if corpus.Exists(filepath.Join(data, knowledgeFile)) {
			t.Errorf("annai ingest %q wrote a store", args)
		}
	}
}

func TestIngestRefuses(t *testing.T) {
	docs := writeFiles(t, map[string]string{"tea.txt": "Tea is 300 yen."})
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no path":          {nil, "ingest what?"},
		"no folder":        {[]string{docs}, "--data DIR"},
		"no such language": {[]string{"--language", "fr", "--dry-run", docs}, `"fr" is neither ja nor en`},
	} {
		if _, _, err := ingest(t, test.args...); !errors.Is(err, errUsage) || !strings.Contains(fmt.Sprint(err), test.says) {
			t.Errorf("%s: annai ingest = %v, want a line about %q", name, err, test.says)
		}
	}
	out, errs, err := ingest(t, "--dry-run", "--venue", smallVenue(t), filepath.Join(docs, "none"))
	if !errors.Is(err, errSilent) || !strings.Contains(errs, "it is not there") {
		t.Errorf("annai ingest of nothing = %v, %q, %q; want that it is not there", err, out, errs)
	}
}

func TestProgress(t *testing.T) {
	p := corpus.Progress{Files: 3, AllFiles: 12, Bytes: 250, AllBytes: 1000, Passages: 500}
	line := progressLine(p, 10*time.Second, true)
	if want := "[######..................]  25 %  3 of 12 files  500 passages  50 passages/s  30s left"; line != want {
		t.Errorf("progressLine = %q, want %q", line, want)
	}
	var out bytes.Buffer
	m := &meter{out: &out, terminal: true, began: time.Now().Add(-10 * time.Second)}
	m.show(p)
	m.show(p) // too soon after the first
	m.clear()
	if got := out.String(); strings.Count(got, "25 %") != 1 || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("in a terminal = %q, want one bar, taken away in the end", got)
	}
	out.Reset()
	m = &meter{out: &out, began: time.Now().Add(-10 * time.Second)}
	m.show(p)
	if got := out.String(); got == "" || strings.ContainsAny(got, "\r\x1b[") || strings.Count(got, "\n") != 1 {
		t.Errorf("elsewhere = %q, want a plain line", got)
	}
}

// PDF is read by annai itself, as a child process.
func TestIngestPDF(t *testing.T) {
	t.Setenv(isChild, "1")
	docs := writeFiles(t, map[string]string{"broken.pdf": "%PDF-1.7\n" + strings.Repeat("x", 200) + "\n%%EOF\n", "tea.txt": "Tea is 300 yen."})
	out, errs, err := ingest(t, "--dry-run", "--venue", smallVenue(t), docs)
	if !errors.Is(err, errSilent) || !strings.Contains(errs, "left out: docs/broken.pdf: it can't be read as PDF") || strings.Contains(errs, "memory") {
		t.Errorf("annai ingest of a broken PDF = %v, %q; want it named with a reason", err, errs)
	}
	contains(t, "annai ingest", out, "1 new, 1 left out")
}

// What was ingested is served, and what is ingested later too, without a new start.
func TestIngestedIsServed(t *testing.T) {
	t.Parallel()
	data, venue := t.TempDir(), smallVenue(t)
	docs := writeFiles(t, map[string]string{"tea.txt": "A bowl of matcha in the pavilion is 800 yen."})
	if out, errs, err := ingest(t, "--venue", venue, "--data", data, docs); err != nil {
		t.Fatalf("ingest = %v: %s%s", err, out, errs)
	}
	a := assembled(t, config.Config{Venue: venue, Data: data})
	found := func() string {
		t.Helper()
		hits, err := a.knowledge.Search(t.Context(), rag.Query{Text: "How much is matcha in the pavilion?", Lang: "en"})
		if err != nil || len(hits) == 0 {
			t.Fatalf("Search(matcha) = %+v, %v, want the passage", hits, err)
		}
		return hits[0].Passage.Text
	}
	if text := found(); !strings.Contains(text, "800 yen") {
		t.Errorf("found %q, want 800 yen", text)
	}
	if err := os.WriteFile(filepath.Join(docs, "tea.txt"), []byte("A bowl of matcha in the pavilion is 900 yen."), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, err := ingest(t, "--venue", venue, "--data", data, docs); err != nil {
		t.Fatalf("ingest again = %v: %s%s", err, out, errs)
	}
	ticks := make(chan time.Time, 1)
	ticks <- at
	close(ticks)
	a.watch(t.Context(), ticks, discard) // looks once
	if text := found(); !strings.Contains(text, "900 yen") {
		t.Errorf("after the next look found %q, want 900 yen", text)
	}
}
