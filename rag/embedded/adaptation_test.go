package embedded

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"annai/internal/fault"
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

// TestAdaptation says that needs are nearer to what answers them than to the model alone, and that vectors of the two are never taken for each other.
func TestAdaptation(t *testing.T) {
	plain, learnt := newWith(t, fastestTile()), adapted(t)
	needs := []string{"足が棒になった", "荷物が重くて歩けない", "My little one needs a nap", "急に降ってきちゃった", "I'm starving"}
	answers := []string{"There are benches along the path.", "Bags can be left in the lockers.", "乳幼児が横になれる部屋があります。", "Umbrellas are lent at the desk.", "軽食は二階の喫茶でどうぞ。"}
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

// TestAdaptationIsAdded compares one vector with the formula, computed plainly.
func TestAdaptationIsAdded(t *testing.T) {
	scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(adaptation[:4])))
	m, err := newAdaptation(adaptation)
	if err != nil {
		t.Fatal(err)
	}
	x, y := make([]float32, dimension), make([]float32, dimension)
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	m.apply(plainTile, x, 0, 1, y, 0)
	for o := range y {
		want := 0.0
		for i := range x {
			want += float64(x[i]) * float64(scale) * float64(int8(adaptation[4+i*dimension+o]))
		}
		if math.Abs(want-float64(y[o])) > agreement {
			t.Fatalf("output %d of the adaptation = %g, want %g", o, y[o], want)
		}
	}
}

func TestDamagedAdaptation(t *testing.T) {
	for name, file := range map[string]string{
		"empty":     "",
		"cut off":   adaptation[:len(adaptation)-1],
		"too long":  adaptation + "\x00",
		"no scale":  strings.Repeat("\x00", adaptationSize),
		"NaN":       "\x00\x00\xc0\x7f" + adaptation[4:],
		"too large": "\x00\x00\x80\x7f" + adaptation[4:],
	} {
		if m, err := newAdaptation(file); m != nil || !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("newAdaptation(%s) = %v, %v; want an invalid file", name, m != nil, err)
		}
	}
}
