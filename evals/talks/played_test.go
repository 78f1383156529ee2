package talks

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/grounding"
	"annai/internal/civil"
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
	reader, err := ics.File(v.Files, v.Calendars[0].Path, ics.Options{Now: func() time.Time { return now }, Location: v.Location})
	if err != nil {
		t.Fatal(err)
	}
	today := civil.DateOf(now)
	list, err := reader.Events(t.Context(), civil.TimeRange{Start: today.AddDays(-30).In(v.Location), End: today.AddDays(60).In(v.Location)})
	if err != nil {
		t.Fatal(err)
	}
	for i, event := range list.Events {
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

// A change makes of a true sentence one in which one fact is wrong; "" where it has no such fact.
type change struct {
	name string
	make func(string) string
}

// changes are the facts that are changed: each where it first stands, by something that a model
// could mistake it for.
var changes = []change{
	{"time", func(s string) string {
		return first(s, `(\d{1,2}):(\d\d)`, func(m []string) string { return fmt.Sprintf("%d:%s", (number(m[1])+1)%24, m[2]) })
	}},
	{"hour", func(s string) string {
		return first(s, `(\d{1,2}) (a\.m\.|p\.m\.)`, func(m []string) string { return fmt.Sprintf("%d %s", number(m[1])%12+1, m[2]) })
	}},
	{"date", func(s string) string {
		s2 := first(s, `(\d{1,2})月(\d{1,2})日`, func(m []string) string { return fmt.Sprintf("%s月%d日", m[1], number(m[2])%28+1) })
		if s2 != "" {
			return s2
		}
		return first(s, `(January|February|March|April|May|June|July|August|September|October|November|December) (\d{1,2})`, func(m []string) string {
			return fmt.Sprintf("%s %d", m[1], number(m[2])%28+1)
		})
	}},
	{"price", func(s string) string {
		return first(s, `([\d,]+)(円| yen)`, func(m []string) string { return strconv.Itoa(number(m[1])+100) + m[2] })
	}},
	{"number", func(s string) string {
		return first(s, `(\d+)(人|名|分|歳|台|つ|点|週間|階| people| minutes| spaces)`, func(m []string) string { return strconv.Itoa(number(m[1])+2) + m[2] })
	}},
	{"phone", func(s string) string {
		return first(s, `0749-00-0189`, func([]string) string { return "0749-00-0198" })
	}},
	{"name", func(s string) string {
		return swapped(s, [][]string{
			{"起業なんでも相談", "はんだ付けナイト", "湖畔もくもく会", "湖畔起業家の会 定例会", "女性起業家のランチ会"},
			{"Pitch Night 鳰の海", "English Coffee Chat", "Podcast Recording Basics", "Open Brewery Day", "Rustを読む夜"},
			{"Kids' Scratch Class", "Startup Grant Briefing", "Founders' Office Hours"},
		})
	}},
	{"room", func(s string) string {
		return swapped(s, [][]string{
			{"もと場", "槽場工房", "土間ラウンジ", "二階座敷", "仕込みホール", "釜場キッチン", "麹室"},
			{"Moto Room", "Funaba Workshop", "Doma Lounge", "Upstairs Tatami Room", "Shikomi Hall", "Kamaba Kitchen", "Koji Room"},
		})
	}},
	{"weekday", func(s string) string {
		return swapped(s, [][]string{
			{"月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"},
			{"(月)", "(火)", "(水)", "(木)", "(金)", "(土)", "(日)"},
			{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
		})
	}},
	{"negation", func(s string) string {
		for _, p := range [][2]string{
			{"申込不要", "要申込"},
			{"申込は不要", "申込は必要"},
			{"ありません", "あります"},
			{"できません", "できます"},
			{"休館です", "開館しています"},
			{"無料", "有料"},
			{"必要です", "不要です"},
			{"あります", "ありません"},
			{"使えます", "使えません"},
			{"泊まれません", "泊まれます"},
			{"開いています", "閉まっています"},
			{"there's no ", "there's a "},
			{"No booking is needed", "Booking is needed"},
			{"it's free", "it isn't free"},
			{"we're open", "we're closed"},
			{"we're closed", "we're open"},
			{"we don't accept", "we accept"},
			{"there's a ", "there's no "},
			{"You can book", "You can't book"},
			{" has ", " doesn't have "},
			{"is free", "isn't free"},
		} {
			const sorry = "申し訳ありません"
			if rest := strings.TrimPrefix(strings.TrimPrefix(s, "いいえ、"), sorry); strings.Contains(rest, p[0]) {
				return strings.TrimSuffix(s, rest) + strings.Replace(rest, p[0], p[1], 1)
			}
		}
		return ""
	}},
}

func number(s string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return n
}

// first changes the first match of a pattern.
func first(s, pattern string, with func([]string) string) string {
	re := regexp.MustCompile(pattern)
	at := re.FindStringSubmatchIndex(s)
	if at == nil {
		return ""
	}
	return s[:at[0]] + with(re.FindStringSubmatch(s)) + s[at[1]:]
}

// swapped puts the next name of a list for the first of it that stands in a text, and is not in it.
func swapped(s string, lists [][]string) string {
	for _, names := range lists {
		for i, n := range names {
			if !strings.Contains(s, n) {
				continue
			}
			for k := 1; k < len(names); k++ {
				if with := names[(i+k)%len(names)]; !strings.Contains(s, with) {
					return strings.ReplaceAll(s, n, with)
				}
			}
		}
	}
	return ""
}

// stillRight are changed sentences that are true as well.
var stillRight = []string{}

// TestChangedAnswersAreCaught: with one fact changed, few sentences pass. The model cites for it
// what the true sentence is from.
func TestChangedAnswersAreCaught(t *testing.T) {
	for _, cites := range []bool{true, false} {
		all, passed := 0, 0
		by := map[string][2]int{}
		for _, c := range playedTurns(t) {
			var last grounding.Verdict
			for _, s := range c.sentences {
				v := c.checker.CheckAfter(last, s)
				for _, change := range changes {
					wrong := change.make(s)
					if wrong == "" || wrong == s || !v.OK || slices.Contains(stillRight, wrong) {
						continue
					}
					all++
					n := by[change.name]
					n[1]++
					var from []string
					if cites {
						from = v.Uses
					}
					if c.checker.CheckAfter(last, wrong, from...).OK {
						passed++
						n[0]++
						t.Logf("%s: %s passed, cited %t: %s %v", c.id, change.name, cites, wrong, from)
					}
					by[change.name] = n
				}
				if v.OK {
					last = v
				}
			}
		}
		t.Logf("cited %t: %d of %d changed sentences passed (%.1f %%), by fact %v", cites, passed, all, 100*float64(passed)/float64(all), by)
		if share := float64(passed) / float64(all); cites && share > 0.03 {
			t.Errorf("%.1f %% of the changed sentences passed, want at most 3 %%", 100*share)
		}
	}
}
