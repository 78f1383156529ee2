package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"annai/evals/talks"
	"annai/internal/config"
	"annai/llm"
	"annai/nlu"
	"annai/nodes/talk"
	"annai/nodes/wording"
)

// playedPlace is a place of which a strong model was asked all talks, and whose turns were
// rewritten into sentences that stand by themselves.
const playedPlace = "../../../shared/testdata/talks/three"

// A player is a model that answers each turn as the script has it: it reads the utterance as the
// rewritten sentence, and words the answer as the strong model did.
type player struct {
	reader talk.Reader
	turns  map[string]playedTurn // by what was said
}

type playedTurn struct{ full, answer string }

// loadPlayer reads the scripts. A turn that is said in two talks is played as in the first.
func loadPlayer(t *testing.T, p talks.Place) *player {
	t.Helper()
	reader, err := openReader()
	if err != nil {
		t.Fatal(err)
	}
	strong, resolved := playedLines(t, "strong.jsonl"), playedLines(t, "resolved.jsonl")
	out := &player{reader, map[string]playedTurn{}}
	for _, talk := range p.Talks {
		for i, turn := range talk.Turns {
			if _, known := out.turns[turn.Say]; !known {
				out.turns[turn.Say] = playedTurn{resolved[talk.ID][i], strong[talk.ID][i]}
			}
		}
	}
	return out
}

func playedLines(t *testing.T, name string) map[string][]string {
	t.Helper()
	f, err := os.Open(filepath.Join(playedPlace, name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	out := map[string][]string{}
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var line struct {
			ID             string
			Answers, Turns []string
		}
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		out[line.ID] = slices.Concat(line.Answers, line.Turns)
	}
	return out
}

// answer is what the model does with a request.
func (p *player) answer(_ int, r llm.Request) []llm.Step {
	prompt := r.Messages[len(r.Messages)-1].Text
	reads := string(r.Schema) == string(wording.ReadingSchema)
	said := prompt[max(0, strings.LastIndex(prompt, map[bool]string{true: "<said>", false: "<question>"}[reads])):]
	best, turn := "", playedTurn{}
	for words, t := range p.turns {
		words = strings.Join(strings.Fields(words), " ")
		if len(words) > len(best) && (strings.Contains(said, "\n"+words+"\n") || strings.Contains(said, ": "+words+"\n")) {
			best, turn = words, t
		}
	}
	switch {
	case best == "":
		return llm.Fail(llm.Unavailable)
	case reads:
		return llm.Say(p.reading(turn.full))
	case string(r.Schema) != string(wording.Schema):
		return llm.Fail(llm.Unavailable)
	}
	type sentence struct {
		Text string   `json:"text"`
		From []string `json:"from"`
	}
	out, _ := json.Marshal(struct {
		Conclusion string     `json:"conclusion"`
		Sentences  []sentence `json:"sentences"`
	}{"value", []sentence{{turn.answer, []string{}}}})
	return llm.Say(string(out))
}

// reading is the reading of a sentence that stands by itself, as the product's own reader reads it.
func (p *player) reading(full string) string {
	r := p.reader.Read(full, talk.Context{})
	if r.Ref != nlu.RefNone {
		r.Ref = nlu.RefNamed
	}
	if r.Act == nlu.ActOrders {
		r.Act = nlu.ActAsks
	}
	out, _ := json.Marshal(map[string]any{
		"act": r.Act, "ask": r.Ask, "second": "", "about": r.About, "ref": r.Ref, "when": r.When, "negated": r.Negated, "subject": "", "full": full,
	})
	return string(out)
}

// TestPlayed: with a strong model's words and readings, more turns are right than without a model.
func TestPlayed(t *testing.T) {
	if _, err := os.Stat(playedPlace); err != nil {
		t.Skipf("no %s here", playedPlace)
	}
	place, err := talks.Load(os.DirFS(playedPlace))
	if err != nil {
		t.Fatal(err)
	}
	place.Singles = nil
	share := func(m llm.Model) float64 {
		c := config.Config{Venue: filepath.Join(playedPlace, "venue.yaml"), Now: talks.Now, Deadline: time.Minute}
		a, err := assemble(t.Context(), c, wants{forgetful: true, model: m}, discard)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = a.close() }()
		report, err := talks.Run(t.Context(), place, a.concierge)
		if err != nil {
			t.Fatal(err)
		}
		first, n := report.Share("turn first")
		after, m2 := report.Share("turn after the first")
		var table, wrong strings.Builder
		_ = report.WriteTable(&table)
		_ = report.WriteWrong(&wrong)
		t.Logf("%s\n%s", table.String(), wrong.String())
		return (first*float64(n) + after*float64(m2)) / float64(n+m2)
	}
	plain := share(nil)
	played := share(&llm.Script{Answer: loadPlayer(t, place).answer})
	t.Logf("%.1f %% of the turns right without a model, %.1f %% with a strong one played", 100*plain, 100*played)
	if played < 0.88 || played < plain+0.1 {
		t.Errorf("%.1f %% of the turns right with a strong model played, want at least 88, and ten more than the %.1f %% without", 100*played, 100*plain)
	}
}
