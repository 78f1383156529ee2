package tools_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/agenda/family"
	"annai/tools/calendar/mem"
	"annai/tools/date"
	"annai/tools/directions"
	"annai/tools/media"
	"annai/tools/media/clean"
	"annai/tools/media/poster"
	"annai/tools/media/video"
	"annai/tools/places"
	"annai/tools/tasks"
	"annai/tools/tasks/local"
	"annai/tools/timezone"
	"annai/tools/webpage"
	"annai/venue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// onePixel is a GIF in Base64.
const onePixel = "R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="

// everything returns a registry of all tools there are, over a calendar with one event.
func everything(t *testing.T) *tools.Registry {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 3, 2, 10, 7, 0, 0, time.UTC) }
	return everythingAt(t, now, pages(t))
}

// everythingAt is everything at a time, with a reader of pages.
func everythingAt(t *testing.T, now func() time.Time, pages *webpage.Reader) *tools.Registry {
	t.Helper()
	own := mem.New("own", calendar.Event{ID: "meet", Title: "会議", Start: now().Add(time.Hour), TimeZone: "UTC", SeriesID: "weekly"})
	a, err := agenda.New([]agenda.Calendar{{ID: "own", Writer: own}}, agenda.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	todos, err := local.Open(t.Context(), "", now, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = todos.Close() })
	if _, err := todos.List("").Create(t.Context(), "tea", tasks.Task{Title: "お茶"}); err != nil {
		t.Fatal(err)
	}
	lists := func(owner string) tasks.List { return todos.List(owner) }
	r := tools.New(now, tools.Options{})
	demo, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	files, err := media.OpenFiles(t.Context(), "", now, media.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		date.Register(r, now, time.UTC), family.Register(r, a, family.Options{}),
		places.Register(r, places.NewEmbedded(demo), nil),
		timezone.Register(r, now, "UTC", nil), directions.Register(r, nil),
		webpage.Register(r, pages),
		clean.Register(r, clean.Options{}), poster.Register(r, files, poster.Options{}),
		video.Register(r, video.NewMaker(files, nil, nil, media.NewTurns()), video.Options{}),
		tasks.Register(r, lists, a, tasks.Options{}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pages returns a reader that reaches nothing in a test: this machine is refused.
func pages(t *testing.T) *webpage.Reader {
	t.Helper()
	client, err := webpage.NewClient("annai")
	if err != nil {
		t.Fatal(err)
	}
	return webpage.New(client, time.Now)
}

// TestSchemas compares the declarations of all tools, with their schemas, with the golden file.
func TestSchemas(t *testing.T) {
	golden(t, "testdata/declarations.json", everything(t).Offered(tools.Caller{Role: tools.Owner, Language: "en"}))
}

// TestDocument checks that docs/tools.md is what the tools say. `go generate ./tools` makes it so.
func TestDocument(t *testing.T) {
	page, err := os.ReadFile("../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples map[string][]tools.Example
	if err := json.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	_, made, _ := strings.Cut(string(page), "| tool | changes")
	if diff := cmp.Diff("| tool | changes"+made, everything(t).Document(examples)); diff != "" {
		t.Errorf("docs/tools.md is not up to date, run go generate ./tools (-page +tools):\n%s", diff)
	}
}

// TestAnswersFitTheirSchemas calls each tool and validates what it was given and what it answers against the schemas that it is declared with.
func TestAnswersFitTheirSchemas(t *testing.T) {
	inputs := map[string][]string{
		"get_current_datetime":  {`{}`},
		"calculate_date":        {`{"offset_weeks":2}`, `{"base_date":"2026-01-31","offset_months":1,"offset_days":-1}`},
		"url_expand":            {`{"url":"http://127.0.0.1/"}`},
		"list_dates_in_range":   {`{"start_date":"2026-03-01","end_date":"2026-03-31","weekday":"火"}`},
		"list_events":           {`{}`, `{"date_from":"2026-03-01","date_to":"2026-03-31"}`},
		"create_event":          {`{"title":"a","start":"2026-03-03","idempotency_key":"k"}`},
		"update_event":          {`{"event_id":"meet","start":"2026-03-02T12:00:00Z","location":""}`},
		"check_availability":    {`{"date":"2026-03-02"}`, `{"date_from":"2026-03-01","date_to":"2026-03-31","time_from":"09:00"}`},
		"suggest_schedule":      {`{"date_from":"2026-03-02","date_to":"2026-03-02","duration_minutes":60}`},
		"create_calendar_event": {`{"summary":"a","startDateTime":"2026-03-03T09:00:00Z","endDateTime":"2026-03-03T10:00:00Z"}`},
		"list_calendar_events":  {`{}`, `{"q":"none","maxResults":5,"orderBy":"updated","singleEvents":false}`},
		"calendar_read":         {`{"calendarId":"primary","timeMin":"2026-03-02T00:00:00Z","timeMax":"2026-03-05T00:00:00Z"}`},
		"calendar_write":        {`{"calendarId":"primary","event":{"summary":"a","start":{"dateTime":"2026-03-03T09:00:00Z","timeZone":"UTC"}}}`},
		"places_resolve": {
			`{"query":"天神駅"}`, `{"query":"x"}`, `{"query":"伊達市","candidates":true}`,
			`{"query":"Paris, France","regionCode":"FR"}`,
		},
		"timezone_resolve": {
			`{"location":{"lat":35.7,"lng":139.7}}`,
			`{"location":{"lat":0,"lng":0},"timestamp":"2026-03-01T00:00:00Z"}`,
		},
		"directions_estimate": {
			`{"origin":{"lat":33.5925,"lng":130.4039},"destination":{"lat":33.5914,"lng":130.399},"mode":"walking"}`,
			`{"origin":{"lat":33.5925,"lng":130.4039},"destination":{"lat":-33.87,"lng":151.21}}`,
		},
		"delete_event": {`{"event_id":"meet"}`, `{"event_id":"meet"}`},

		"veo_create_day_preview": {
			`{"events":[{"title":"a","start":"2026-03-02"}],"date":"2026-03-02","format":"gif"}`,
		},
		"flash_image_edit":       {`{"imageBytes":"aGVsbG8="}`, `{"imageBytes":"` + onePixel + `"}`},
		"imagen_generate_poster": {`{"eventTitle":"a"}`, `{"eventTitle":"a","dimensions":{"width":300,"height":300}}`},
		"tasks_write":            {`{"eventId":"meet","todos":[{"title":"a","dueDate":"2026-03-03","notes":"b"}]}`},
		"tasks_list":             {`{}`, `{"status":"all","dueTo":"2026-03-31"}`},
		"tasks_complete":         {`{"taskId":"tea"}`, `{"taskId":"tea","done":false}`},
		"tasks_delete":           {`{"taskId":"tea"}`},
	}
	r := everything(t)
	caller := tools.Caller{Role: tools.Owner, Language: "ja"}
	declared := r.Offered(caller)
	if len(declared) != len(inputs) {
		t.Errorf("%d tools are offered, %d tried", len(declared), len(inputs))
	}
	for _, d := range declared {
		if d.Name == "delete_event" {
			defer func() {
				for _, in := range inputs[d.Name] {
					tryTool(t, r, caller, d, in)
				}
			}()
			continue // last of all
		}
		for _, in := range inputs[d.Name] {
			tryTool(t, r, caller, d, in)
		}
	}
}

func tryTool(t *testing.T, r *tools.Registry, caller tools.Caller, d tools.Declaration, in string) {
	t.Helper()
	out, err := r.Call(t.Context(), caller, d.Name, json.RawMessage(in))
	if err != nil {
		t.Errorf("Call(%s, %s) = %v, want an answer", d.Name, in, err)
		return
	}
	for schema, text := range map[*json.RawMessage]string{&d.InputSchema: in, &d.OutputSchema: string(out)} {
		var parsed jsonschema.Schema
		if err := json.Unmarshal(*schema, &parsed); err != nil {
			t.Fatalf("schema of %s: %v", d.Name, err)
		}
		resolved, err := parsed.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		if err != nil {
			t.Fatalf("schema of %s: %v", d.Name, err)
		}
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s: %s does not fit %s: %v", d.Name, text, *schema, err)
		}
	}
}
