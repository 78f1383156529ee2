package google

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools/calendar/google/discovery"
	"annai/tools/directions"
)

func now() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }

var (
	from = geo.Point{Lat: 33.5925, Lng: 130.4039}
	to   = geo.Point{Lat: 33.5914, Lng: 130.399}
)

const ends = `{"origin":{"location":{"latLng":{"latitude":33.5925,"longitude":130.4039}}},` +
	`"destination":{"location":{"latLng":{"latitude":33.5914,"longitude":130.399}}}`

// description is Google's own of the method.
func description(t *testing.T) *discovery.Document {
	t.Helper()
	text, err := os.ReadFile("testdata/routes-api.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := discovery.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// server holds what is asked against Google's own description, and what it is wanted to be, and answers.
func server(t *testing.T, want string, status int, answer string) *httptest.Server {
	t.Helper()
	d := description(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		const path = "/directions/v2:computeRoutes"
		if r.Method != http.MethodPost || r.URL.String() != path || want != "" && string(body) != want {
			t.Errorf("asked %s %s %s, want %s", r.Method, r.URL, body, want)
		}
		for _, problem := range d.Request(r.Method, r.URL, r.Header, body) {
			t.Errorf("request: %s", problem)
		}
		for name, want := range map[string]string{
			"X-Goog-Api-Key": "the-key", "X-Goog-FieldMask": "routes.duration,routes.distanceMeters",
			"Content-Type": "application/json",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("header %s = %q, want %q", name, got, want)
			}
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s
}

const found = `{"routes":[{"distanceMeters":550,"duration":"401s"}]}`

// The answer of the fake is one of Google's; another would be told.
func TestAnswerIsGoogles(t *testing.T) {
	d := description(t)
	if problems := d.Message("GoogleMapsRoutingV2ComputeRoutesResponse", []byte(found)); len(problems) > 0 {
		t.Errorf("the fake's answer: %v", problems)
	}
	for _, wrong := range []string{
		`{"routes":[{"distanceMeters":"far"}]}`, `{"routes":[{"duration":"401"}]}`, `{"ways":[]}`,
	} {
		if d.Message("GoogleMapsRoutingV2ComputeRoutesResponse", []byte(wrong)) == nil {
			t.Errorf("%s is taken for an answer", wrong)
		}
	}
}

func TestWay(t *testing.T) {
	const leave = `,"departureTime":"2026-03-01T01:00:00Z"}`
	later, before := now().Add(time.Hour), now().Add(-time.Hour)
	for _, tt := range []struct {
		name  string
		mode  directions.Mode
		leave time.Time
		want  string
	}{
		{"on foot", directions.Walking, later, ends + `,"travelMode":"WALK"}`},
		{"by car now", directions.Driving, time.Time{}, ends + `,"travelMode":"DRIVE"}`},
		{
			"by car in an hour", directions.Driving, later,
			ends + `,"travelMode":"DRIVE","routingPreference":"TRAFFIC_AWARE"` + leave,
		},
		{"by car an hour ago", directions.Driving, before, ends + `,"travelMode":"DRIVE"}`},
		{"by train", directions.Transit, later, ends + `,"travelMode":"TRANSIT"` + leave},
	} {
		s := server(t, tt.want, 200, found)
		trip := directions.Trip{From: from, To: to, Mode: tt.mode, Departure: tt.leave}
		way, err := New("the-key", s.URL, now).Way(t.Context(), trip)
		if err != nil || way != (directions.Way{Duration: 401 * time.Second, Meters: 550}) {
			t.Errorf("%s: Way = %+v, %v", tt.name, way, err)
		}
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		status int
		answer string
		want   error
	}{
		{200, `{}`, fault.ErrNotFound}, // no way there
		{200, `{"routes":[{"distanceMeters":550,"duration":"soon"}]}`, fault.ErrUnavailable},
		{200, `{"routes":[{"distanceMeters":-1,"duration":"1s"}]}`, fault.ErrUnavailable},
		{200, `[`, fault.ErrUnavailable},
		{403, `{"error":{"code":403,"status":"PERMISSION_DENIED"}}`, fault.ErrDenied},
		{429, `{}`, fault.ErrUnavailable},
		{307, ``, fault.ErrUnavailable},
	} {
		s := server(t, "", tt.status, tt.answer)
		trip := directions.Trip{From: from, To: to, Mode: directions.Walking}
		_, err := New("the-key", s.URL, now).Way(t.Context(), trip)
		if !errors.Is(err, tt.want) {
			t.Errorf("%d %s: Way = %v, want %v", tt.status, tt.answer, err, tt.want)
		}
	}
}
