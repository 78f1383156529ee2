package datetime_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"annai/nlu/datetime"
)

// wrong names a language whose wrong cases are to be logged.
var wrong = flag.String("wrong", "", "log the wrong cases of the outside data in this language")

// outside is where the test data of others stands, when it is there.
const outside = "../../../shared/testdata/nlu/"

type outcome struct {
	Kind    string    `json:"kind"`
	Start   string    `json:"start"`
	End     string    `json:"end"`
	Seconds float64   `json:"seconds"`
	Alts    []outcome `json:"alts"`
}

type outsideCase struct {
	ID        string  `json:"id"`
	Lang      string  `json:"lang"`
	Text      string  `json:"text"`
	Reference string  `json:"reference_time"`
	Expect    outcome `json:"expect"`
	Core      bool    `json:"core"`
}

// TestOutsideData logs how many cases of the outside development data are right, by its scorer's rules. It fails only
// when the figure falls below what it was when this was written, less a margin.
func TestOutsideData(t *testing.T) {
	cases := readOutside(t, "datetime.jsonl")
	type tally struct{ right, all int }
	core, none := map[string]*tally{"ja": {}, "en": {}}, map[string]*tally{"ja": {}, "en": {}}
	for _, c := range cases {
		group := core
		if !c.Core {
			if group = none; c.Expect.Kind != "none" {
				continue
			}
		}
		group[c.Lang].all++
		if right(t, c) {
			group[c.Lang].right++
		} else if *wrong == c.Lang {
			t.Logf("wrong: %s | %s | ref %s | want %v | got %v", c.ID, c.Text, c.Reference, c.Expect, parseOutside(t, c))
		}
	}
	for lang, floor := range map[string]float64{"ja": 0.78, "en": 0.70} {
		got := core[lang]
		share := float64(got.right) / float64(got.all)
		t.Logf("%s: core %.1f %% of %d right; nothing found where there is nothing: %d of %d", lang, 100*share, got.all, none[lang].right, none[lang].all)
		if share < floor {
			t.Errorf("core %s: %.3f right, want at least %.2f", lang, share, floor)
		}
	}
}

func readOutside(t *testing.T, name string) []outsideCase {
	t.Helper()
	f, err := os.Open(outside + name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: the outside test data %s%s is not there", outside, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var cases []outsideCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c outsideCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

func parseOutside(t *testing.T, c outsideCase) []outcome {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	ref, err := time.ParseInLocation("2006-01-02T15:04:05", c.Reference, zone)
	if err != nil {
		t.Fatal(err)
	}
	var got []outcome
	for _, e := range datetime.Parse(c.Text, ref) {
		if !e.Invalid {
			got = append(got, outcomeOf(e))
		}
	}
	return got
}

// outcomeOf says an expression in the words of the data.
func outcomeOf(e datetime.Expression) outcome {
	const day, instant = "2006-01-02", "2006-01-02T15:04:05"
	layout := day
	o := outcome{Seconds: float64(e.Seconds)}
	switch e.Kind {
	case datetime.KindDuration:
		o.Kind = "duration"
		return o
	case datetime.KindSet:
		o.Kind = "set"
		return o
	case datetime.KindDay:
		o.Kind = "date"
	case datetime.KindDays:
		o.Kind = "daterange"
	case datetime.KindTime:
		layout, o.Kind = instant, "datetimerange"
		if e.TimeRange.Start.Equal(e.TimeRange.End) {
			o.Kind = "datetime"
		}
	}
	o.Start, o.End = e.TimeRange.Start.Format(layout), e.TimeRange.End.Format(layout)
	if e.OpenStart && e.Kind != datetime.KindTime {
		o.Start = ""
	}
	if e.OpenEnd {
		o.End = ""
	}
	if o.Kind == "date" || o.Kind == "datetime" {
		o.End = ""
	}
	return o
}

func right(t *testing.T, c outsideCase) bool {
	t.Helper()
	got := parseOutside(t, c)
	if c.Expect.Kind == "none" {
		return len(got) == 0
	}
	if len(got) != 1 {
		return false
	}
	for _, want := range append([]outcome{c.Expect}, c.Expect.Alts...) {
		if matches(got[0], want, c.Reference) {
			return true
		}
	}
	return false
}

func matches(got, want outcome, ref string) bool {
	near := func(s string) bool {
		r, _ := time.Parse("2006-01-02T15:04:05", ref)
		return strings.HasPrefix(s, r.Format(time.DateOnly)) || strings.HasPrefix(s, r.AddDate(0, 0, 1).Format(time.DateOnly))
	}
	clock := func(s string) string {
		if len(s) < 11 {
			return s
		}
		return s[11:]
	}
	switch {
	case want.Kind == "set":
		return got.Kind == "set"
	case want.Kind == "duration":
		return got.Kind == "duration" && got.Seconds-want.Seconds < 1 && want.Seconds-got.Seconds < 1
	case got.Kind == want.Kind && (want.Kind == "date" || want.Kind == "datetime"):
		return got.Start == want.Start
	case got.Kind == want.Kind:
		return got.Start == want.Start && sameEnd(got.End, want.End)
	case want.Kind == "time" && got.Kind == "datetime":
		return clock(got.Start) == want.Start && near(got.Start)
	case want.Kind == "timerange" && got.Kind == "datetimerange":
		return clock(got.Start) == want.Start && sameEnd(clock(got.End), want.End) && near(got.Start)
	case want.Kind == "date" && got.Kind == "daterange":
		return got.Start == want.Start && got.End == dayAfter(want.Start)
	case want.Kind == "daterange" && got.Kind == "date":
		return got.Start == want.Start && want.End != "" && want.End == dayAfter(got.Start)
	}
	return false
}

func dayAfter(s string) string {
	d, _ := time.Parse(time.DateOnly, s)
	return d.AddDate(0, 0, 1).Format(time.DateOnly)
}

func sameEnd(a, b string) bool {
	if a == b {
		return true
	}
	midnight := map[string]bool{"23:59:59": true, "24:00:00": true, "00:00:00": true}
	if midnight[a] && midnight[b] {
		return true
	}
	x, err1 := time.Parse("2006-01-02T15:04:05", a)
	y, err2 := time.Parse("2006-01-02T15:04:05", b)
	return err1 == nil && err2 == nil && x.Sub(y).Abs() <= time.Second
}
