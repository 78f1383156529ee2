package linear_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"annai/nlu/linear"
)

var labels = []string{"animal/cat", "animal/dog", "tool"}

// lessons are sentences of three sorts that share most of their words.
func lessons() []linear.Example {
	var all []linear.Example
	for n := range 30 {
		all = append(
			all,
			linear.Example{Text: fmt.Sprintf("the cat number %d purrs loudly", n), Label: "animal/cat"},
			linear.Example{Text: fmt.Sprintf("the dog number %d barks loudly", n), Label: "animal/dog"},
			linear.Example{Text: fmt.Sprintf("ハンマー%d本を使います", n), Label: "tool"},
		)
	}
	return all
}

func best(m *linear.Model, text string) (label string, p float32) {
	scores := make([]float32, len(m.Labels()))
	m.Score(text, scores)
	p = slices.Max(scores)
	return m.Labels()[slices.Index(scores, p)], p
}

func TestTrain(t *testing.T) {
	m := linear.Train(lessons(), labels, linear.Options{Rows: 500})
	for text, want := range map[string]string{
		"a cat purrs": "animal/cat", "my dog barks": "animal/dog", "ハンマーを使って": "tool",
		"the cat number 99 purrs loudly": "animal/cat",
	} {
		if got, p := best(m, text); got != want || p < 0.5 {
			t.Errorf("%q is %s with %.2f, want %s", text, got, p, want)
		}
	}
	for _, text := range []string{"", "the", "!?", strings.Repeat("cat ", 5000), "\xff\x00"} {
		scores := make([]float32, len(labels))
		m.Score(text, scores)
		sum := 0.0
		for _, p := range scores {
			sum += float64(p)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("the probabilities of %.20q add up to %v", text, sum)
		}
	}
}

// TestSame says that the same examples make the same bytes, which are read back as the same model.
func TestSame(t *testing.T) {
	m := linear.Train(lessons(), labels, linear.Options{Rows: 300})
	file := m.Bytes()
	if again := linear.Train(lessons(), labels, linear.Options{Rows: 300}).Bytes(); !bytes.Equal(file, again) {
		t.Errorf("the same examples made %d and %d bytes that differ", len(file), len(again))
	}
	read, err := linear.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read.Bytes(), file) || !slices.Equal(read.Labels(), labels) {
		t.Errorf("Read(Bytes()) is another model, with labels %v", read.Labels())
	}
	a, b := make([]float32, len(labels)), make([]float32, len(labels))
	m.Score("the dog purrs", a)
	read.Score("the dog purrs", b)
	if !slices.Equal(a, b) {
		t.Errorf("scores %v became %v by writing and reading", a, b)
	}
}

func TestReadRefuses(t *testing.T) {
	file := linear.Train(lessons(), labels, linear.Options{Rows: 50}).Bytes()
	for name, broken := range map[string][]byte{
		"nothing": nil, "something else": []byte("GIF89a"), "a byte less": file[:len(file)-1],
		"a byte more": append(slices.Clone(file), 0), "half": file[:len(file)/2],
		"many labels": append([]byte("annai linear 1\n"), 0xFF, 0xFF, 0xFF, 0xFF, 0x0F),
		"no label":    append([]byte("annai linear 1\n"), 0, 0),
	} {
		if _, err := linear.Read(broken); err == nil {
			t.Errorf("Read(%s): no error", name)
		}
	}
}

func TestExplain(t *testing.T) {
	m := linear.Train(lessons(), labels, linear.Options{Rows: 500})
	features := m.Explain("the dog barks", 1, 0, 4)
	if len(features) != 4 {
		t.Fatalf("Explain gave %d features, want 4", len(features))
	}
	for _, f := range features {
		if f.Weight <= 0 || !strings.Contains("the dog barks", strings.Trim(strings.Trim(f.Gram, `"`), " ")) {
			t.Errorf("Explain: %+v, want a piece of the text that is for the dog", f)
		}
	}
	for i, f := range m.Explain("the dog barks", 0, 1, 4) {
		if f.Gram != features[i].Gram || f.Weight != -features[i].Weight {
			t.Errorf("Explain the other way: %+v, want %+v against it", f, features[i])
		}
	}
}

func TestKnown(t *testing.T) {
	m := linear.Train(lessons(), labels, linear.Options{Rows: 2000})
	for text, want := range map[string]bool{
		"the cat purrs loudly": true, "ハンマーを使います": true, "zzyxq wvvk": false,
		"": false, "㍿㌀": false,
	} {
		if got := m.Known(text); got > 0.5 != want {
			t.Errorf("Known(%q) = %.2f, known should be %v", text, got, want)
		}
	}
}

// TestCalibrate says that a model which is right by half comes to be half sure, and that mistakes
// within a group do not count.
func TestCalibrate(t *testing.T) {
	group := func(label string) string { before, _, _ := strings.Cut(label, "/"); return before }
	own := func(label string) string { return label }
	var mixed []linear.Example
	for n := range 40 {
		mixed = append(mixed, linear.Example{Text: "the cat number 1 purrs loudly", Label: labels[n%2]})
	}
	sure := linear.Train(lessons(), labels, linear.Options{Rows: 500})
	if factor := sure.Calibrate(mixed, group); factor < 1 {
		t.Errorf("Calibrate by group = %v, want the model no less sure: it was always right", factor)
	}
	unsure := linear.Train(lessons(), labels, linear.Options{Rows: 500})
	if factor := unsure.Calibrate(mixed, own); factor > 0.5 {
		t.Errorf("Calibrate = %v, want the model much less sure: it was right by half", factor)
	}
	_, p := best(unsure, "the cat number 1 purrs loudly")
	if _, before := best(sure, "the cat number 1 purrs loudly"); p >= before || p > 0.8 {
		t.Errorf("it is %.2f sure after calibration, and %.2f before, want it less sure", p, before)
	}
}

func FuzzScore(f *testing.F) {
	m := linear.Train(lessons(), labels, linear.Options{Rows: 200})
	f.Add("the cat purrs")
	f.Add("ハンマー \x00\xff 12")
	f.Fuzz(func(t *testing.T, text string) {
		scores := make([]float32, len(labels))
		m.Score(text, scores)
		for _, p := range scores {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("Score(%q) = %v", text, scores)
			}
		}
		if known := m.Known(text); known < 0 || known > 1 {
			t.Fatalf("Known(%q) = %v", text, known)
		}
	})
}
