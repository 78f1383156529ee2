package datetime_test

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"annai/nlu/datetime"
	"annai/nlu/nlutest"
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

// A multiCase has several expressions in its text.
type multiCase struct {
	Lang      string    `json:"lang"`
	Text      string    `json:"text"`
	Reference string    `json:"reference_time"`
	Expect    []outcome `json:"expect"`
}

type outsideCase struct {
	ID        string  `json:"id"`
	Lang      string  `json:"lang"`
	Text      string  `json:"text"`
	Reference string  `json:"reference_time"`
	Expect    outcome `json:"expect"`
	Core      bool    `json:"core"`
}

// floors are just below the shares that are right of the outside development data.
var floors = map[string]struct{ core, none, multi float64 }{
	"ja": {core: 0.890, none: 0.84, multi: 0.86},
	"en": {core: 0.878, none: 0.95, multi: 0.70},
}

// TestOutsideData fails when fewer cases of the outside development data are right, by its scorer's
// rules, than were when the floors were set: of those that a scheduling assistant meets, and of
// those in which there is nothing to find.
func TestOutsideData(t *testing.T) {
	type tally struct{ right, all int }
	core, none := map[string]*tally{"ja": {}, "en": {}}, map[string]*tally{"ja": {}, "en": {}}
	for _, c := range nlutest.ReadCases[outsideCase](t, outside+"datetime.jsonl") {
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
			t.Logf("wrong: %s | %s | ref %s | want %v | got %v",
				c.ID, c.Text, c.Reference, c.Expect, parseOutside(t, c.Text, c.Reference))
		}
	}
	share := func(got *tally) float64 { return float64(got.right) / float64(got.all) }
	for lang, floor := range floors {
		t.Logf("%s: core %.1f %% of %d right, nothing found where there is nothing %.1f %% of %d",
			lang, 100*share(core[lang]), core[lang].all, 100*share(none[lang]), none[lang].all)
		if got := share(core[lang]); got < floor.core {
			t.Errorf("core %s: %.4f right, want at least %.3f", lang, got, floor.core)
		}
		if got := share(none[lang]); got < floor.none {
			t.Errorf("none %s: %.4f right, want at least %.3f", lang, got, floor.none)
		}
	}
}

// TestOutsideDataMulti does the same for texts with several expressions: how many of them are found
// and right.
func TestOutsideDataMulti(t *testing.T) {
	found, all := map[string]int{}, map[string]int{}
	for _, c := range nlutest.ReadCases[multiCase](t, outside+"datetime_multi.jsonl") {
		got := parseOutside(t, c.Text, c.Reference)
		for _, want := range c.Expect {
			all[c.Lang]++
			i := slices.IndexFunc(got, func(o outcome) bool { return want.accepts(o, c.Reference) })
			if i >= 0 {
				found[c.Lang]++
				got = slices.Delete(got, i, i+1)
			}
		}
	}
	for lang, floor := range floors {
		share := float64(found[lang]) / float64(all[lang])
		t.Logf("%s: several in a text, %.1f %% of %d found", lang, 100*share, all[lang])
		if share < floor.multi {
			t.Errorf("several %s: %.4f found, want at least %.3f", lang, share, floor.multi)
		}
	}
}

func parseOutside(t *testing.T, text, reference string) []outcome {
	t.Helper()
	ref, err := time.ParseInLocation("2006-01-02T15:04:05", reference, zone(t, "Asia/Tokyo"))
	if err != nil {
		t.Fatal(err)
	}
	var got []outcome
	for _, e := range datetime.Parse(text, ref) {
		if r, ok := e.Result(); ok {
			got = append(got, outcome{Kind: r.Kind, Start: r.Start, End: r.End, Seconds: float64(r.Seconds)})
		}
	}
	return got
}

func right(t *testing.T, c outsideCase) bool {
	t.Helper()
	got := parseOutside(t, c.Text, c.Reference)
	if c.Expect.Kind == "none" {
		return len(got) == 0
	}
	return len(got) == 1 && c.Expect.accepts(got[0], c.Reference)
}

// accepts reports whether an outcome is the one wanted, or another reading that counts as right.
func (o outcome) accepts(got outcome, ref string) bool {
	wanted := append([]outcome{o}, o.Alts...)
	return slices.ContainsFunc(wanted, func(want outcome) bool { return matches(got, want, ref) })
}

func matches(got, want outcome, ref string) bool {
	near := func(s string) bool {
		r, _ := time.Parse("2006-01-02T15:04:05", ref)
		return strings.HasPrefix(s, r.Format(time.DateOnly)) ||
			strings.HasPrefix(s, r.AddDate(0, 0, 1).Format(time.DateOnly))
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
