package timezone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools"
)

var (
	january = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	july    = time.Date(2026, 7, 15, 12, 0, 0, 0, time.UTC)
)

// Points that are known to be hard: enclaves, disputed lands, odd offsets, the sea, the date line and the poles.
// The offsets are in minutes, in January and July 2026.
func TestHardPoints(t *testing.T) {
	for _, tt := range []struct {
		where    string
		at       geo.Point
		zone     string
		jan, jul int
	}{
		{"Fukuoka", geo.Point{Lat: 33.5925, Lng: 130.4039}, "Asia/Tokyo", 540, 540},
		{"the Hopi, without summer time", geo.Point{Lat: 35.8747, Lng: -110.6210}, "America/Phoenix", -420, -420},
		{"the Navajo around them, with it", geo.Point{Lat: 35.6806, Lng: -109.0526}, "America/Denver", -420, -360},
		{"Phoenix", geo.Point{Lat: 33.45, Lng: -112.07}, "America/Phoenix", -420, -420},
		{"the Vatican", geo.Point{Lat: 41.9022, Lng: 12.4533}, "Europe/Vatican", 60, 120},
		{"Ciudad Juárez", geo.Point{Lat: 31.7386, Lng: -106.4870}, "America/Ciudad_Juarez", -420, -360},
		{"the sea in the Pacific", geo.Point{Lat: 0, Lng: -150}, "Etc/GMT+10", -600, -600},
		{"the sea in the Atlantic", geo.Point{Lat: 40, Lng: -40}, "Etc/GMT+3", -180, -180},
		{"Lhasa", geo.Point{Lat: 29.65, Lng: 91.1}, "Asia/Shanghai", 480, 480},
		{"Urumqi, claimed twice", geo.Point{Lat: 43.8256, Lng: 87.6168}, "Asia/Shanghai", 480, 480},
		{"Gaza", geo.Point{Lat: 31.5, Lng: 34.4667}, "Asia/Gaza", 120, 180},
		{"Kaliningrad", geo.Point{Lat: 54.71, Lng: 20.51}, "Europe/Kaliningrad", 120, 120},
		{"Lord Howe, half an hour", geo.Point{Lat: -31.55, Lng: 159.08}, "Australia/Lord_Howe", 660, 630},
		{"Chatham", geo.Point{Lat: -43.95, Lng: -176.56}, "Pacific/Chatham", 825, 765},
		{"Nepal", geo.Point{Lat: 27.7172, Lng: 85.324}, "Asia/Kathmandu", 345, 345},
		{"Knox in Indiana", geo.Point{Lat: 41.29, Lng: -86.62}, "America/Indiana/Knox", -360, -300},
		{"Indianapolis", geo.Point{Lat: 39.77, Lng: -86.16}, "America/Indiana/Indianapolis", -300, -240},
		{"Troll station, two hours of summer time", geo.Point{Lat: -72.0117, Lng: 2.535}, "Antarctica/Troll", 0, 120},
		{"west of the date line", geo.Point{Lat: 0, Lng: 179.9}, "Etc/GMT-12", 720, 720},
		{"east of it", geo.Point{Lat: 0, Lng: -179.9}, "Etc/GMT+12", -720, -720},
		{"Kiritimati, a day ahead", geo.Point{Lat: 1.87, Lng: -157.4}, "Pacific/Kiritimati", 840, 840},
		{"Ceuta", geo.Point{Lat: 35.889, Lng: -5.32}, "Africa/Ceuta", 60, 120},
		{"Büsingen", geo.Point{Lat: 47.697, Lng: 8.69}, "Europe/Busingen", 60, 120},
		{"Eucla", geo.Point{Lat: -31.68, Lng: 128.88}, "Australia/Eucla", 525, 525},
		{"the north pole", geo.Point{Lat: 90, Lng: 0}, "Etc/GMT", 0, 0},
		{"the south pole", geo.Point{Lat: -90, Lng: 0}, "Antarctica/McMurdo", 780, 720},
	} {
		name, err := Embedded{}.Zone(t.Context(), tt.at)
		if err != nil || name != tt.zone {
			t.Errorf("%s: Zone(%v) = %q, %v, want %s", tt.where, tt.at, name, err, tt.zone)
			continue
		}
		loc, err := load(name)
		if err != nil {
			t.Errorf("%s: %v", tt.where, err)
			continue
		}
		_, jan := january.In(loc).Zone()
		_, jul := july.In(loc).Zone()
		if jan != 60*tt.jan || jul != 60*tt.jul {
			t.Errorf("%s: offsets = %d and %d minutes, want %d and %d", tt.where, jan/60, jul/60, tt.jan, tt.jul)
		}
	}
}

// What is plainly in Japan needs no map; the border of the sea and Busan do.
func TestInJapan(t *testing.T) {
	for _, tt := range []struct {
		where string
		at    geo.Point
		want  bool
	}{
		{"Fukuoka", geo.Point{Lat: 33.5925, Lng: 130.4039}, true},
		{"Naha", geo.Point{Lat: 26.21, Lng: 127.68}, true},
		{"Nemuro", geo.Point{Lat: 43.33, Lng: 145.58}, true},
		{"the north of Tsushima, which sees Busan", geo.Point{Lat: 34.69, Lng: 129.44}, false},
		{"the Pacific", geo.Point{Lat: 30, Lng: 150}, false},
		{"Seoul", geo.Point{Lat: 37.57, Lng: 126.98}, false},
	} {
		if got := inJapan(tt.at); got != tt.want {
			t.Errorf("inJapan(%s) = %t, want %t", tt.where, got, tt.want)
		}
	}
	if name, err := (Embedded{}).Zone(t.Context(), geo.Point{Lat: 34.69, Lng: 129.44}); err != nil || name != japan {
		t.Errorf("Zone(the north of Tsushima) = %s, %v", name, err)
	}
}

// The map leaves out enclaves of some hundred metres; those of Baarle have the same time as the land around them.
func TestEnclaves(t *testing.T) {
	for _, p := range []geo.Point{{Lat: 51.445, Lng: 4.93}, {Lat: 51.4425, Lng: 4.9297}} {
		name, err := Embedded{}.Zone(t.Context(), p)
		if err != nil || name != "Europe/Amsterdam" && name != "Europe/Brussels" {
			t.Errorf("Zone(%v) = %q, %v", p, name, err)
		}
	}
}

// Go's database knows every zone of the map, and every point has one.
func TestWholeMap(t *testing.T) {
	all, err := zones()
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range all {
		if _, err := load(z.name); err != nil {
			t.Error(err)
		}
	}
	for lat := -90.0; lat <= 90; lat += 15 {
		for lng := -180.0; lng <= 180; lng += 30 {
			if name, err := (Embedded{}).Zone(t.Context(), geo.Point{Lat: lat, Lng: lng}); err != nil {
				t.Errorf("Zone(%v, %v) = %q, %v", lat, lng, name, err)
			}
		}
	}
}

// A finder that answers as told.
type fake struct {
	zone  string
	err   error
	calls *int
}

func (f fake) Zone(context.Context, geo.Point) (string, error) {
	if f.calls != nil {
		*f.calls++
	}
	return f.zone, f.err
}

func call(t *testing.T, service Finder, in, lang string) (Output, error) {
	t.Helper()
	r := tools.New(func() time.Time { return july }, tools.Options{Backoff: time.Nanosecond})
	if err := Register(r, func() time.Time { return july }, "Asia/Tokyo", service); err != nil {
		t.Fatal(err)
	}
	caller := tools.Caller{Role: tools.Visitor, Language: lang}
	raw, err := r.Call(t.Context(), caller, "timezone_resolve", json.RawMessage(in))
	var out Output
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	return out, err
}

func TestTool(t *testing.T) {
	gone := fake{err: fault.ErrUnavailable}
	const there = `"location":{"lat":40.7,"lng":-74}`
	newYork := func(hours int, backend string) Output {
		return Output{
			TimeZoneID: "America/New_York", OffsetSeconds: 3600 * hours, Backend: backend,
			Message: fmt.Sprintf("The time zone is America/New_York, UTC-%02d:00.", -hours),
		}
	}
	for _, tt := range []struct {
		name, in string
		service  Finder
		want     Output
	}{
		{"now", `{` + there + `}`, nil, newYork(-4, "embedded")},
		{"an instant", `{` + there + `,"timestamp":"2026-01-15T09:00:00+09:00"}`, nil, newYork(-5, "embedded")},
		// The clocks go forward at two in New York, which is seven in Greenwich.
		{"the clocks there", `{` + there + `,"timestamp":"2026-03-08T01:59"}`, nil, newYork(-5, "embedded")},
		{"an hour later", `{` + there + `,"timestamp":"2026-03-08T03:00:00"}`, nil, newYork(-4, "embedded")},
		{"a service", `{` + there + `}`, fake{zone: "America/New_York"}, newYork(-4, "google")},
		{"a service that is away", `{` + there + `}`, gone, newYork(-4, "embedded")},
		{"a zone that nobody knows", `{` + there + `}`, fake{zone: "Mars/Base"}, newYork(-4, "embedded")},
	} {
		if got, err := call(t, tt.service, tt.in, "en"); err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
}

// Where nothing finds the zone it is the visitor's, and the answer says so.
func TestVisitorsZone(t *testing.T) {
	calls := 0
	gone := fake{err: fault.ErrUnavailable, calls: &calls}
	tl := tool{now: func() time.Time { return july }, home: "Asia/Tokyo", service: gone, embedded: gone}
	for _, tt := range []struct {
		in   Input
		want Output
	}{
		{Input{UserTimeZone: "Europe/Paris"}, Output{
			TimeZoneID: "Europe/Paris", OffsetSeconds: 7200, Backend: "embedded", Degraded: true,
			Message: "The time zone could not be found; Europe/Paris is assumed.",
		}},
		{Input{}, Output{
			TimeZoneID: "Asia/Tokyo", OffsetSeconds: 32400, Backend: "embedded", Degraded: true,
			Message: "The time zone could not be found; Asia/Tokyo is assumed.",
		}},
	} {
		_, err := tl.resolve(t.Context(), tools.Caller{Language: "en"}, tt.in)
		var got *tools.Instead[Output]
		if !errors.As(err, &got) || got.Answer != tt.want {
			t.Errorf("resolve(%+v) = %+v, %v, want %+v", tt.in, got, err, tt.want)
		}
	}
	if _, err := call(t, gone, `{"location":{"lat":1,"lng":1}}`, "en"); err != nil || calls != 6 {
		t.Errorf("the service was asked %d times, %v; want twice more by the registry", calls, err)
	}
}

func TestInputThatIsWrong(t *testing.T) {
	const sea = `"location":{"lat":0,"lng":0}`
	for in, want := range map[string]string{
		`{}`:                                       `The field "location" is required.`,
		`{"location":{"lat":91,"lng":0}}`:          `"location.lat" must be from -90 to 90.`,
		`{"location":{"lat":0,"lng":181}}`:         `"location.lng" must be from -180 to 180.`,
		`{"location":{"lat":0}}`:                   `The field "location.lng" is required.`,
		`{` + sea + `,"timestamp":"soon"}`:         `"timestamp" must be like 2026-07-01T09:00:00+09:00.`,
		`{` + sea + `,"userTimeZone":"Mars/Base"}`: `"userTimeZone" must be a name such as Asia/Tokyo.`,
		`{` + sea + `,"userTimeZone":"Local"}`:     `"userTimeZone" must be a name such as Asia/Tokyo.`,
	} {
		_, err := call(t, nil, in, "en")
		if !errors.Is(err, fault.ErrInvalid) || tools.Message(err, "en") != want {
			t.Errorf("Call(%s) = %v: %s, want %s", in, err, tools.Message(err, "en"), want)
		}
	}
}
