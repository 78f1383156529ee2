// Package ragtest holds the suites of the contracts of package rag: each sentence of an interface's comment is a check
// here, and every implementation runs all of them. It knows no implementation.
package ragtest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/rag"
)

// texts are of both languages, short and long, one of them twice.
var texts = []string{
	"開館時間は9時から22時までです。", "We are open from 9:00 to 22:00.", "Wi-Fi", "駐車場", "開館時間は9時から22時までです。",
	"The quick answer to a long question is that it depends on the day, the room and the number of people who come.",
}

// Embedder checks that an embedder keeps the contract of [rag.Embedder].
func Embedder(t *testing.T, e rag.Embedder) {
	t.Run("unit length and one dimension", func(t *testing.T) {
		for i, v := range embed(t, e, texts) {
			if !v.IsUnit() || len(v) != len(embed(t, e, texts[:1])[0]) {
				t.Errorf("Embed(%q) = %d numbers, unit length %t; want the dimension of the others and unit length",
					texts[i], len(v), v.IsUnit())
			}
		}
	})
	t.Run("order and determinism", func(t *testing.T) {
		all := embed(t, e, texts)
		for i, text := range texts {
			if diff := cmp.Diff(all[i], embed(t, e, []string{text})[0]); diff != "" {
				t.Errorf("Embed of text %d alone and among others differ (-among +alone):\n%s", i, diff)
			}
		}
	})
	t.Run("same texts are nearer than others", func(t *testing.T) {
		all := embed(t, e, texts)
		if same, other := rag.Cosine(all[0], all[4]), rag.Cosine(all[0], all[3]); same < 0.999 || other >= same {
			t.Errorf("cosine of a text with itself = %.3f, with another %.3f; want 1 and less", same, other)
		}
	})
	t.Run("no texts", func(t *testing.T) {
		if got := embed(t, e, nil); len(got) != 0 {
			t.Errorf("Embed(nothing) = %d vectors, want none", len(got))
		}
	})
	t.Run("nothing to embed", func(t *testing.T) { nothingToEmbed(t, e) })
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.Embed(ctx, texts); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Embed with a cancelled context = %v, want ErrUnavailable", err)
		}
	})
	t.Run("concurrent use", func(t *testing.T) { concurrentEmbed(t, e) })
	t.Run("fingerprint", func(t *testing.T) {
		if f := e.Fingerprint(); f == "" || f != e.Fingerprint() {
			t.Errorf("Fingerprint() = %q, then %q; want the same name", f, e.Fingerprint())
		}
	})
}

func nothingToEmbed(t *testing.T, e rag.Embedder) {
	for _, text := range []string{"", "  \n", "！？", "🎉"} {
		if v, err := e.Embed(t.Context(), []string{"Wi-Fi", text}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Embed(%q) = %v, %v; want ErrInvalid", text, v, err)
		}
	}
}

func concurrentEmbed(t *testing.T, e rag.Embedder) {
	want := embed(t, e, texts)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if diff := cmp.Diff(want, embed(t, e, texts)); diff != "" {
				t.Errorf("Embed beside others differs (-alone +beside):\n%s", diff)
			}
		})
	}
	group.Wait()
}

// embed may be called from any goroutine.
func embed(t *testing.T, e rag.Embedder, texts []string) []rag.Vector {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil || len(vectors) != len(texts) {
		t.Errorf("Embed(%d texts) = %d vectors, %v; want as many and no error", len(texts), len(vectors), err)
		return make([]rag.Vector, len(texts))
	}
	return vectors
}
