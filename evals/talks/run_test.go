package talks

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/nlu"
	"annai/nodes/talk"
)

// echo answers with what is said, and fails where that is "fail".
type echo struct{ sessions map[string]int }

func (e echo) Answer(_ context.Context, t dialog.Turn) (api.QueryResponse, error) {
	e.sessions[t.SessionID]++
	if t.Query == "fail" {
		return api.QueryResponse{}, errors.New("no answer")
	}
	return api.QueryResponse{Text: t.Query}, nil
}

func TestRun(t *testing.T) {
	t.Parallel()
	p := Place{
		Singles: []Single{
			{ID: "s1", Lang: "en", Turn: Turn{Say: "I don't know", Unknown: true}},
			{ID: "s2", Lang: "ja", Turn: Turn{Say: "fail"}},
		},
		Talks: []Talk{
			{ID: "t1", Lang: "en", Turns: []Turn{
				{Say: "one", Kind: "first", Has: []string{"one"}}, {Say: "two", Has: []string{"2"}, Ask: "when"},
			}},
			{ID: "t2", Lang: "en", Turns: []Turn{{Say: "one", Kind: "first", Has: []string{"one"}}}},
		},
	}
	e := echo{sessions: map[string]int{}}
	r, err := Run(t.Context(), p, e)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.sessions) != 4 || e.sessions["t1"] != 2 {
		t.Errorf("Run asked in the sessions %v, want one for each talk and question", e.sessions)
	}
	r.Add(Report{})
	for name, want := range map[string]struct {
		share float64
		of    int
	}{
		"single en": {1, 1}, "single ja": {0, 1}, "single unknown": {1, 1},
		"turn first": {1, 2}, "turn after the first": {0, 1}, "turn kind ?": {0, 1}, "turn ask when": {0, 1},
		"turn en": {2.0 / 3, 3}, "whole talk": {0.5, 2}, "no such name": {0, 0},
	} {
		if share, of := r.Share(name); share != want.share || of != want.of {
			t.Errorf("Share(%q) = %v, %d, want %v, %d", name, share, of, want.share, want.of)
		}
	}
	var table, wrong strings.Builder
	if err := errors.Join(r.WriteTable(&table), r.WriteWrong(&wrong)); err != nil {
		t.Fatal(err)
	}
	if got := table.String(); !strings.Contains(got, "whole talk                      1 of    2   50.0 %\n") {
		t.Errorf("WriteTable wrote %q, want a line for whole talks", got)
	}
	if got := wrong.String(); strings.Count(got, "WRONG") != 2 || !strings.Contains(got, "WRONG t1 1 two -> two") {
		t.Errorf("WriteWrong wrote %q, want the answer to two, and the failure", got)
	}
	p.Talks[0].Turns[0].Has = []string{"("}
	if _, err := Run(t.Context(), p, e); err == nil || !strings.Contains(err.Error(), "t1, turn 0") {
		t.Errorf("Run(a pattern that cannot be read) = %v, want an error that says where", err)
	}
}

func TestOracle(t *testing.T) {
	t.Parallel()
	o := NewOracle(Place{
		Singles: []Single{{
			Turn: Turn{Say: "Is it open?", Full: "Is the hall open today?", About: "venue", Ask: "is_open"},
		}},
		Talks: []Talk{{Turns: []Turn{
			{Say: "Tea?", Full: "When is the tea ceremony?", About: "Tea Ceremony", Ask: "when"},
			{Say: "and?", Full: "How much is the tea ceremony?", About: "Tea Ceremony", Ask: "how_much"},
			{Say: "again", Ask: "repeat"},
			{Say: "in English", Ask: "translate"},
			{Say: "what's on", About: "venue", Ask: "events"},
			{Say: "for six", About: "Tea Ceremony", Ask: "none"},
			{Say: "thanks", About: "none", Ask: "none"},
		}}},
	})
	for _, test := range []struct {
		before, now string
		want        nlu.Reading
	}{
		{"", "Is it open?", nlu.Reading{
			Act: nlu.ActAsks, Ask: nlu.AskIsOpen, About: nlu.AboutVenue, Full: "Is the hall open today?",
		}},
		{"Tea?", "and?", nlu.Reading{
			Act: nlu.ActAsks, Ask: nlu.AskHowMuch, About: nlu.AboutSubject, Subject: "Tea Ceremony",
			Full: "How much is the tea ceremony?",
		}},
		{"and?", "again", nlu.Reading{Act: nlu.ActRepeats, Ask: nlu.AskRepeat, About: nlu.AboutNone}},
		{"again", "in English", nlu.Reading{Act: nlu.ActTranslates, Ask: nlu.AskTranslate, About: nlu.AboutNone}},
		{"in English", "what's on", nlu.Reading{Act: nlu.ActAsks, Ask: nlu.AskEvents, About: nlu.AboutEvents}},
		{"what's on", "for six", nlu.Reading{
			Act: nlu.ActAdds, Ask: nlu.AskNone, About: nlu.AboutSubject, Subject: "Tea Ceremony",
		}},
		{"for six", "thanks", nlu.Reading{Act: nlu.ActChats, Ask: nlu.AskNone, About: nlu.AboutNone}},
	} {
		got := o.Read(test.now, talk.Context{Said: test.before})
		alike := nlu.Reading{Act: got.Act, Ask: got.Ask, About: got.About, Subject: got.Subject, Full: got.Full}
		if !cmp.Equal(alike, test.want) || got.Confidence != 1 {
			t.Errorf("Read(%q, after %q) = %+v, want %+v", test.now, test.before, got, test.want)
		}
	}
	if got := o.Read("and?", talk.Context{Said: "something else"}); got.Full != "" || got.Ask != "" {
		t.Errorf("Read(a turn of no talk) = %+v, want nothing that it knows", got)
	}
}
