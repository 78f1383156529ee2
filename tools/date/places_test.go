package date_test

import (
	"strings"
	"testing"
	"time"

	"annai/tools/date"
)

func TestPlaceIn(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2025, 1, 15, 10, 30, 0, 0, tokyo)
	for _, test := range []struct{ text, want string }{
		{"what time is it in New York", "America/New_York"},
		{"WHAT TIME IS IT IN são paulo?", "America/Sao_Paulo"},
		{"バリ島は何時", "Asia/Makassar"},
		{"パリは何時", "Europe/Paris"},
		{"タイは何時", "Asia/Bangkok"},
		{"スタイルの時間", ""},
		{"タイムテーブル", ""},
		{"what is the lay of the land", ""},
		{"what time is it", ""},
		{"", ""},
	} {
		place, ok := date.PlaceIn(test.text, now)
		if place.Zone != test.want || ok != (test.want != "") {
			t.Errorf("PlaceIn(%q) = %v, %t, want %q", test.text, place, ok, test.want)
		}
	}
	if place, ok := date.PlaceIn("韓国と北京", now.In(mustLoad(t, "Asia/Seoul"))); !ok || place.Zone != "Asia/Shanghai" {
		t.Errorf("PlaceIn(韓国と北京) in Seoul = %v, %t, want the other one", place, ok)
	}
}

// Every zone of the table exists, and its names are found.
func TestPlaces(t *testing.T) {
	nowhere := time.Date(2025, 1, 15, 10, 30, 0, 0, time.FixedZone("here", 0))
	for _, line := range strings.Split(strings.TrimSpace(date.PlacesText), "\n") {
		zone, names, _ := strings.Cut(line, "|")
		mustLoad(t, zone)
		for _, name := range strings.FieldsFunc(names, func(c rune) bool { return c == '|' || c == ',' }) {
			if place, ok := date.PlaceIn(name+"は何時", nowhere); !ok || place.Zone != zone {
				t.Errorf("PlaceIn(%sは何時) = %v, %t, want %s", name, place, ok, zone)
			}
		}
	}
}

func mustLoad(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
