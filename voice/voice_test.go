//go:build !novoice

package voice

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/fault"
	"annai/voice/hts"
)

// fileAnalyser knows the sentences that scripts/voice had labelled.
type fileAnalyser map[string][]string

func (f fileAnalyser) Labels(text string) ([]string, error) {
	if labels, ok := f[text]; ok {
		return labels, nil
	}
	return nil, fault.ErrInvalid
}

func mei(t *testing.T) Speaker {
	file, err := os.Open("hts/testdata/oracle.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	analyser := fileAnalyser{}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var s struct {
			Text   string
			Labels []string
		}
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		for _, label := range s.Labels {
			analyser[s.Text] = append(analyser[s.Text], strings.Fields(label)[2])
		}
	}
	mei, err := hts.Mei()
	if err != nil {
		t.Fatal(err)
	}
	return Japanese(analyser, mei, 1)
}

// tone is an English engine that hums.
type tone struct{}

func (tone) Synthesize(_ context.Context, text string) ([]float32, int, []Mark, error) {
	samples := make([]float32, Rate)
	for i := range samples {
		samples[i] = float32(math.Sin(float64(i)/10)) / 2
	}
	return samples, Rate, []Mark{
		{" ", 0, 100 * time.Millisecond},
		{"h", 100 * time.Millisecond, 150 * time.Millisecond},
		{"ə", 150 * time.Millisecond, 300 * time.Millisecond},
		{"l", 300 * time.Millisecond, 400 * time.Millisecond},
		{"O", 400 * time.Millisecond, 600 * time.Millisecond},
		{" ", 600 * time.Millisecond, time.Second},
	}, nil
}

func TestJapanese(t *testing.T) {
	speaker := mei(t)
	speech, err := speaker.Speak(t.Context(), "こんにちは。", "ja")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"", "o", "n", "i", "a", ""}, shapes(speech.Mouth)); diff != "" {
		t.Errorf("mouth: %s", diff)
	}
	if begins := speech.Mouth[1].MS; begins > 40 {
		t.Errorf("speech begins after %d ms", begins)
	}
	mouth, length, err := speaker.(Timer).Mouth("こんにちは。", "ja")
	if diff := cmp.Diff(speech.Mouth, mouth); err != nil || diff != "" {
		t.Errorf("Mouth = %v: %s", err, diff)
	}
	if off := length - speech.Length(); off < -time.Millisecond || off > time.Millisecond {
		t.Errorf("Mouth says %v, the speech lasts %v", length, speech.Length())
	}
	loud := slices.Max(speech.Samples)
	if loud < 3000 || loud > 32200 {
		t.Errorf("loudest sample is %d", loud)
	}
}

func shapes(mouth []api.Viseme) (all []string) {
	for _, v := range mouth {
		all = append(all, v.Shape)
	}
	return all
}

func TestEnglish(t *testing.T) {
	speech, err := English(tone{}).Speak(t.Context(), "Hello", "en")
	want := []api.Viseme{{MS: 0}, {MS: 30, Shape: "e"}, {MS: 230, Shape: "o"}, {MS: 530}}
	if diff := cmp.Diff(want, speech.Mouth); err != nil || diff != "" {
		t.Errorf("Speak = %v: %s", err, diff)
	}
	if got := speech.Length().Milliseconds(); got != 680 { // without what is silent before and after
		t.Errorf("the speech lasts %d ms, want 680", got)
	}
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		text, language string
		want           []piece
	}{
		{"Wi-Fiは、無料です。", "ja", []piece{{"Wi-Fiは、無料です。", "ja"}}},
		{"10:00から、Winter Mokumoku Nightがあります。", "ja", []piece{
			{"10:00から、", "ja"}, {"Winter Mokumoku Night", "en"}, {"があります。", "ja"},
		}},
		{"はい。開いています！", "ja", []piece{{"はい。", "ja"}, {"開いています！", "ja"}}},
		{"It is held at 1F メインホール. See you.", "en", []piece{
			{"It is held at 1F ", "en"}, {"メインホール. ", "ja"}, {"See you.", "en"},
		}},
		{"Thank you very much.", "ja", []piece{{"Thank you very much.", "en"}}},
		{"12:30", "en", []piece{{"12:30", "en"}}},
		{"12:30", "ja", []piece{{"12:30", "ja"}}},
		{"…。", "ja", nil},
	} {
		got := pieces(c.text, c.language)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("pieces(%q, %s): %s", c.text, c.language, diff)
		}
	}
	long := strings.Repeat("長い文は、", 100)
	for _, p := range pieces(long, "ja") {
		if n := len([]rune(p.text)); n > maxPiece {
			t.Errorf("a piece of %d characters", n)
		}
	}
}

func FuzzPieces(f *testing.F) {
	f.Add("It is held at 1F メインホール. See you.", true)
	f.Add("長い、"+strings.Repeat("x", 300)+"。", false)
	f.Fuzz(func(t *testing.T, text string, japanese bool) {
		language := map[bool]string{true: "ja", false: "en"}[japanese]
		letters := 0
		for _, p := range pieces(text, language) {
			if p.language != "ja" && p.language != "en" {
				t.Errorf("%q: piece %q in %q", text, p.text, p.language)
			}
			letters += len(strings.Join(strings.Fields(p.text), ""))
		}
		if letters > len(text) {
			t.Errorf("%q: pieces of %d bytes", text, letters)
		}
	})
}

func TestBilingual(t *testing.T) {
	both := Bilingual(mei(t), English(tone{}))
	speech, err := both.Speak(t.Context(), "こんにちは。Thank you very much.", "ja")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"", "o", "n", "i", "a", "", "e", "o", ""}, shapes(speech.Mouth)); diff != "" {
		t.Errorf("mouth: %s", diff)
	}
	for _, c := range []struct {
		name, text, language string
		speaker              Speaker
		want                 error
	}{
		{"too long", strings.Repeat("あ", MaxText+1), "ja", both, fault.ErrInvalid},
		{"no voice at all", "こんにちは。", "ja", Bilingual(nil, nil), fault.ErrUnavailable},
		{"no Japanese voice", "こんにちは。", "ja", Bilingual(nil, English(tone{})), fault.ErrUnavailable},
		{"unknown to the analyser", "未知の文", "ja", both, fault.ErrInvalid},
	} {
		if _, err := c.speaker.Speak(t.Context(), c.text, c.language); !errors.Is(err, c.want) {
			t.Errorf("Speak(%s) = %v, want %v", c.name, err, c.want)
		}
	}
	if s, err := both.Speak(t.Context(), "…", "ja"); err != nil || len(s.Samples) > 0 {
		t.Errorf("Speak(nothing) = %d samples, %v", len(s.Samples), err)
	}
}

func TestWAV(t *testing.T) {
	samples := make([]int16, Rate/10)
	for i := range samples {
		samples[i] = int16(9000 * math.Sin(float64(i)/8))
	}
	again, err := ReadWAV(Speech{Samples: samples}.WAV())
	if err != nil || len(again.Samples) != len(samples) {
		t.Fatalf("ReadWAV = %d samples, %v", len(again.Samples), err)
	}
	for i, x := range again.Samples {
		if d := int(x) - int(samples[i]); d < -1 || d > 1 {
			t.Fatalf("sample %d is %d, want %d", i, x, samples[i])
		}
	}
	for name, file := range map[string][]byte{
		"text": []byte("<html>no sound today</html>"), "nothing": nil, "its head": Speech{}.WAV()[:20],
	} {
		if _, err := ReadWAV(file); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("ReadWAV(%s) = %v, want ErrUnavailable", name, err)
		}
	}
}

func FuzzReadWAV(f *testing.F) {
	f.Add(Speech{Samples: []int16{1, 2, 3}}.WAV())
	f.Fuzz(func(t *testing.T, file []byte) {
		if s, err := ReadWAV(file); err == nil && len(s.Samples) > 3*len(file) {
			t.Errorf("%d bytes are %d samples", len(file), len(s.Samples))
		}
	})
}

// TestResampled keeps a tone that both rates can carry, and loses one that the new rate can't.
func TestResampled(t *testing.T) {
	for _, c := range []struct {
		rate      int
		frequency float64
		want      float64
	}{{48_000, 1000, 1}, {44_100, 1000, 1}, {22_050, 1000, 1}, {48_000, 15_000, 0}} {
		samples := make([]float32, c.rate/4)
		for i := range samples {
			samples[i] = float32(math.Sqrt2 * math.Sin(2*math.Pi*c.frequency*float64(i)/float64(c.rate)))
		}
		got := resampled(samples, c.rate)
		if n := len(got); n < Rate/4-1 || n > Rate/4 {
			t.Errorf("from %d: %d samples, want %d", c.rate, n, Rate/4)
		}
		power := 0.0
		for _, x := range got[100 : len(got)-100] {
			power += float64(x) * float64(x) / float64(len(got)-200)
		}
		if math.Abs(power-c.want) > 0.01 {
			t.Errorf("%v Hz from %d: power %.4f, want %v", c.frequency, c.rate, power, c.want)
		}
	}
}
