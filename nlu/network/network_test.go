package network

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/internal/matrix"
)

// agreement is how far apart logits of two implementations may be.
const agreement = 2e-3

// pointAgreement is how far apart probabilities may be.
const pointAgreement = 2e-3

// whole compares all of an output.
var whole = cmp.AllowUnexported(Utterance{}, view{}, text{})

func opened(t testing.TB) *Network {
	t.Helper()
	n, err := Open()
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return n
}

// golden is a reading by the network that was learnt, see scripts/learn/reader_file.py.
type golden struct {
	Utterance     string
	Context       Context
	Texts         [][]int32
	Logits, Alone []float32
	Candidates    []Candidate
	// Points are how likely each candidate is what it is about.
	Points, AlonePoints []float64
}

func readGolden(t testing.TB) (all []golden) {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all) < 8 {
		t.Fatalf("golden.json: %d readings, %v", len(all), err)
	}
	return all
}

func TestGolden(t *testing.T) {
	plain := *opened(t)
	plain.multiply, plain.attend, plain.known = matrix.PlainTile, matrix.PlainFloatTile, &texts{most: mostOfTexts}
	for name, n := range map[string]*Network{"fastest": opened(t), "plain": &plain} {
		all := readGolden(t)
		if name == "plain" {
			all = all[:2]
		}
		s := newScratch()
		for _, want := range all {
			in := n.pack(want.Utterance, want.Context)
			var texts [][]int32
			for _, text := range in.texts {
				texts = append(texts, text.ids)
			}
			if diff := cmp.Diff(want.Texts, texts); diff != "" {
				t.Errorf("pieces of %q, %+v differ (-want +got):\n%s", want.Utterance, want.Context, diff)
				continue
			}
			gap := furthest(n.logits(in, s), want.Logits)
			if alone := furthest(n.logitsAlone(in, s), want.Alone); !(max(gap, alone) <= agreement) {
				t.Errorf("%s: logits of %q are %.1e from those of the network that was learnt, and alone %.1e",
					name, want.Utterance, gap, alone)
			}
		}
	}
}

func TestPoint(t *testing.T) {
	n := opened(t)
	candidates := 0
	for _, want := range readGolden(t) {
		got := n.Point(n.Read(want.Utterance, want.Context).Utterance, want.Candidates)
		inTalk, alone := furthest(got.InTalk, want.Points), furthest(got.Alone, want.AlonePoints)
		if candidates += len(want.Candidates); !(max(inTalk, alone) <= pointAgreement) {
			t.Errorf("%q points %.1e from where the network that was learnt does, and alone %.1e",
				want.Utterance, inTalk, alone)
		}
	}
	if candidates < 100 {
		t.Errorf("%d candidates, want some hundred", candidates)
	}
}

func furthest[N float32 | float64](got, want []N) float64 {
	gap := 0.0
	if len(got) < len(want) {
		return math.Inf(1)
	}
	for i, v := range want {
		gap = max(gap, math.Abs(float64(v-got[i])))
	}
	return gap
}

// check fails unless an output has every label of every decision once, with probabilities in order.
func check(t testing.TB, n *Network, out Output) {
	t.Helper()
	for i, some := range [][]Scored{out.Act, out.Ask, out.Second, out.Ref, out.When, out.About} {
		sum, seen := 0.0, map[string]bool{}
		for j, s := range some {
			if !(s.P >= 0 && s.P <= 1) || j > 0 && s.P > some[j-1].P {
				t.Errorf("%s: %+v is not in order", headNames[i], some)
			}
			sum += s.P
			seen[s.Label] = true
		}
		if math.Abs(sum-1) > 1e-9 || len(seen) != len(n.about.Heads[i].Labels) {
			t.Errorf("%s: %d labels, together %g; want %d and 1", headNames[i], len(seen), sum, len(n.about.Heads[i].Labels))
		}
	}
	if !(out.Negated >= 0 && out.Negated <= 1) {
		t.Errorf("Negated = %g", out.Negated)
	}
}

// hostile are utterances that nobody means.
var hostile = []string{
	"", " ", "\n\t\u3000", "?", "🎉🎉🎉", "\xff\xfe", "한국어 русский ελληνικά",
	strings.Repeat("あ", 2000), strings.Repeat("why ", 2000),
	strings.Repeat("🎉", 3000), strings.Repeat("ａ", 70) + "いくら？", "\u2581", "İ\u0130ſ",
}

func TestHostile(t *testing.T) {
	n := opened(t)
	for _, a := range hostile {
		for _, b := range hostile {
			check(t, n, n.Read(a, Context{Said: b, Ask: b, Subject: b, Earlier: b, InView: []string{b, a, b, a, b, a}}))
		}
		check(t, n, n.Read(a, Context{Ask: "when"}))
	}
}

// TestLong reads the end of a long utterance.
func TestLong(t *testing.T) {
	n := opened(t)
	long := strings.Repeat("私はきのう山に登って、それからおそばを食べました。", 60)
	if got, want := n.Read(long+"入場料はいくらですか？", Context{}).Ask[0].Label, "how_much"; got != want {
		t.Errorf("Ask of a long story with a question at its end = %s, want %s", got, want)
	}
}

// TestKnown reads the same where what the texts of the talk are is known, and where it was forgotten.
func TestKnown(t *testing.T) {
	n, say := opened(t), "二つめのやつって予約いるんですか？"
	n.known.put(keyOf([]int32{-1}), make([]float32, mostOfTexts)) // and with it no other
	first := n.Read(say, sixty)
	if diff := cmp.Diff(first, n.Read(say, sixty), whole); diff != "" {
		t.Errorf("Read(%q) with texts that are known differs:\n%s", say, diff)
	}
	n.known.put(keyOf([]int32{-2}), make([]float32, dimension))
	if n.known.count > mostOfTexts {
		t.Errorf("%d numbers are remembered, want %d at most", n.known.count, mostOfTexts)
	}
}

func TestConcurrent(t *testing.T) {
	n, all := opened(t), readGolden(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, g := range all {
				if diff := cmp.Diff(n.Read(g.Utterance, g.Context), n.Read(g.Utterance, g.Context), whole); diff != "" {
					t.Errorf("Read(%q) twice differs:\n%s", g.Utterance, diff)
				}
			}
		})
	}
	wait.Wait()
}

func TestExp(t *testing.T) {
	for x := -86.0; x <= 0; x += 0.0371 {
		if got, want := float64(exp(float32(x))), math.Exp(float64(float32(x))); math.Abs(got-want) > 8e-6*want {
			t.Errorf("exp(%g) = %g, want %g", x, got, want)
		}
	}
	if exp(-1000) != 0 || exp(float32(math.Inf(-1))) != 0 {
		t.Error("exp far below zero is not zero")
	}
}

func TestActivate(t *testing.T) {
	for x := -10.0; x <= 10; x += 0.0173 {
		values := []float32{float32(x)}
		activate(values)
		if got, want := float64(values[0]), x*0.5*math.Erfc(-x/math.Sqrt2); math.Abs(got-want) > 4e-6 {
			t.Errorf("activation of %g = %g, want %g", x, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	n := opened(f)
	for _, text := range hostile[:8] {
		f.Add(text, "いつ？", "when", "こども工作", "Library")
	}
	f.Fuzz(func(t *testing.T, utterance, said, ask, subject, view string) {
		c := Context{Said: said, Ask: ask, Subject: subject, Earlier: view, InView: []string{view, subject}}
		check(t, n, n.Read(utterance, c))
	})
}

// TestReadings are plain turns that any network of ours has to read.
func TestReadings(t *testing.T) {
	n := opened(t)
	for _, test := range []struct {
		utterance     string
		context       Context
		act, ask, ref string
	}{
		{"入場料はいくらですか？", Context{}, "asks", "how_much", "named"},
		{"where can I park my bike", Context{}, "asks", "where", "named"},
		{"ほんとに？", Context{Said: "予約いる？", Ask: "need_i", Subject: "こども工作教室"}, "doubts", "confirm", "last"},
		{"ありがとう", Context{Said: "予約いる？", Ask: "need_i", Subject: "こども工作教室"}, "thanks", "none", "none"},
		{"黒い傘です", Context{Said: "傘を忘れたんですけど", Ask: "how_do_i", Subject: "忘れもの"}, "adds", "how_do_i", "last"},
		{
			"the second one, how much is it?",
			Context{Said: "what's on saturday", Ask: "events", InView: []string{"Robot class", "Night tour"}},
			"asks", "how_much", "item",
		},
	} {
		out := n.Read(test.utterance, test.context)
		got := [3]string{out.Act[0].Label, out.Ask[0].Label, out.Ref[0].Label}
		if want := [3]string{test.act, test.ask, test.ref}; got != want {
			t.Errorf("Read(%q, %+v) = %v, want %v", test.utterance, test.context, got, want)
		}
	}
}
