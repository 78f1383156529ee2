//go:build !novoice

package hibari

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// A fixture is what onnxruntime made of a sentence; see generate/fixtures.py.
type fixture struct {
	Phonemes              string
	Steps                 []int
	Every                 int // of which frames there are spectra
	Pitch, Spectra, Sound []byte
}

func fixtures(t *testing.T) (list []fixture) {
	t.Helper()
	f, err := os.Open("testdata/network.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestNetwork is how close the network and what makes sound of it are to onnxruntime and numpy.
func TestNetwork(t *testing.T) {
	v := voice(t)
	silence := func(int) func() float64 { return func() float64 { return 0 } }
	for _, f := range fixtures(t) {
		ids := v.idsOf(f.Phonemes)
		p, err := v.network.speak(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.steps, f.Steps) {
			t.Errorf("%s lasts %v, want %v", f.Phonemes, p.steps, f.Steps)
			continue
		}
		var pitch []float32
		for at := 0; at < len(f.Pitch); at += 4 {
			pitch = append(pitch, math.Float32frombits(binary.LittleEndian.Uint32(f.Pitch[at:])))
		}
		closeTo(t, f.Phonemes+": pitch", p.pitch, pitch, 1e-3)
		frames, err := v.network.frames(t.Context(), ids, p)
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]float32, len(p.pitch)*headWidth)
		v.network.spectrum(frames, rows)
		for part, name := range []string{"harmonics", "turn", "noise", "rest", "phase"} {
			var got, want []float32
			for at := part * bins * 2; at < len(f.Spectra); at += 5 * bins * 2 {
				row := rows[len(got)/bins*f.Every*headWidth:]
				got = append(got, row[part*bins:][:bins]...)
				for k := range bins {
					want = append(want, half(f.Spectra[at+2*k:]))
				}
			}
			closeTo(t, f.Phonemes+": "+name, got, want, 1e-2)
		}
		// Phases add up: a pitch that differs in the sixth digit, which nobody hears, is another sound.
		sound, err := v.synthesizer.sound(t.Context(), v.network, frames, pitch, silence)
		if err != nil {
			t.Fatal(err)
		}
		var want []float32
		for at := 0; at < len(f.Sound); at += 2 {
			want = append(want, float32(int16(binary.LittleEndian.Uint16(f.Sound[at:])))/32767)
		}
		closeTo(t, f.Phonemes+": sound", sound, want, 1e-2)
	}
}

func half(bytes []byte) float32 { return halves(string(bytes[:2]))[0] }

// closeTo reports numbers whose difference is more than so much of what is wanted.
func closeTo(t *testing.T, name string, got, want []float32, most float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", name, len(got), len(want))
		return
	}
	var difference, whole float64
	for i, w := range want {
		difference += float64(got[i]-w) * float64(got[i]-w)
		whole += float64(w) * float64(w)
	}
	if r := math.Sqrt(difference / whole); !(r <= most) {
		t.Errorf("%s: differs by %.5f of it, want at most %.5f", name, r, most)
	} else {
		t.Logf("%s: differs by %.5f", name, r)
	}
}
