package rag_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/rag"
)

// A counter is an embedder of another name that counts what it is asked for.
type counter struct {
	noise
	name  string
	texts *atomic.Int64
}

func (c counter) Fingerprint() string { return c.name }

func (c counter) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	c.texts.Add(int64(len(texts)))
	return c.noise.Embed(ctx, texts)
}

// known returns passages and the file of their vectors by an embedder "a".
func known(t *testing.T) ([]rag.Passage, []byte) {
	t.Helper()
	passages := []rag.Passage{
		{ID: "1", Title: "Hours", Text: "From nine to five.", Lang: "en"},
		{ID: "2", Title: "時間", Text: "九時から五時まで。", Lang: "ja"},
		{ID: "3", Text: "Dogs stay outside.", Lang: "en"},
	}
	var v rag.Vectors
	newWith(t, "a", passages, &v)
	if want := len(passages) + rag.Common; v.Added() != want {
		t.Errorf("Added() = %d after the first New, want %d", v.Added(), want)
	}
	var file bytes.Buffer
	if err := v.Write(&file); err != nil {
		t.Fatalf("Write: %v", err)
	}
	return passages, file.Bytes()
}

// newWith returns how many texts New embedded.
func newWith(t *testing.T, name string, passages []rag.Passage, v *rag.Vectors) int64 {
	t.Helper()
	c := counter{name: name, texts: new(atomic.Int64)}
	if _, err := rag.New(t.Context(), passages, c, rag.NewFlat, rag.Options{Known: v}); err != nil {
		t.Fatalf("New with an embedder %s: %v", name, err)
	}
	return c.texts.Load()
}

func readVectors(t *testing.T, file []byte) *rag.Vectors {
	t.Helper()
	v, err := rag.ReadVectors(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("ReadVectors: %v", err)
	}
	return v
}

func TestVectors(t *testing.T) {
	passages, file := known(t)
	changed := append([]rag.Passage{{ID: "1", Title: "Hours", Text: "From nine to six.", Lang: "en"}}, passages[1:]...)
	renamed := append([]rag.Passage{{ID: "9", Title: "Hours", Text: "From nine to five.", Lang: "en"}}, passages[1:]...)
	for _, test := range []struct {
		name, embedder string
		passages       []rag.Passage
		added          int
	}{
		{"the same", "a", passages, 0},
		{"another id", "a", renamed, 0},
		{"a changed text", "a", changed, 1},
		{"fewer", "a", passages[:1], 0},
		{"another embedder", "b", passages, 3 + rag.Common},
	} {
		v := readVectors(t, file)
		texts := newWith(t, test.embedder, test.passages, v)
		if v.Added() != test.added || (texts > 0) != (test.added > 0) {
			t.Errorf("%s: New computed %d vectors and embedded %d texts, want %d vectors", test.name, v.Added(), texts,
				test.added)
		}
		var again bytes.Buffer
		if err := v.Write(&again); err != nil {
			t.Fatalf("Write: %v", err)
		}
		if newWith(t, test.embedder, test.passages, readVectors(t, again.Bytes())) != 0 {
			t.Errorf("%s: New embedded what it had computed before", test.name)
		}
		if test.name == "the same" {
			if diff := cmp.Diff(file, again.Bytes()); diff != "" {
				t.Errorf("Write of what was read differs from it (-read +written):\n%s", diff)
			}
		}
		if test.name == "fewer" && again.Len() >= len(file) {
			t.Errorf("Write after fewer passages = %d bytes, want fewer than %d: what no passage needs is kept",
				again.Len(), len(file))
		}
	}
}

func TestReadVectorsRefuses(t *testing.T) {
	_, file := known(t)
	for name, data := range map[string]string{
		"nothing":             "",
		"another file":        "# Hours\n\nFrom nine to five.",
		"cut off in a vector": string(file[:len(file)-1]),
		"cut off in a key":    string(file[:12]),
		"no unit length":      strings.Replace(string(file), string(file[28:32]), "\x00\x00\x80\x7f", 1),
		"no dimension":        string(file[:24]) + "\x00\x00\x00\x00",
		"a huge dimension":    string(file[:24]) + "\xff\xff\xff\xff",
	} {
		if _, err := rag.ReadVectors(strings.NewReader(data)); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: ReadVectors(%d bytes) = %v, want ErrInvalid", name, len(data), err)
		}
	}
}

func FuzzReadVectors(f *testing.F) {
	f.Add([]byte("ANNAIVC1"))
	f.Add([]byte("ANNAIVC1................\x01\x00\x00\x00\x00\x00\x80\x3f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := rag.ReadVectors(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := v.Write(&b); err != nil || b.Len() > len(data) {
			t.Errorf("Write of %d bytes read = %d bytes, %v", len(data), b.Len(), err)
		}
	})
}

// TestQuestionsAreShared embeds a question once for two retrievers that remember questions together, and
// again for one that does not.
func TestQuestionsAreShared(t *testing.T) {
	passages := []rag.Passage{{ID: "a", Title: "Dogs", Text: "Dogs stay outside.", Lang: "en"}}
	var embedded atomic.Int64
	e := counter{noise{}, "a", &embedded}
	together := rag.Options{Asked: new(rag.QuestionVectors)}
	for n, opts := range []rag.Options{together, together, {}} {
		h, err := rag.New(t.Context(), passages, e, rag.NewFlat, opts)
		if err != nil {
			t.Fatal(err)
		}
		embedded.Store(0)
		if _, err := h.Search(t.Context(), rag.Query{Text: "May dogs come in?"}); err != nil {
			t.Fatal(err)
		}
		if again := n != 1; (embedded.Load() > 0) != again {
			t.Errorf("retriever %d embedded %d texts of the question", n, embedded.Load())
		}
	}
}
