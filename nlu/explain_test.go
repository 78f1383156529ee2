package nlu_test

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"annai/nlu"
	"annai/nlu/linear"
)

// TestExplain says that an explanation is of the same understanding, and that what it says of rule
// and n-grams adds up to it.
func TestExplain(t *testing.T) {
	r := demo()
	for _, c := range readings {
		e := r.Explain(c.text, now(t))
		if diff := gocmp.Diff(r.Understand(c.text, now(t)), e.Understanding); diff != "" {
			t.Errorf("Explain(%q).Understanding (-Understand +Explain):\n%s", c.text, diff)
		}
		if e.Rule.Certain {
			if len(e.Agents) > 0 || e.Rule.Intent != e.Understanding.Intent {
				t.Errorf("Explain(%q): rule %+v is certain, but the intent is %s, by %d agents", c.text, e.Rule,
					e.Understanding.Intent, len(e.Agents))
			}
			continue
		}
		checkEvidence(t, c.text, e)
	}
}

// byWeight orders features by how much they say, for or against.
func byWeight(a, b linear.Feature) int {
	return cmp.Compare(max(b.Weight, -b.Weight), max(a.Weight, -a.Weight))
}

func checkEvidence(t *testing.T, text string, e nlu.Explanation) {
	t.Helper()
	agents, alone, together := map[string]bool{}, 0.0, 0.0
	for _, a := range e.Agents {
		agents[a.Agent] = true
		alone += a.NGrams
		together += a.Together
		if len(a.Features) > 12 || !slices.IsSortedFunc(a.Features, byWeight) {
			t.Errorf("Explain(%q): %s has %d features in a wrong order or too many: %v", text, a.Agent,
				len(a.Features), a.Features)
		}
	}
	if len(agents) != 4 || alone < 0.99 || alone > 1.01 || together < 0.99 || together > 1.01 {
		t.Errorf("Explain(%q): agents %v with %.3f and %.3f altogether, want four with 1 and 1", text, agents, alone,
			together)
	}
	if u := e.Understanding; u.Reason == "n-grams" && e.Agents[0].Agent != u.Intent.Agent() {
		t.Errorf("Explain(%q): %s comes first, but the intent is %s", text, e.Agents[0].Agent, u.Intent)
	}
	if len(e.Intents) != 5 || e.Intents[0].Probability < e.Intents[4].Probability {
		t.Errorf("Explain(%q): intents %v, want five, the likeliest first", text, e.Intents)
	}
}

// TestExplainTokens says that tokens stand in the order of the text, with what they say.
func TestExplainTokens(t *testing.T) {
	want := []nlu.Token{
		{Text: "来週", Says: []string{"time"}},
		{Text: "の", Says: []string{"cut from topics"}},
		{Text: "イベント", Says: []string{"event", "cut from topics"}},
		{Text: "は", Says: []string{"cut from topics"}},
	}
	if diff := gocmp.Diff(want, demo().Explain("来週のイベントは？", now(t)).Tokens); diff != "" {
		t.Errorf("Explain(来週のイベントは？).Tokens (-want +got):\n%s", diff)
	}
}
