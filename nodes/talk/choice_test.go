package talk

import (
	"slices"
	"testing"

	"annai/nlu"
)

// TestChoiceKnowsItsFeatures checks the file of the choice against the features that options have: a name on one side
// only would count as 0 for ever.
func TestChoiceKnowsItsFeatures(t *testing.T) {
	var learnt []string
	for _, f := range learntChoice().features {
		learnt = append(learnt, featureNames[f])
	}
	if have := slices.Sorted(slices.Values(featureNames)); !slices.Equal(have, learnt) {
		t.Errorf("options have the features %q, and the choice was learnt of %q", have, learnt)
	}
}

func TestChoice(t *testing.T) {
	yoga, koto := Subject{Kind: Event, Title: "朝ヨガ / Morning Yoga"}, Subject{Kind: Event, Title: "箏の会 / Koto"}
	before := Question{Ask: nlu.AskWhen, About: nlu.AboutSubject, Subject: yoga}
	m := Memory{}.Next("朝ヨガはいつですか", before, []Subject{yoga})
	near := []Candidate{{Subject: yoga, Score: 0.3, Strength: -0.5}, {Subject: koto, Score: 0.3, Strength: -0.5}}
	for _, c := range []struct {
		name    string
		reading nlu.Reading
		scores  [2]float64
		want    Subject
	}{
		{"nothing named", nlu.Reading{Text: "いくら", Ask: nlu.AskHowMuch, Ref: nlu.RefLast}, [2]float64{0.3, 0.3}, yoga},
		{
			"another named",
			nlu.Reading{
				Text: "箏の会はいくら", Ask: nlu.AskHowMuch, Ref: nlu.RefNamed, Named: 1, Keywords: []string{"箏の会"},
			},
			[2]float64{0.2, 1.4},
			koto,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.reading
			r.Language, r.Act, r.About = nlu.Japanese, nlu.ActAsks, nlu.AboutSubject
			for i := range near {
				near[i].Score, near[i].Strength = c.scores[i], c.scores[i]-0.8
			}
			if got, _, _ := learntChoice().of(Options(r, m, near)); !got.Subject.Same(c.want) {
				t.Errorf("chose %q, not %q", got.Subject.Title, c.want.Title)
			}
		})
	}
}

func TestReadChoiceRefuses(t *testing.T) {
	for _, file := range []string{"", "weight\tbias", "weight\tbias\ta\n1\t2", "weight\tbias\ta\n1\t2\tx"} {
		if _, err := readChoice(file); err == nil {
			t.Errorf("%q: no error", file)
		}
	}
}
