package danger

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"annai/fault"
	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

func opened(t testing.TB) *Detector {
	t.Helper()
	d, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGolden compares the network with what it says where it was learnt.
func TestGolden(t *testing.T) {
	d := opened(t)
	text, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden []struct {
		Say    string
		IDs    []int32
		Logits []float64
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	for _, g := range golden {
		if got := d.network.tokens(g.Say); !slices.Equal(got, g.IDs) {
			t.Errorf("tokens(%q) = %v, want %v", g.Say, got, g.IDs)
		}
		for i, got := range d.network.logits(g.Say) {
			if math.Abs(float64(got)-g.Logits[i]) > 2e-3 {
				t.Errorf("logits(%q)[%d] = %.4f, want %.4f", g.Say, i, got, g.Logits[i])
			}
		}
	}
}

// TestClosed says how many reports are found of which nothing was learnt, and how many of the harmless sentences raise
// an alarm: those of three authors who wrote nothing that was learnt from, and two more sets, harder: d8 by the author
// of d9 and d10, written before those, and d14. Nothing was chosen by these sentences.
func TestClosed(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		bars  bars
	}{
		{"three strangers", []string{"d1", "d2", "d3"}, strangers},
		{"one more set", []string{"d8"}, oneMore},
		{"the set of a fourth stranger", []string{"d14"}, fourth},
	} {
		t.Run(c.name, func(t *testing.T) { closed(t, c.files, c.bars) })
	}
}

func closed(t *testing.T, files []string, want bars) {
	d := opened(t)
	type sum struct{ all, found, right int }
	byClass := map[Class]*sum{}
	for _, c := range classes {
		byClass[c] = &sum{}
	}
	var reports sum
	for _, name := range files {
		for _, e := range sentencesOf(t, name) {
			got, _ := d.Read(e.Say)
			s := byClass[e.Class]
			s.all++
			if got != None {
				s.found++
			}
			if got == e.Class {
				s.right++
			}
		}
	}
	for _, c := range classes[1:] {
		s := byClass[c]
		t.Logf("%-10s %d of %d found, %d as that", c, s.found, s.all, s.right)
		reports.all, reports.found, reports.right = reports.all+s.all, reports.found+s.found, reports.right+s.right
	}
	found := 100 * float64(reports.found) / float64(reports.all)
	alarms := 100 * float64(byClass[None].found) / float64(byClass[None].all)
	right := 100 * float64(reports.right) / float64(reports.found)
	t.Logf("found %.1f %% of %d, %.1f %% of these in their class; alarms at %.2f %% of %d",
		found, reports.all, right, alarms, byClass[None].all)
	if found < want.found || alarms > want.alarms || right < want.right {
		t.Errorf("found %.1f %%, in their class %.1f %%, alarms %.2f %%; want at least %.1f and %.1f, at most %.2f",
			found, right, alarms, want.found, want.right, want.alarms)
	}
}

type sentence struct {
	Say   string
	Class Class
}

func sentencesOf(t testing.TB, name string) (out []sentence) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		var s sentence
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestWordsAreNoVerdict reads sentences that have words of danger in them.
func TestWordsAreNoVerdict(t *testing.T) {
	d := opened(t)
	for _, say := range []string{
		"レーザー加工機使いたいんやけど、いくら？", "来週行くんやけど駐車場ある？", "AED course", "is there an AED course this month?",
		"救急車来てくれはった、ありがとう", "the ambulance came, thank you", "found him!", "見つかりました、ありがとうございました",
		"地震についての勉強会はありますか", "fireside chat", "防災訓練はいつですか",
	} {
		if got, p := d.Read(say); got != None {
			t.Errorf("Read(%q) = %s, %.2f, want none", say, got, p)
		}
	}
}

// hostile are utterances that nobody means.
var hostile = []string{
	"", " ", "\n\t\u3000", "?", "🎉🎉🎉", "\xff\xfe", "한국어 русский ελληνικά", strings.Repeat("あ", 2000),
	strings.Repeat("fire ", 2000), strings.Repeat("🎉", 3000), "\u2581", "İ\u0130ſ",
}

func check(t *testing.T, d *Detector, say string) {
	t.Helper()
	class, p := d.Read(say)
	if !slices.Contains(classes[:], class) || !(p >= 0 && p <= 1) || (class != None) != (p >= 0.5) {
		t.Errorf("Read(%q) = %q, %g", say, class, p)
	}
}

func TestHostile(t *testing.T) {
	for _, say := range hostile {
		check(t, opened(t), say)
	}
}

// TestLong reads the end of a long utterance.
func TestLong(t *testing.T) {
	long := strings.Repeat("私はきのう山に登って、それからおそばを食べました。", 60)
	if got, _ := opened(t).Read(long + "火事です！"); got == Crime {
		t.Errorf("Read of a long story = %s", got)
	}
}

func TestConcurrent(t *testing.T) {
	d := opened(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, say := range []string{"火事です", "there's a fire", "トイレはどこ"} {
				a, p := d.Read(say)
				if b, q := d.Read(say); a != b || p != q {
					t.Errorf("Read(%q) = %s, %g, then %s, %g", say, a, p, b, q)
				}
			}
		})
	}
	wait.Wait()
}

func unpacked(t *testing.T) string {
	t.Helper()
	file, err := tensorfile.Unpack("network", networkFile)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDamaged(t *testing.T) {
	whole := unpacked(t)
	cut := whole[:len(whole)-9]
	for _, file := range []string{"", "ANNAIDG2", whole[:40], cut, "x" + whole[1:]} {
		if _, err := read(file); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("read of a damaged file: %v, want ErrInvalid", err)
		}
	}
}

// TestPlain computes the same without the fastest instructions.
func TestPlain(t *testing.T) {
	d := opened(t)
	n, err := read(unpacked(t))
	if err != nil {
		t.Fatal(err)
	}
	n.multiply = matrix.PlainTile
	for _, say := range []string{"火事です", "where is the museum shop?"} {
		want := d.network.logits(say)
		for i, got := range n.logits(say) {
			if math.Abs(float64(got-want[i])) > 1e-3 {
				t.Errorf("logits(%q)[%d] = %g without the fastest instructions, %g with", say, i, got, want[i])
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	d := opened(f)
	for _, say := range hostile[:8] {
		f.Add(say)
	}
	f.Fuzz(func(t *testing.T, say string) { check(t, d, say) })
}

func BenchmarkRead(b *testing.B) {
	d := opened(b)
	b.ReportAllocs()
	for b.Loop() {
		d.Read("すみません、二階のトイレで人が倒れていて動かないんです")
	}
}
