package nlu_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"annai/nlu"
	"annai/nlu/nlutest"
)

// outside is where the test data of others stands, when it is there.
const outside = "../../shared/testdata/nlu/"

type routeCase struct {
	ID     string   `json:"id"`
	Lang   string   `json:"lang"`
	Text   string   `json:"text"`
	Expect string   `json:"expect"`
	Accept []string `json:"accept"`
	Source string   `json:"source"`
	Intent string   `json:"intent"`
}

// tally counts answers as the scorer of the data does: an answer that is accepted counts as the expected one.
type tally struct {
	all, right int
	hit        map[string]int // right, by agent
	wanted     map[string]int
	said       map[string]int
	sure       [10][2]float64 // by tenths of confidence: how sure, and how often right
	sized      [10]int
}

func newTally() *tally {
	return &tally{hit: map[string]int{}, wanted: map[string]int{}, said: map[string]int{}}
}

func (t *tally) add(c routeCase, got nlu.Understanding) (right bool) {
	agent := got.Intent.Agent()
	if slices.Contains(c.Accept, agent) {
		agent = c.Expect
	}
	t.all++
	t.wanted[c.Expect]++
	t.said[agent]++
	tenth := min(int(got.AgentConfidence*10), 9)
	t.sized[tenth]++
	t.sure[tenth][0] += got.AgentConfidence
	if agent != c.Expect {
		return false
	}
	t.right++
	t.hit[agent]++
	t.sure[tenth][1]++
	return true
}

func (t *tally) accuracy() float64 { return float64(t.right) / float64(t.all) }

// f1 is the harmonic mean of precision and recall for one agent.
func (t *tally) f1(agent string) float64 {
	return 2 * float64(t.hit[agent]) / float64(t.wanted[agent]+t.said[agent])
}

// macroF1 is the mean of F1 over the agents that are wanted.
func (t *tally) macroF1() float64 {
	sum := 0.0
	for agent := range t.wanted {
		sum += t.f1(agent)
	}
	return sum / float64(len(t.wanted))
}

// calibration is the expected calibration error: by how much confidence and the share of right answers differ.
func (t *tally) calibration() float64 {
	sum := 0.0
	for _, s := range t.sure {
		sum += math.Abs(s[0] - s[1])
	}
	return sum / float64(t.all)
}

// TestOutsideData measures routing on the outside development data, and fails when it falls below what it has reached.
// With -v it prints what is wrong.
func TestOutsideData(t *testing.T) {
	anywhere := nlu.New(nlu.Options{Anywhere: true})
	for _, set := range []struct {
		name, file, source        string
		reader                    *nlu.Reader
		accuracy, f1, calibration float64
	}{
		{"kiosk", "route_kiosk.jsonl", "", anywhere, 0.97, 0, 1},
		{"kiosk at the venue", "route_kiosk.jsonl", "", demo(), 0.99, 0, 1},
		{"MASSIVE", "route.jsonl", "MASSIVE", anywhere, 0.97, 0.90, 0.02},
		{"MASSIVE at the venue", "route.jsonl", "MASSIVE", demo(), 0.95, 0.8, 1},
		{"CLINC150", "route.jsonl", "CLINC", anywhere, 0.98, 0, 0.02},
		{"xSID", "route.jsonl", "xSID", anywhere, 0.98, 0, 0.03},
		{"JaQuAD", "route.jsonl", "JaQuAD", anywhere, 0.99, 0, 0.03},
	} {
		t.Run(set.name, func(t *testing.T) {
			tallies := map[string]*tally{}
			for _, c := range nlutest.ReadCases[routeCase](t, outside+set.file) {
				if !strings.HasPrefix(c.Source, set.source) {
					continue
				}
				if tallies[c.Lang] == nil {
					tallies[c.Lang] = newTally()
				}
				got := set.reader.Understand(c.Text, now(t))
				if !tallies[c.Lang].add(c, got) && testing.Verbose() {
					t.Logf("wrong: %s | %s | %s | want %s | got %s %.2f (%s)", c.Lang, c.Text, c.Intent, c.Expect,
						got.Intent, got.AgentConfidence, got.Reason)
				}
			}
			mean := 0.0
			for lang, n := range tallies {
				mean += n.macroF1() / float64(len(tallies))
				t.Logf("%s %s: %.2f %% of %d, macro-F1 %.4f (event %.3f, calendar %.3f, date %.3f, other %.3f), calibration error %.3f",
					set.name, lang, 100*n.accuracy(), n.all, n.macroF1(), n.f1("event"), n.f1("calendar"),
					n.f1("date"), n.f1("other"), n.calibration())
				if n.accuracy() < set.accuracy {
					t.Errorf("%s %s: %.4f right, want at least %.2f", set.name, lang, n.accuracy(), set.accuracy)
				}
				if got := n.calibration(); got > set.calibration {
					t.Errorf("%s %s: calibration error %.3f, want at most %.3f", set.name, lang, got, set.calibration)
				}
			}
			t.Logf("%s: macro-F1 %.4f", set.name, mean)
			if mean < set.f1 {
				t.Errorf("%s: macro-F1 %.4f, want at least %.2f", set.name, mean, set.f1)
			}
		})
	}
}
