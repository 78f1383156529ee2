package google

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools/calendar/google/discovery"
	"annai/tools/places"
)

// server answers searchText by hand, and holds what is asked and answered against Google's own description.
func server(t *testing.T, status int, answer string, asked *map[string]any) *httptest.Server {
	t.Helper()
	d, err := discovery.Places()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for _, problem := range d.Request(r.Method, r.URL, r.Header, body) {
			t.Errorf("request: %s", problem)
		}
		if got := r.Header.Get("X-Goog-Api-Key"); got != "the-key" || r.URL.Query().Get("key") != "" {
			t.Errorf("the key is %q in the header, %q in the address", got, r.URL.Query().Get("key"))
		}
		if got := r.Header.Get("X-Goog-FieldMask"); got != fields {
			t.Errorf("the field mask is %q", got)
		}
		if asked != nil {
			_ = json.Unmarshal(body, asked)
		}
		header := http.Header{"Content-Type": {"application/json; charset=UTF-8"}}
		if status == http.StatusOK {
			for _, problem := range d.Answer(r.Method, r.URL, status, header, []byte(answer)) {
				t.Errorf("the fake's answer: %s", problem)
			}
		}
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s
}

var venue = &geo.Point{Lat: 33.5925, Lng: 130.4039}

func resolve(t *testing.T, base string, near *geo.Point, q places.Query) (places.Found, error) {
	t.Helper()
	p, err := New(t.Context(), "the-key", Options{BaseURL: base, Near: near})
	if err != nil {
		t.Fatal(err)
	}
	return p.Resolve(t.Context(), q)
}

func place(id, name, address string, lat, lng float64) string {
	return fmt.Sprintf(`{"id":%q,"displayName":{"text":%q,"languageCode":"ja"},"formattedAddress":%q,
		"location":{"latitude":%g,"longitude":%g},"timeZone":{"id":"Asia/Tokyo"}}`, id, name, address, lat, lng)
}

func TestResolve(t *testing.T) {
	var asked map[string]any
	park := `{"places":[` + place("ChIJ1", "大濠公園", "福岡市中央区大濠公園", 33.5861, 130.3764) + `,` +
		place("ChIJ2", "大濠公園駅", "福岡市", 33.589, 130.378) + `]}`
	s := server(t, http.StatusOK, park, &asked)
	found, err := resolve(t, s.URL, venue, places.Query{Text: "大濠公園", Language: "ja"})
	if err != nil {
		t.Fatal(err)
	}
	want := places.Found{Place: &places.Place{
		ID: "ChIJ1", Name: "大濠公園", Address: "福岡市中央区大濠公園",
		Location: geo.Point{Lat: 33.5861, Lng: 130.3764}, TimeZone: "Asia/Tokyo", Precision: places.Exact,
	}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("Resolve (-want +got):\n%s", diff)
	}
	sent := map[string]any{
		"textQuery": "大濠公園", "languageCode": "ja", "pageSize": 5.0,
		"locationBias": map[string]any{"circle": map[string]any{
			"center": map[string]any{"latitude": 33.5925, "longitude": 130.4039}, "radius": 50000.0,
		}},
	}
	if diff := cmp.Diff(sent, asked); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	asked = nil
	if _, err := resolve(t, s.URL, nil, places.Query{Text: "大濠公園", Region: "JP", Language: "en"}); err != nil {
		t.Fatal(err)
	}
	sent = map[string]any{"textQuery": "大濠公園", "languageCode": "en", "regionCode": "JP", "pageSize": 5.0}
	if diff := cmp.Diff(sent, asked); diff != "" {
		t.Errorf("sent with a region (-want +got):\n%s", diff)
	}
}

// Places of one name far apart are several, unless just one is near the venue.
func TestNamesakes(t *testing.T) {
	answer := `{"places":[` + place("sapporo", "中央区", "札幌市中央区", 43.05, 141.34) + `,` +
		place("fukuoka", "中央区", "福岡市中央区", 33.58, 130.39) + `]}`
	s := server(t, http.StatusOK, answer, nil)
	for _, tt := range []struct {
		near  *geo.Point
		place string
		n     int
	}{
		{nil, "", 2},
		{venue, "fukuoka", 0},
		{&geo.Point{Lat: 35.68, Lng: 139.77}, "", 2},
	} {
		found, err := resolve(t, s.URL, tt.near, places.Query{Text: "中央区", Language: "ja"})
		id := ""
		if found.Place != nil {
			id = found.Place.ID
		}
		if err != nil || id != tt.place || len(found.Candidates) != tt.n {
			t.Errorf("near %v: Resolve = %q, %d candidates, %v; want %q, %d",
				tt.near, id, len(found.Candidates), err, tt.place, tt.n)
		}
	}
}

func TestNothing(t *testing.T) {
	for _, answer := range []string{
		`{}`, `{"places":[]}`, `{"places":[{"id":"a"}]}`,
		`{"places":[{"id":"a","location":{"latitude":91,"longitude":0}}]}`,
	} {
		found, err := resolve(t, server(t, http.StatusOK, answer, nil).URL, nil, places.Query{Text: "x"})
		if err != nil || found.Place != nil || found.Candidates != nil {
			t.Errorf("Resolve with %s = %+v, %v, want nothing", answer, found, err)
		}
	}
}

func TestFailures(t *testing.T) {
	refused := `{"error":{"code":403,"message":"the-key may not","status":"PERMISSION_DENIED"}}`
	for _, tt := range []struct {
		status int
		answer string
		want   error
	}{
		{403, refused, fault.ErrDenied},
		{400, `{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}`, fault.ErrDenied},
		{429, `{"error":{"code":429,"message":"slowly","status":"RESOURCE_EXHAUSTED"}}`, fault.ErrUnavailable},
		{500, `oops`, fault.ErrUnavailable},
		{302, ``, fault.ErrUnavailable},
	} {
		_, err := resolve(t, server(t, tt.status, tt.answer, nil).URL, nil, places.Query{Text: "x"})
		said := fmt.Sprint(err)
		if !errors.Is(err, tt.want) || strings.Contains(said, "the-key") || strings.Contains(said, "http") {
			t.Errorf("%d: Resolve = %v, want %v without key and address", tt.status, err, tt.want)
		}
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	if _, err := resolve(t, gone.URL, nil, places.Query{Text: "x"}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Resolve without a server = %v", err)
	}
}

// An answer without end is not read to its end.
func TestEndlessAnswer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		chunk := bytes.Repeat([]byte(" "), 1<<16)
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	if _, err := resolve(t, s.URL, nil, places.Query{Text: "x"}); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Resolve = %v, want ErrUnavailable", err)
	}
}
