package google

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools/directions"
)

func now() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }

var (
	from = geo.Point{Lat: 33.5925, Lng: 130.4039}
	to   = geo.Point{Lat: 33.5914, Lng: 130.399}
)

const ends = `{"origin":{"location":{"latLng":{"latitude":33.5925,"longitude":130.4039}}},` +
	`"destination":{"location":{"latLng":{"latitude":33.5914,"longitude":130.399}}}`

// server checks what is asked, by the reference of the method, and answers.
func server(t *testing.T, want string, status int, answer string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		const path = "/directions/v2:computeRoutes"
		if r.Method != http.MethodPost || r.URL.String() != path || want != "" && string(body) != want {
			t.Errorf("asked %s %s %s, want %s", r.Method, r.URL, body, want)
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
		s := server(t, tt.want, 200, `{"routes":[{"distanceMeters":550,"duration":"401s"}]}`)
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
