//go:build !novoice

package hibari

import (
	"os"
	"testing"

	"annai/internal/budget"
)

// BenchmarkNetwork is what a second of sound takes without reading the text.
func BenchmarkNetwork(b *testing.B) {
	v := voice(b)
	ids := v.idsOf("jˌu kæn bˈʊk mˈiTɪŋ ɹˈum ˈA θɹˈi fɔɹ fˈIv hˈʌndɹəd jˈɛn ɐn ˈWəɹ, kˈænt ju?")
	var samples int
	for b.Loop() {
		p, err := v.network.speak(b.Context(), ids)
		if err != nil {
			b.Fatal(err)
		}
		frames, err := v.network.frames(b.Context(), ids, p)
		if err != nil {
			b.Fatal(err)
		}
		sound, err := v.synthesizer.sound(b.Context(), v.network, frames, p.pitch, hiss)
		if err != nil {
			b.Fatal(err)
		}
		samples += len(sound)
	}
	b.ReportMetric(b.Elapsed().Seconds()*Rate/float64(samples), "s/s")
}

// BenchmarkNew is how long the voice takes to be read.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSynthesize is how long a second of sound takes from its text, in a sentence of 4.6 seconds.
func BenchmarkSynthesize(b *testing.B) {
	v := voice(b)
	var samples int
	for b.Loop() {
		pcm, _, _, err := v.Synthesize(b.Context(), "The next talk is on Friday, January 24 at 19:00.")
		if err != nil {
			b.Fatal(err)
		}
		samples += len(pcm)
	}
	budget.AtMost(os.Stdout, "voice-en-second", b.Elapsed().Seconds()*Rate/float64(samples), "s", 0.15)
}
