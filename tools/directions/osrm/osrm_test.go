package osrm

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

var trip = directions.Trip{
	From: geo.Point{Lat: 33.5925, Lng: 130.4039}, To: geo.Point{Lat: 33.5914, Lng: 130.399}, Mode: directions.Walking,
}

func server(t *testing.T, status int, answer string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const want = "/base/route/v1/walking/130.403900,33.592500;130.399000,33.591400" +
			"?overview=false&steps=false&alternatives=false"
		if got := r.URL.String(); r.Method != http.MethodGet || got != want {
			t.Errorf("asked for %s %s, want %s", r.Method, got, want)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestWay(t *testing.T) {
	const answer = `{"code":"Ok","routes":[{
		"legs":[{"steps":[],"weight":401.1,"summary":"","duration":401.1,"distance":549.6}],
		"weight_name":"duration","weight":401.1,"duration":401.1,"distance":549.6}],
		"waypoints":[{"hint":"x","location":[130.4039,33.5925],"name":"","distance":1.2},
			{"hint":"y","location":[130.399,33.5914],"name":"","distance":3}]}`
	way, err := New(server(t, 200, answer).URL+"/base/").Way(t.Context(), trip)
	if err != nil || way != (directions.Way{Duration: 401100 * time.Millisecond, Meters: 550}) {
		t.Errorf("Way = %+v, %v", way, err)
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		status int
		answer string
		want   error
	}{
		{400, `{"code":"NoRoute","message":"Impossible route between points"}`, fault.ErrNotFound},
		{400, `{"code":"NoSegment","message":"Could not find a matching segment"}`, fault.ErrNotFound},
		{400, `{"code":"InvalidQuery","message":"?"}`, fault.ErrUnavailable},
		{400, `<html>`, fault.ErrDenied},
		{200, `{"code":"Ok","routes":[]}`, fault.ErrUnavailable},
		{200, `{"code":"Ok","routes":[{"duration":1e12,"distance":1}]}`, fault.ErrUnavailable},
		{200, `{"code":"Ok","routes":[{"duration":-1,"distance":1}]}`, fault.ErrUnavailable},
		{200, `{}`, fault.ErrUnavailable},
		{302, ``, fault.ErrUnavailable},
		{502, ``, fault.ErrUnavailable},
	} {
		_, err := New(server(t, tt.status, tt.answer).URL+"/base").Way(t.Context(), trip)
		if !errors.Is(err, tt.want) {
			t.Errorf("%d %s: Way = %v, want %v", tt.status, tt.answer, err, tt.want)
		}
	}
}
