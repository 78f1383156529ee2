package embedded

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"annai/fault"
	"annai/internal/matrix"
	"annai/rag"
)

func adapted(t testing.TB) *Embedder {
	t.Helper()
	e, err := New()
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return e
}

// TestAdaptation says that needs are nearer to what answers them than to the model alone, and that
// vectors of the two are never taken for each other.
func TestAdaptation(t *testing.T) {
	plain, learnt := newWith(t, matrix.FastestTile()), adapted(t)
	needs := []string{"足が棒になった", "荷物が重くて歩けない", "My little one needs a nap", "急に降ってきちゃった", "I'm starving"}
	answers := []string{
		"There are benches along the path.", "Bags can be left in the lockers.", "乳幼児が横になれる部屋があります。",
		"Umbrellas are lent at the desk.", "軽食は二階の喫茶でどうぞ。",
	}
	lead := func(e *Embedder) (sum float64) {
		asked, said := embed(t, e, needs...), embed(t, e, answers...)
		for i, need := range asked {
			for j, other := range said {
				if i != j {
					sum += (rag.Cosine(need, said[i]) - rag.Cosine(need, other)) / float64(len(needs)*(len(needs)-1))
				}
			}
		}
		return sum
	}
	if before, after := lead(plain), lead(learnt); after < before+0.05 {
		t.Errorf("what answers a need is nearer than other texts by %.3f, and by %.3f without the adaptation; want clearly more", after, before)
	}
	if plain.Fingerprint() == learnt.Fingerprint() {
		t.Errorf("Fingerprint() = %q with and without the adaptation", learnt.Fingerprint())
	}
}

// TestAdaptationIsUsed compares tensors of the adapted model with the file that they are from, and one that stays.
func TestAdaptationIsUsed(t *testing.T) {
	c, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	learnt, err := open(adaptation)
	if err != nil {
		t.Fatal(err)
	}
	was := maps.Clone(c.Tensors)
	if err := c.adapt(adaptation); err != nil {
		t.Fatal(err)
	}
	for name, scaled := range map[string]bool{
		"conv5b.w": true, "proj2.w": true, "cnn.w": true, "cnn.s": true,
		"ln.g": true, "cnn.b": true, "d0.w": false, "emb.q": false,
	} {
		if got := c.Tensors[name]; scaled && (got.Data != learnt.Tensors[name].Data || got.Data == was[name].Data) ||
			!scaled && got.Data != was[name].Data {
			t.Errorf("tensor %s is not that of the adaptation where it has it", name)
		}
	}
	if _, err := newModel(c, nil); err != nil {
		t.Errorf("newModel of the adapted model: %v", err)
	}
}

func TestDamagedAdaptation(t *testing.T) {
	edited := func(from, to string) string {
		if !strings.Contains(adaptation, from) {
			t.Fatalf("no %s in the adaptation", from)
		}
		return strings.Replace(adaptation, from, to, 1)
	}
	for name, damaged := range map[string]string{
		"empty":          "",
		"cut off":        adaptation[:len(adaptation)/2],
		"another format": "x" + adaptation[1:],
		"another shape":  edited(`"shape": [512]`, `"shape": [511]`),
		"another name":   edited(`"name": "cnn.b"`, `"name": "cnn.x"`),
		"scales of none": edited(`"name": "cnn.s"`, `"name": "cnn.t.s"`),
		"another type":   edited(`"dtype": "f32"`, `"dtype": "f16"`),
	} {
		c, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.adapt(damaged); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("adapt(%s) = %v, want an invalid file", name, err)
		}
	}
}
