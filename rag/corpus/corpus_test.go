package corpus_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/rag"
	"annai/rag/corpus"
	"annai/rag/documents"
	"annai/rag/ragtest"
	"annai/storage/postgres/pgtest"
)

// An embedder is a [ragtest.Hashed] that counts, and that has a name of its own.
type embedder struct {
	ragtest.Hashed

	name  string
	texts []string
	fails error
}

func (e *embedder) Fingerprint() string { return "test/256/" + e.name }

func (e *embedder) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if e.fails != nil {
		return nil, e.fails
	}
	e.texts = append(e.texts, texts...)
	return e.Hashed.Embed(ctx, texts)
}

// A place is a store and a folder to ingest.
type place struct {
	*corpus.Store

	folder   string
	problems []string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "data", "knowledge.db")
	s, err := corpus.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return placed(t, dir, s)
}

// sharedPlace has its store in PostgreSQL, where db is.
func sharedPlace(t *testing.T, db *pgdb.DB) *place {
	t.Helper()
	s, err := corpus.OpenShared(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return placed(t, t.TempDir(), s)
}

func placed(t *testing.T, dir string, s *corpus.Store) *place {
	t.Helper()
	p := &place{Store: s, folder: filepath.Join(dir, "docs")}
	if err := os.Mkdir(p.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return p
}

// connect returns connections as a process of its own has them.
func connect(t *testing.T, address string) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{Connections: 4})
	if err != nil {
		t.Fatalf("Open(%s) = %v", address, err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// everywhere tests a store in a file and one in PostgreSQL.
func everywhere(t *testing.T, test func(t *testing.T, p *place)) {
	t.Run("file", func(t *testing.T) { test(t, newPlace(t)) })
	t.Run("PostgreSQL", func(t *testing.T) {
		test(t, sharedPlace(t, connect(t, pgtest.Shared(t).Schema(t))))
	})
}

func (p *place) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(p.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p *place) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(p.folder, name)); err != nil {
		t.Fatal(err)
	}
}

func (p *place) ingest(t *testing.T, e rag.Embedder, opts corpus.Options) (corpus.Summary, error) {
	t.Helper()
	listing, err := documents.List(t.Context(), []string{p.folder})
	if err != nil {
		t.Fatal(err)
	}
	p.problems = nil
	opts.Problem = func(problem documents.Problem) { p.problems = append(p.problems, problem.Error()) }
	return p.Ingest(t.Context(), listing, e, opts)
}

// must ingests what can be.
func (p *place) must(t *testing.T, e rag.Embedder, opts corpus.Options) corpus.Summary {
	t.Helper()
	s, err := p.ingest(t, e, opts)
	if err != nil {
		t.Fatalf("Ingest: %v", err)
	}
	return s
}

// texts are the passages that are served, as "id: text".
func (p *place) texts(t *testing.T) []string {
	t.Helper()
	passages, _, err := p.Passages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range passages {
		out = append(out, p.ID+": "+p.Text)
	}
	return out
}

func wantTexts(t *testing.T, p *place, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, p.texts(t)); diff != "" {
		t.Errorf("served (-want +got):\n%s", diff)
	}
}

func TestIncremental(t *testing.T) { everywhere(t, incremental) }

func incremental(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.write(t, "b.txt", "The garden closes at five.")
	if diff := cmp.Diff(corpus.Summary{Version: 1, Added: 2, Passages: 2, Embedded: 2},
		p.must(t, e, corpus.Options{})); diff != "" {
		t.Errorf("first Ingest (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(corpus.Summary{Version: 1, Unchanged: 2}, p.must(t, e, corpus.Options{})); diff != "" {
		t.Errorf("Ingest of the same (-want +got):\n%s", diff)
	}
	p.write(t, "a.txt", "Tea is 350 yen.")
	p.write(t, "c.txt", "The garden closes at five.")
	if diff := cmp.Diff(corpus.Summary{Version: 2, Added: 1, Changed: 1, Unchanged: 1, Passages: 2, Embedded: 2},
		p.must(t, e, corpus.Options{})); diff != "" {
		t.Errorf("Ingest of changes (-want +got):\n%s", diff)
	}
	p.remove(t, "b.txt")
	if got := p.must(t, e, corpus.Options{}); got.Gone != 1 || got.Version != 2 {
		t.Errorf("Ingest without a file = %+v, want it counted and served", got)
	}
	if got := p.must(t, e, corpus.Options{Prune: true}); got.Removed != 1 || got.Version != 3 {
		t.Errorf("Ingest(Prune) without a file = %+v, want it removed", got)
	}
	wantTexts(t, p, "docs/a.txt#0: Tea is 350 yen.", "docs/c.txt#0: The garden closes at five.")
}

// onlyText embeds what passages say without their titles.
func onlyText(ctx context.Context, passages []rag.Passage, e rag.Embedder) error {
	for _, p := range passages {
		if _, err := e.Embed(ctx, []string{p.Text}); err != nil {
			return err
		}
	}
	return nil
}

// A file that can't be read is named, the others go in, and what was served of it is served still.
func TestBadFiles(t *testing.T) { everywhere(t, badFiles) }

func badFiles(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.yaml", "category: menu\npassages:\n- text: Tea is 300 yen.\n")
	p.must(t, e, corpus.Options{})
	p.write(t, "a.yaml", "category: menu\npassages:\n- text: Tea is 400 yen.\n- wrong: 1\n")
	p.write(t, "b.txt", "The garden closes at five.")
	p.write(t, "c.txt", "！？")
	got := p.must(t, e, corpus.Options{Prepare: onlyText})
	if diff := cmp.Diff(corpus.Summary{Version: 2, Added: 1, Bad: 2, Passages: 1, Embedded: 1}, got); diff != "" {
		t.Errorf("Ingest (-want +got):\n%s", diff)
	}
	wantTexts(t, p, "docs/a.yaml#0: Tea is 300 yen.", "docs/b.txt#0: The garden closes at five.")
	want := []string{
		`docs/a.yaml:4: unknown key "wrong"`,
		`docs/c.txt: a passage has no word that could be searched for: embed text 0: no letters or digits in it`,
	}
	if diff := cmp.Diff(want, p.problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// What an ingest had done when it failed is not done again, is not served, and is not served either
// if the file is another one by then.
func TestGoesOn(t *testing.T) { everywhere(t, goesOn) }

func goesOn(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.must(t, e, corpus.Options{})
	p.write(t, "a.txt", "Tea is 350 yen.")
	p.write(t, "b.txt", "The garden closes at five.")
	p.write(t, "c.txt", "Dogs may come in.")
	away := fmt.Errorf("the model is away: %w", fault.ErrUnavailable)
	count := 0
	failing := corpus.Options{Progress: func(at corpus.Progress) {
		if count++; at.Files == 2 {
			e.fails = away
		}
	}}
	if _, err := p.ingest(t, e, failing); !errors.Is(err, away) {
		t.Fatalf("Ingest with an embedder that is away = %v, want %v", err, away)
	}
	wantTexts(t, p, "docs/a.txt#0: Tea is 300 yen.")
	p.write(t, "a.txt", "Tea is 300 yen.")
	e.fails, e.texts = nil, nil
	got := p.must(t, e, corpus.Options{})
	if diff := cmp.Diff(corpus.Summary{Version: 2, Added: 2, Unchanged: 1, Passages: 2, Embedded: 1}, got); diff != "" {
		t.Errorf("next Ingest (-want +got):\n%s", diff)
	}
	wantTexts(t, p, "docs/a.txt#0: Tea is 300 yen.", "docs/b.txt#0: The garden closes at five.",
		"docs/c.txt#0: Dogs may come in.")
}

// Another embedder makes vectors of its own for what has not changed; those of the first are still there.
func TestFingerprints(t *testing.T) { everywhere(t, fingerprints) }

func fingerprints(t *testing.T, p *place) {
	first, second := &embedder{name: "1"}, &embedder{name: "2"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	for i, test := range []struct {
		e    *embedder
		want int
	}{{first, 1}, {second, 1}, {first, 0}, {second, 0}} {
		test.e.texts = nil
		p.must(t, test.e, corpus.Options{})
		if len(test.e.texts) != test.want {
			t.Errorf("Ingest %d, with %s, embedded %q, want %d texts", i, test.e.Fingerprint(), test.e.texts, test.want)
		}
	}
	wantTexts(t, p, "docs/a.txt#0: Tea is 300 yen.")
}

// A server takes the vectors of the ingest, leaves nothing of what visitors ask, and mixes none of another embedder.
func TestReuse(t *testing.T) { everywhere(t, reuse) }

func reuse(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.must(t, e, corpus.Options{})
	e.texts = nil
	reuse := corpus.NewReuse(p.Store, e)
	vectors, err := reuse.Embed(t.Context(), []string{"a\nTea is 300 yen.", "Is there coffee?"})
	if err != nil || len(vectors) != 2 || !vectors[0].IsUnit() || !vectors[1].IsUnit() {
		t.Fatalf("Embed = %d vectors, %v; want two", len(vectors), err)
	}
	if diff := cmp.Diff([]string{"Is there coffee?"}, e.texts); diff != "" {
		t.Errorf("the embedder was asked (-want +got):\n%s", diff)
	}
	if _, err := reuse.Embed(t.Context(), []string{"Is there coffee?"}); err != nil || len(e.texts) != 2 {
		t.Errorf("the second time, the embedder was asked for %d texts (%v), want 2: questions are not kept",
			len(e.texts), err)
	}
	other := &embedder{name: "2"}
	if _, err := corpus.NewReuse(p.Store, other).Embed(t.Context(), []string{"a\nTea is 300 yen."}); err != nil ||
		len(other.texts) != 1 {
		t.Errorf("an embedder of another fingerprint was asked for %d texts (%v), want 1", len(other.texts), err)
	}
}

func TestPairs(t *testing.T) { everywhere(t, pairs) }

func pairs(t *testing.T, p *place) {
	front := "---\ntitle: %s\nlang: %s\ncategory: hours\npair: hours\n---\n"
	e := &embedder{name: "1"}
	p.write(t, "a.md", fmt.Sprintf(front, "Hours", "en")+"# A\nWe open at 9.\n\n# B\nWe close at 5.\n")
	p.must(t, e, corpus.Options{})
	p.write(t, "b.md", fmt.Sprintf(front, "時間", "ja")+"# A\n9時に開きます。\n\n# B\n17時に閉まります。\n")
	p.write(t, "rows.csv", "text,pair\nTea is 300 yen.,tea\nお茶は300円です。,tea\nCoffee is 400 yen.,coffee\n")
	p.must(t, e, corpus.Options{})
	wantPairs(t, p, "hours#0 hours#1 hours#0 hours#1 tea tea ")
	p.write(t, "b.md", fmt.Sprintf(front, "時間", "ja")+"# A\n9時に開きます。\n")
	p.must(t, e, corpus.Options{})
	wantPairs(t, p, "   tea tea ")
}

func wantPairs(t *testing.T, p *place, want string) {
	t.Helper()
	passages, _, err := p.Passages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range passages {
		got = append(got, p.Pair)
	}
	if got := strings.Join(got, " "); got != want {
		t.Errorf("pairs = %q, want %q", got, want)
	}
}

func TestOneAtATime(t *testing.T) { everywhere(t, oneAtATime) }

func oneAtATime(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	var second error
	p.must(t, e, corpus.Options{Progress: func(corpus.Progress) {
		listing, err := documents.List(t.Context(), []string{p.folder})
		if err == nil {
			_, err = p.Ingest(t.Context(), listing, e, corpus.Options{})
		}
		second = err
	}})
	if !errors.Is(second, fault.ErrConflict) {
		t.Errorf("Ingest while another is under way = %v, want ErrConflict", second)
	}
}

func TestNames(t *testing.T) { everywhere(t, namesTaken) }

func namesTaken(t *testing.T, p *place) {
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.must(t, e, corpus.Options{})
	other := filepath.Join(filepath.Dir(p.folder), "elsewhere", "docs")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	p.folder = other
	p.write(t, "a.txt", "Dogs may come in.")
	if got := p.must(t, e, corpus.Options{}); got.Bad != 1 || len(p.problems) != 1 ||
		!strings.Contains(p.problems[0], "under the same name") {
		t.Errorf("Ingest of another folder of the same name = %+v, problems %q; want one that says so", got, p.problems)
	}
	wantTexts(t, p, "docs/a.txt#0: Tea is 300 yen.")
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(path, []byte("this is no database, only text that somebody has left here"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Open(t.Context(), path); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open(a text) = %v, want ErrInvalid", err)
	}
	if _, err := corpus.Open(t.Context(), filepath.Join(path, "below")); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Open(below a file) = %v, want ErrUnavailable", err)
	}
}
