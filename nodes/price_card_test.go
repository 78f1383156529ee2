package nodes_test

import (
	"slices"
	"testing"

	"annai/api"
	"annai/dialog"
	"annai/nodes"
	"annai/venue"
)

// Where it is asked what something costs, the card has the whole list, of which the sentence says a part.
func TestPriceListIsACard(t *testing.T) {
	h := open(t, func(p *nodes.Parts, _ *nodes.Options) {
		v, err := venue.Demo()
		if err != nil {
			t.Fatal(err)
		}
		p.Venue = v
	})
	for query, want := range map[string]api.Field{
		"How much is coffee at saino?": {Label: "Sandwich", Value: "650–700 yen"},
		"sainoのコーヒーはいくら？":              {Label: "シングルオリジン", Value: "460円〜"},
	} {
		answer, err := h.Answer(t.Context(), dialog.Turn{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if len(answer.Cards) != 1 || answer.Cards[0].Type != "prices" || !slices.Contains(answer.Cards[0].Rows, want) {
			t.Errorf("%s: cards = %+v, want a price list with %v", query, answer.Cards, want)
		}
	}
	answer, err := h.Answer(t.Context(), dialog.Turn{Query: "sainoは何時まで？"})
	if err != nil {
		t.Fatal(err)
	}
	for _, card := range answer.Cards {
		if card.Type == "prices" || len(card.Rows) > 0 {
			t.Errorf("opening hours have the price list: %+v", card)
		}
	}
}
