package recur

import (
	"testing"
	"time"
)

// Every wall-clock time comes back as it was unless there is none.
func TestWallClocks(t *testing.T) {
	for _, name := range []string{"America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "Pacific/Apia", "Africa/Casablanca"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		var last time.Time
		for wall := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); wall.Year() < 2027; wall = wall.Add(15 * time.Minute) {
			at := time.Unix(instantOf(wall.Unix(), loc), 0)
			back := toWall(at, loc)
			if gap := back.Sub(wall); gap != 0 && gap != time.Hour && gap != 30*time.Minute {
				t.Fatalf("%s in %s is %s, which shows %s, want the same or a gap later", wall, name, at, back)
			}
			if same := at.Add(-time.Hour); toWall(same, loc).Equal(wall) {
				t.Fatalf("%s in %s is %s, want the first of two, %s", wall, name, at, same)
			}
			if back.Equal(wall) {
				if at.Before(last) {
					t.Fatalf("%s in %s is %s, before an earlier one", wall, name, at)
				}
				last = at
			}
		}
	}
}

func TestParseLength(t *testing.T) {
	for s, want := range map[string]Length{
		"PT1H30M": {Exact: 90 * time.Minute}, "P1D": {Days: 1}, "P1W": {Days: 7}, "P2DT3H": {Days: 2, Exact: 3 * time.Hour},
		"+PT5S": {Exact: 5 * time.Second}, "pt15m": {Exact: 15 * time.Minute}, "P0D": {},
	} {
		if got, err := ParseLength(s); err != nil || got != want {
			t.Errorf("ParseLength(%q) = %+v, %v, want %+v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "P", "PT", "P1", "1D", "-PT1H", "P1H", "PT1D", "P1DT", "P99999999999D", "P40000D", "PT999999999H"} {
		if got, err := ParseLength(s); err == nil {
			t.Errorf("ParseLength(%q) = %+v, want an error", s, got)
		}
	}
}
