package talks

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/civil"
	"annai/grounding"
	"annai/rag/markdown"
	"annai/tools/calendar"
	"annai/tools/calendar/ics"
	"annai/venue"
)

// played is the place whose talks a strong model was given, with what it answered.
const played = "../../../shared/testdata/talks/three"

// A script is what was said in a talk: by a model, or by its visitor as sentences that stand by
// themselves.
type script struct {
	ID      string   `json:"id"`
	Answers []string `json:"answers"`
	Turns   []string `json:"turns"`
}

// loadPlayed reads the place and its two scripts, by talk.
func loadPlayed(t *testing.T) (p Place, strong, resolved map[string]script) {
	t.Helper()
	if _, err := os.Stat(played); err != nil {
		t.Skipf("no %s here", played)
	}
	files := os.DirFS(played)
	p, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) map[string]script {
		list, err := lines[script](files, name)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]script{}
		for _, s := range list {
			out[s.ID] = s
		}
		return out
	}
	return p, read("strong.jsonl"), read("resolved.jsonl")
}

// eventsOf are the events of the place of the time around now.
func eventsOf(t *testing.T) []calendar.Event {
	t.Helper()
	v, err := venue.Open(filepath.Join(played, "venue.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return Now.In(v.Location) }
	reader, err := ics.File(v.Files, v.Calendars[0].Path, ics.Options{Now: now, Location: v.Location})
	if err != nil {
		t.Fatal(err)
	}
	today := civil.DateOf(now())
	list, err := reader.Events(t.Context(), civil.TimeRange{Start: today.AddDays(-30).In(v.Location), End: today.AddDays(60).In(v.Location)})
	if err != nil {
		t.Fatal(err)
	}
	return list.Events
}

// evidenceOf is all that a place has: its events of the time around now, its passages, and its
// opening hours.
func evidenceOf(t *testing.T) grounding.Evidence {
	t.Helper()
	v, err := venue.Open(filepath.Join(played, "venue.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	now := Now.In(v.Location)
	e := grounding.Evidence{Now: now, Venue: []string{v.Name.JA, v.Name.EN}}
	today := civil.DateOf(now)
	for i, event := range eventsOf(t) {
		e.Items = append(e.Items, eventItem(fmt.Sprintf("event-%d", i), event))
	}
	sub, err := fs.Sub(v.Files, ".")
	if err != nil {
		t.Fatal(err)
	}
	passages, problems := markdown.Load(sub, v.Knowledge)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, p := range passages {
		e.Items = append(e.Items, grounding.Item{ID: p.ID, Kind: grounding.Passage, Title: p.Title, Text: p.Text, Lang: p.Lang})
	}
	e.Items = append(e.Items, hoursItems(v, today)...)
	e.Items = append(e.Items, grounding.Item{ // danger is decided before a model is asked: these are our own words
		ID: "danger", Kind: grounding.Passage, Title: "緊急 / emergency",
		Text: "急病のときは119番に電話して、スタッフを呼んでください。そばを離れないでください。\nIn a fire, go outside, warn the staff and call 119 once you are safe.",
	}, grounding.Item{ID: "venue", Kind: grounding.Passage, Title: "リンク / links", Text: "ウェブサイトは " + v.Website + " です。\nOur website is " + v.Website + "."})
	return e
}

func eventItem(id string, e calendar.Event) grounding.Item {
	text := e.Description
	if e.Status == calendar.Cancelled {
		text += "\nこの催しは中止になりました。\nIt has been cancelled."
	}
	return grounding.Item{
		ID: id, Kind: grounding.Event, Title: e.Title, Place: e.Location, Text: text, URL: e.URL,
		AllDay: e.AllDay, Start: e.Start, End: e.End, FirstDay: e.FirstDay, EndDay: e.EndDay,
	}
}

// hoursItems are the hours of the days to come, as an answer that was reckoned says them.
func hoursItems(v *venue.Venue, today civil.Date) []grounding.Item {
	var out []grounding.Item
	for i := range 90 {
		d := v.Day(today.AddDays(i))
		at := d.Date.In(v.Location)
		ja := fmt.Sprintf("%d月%d日(%s)は", d.Date.Month, d.Date.Day, [...]string{"日", "月", "火", "水", "木", "金", "土"}[at.Weekday()])
		en := "On " + at.Format("Monday, January 2, ")
		if !d.Open {
			ja += "休館日です。" + d.Reason.JA + "のため休館です。"
			en += "we are closed for " + d.Reason.EN + "."
		} else {
			ja += d.From.Format("15:04") + "から" + d.Until.Format("15:04") + "まで開いています。"
			en += "we are open from " + d.From.Format("15:04") + " to " + d.Until.Format("15:04") + "."
		}
		out = append(out, grounding.Item{ID: "hours-" + strconv.Itoa(i), Kind: grounding.Passage, Title: "開館時間 / 開館時間 (opening hours)", Text: ja + "\n" + en})
	}
	return out
}

// A turnCheck is one answer of the model with what it may be made of.
type turnCheck struct {
	turn      Turn
	id        string
	sentences []string
	checker   *grounding.Checker
}

// playedTurns are all answers of the model, each with a checker that knows what the visitor said
// until then.
func playedTurns(t *testing.T) []turnCheck {
	t.Helper()
	p, strong, resolved := loadPlayed(t)
	checker := grounding.New(evidenceOf(t))
	var out []turnCheck
	for _, talk := range p.Talks {
		said := ""
		for i, turn := range talk.Turns {
			said += turn.Say + "\n"
			var cut grounding.Sentences
			sentences := append(cut.Write(strong[talk.ID].Answers[i]), cut.Close()...)
			out = append(out, turnCheck{turn, fmt.Sprintf("%s.%d", talk.ID, i), sentences, checker.Asked(resolved[talk.ID].Turns[i], said)})
		}
	}
	return out
}

// TestPlayedAnswersAreKept: of what a strong model answers, what is left after the check is still
// right.
func TestPlayedAnswersAreKept(t *testing.T) {
	var j judge
	right, before, refused, all := 0, 0, 0, 0
	turns := playedTurns(t)
	for _, c := range turns {
		var kept []string
		var last grounding.Verdict
		for _, s := range c.sentences {
			all++
			v := c.checker.CheckAfter(last, s)
			if !v.OK {
				refused++
				t.Logf("%s: refused: %s: %s", c.id, s, v.Reason)
				continue
			}
			last = v
			kept = append(kept, s)
		}
		ok := func(text string) bool {
			why, err := j.judge(c.turn, api.QueryResponse{Text: text})
			if err != nil {
				t.Fatal(err)
			}
			return len(why) == 0 && text != ""
		}
		if ok(strings.Join(c.sentences, " ")) {
			before++
		}
		if ok(strings.Join(kept, " ")) {
			right++
		}
	}
	t.Logf("%d of %d sentences refused; of %d turns %d right as answered, %d (%.1f %%) after the check", refused, all, len(turns), before, right, 100*float64(right)/float64(len(turns)))
	if share := float64(right) / float64(len(turns)); share < 0.92 {
		t.Errorf("%.1f %% of the turns right after the check, want at least 92 %%", 100*share)
	}
}

// TestChangedAnswersAreCaught: with one fact changed, few sentences pass, whether the model cites
// what the true sentence is from or nothing.
func TestChangedAnswersAreCaught(t *testing.T) {
	for _, cites := range []bool{true, false} {
		all, passed := 0, 0
		by := map[string][2]int{}
		for _, c := range playedTurns(t) {
			var last grounding.Verdict
			for _, s := range c.sentences {
				v := c.checker.CheckAfter(last, s)
				for _, change := range Changes(NamesOf(eventsOf(t))) {
					wrong := change.Of(s)
					if wrong == "" || wrong == s || !v.OK {
						continue
					}
					all++
					n := by[change.Name]
					n[1]++
					var from []string
					if cites {
						from = v.Uses
					}
					if c.checker.CheckAfter(last, wrong, from...).OK {
						passed++
						n[0]++
						t.Logf("%s: %s passed, cited %t: %s %v", c.id, change.Name, cites, wrong, from)
					}
					by[change.Name] = n
				}
				if v.OK {
					last = v
				}
			}
		}
		t.Logf("cited %t: %d of %d changed sentences passed (%.1f %%), by fact %v", cites, passed, all, 100*float64(passed)/float64(all), by)
		if share := float64(passed) / float64(all); share > 0.03 {
			t.Errorf("%.1f %% of the changed sentences passed, want at most 3 %%", 100*share)
		}
	}
}
