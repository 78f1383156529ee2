//go:build !novoice

package hts

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"annai/internal/budget"
)

// A spoken is a sentence as the real Open JTalk speaks it; scripts/voice wrote it.
type spoken struct {
	Text    string
	Speed   float64
	Step    int      // of its samples, every so many
	Labels  []string // "start end label", in units of 100 ns
	Samples []byte   // 16 bits each
}

func oracle(t testing.TB) (all []spoken) {
	name := "testdata/oracle.jsonl.gz"
	if other := os.Getenv("VOICE_ORACLE"); other != "" {
		name = other
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var s spoken
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if len(all) == 0 || lines.Err() != nil {
		t.Fatalf("%s has %d sentences: %v", name, len(all), lines.Err())
	}
	return all
}

// split returns the labels and when each starts and ends.
func (s spoken) split(t testing.TB) (labels []string, marks []Mark) {
	for _, line := range s.Labels {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			t.Fatalf("label %q", line)
		}
		phoneme, err := phonemeOf(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		mark := Mark{Phoneme: phoneme}
		for i, at := range []*time.Duration{&mark.Start, &mark.End} {
			units, err := strconv.Atoi(fields[i])
			if err != nil {
				t.Fatal(err)
			}
			*at = time.Duration(units) * 100 * time.Nanosecond
		}
		labels, marks = append(labels, fields[2]), append(marks, mark)
	}
	return labels, marks
}

// TestAsOpenJTalk speaks what the real Open JTalk spoke, as long and with the same wave.
func TestAsOpenJTalk(t *testing.T) {
	mei, err := Mei()
	if err != nil {
		t.Fatal(err)
	}
	worst := 1.0
	for _, want := range oracle(t) {
		labels, marks := want.split(t)
		got, err := mei.Synthesize(t.Context(), labels, Options{Speed: want.Speed})
		if err != nil {
			t.Fatalf("%s: %v", want.Text, err)
		}
		for i, m := range got.Marks {
			if m != marks[i] {
				t.Errorf("%s: phoneme %d is %v, want %v", want.Text, i, m, marks[i])
			}
		}
		if have, need := (len(got.Samples)+want.Step-1)/want.Step, len(want.Samples)/2; have != need {
			t.Errorf("%s: %d samples, want %d", want.Text, have, need)
			continue
		}
		alike := correlation(got.Samples, want)
		if worst = min(worst, alike); alike < 0.99999 {
			t.Errorf("%s: the waves correlate by %.6f", want.Text, alike)
		}
	}
	t.Logf("the waves correlate by %.7f at least", worst)
}

func correlation(samples []float32, want spoken) float64 {
	var xy, xx, yy float64
	for i := range len(want.Samples) / 2 {
		x := math.Trunc(min(max(float64(samples[i*want.Step])*(1<<15), -1<<15), 1<<15-1))
		y := float64(int16(binary.LittleEndian.Uint16(want.Samples[2*i:])))
		xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
	}
	return xy / math.Sqrt(xx*yy)
}

// BenchmarkSynthesize is how long a second of sound takes from its labels.
func BenchmarkSynthesize(b *testing.B) {
	mei, err := Mei()
	if err != nil {
		b.Fatal(err)
	}
	labels, _ := oracle(b)[5].split(b)
	b.ReportAllocs()
	seconds := 0.0
	for b.Loop() {
		s, err := mei.Synthesize(b.Context(), labels, Options{})
		if err != nil {
			b.Fatal(err)
		}
		seconds += float64(len(s.Samples)) / float64(s.Rate)
	}
	budget.AtMost(os.Stdout, "voice-ja-second", b.Elapsed().Seconds()/seconds, "s", 0.1)
}
