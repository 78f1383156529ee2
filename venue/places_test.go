package venue

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"annai/internal/geo"
)

func TestPlaces(t *testing.T) {
	const file = `
name: Library
address: {ja: みなと市1丁目, en: 1-chome}
location: 33.94, 130.96
places:
  - name: {ja: みなと駅, en: Harbour Station}
    aliases: {ja: [港駅]}
    location: "33.9452,130.9571"
`
	v, err := Parse(fstest.MapFS{"venue.yaml": {Data: []byte(file)}}, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !v.At.Known || v.At.Point != (geo.Point{Lat: 33.94, Lng: 130.96}) || len(v.Places) != 1 {
		t.Fatalf("location = %+v, %d places", v.At, len(v.Places))
	}
	p := v.Places[0]
	if p.ID != "Harbour Station" || p.At.Point != (geo.Point{Lat: 33.9452, Lng: 130.9571}) || p.Area {
		t.Errorf("place = %+v", p)
	}
	if diff := cmp.Diff([]string{"みなと駅", "Harbour Station", "港駅"}, p.Names()); diff != "" {
		t.Errorf("Names (-want +got):\n%s", diff)
	}
}

func TestPlacesThatAreWrong(t *testing.T) {
	const file = `
name: Library
location: 130.96, 33.94
places:
  - name: a
    location: 1, 2
  - name: a
  - location: 91, 0
`
	_, err := Parse(fstest.MapFS{"venue.yaml": {Data: []byte(file)}}, "venue.yaml")
	var wrong *Error
	if !errors.As(err, &wrong) {
		t.Fatalf("Parse = %v, want an *Error", err)
	}
	var got []string
	for _, p := range wrong.Problems {
		got = append(got, p.String())
	}
	want := []string{
		`line 3: location: "130.96, 33.94" is not a latitude and a longitude like 33.5925, 130.4039`,
		`line 7: places[1]: "a" is another place too; give each a name or id of its own`,
		`line 7: places[1].location: is missing; give latitude and longitude like 33.5925, 130.4039`,
		`line 8: places[2].name: is missing; give it as ja, en or both`,
		`line 8: places[2].location: "91, 0" is not a latitude and a longitude like 33.5925, 130.4039`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
