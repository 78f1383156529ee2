package nodes

import (
	"testing"

	"annai/nlu"
	"annai/nodes/talk"
)

// TestPickEither takes the words behind a question back for one of two things, or for neither.
func TestPickEither(t *testing.T) {
	t.Parallel()
	between := []talk.Subject{
		{Kind: talk.Event, Title: "城下町の歴史講座 / Castle Town History Talk"}, {Kind: talk.Part, ID: "p", Title: "年間パス"},
	}
	s := State{Language: nlu.Japanese, Route: route{Node: nodeClarify, Between: between}}
	if q := s.either(); q.Text != "「城下町の歴史講座」のことですか、それとも「年間パス」のことですか。" || len(q.Options) != 2 {
		t.Errorf("either() = %+v", q)
	}
	said := func(words string, u nlu.Understanding) int { return s.pickEither(reply{Turn: turn{Query: words}}, u) }
	that := nlu.Understanding{Reference: nlu.Reference{That: true}}
	for _, c := range []struct {
		words string
		u     nlu.Understanding
		want  int
	}{
		{"年間パスの方", nlu.Understanding{Keywords: []string{"年間パス"}}, 1},
		{"歴史のほう", nlu.Understanding{Keywords: []string{"歴史"}}, 0},
		{"the first one", nlu.Understanding{Reference: nlu.Reference{Ordinal: 1}}, 0},
		{"最後の", nlu.Understanding{Reference: nlu.Reference{Ordinal: -1}}, 1},
		{"2", nlu.Understanding{}, 1},
		{"三つ目", nlu.Understanding{Reference: nlu.Reference{Ordinal: 3}}, -1},
		{"それ", that, 0},
		{"はい", nlu.Understanding{Intent: nlu.Affirm}, 0},
		{"castle town history talk", nlu.Understanding{}, 0},
		{"トイレはどこ", nlu.Understanding{Keywords: []string{"トイレ"}}, -1},
	} {
		if got := said(c.words, c.u); got != c.want {
			t.Errorf("pickEither(%q) = %d, want %d", c.words, got, c.want)
		}
	}
	if got := s.pickEither(reply{Option: 2}, nlu.Understanding{}); got != 1 {
		t.Errorf("pickEither of the second option = %d", got)
	}
}

// TestNamedApart leaves out titles that share no word of the question but those of a title before.
func TestNamedApart(t *testing.T) {
	t.Parallel()
	titles := []string{"Peruvian Cooking Class", "Vietnamese Cooking Class", "Dumpling Party"}
	got := namedApart(titles, []string{"cheaper", "dumpling", "peruvian", "cooking", "class"})
	if len(got) != 2 || got[0] != titles[0] || got[1] != titles[2] {
		t.Errorf("namedApart = %q", got)
	}
	if got := namedApart(titles[:2], []string{"cooking"}); len(got) != 2 {
		t.Errorf("namedApart where one word names both = %q", got)
	}
}
