package hibari

import (
	"testing"
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
