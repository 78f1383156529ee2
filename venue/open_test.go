package venue_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
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

// A link may lead within the folder, and not out of it, also one that is changed later.
func TestLinks(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.ics")
	name := filepath.Join(dir, "venue.yaml")
	yaml := small + "calendars: [{id: a, source: ics, path: a.ics, visibility: public}]\n"
	for file, text := range map[string]string{name: yaml, filepath.Join(dir, "b.ics"): "b", outside: "secret"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "a.ics")
	open := func(to string) (*venue.Venue, error) {
		_ = os.Remove(link)
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		return venue.Open(name)
	}
	for _, to := range []string{outside, "../" + filepath.Base(filepath.Dir(outside)) + "/secret.ics", "/etc/passwd"} {
		if _, err := open(to); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Open(venue with a link to %s) = %v, want ErrInvalid", to, err)
		}
	}
	v, err := open("b.ics")
	if err != nil {
		t.Fatalf("Open(venue with a link within) = %v", err)
	}
	if got, err := fs.ReadFile(v.Files, "a.ics"); err != nil || string(got) != "b" {
		t.Errorf("what the link leads to = %q, %v, want b", got, err)
	}
	if _, err := open(outside); err == nil {
		t.Error("Open(venue whose link was changed) = nil, want an error")
	}
	if got, err := fs.ReadFile(v.Files, "a.ics"); err == nil {
		t.Errorf("what the changed link leads to = %q, want an error", got)
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
reading: {saino: サイノ, bar: 酒場}
calendars:
  - {id: a b, source: ics, path: ../x.ics, visibility: public}
  - {id: x, source: outlook, path: missing.ics, visibility: secret}
  - {id: x, source: ics, visibility: busy}
  - {id: y, source: ics, url: "ftp://example.com/a.ics", visibility: busy}
  - {id: z, source: ics, path: docs, visibility: busy, writable: true, account: me}
  - {id: own, source: local, path: docs}
  - {id: g, source: google, account: a b, visibility: busy}
  - {id: f1, source: feed, path: docs/a.md, visibility: public}
  - {id: f2, source: feed, url: "https://a.example", visibility: public, mapping: {title: t}, keyFile: gone}
  - {id: f3, source: feed, url: "https://a.example", visibility: public, keyHeader: "a b", keyFile: docs/a.md,
     mapping: {title: t, date: d, statuses: {a: full}}}
  - {id: f4, source: local, visibility: public, keyHeader: x}
knowledge: [/etc/passwd, gone, ""]
`, "docs/a.md")
	if !errors.Is(err, fault.ErrInvalid) {
		t.Fatalf("Parse(all wrong) = %v, want ErrInvalid", err)
	}
	want := `venue.yaml: name: is missing; give it as ja, en or both
venue.yaml: line 2: timezone: there is no time zone "Asia/Tokio"; names are like Asia/Tokyo
venue.yaml: line 3: website: "engineercafe.jp" is not an http or https address
venue.yaml: line 6: hours.holidays: "us" is not jp, nor empty for none
venue.yaml: line 5: hours.weekly: sun is missing; give "" for closed
venue.yaml: line 5: hours.weekly.mon: "9-22" is not like 09:00-22:00, or 10:00-12:00, 13:00-17:00
venue.yaml: line 5: hours.weekly.wed: "25:00-26:00" is not like 09:00-22:00, or 10:00-12:00, 13:00-17:00
venue.yaml: line 5: hours.weekly.thu: "09:00-09:00" is not like 09:00-22:00, or 10:00-12:00, 13:00-17:00
venue.yaml: line 5: hours.weekly: sat is missing; give "" for closed
venue.yaml: line 5: hours.weekly: "saturday" is not one of mon, tue, wed, thu, fri, sat, sun, daily, holiday; hours with a comma stand in quotes
venue.yaml: line 8: hours.closed[0].nthWeekday: "sixth mon" is not like "last mon" or "2nd tue"
venue.yaml: line 9: hours.closed[1]: give exactly one of nthWeekday, yearly and days
venue.yaml: line 10: hours.closed[2].yearly: "12-32/01-03" is not a range of days like 12-29/01-03
venue.yaml: line 11: hours.closed[3].moveIfHoliday: needs nthWeekday, and hours.holidays to say whose holidays
venue.yaml: line 12: hours.closed[4].days[0]: "2026-02-30" is not a date like 2026-05-01
venue.yaml: line 14: ambiguous[0].words[1]: "cafe" is empty or given twice
venue.yaml: line 14: ambiguous[0].question: is missing
venue.yaml: line 15: ambiguous[0].readings: there are 1; a word is ambiguous with two or more
venue.yaml: line 15: ambiguous[0].readings[0].means: is missing
venue.yaml: line 16: corrections: "a": "a" corrects nothing
venue.yaml: line 17: reading: "bar": "酒場" is not in kana
venue.yaml: line 19: calendars[0].id: "a b" is not made of letters, digits, dots, dashes and underscores
venue.yaml: line 19: calendars[0].path: "../x.ics" is not a path in the folder of the venue file or below
venue.yaml: line 20: calendars[1].visibility: "secret" is not public, busy or private
venue.yaml: line 20: calendars[1].source: "outlook" is not ics, feed, local, google or caldav
venue.yaml: line 21: calendars[2].id: "x" is the id of another calendar too
venue.yaml: line 21: calendars[2]: give exactly one of path and url
venue.yaml: line 22: calendars[3].url: "ftp://example.com/a.ics" is not an http or https address
venue.yaml: line 23: calendars[4].path: "docs" is a folder, not a file
venue.yaml: line 23: calendars[4].writable: a calendar of the source ics can only be read
venue.yaml: line 23: calendars[4]: only a calendar of the source google has account and calendarId
venue.yaml: line 24: calendars[5].visibility: "" is not public, busy or private
venue.yaml: line 24: calendars[5]: a calendar of the source local has neither path nor url
venue.yaml: line 25: calendars[6].account: "a b" is not made of letters, digits, dots, dashes and underscores
venue.yaml: line 26: calendars[7].mapping.title: is missing; it is the name of what is the title
venue.yaml: line 27: calendars[8].mapping.start: is missing; give start, or date where that stands by itself
venue.yaml: line 27: calendars[8]: give keyHeader and keyFile together
venue.yaml: line 29: calendars[9].mapping.statuses: needs status, the name of what has these values
venue.yaml: line 28: calendars[9].keyHeader: "a b" is not a name of a header like X-API-Key
venue.yaml: line 30: calendars[10]: only a calendar of the source feed has mapping, keyHeader and keyFile
venue.yaml: line 31: knowledge[0]: "/etc/passwd" is not a path in the folder of the venue file or below
venue.yaml: line 31: knowledge[1]: "gone" does not exist
venue.yaml: line 31: knowledge[2]: "" is not a path in the folder of the venue file or below`
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
		"server's zone": {small + "timezone: Local\n", `venue.yaml: line 2: timezone: there is no time zone "Local"; names are like Asia/Tokyo`},
		"two documents": {small + "---\n" + small, "venue.yaml: more than one document"},
		"rules without hours": {
			small + "hours: {closed: [{yearly: 01-01}]}\n",
			"venue.yaml: line 2: hours.weekly: is missing, so hours.closed has nothing to close",
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
	f.Add([]byte(pool))
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
		for i := range v.Parts {
			p := &v.Parts[i]
			p.Hours.Day(date(2026, 2, 23))
			if rows := p.PricesAt(venue.PriceQuery{From: date(2026, 2, 23).In(v.Location)}); len(rows) > len(p.Prices) || len(p.Names("")) == 0 {
				t.Fatalf("Parse(%q).Parts[%d] has the names %v and %d rows", data, i, p.Names(""), len(rows))
			}
		}
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
	for i := range v.Parts {
		addPart(all, &v.Parts[i])
	}
	for _, s := range v.Suggestions {
		all["suggestion "+s.JA] = s
	}
	for _, c := range v.Calendars {
		all["calendar "+c.ID] = c.Label
	}
	return all
}

// addPart adds the texts of a part that says them.
func addPart(all map[string]venue.Text, p *venue.Part) {
	key := "part " + p.ID + " "
	add := func(name string, t venue.Text) {
		if !t.IsZero() {
			all[key+name] = t
		}
	}
	all[key+"name"] = p.Name
	add("where", p.Where)
	add("description", p.Description)
	add("how to book", p.Booking.How)
	add("contact", p.Booking.Contact)
	add("who", p.For.Who)
	for i, t := range slices.Concat(p.Allows, p.Forbids) {
		add(fmt.Sprintf("act %d", i), t)
	}
	for i, row := range p.Prices {
		add(fmt.Sprintf("what of price %d", i), row.What)
		add(fmt.Sprintf("per of price %d", i), row.Per)
		add(fmt.Sprintf("for of price %d", i), row.For)
	}
}

// What the parts of the demo venue say stands in its documents, in both languages: names, amounts and numbers of seats.
func TestDemoPartsAreInTheDocuments(t *testing.T) {
	v := demoVenue(t)
	said := map[string]string{}
	for _, lang := range []string{"ja", "en"} {
		names, err := fs.Glob(v.Files, "knowledge/*."+lang+".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := fs.ReadFile(v.Files, name)
			if err != nil {
				t.Fatal(err)
			}
			said[lang] += strings.ToLower(string(data))
		}
	}
	units := map[string][2]string{"ja": {"%s円", "%d席"}, "en": {"%s", "%d"}}
	for i := range v.Parts {
		p := &v.Parts[i]
		for lang, text := range said {
			if name := strings.ToLower(p.Name.In(lang)); p.ID != "equipment" && p.ID != "consultation" && !strings.Contains(text, name) {
				t.Errorf("no document in %s names %q", lang, name)
			}
			for _, row := range p.Prices {
				for _, yen := range []int{row.Amount.Least, row.Amount.Most} {
					if amount := fmt.Sprintf(units[lang][0], thousands(yen)); yen > 0 && !strings.Contains(text, amount) {
						t.Errorf("no document in %s has the price %s of %s", lang, amount, p.ID)
					}
				}
			}
			for _, n := range []int{p.Seats.Least, p.Seats.Most} {
				if seats := fmt.Sprintf(units[lang][1], n); n > 0 && !strings.Contains(text, seats) {
					t.Errorf("no document in %s has the %s seats of %s", lang, seats, p.ID)
				}
			}
		}
	}
}

// thousands writes 1600 as 1,600.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

func TestDemoParts(t *testing.T) {
	v := demoVenue(t)
	for text, want := range map[string]string{
		"2026-11-24": "12:00-17:00, 18:00-20:00", "2026-11-28": "11:00-20:00", "2026-11-25": "closed (weekly wed)",
		"2026-11-30": "closed (weekly mon)", "2026-11-03": "11:00-20:00 (weekly holiday)", "2027-01-02": "closed (12-29/01-03)",
	} {
		d := at(t, v, text+" 12:00")
		if got := told(v.Part("saino").Hours.Day(date(d.Year(), d.Month(), d.Day()))); got != want {
			t.Errorf("saino on %s: %s, want %s", text, got, want)
		}
	}
	rows := v.Part("meeting-room-1").PricesAt(venue.PriceQuery{From: at(t, v, "2026-11-25 13:00"), Until: at(t, v, "2026-11-25 17:00")})
	if len(rows) == 0 || rows[0].Amount.String() != "1600" {
		t.Errorf("PricesAt(13:00 to 17:00) = %v, want 1600 first", rows)
	}
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

// What YAML refuses is told with its own line and what to do about it.
func TestParseSaysWhatToQuote(t *testing.T) {
	for yaml, want := range map[string]string{
		"suggestions:\n  - {ja: 今日のイベントは？, en: What is on today?}\n": `venue.yaml: line 3: quote this text: "What is on today?"`,
		"staff:\n  where: Desk: ask here\n":                          `venue.yaml: line 3: quote this text: "Desk: ask here"`,
		"staff:\n  where: [desk]\n":                                  `venue.yaml: line 3: a list is not a text; write {ja: ..., en: ...}`,
		"hours: {weekly: {daily: 9:00-12:00, 13:00-17:00}}\n":        `venue.yaml: line 2: hours.weekly: "13:00-17:00" is not one of mon, tue, wed, thu, fri, sat, sun, daily, holiday; hours with a comma stand in quotes`,
	} {
		if _, err := parse(small + yaml); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = %v, want %s", yaml, err, want)
		}
	}
}
