package talks

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"annai/api"
)

// answered is an answer with a text, from a node.
func answered(text, route string) api.QueryResponse {
	a := api.QueryResponse{Text: text, Cards: []api.Card{}}
	a.Metadata.ProcessingInfo.Route = route
	return a
}

func TestJudge(t *testing.T) {
	t.Parallel()
	asking := answered("Which one do you mean", "clarify")
	asking.Interrupt = &api.Interrupt{Question: "Room A or room B", Options: []string{"A", "B"}}
	card := answered("Here it is.", "info")
	card.Cards = []api.Card{{Title: "Fees <of> the hall", Description: "It costs 500 yen."}}
	for name, test := range map[string]struct {
		turn   Turn
		answer api.QueryResponse
		wrong  []string
	}{
		"all that must be there": {
			Turn{Has: []string{"500", "yen"}},
			answered("It costs 500 yen.", "info"),
			nil,
		},
		"one lacks": {
			Turn{Has: []string{"500", "9:00"}},
			answered("It costs 500 yen.", "info"),
			[]string{"lacks /9:00/"},
		},
		"one of several": {
			Turn{Any: []string{"free", "500"}},
			answered("It costs 500 yen.", "info"),
			nil,
		},
		"none of several": {
			Turn{Any: []string{"free", "400"}},
			answered("It costs 500 yen.", "info"),
			[]string{`none of ["free" "400"]`},
		},
		"what must not be there": {
			Turn{Has: []string{"500"}, Not: []string{"600"}},
			answered("500, not 600", "info"),
			[]string{"not /600/"},
		},
		"case does not matter": {Turn{Has: []string{"ROOM a"}}, answered("It is in Room A.", "info"), nil},
		"a pattern that looks back": {
			Turn{Has: []string{`(?<!\d)8 ?台`}},
			answered("18台", "info"),
			[]string{`lacks /(?<!\d)8 ?台/`},
		},
		"a fact in a card":     {Turn{Has: []string{"500", "Fees <of>"}}, card, nil},
		"a fact in a question": {Turn{Has: []string{"room B"}}, asking, nil},
		"unknown, and said so": {Turn{Unknown: true}, answered("I don't know that.", "info"), nil},
		"unknown, in Japanese": {Turn{Unknown: true}, answered("こちらでは分かりかねます。", "info"), nil},
		"unknown, but answered": {
			Turn{Unknown: true},
			answered("Yes, there is.", "info"),
			[]string{"does not say it is unknown"},
		},
		"unknown, made up": {
			Turn{Unknown: true, Not: []string{"yen"}},
			answered("I don't know; 5 yen?", "info"),
			[]string{"not /yen/"},
		},
		"a courtesy": {Turn{Social: true}, answered("You are welcome!", "respond"), nil},
		"a courtesy not understood": {
			Turn{Social: true},
			answered("I don't know.", "info"),
			[]string{"social turn met with 'unknown'"},
		},
		"a courtesy with a fact": {
			Turn{Social: true, Has: []string{"9"}},
			answered("I'm not sure; at 9.", "info"),
			nil,
		},
		"asks back": {
			Turn{Asks: true, Has: []string{"nothing"}},
			answered("Which one of them?", "info"),
			nil,
		},
		"asks back by a question": {Turn{Asks: true}, asking, nil},
		"does not ask back": {
			Turn{Asks: true},
			answered("It is free.", "info"),
			[]string{"does not ask back"},
		},
		"may ask back": {
			Turn{AsksOK: true, Has: []string{"500"}},
			answered("Which room?", "clarify"),
			nil,
		},
		"may ask back, in words": {
			Turn{AsksOK: true, Has: []string{"500"}},
			answered("Which room?", "info"),
			[]string{"lacks /500/"},
		},
	} {
		var j judge
		got, err := j.judge(test.turn, test.answer)
		if err != nil || !slices.Equal(got, test.wrong) {
			t.Errorf("%s: judge(%+v, %q) = %q, %v, want %q", name, test.turn, test.answer.Text, got, err, test.wrong)
		}
	}
	var j judge
	for _, turn := range []Turn{{Has: []string{"("}}, {Any: []string{"("}}, {Not: []string{"("}}} {
		if _, err := j.judge(turn, answered("x", "info")); err == nil {
			t.Errorf("judge(%+v) = nil error, want one for a pattern that cannot be read", turn)
		}
	}
}

// shared is where a place lies whose answers are known, beside this repository.
const shared = "../../../shared/testdata/talks"

// pythonJudge judges pairs of a turn and an answer by the function of judge.py, without what
// that asks of a server.
const pythonJudge = `
import json, sys
source = open(sys.argv[1], encoding="utf-8").read().split("\ntot, ok")[0]
sys.argv = ["judge.py", ".", "0"]
exec(source)
print(json.dumps([judge(p["turn"], p["answer"]) for p in json.load(sys.stdin)]))
`

type pair struct {
	Turn   json.RawMessage   `json:"turn"`
	Answer api.QueryResponse `json:"answer"`
}

// TestJudgeIsThatOfPython compares with the judge that the places were written for, on recorded
// answers and on what is wrong with each.
func TestJudgeIsThatOfPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared talks are not here: ", err)
	}
	pairs := recorded(t, filepath.Join(shared, "three"))
	asked, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", pythonJudge, filepath.Join(shared, "judge.py"))
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(asked)), t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs [][]string
	if err := json.Unmarshal(out, &theirs); err != nil || len(theirs) != len(pairs) {
		t.Fatalf("judge.py judged %d of %d answers: %v", len(theirs), len(pairs), err)
	}
	var j judge
	wrong := 0
	for i, p := range pairs {
		var turn Turn
		if err := json.Unmarshal(p.Turn, &turn); err != nil {
			t.Fatal(err)
		}
		ours, err := j.judge(turn, p.Answer)
		if err != nil || len(ours) != len(theirs[i]) {
			t.Errorf("judge(%s, %q) = %q, %v; judge.py says %q", p.Turn, p.Answer.Text, ours, err, theirs[i])
		}
		if len(ours) > 0 {
			wrong++
		}
	}
	if wrong == 0 || wrong == len(pairs) {
		t.Errorf("%d of %d answers are wrong, want some of both", wrong, len(pairs))
	}
}

// recorded are the turns of a place with recorded answers, and with others: those of the turn
// before, that nothing is known, a card, and a
// question back.
func recorded(t *testing.T, dir string) []pair {
	t.Helper()
	type answers struct {
		ID      string   `json:"id"`
		Answers []string `json:"answers"`
	}
	type turns struct {
		ID    string            `json:"id"`
		Turns []json.RawMessage `json:"turns"`
	}
	files := os.DirFS(dir)
	said, err := lines[turns](files, "talks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	told, err := lines[answers](files, "strong.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string][]string{}
	for _, a := range told {
		byID[a.ID] = a.Answers
	}
	var out []pair
	for _, talk := range said {
		before := "?"
		for i, turn := range talk.Turns {
			if i >= len(byID[talk.ID]) {
				break
			}
			text := byID[talk.ID][i]
			card, asks := answered("こちらです。", "info"), answered("どちらですか", "clarify")
			card.Cards = []api.Card{{Title: "<" + before + ">", Description: text}}
			asks.Interrupt = &api.Interrupt{Question: text, Options: []string{}}
			for _, a := range []api.QueryResponse{
				answered(text, "info"), answered(before, "info"), answered("I don't know.", "info"), card, asks,
			} {
				out = append(out, pair{turn, a})
			}
			before = text
		}
	}
	if len(out) < 500 {
		t.Fatalf("%s has %d recorded answers, want 500 or more", dir, len(out))
	}
	return out
}

func TestLoad(t *testing.T) {
	t.Parallel()
	good := `{"id": "t1", "lang": "en", "turns": [{"say": "hi", "kind": "first"}, {"say": "bye", "asks_ok": true}]}`
	p, err := Load(fstest.MapFS{"talks.jsonl": {Data: []byte(good + "\n\n" + good + "\n")}})
	switch {
	case err != nil, len(p.Talks) != 2, len(p.Talks[0].Turns) != 2, !p.Talks[1].Turns[1].AsksOK, p.Singles != nil:
		t.Errorf("Load(two talks) = %+v, %v, want two talks of two turns", p, err)
	}
	single := `{"id": "s1", "lang": "ja", "say": "何時？", "has": ["9"]}`
	p, err = Load(fstest.MapFS{"singles.jsonl": {Data: []byte(single)}})
	if err != nil || len(p.Singles) != 1 || p.Singles[0].Say != "何時？" || p.Singles[0].Lang != "ja" {
		t.Errorf("Load(a single question) = %+v, %v, want it", p, err)
	}
	for name, test := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"nothing":        {fstest.MapFS{}, "not found"},
		"empty files":    {fstest.MapFS{"talks.jsonl": {}, "singles.jsonl": {Data: []byte("\n")}}, "not found"},
		"no JSON":        {fstest.MapFS{"talks.jsonl": {Data: []byte(good + "\n{")}}, "talks.jsonl:2"},
		"another type":   {fstest.MapFS{"singles.jsonl": {Data: []byte(`{"say": 1}`)}}, "singles.jsonl:1"},
		"too long lines": {fstest.MapFS{"talks.jsonl": {Data: []byte(strings.Repeat("x", maxLine+1))}}, "talks.jsonl"},
	} {
		if _, err := Load(test.files); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Load(%s) = %v, want an error with %q", name, err, test.want)
		}
	}
}
