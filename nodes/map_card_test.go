package nodes_test

import (
	"slices"
	"testing"

	"annai/api"
	"annai/dialog"
	"annai/nodes"
	"annai/venue"
)

// Who asks the way sees where the venue lies among what is near, what they named first; who asks the way to one of its
// parts does not.
func TestMapIsACard(t *testing.T) {
	h := open(t, func(p *nodes.Parts, _ *nodes.Options) {
		v, err := venue.Demo()
		if err != nil {
			t.Fatal(err)
		}
		p.Venue = v
	})
	ask := func(query string) []api.Card {
		answer, err := h.Answer(t.Context(), dialog.Turn{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(answer.Cards, func(c api.Card) bool { return c.Type != "map" })
	}
	cards := ask("How do I get there from Tenjin station?")
	if len(cards) != 1 || len(cards[0].Rows) != 4 || len(cards[0].Points) != 4 {
		t.Fatalf("maps = %+v, want one with four places", cards)
	}
	want := api.Field{Label: "Tenjin Station", Value: "470 m direct"}
	if got := cards[0]; got.Rows[0] != want || got.Points[0] != (api.MapPoint{East: -454, North: -122}) {
		t.Errorf("map = %+v, want %v first, to the west", got, want)
	}
	for _, query := range []string{"How do I get to saino?", "sainoへの行き方は？", "今日のイベントは？"} {
		if cards := ask(query); len(cards) > 0 {
			t.Errorf("%s: maps = %+v, want none", query, cards)
		}
	}
}
