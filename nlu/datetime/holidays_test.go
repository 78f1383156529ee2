package datetime

import (
	"slices"
	"strings"
	"testing"
	"time"

	"annai/civil"
)

func TestEaster(t *testing.T) {
	for _, want := range []string{
		"1818-03-22", "1943-04-25", "1954-04-18", "1981-04-19", "2000-04-23", "2008-03-23", "2011-04-24",
		"2016-03-27", "2018-04-01",
		"2019-04-21", "2024-03-31", "2025-04-20", "2026-04-05", "2038-04-25", "2049-04-18",
	} {
		day, err := civil.ParseDate(want)
		if err != nil {
			t.Fatal(err)
		}
		if got := easter(day.Year); got != day {
			t.Errorf("easter(%d) = %s, want %s", day.Year, got, want)
		}
	}
}

// The day before spring was always the 3rd of February from 1985 to 2020.
func TestSetsubun(t *testing.T) {
	days := map[int]int{1984: 4, 1985: 3, 2020: 3, 2021: 2, 2022: 3, 2024: 3, 2025: 2, 2026: 3, 2029: 2}
	for year, day := range days {
		if got, _ := named(t, "節分").in(year); got.Month != time.February || got.Day != day {
			t.Errorf("setsubun(%d) = %s, want February %d", year, got, day)
		}
	}
}

// named is the day with a name.
func named(t *testing.T, name string) *namedDay {
	t.Helper()
	for i := range holidays {
		if slices.Contains(strings.Split(holidays[i].names, "|"), name) {
			return &holidays[i]
		}
	}
	t.Fatalf("no day is called %s", name)
	return nil
}

func TestHolidaysAreDays(t *testing.T) {
	for i := range holidays {
		h := &holidays[i]
		for _, year := range []int{1990, 2025, 2096} {
			day, ok := h.in(year)
			if ok && day.Year != year {
				t.Errorf("%s of %d is %s", h.names, year, day)
			}
		}
		if _, ok := h.in(2025); !ok {
			t.Errorf("%s has no day in 2025", h.names)
		}
	}
}

func TestWorkdays(t *testing.T) {
	tokyo := time.FixedZone("Asia/Tokyo", 9*3600)
	friday := civil.Date{Year: 2025, Month: time.January, Day: 10} // before Coming of Age Day
	for _, c := range []struct {
		n    int
		loc  *time.Location
		want string
	}{
		{0, tokyo, "2025-01-10"},
		{1, tokyo, "2025-01-14"},
		{1, time.UTC, "2025-01-13"},
		{5, time.UTC, "2025-01-17"},
		{-5, time.UTC, "2025-01-03"},
	} {
		if got := addWorkdays(friday, c.n, c.loc); got.String() != c.want {
			t.Errorf("addWorkdays(%s, %d, %s) = %s, want %s", friday, c.n, c.loc, got, c.want)
		}
	}
}
