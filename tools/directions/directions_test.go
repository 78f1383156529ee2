package directions

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools"
)

var (
	venue   = geo.Point{Lat: 33.5925, Lng: 130.4039}
	tenjin  = geo.Point{Lat: 33.5914, Lng: 130.3990}
	airport = geo.Point{Lat: 33.5970, Lng: 130.4484}
	tokyo   = geo.Point{Lat: 35.6812, Lng: 139.7671}
	sydney  = geo.Point{Lat: -33.87, Lng: 151.21}
)

func TestEstimate(t *testing.T) {
	for _, tt := range []struct {
		name     string
		to       geo.Point
		mode     Mode
		duration time.Duration
		meters   int
		ok       bool
	}{
		{"a station on foot", tenjin, Walking, 7*time.Minute + 38*time.Second, 611, true},
		{"by car", tenjin, Driving, 1*time.Minute + 50*time.Second, 611, true},
		{"the airport by train", airport, Transit, 22*time.Minute + 55*time.Second, 5383, true},
		{"Tokyo by train", tokyo, Transit, 9*time.Hour + 48*time.Minute, 1_153_000, true},
		{"nowhere", venue, Transit, 0, 0, true},
		{"Tokyo on foot", tokyo, Walking, 0, 0, false},
		{"Sydney by car", sydney, Driving, 0, 0, false},
	} {
		got, ok := Estimate(Trip{From: venue, To: tt.to, Mode: tt.mode})
		want := Way{Duration: tt.duration, Meters: tt.meters}
		near := func(a, b float64) bool { return a >= 0.99*b && a <= 1.01*b }
		if ok != tt.ok || !near(got.Duration.Seconds(), want.Duration.Seconds()) ||
			!near(float64(got.Meters), float64(want.Meters)) {
			t.Errorf("%s: Estimate = %+v, %t, want %+v, %t", tt.name, got, ok, want, tt.ok)
		}
	}
}

// Nothing that is farther takes less time.
func TestFartherIsLonger(t *testing.T) {
	for _, mode := range []Mode{Driving, Transit, Walking} {
		before := time.Duration(0)
		for i := range 400 {
			way, ok := Estimate(Trip{From: geo.Point{}, To: geo.Point{Lng: float64(i) / 1000}, Mode: mode})
			if !ok || way.Duration < before {
				t.Fatalf("%s: %d m take %s, less than %s", mode, way.Meters, way.Duration, before)
			}
			before = way.Duration
		}
	}
}

func TestBuffer(t *testing.T) {
	for d, want := range map[time.Duration]int{
		0: 5, time.Second: 6, time.Minute: 6, 61 * time.Second: 7, 90 * time.Minute: 95,
	} {
		if got := (Way{Duration: d}).Buffer(); got != want {
			t.Errorf("Buffer of %s = %d, want %d", d, got, want)
		}
	}
}

// A router that answers as told.
type fake struct {
	way  Way
	err  error
	trip *Trip
}

func (f fake) Way(_ context.Context, trip Trip) (Way, error) {
	if f.trip != nil {
		*f.trip = trip
	}
	return f.way, f.err
}

func call(t *testing.T, services map[Mode]Service, in, lang string) (Output, error) {
	t.Helper()
	r := tools.New(time.Now, tools.Options{Backoff: time.Nanosecond})
	if err := Register(r, services); err != nil {
		t.Fatal(err)
	}
	caller := tools.Caller{Role: tools.Visitor, Language: lang}
	raw, err := r.Call(t.Context(), caller, "directions_estimate", json.RawMessage(in))
	var out Output
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	return out, err
}

const (
	toTenjin = `"origin":{"lat":33.5925,"lng":130.4039},"destination":{"lat":33.5914,"lng":130.3990}`
	toSydney = `{"origin":{"lat":33.6,"lng":130.4},"destination":{"lat":-33.87,"lng":151.21}}`
	atNine   = `,"mode":"walking","departureTime":"2026-03-02T09:00:00+09:00"}`
)

func TestTool(t *testing.T) {
	var asked Trip
	way := Way{Duration: 401 * time.Second, Meters: 550}
	walk := func(f fake) map[Mode]Service { return map[Mode]Service{Walking: {Name: "osrm", Router: f}} }
	for _, tt := range []struct {
		name, in string
		services map[Mode]Service
		want     Output
	}{
		{"by default by car", `{` + toTenjin + `}`, nil, Output{
			DurationSeconds: 110, DistanceMeters: 611, TravelBufferMinutes: 7, Estimate: true, Backend: "embedded",
			Message: "About 2 minutes by car, some 610 m: an estimate from the straight distance.",
		}},
		{"on foot", `{` + toTenjin + `,"mode":"walking"}`, nil, Output{
			DurationSeconds: 458, DistanceMeters: 611, TravelBufferMinutes: 13, Estimate: true, Backend: "embedded",
			Message: "About 8 minutes on foot, some 610 m: an estimate from the straight distance.",
		}},
		{"by a service", `{` + toTenjin + atNine, walk(fake{way: way, trip: &asked}), Output{
			DurationSeconds: 401, DistanceMeters: 550, TravelBufferMinutes: 12, Backend: "osrm",
			Message: "About 7 minutes on foot, 550 m.",
		}},
		{"a mode that no service has", `{` + toTenjin + `}`, walk(fake{way: way}), Output{
			DurationSeconds: 110, DistanceMeters: 611, TravelBufferMinutes: 7, Estimate: true, Backend: "embedded",
			Message: "About 2 minutes by car, some 610 m: an estimate from the straight distance.",
		}},
		{"a service that is away", `{` + toTenjin + `,"mode":"walking"}`, walk(fake{err: fault.ErrUnavailable}), Output{
			DurationSeconds: 458, DistanceMeters: 611, TravelBufferMinutes: 13, Estimate: true, Backend: "embedded",
			Degraded: true,
			Message:  "About 8 minutes on foot, some 610 m: an estimate from the straight distance.",
		}},
		{"no way there", `{` + toTenjin + `,"mode":"walking"}`, walk(fake{err: fault.ErrNotFound}), Output{
			TravelBufferMinutes: 15, Estimate: true, Backend: "embedded", Degraded: true,
			Message: "I could not find out how long the way takes. Please allow 15 minutes.",
		}},
		{"too far for an estimate", toSydney, nil, Output{
			TravelBufferMinutes: 15, Estimate: true, Backend: "embedded", Degraded: true,
			Message: "I could not find out how long the way takes. Please allow 15 minutes.",
		}},
	} {
		if got, err := call(t, tt.services, tt.in, "en"); err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
	nine := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	if asked.From != venue || asked.To != tenjin || !asked.Departure.Equal(nine) {
		t.Errorf("the service was asked for %+v", asked)
	}
	got, err := call(t, nil, `{`+toTenjin+`,"mode":"walking"}`, "ja")
	if want := "徒歩で約8分（道のり約610 m）の見込みです。直線距離からの目安です。"; err != nil || got.Message != want {
		t.Errorf("in Japanese: %q, %v, want %q", got.Message, err, want)
	}
}

func TestInputThatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                                     `The field "destination" is required.`,
		`{` + toTenjin + `,"mode":"flying"}`:     `"mode" must be one of driving, transit, walking.`,
		`{` + toTenjin + `,"departureTime":"9"}`: `"departureTime" must be like 2026-03-02T09:00:00+09:00.`,
		`{"origin":{"lat":-91,"lng":0},"destination":{"lat":0,"lng":0}}`: `"origin.lat" must be from -90 to 90.`,
	} {
		_, err := call(t, nil, in, "en")
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(tools.Message(err, "en"), want) {
			t.Errorf("Call(%s) = %v: %s, want %s", in, err, tools.Message(err, "en"), want)
		}
	}
}
