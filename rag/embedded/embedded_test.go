package embedded

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/internal/matrix"
	"annai/rag"
	"annai/rag/ragtest"
)

// agreement is how far apart numbers of two implementations may be.
const agreement = 2e-4

// newWith returns the model without its adaptation: its values are those that others computed.
func newWith(t testing.TB, multiply matrix.Tile) *Embedder {
	t.Helper()
	e, err := Load(strings.NewReader(file))
	if err != nil {
		t.Fatalf("Load(the file inside): %v", err)
	}
	e.multiply = multiply
	return e
}

func embed(t testing.TB, e *Embedder, texts ...string) []rag.Vector {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatalf("Embed(%q): %v", texts, err)
	}
	return vectors
}

func furthest(a, b []float32) float64 {
	gap := 0.0
	for i := range a {
		gap = max(gap, math.Abs(float64(a[i]-b[i])))
	}
	return gap
}

func TestContract(t *testing.T) {
	ragtest.Embedder(t, newWith(t, matrix.FastestTile()))
}

// golden are the values of another implementation, see testdata/README.md.
type golden struct {
	Texts []struct {
		Text   string    `json:"text"`
		IDs    []int32   `json:"ids"`
		First8 []float32 `json:"first8"`
	} `json:"texts"`
	Cosine [][]float64 `json:"cosine"`
}

func readGolden(t testing.TB) (g golden, texts []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &g); err != nil || len(g.Texts) != 20 {
		t.Fatalf("golden.json: %d texts, %v", len(g.Texts), err)
	}
	for _, text := range g.Texts {
		texts = append(texts, text.Text)
	}
	return g, texts
}

func TestGolden(t *testing.T) {
	g, texts := readGolden(t)
	vectors := embed(t, newWith(t, matrix.FastestTile()), texts...)
	for i, want := range g.Texts {
		if gap := furthest(want.First8, vectors[i]); gap > agreement {
			t.Errorf("Embed(%q) = %v..., want %v: %.1e apart", want.Text, vectors[i][:8], want.First8, gap)
		}
		for j := range vectors {
			if got := rag.Cosine(vectors[i], vectors[j]); math.Abs(got-g.Cosine[i][j]) > agreement {
				t.Errorf("cosine of %q and %q = %.5f, want %.5f", want.Text, texts[j], got, g.Cosine[i][j])
			}
		}
	}
}

// TestTilesAgree compares whole vectors of the tiles; TestTile compares what they are made of.
func TestTilesAgree(t *testing.T) {
	g, texts := readGolden(t)
	texts = texts[12:14] // a question in Japanese and in English
	plain, fastest := embed(t, newWith(t, matrix.PlainTile), texts...),
		embed(t, newWith(t, matrix.FastestTile()), texts...)
	for i := range texts {
		if gap := furthest(plain[i], fastest[i]); gap > agreement {
			t.Errorf("Embed(%q) of the plain and the fastest tile are %.1e apart, want %g at most", texts[i], gap,
				agreement)
		}
		if gap := furthest(g.Texts[12+i].First8, plain[i]); gap > agreement {
			t.Errorf("Embed(%q) of the plain tile = %v..., want %v: %.1e apart", texts[i], plain[i][:8],
				g.Texts[12+i].First8, gap)
		}
	}
}

func TestNearInMeaning(t *testing.T) {
	v := embed(t, newWith(t, matrix.FastestTile()), "ベビーカーを借りられますか", "Strollers are available at the front desk.",
		"The museum shop sells postcards.")
	if near, far := rag.Cosine(v[0], v[1]), rag.Cosine(v[0], v[2]); near < far+0.1 {
		t.Errorf("cosine of a Japanese question with the English answer = %.2f, with another sentence %.2f; want the first well above", near, far)
	}
}

// TestFingerprint also fails when the file was exchanged and its hash was not.
func TestFingerprint(t *testing.T) {
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(file))); got != fileHash {
		t.Errorf("hash of the model file = %s, want fileHash %s", got, fileHash)
	}
	inside := newWith(t, matrix.PlainTile)
	loaded, err := Load(strings.NewReader(file))
	if err != nil {
		t.Fatalf("Load(the file inside): %v", err)
	}
	const want = "use-ml3-ja-en/512/1-3ce3053453339ce1"
	if inside.Fingerprint() != want || loaded.Fingerprint() != want {
		t.Errorf("Fingerprint() = %q of the file inside, %q of the same loaded; want %q", inside.Fingerprint(),
			loaded.Fingerprint(), want)
	}
	if diff := cmp.Diff(embed(t, inside, "傘立て"), embed(t, loaded, "傘立て")); diff == "" {
		return
	}
	loaded.multiply = matrix.PlainTile
	if diff := cmp.Diff(embed(t, inside, "傘立て"), embed(t, loaded, "傘立て")); diff != "" {
		t.Errorf("Embed of the file inside and of the same loaded differ (-inside +loaded):\n%s", diff)
	}
}

func TestNothingToEmbed(t *testing.T) {
	e := newWith(t, matrix.FastestTile())
	for _, text := range []string{"", "   ", "\u3000\u200b", "\xff\xfe", "。、！", "—— …", "🎉🎊", "한국어", "▁▁"} {
		if v, err := e.Embed(t.Context(), []string{"傘", text}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Embed(%q) = %d vectors, %v; want ErrInvalid", text, len(v), err)
		}
	}
	for _, text := range []string{"7", "駅", "w", "🎉 駅", "한국어 Korea"} {
		if v, err := e.Embed(t.Context(), []string{text}); err != nil || !v[0].IsUnit() {
			t.Errorf("Embed(%q) = %v, %v; want a vector", text, v, err)
		}
	}
}

// An endingContext ends after it was asked for its error a number of times.
type endingContext struct {
	context.Context
	asked, ends int
}

func (c *endingContext) Err() error {
	if c.asked++; c.asked > c.ends {
		return context.DeadlineExceeded
	}
	return nil
}

func TestEmbedEnds(t *testing.T) {
	e := newWith(t, matrix.FastestTile())
	for name, texts := range map[string][]string{
		"between texts":      {"a", "b", "c", "d", "e"},
		"within a long text": {strings.Repeat("本を読む。", section)},
	} {
		ctx := &endingContext{Context: t.Context(), ends: 3}
		if v, err := e.Embed(ctx, texts); !errors.Is(err, fault.ErrUnavailable) ||
			!errors.Is(err, context.DeadlineExceeded) || v != nil {
			t.Errorf("Embed with a context that ends %s = %d vectors, %v; want none, ErrUnavailable and DeadlineExceeded", name, len(v), err)
		}
		if ctx.asked != ctx.ends+1 {
			t.Errorf("Embed went on after its context had ended %s", name)
		}
	}
}
