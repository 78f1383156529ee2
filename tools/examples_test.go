package tools_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/internal/outbound"
	"annai/internal/outbound/outboundtest"
	"annai/tools"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/agenda/family"
	gcalendar "annai/tools/calendar/google"
	"annai/tools/calendar/google/emulator"
	"annai/tools/directions"
	groutes "annai/tools/directions/google"
	"annai/tools/directions/osrm"
	"annai/tools/media"
	"annai/tools/media/clean"
	"annai/tools/media/gemini"
	"annai/tools/media/h264"
	"annai/tools/media/mp4"
	"annai/tools/media/poster"
	"annai/tools/media/video"
	"annai/tools/places"
	gplaces "annai/tools/places/google"
	"annai/tools/tasks"
	gtasks "annai/tools/tasks/google"
	"annai/tools/timezone"
	gzones "annai/tools/timezone/google"
	"annai/tools/webpage"
	"annai/venue"
)

// noon is when the examples are, in Japan.
func noon() time.Time { return time.Date(2026, 3, 2, 3, 0, 0, 0, time.UTC) }

const (
	walk = `{"origin":{"lat":33.5925,"lng":130.4039},"destination":{"lat":33.5914,"lng":130.399},"mode":"walking"}`
	ride = `{"origin":{"lat":33.5925,"lng":130.4039},"destination":{"lat":33.5859,"lng":130.4506},"mode":"transit"}`
)

// examples are the calls of docs/tools.md: by what answers, by name and input. {page} and {picture} are there.
var examples = []struct{ by, tool, input string }{
	{"", "get_current_datetime", `{}`},
	{"", "calculate_date", `{"base_date":"2026-01-31","offset_months":1}`},
	{"", "list_dates_in_range", `{"start_date":"2026-03-01","end_date":"2026-03-14","weekday":"火"}`},
	{"", "list_events", `{"date":"2026-03-02"}`},
	{"", "create_event", `{"title":"面談","start":"2026-03-03T14:00","end":"2026-03-03T15:00"}`},
	{"", "update_event", `{"event_id":"meet","start":"2026-03-02T12:00:00Z","location":"2F"}`},
	{"", "check_availability", `{"date":"2026-03-02"}`},
	{"", "suggest_schedule", `{"date_from":"2026-03-03","date_to":"2026-03-03","duration_minutes":60}`},
	{"", "list_calendar_events", `{"timeMin":"2026-03-02T00:00:00Z","timeMax":"2026-03-03T00:00:00Z"}`},
	{"", "calendar_read", `{"calendarId":"primary","timeMin":"2026-03-02T00:00:00Z","timeMax":"2026-03-03T00:00:00Z"}`},
	{"a calendar at Google", "create_calendar_event", `{"summary":"Team Meeting",` +
		`"startDateTime":"2026-03-04T10:00:00Z","endDateTime":"2026-03-04T11:00:00Z"}`},
	{"a calendar at Google", "calendar_write", `{"calendarId":"primary","event":{"summary":"Call",` +
		`"start":{"dateTime":"2026-03-04T09:00:00","timeZone":"Asia/Tokyo"}}}`},
	{"", "delete_event", `{"event_id":"meet"}`},
	{"", "places_resolve", `{"query":"天神駅"}`},
	{"Google Places", "places_resolve", `{"query":"舞鶴公園"}`},
	{"", "timezone_resolve", `{"location":{"lat":37.7749,"lng":-122.4194},"timestamp":"2026-07-01T09:00:00+09:00"}`},
	{"Google Time Zone", "timezone_resolve", `{"location":{"lat":37.7749,"lng":-122.4194}}`},
	{"", "directions_estimate", walk},
	{"OSRM", "directions_estimate", walk},
	{"Google Routes", "directions_estimate", ride},
	{"", "url_expand", `{"url":"{page}"}`},
	{"", "flash_image_edit", `{"imageBytes":"{picture}","operations":["denoise"]}`},
	{"Gemini", "flash_image_edit", `{"imageBytes":"{picture}"}`},
	{"", "imagen_generate_poster", `{"eventTitle":"もくもく会","eventStart":"2026-03-07T14:00:00+09:00","place":"1F"}`},
	{"Gemini", "imagen_generate_poster", `{"eventTitle":"もくもく会","dimensions":{"width":540,"height":960}}`},
	{"", "veo_create_day_preview", `{"date":"2026-03-07","format":"gif",` +
		`"events":[{"title":"もくもく会","start":"2026-03-07T14:00:00+09:00"}]}`},
	{"Veo", "veo_create_day_preview", `{"date":"2026-03-07",` +
		`"events":[{"title":"もくもく会","start":"2026-03-07T14:00:00+09:00"}]}`},
	{"", "tasks_write", `{"eventId":"meet","todos":[{"title":"資料を印刷","dueDate":"2026-03-03","notes":"2部"}]}`},
	{"Google Tasks", "tasks_write", `{"todos":[{"title":"Buy tea","dueDate":"2026-03-06"}]}`},
	{"", "tasks_list", `{}`},
	{"", "tasks_complete", `{"taskId":"tea"}`},
	{"", "tasks_delete", `{"taskId":"tea"}`},
}

// TestExamples calls the tools as docs/tools.md shows, and compares the answers with those there. Each call is
// made on tools of its own, with services that are fakes of theirs.
func TestExamples(t *testing.T) {
	pages, page := hall(t)
	fill := strings.NewReplacer("{page}", page, "{picture}", base64.StdEncoding.EncodeToString(checkered()))
	got := map[string][]tools.Example{}
	for _, e := range examples {
		r := everythingAt(t, noon, pages)
		if e.by != "" {
			r = served(t)
		}
		caller := tools.Caller{Role: tools.Owner, Language: "ja", RequestID: "example"}
		input := fill.Replace(e.input)
		answer, err := r.Call(t.Context(), caller, e.tool, json.RawMessage(input))
		if err != nil {
			t.Errorf("Call(%s, %.200s) = %v", e.tool, input, err)
			continue
		}
		got[e.tool] = append(got[e.tool], tools.Example{By: e.by, Input: shown(input), Answer: shown(string(answer))})
	}
	for _, d := range everything(t).Offered(tools.Caller{Role: tools.Owner}) {
		if len(got[d.Name]) == 0 {
			t.Errorf("there is no example of %s", d.Name)
		}
	}
	golden(t, "testdata/examples.json", got)
}

// golden compares a value with a file, or writes it.
func golden(t *testing.T, name string, value any) {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s is not up to date, run with -update if that is meant (-file +tools):\n%s", name, diff)
	}
}

var (
	// long is what is of no interest to a reader: pictures, names of files and signatures.
	long = regexp.MustCompile(`[A-Za-z0-9+/=]{60,}`)
	file = regexp.MustCompile(`/media/[^."]+\.([a-z0-9]+)\?expires=(\d+)&signature=[^"]+`)
	port = regexp.MustCompile(`(hall\.example):\d+`)
	// digits are more than every machine calculates alike.
	digits = regexp.MustCompile(`(\d\.\d\d\d)\d{3,}`)
)

// shown is JSON as the page has it.
func shown(text string) string {
	text = file.ReplaceAllString(text, "/media/….$1?expires=$2&signature=…")
	text = long.ReplaceAllStringFunc(text, func(s string) string { return s[:20] + "…" })
	text = digits.ReplaceAllString(text, "$1")
	return port.ReplaceAllString(text, "$1")
}

// checkered is a small picture.
func checkered() []byte {
	picture := image.NewGray(image.Rect(0, 0, 48, 32))
	for i := range picture.Pix {
		picture.Pix[i] = 250
		if i%48/8%2 == i/48/8%2 {
			picture.Pix[i] = 20
		}
	}
	picture.SetGray(3, 3, color.Gray{Y: 250})
	var b bytes.Buffer
	_ = png.Encode(&b, picture) // a buffer never fails
	return b.Bytes()
}

// hall is a reader of pages and a page there is.
func hall(t *testing.T) (*webpage.Reader, string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/summer.html" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, `<html lang="ja"><title>夏まつり</title><meta property="og:site_name" content="市民ホール">
			<meta name="description" content="屋台と盆踊り"><script type="application/ld+json">{"@type":"Event",
			"name":"夏まつり","startDate":"2026-07-20T18:00:00+09:00","location":{"name":"本館"}}</script>`)
	}))
	t.Cleanup(s.Close)
	client, err := outbound.New(outbound.Options{
		OwnPort: true, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, UserAgent: "annai",
		Resolver: outboundtest.Names{"": {netip.MustParseAddr("127.0.0.1")}}.Resolver(),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, at, _ := strings.Cut(s.URL, "127.0.0.1")
	return webpage.New(client, noon), "http://hall.example" + at + "/summer.html"
}

// served returns tools that ask services, each a fake of its own.
func served(t *testing.T) *tools.Registry {
	t.Helper()
	fake := httptest.NewServer(http.HandlerFunc(answerAsService))
	t.Cleanup(fake.Close)
	where, err := gplaces.New(t.Context(), "key", gplaces.Options{BaseURL: fake.URL})
	if err != nil {
		t.Fatal(err)
	}
	artist, err := gemini.New("key", gemini.Options{URL: fake.URL})
	if err != nil {
		t.Fatal(err)
	}
	list, err := gtasks.New(anyToken{}, gtasks.Options{Now: noon, BaseURL: fake.URL})
	if err != nil {
		t.Fatal(err)
	}
	own, err := agenda.New([]agenda.Calendar{{ID: "own", Writer: atGoogle(t)}}, agenda.Options{Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	files, err := media.OpenFiles(t.Context(), "", noon, media.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	demo, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	r, quiet := tools.New(noon, tools.Options{}), slog.New(slog.DiscardHandler)
	err = errors.Join(
		places.Register(r, places.NewEmbedded(demo), where),
		timezone.Register(r, noon, "UTC", gzones.New("key", fake.URL, noon)),
		directions.Register(r, map[directions.Mode]directions.Service{
			directions.Walking: {Name: "osrm", Router: osrm.New(fake.URL)},
			directions.Transit: {Name: "google", Router: groutes.New("key", fake.URL, noon)},
		}),
		clean.Register(r, clean.Options{Service: gemini.Cleaner{Client: artist}}),
		poster.Register(r, files, poster.Options{Service: gemini.Artist{Client: artist}}),
		video.Register(r, video.NewMaker(files, gemini.Veo{Client: artist}, quiet, media.NewTurns()), video.Options{}),
		family.Register(r, own, family.Options{}),
		tasks.Register(r, func(string) tasks.List { return list }, own, tasks.Options{}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// anyToken is an access token.
type anyToken struct{}

func (anyToken) Token(context.Context, string) (string, error) { return "token", nil }

// atGoogle is a calendar at the emulator of Google Calendar.
func atGoogle(t *testing.T) *gcalendar.Calendar {
	t.Helper()
	e := emulator.New(emulator.Options{Now: noon})
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	account, err := gcalendar.NewAccount(emulated{e}, gcalendar.Options{
		Now: noon, BaseURL: s.URL + "/calendar/v3/", Links: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return account.Calendar(gcalendar.Primary)
}

// emulated gives access tokens of the emulator.
type emulated struct{ *emulator.Emulator }

func (e emulated) Token(context.Context, string) (string, error) { return e.AccessToken(), nil }

// eightSeconds is a dark film.
func eightSeconds() []byte {
	encoder, err := h264.New(64, 64, 1)
	if err != nil {
		panic(err)
	}
	film := mp4.Video{Width: 64, Height: 64, Rate: 1}
	film.Sequence, film.Picture = encoder.Parameters()
	dark := image.NewYCbCr(image.Rect(0, 0, 64, 64), image.YCbCrSubsampleRatio420)
	film.Samples = []mp4.Sample{{Unit: encoder.Key(dark, 30), Key: true}}
	for range 7 {
		film.Samples = append(film.Samples, mp4.Sample{Unit: encoder.Repeat()})
	}
	data, err := film.Encode()
	if err != nil {
		panic(err)
	}
	return data
}

// answerAsService answers what tools ask services, as those would.
func answerAsService(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	picture := base64.StdEncoding.EncodeToString(checkered())
	film := base64.StdEncoding.EncodeToString(eightSeconds())
	answers := map[string]string{
		"places:searchText": `{"places":[{"id":"ChIJ1","displayName":{"text":"舞鶴公園","languageCode":"ja"},
			"formattedAddress":"福岡市中央区城内1","location":{"latitude":33.585,"longitude":130.382},
			"timeZone":{"id":"Asia/Tokyo"}}]}`,
		"timezone/json": `{"dstOffset":0,"rawOffset":-28800,"status":"OK","timeZoneId":"America/Los_Angeles"}`,
		"computeRoutes": `{"routes":[{"distanceMeters":5400,"duration":"1440s"}]}`,
		"route/v1/walking": `{"code":"Ok","routes":[{"weight_name":"duration","weight":520,"duration":520,
			"distance":630,"legs":[]}],"waypoints":[]}`,
		":generateContent": fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"inlineData":
			{"mimeType":"image/png","data":%q}}]},"finishReason":"STOP"}]}`, picture),
		":predictLongRunning": fmt.Sprintf(`{"name":"models/veo/operations/1","done":true,"response":{
			"generateVideoResponse":{"generatedSamples":[{"video":{"encodedVideo":%q}}]}}}`, film),
		"lists/@default/tasks": `{"kind":"tasks#tasks","items":[]}`,
	}
	if r.Method == http.MethodPost {
		answers["lists/@default/tasks"] = `{"id":"MTIzNDU2","title":"Buy tea","status":"needsAction",
			"due":"2026-03-06T00:00:00.000Z","updated":"2026-03-02T03:00:00.000Z"}`
	}
	for part, answer := range answers {
		if strings.Contains(r.URL.Path, part) {
			_, _ = io.WriteString(w, answer)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}
