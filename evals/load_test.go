package evals_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/evals"
	"annai/fault"
	"annai/nlu"
	"annai/tools/calendar"
)

func folder(content string) fs.FS {
	return fstest.MapFS{"cases.yaml": {Data: []byte(content)}}
}

const head = "about: Something.\nvenue: demo\nnow: 2025-01-15T10:00:00+09:00\n"

func load(t *testing.T, content string) []evals.Case {
	t.Helper()
	cases, err := evals.Load(folder(content))
	if err != nil {
		t.Fatalf("Load = %v, want cases", err)
	}
	return cases
}

func TestLoadInherits(t *testing.T) {
	cases := load(t, head+`timezone: America/New_York
tag: ranges
fail: {calendar: timeout}
events: [{title: A, start: "2025-01-15T19:00:00+09:00"}, {title: B, start: 2025-01-16, end: 2025-01-17, status: cancelled}]
cases:
  - say: What's on?
    want: {route: event}
  - name: talk
    language: ja
    now: 2025-01-16T10:00:00+09:00
    fail: {knowledge: error}
    events: []
    turns:
      - {say: One, want: {route: event}}
      - {say: Two, now: "2025-01-16T10:05:00+09:00", session: b, language: en, format: spec, want: {route: event}}
      - {pick: "2", want: {error: notFound}}
      - {pick: Yes, want: {error: notFound}}
`)
	if len(cases) != 2 {
		t.Fatalf("Load = %d cases, want 2", len(cases))
	}
	one, talk := cases[0], cases[1]
	if one.File != "cases" || one.Name != "What's on?" || one.Tag != "ranges" {
		t.Errorf("first case = %q %q %q, want those of the file", one.File, one.Name, one.Tag)
	}
	wantEvents := []calendar.Event{
		{ID: "1", Title: "A", Start: time.Date(2025, 1, 15, 19, 0, 0, 0, time.FixedZone("", 9*3600))},
		{
			ID: "2", Title: "B", AllDay: true, Status: calendar.Cancelled,
			FirstDay: civil.Date{Year: 2025, Month: 1, Day: 16}, EndDay: civil.Date{Year: 2025, Month: 1, Day: 18},
		},
	}
	if diff := cmp.Diff(wantEvents, one.Setup.Events); diff != "" {
		t.Errorf("events of the file (-want +got):\n%s", diff)
	}
	if s := one.Setup; s.Calendar != evals.Timeout || s.Knowledge != evals.None || s.Documents != nil {
		t.Errorf("setup = %+v, want the calendar to time out and the venue's own documents", s)
	}
	if s := talk.Setup; s.Calendar != evals.None || s.Knowledge != evals.Error || s.Events == nil || len(s.Events) != 0 {
		t.Errorf("setup = %+v, want knowledge to fail and no events at all", s)
	}
	for i, want := range []struct {
		session  string
		language nlu.Language
		spec     bool
		minute   int
		pick     string
	}{
		{language: "ja"},
		{session: "b", language: "en", spec: true, minute: 5},
		{language: "ja", minute: 5, pick: "2"},
		{language: "ja", minute: 5, pick: `"Yes"`},
	} {
		got := talk.Turns[i]
		if got.Session != want.session || got.Language != want.language || got.SpecFormat != want.spec ||
			got.Now.Minute() != want.minute || string(got.Pick) != want.pick || got.Location.String() != "America/New_York" {
			t.Errorf("turn %d = %+v, want %+v in New York", i+1, got, want)
		}
	}
}

func TestLoadSaysAllProblems(t *testing.T) {
	files := fstest.MapFS{
		"a.yaml": {Data: []byte(head + `cases:
  - {say: same, want: {route: event}}
  - {say: same, want: {route: nowhere, emotion: hungry, sources: [oracle], range: {name: someday, start: soon}}}
  - {name: mute, fail: {calendar: sometimes}, events: [{start: noon}, {start: 2025-01-02, end: 2025-01-01}, {start: 2025-01-02, status: gone}]}
  - {say: hm, turns: [{say: hm, want: {route: event}}]}
  - {say: hm hm}
  - {name: turns, turns: [{say: a, pick: b, now: later, timezone: Mars/Base, language: tlh, format: verse, want: {}}]}
`)},
		"b.yaml":   {Data: []byte("about: B.\ncasses: []\nnow: [1]\n")},
		"c.yaml":   {Data: []byte("cases: [{say: hm, want: {route: event}}]")},
		"note.txt": {Data: []byte("not a case")},
	}
	_, err := evals.Load(files)
	if !errors.Is(err, fault.ErrInvalid) {
		t.Fatalf("Load = %v, want ErrInvalid", err)
	}
	for _, want := range []string{
		`a.yaml: case 2 (same): name: the file has another case of that name`,
		`a.yaml: case 2 (same): turn 1: want.route: is "nowhere"`,
		`a.yaml: case 2 (same): turn 1: want.emotion: is "hungry"`,
		`a.yaml: case 2 (same): turn 1: want.sources: is "oracle"`,
		`a.yaml: case 2 (same): turn 1: want.range.name: is "someday"`,
		`a.yaml: case 2 (same): turn 1: want.range: "soon" is no date`,
		`a.yaml: case 3 (mute): fail.calendar: is "sometimes"`,
		`a.yaml: case 3 (mute): say: a case needs`,
		`a.yaml: case 3 (mute): events[0]: start: is "noon"`,
		`a.yaml: case 3 (mute): events[1]: end: is "2025-01-01"`,
		`a.yaml: case 3 (mute): events[2]: status: is "gone"`,
		`a.yaml: case 4 (hm): say: a case has either`,
		`a.yaml: case 5 (hm hm): want: is required`,
		`a.yaml: case 6 (turns): turn 1: a turn has either`,
		`a.yaml: case 6 (turns): turn 1: now: is "later"`,
		`a.yaml: case 6 (turns): turn 1: timezone: there is no zone "Mars/Base"`,
		`a.yaml: case 6 (turns): turn 1: language: is "tlh"`,
		`a.yaml: case 6 (turns): turn 1: format: is "verse"`,
		`a.yaml: case 6 (turns): turn 1: want: says nothing`,
		`b.yaml: line 2: unknown key "casses"`,
		`b.yaml: line 3: `,
		`c.yaml: about: say in a sentence`,
		`c.yaml: case 1 (hm): venue: is required`,
		`c.yaml: case 1 (hm): turn 1: now: is ""`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("Load lacks the problem %q in:\n%v", want, err)
		}
	}
}

func TestLoadNothing(t *testing.T) {
	if _, err := evals.Load(fstest.MapFS{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Load of an empty folder = %v, want ErrInvalid", err)
	}
	if _, err := evals.Load(os.DirFS(t.TempDir() + "/nowhere")); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Load of a folder that is not there = %v, want ErrNotFound", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(head + "cases: [{say: hm, want: {has: [a, [b, c]]}}]")
	f.Add(head + "events: [{start: 2025-01-02}]\ncases: [{turns: [{pick: '1', want: {options: [x]}}]}]")
	f.Add("cases: [null]")
	f.Fuzz(func(t *testing.T, content string) {
		cases, err := evals.Load(folder(content))
		if (err == nil) != (len(cases) > 0) {
			t.Errorf("Load(%q) = %d cases, %v, want either", content, len(cases), err)
		}
	})
}
