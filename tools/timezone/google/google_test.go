package google

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/geo"
)

func now() time.Time { return time.Unix(1784000000, 0) }

func server(t *testing.T, status int, answer string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const want = "/maps/api/timezone/json?key=the-key&location=39.603481%2C-119.682251&timestamp=1784000000"
		if got := r.URL.String(); r.Method != http.MethodGet || got != want {
			t.Errorf("asked for %s %s, want %s", r.Method, got, want)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s
}

var reno = geo.Point{Lat: 39.6034810, Lng: -119.6822510}

func TestZone(t *testing.T) {
	s := server(t, 200, `{"dstOffset":3600,"rawOffset":-28800,"status":"OK",
		"timeZoneId":"America/Los_Angeles","timeZoneName":"Pacific Daylight Time"}`)
	got, err := New("the-key", s.URL+"/", now).Zone(t.Context(), reno)
	if err != nil || got != "America/Los_Angeles" {
		t.Errorf("Zone = %q, %v", got, err)
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		status int
		answer string
		want   error
	}{
		{200, `{"status":"ZERO_RESULTS"}`, fault.ErrNotFound},
		{200, `{"status":"REQUEST_DENIED","errorMessage":"The provided API key is invalid."}`, fault.ErrDenied},
		{200, `{"status":"OVER_QUERY_LIMIT"}`, fault.ErrUnavailable},
		{200, `{"status":"OK"}`, fault.ErrUnavailable},
		{200, `<html>`, fault.ErrUnavailable},
		{503, ``, fault.ErrUnavailable},
		{301, ``, fault.ErrUnavailable},
	} {
		_, err := New("the-key", server(t, tt.status, tt.answer).URL, now).Zone(t.Context(), reno)
		if !errors.Is(err, tt.want) {
			t.Errorf("%d %s: Zone = %v, want %v", tt.status, tt.answer, err, tt.want)
		}
	}
}

// The key is in the address, which no failure repeats.
func TestKeyIsHidden(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, base := range []string{gone.URL, "http://\x7f"} {
		_, err := New("the-key", base, now).Zone(t.Context(), reno)
		if err == nil || strings.Contains(err.Error(), "the-key") {
			t.Errorf("Zone at %q = %v, want a failure without the key", base, err)
		}
	}
}
