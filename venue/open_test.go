package venue_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"annai/internal/fault"
	"annai/tools/calendar"
	"annai/venue"
)

// small is the least that a venue file may be.
const small = "name: {en: Tea House}\n"

func parse(yaml string, more ...string) (*venue.Venue, error) {
	files := fstest.MapFS{"venue.yaml": {Data: []byte(yaml)}}
	for _, name := range more {
		files[name] = &fstest.MapFile{}
	}
	return venue.Parse(files, "venue.yaml")
}

func TestParseDefaults(t *testing.T) {
	v, err := parse(small+"calendars: [{id: tea, source: ics, path: ./tea.ics, visibility: public}]\nknowledge: [./docs/]\n", "tea.ics", "docs/a.md")
	if err != nil {
		t.Fatalf("Parse(small) = %v", err)
	}
	if v.Timezone != "Asia/Tokyo" || v.Location.String() != "Asia/Tokyo" {
		t.Errorf("Parse(small) has timezone %q and location %v, want Asia/Tokyo", v.Timezone, v.Location)
	}
	if got := v.Name.In("ja"); got != "Tea House" {
		t.Errorf(`Name.In("ja") = %q, want the only name there is`, got)
	}
	if len(v.Suggestions) != 3 || v.Staff.Where.IsZero() {
		t.Errorf("Parse(small) has suggestions %v and staff %v, want defaults", v.Suggestions, v.Staff)
	}
	want := []venue.Calendar{{ID: "tea", Label: venue.Text{JA: "tea", EN: "tea"}, Source: "ics", Path: "tea.ics", Visibility: calendar.Public}}
	if diff := cmp.Diff(want, v.Calendars); diff != "" {
		t.Errorf("Parse(small).Calendars (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"docs"}, v.Knowledge); diff != "" {
		t.Errorf("Parse(small).Knowledge (-want +got):\n%s", diff)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(name, []byte(small+"knowledge: [facts.md]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := venue.Open(name); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open(file that names a missing one) = %v, want ErrInvalid", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "facts.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := venue.Open(name)
	if err != nil {
		t.Fatalf("Open(%s) = %v", name, err)
	}
	if _, err := fs.Stat(v.Files, v.Knowledge[0]); err != nil {
		t.Errorf("Files does not hold what Knowledge names: %v", err)
	}
	if _, err := venue.Open(filepath.Join(dir, "other.yaml")); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Open(nothing) = %v, want ErrNotFound", err)
	}
	if _, err := venue.Open(dir); !errors.Is(err, fault.ErrUnavailable) && !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Open(folder) = %v, want ErrUnavailable or ErrNotFound", err)
	}
}

// Everything wrong is told at once, each with file, key and what came.
func TestAllProblemsAtOnce(t *testing.T) {
	_, err := parse(`
timezone: Asia/Tokio
website: engineercafe.jp
hours:
  weekly: {mon: "9-22", tue: "09:00-22:00", wed: "25:00-26:00", thu: "09:00-09:00", fri: "", saturday: ""}
  holidays: us
  closed:
    - {nthWeekday: sixth mon}
    - {nthWeekday: last mon, yearly: 12-29/01-03}
    - {yearly: 12-32/01-03}
    - {yearly: 12-29, moveIfHoliday: true}
    - {days: [2026-02-30, 2026-05-01]}
ambiguous:
  - words: [cafe, cafe]
    readings: [{label: {en: a}}]
corrections: {a: a}
suggestions: [{ja: 一つ, en: one}]
calendars:
  - {id: a b, source: ics, path: ../x.ics, visibility: public}
  - {id: x, source: outlook, path: missing.ics, visibility: secret}
  - {id: x, source: ics, visibility: busy}
  - {id: y, source: ics, url: "ftp://example.com/a.ics", visibility: busy}
  - {id: z, source: ics, path: docs, visibility: busy, writable: true, account: me}
  - {id: own, source: local, path: docs}
  - {id: g, source: google, account: a b, visibility: busy}
knowledge: [/etc/passwd, gone, ""]
`, "docs/a.md")
	if !errors.Is(err, fault.ErrInvalid) {
		t.Fatalf("Parse(all wrong) = %v, want ErrInvalid", err)
	}
	want := `venue.yaml: name: is missing; give it as ja, en or both
venue.yaml: timezone: there is no time zone "Asia/Tokio"; names are like Asia/Tokyo
venue.yaml: website: "engineercafe.jp" is not an http or https address
venue.yaml: hours.holidays: "us" is not jp, nor empty for none
venue.yaml: hours.weekly: sun is missing; give "" for closed
venue.yaml: hours.weekly.mon: "9-22" is not like 09:00-22:00
venue.yaml: hours.weekly.wed: "25:00-26:00" is not like 09:00-22:00
venue.yaml: hours.weekly.thu: "09:00-09:00" is not like 09:00-22:00
venue.yaml: hours.weekly: sat is missing; give "" for closed
venue.yaml: hours.weekly: "saturday" is not one of mon, tue, wed, thu, fri, sat, sun
venue.yaml: hours.closed[0].nthWeekday: "sixth mon" is not like "last mon" or "2nd tue"
venue.yaml: hours.closed[1]: give exactly one of nthWeekday, yearly and days
venue.yaml: hours.closed[2].yearly: "12-32/01-03" is not a range of days like 12-29/01-03
venue.yaml: hours.closed[3].moveIfHoliday: needs nthWeekday, and hours.holidays to say whose holidays
venue.yaml: hours.closed[4].days[0]: "2026-02-30" is not a date like 2026-05-01
venue.yaml: ambiguous[0].words[1]: "cafe" is empty or given twice
venue.yaml: ambiguous[0].question: is missing
venue.yaml: ambiguous[0].readings: there are 1; a word is ambiguous with two or more
venue.yaml: ambiguous[0].readings[0].means: is missing
venue.yaml: corrections: "a": "a" corrects nothing
venue.yaml: suggestions: there are 1 in ja and 1 in en; give at least 3 in each, or none
venue.yaml: calendars[0].id: "a b" is not made of letters, digits, dots, dashes and underscores
venue.yaml: calendars[0].path: "../x.ics" is not a path in the folder of the venue file or below
venue.yaml: calendars[1].visibility: "secret" is not public, busy or private
venue.yaml: calendars[1].source: "outlook" is not ics, local or google
venue.yaml: calendars[2].id: "x" is the id of another calendar too
venue.yaml: calendars[2]: give exactly one of path and url
venue.yaml: calendars[3].url: "ftp://example.com/a.ics" is not an http or https address
venue.yaml: calendars[4].path: "docs" is a folder, not a file
venue.yaml: calendars[4].writable: an ics calendar can only be read
venue.yaml: calendars[4]: only a calendar of the source google has account and calendarId
venue.yaml: calendars[5].visibility: "" is not public, busy or private
venue.yaml: calendars[5]: a calendar of the source local has neither path nor url
venue.yaml: calendars[6].account: "a b" is not made of letters, digits, dots, dashes and underscores
venue.yaml: knowledge[0]: "/etc/passwd" is not a path in the folder of the venue file or below
venue.yaml: knowledge[1]: "gone" does not exist
venue.yaml: knowledge[2]: "" is not a path in the folder of the venue file or below`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("Parse(all wrong) (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ yaml, want string }{
		"unknown key":   {small + "timezon: UTC\n", "venue.yaml: line 2: unknown key \"timezon\""},
		"wrong type":    {small + "demo: perhaps\n", "venue.yaml: line 2: \"perhaps\" is not true or false"},
		"no YAML":       {"name: [", "venue.yaml: line 1: did not find expected node content"},
		"empty":         {"", "venue.yaml: name: is missing; give it as ja, en or both"},
		"server's zone": {small + "timezone: Local\n", `venue.yaml: timezone: there is no time zone "Local"; names are like Asia/Tokyo`},
		"two documents": {small + "---\n" + small, "venue.yaml: more than one document"},
		"rules without hours": {
			small + "hours: {closed: [{yearly: 01-01}]}\n",
			"venue.yaml: hours.weekly: is missing, so hours.closed has nothing to close",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(c.yaml)
			if !errors.Is(err, fault.ErrInvalid) {
				t.Fatalf("Parse(%q) = %v, want ErrInvalid", c.yaml, err)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", c.yaml, diff)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	v := demoVenue(f)
	data, err := fs.ReadFile(v.Files, "venue.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(small))
	f.Add([]byte("hours: {weekly: {mon: \"18:00-02:00\"}, closed: [{nthWeekday: fifth mon}]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parse(string(data))
		if err != nil {
			if !errors.Is(err, fault.ErrInvalid) || err.Error() == "" {
				t.Fatalf("Parse(%q) = %v, want ErrInvalid and a reason", data, err)
			}
			return
		}
		v.ClosedDays(2026, 2)
		if day, ok := v.NextOpening(date(2026, 2, 23).In(v.Location)); ok && !day.From.Before(day.Until) {
			t.Fatalf("Parse(%q).NextOpening() = %+v, want it to open before it closes", data, day)
		}
	})
}

func TestDemo(t *testing.T) {
	v := demoVenue(t)
	if !v.Demo {
		t.Error("Demo().Demo = false, want true")
	}
	if v.Name != (venue.Text{JA: "エンジニアカフェ", EN: "Engineer Cafe"}) || v.Timezone != "Asia/Tokyo" || v.Website != "https://engineercafe.jp" {
		t.Errorf("Demo() is %v in %s at %s", v.Name, v.Timezone, v.Website)
	}
	for key, text := range texts(v) {
		if text.JA == "" || text.EN == "" {
			t.Errorf("Demo().%s = %+v, want both languages", key, text)
		}
	}
	if got := v.Corrections["エンジニア壁"]; got != "エンジニアカフェ" {
		t.Errorf("Corrections[エンジニア壁] = %q, want エンジニアカフェ", got)
	}
	if len(v.Suggestions) < 3 || len(v.Ambiguous) < 2 || len(v.Calendars) != 1 || v.Calendars[0].Visibility != calendar.Public {
		t.Errorf("Demo() has suggestions %v, ambiguous words %v, calendars %v", v.Suggestions, v.Ambiguous, v.Calendars)
	}
}

// texts returns the texts of v for visitors, by key.
func texts(v *venue.Venue) map[string]venue.Text {
	all := map[string]venue.Text{"name": v.Name, "staff.where": v.Staff.Where}
	for _, rule := range v.Hours.Closed {
		all["closed "+rule.NthWeekday+rule.Yearly] = rule.Reason
	}
	for _, a := range v.Ambiguous {
		all["ambiguous "+a.Words[0]] = a.Question
		for _, r := range a.Readings {
			all["label of "+r.Label.JA], all["meaning of "+r.Label.JA] = r.Label, r.Means
		}
	}
	for _, s := range v.Suggestions {
		all["suggestion "+s.JA] = s
	}
	for _, c := range v.Calendars {
		all["calendar "+c.ID] = c.Label
	}
	return all
}

// A calendar that its owner writes is nobody else's business unless it is said to be.
func TestWritableCalendars(t *testing.T) {
	v, err := parse(small + `calendars:
  - {id: own, source: local, writable: true}
  - {id: team, source: google, calendarId: team@example.com, writable: true, visibility: busy}
  - {id: closing, source: google, account: office, visibility: public}
`)
	if err != nil {
		t.Fatalf("Parse(writable calendars) = %v, want a venue", err)
	}
	want := []venue.Calendar{
		{ID: "own", Source: "local", Writable: true, Visibility: calendar.Private},
		{ID: "team", Source: "google", Account: "default", CalendarID: "team@example.com", Writable: true, Visibility: calendar.Busy},
		{ID: "closing", Source: "google", Account: "office", CalendarID: "primary", Visibility: calendar.Public},
	}
	for i := range want {
		want[i].Label = venue.Text{JA: want[i].ID, EN: want[i].ID}
	}
	if diff := cmp.Diff(want, v.Calendars); diff != "" {
		t.Errorf("Parse(writable calendars).Calendars (-want +got):\n%s", diff)
	}
}
