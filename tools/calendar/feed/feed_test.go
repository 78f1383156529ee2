package feed_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/internal/outbound"
	"annai/tools/calendar"
	"annai/tools/calendar/calendartest"
	"annai/tools/calendar/feed"
	"annai/tools/calendar/polled"
)

func clock() time.Time { return time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC) }

func fileOf(t *testing.T, files fs.FS, path string, m feed.Mapping) *polled.Reader {
	t.Helper()
	tokyo := calendartest.Zone(t, "Asia/Tokyo")
	r, err := feed.File(files, path, m, polled.Options{CalendarID: "test", Now: clock, Location: tokyo})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// all maps the names of a file that is made by write.
var all = feed.Mapping{
	ID: "id", Title: "title", Start: "when.start", End: "when.end", TimeZone: "zone", Place: "place", URL: "url",
	Description: "text", Status: "status",
}

// write makes items of events.
func write(seed []calendar.Event) []map[string]any {
	items := []map[string]any{}
	for _, e := range seed {
		start, end := "", ""
		switch {
		case e.AllDay:
			start = e.FirstDay.String()
			if !e.EndDay.IsZero() {
				end = e.EndDay.AddDays(-1).String()
			}
		default:
			start = e.Start.Format(time.RFC3339)
			if !e.End.IsZero() {
				end = e.End.Format("2006/01/02 15:04")
			}
		}
		items = append(items, map[string]any{
			"id": e.ID, "title": e.Title, "when": map[string]any{"start": start, "end": end}, "zone": e.TimeZone,
			"place": e.Location, "url": e.URL, "text": e.Description, "status": string(e.Status),
		})
	}
	return items
}

func TestConformance(t *testing.T) {
	t.Run("JSON", func(t *testing.T) {
		calendartest.Run(t, func(t *testing.T, seed []calendar.Event) calendar.Reader {
			data, err := json.Marshal(map[string]any{"data": map[string]any{"events": write(seed)}})
			if err != nil {
				t.Fatal(err)
			}
			m := all
			m.Items = "data.events"
			return fileOf(t, fstest.MapFS{"a.json": {Data: data}}, "a.json", m)
		})
	})
	t.Run("CSV", func(t *testing.T) {
		calendartest.Run(t, func(t *testing.T, seed []calendar.Event) calendar.Reader {
			var b bytes.Buffer
			w := csv.NewWriter(&b)
			_ = w.Write([]string{"id", "title", "start", "end", "zone", "place", "url", "text", "status"})
			for _, it := range write(seed) {
				when := it["when"].(map[string]any)
				row := []string{}
				for _, v := range []any{
					it["id"], it["title"], when["start"], when["end"], it["zone"], it["place"], it["url"],
					it["text"], it["status"],
				} {
					row = append(row, v.(string))
				}
				_ = w.Write(row)
			}
			w.Flush()
			m := all
			m.Start, m.End = "start", "end"
			return fileOf(t, fstest.MapFS{"a.csv": {Data: b.Bytes()}}, "a.csv", m)
		})
	})
}

// december is when the events of the files in testdata are.
func december(t *testing.T, r calendar.Reader) calendar.Listing {
	t.Helper()
	first := civil.Date{Year: 2026, Month: 12, Day: 1}
	got, err := r.Events(t.Context(), civil.Days(first, first.AddMonths(1), calendartest.Zone(t, "Asia/Tokyo")))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// shown is a listing for people: events, and then what is wrong.
func shown(l calendar.Listing) []string {
	var all []string
	for _, e := range l.Events {
		when := e.Start.Format("01-02 15:04") + "-" + e.End.Format("15:04")
		if e.AllDay {
			when = e.FirstDay.String()
		}
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s | %s | %s %s", when, e.Title, e.Location,
			e.Status, e.Notice)))
	}
	for _, p := range l.Problems {
		all = append(all, strings.TrimSuffix(p.Err.Error(), ": "+fault.ErrInvalid.Error()))
	}
	return all
}

var connpass = feed.Mapping{
	Items: "events", ID: "id", Title: "title", Start: "started_at", End: "ended_at", Place: "place",
	Address: "address",
	URL:     "url", Description: "catch", Capacity: "limit", Accepted: "accepted", Status: "open_status",
}

func TestConnpass(t *testing.T) {
	got := december(t, fileOf(t, os.DirFS("testdata"), "connpass.json", connpass))
	want := []string{
		"12-03 19:00-21:30 Go もくもく会 #42 | 1F メインホール, 福岡県福岡市中央区天神1-11 | confirmed",
		"12-04 18:30-20:30 Rust 入門ハンズオン |  | confirmed full",
		"12-05 13:00-17:00 LT 大会 | オンライン | cancelled",
		"1 of 4 items could not be read",
		"item 4: it has no start",
	}
	if diff := cmp.Diff(want, shown(got)); diff != "" || got.Complete {
		t.Errorf("Events (complete %v) (-want +got):\n%s", got.Complete, diff)
	}
	first := got.Events[0]
	if first.ID != "364990" || first.URL != "https://hakata-go.connpass.example/event/364990/" ||
		first.Description != "静かに Go を書く会です" || first.TimeZone != "Asia/Tokyo" || first.Source != "feed" {
		t.Errorf("event = %+v, want what the file says", first)
	}
}

// A CSV of a spreadsheet in Shift_JIS, with the dates, hours and numbers that people write.
func TestJapaneseCSV(t *testing.T) {
	m := feed.Mapping{
		Title: "催し名", Date: "開催日", Start: "開始", End: "終了", Place: "会場", Capacity: "定員", Accepted: "申込数",
		Status: "状態", Description: "詳細", Statuses: map[string]string{"満席": "full"},
	}
	got := december(t, fileOf(t, os.DirFS("testdata"), "library.csv", m))
	want := []string{
		"12-03 10:00-11:30 おはなし会 | 児童室 | confirmed",
		"12-04 14:00-16:30 【大人向け】やさしいパソコン教室 | 研修室 | confirmed full",
		"2026-12-05 図書館まつり | 全館 | confirmed",
		"12-06 22:00-01:00 天体観測 | 屋上 | cancelled postponed",
		"3 of 7 items could not be read",
		`item 5: "2026年12月7日 午後" is no time that can be read`,
		"item 6 has no title",
		"item 7 ends before it starts",
	}
	lines := shown(got)
	for i, line := range lines { // whose middle has an id that is a sum
		if before, after, ok := strings.Cut(line, ": calendar: "); ok {
			lines[i] = before + after[strings.LastIndex(after, `"`)+1:]
		}
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
	if got.Events[0].Description != "絵本を読みます。\nお子さまと一緒にどうぞ。" || got.Events[0].ID == got.Events[1].ID {
		t.Errorf("event = %+v, want its two lines, and an id of its own", got.Events[0])
	}
}

func TestTimes(t *testing.T) {
	for _, tt := range []struct{ date, start, end, want string }{
		{"", "2026-12-01T10:00:00Z", "2026-12-01T11:00:00.500Z", "12-01 19:00-20:00"},
		{"", "2026-12-01T10:00+09:00", "", "12-01 10:00-11:00"},
		{"", "2026-12-01 10:00:00 +0900", "2026-12-02", "12-01 10:00-00:00"},
		{"", "2026.12.1 9:05", "9:45", "12-01 09:05-09:45"},
		{"", "２０２６年１２月１日　１９時", "２１時", "12-01 19:00-21:00"},
		{"", "20261201 1000", "", ""},
		{"20261201", "", "", "2026-12-01"},
		{"2026/12/1（火）", "１９：００", "", "12-01 19:00-20:00"},
		{"", "2026/12/1(Tue) 19:00", "", "12-01 19:00-20:00"},
		{"", "2026-12-01", "2026-12-03", "2026-12-01"},
		{"", "2026-12-03", "2026-12-01", ""},
		{"", "2026-12-01 10:00", "2026-12-01 09:00", ""},
		{"", "2026-02-30 10:00", "", ""},
		{"", "10:00", "", ""},
		{"", "1764500000", "", ""},
		{"2026-12-01", "25:00", "", ""},
	} {
		data, err := json.Marshal([]map[string]string{{"t": "x", "d": tt.date, "s": tt.start, "e": tt.end}})
		if err != nil {
			t.Fatal(err)
		}
		m := feed.Mapping{Title: "t", Date: "d", Start: "s", End: "e"}
		got := december(t, fileOf(t, fstest.MapFS{"a": {Data: data}}, "a", m))
		have := ""
		if len(got.Events) > 0 {
			have, _, _ = strings.Cut(shown(got)[0], " x |")
		}
		if have != tt.want {
			t.Errorf("%s %s until %s = %q (%v), want %q", tt.date, tt.start, tt.end, have, got.Problems, tt.want)
		}
	}
}

// What is no list of items is unavailable, with the reason; a few bad items are named, and many
// counted.
func TestBadFiles(t *testing.T) {
	m := feed.Mapping{Items: "events", Title: "title", Start: "start"}
	for content, want := range map[string]string{
		"":                         "it is empty",
		"<html>":                   "it is a page or XML",
		`{"events":{}}`:            "there is no list at mapping.items",
		`{"events":[`:              "it is no JSON",
		"a,b\n1,2\n":               `there is no column "title"; there are a, b`,
		`{"message":"no api key"}`: "there is no list",
	} {
		r := fileOf(t, fstest.MapFS{"a": {Data: []byte(content)}}, "a", m)
		first := civil.Date{Year: 2026, Month: 12, Day: 1}
		_, err := r.Events(t.Context(), civil.Days(first, first.AddDays(1), time.UTC))
		if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), want) {
			t.Errorf("Events of %q = %v, want ErrUnavailable: %s", content, err, want)
		}
	}
	rows := "title;start\nGood;2026-12-01 10:00\nGood;2026-12-01 10:00\n" + strings.Repeat("Bad;soon\n", 100) +
		"Short\n"
	got := december(t, fileOf(t, fstest.MapFS{"a": {Data: []byte(rows)}}, "a", m))
	if len(got.Events) != 1 || got.Complete || len(got.Problems) != 21 ||
		!strings.HasPrefix(got.Problems[0].Err.Error(), "102 of 103 items could not be read") {
		t.Errorf("Events = %d, %d problems, the first %v, want one event and 102 of 103", len(got.Events),
			len(got.Problems), got.Problems[0].Err)
	}
}

func TestMappings(t *testing.T) {
	for name, m := range map[string]feed.Mapping{
		"without title":           {Start: "s"},
		"without start":           {Title: "t"},
		"statuses without status": {Title: "t", Start: "s", Statuses: map[string]string{"a": "full"}},
		"an unknown status":       {Title: "t", Start: "s", Status: "x", Statuses: map[string]string{"a": "maybe"}},
	} {
		if _, err := feed.File(fstest.MapFS{}, "a", m, polled.Options{Now: clock}); !errors.Is(err,
			fault.ErrInvalid) {
			t.Errorf("File with a mapping %s = %v, want ErrInvalid", name, err)
		}
		if _, err := feed.URL("https://a.example/", m, polled.Options{Now: clock}); !errors.Is(err,
			fault.ErrInvalid) {
			t.Errorf("URL with a mapping %s = %v, want ErrInvalid", name, err)
		}
	}
}

// A feed at an address is asked with its key, again after a while, and only for changes.
func TestURL(t *testing.T) {
	data, err := os.ReadFile("testdata/connpass.json")
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("X-Api-Key")+" "+r.Header.Get("If-None-Match"))
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"1"`)
		_, _ = w.Write(data)
	}))
	defer server.Close()
	client, err := outbound.New(outbound.Options{
		OwnPort:  true,
		Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	if err != nil {
		t.Fatal(err)
	}
	now := clock()
	r, err := feed.URL(server.URL+"/v2/events/?keyword=go", connpass, polled.Options{
		CalendarID: "c", Now: func() time.Time { return now }, Client: client,
		Header: http.Header{"X-Api-Key": {"secret"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	for range 2 {
		if got := december(t, r); len(got.Events) != 3 || !got.AsOf.Equal(now) {
			t.Errorf("Events = %d as of %s, want three as of %s", len(got.Events), got.AsOf, now)
		}
		now = now.Add(6 * time.Minute)
	}
	if want := `[secret  secret "1"]`; fmt.Sprint(asked) != want {
		t.Errorf("asked with %v, want %s", asked, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"connpass.json", "library.csv"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("title\tstarted_at\n\"\xff\t2026-12-01\n"))
	f.Add([]byte(`{"events":[[],{"title":{},"started_at":1e999}]}`))
	first := civil.Date{Year: 2026, Month: 12, Day: 1}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := feed.File(fstest.MapFS{"a": {Data: data}}, "a", connpass, polled.Options{Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		got, err := r.Events(t.Context(), civil.Days(first, first.AddMonths(1), time.UTC))
		if err != nil && !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("Events = %v, want ErrUnavailable", err)
		}
		for _, e := range got.Events {
			if err := e.Check(); err != nil || e.ID == "" {
				t.Errorf("event %+v: %v", e, err)
			}
		}
	})
}
