package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// fakeMaps answers as Google's places, routes and time zones and a server of OSRM do; or, with a status, as
// one that refuses.
func fakeMaps(t *testing.T, status int) string {
	t.Helper()
	answers := map[string]string{
		"/v1/places:searchText": `{"places":[{"id":"ChIJ1","displayName":{"text":"舞鶴公園"},` +
			`"formattedAddress":"福岡市中央区城内1","location":{"latitude":33.585,"longitude":130.382}}]}`,
		"/directions/v2:computeRoutes": `{"routes":[{"distanceMeters":550,"duration":"401s"}]}`,
		"/maps/api/timezone/json":      `{"status":"OK","timeZoneId":"Asia/Tokyo"}`,
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.Path]
		if strings.HasPrefix(r.URL.Path, "/route/v1/walking/") {
			answer, ok = `{"code":"Ok","routes":[{"distance":600,"duration":500}]}`, true
		}
		if !ok {
			t.Errorf("a service was asked for %s", r.URL.Path)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// The doctor says which part answers for places, time zones and ways, and what more there could be.
func TestDoctorOfMaps(t *testing.T) {
	well, refuses := fakeMaps(t, http.StatusOK), fakeMaps(t, http.StatusForbidden)
	venue := smallVenue(t)
	for _, tt := range []struct {
		name, key, url, walking string
		code                    int
		says                    []string
	}{
		{"embedded", "", "", "", exitOK, []string{
			"note  places     the venue's file gives no location",
			"ok    places     places_resolve: the venue's places: 0; then the embedded list of towns. With google-maps",
			"ok    timezone   timezone_resolve: embedded map. With google-maps-key",
			"ok    directions directions_estimate: driving: estimate by distance, transit: estimate by distance, ",
		}},
		{"services", "maps-secret", well, well, exitOK, []string{
			"ok    places     places_resolve: the venue's places: 0; then Google Places",
			"ok    timezone   timezone_resolve: Google Time Zone, and the embedded map where that fails",
			"ok    directions directions_estimate: driving: google, transit: google, walking: osrm\n",
		}},
		{"refused", "maps-secret", refuses, "", exitFailed, []string{
			"FAIL  places     places_resolve: the venue's places: 0; Google Places failed (the embedded list answers " +
				"instead): google places: the service answered 403",
			"FAIL  timezone   timezone_resolve: Google Time Zone: google time zone: the service answered 403",
			"FAIL  directions directions_estimate: driving by google failed (an estimate answers instead)",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"doctor", "--venue", venue, "--google-maps-for", "places,directions,timezone"}
			if tt.key != "" {
				t.Setenv("ANNAI_GOOGLE_MAPS_KEY", tt.key)
				args = append(args, "--google-maps-url", tt.url)
			}
			if tt.walking != "" {
				args = append(args, "--osrm-walking-url", tt.walking)
			}
			code, out, errs := command(t, "", args...)
			if code != tt.code || strings.Contains(out+errs, "maps-secret") {
				t.Errorf("annai doctor = %d, %s%s, want %d and no key", code, out, errs, tt.code)
			}
			for _, words := range tt.says {
				if !strings.Contains(out, words) {
					t.Errorf("annai doctor says\n%s\nwant %q", out, words)
				}
			}
		})
	}
}

// callTool calls a tool over HTTP and returns its answer.
func (r running) callTool(t *testing.T, name, input string) string {
	t.Helper()
	response, err := http.Post(r.url+"/tools/"+name, "application/json", strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("POST /tools/%s %s = %s %s, %v", name, input, response.Status, body, err)
	}
	return strings.TrimSpace(string(body))
}

// The tools answer over HTTP, by themselves and by services.
func TestMapTools(t *testing.T) {
	const way = `{"origin":{"lat":33.5925,"lng":130.4039},"destination":{"lat":33.5914,"lng":130.3990},
		"mode":"walking"}`
	const zone = `{"location":{"lat":33.5925,"lng":130.4039}}`
	alone := start(t)
	t.Setenv("ANNAI_GOOGLE_MAPS_KEY", "maps-secret")
	services := fakeMaps(t, http.StatusOK)
	helped := start(t, "--google-maps-for", "places,timezone",
		"--google-maps-url", services, "--osrm-walking-url", services)
	for _, tt := range []struct {
		of                running
		tool, input, want string
	}{
		{alone, "places_resolve", `{"query":"舞鶴公園"}`, `null`},
		{alone, "places_resolve", `{"query":"天神駅"}`, `{"placeId":"venue:tenjin-station",`},
		{alone, "timezone_resolve", zone, `{"timeZoneId":"Asia/Tokyo","offsetSeconds":32400,"backend":"embedded",`},
		{
			alone, "directions_estimate", way,
			`{"durationSeconds":458,"distanceMeters":611,"travelBufferMinutes":13,"estimate":true,`,
		},
		{helped, "places_resolve", `{"query":"舞鶴公園"}`, `{"placeId":"ChIJ1","formattedAddress":"福岡市中央区`},
		{helped, "places_resolve", `{"query":"天神駅"}`, `{"placeId":"venue:tenjin-station",`},
		{helped, "timezone_resolve", zone, `{"timeZoneId":"Asia/Tokyo","offsetSeconds":32400,"backend":"google",`},
		{
			helped, "directions_estimate", way,
			`{"durationSeconds":500,"distanceMeters":600,"travelBufferMinutes":14,"estimate":false,"backend":"osrm",`,
		},
	} {
		if got := tt.of.callTool(t, tt.tool, tt.input); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s = %s, want %s", tt.tool, tt.input, got, tt.want)
		}
	}
}
