package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"annai/internal/geo"
	"annai/tools"
	"annai/tools/directions"
	"annai/tools/media"
	"annai/tools/media/clean"
	"annai/tools/media/poster"
	"annai/tools/places"
	"annai/tools/timezone"
	"annai/venue"
)

// TestSpecification holds that there is each test of testdata/specification.tsv, which says what in the
// specification of the tools is held by which.
func TestSpecification(t *testing.T) {
	list, err := os.ReadFile("testdata/specification.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			t.Errorf("%q has %d fields, want a tool, what is specified, a folder and a test", line, len(fields))
			continue
		}
		if !hasTest(t, fields[2], fields[3]) {
			t.Errorf("%s: %s: there is no test %s in %s", fields[0], fields[1], fields[3], fields[2])
		}
	}
}

// hasTest reports whether a folder has a test.
func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)")
	})
}

// specified are the shapes, time limits and tries of the specification. A field with ! is required.
var specified = []struct {
	tool, input, output string
	limit, again        string
}{
	{
		"calendar_read", "calendarId! timeMin! timeMax! singleEvents",
		"events! events.id! events.summary! events.start! events.start.dateTime! events.start.timeZone! " +
			"events.end! events.end.dateTime! events.end.timeZone! events.location",
		"5s", "once",
	},
	{
		"calendar_write", "calendarId! event! event.summary! event.description event.start! event.start.dateTime! " +
			"event.start.timeZone! event.end event.end.dateTime! event.end.timeZone! event.location event.reminders",
		"id! htmlLink! created!", "10s", "2 times",
	},
	{
		"places_resolve", "query! regionCode",
		"placeId! formattedAddress! location! location.lat! location.lng! name", "5s", "once",
	},
	{
		"timezone_resolve", "location! location.lat! location.lng! timestamp", "timeZoneId! offsetSeconds!",
		"3s", "once",
	},
	{
		"directions_estimate", "origin! origin.lat! origin.lng! destination! destination.lat! destination.lng! mode " +
			"departureTime", "durationSeconds! distanceMeters! travelBufferMinutes!", "8s", "once",
	},
	{"url_expand", "url!", "title description imageUrl siteName oEmbed openGraph", "10s", "once"},
	{"flash_image_edit", "imageBytes! operations", "processedImageBytes! confidence", "15s", "no"},
	{
		"imagen_generate_poster", "eventTitle! eventDescription style dimensions dimensions.width! dimensions.height!",
		"imageUrl! imageBytes", "30s", "no",
	},
	{"veo_create_day_preview", "events! date! style", "videoUrl! durationSeconds!", "1m0s", "no"},
	{
		"tasks_write", "eventId todos! todos.title! todos.dueDate todos.notes", "taskIds!", "10s", "2 times",
	}, // no limit is specified
}

// TestSpecifiedShapes holds that inputs and outputs have the fields of the specification, required where they
// are there. What is more in an input may be absent.
func TestSpecifiedShapes(t *testing.T) {
	declared := map[string]tools.Declaration{}
	for _, d := range everything(t).Offered(tools.Caller{Role: tools.Owner}) {
		declared[d.Name] = d
	}
	for _, s := range specified {
		for fields, schema := range map[string]json.RawMessage{
			s.input: declared[s.tool].InputSchema, s.output: declared[s.tool].OutputSchema,
		} {
			var root jsonschema.Schema
			if err := json.Unmarshal(schema, &root); err != nil {
				t.Fatalf("schema of %s: %v", s.tool, err)
			}
			for field := range strings.FieldsSeq(fields) {
				name, required := strings.CutSuffix(field, "!")
				if there, must := find(&root, strings.Split(name, ".")); !there || required && !must {
					t.Errorf("%s: field %s is there %t, required %t", s.tool, field, there, must)
				}
			}
		}
		var input jsonschema.Schema
		if err := json.Unmarshal(declared[s.tool].InputSchema, &input); err != nil {
			t.Fatal(err)
		}
		for _, name := range input.Required {
			if !slices.Contains(strings.Fields(s.input), name+"!") {
				t.Errorf("%s requires %s, which is not specified", s.tool, name)
			}
		}
	}
}

// find returns whether a schema has a field, in lists too and in one of several forms, and whether it is
// required where it is.
func find(s *jsonschema.Schema, path []string) (there, required bool) {
	if s.Items != nil {
		return find(s.Items, path)
	}
	for _, form := range s.AnyOf {
		if there, required := find(form, path); there {
			return there, required
		}
	}
	property := s.Properties[path[0]]
	if property == nil {
		return false, false
	}
	if len(path) > 1 {
		return find(property, path[1:])
	}
	return true, slices.Contains(s.Required, path[0])
}

// TestSpecifiedLimits holds how long a try of a tool may take and how often it is tried again, as the page says it.
func TestSpecifiedLimits(t *testing.T) {
	page := everything(t).Document(nil)
	for _, s := range specified {
		row := regexp.MustCompile(`(?m)^\| \[.` + s.tool + `.\].*$`).FindString(page)
		cells := strings.Split(row, "|")
		if len(cells) < 6 || strings.TrimSpace(cells[4]) != s.limit || strings.TrimSpace(cells[5]) != s.again {
			t.Errorf("%s is limited by %q, want %s and tried again %s", s.tool, row, s.limit, s.again)
		}
	}
}

// hangs is every service: it answers when it is not waited for any more.
type hangs struct{}

func (hangs) Name() string { return "slow" }

func wait(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func (hangs) Resolve(ctx context.Context, _ places.Query) (places.Found, error) {
	return places.Found{}, wait(ctx)
}

func (hangs) Zone(ctx context.Context, _ geo.Point) (string, error) { return "", wait(ctx) }

func (hangs) Way(ctx context.Context, _ directions.Trip) (directions.Way, error) {
	return directions.Way{}, wait(ctx)
}

func (hangs) Clean(ctx context.Context, _ []byte, _ string, _ []clean.Operation) ([]byte, error) {
	return nil, wait(ctx)
}

func (hangs) Art(ctx context.Context, _ poster.Event, _ poster.Style, _, _ int, _ string) ([]byte, error) {
	return nil, wait(ctx)
}

// TestServicesThatHang holds what tools answer, and when, if their service does not.
func TestServicesThatHang(t *testing.T) {
	demo, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tool, in, want string
		takes          time.Duration // all tries together
	}{
		{"places_resolve", `{"query":"Golden Gate Park"}`, `null`, 10 * time.Second},
		{"places_resolve", `{"query":"福岡市"}`, `"backend":"embedded"`, 10 * time.Second},
		{"timezone_resolve", `{"location":{"lat":33.59,"lng":130.4}}`, `"timeZoneId":"Asia/Tokyo"`, 6 * time.Second},
		{
			"directions_estimate", `{"origin":{"lat":33.59,"lng":130.4},"destination":{"lat":33.6,"lng":130.41}}`,
			`"estimate":true,"backend":"embedded","degraded":true`, 16 * time.Second,
		},
		{
			"directions_estimate", `{"origin":{"lat":33.59,"lng":130.4},"destination":{"lat":-33.87,"lng":151.21}}`,
			`"travelBufferMinutes":15`, 16 * time.Second,
		},
		{"flash_image_edit", `{"imageBytes":"` + onePixel + `"}`, `"backend":"embedded"`, 15 * time.Second},
		{
			"imagen_generate_poster", `{"eventTitle":"a","dimensions":{"width":300,"height":300}}`,
			`"backend":"embedded"`, 30 * time.Second,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := tools.New(time.Now, tools.Options{Backoff: time.Nanosecond})
			files, err := media.OpenFiles(t.Context(), "", time.Now, media.FileOptions{})
			err = errors.Join(
				err, places.Register(r, places.NewEmbedded(demo), hangs{}),
				timezone.Register(r, time.Now, "UTC", hangs{}),
				directions.Register(r, map[directions.Mode]directions.Service{
					directions.Driving: {Name: "slow", Router: hangs{}},
				}),
				clean.Register(r, clean.Options{Service: hangs{}}),
				poster.Register(r, files, poster.Options{Service: hangs{}}),
			)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			caller := tools.Caller{Role: tools.Visitor, Language: "en"}
			got, err := r.Call(t.Context(), caller, tt.tool, json.RawMessage(tt.in))
			if took := time.Since(began); err != nil || !strings.Contains(string(got), tt.want) ||
				took > tt.takes+time.Second {
				t.Errorf("%s(%s) = %.300s, %v after %s, want %s within %s",
					tt.tool, tt.in, got, err, took, tt.want, tt.takes)
			}
		})
	}
}
