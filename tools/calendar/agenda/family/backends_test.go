package family_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/agenda/family"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/emulator"
	"annai/tools/calendar/local"
	"annai/tools/calendar/mem"
)

// token is an access token of an emulated account.
type token string

func (t token) Token(context.Context, string) (string, error) { return string(t), nil }

func now() time.Time { return monday }

// TestBackEnds takes one owner through all tools, on every calendar that can be written to.
func TestBackEnds(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) calendar.Writer{
		"mem": func(*testing.T) calendar.Writer { return mem.New("own") },
		"local": func(t *testing.T) calendar.Writer {
			c, err := local.Open(t.Context(), "", local.Options{CalendarID: "own", Now: now})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			return c
		},
		"google": func(t *testing.T) calendar.Writer {
			e := emulator.New(emulator.Options{Now: now})
			server := httptest.NewServer(e)
			t.Cleanup(server.Close)
			account, err := google.NewAccount(token(e.AccessToken()), google.Options{
				Now: now, BaseURL: server.URL + "/calendar/v3/", PerSecond: 1e6, Burst: 1e6, // the clock stands still
			})
			if err != nil {
				t.Fatal(err)
			}
			return account.Calendar(google.Primary)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			s := story{T: t, registry: over(t, family.Options{}, agenda.Calendar{ID: "own", Writer: w})}
			s.single()
			s.series(w)
			s.allDay()
		})
	}
}

// A story is calls of one owner, one after the other.
type story struct {
	*testing.T
	registry *tools.Registry
}

// do calls a tool as the request with the id, and returns what the answer has under the path.
func (s story) do(requestID, tool, in string, path ...string) any {
	s.Helper()
	caller := tools.Caller{Role: tools.Owner, Language: "ja", RequestID: requestID}
	raw, err := s.registry.Call(s.Context(), caller, tool, json.RawMessage(in))
	if err != nil {
		s.Fatalf("%s(%s) = %v, want an answer", tool, in, err)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		s.Fatal(err)
	}
	for _, name := range path {
		value = value.(map[string]any)[name]
	}
	return value
}

// listed returns the events of March as "start title" lines.
func (s story) listed() []string {
	s.Helper()
	lines := []string{}
	for _, e := range s.do("", "list_events", `{"date_from":"2026-03-01","date_to":"2026-03-31"}`, "events").([]any) {
		fields := e.(map[string]any)
		lines = append(lines, fields["start"].(string)+" "+fields["title"].(string))
	}
	return lines
}

func (s story) want(what string, lines ...string) {
	s.Helper()
	if diff := cmp.Diff(append([]string{}, lines...), s.listed()); diff != "" {
		s.Errorf("%s: events (-want +got):\n%s", what, diff)
	}
}

func (s story) fails(tool, in string, kind calendar.Kind) {
	s.Helper()
	_, err := call(s.T, s.registry, owner("ja"), tool, in)
	if err == nil || calendar.KindOf(err) != kind || !strings.HasPrefix(tools.Message(err, "ja"), kind.Message("ja")) {
		s.Errorf("%s(%s) = %v, want kind %s", tool, in, err, kind)
	}
}

func (s story) single() {
	const in = `{"title":"会議","start":"2026-03-03T14:00:00+09:00","location":"会議室A"}`
	id := s.do("r1", "create_event", in, "event", "event_id").(string)
	if again := s.do("r1", "create_event", in, "event", "event_id"); again != id {
		s.Errorf("the same request again = event %s, want %s", again, id)
	}
	s.want("created once", "2026-03-03T14:00:00+09:00 会議")
	s.do("r2", "update_event", `{"event_id":"`+id+`","start":"2026-03-03T16:00:00+09:00","location":""}`)
	s.want("moved", "2026-03-03T16:00:00+09:00 会議")
	if got := s.do("", "check_availability", `{"date":"2026-03-03","time_from":"16:30","time_to":"18:00"}`, "available"); got != false {
		s.Errorf("available = %v, want false", got)
	}
	slots := s.do("", "suggest_schedule", `{"date_from":"2026-03-03","date_to":"2026-03-03","duration_minutes":420}`, "suggestions").([]any)
	if len(slots) != 1 || slots[0].(map[string]any)["end"] != "2026-03-03T16:00:00+09:00" {
		s.Errorf("suggestions = %v, want until the meeting", slots)
	}
	s.fails("update_event", `{"event_id":"nobodyatall","title":"x"}`, calendar.NotFound)
	s.fails("update_event", `{"event_id":"`+id+`","title":"`+strings.Repeat("長", 10_000)+`"}`, calendar.InvalidText)
	s.do("r3", "delete_event", `{"event_id":"`+id+`"}`)
	if got := s.do("r3", "delete_event", `{"event_id":"`+id+`"}`, "message"); got != "すでに削除されています。" {
		s.Errorf("deleted again: %v", got)
	}
	s.fails("create_event", in[:len(in)-1]+`,"start":"2026-03-32"}`, calendar.Invalid)
	s.want("deleted")
}

func (s story) series(w calendar.Writer) {
	start := time.Date(2026, 3, 4, 18, 0, 0, 0, tokyo)
	_, err := w.Create(s.Context(), calendar.Event{
		ID: agenda.KeyFor("class"), Title: "英会話", Start: start, End: start.Add(time.Hour), TimeZone: "Asia/Tokyo",
		Recurrence: []string{"RRULE:FREQ=WEEKLY;COUNT=3"},
	})
	if err != nil {
		s.Fatal(err)
	}
	s.want("a series", "2026-03-04T18:00:00+09:00 英会話", "2026-03-11T18:00:00+09:00 英会話", "2026-03-18T18:00:00+09:00 英会話")
	instance := s.do("", "list_events", `{"date":"2026-03-11"}`, "events").([]any)[0].(map[string]any)
	s.fails("update_event", `{"event_id":"`+instance["event_id"].(string)+`","title":"x"}`, calendar.Instance)
	s.fails("delete_event", `{"event_id":"`+instance["event_id"].(string)+`"}`, calendar.Instance)
	series := instance["series_id"].(string)
	s.do("r4", "update_event", `{"event_id":"`+series+`","title":"英語","start":"2026-03-04T19:00:00+09:00"}`)
	s.want("the series changed", "2026-03-04T19:00:00+09:00 英語", "2026-03-11T19:00:00+09:00 英語", "2026-03-18T19:00:00+09:00 英語")
	if got := s.do("", "list_calendar_events", `{"singleEvents":false}`).([]any); len(got) != 1 || got[0].(map[string]any)["id"] != series {
		s.Errorf("list_calendar_events by series = %v, want one, %s", got, series)
	}
	if got := s.do("r5", "delete_event", `{"event_id":"`+series+`"}`, "message"); got != "繰り返しの予定「英語」をすべて削除しました。" {
		s.Errorf("the series deleted: %v", got)
	}
	s.want("the series deleted")
}

func (s story) allDay() {
	id := s.do("r6", "create_event", `{"title":"旅行","start":"2026-03-20","end":"2026-03-22"}`, "event", "event_id").(string)
	s.want("all day", "2026-03-20 旅行")
	if got := s.do("", "check_availability", `{"date_from":"2026-03-19","date_to":"2026-03-23"}`, "free_days"); !cmp.Equal(got, []any{"2026-03-19", "2026-03-23"}) {
		s.Errorf("free days = %v, want those around the journey", got)
	}
	s.do("r7", "update_event", `{"event_id":"`+id+`","start":"2026-03-20T09:00"}`)
	s.want("timed", "2026-03-20T09:00:00+09:00 旅行")
	s.do("r8", "update_event", `{"event_id":"`+id+`","start":"2026-03-21","end":"2026-03-21"}`)
	s.want("all day again", "2026-03-21 旅行")
	s.do("r9", "delete_event", `{"event_id":"`+id+`"}`)
	s.want("gone")
}
