package corpus_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/rag"
	"annai/rag/corpus"
	"annai/rag/documents"
	"annai/rag/ragtest"
	"annai/storage/postgres/pgtest"
)

// childPlace is set in the environment of a test process that is a child: the folder of a store and
// of documents, which it ingests.
const childPlace = "ANNAI_CORPUS_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childPlace); dir != "" {
		if err := live(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(pgtest.Main(m))
}

// A loud embedder says each text that it embeds.
type loud struct {
	ragtest.Hashed

	out *bufio.Writer
}

func (l loud) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	for _, text := range texts {
		fmt.Fprintf(l.out, "%q\n", text)
		if err := l.out.Flush(); err != nil {
			return nil, err
		}
	}
	return l.Hashed.Embed(ctx, texts)
}

// one embeds one passage after the other, so that there is a place to be killed at between any two.
func one(ctx context.Context, passages []rag.Passage, e rag.Embedder) error {
	for _, p := range passages {
		if _, err := e.Embed(ctx, []string{p.Text}); err != nil {
			return err
		}
	}
	return nil
}

func live(dir string) (err error) {
	ctx := context.Background()
	s, err := corpus.Open(ctx, filepath.Join(dir, "knowledge.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l, err := documents.List(ctx, []string{filepath.Join(dir, "docs")})
	if err != nil {
		return err
	}
	_, err = s.Ingest(ctx, l, loud{out: bufio.NewWriter(os.Stdout)}, corpus.Options{Prepare: one, Prune: true})
	return err
}

// life runs a child and kills it after so many texts, or lets it finish if that is 0. It returns what the child said.
func life(t *testing.T, dir string, texts int) (said []string, killed bool) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childPlace+"="+dir, "GORACE=atexit_sleep_ms=0")
	var complaint strings.Builder
	child.Stderr = &complaint
	pipe, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewReader(pipe); ; {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) { // a line that is cut off was not said
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, line)
		if texts--; texts == 0 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			killed = true
		}
	}
	if err := child.Wait(); complaint.Len() > 0 || err != nil && !killed {
		t.Fatalf("child = %v: %s", err, complaint.String())
	}
	return said, killed
}

// writeBooks writes documents with passages of which each has the round in its text.
func writeBooks(t *testing.T, p *place, round int) {
	t.Helper()
	for book := range 12 {
		var text strings.Builder
		text.WriteString("text,pair\n")
		for row := range 20 {
			fmt.Fprintf(&text, "Room %d of house %d costs %d yen.,p%d-%d\n", row, book, 100*round+row, book, row)
		}
		p.write(t, fmt.Sprintf("house%d.csv", book), text.String())
	}
}

// An ingest that is killed at any moment and begun again loses nothing and does nothing twice;
// until it has ended, what is served is what was.
func TestKills(t *testing.T) {
	dir := t.TempDir()
	p := &place{folder: filepath.Join(dir, "docs")}
	kills, texts, again := 0, 0, 0
	for round := range 3 {
		writeBooks(t, p, round)
		before, version := serving(t, dir)
		seen := map[string]int{}
		for {
			said, killed := life(t, dir, 1+rand.IntN(120))
			for _, s := range said {
				seen[s]++
			}
			if !killed {
				break
			}
			kills++
			// The last text may have come just before the end, so that all of it is served.
			if now, v := serving(t, dir); v == version && !slices.Equal(now, before) || v != version &&
				len(now) != 240 {
				t.Fatalf("round %d: %d passages of version %d are served after a kill, want those before, or all",
					round, len(now), v)
			}
		}
		for _, n := range seen {
			texts++
			again += n - 1
		}
		if now, v := serving(t, dir); v != version+1 || len(now) != 240 ||
			!strings.Contains(now[0], fmt.Sprint(100*round)) {
			t.Fatalf("round %d: %d passages of version %d are served in the end, want 240 of version %d", round,
				len(now), v, version+1)
		}
	}
	if said, _ := life(t, dir, 0); len(said) > 0 {
		t.Errorf("after all of it, %d texts were embedded once more, want none", len(said))
	}
	clean(t, dir, p)
	// What a kill takes is at most what waits for its commit.
	if most := kills * 64; again > most {
		t.Errorf("%d texts were embedded again after %d kills, want at most %d", again, kills, most)
	}
	if kills < 3 {
		t.Errorf("%d kills, want enough to be a test", kills)
	}
	t.Logf("%d kills; %d texts, %d of them embedded again", kills, texts, again)
}

// clean compares the store with one that was never killed.
func clean(t *testing.T, dir string, p *place) {
	t.Helper()
	fresh := newPlace(t)
	fresh.folder = p.folder
	fresh.must(t, ragtest.Hashed{}, corpus.Options{Prepare: one})
	now, _ := serving(t, dir)
	if diff := cmp.Diff(fresh.texts(t), now); diff != "" {
		t.Errorf("after kills (-want, of one that was never killed, +got):\n%s", diff)
	}
}

// serving returns what is served, and its version.
func serving(t *testing.T, dir string) ([]string, int64) {
	t.Helper()
	s, err := corpus.Open(t.Context(), filepath.Join(dir, "knowledge.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	version, err := s.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return (&place{Store: s}).texts(t), version
}
