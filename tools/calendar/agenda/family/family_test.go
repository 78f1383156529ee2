package family_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/agenda/family"
	"annai/tools/calendar/mem"
)

var (
	tokyo = zone("Asia/Tokyo")
	// monday is the clock of these tests.
	monday = time.Date(2026, 3, 2, 10, 7, 0, 0, tokyo)
)

func zone(name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return loc
}

func date(day int) civil.Date { return civil.Date{Year: 2026, Month: 3, Day: day} }

func timed(id, title string, day, hour, minutes int) calendar.Event {
	start := time.Date(2026, 3, day, hour, 0, 0, 0, tokyo)
	return calendar.Event{ID: id, Title: title, Start: start, End: start.Add(time.Duration(minutes) * time.Minute), TimeZone: "Asia/Tokyo"}
}

func march() []calendar.Event {
	cancelled := timed("off", "中止の会", 2, 15, 60)
	cancelled.Status = calendar.Cancelled
	meeting := timed("meet", "会議", 2, 14, 60)
	meeting.Location, meeting.Description, meeting.URL = "会議室A", "四半期", "https://example.org/meet"
	meeting.Updated = monday
	instance := timed("class20260304", "英会話", 4, 18, 60)
	instance.SeriesID = "class"
	second := timed("class20260311", "英会話", 11, 18, 60)
	second.SeriesID = "class"
	return []calendar.Event{
		meeting, cancelled, instance, second, timed("late", "夜行", 5, 23, 120),
		{ID: "trip", Title: "出張", AllDay: true, FirstDay: date(6), EndDay: date(8)},
	}
}

// A room is a registry of the calendar tools over a calendar of its own, for its owner.
type room struct {
	*tools.Registry
	own *mem.Calendar
}

func newRoom(t testing.TB, opts family.Options, more ...agenda.Calendar) room {
	t.Helper()
	own := mem.New("own", march()...)
	return room{Registry: over(t, opts, append([]agenda.Calendar{{ID: "own", Writer: own}}, more...)...), own: own}
}

func over(t testing.TB, opts family.Options, calendars ...agenda.Calendar) *tools.Registry {
	t.Helper()
	now := func() time.Time { return monday }
	a, err := agenda.New(calendars, agenda.Options{Location: tokyo, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	r := tools.New(now, tools.Options{Backoff: time.Nanosecond})
	if err := family.Register(r, a, opts); err != nil {
		t.Fatal(err)
	}
	return r
}

func owner(lang string) tools.Caller { return tools.Caller{Role: tools.Owner, Language: lang} }

// call calls a tool, or the family for "", and returns the answer as one line of JSON.
func call(t testing.TB, r *tools.Registry, caller tools.Caller, tool, in string) (string, error) {
	t.Helper()
	if tool == "" {
		got, err := r.CallFamily(t.Context(), caller, "calendar", json.RawMessage(in))
		return string(got), err
	}
	got, err := r.Call(t.Context(), caller, tool, json.RawMessage(in))
	return string(got), err
}

func line(text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return b.String()
}

func TestReads(t *testing.T) {
	r := newRoom(t, family.Options{})
	const (
		meeting = `{"title":"会議","start":"2026-03-02T14:00:00+09:00","end":"2026-03-02T15:00:00+09:00","location":"会議室A","description":"四半期","event_id":"meet"}`
		class   = `{"title":"英会話","start":"2026-03-04T18:00:00+09:00","end":"2026-03-04T19:00:00+09:00","location":"","event_id":"class20260304","series_id":"class"}`
		night   = `{"title":"夜行","start":"2026-03-05T23:00:00+09:00","end":"2026-03-06T01:00:00+09:00","location":"","event_id":"late"}`
		trip    = `{"title":"出張","start":"2026-03-06","end":"2026-03-07","location":"","event_id":"trip"}`
	)
	for _, tt := range []struct{ tool, lang, in, want string }{
		{"list_events", "ja", `{"date":"2026-03-02"}`, `{"success":true,"events":[` + meeting + `],"count":1,"message":"2026-03-02（月）の予定は1件です。"}`},
		{"list_events", "en", ``, `{"success":true,"events":[` + meeting + `],"count":1,"message":"There is 1 event on 2026-03-02 (Mon)."}`},
		{
			"list_events", "en", `{"date_from":"2026-03-04","date_to":"2026-03-06"}`,
			`{"success":true,"events":[` + class + `,` + night + `,` + trip + `],"count":3,"message":"There are 3 events from 2026-03-04 (Wed) to 2026-03-06 (Fri)."}`,
		},
		{"list_events", "ja", `{"date":"2026-03-07"}`, `{"success":true,"events":[` + trip + `],"count":1,"message":"2026-03-07（土）の予定は1件です。"}`},
		{"list_events", "ja", `{"date_from":"2026-03-08"}`, `{"success":true,"events":[],"count":0,"message":"2026-03-08（日）の予定はありません。"}`},
		{"list_events", "en", `{"date_from":"2026-03-08","date_to":"2026-03-09"}`, `{"success":true,"events":[],"count":0,"message":"There are no events from 2026-03-08 (Sun) to 2026-03-09 (Mon)."}`},

		{"check_availability", "ja", `{"date":"2026-03-03"}`, `{"success":true,"available":true,"busy_slots":[],"message":"2026-03-03（火）は空いています。"}`},
		{
			"check_availability", "ja", `{"date":"2026-03-02","time_from":"14:30","time_to":"16:00"}`,
			`{"success":true,"available":false,"busy_slots":[{"start":"2026-03-02T14:00:00+09:00","end":"2026-03-02T15:00:00+09:00","title":"会議"}],"message":"2026-03-02（月）の14:30〜16:00には予定が1件あります。"}`,
		},
		{"check_availability", "en", `{"date":"2026-03-02","time_from":"15:00"}`, `{"success":true,"available":true,"busy_slots":[],"message":"2026-03-02 (Mon), 15:00 to 24:00 is free."}`},
		{
			"check_availability", "ja", `{"date":"2026-03-07"}`,
			`{"success":true,"available":false,"busy_slots":[{"start":"2026-03-06","end":"2026-03-07","title":"出張"}],"message":"2026-03-07（土）には予定が1件あります。"}`,
		},
		{
			"check_availability", "en", `{"date_from":"2026-03-05","date_to":"2026-03-08"}`,
			`{"success":true,"busy_slots":[{"start":"2026-03-05T23:00:00+09:00","end":"2026-03-06T01:00:00+09:00","title":"夜行"},{"start":"2026-03-06","end":"2026-03-07","title":"出張"}],"free_days":["2026-03-08"],"message":"There is 1 free day: 2026-03-05 (Thu) to 2026-03-08 (Sun)."}`,
		},
		{
			"check_availability", "ja", `{"date_from":"2026-03-05","date_to":"2026-03-06","freeDayPolicy":"working_hours"}`,
			`{"success":true,"busy_slots":[{"start":"2026-03-05T23:00:00+09:00","end":"2026-03-06T01:00:00+09:00","title":"夜行"},{"start":"2026-03-06","end":"2026-03-07","title":"出張"}],"free_days":["2026-03-05"],"message":"2026-03-05（木）〜2026-03-06（金）で空いている日は1日あります。"}`,
		},
		{
			"check_availability", "ja", `{"date_from":"2026-03-06","date_to":"2026-03-07"}`,
			`{"success":true,"busy_slots":[{"start":"2026-03-05T23:00:00+09:00","end":"2026-03-06T01:00:00+09:00","title":"夜行"},{"start":"2026-03-06","end":"2026-03-07","title":"出張"}],"free_days":[],"message":"2026-03-06（金）〜2026-03-07（土）に空いている日はありません。"}`,
		},

		{
			"suggest_schedule", "ja", `{"date_from":"2026-03-02","date_to":"2026-03-03","duration_minutes":180}`,
			`{"success":true,"suggestions":[
				{"start":"2026-03-02T10:15:00+09:00","end":"2026-03-02T13:15:00+09:00","date":"2026-03-02"},
				{"start":"2026-03-02T15:00:00+09:00","end":"2026-03-02T18:00:00+09:00","date":"2026-03-02"},
				{"start":"2026-03-03T09:00:00+09:00","end":"2026-03-03T12:00:00+09:00","date":"2026-03-03"},
				{"start":"2026-03-03T12:00:00+09:00","end":"2026-03-03T15:00:00+09:00","date":"2026-03-03"},
				{"start":"2026-03-03T15:00:00+09:00","end":"2026-03-03T18:00:00+09:00","date":"2026-03-03"}],
				"count":5,"message":"2026-03-02（月）〜2026-03-03（火）の候補は5件です。"}`,
		},
		{
			"suggest_schedule", "en", `{"date_from":"2026-03-05","date_to":"2026-03-05","duration_minutes":240,"preferred_time_from":"19:00"}`,
			`{"success":true,"suggestions":[{"start":"2026-03-05T19:00:00+09:00","end":"2026-03-05T23:00:00+09:00","date":"2026-03-05"}],"count":1,"message":"There is 1 suggestion: 2026-03-05 (Thu)."}`,
		},
		{
			"suggest_schedule", "ja", `{"date_from":"2026-03-06","date_to":"2026-03-07","duration_minutes":30}`,
			`{"success":true,"suggestions":[],"count":0,"message":"2026-03-06（金）〜2026-03-07（土）に空いている時間は見つかりませんでした。"}`,
		},

		{
			"list_calendar_events", "ja", `{"timeMin":"2026-03-02T00:00:00+09:00","timeMax":"2026-03-03T00:00:00+09:00"}`,
			`[{"id":"meet","summary":"会議","start":"2026-03-02T14:00:00+09:00","end":"2026-03-02T15:00:00+09:00","location":"会議室A","description":"四半期","url":"https://example.org/meet"}]`,
		},
		{"list_calendar_events", "ja", `"{\"q\":\"nothing like it\"}"`, `"No events found matching your criteria."`},
		{"list_calendar_events", "en", `{"timeMin":"2026-03-09","timeMax":"2026-03-10"}`, `"No events found matching your criteria."`},

		{
			"calendar_read", "ja", `{"calendarId":"primary","timeMin":"2026-03-01T15:00:00Z","timeMax":"2026-03-02T15:00:00Z"}`,
			`{"events":[{"id":"meet","summary":"会議","start":{"dateTime":"2026-03-02T14:00:00+09:00","timeZone":"Asia/Tokyo"},"end":{"dateTime":"2026-03-02T15:00:00+09:00","timeZone":"Asia/Tokyo"},"location":"会議室A","description":"四半期"}]}`,
		},
		{
			"calendar_read", "ja", `{"calendarId":"own","timeMin":"2026-03-07T00:00:00+09:00","timeMax":"2026-03-08T00:00:00+09:00","singleEvents":true}`,
			`{"events":[{"id":"trip","summary":"出張","start":{"dateTime":"2026-03-06T00:00:00+09:00","timeZone":"Asia/Tokyo","date":"2026-03-06"},"end":{"dateTime":"2026-03-08T00:00:00+09:00","timeZone":"Asia/Tokyo","date":"2026-03-07"}}]}`,
		},
	} {
		got, err := call(t, r.Registry, owner(tt.lang), tt.tool, tt.in)
		if err != nil || got != line(tt.want) {
			t.Errorf("%s(%s) = %s, %v, want\n%s", tt.tool, tt.in, got, err, line(tt.want))
		}
	}
}

// ids lists the ids in an answer of list_calendar_events.
func ids(t *testing.T, r room, in string) []string {
	t.Helper()
	got, err := call(t, r.Registry, owner("en"), "list_calendar_events", in)
	if err != nil {
		t.Fatalf("list_calendar_events(%s) = %v", in, err)
	}
	var events []struct{ ID string }
	if err := json.Unmarshal([]byte(got), &events); err != nil {
		t.Fatalf("list_calendar_events(%s) = %s, want an array", in, got)
	}
	all := []string{}
	for _, e := range events {
		all = append(all, e.ID)
	}
	return all
}

func TestListCalendarEvents(t *testing.T) {
	r := newRoom(t, family.Options{})
	for in, want := range map[string][]string{
		``:                          {"meet", "class20260304", "late", "trip", "class20260311"},
		`{}`:                        {"meet", "class20260304", "late", "trip", "class20260311"},
		`""`:                        {"meet", "class20260304", "late", "trip", "class20260311"},
		`"{\"maxResults\":2}"`:      {"meet", "class20260304"},
		`{"maxResults":2.0}`:        {"meet", "class20260304"},
		`{"singleEvents":false}`:    {"meet", "class", "late", "trip"},
		`{"orderBy":"updated"}`:     {"class20260304", "late", "trip", "class20260311", "meet"},
		`{"q":"英会話"}`:               {"class20260304", "class20260311"},
		`{"q":"会議室 四半期"}`:           {"meet"},
		`{"timeMax":"2026-03-03"}`:  {"meet"},
		`{"timeMin":"2026-03-05Z"}`: nil,
	} {
		if want == nil {
			if _, err := call(t, r.Registry, owner("en"), "list_calendar_events", in); calendar.KindOf(err) != calendar.Invalid {
				t.Errorf("list_calendar_events(%s) = %v, want kind Invalid", in, err)
			}
			continue
		}
		if diff := cmp.Diff(want, ids(t, r, in)); diff != "" {
			t.Errorf("list_calendar_events(%s) (-want +got):\n%s", in, diff)
		}
	}
	for i := range 12 {
		if _, err := r.own.Create(t.Context(), timed("", fmt.Sprint(i), 20, 9, 30)); err != nil {
			t.Fatal(err)
		}
	}
	if got := ids(t, r, `{}`); len(got) != 10 {
		t.Errorf("list_calendar_events() = %d events, want 10", len(got))
	}
}

// event reads the event of an answer.
func event(t *testing.T, answer string, err error) (e struct {
	ID       string `json:"event_id"`
	Title    string `json:"title"`
	Start    string `json:"start"`
	End      string `json:"end"`
	Location string `json:"location"`
}, message string,
) {
	t.Helper()
	if err != nil {
		t.Fatalf("write = %v, want the event", err)
	}
	var out struct {
		Success bool            `json:"success"`
		Event   json.RawMessage `json:"event"`
		Message string          `json:"message"`
	}
	if err := json.Unmarshal([]byte(answer), &out); err != nil || !out.Success {
		t.Fatalf("write = %s, want success", answer)
	}
	if err := json.Unmarshal(out.Event, &e); err != nil {
		t.Fatal(err)
	}
	return e, out.Message
}

func TestCreateEvent(t *testing.T) {
	for _, tt := range []struct{ lang, in, start, end, message string }{
		{
			"ja", `{"title":"昼食","start":"2026-03-03T12:00:00+09:00","end":"2026-03-03T13:00:00+09:00"}`,
			"2026-03-03T12:00:00+09:00", "2026-03-03T13:00:00+09:00", "「昼食」を2026-03-03（火）12:00〜13:00に登録しました。",
		},
		{
			"en", `{"title":"Lunch","start":"2026-03-03T12:00"}`,
			"2026-03-03T12:00:00+09:00", "2026-03-03T13:00:00+09:00", `I added "Lunch": 2026-03-03 (Tue), 12:00 to 13:00.`,
		},
		{
			"ja", `{"title":"夜勤","start":"2026-03-03T13:00:00Z","end":"2026-03-03T20:00:00Z"}`,
			"2026-03-03T22:00:00+09:00", "2026-03-04T05:00:00+09:00", "「夜勤」を2026-03-03（火）22:00〜2026-03-04（水）05:00に登録しました。",
		},
		{"ja", `{"title":"休み","start":"2026-03-03"}`, "2026-03-03", "2026-03-03", "「休み」を2026-03-03（火）に登録しました。"},
		{
			"en", `{"title":"Off","start":"2026-03-03","end":"2026-03-05"}`, "2026-03-03", "2026-03-05",
			`I added "Off": 2026-03-03 (Tue) to 2026-03-05 (Thu).`,
		},
	} {
		r := newRoom(t, family.Options{})
		answer, err := call(t, r.Registry, owner(tt.lang), "create_event", tt.in)
		e, message := event(t, answer, err)
		if e.Start != tt.start || e.End != tt.end || message != tt.message {
			t.Errorf("create_event(%s) = %s, want from %s to %s, %q", tt.in, answer, tt.start, tt.end, tt.message)
		}
		kept, err := r.own.Get(t.Context(), e.ID)
		if err != nil || kept.AllDay != (len(tt.start) == len("2026-03-03")) {
			t.Errorf("create_event(%s) wrote %+v, %v, want the event", tt.in, kept, err)
		}
	}
}

func TestUpdateEvent(t *testing.T) {
	for _, tt := range []struct{ in, title, start, end, location, message string }{
		{
			`{"event_id":"meet","start":"2026-03-02T15:00:00+09:00"}`, "会議", "2026-03-02T15:00:00+09:00", "2026-03-02T16:00:00+09:00", "会議室A",
			"予定を変更しました。「会議」2026-03-02（月）15:00〜16:00",
		},
		{`{"event_id":"meet","end":"2026-03-02T15:30:00+09:00"}`, "会議", "2026-03-02T14:00:00+09:00", "2026-03-02T15:30:00+09:00", "会議室A", ""},
		{`{"event_id":"meet","title":"大会議","location":""}`, "大会議", "2026-03-02T14:00:00+09:00", "2026-03-02T15:00:00+09:00", "", ""},
		{`{"event_id":"meet","start":"2026-03-03"}`, "会議", "2026-03-03", "2026-03-03", "会議室A", ""},
		{`{"event_id":"trip","start":"2026-03-09"}`, "出張", "2026-03-09", "2026-03-10", "", ""},
		{`{"event_id":"trip","end":"2026-03-09"}`, "出張", "2026-03-06", "2026-03-09", "", ""},
		{`{"event_id":"trip","start":"2026-03-09T09:00"}`, "出張", "2026-03-09T09:00:00+09:00", "2026-03-09T10:00:00+09:00", "", ""},
	} {
		r := newRoom(t, family.Options{})
		answer, err := call(t, r.Registry, owner("ja"), "update_event", tt.in)
		e, message := event(t, answer, err)
		want := []string{tt.title, tt.start, tt.end, tt.location}
		if diff := cmp.Diff(want, []string{e.Title, e.Start, e.End, e.Location}); diff != "" || tt.message != "" && message != tt.message {
			t.Errorf("update_event(%s) = %s, want %v, %q", tt.in, answer, want, tt.message)
		}
	}
}

func TestDeleteEvent(t *testing.T) {
	r := newRoom(t, family.Options{})
	for _, tt := range []struct{ lang, want string }{
		{"ja", `{"success":true,"message":"「会議」を削除しました。"}`},
		{"ja", `{"success":true,"message":"すでに削除されています。"}`},
		{"en", `{"success":true,"message":"Already deleted."}`},
	} {
		if got, err := call(t, r.Registry, owner(tt.lang), "delete_event", `{"event_id":"meet"}`); err != nil || got != tt.want {
			t.Errorf("delete_event = %s, %v, want %s", got, err, tt.want)
		}
	}
}

func TestWritesTheOtherWays(t *testing.T) {
	r := newRoom(t, family.Options{AttendeeDomains: []string{"example.com"}})
	const in = `{"summary":"Team Meeting","startDateTime":"2026-08-15T10:00:00-07:00","endDateTime":"2026-08-15T11:00:00-07:00",` +
		`"timeZone":"America/Los_Angeles","attendees":["user1@example.com"],"location":"Room 3","idempotency_key":"k1"}`
	quoted, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	id := agenda.KeyFor("key", "create_calendar_event", "k1")
	want := fmt.Sprintf("%q", "Event created successfully: Team Meeting (ID: "+id+")")
	for _, input := range []string{in, string(quoted)} {
		if got, err := call(t, r.Registry, owner("ja"), "create_calendar_event", input); err != nil || got != want {
			t.Errorf("create_calendar_event(%s) = %s, %v, want %s", input, got, err, want)
		}
	}
	made, err := r.own.Get(t.Context(), id)
	if err != nil || made.TimeZone != "America/Los_Angeles" || made.Start.UTC().Hour() != 17 || len(made.Attendees) != 1 {
		t.Errorf("create_calendar_event wrote %+v, %v, want it in Los Angeles with its guest", made, err)
	}
	got, err := call(t, r.Registry, owner("ja"), "calendar_write",
		`{"calendarId":"primary","event":{"summary":"Call","start":{"dateTime":"2026-03-03T09:00:00","timeZone":"America/New_York"},"reminders":{"useDefault":true}},"idempotency_key":"k2"}`)
	id = agenda.KeyFor("key", "calendar_write", "k2")
	if want := `{"id":"` + id + `","htmlLink":"","created":"2026-03-02T01:07:00Z"}`; err != nil || got != want {
		t.Errorf("calendar_write = %s, %v, want %s", got, err, want)
	}
	made, err = r.own.Get(t.Context(), id)
	if err != nil || !made.Start.Equal(time.Date(2026, 3, 3, 14, 0, 0, 0, time.UTC)) || !made.End.Equal(made.Start.Add(time.Hour)) {
		t.Errorf("calendar_write wrote %+v, %v, want an hour from nine in New York", made, err)
	}
}

// count returns how many events the calendar has in a year from March on.
func count(t *testing.T, c *mem.Calendar) int {
	t.Helper()
	listing, err := c.Events(t.Context(), civil.Days(date(1), date(1).AddMonths(12), tokyo))
	if err != nil {
		t.Fatal(err)
	}
	return len(listing.Events)
}

// TestBadInput has a row for each thing that people and models get wrong. Nothing is ever written.
func TestBadInput(t *testing.T) {
	const date, text, found = calendar.Invalid, calendar.InvalidText, calendar.NotFound
	long := strings.Repeat("長", 10_000)
	foreign := agenda.Calendar{ID: "feed", Reader: mem.New("feed", timed("foreign", "公開の会", 2, 10, 60))}
	type words struct{ ja, en string }
	of := func(k calendar.Kind) words { return words{k.Message("ja"), k.Message("en")} }
	year := words{"一度に調べられる期間は366日までです。", "I can look at no more than 366 days at once."}
	confirm := words{
		"event_id だけでは削除しません。削除する場合は confirm を true にしてください。",
		"An event_id alone deletes nothing. To delete the event, set confirm to true.",
	}
	// How a field must be: in Japanese, in English, where %s is another field.
	type shape struct{ ja, en string }
	day := shape{"2026-03-01 のようにご指定ください。", "Please give it like 2026-03-01."}
	moment := shape{"2026-03-01T14:00（終日なら 2026-03-01）のようにご指定ください。", "Please give it like 2026-03-01T14:00, or 2026-03-01 for a whole day."}
	clock := shape{"09:30 のようにご指定ください。", "Please give it like 09:30."}
	zone := shape{"Asia/Tokyo のような名前でご指定ください。", "Please give a name like Asia/Tokyo."}
	alone := shape{"期間（date_from, date_to）と一緒には指定できません。", "It can't stand beside date_from and date_to."}
	after := shape{"「%s」より後にしてください。", `It must be after "%s".`}
	notBefore := shape{"「%s」以降にしてください。", `It must not be before "%s".`}
	like := shape{"「%s」と同じく、日付か日時のどちらかに揃えてください。", `It must be a date or a time, as "%s" is.`}
	at := func(field string, s shape, other string) words {
		w := of(date)
		w.ja += "「" + field + "」は、" + strings.ReplaceAll(s.ja, "%s", other)
		w.en += ` The field is "` + field + `". ` + strings.ReplaceAll(s.en, "%s", other)
		return w
	}
	for _, tt := range []struct {
		tool, in string
		want     words
	}{
		// Dates.
		{"list_events", `{"date":"2026-3-2"}`, at("date", day, "")},
		{"list_events", `{"date":"明日"}`, at("date", day, "")},
		{"list_events", `{"date":"2026-02-29"}`, at("date", day, "")},
		{"list_events", `{"date":"0000-01-01"}`, at("date", day, "")},
		{"list_events", `{"date":"2026-03-02T10:00:00Z"}`, at("date", day, "")},
		{"list_events", `{"date":"2026-03-02","date_from":"2026-03-01"}`, at("date", alone, "")},
		{"list_events", `{"date_from":"2026-03-03","date_to":"2026-03-02"}`, at("date_to", notBefore, "date_from")},
		{"list_events", `{"date_from":"2026-03-03","date_to":"2027-03-04"}`, year},
		{"check_availability", `{"date_from":"2026-03-03","date_to":"2026-03-02"}`, at("date_to", notBefore, "date_from")},
		{"check_availability", `{"date_from":"2026-03-03","date_to":"2028-03-02"}`, year},
		{"check_availability", `{"date":"2026-03-02","time_from":"25:00"}`, at("time_from", clock, "")},
		{"check_availability", `{"date":"2026-03-02","time_from":"9時"}`, at("time_from", clock, "")},
		{"check_availability", `{"date":"2026-03-02","time_from":"15:00","time_to":"14:00"}`, at("time_to", after, "time_from")},
		{"check_availability", `{"date":"2026-03-02","time_from":"15:00","time_to":"15:00"}`, at("time_to", after, "time_from")},
		{"suggest_schedule", `{"date_from":"2026-03-03","date_to":"2026-03-02","duration_minutes":30}`, at("date_to", notBefore, "date_from")},
		{"suggest_schedule", `{"date_from":"","date_to":"","duration_minutes":30}`, at("date_from", day, "")},
		{"suggest_schedule", `{"date_from":"2026-03-02","date_to":"2026-03-03","duration_minutes":30,"preferred_time_from":"18:00","preferred_time_to":"09:00"}`, at("preferred_time_to", after, "preferred_time_from")},
		{"create_event", `{"title":"会議","start":"2026-03-03T25:00"}`, at("start", moment, "")},
		{"create_event", `{"title":"会議","start":"2026/03/03 14:00"}`, at("start", moment, "")},
		{"create_event", `{"title":"会議","start":""}`, at("start", moment, "")},
		{"create_event", `{"title":"会議","start":"2026-03-03T14:00","end":"2026-03-03T13:00"}`, at("end", after, "start")},
		{"create_event", `{"title":"会議","start":"2026-03-03","end":"2026-03-02"}`, at("end", after, "start")},
		{"create_event", `{"title":"会議","start":"2026-03-03","end":"2026-03-03T15:00"}`, at("end", like, "start")},
		{"update_event", `{"event_id":"meet","end":"2026-03-02T13:00"}`, at("end", after, "start")},
		{"update_event", `{"event_id":"meet","end":"2026-03-02"}`, at("end", like, "start")},
		{"update_event", `{"event_id":"meet","start":"tomorrow"}`, at("start", moment, "")},
		{"create_calendar_event", `{"summary":"a","startDateTime":"2026-03-03T14:00","endDateTime":""}`, at("endDateTime", moment, "")},
		{"create_calendar_event", `{"summary":"a","startDateTime":"x","endDateTime":"2026-03-03T14:00"}`, at("startDateTime", moment, "")},
		{"list_calendar_events", `{"timeMin":"2026-03-03","timeMax":"2026-03-02"}`, at("timeMax", after, "timeMin")},
		{"list_calendar_events", `{"timeMin":"2026-03-03","timeMax":"2036-03-02"}`, words{"一度に調べられる期間は1825日までです。", "I can look at no more than 1825 days at once."}},
		{"calendar_read", `{"calendarId":"primary","timeMin":"","timeMax":"2026-03-02"}`, at("timeMin", moment, "")},
		{"calendar_read", `{"calendarId":"primary","timeMin":"2026-03-02","timeMax":"2026-03-02"}`, at("timeMax", after, "timeMin")},
		{"calendar_write", `{"calendarId":"primary","event":{"summary":"a","start":{"dateTime":"noon","timeZone":"Asia/Tokyo"}}}`, at("event.start.dateTime", moment, "")},
		// Zones.
		{"create_calendar_event", `{"summary":"a","startDateTime":"2026-03-03T14:00","endDateTime":"2026-03-03T15:00","timeZone":"Mars/Olympus"}`, at("timeZone", zone, "")},
		{"create_calendar_event", `{"summary":"a","startDateTime":"2026-03-03T14:00","endDateTime":"2026-03-03T15:00","timeZone":"../etc/passwd"}`, at("timeZone", zone, "")},
		{"calendar_write", `{"calendarId":"primary","event":{"summary":"a","start":{"dateTime":"2026-03-03T14:00","timeZone":"Local"}}}`, at("event.start.timeZone", zone, "")},
		// Texts.
		{"create_event", `{"title":"` + long + `","start":"2026-03-03"}`, of(text)},
		{"create_event", `{"title":" ","start":"2026-03-03"}`, of(text)},
		{"create_event", `{"title":"a\u0007b","start":"2026-03-03"}`, of(text)},
		{"create_event", `{"title":"a","start":"2026-03-03","location":"a\u0000"}`, of(text)},
		{"update_event", `{"event_id":"meet","title":"` + long + `"}`, of(text)},
		{"update_event", `{"event_id":"meet","title":""}`, of(text)},
		{"update_event", `{"event_id":"meet","description":"\u001b[31m"}`, of(text)},
		{"create_calendar_event", `{"summary":"` + long + `","startDateTime":"2026-03-03T14:00","endDateTime":"2026-03-03T15:00"}`, of(text)},
		{"calendar_write", `{"calendarId":"primary","event":{"summary":"\n","start":{"dateTime":"2026-03-03T14:00","timeZone":"Asia/Tokyo"}}}`, of(text)},
		// Ids.
		{"update_event", `{"event_id":"nobody","title":"a"}`, of(found)},
		{"update_event", `{"event_id":"","title":"a"}`, of(found)},
		{"update_event", `{"event_id":"foreign","title":"a"}`, of(found)},
		{"delete_event", `{"event_id":"foreign"}`, of(found)},
		{"delete_event", `{"event_id":"a\u0000\n/../b"}`, of(found)},
		{"calendar_read", `{"calendarId":"nobody","timeMin":"2026-03-02","timeMax":"2026-03-03"}`, of(calendar.NoCalendar)},
		{"calendar_write", `{"calendarId":"nobody","event":{"summary":"a","start":{"dateTime":"2026-03-03T14:00","timeZone":"Asia/Tokyo"}}}`, of(calendar.NoCalendar)},
		{"calendar_write", `{"calendarId":"feed","event":{"summary":"a","start":{"dateTime":"2026-03-03T14:00","timeZone":"Asia/Tokyo"}}}`, of(calendar.Forbidden)},
		// Fields.
		{"create_event", `{"title":"a","start":"2026-03-03","colour":"red"}`, words{"「colour」という項目はありません。", `There is no field "colour".`}},
		{"create_event", `{"start":"2026-03-03"}`, words{"「title」が必要です。", `The field "title" is required.`}},
		{"create_event", `{"title":7,"start":"2026-03-03"}`, words{"「title」は文字列で指定してください。", `"title" must be a string.`}},
		{"update_event", `{"event_id":"meet"}`, words{"変更する内容がありません。", "There is nothing to change."}},
		{"suggest_schedule", `{"date_from":"2026-03-02","date_to":"2026-03-03","duration_minutes":0}`, words{"「duration_minutes」は 1 から 1440 までの数で指定してください。", `"duration_minutes" must be from 1 to 1440.`}},
		{"check_availability", `{"date":"2026-03-02","freeDayPolicy":"whenever"}`, words{"「freeDayPolicy」は any_event, working_hours のどれかで指定してください。", `"freeDayPolicy" must be one of any_event, working_hours.`}},
		{"calendar_write", `{"calendarId":"primary","event":{"summary":"a","start":{"dateTime":"2026-03-03T14:00"}}}`, words{"「event.start.timeZone」が必要です。", `The field "event.start.timeZone" is required.`}},
		{"list_calendar_events", `"{"`, words{"入力を JSON として読めません。", "The input is not valid JSON."}},
		// Guests.
		{"create_calendar_event", `{"summary":"a","startDateTime":"2026-03-03T14:00","endDateTime":"2026-03-03T15:00","attendees":["a@example.com"]}`, words{"この宛先への招待は許可されていません。予定は登録していません。", "Inviting this address is not allowed. Nothing was added."}},
		{"create_calendar_event", `{"summary":"a","startDateTime":"2026-03-03T14:00","endDateTime":"2026-03-03T15:00","attendees":["a@@x"]}`, words{"メールアドレスの形式が正しくありません。", "That is not a valid mail address."}},
		// The family.
		{"", `{"event_id":"meet"}`, confirm},
		{"", `{"event_id":"meet","confirm":false}`, confirm},
		{"", `{"event_id":"meet","confirm":"true"}`, confirm},
		{"", `{"event_id":"meet","title":null,"start":null}`, confirm},
		{"", `{"event_id":"meet","date":"2026-03-02"}`, words{"「date」という項目はありません。", `There is no field "date".`}},
		{"", `{"event_id":"nobody","confirm":true}`, of(found)},
		{"", `{"confirm":true}`, words{"「confirm」という項目はありません。", `There is no field "confirm".`}},
		{"", `{"title":"a"}`, words{"「start」が必要です。", `The field "start" is required.`}},
		{"", `{"date":"2026-13-02"}`, at("date", day, "")},
		{"", `[]`, words{"「入力」はオブジェクトで指定してください。", `"input" must be an object.`}},
	} {
		r := newRoom(t, family.Options{}, foreign)
		_, err := call(t, r.Registry, owner("ja"), tt.tool, tt.in)
		if err == nil {
			t.Errorf("%s(%.100s) = nil, want %q", tt.tool, tt.in, tt.want.ja)
			continue
		}
		if diff := cmp.Diff(tt.want, words{tools.Message(err, "ja"), tools.Message(err, "en")}, cmp.AllowUnexported(words{})); diff != "" {
			t.Errorf("%s(%.100s) = %v (-want +got):\n%s", tt.tool, tt.in, err, diff)
		}
		kept, getErr := r.own.Get(t.Context(), "meet")
		if count(t, r.own) != len(march()) || getErr != nil || kept.ETag != "1" {
			t.Errorf("%s(%.100s) wrote something", tt.tool, tt.in)
		}
	}
}

func TestFamily(t *testing.T) {
	r := newRoom(t, family.Options{})
	for _, tt := range []struct{ in, want string }{
		{``, `"count":1`},
		{`{"date":"2026-03-06"}`, `"count":2`},
		{`{"date":"2026-03-02","time_from":"10:00"}`, `"busy_slots"`},
		{`{"date_from":"2026-03-02","date_to":"2026-03-03","freeDayPolicy":"any_event"}`, `"free_days"`},
		{`{"date_from":"2026-03-02","date_to":"2026-03-03","duration_minutes":30}`, `"suggestions"`},
		{`{"title":"a","start":"2026-03-03"}`, "登録しました"},
		{`{"event_id":"meet","title":"b"}`, "変更しました"},
		{`{"event_id":"meet","confirm":true}`, "「b」を削除しました。"},
	} {
		if got, err := call(t, r.Registry, owner("ja"), "", tt.in); err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("CallFamily(%s) = %s, %v, want %s in it", tt.in, got, err, tt.want)
		}
	}
	for _, in := range []string{`{"event_id":"trip"}`, `{"event_id":"trip","confirm":true}`, `{}`} {
		_, err := call(t, r.Registry, tools.Caller{Role: tools.Visitor}, "", in)
		if !errors.Is(err, fault.ErrDenied) {
			t.Errorf("CallFamily(%s) by a visitor = %v, want ErrDenied", in, err)
		}
	}
}

func TestVisitorsMayNothing(t *testing.T) {
	r := newRoom(t, family.Options{})
	for _, d := range r.Offered(owner("ja")) {
		_, err := call(t, r.Registry, tools.Caller{Role: tools.Visitor, Language: "ja"}, d.Name, `{}`)
		if !errors.Is(err, fault.ErrDenied) || tools.Message(err, "ja") != "申し訳ありませんが、この操作はカレンダーの持ち主だけができます。" {
			t.Errorf("%s by a visitor = %v, want that only the owner can", d.Name, err)
		}
	}
	if got := r.Offered(tools.Caller{Role: tools.Visitor}); got != nil {
		t.Errorf("Offered to a visitor = %+v, want none", got)
	}
}

// A calendar that cannot be read may hold anything.
func TestDegradedReads(t *testing.T) {
	down := agenda.Calendar{ID: "down", Reader: mem.Broken{}}
	half := newRoom(t, family.Options{}, down).Registry
	none := over(t, family.Options{}, down)
	unavailable := calendar.Unavailable.Message("ja")
	for _, tt := range []struct {
		tool, in   string
		half, none string // what is in the answer with one of two calendars, and with none; "" is a failure
	}{
		{"list_events", `{"date":"2026-03-02"}`, `"degraded":true,"message":"2026-03-02（月）の予定は1件です。読めないカレンダーがあるため、ほかにも予定があるかもしれません。"`, ""},
		{"list_events", `{"date":"2026-03-03"}`, `"degraded":true,"message":"読めないカレンダーがあるため、予定があるかどうか分かりません。"`, ""},
		{"list_events", `{"date_from":"2026-03-08","date_to":"2026-03-09"}`, `"degraded":true,"message":"読めないカレンダーがあるため、予定があるかどうか分かりません。"`, ""},
		{"check_availability", `{"date":"2026-03-03"}`, `{"success":true,"busy_slots":[],"degraded":true,"message":"読めないカレンダーがあるため、空いているかどうか分かりません。"}`, ""},
		{"check_availability", `{"date_from":"2026-03-08","date_to":"2026-03-09"}`, `"free_days":[],"degraded":true`, ""},
		{"suggest_schedule", `{"date_from":"2026-03-02","date_to":"2026-03-03","duration_minutes":30}`, `"suggestions":[],"count":0,"degraded":true`, ""},
		{"list_calendar_events", `{}`, "", ""},
		{
			"calendar_read", `{"calendarId":"down","timeMin":"2026-03-02","timeMax":"2026-03-03"}`,
			`{"events":[],"degraded":true,"error":"` + unavailable + `"}`, `{"events":[],"degraded":true,"error":"` + unavailable + `"}`,
		},
	} {
		for r, want := range map[*tools.Registry]string{half: tt.half, none: tt.none} {
			got, err := call(t, r, owner("ja"), tt.tool, tt.in)
			switch {
			case want == "" && (!errors.Is(err, fault.ErrUnavailable) || tools.Message(err, "ja") == ""):
				t.Errorf("%s(%s) = %s, %v, want ErrUnavailable", tt.tool, tt.in, got, err)
			case want != "" && (err != nil || !strings.Contains(got, want)):
				t.Errorf("%s(%s) = %s, %v, want %s in it", tt.tool, tt.in, got, err, want)
			}
		}
	}
}

func TestUnoffered(t *testing.T) {
	for _, tt := range []struct {
		name         string
		calendars    []agenda.Calendar
		opts         family.Options
		offered, off int
		why          string
	}{
		{"all", []agenda.Calendar{{ID: "own", Writer: mem.New("own")}}, family.Options{}, 10, 0, ""},
		{"read only", []agenda.Calendar{{ID: "feed", Reader: mem.New("feed")}}, family.Options{}, 5, 5, "no calendar of the owner can be written to"},
		{"no scope", []agenda.Calendar{{ID: "own", Writer: mem.New("own")}}, family.Options{ReadOnly: "not granted"}, 5, 5, "not granted"},
		{"signed out", []agenda.Calendar{{ID: "own", Writer: mem.New("own")}}, family.Options{Off: "signed out"}, 0, 10, "signed out"},
	} {
		r := over(t, tt.opts, tt.calendars...)
		absent := r.Unoffered()
		if len(r.Offered(owner("ja"))) != tt.offered || len(absent) != tt.off || tt.off > 0 && absent[0].Why != tt.why {
			t.Errorf("%s: offered %d, absent %+v, want %d and %d because %q", tt.name, len(r.Offered(owner("ja"))), absent, tt.offered, tt.off, tt.why)
		}
	}
	r := tools.New(time.Now, tools.Options{})
	if err := family.Register(r, nil, family.Options{}); err != nil || len(r.Unoffered()) != 10 {
		t.Errorf("Register(no agenda) = %v, absent %v, want all absent", err, r.Unoffered())
	}
	if _, err := call(t, r, owner("en"), "list_events", `{}`); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("list_events without a calendar = %v, want ErrNotFound", err)
	}
}

// flaky is a calendar whose writes are done and then lose their answer, or fail, so many times.
type flaky struct {
	*mem.Calendar
	fails map[string]int
	err   error
	done  bool
	tries map[string]int
}

func (f *flaky) attempt(name string, do func() error) error {
	f.tries[name]++
	if f.tries[name] > f.fails[name] {
		return do()
	}
	if f.done {
		_ = do()
	}
	return f.err
}

func (f *flaky) Create(ctx context.Context, e calendar.Event) (made calendar.Event, err error) {
	err = f.attempt("create", func() (err error) { made, err = f.Calendar.Create(ctx, e); return err })
	return made, err
}

func (f *flaky) Update(ctx context.Context, id string, c calendar.Change, etag string) (e calendar.Event, err error) {
	err = f.attempt("update", func() (err error) { e, err = f.Calendar.Update(ctx, id, c, etag); return err })
	return e, err
}

func (f *flaky) Delete(ctx context.Context, id, etag string) error {
	return f.attempt("delete", func() error { return f.Calendar.Delete(ctx, id, etag) })
}

// Lost answers are tried again, and nothing is written twice or told wrongly.
func TestWritesThatLoseTheirAnswer(t *testing.T) {
	for _, tt := range []struct {
		tool, in, name string
		kind           calendar.Kind
	}{
		{"create_event", `{"title":"a","start":"2026-03-03"}`, "create", calendar.Ambiguous},
		{"create_calendar_event", `{"summary":"a","startDateTime":"2026-03-03T14:00","endDateTime":"2026-03-03T15:00"}`, "create", calendar.Ambiguous},
		{"calendar_write", `{"calendarId":"primary","event":{"summary":"a","start":{"dateTime":"2026-03-03T14:00","timeZone":"UTC"}}}`, "create", calendar.Ambiguous},
		{"update_event", `{"event_id":"meet","title":"b"}`, "update", calendar.Unavailable},
		{"delete_event", `{"event_id":"meet"}`, "delete", calendar.Unavailable},
	} {
		for _, done := range []bool{false, true} {
			for _, fails := range []int{1, 2, 3} {
				f := &flaky{
					Calendar: mem.New("own", march()...), fails: map[string]int{tt.name: fails}, tries: map[string]int{},
					err: &calendar.Failure{Kind: tt.kind}, done: done,
				}
				r := over(t, family.Options{}, agenda.Calendar{ID: "own", Writer: f})
				got, err := call(t, r, owner("en"), tt.tool, tt.in)
				// What was done to an existing event is seen by reading it; a creation only by trying it again.
				seen := done && tt.name == "delete" && fails > 0
				if wantFailure := fails > 2 && !seen; (err != nil) != wantFailure || wantFailure && calendar.KindOf(err) != tt.kind {
					t.Errorf("%s, done %v, with %d answers lost = %s, %v, want failure %v", tt.tool, done, fails, got, err, wantFailure)
				}
				want := len(march())
				switch {
				case tt.name == "create" && (done || fails <= 2):
					want++
				case tt.name == "delete" && (done || fails <= 2):
					want--
				}
				if n := count(t, f.Calendar); n != want {
					t.Errorf("%s, done %v, with %d answers lost: %d events, want %d", tt.tool, done, fails, n, want)
				}
			}
		}
	}
}

// The same request sent many times at once is one event, and every answer says so.
func TestTheSameRequestAtOnce(t *testing.T) {
	r := newRoom(t, family.Options{})
	caller := owner("ja")
	caller.RequestID = "r1"
	answers := make([]string, 8)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			answer, err := call(t, r.Registry, caller, "create_event", `{"title":"a","start":"2026-03-03"}`)
			if err != nil {
				t.Errorf("create_event = %v, want the event", err)
			}
			answers[i] = answer
		})
	}
	all.Wait()
	if n := count(t, r.own); n != len(march())+1 {
		t.Errorf("%d events, want one more than %d", n, len(march()))
	}
	if diff := cmp.Diff(slices.Repeat([]string{answers[0]}, len(answers)), answers); diff != "" {
		t.Errorf("answers (-first +all):\n%s", diff)
	}
}

func TestWhatIsNotTriedAgain(t *testing.T) {
	for kind, tries := range map[calendar.Kind]int{
		calendar.Quota: 1, calendar.Forbidden: 1, calendar.Auth: 1, calendar.Scope: 1, calendar.Exists: 1, calendar.Gone: 1,
		calendar.RateLimited: 3, calendar.Unavailable: 3, calendar.Ambiguous: 3,
	} {
		f := &flaky{Calendar: mem.New("own"), fails: map[string]int{"create": 9}, tries: map[string]int{}, err: &calendar.Failure{Kind: kind}}
		r := over(t, family.Options{}, agenda.Calendar{ID: "own", Writer: f})
		_, err := call(t, r, owner("en"), "create_event", `{"title":"a","start":"2026-03-03"}`)
		if calendar.KindOf(err) != kind || f.tries["create"] != tries {
			t.Errorf("create_event with %s = %v after %d tries, want %d", kind, err, f.tries["create"], tries)
		}
	}
}

// hanging is a calendar that never answers.
type hanging struct{ mem.Broken }

func (hanging) Get(ctx context.Context, _ string) (calendar.Event, error) {
	return calendar.Event{}, hung(ctx)
}

func (hanging) Create(ctx context.Context, _ calendar.Event) (calendar.Event, error) {
	return calendar.Event{}, hung(ctx)
}

func (hanging) Update(ctx context.Context, _ string, _ calendar.Change, _ string) (calendar.Event, error) {
	return calendar.Event{}, hung(ctx)
}

func (hanging) Delete(ctx context.Context, _, _ string) error { return hung(ctx) }

func hung(ctx context.Context) error {
	<-ctx.Done()
	return &calendar.Failure{Kind: calendar.Unavailable, Err: ctx.Err()}
}

// The time limits and tries of calendar_read and calendar_write are those of their specification.
func TestTimeLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := over(t, family.Options{}, agenda.Calendar{ID: "own", Writer: hanging{mem.Broken{Hang: true}}})
		began := time.Now()
		got, err := call(t, r, owner("en"), "calendar_read", `{"calendarId":"primary","timeMin":"2026-03-02","timeMax":"2026-03-03"}`)
		if took := time.Since(began).Round(time.Second); err != nil || !strings.Contains(got, `"events":[],"degraded":true`) || took != 10*time.Second {
			t.Errorf("calendar_read = %s, %v after %s, want it degraded after two times five seconds", got, err, took)
		}
		began = time.Now()
		_, err = call(t, r, owner("en"), "calendar_write", `{"calendarId":"primary","event":{"summary":"a","start":{"dateTime":"2026-03-03T14:00","timeZone":"UTC"}}}`)
		if took := time.Since(began).Round(time.Second); !errors.Is(err, fault.ErrUnavailable) || took != 30*time.Second {
			t.Errorf("calendar_write = %v after %s, want ErrUnavailable after three times ten seconds", err, took)
		}
	})
}

// FuzzFamily checks that whatever is asked, nothing panics, every failure has words, and nothing is deleted without confirm.
func FuzzFamily(f *testing.F) {
	for _, seed := range []string{
		`{"date":"2026-03-02"}`, `{"event_id":"meet"}`, `{"event_id":"meet","title":"x"}`, `{"title":"a","start":"2026-03-03T14:00"}`,
		`{"date_from":"2026-03-02","date_to":"2026-03-08","duration_minutes":45,"preferred_time_from":"07:00"}`,
		`{"date":"2026-03-02","time_from":"10:00","time_to":"11:30"}`, `{"title":"a","start":"9999-12-31","end":"9999-12-31"}`, `{"date":"9999-12-31"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		r := newRoom(t, family.Options{})
		got, err := call(t, r.Registry, owner("ja"), "", in)
		switch {
		case err == nil && !json.Valid([]byte(got)):
			t.Errorf("CallFamily(%q) = %q, want JSON", in, got)
		case err != nil && (!errors.Is(err, fault.ErrInvalid) && !errors.Is(err, fault.ErrNotFound) || tools.Message(err, "ja") == ""):
			t.Errorf("CallFamily(%q) = %v, want a failure of the caller with words", in, err)
		}
		for _, e := range march() {
			if _, err := r.own.Get(t.Context(), e.ID); err != nil && !strings.Contains(in, "confirm") {
				t.Errorf("CallFamily(%q) removed %s: %v", in, e.ID, err)
			}
		}
	})
}
