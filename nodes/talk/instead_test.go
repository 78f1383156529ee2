package talk

import (
	"testing"

	"annai/nlu"
)

// TestStatesInstead holds when the next likeliest thing is asked about in place of the likeliest one.
func TestStatesInstead(t *testing.T) {
	silent := Option{near: Candidate{Alone: 0.2}}
	states := Option{near: Candidate{Alone: 0.6, States: true}}
	asks := nlu.Reading{
		Language: nlu.English, Text: "amex, does that work here?", Keywords: []string{"amex"}, Ask: nlu.AskMayI,
		Asks: map[nlu.Ask]float64{nlu.AskMayI: 0.8},
	}
	with := func(r nlu.Reading, change func(*nlu.Reading)) nlu.Reading {
		change(&r)
		return r
	}
	for _, c := range []struct {
		name        string
		reading     nlu.Reading
		best, other Option
		want        bool
	}{
		{"only the other states it", asks, silent, states, true},
		{"both state it", asks, states, states, false},
		{"neither states it", asks, silent, silent, false},
		{"the other is less likely by the words", asks, Option{near: Candidate{Alone: 0.7}}, states, false},
		{"the likeliest is named", asks, Option{near: Candidate{Alone: 0.2, Strength: 0.3}}, states, false},
		{
			"unsure what is asked", with(asks, func(r *nlu.Reading) { r.Asks = map[nlu.Ask]float64{nlu.AskMayI: 0.4} }),
			silent, states, false,
		},
		{
			"a short question for what was spoken of", with(asks, func(r *nlu.Reading) { r.Text = "how much?" }),
			Option{Kept: true, near: silent.near},
			states, false,
		},
	} {
		if got := statesInstead(c.reading, c.best, c.other); got != c.want {
			t.Errorf("%s: statesInstead = %v, want %v", c.name, got, c.want)
		}
	}
}
