package corpus_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"annai/fault"
	"annai/rag"
	"annai/rag/corpus"
	"annai/rag/documents"
	"annai/storage/postgres/pgtest"
)

// TestFormat1 opens a file from before the tables had their names.
func TestFormat1(t *testing.T) {
	path := filepath.Join(t.TempDir(), "knowledge.db")
	schema, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), string(schema)+`
		PRAGMA application_id = 0x616e6b6e; PRAGMA user_version = 1; UPDATE served SET version = 7;
		INSERT INTO documents VALUES (1, '/docs/a.txt', '/docs', 'docs/a.txt', x'00', '', 1, 0);
		INSERT INTO passages
			VALUES (1, 0, 'docs/a.txt#0', 'a', 'Tea is 300 yen.', 'en', '', '', '', '', '', '', 0, 1, '')`)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := corpus.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if passages, version, err := s.Passages(t.Context()); err != nil || len(passages) != 1 || version != 7 {
		t.Errorf("Passages = %+v of version %d, %v, want what was there", passages, version, err)
	}
	p := placed(t, t.TempDir(), s)
	p.write(t, "b.txt", "Dogs may come in.")
	p.must(t, &embedder{name: "1"}, corpus.Options{})
	wantTexts(t, p, "docs/a.txt#0: Tea is 300 yen.", "docs/b.txt#0: Dogs may come in.")
}

// TestShared ingests at one process and serves at another, which takes its vectors.
func TestShared(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	p, other := sharedPlace(t, connect(t, address)), sharedPlace(t, connect(t, address))
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.write(t, "b.txt", "A zero \x00 in it.")
	if got := p.must(t, e, corpus.Options{}); got.Added < 1 || got.Added+got.Bad != 2 {
		t.Errorf("Ingest = %+v, want the good file in, and the other named if it can't be", got)
	}
	if version, err := other.Version(t.Context()); err != nil || version != 1 {
		t.Errorf("Version elsewhere = %d, %v, want 1", version, err)
	}
	if texts := other.texts(t); len(texts) < 1 || texts[0] != "docs/a.txt#0: Tea is 300 yen." {
		t.Errorf("served elsewhere: %q, want what was ingested", texts)
	}
	mine := &embedder{name: "1"}
	text := []string{"a\nTea is 300 yen."}
	if _, err := corpus.NewReuse(other.Store, mine).Embed(t.Context(), text); err != nil || len(mine.texts) != 0 {
		t.Errorf("elsewhere the embedder was asked for %q (%v), want the vector of the ingest", mine.texts, err)
	}
}

// TestSharedOneAtATime has two processes ingest at once.
func TestSharedOneAtATime(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	p, other := sharedPlace(t, connect(t, address)), sharedPlace(t, connect(t, address))
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	var second error
	p.must(t, e, corpus.Options{Progress: func(corpus.Progress) {
		var l documents.Listing
		if l, second = documents.List(t.Context(), []string{p.folder}); second == nil {
			_, second = other.Ingest(t.Context(), l, e, corpus.Options{})
		}
	}})
	if !errors.Is(second, fault.ErrConflict) {
		t.Errorf("Ingest while another process does = %v, want ErrConflict", second)
	}
	if _, err := other.Ingest(t.Context(), documents.Listing{}, e, corpus.Options{}); err != nil {
		t.Errorf("Ingest once the other is done = %v", err)
	}
}

// TestSharedServerDies kills the server under an ingest, which goes on from where it was.
func TestSharedServerDies(t *testing.T) {
	server := pgtest.Shared(t)
	p := sharedPlace(t, connect(t, server.Schema(t)))
	e := &embedder{name: "1"}
	p.write(t, "a.txt", "Tea is 300 yen.")
	p.write(t, "b.txt", "Dogs may come in.")
	_, err := p.ingest(t, e, corpus.Options{Progress: func(at corpus.Progress) {
		if at.Files == 1 {
			if err := server.Kill(); err != nil {
				t.Error(err)
			}
		}
	}})
	if !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Ingest whose server dies = %v, want ErrUnavailable", err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.texts = nil
	for range 10 { // with each connection that is from before, at most
		if _, err = p.ingest(t, e, corpus.Options{}); err == nil {
			break
		}
	}
	if err != nil || len(e.texts) != 1 {
		t.Errorf("Ingest once the server is back = %v, embedded %q, want the second file", err, e.texts)
	}
	wantTexts(t, p, "docs/a.txt#0: Tea is 300 yen.", "docs/b.txt#0: Dogs may come in.")
}

// TestKeeping has what one process embeds of its own taken by another.
func TestKeeping(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	texts := []string{"Tea is 300 yen.", "Dogs may come in."}
	var both sync.WaitGroup
	for range 2 { // which may write the same at once
		s := sharedPlace(t, connect(t, address)).Store
		both.Go(func() {
			err := s.Keeping(t.Context(), &embedder{name: "1"}, func(e rag.Embedder) error {
				_, err := e.Embed(t.Context(), texts)
				return err
			})
			if err != nil {
				t.Errorf("Keeping = %v", err)
			}
		})
	}
	both.Wait()
	mine := &embedder{name: "1"}
	third := sharedPlace(t, connect(t, address)).Store
	if _, err := corpus.NewReuse(third, mine).Embed(t.Context(), texts); err != nil || len(mine.texts) > 0 {
		t.Errorf("a third embeds %q, %v, want nothing: two have", mine.texts, err)
	}
}
