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

	"annai/civil"
	"annai/evals/talks"
	"annai/internal/config"
	"annai/internal/text"
	"annai/llm"
	"annai/nlu"
	"annai/nodes/talk"
	"annai/nodes/wording"
	"annai/tools/calendar"
	"annai/tools/calendar/ics"
)

// playedPlace is a place of which a strong model was asked all talks, and whose turns were
// rewritten into sentences that stand by themselves.
const playedPlace = "../../../shared/testdata/talks/three"

// A player is a model that answers each turn as the script has it: it reads the utterance as the
// rewritten sentence, and words the answer as the strong model did.
type player struct {
	reader talk.Reader
	turns  map[string]playedTurn // by what was said
	// lies says that it answers with one fact changed, and asked holds what it was asked so far.
	lies  bool
	asked map[string]bool
}

// A playedTurn is what a turn means in full and how it is answered, and the same with one fact
// changed: wrong is the sentence in which it is.
type playedTurn struct{ full, answer, changed, wrong string }

// loadPlayer reads the scripts. A turn that is said in two talks is played as in the first.
func loadPlayer(t *testing.T, p talks.Place) *player {
	t.Helper()
	reader, err := openReader()
	if err != nil {
		t.Fatal(err)
	}
	strong, resolved := playedLines(t, "strong.jsonl"), playedLines(t, "resolved.jsonl")
	out := &player{reader: reader, turns: map[string]playedTurn{}, asked: map[string]bool{}}
	changes := talks.Changes(talks.NamesOf(playedEvents(t)))
	for _, talk := range p.Talks {
		for i, turn := range talk.Turns {
			if _, known := out.turns[turn.Say]; !known {
				t := playedTurn{full: resolved[talk.ID][i], answer: strong[talk.ID][i]}
				t.changed, t.wrong = changed(t.answer, changes, len(out.turns))
				out.turns[turn.Say] = t
			}
		}
	}
	return out
}

// changed is an answer with one of the changes in its first sentence that one can be made in, tried
// from the n-th on, so that each has its turn.
func changed(answer string, changes []talks.Change, n int) (whole, wrong string) {
	for i := range changes {
		for _, s := range text.Sentences(answer) {
			if wrong := changes[(n+i)%len(changes)].Of(s); wrong != "" && wrong != s {
				return strings.Replace(answer, s, wrong, 1), wrong
			}
		}
	}
	return "", ""
}

// playedEvents are the events of the place of the time around now.
func playedEvents(t *testing.T) []calendar.Event {
	t.Helper()
	v, err := openVenue(filepath.Join(playedPlace, "venue.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return talks.Now }
	reader, err := ics.File(v.Files, v.Calendars[0].Path, ics.Options{Now: now, Location: v.Location})
	if err != nil {
		t.Fatal(err)
	}
	around := civil.TimeRange{Start: now().AddDate(0, -1, 0), End: now().AddDate(0, 2, 0)}
	list, err := reader.Events(t.Context(), around)
	if err != nil {
		t.Fatal(err)
	}
	return list.Events
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
	answer := turn.answer
	if p.lies && turn.wrong != "" {
		answer, p.asked[best] = turn.changed, true
	}
	out, _ := json.Marshal(struct {
		Conclusion string     `json:"conclusion"`
		Sentences  []sentence `json:"sentences"`
	}{"value", []sentence{{answer, []string{}}}})
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

// playPlace holds the talks of the place with a model; nil is none.
func playPlace(t *testing.T, place talks.Place, m llm.Model) (report talks.Report, share float64) {
	t.Helper()
	c := config.Config{Venue: filepath.Join(playedPlace, "venue.yaml"), Now: talks.Now, Deadline: time.Minute}
	a, err := assemble(t.Context(), c, wants{forgetful: true, model: m}, discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close() }()
	if report, err = talks.Run(t.Context(), place, a.concierge); err != nil {
		t.Fatal(err)
	}
	first, n := report.Share("turn first")
	after, m2 := report.Share("turn after the first")
	return report, (first*float64(n) + after*float64(m2)) / float64(n+m2)
}

// playedTalks are the talks of the place; the test is skipped where it is not there.
func playedTalks(t *testing.T) talks.Place {
	t.Helper()
	if _, err := os.Stat(playedPlace); err != nil {
		t.Skipf("no %s here", playedPlace)
	}
	place, err := talks.Load(os.DirFS(playedPlace))
	if err != nil {
		t.Fatal(err)
	}
	place.Singles = nil
	return place
}

// TestPlayed: with a strong model's words and readings, more turns are right than without a model.
func TestPlayed(t *testing.T) {
	place := playedTalks(t)
	plain, without := playPlace(t, place, nil)
	played, with := playPlace(t, place, &llm.Script{Answer: loadPlayer(t, place).answer})
	for _, r := range []talks.Report{plain, played} {
		var table strings.Builder
		_ = r.WriteTable(&table)
		_ = r.WriteWrong(&table)
		t.Log(table.String())
	}
	t.Logf("%.1f %% of the turns right without a model, %.1f %% with a strong one played", 100*without, 100*with)
	if with < 0.92 || with < without+0.1 {
		t.Error("want at least 92 % with a model, and ten more than without")
	}
}

// TestPlayedChanged: of the same model's answers with one fact changed, which cite nothing, few
// sentences are said.
func TestPlayedChanged(t *testing.T) {
	place := playedTalks(t)
	p := loadPlayer(t, place)
	p.lies = true
	report, _ := playPlace(t, place, &llm.Script{Answer: p.answer})
	said := 0
	for _, o := range report.Outcomes {
		if turn := p.turns[o.Said.Say]; p.asked[o.Said.Say] && strings.Contains(o.Text, turn.wrong) {
			said++
			t.Logf("%s, turn %d: said: %s", o.ID, o.Turn, turn.wrong)
		}
	}
	t.Logf("%d of %d changed sentences said (%.1f %%)", said, len(p.asked), 100*float64(said)/float64(len(p.asked)))
	if len(p.asked) < 100 || float64(said) > 0.03*float64(len(p.asked)) {
		t.Errorf("%d of %d changed sentences were said, want at most 3 %% of 100 and more", said, len(p.asked))
	}
}
