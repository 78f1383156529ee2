package holiday

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/civil"
)

func day(t *testing.T, s string) civil.Date {
	t.Helper()
	d, err := civil.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestJapan(t *testing.T) {
	tests := []struct{ date, want, why string }{
		{"1949-01-01", "", "before the table"},
		{"2100-01-01", "", "after the table"},
		{"1950-01-01", "元日", "first year"},
		{"2099-11-23", "勤労感謝の日", "last year"},
		{"2026-07-14", "", "an ordinary day"},

		{"1999-01-15", "成人の日", "before the Happy Mondays"},
		{"1999-01-11", "", "before the Happy Mondays"},
		{"2000-01-10", "成人の日", "second Monday since 2000"},
		{"2000-01-15", "", "no longer the 15th"},
		{"1999-10-10", "体育の日", "before the Happy Mondays"},
		{"2000-10-09", "体育の日", "second Monday since 2000"},
		{"2002-07-20", "海の日", "fixed until 2002"},
		{"2003-07-21", "海の日", "third Monday since 2003"},
		{"1995-07-20", "", "not yet introduced"},
		{"2002-09-15", "敬老の日", "fixed until 2002"},
		{"2003-09-15", "敬老の日", "third Monday since 2003"},
		{"2015-08-11", "", "not yet introduced"},
		{"2016-08-11", "山の日", "introduced in 2016"},
		{"1966-02-11", "", "not yet introduced"},
		{"1967-02-11", "建国記念の日", "introduced in 1967"},
		{"1965-09-15", "", "not yet introduced"},
		{"2022-10-10", "スポーツの日", "renamed in 2020"},

		{"1988-04-29", "天皇誕生日", "the Showa Emperor's"},
		{"1989-04-29", "みどりの日", "until 2006"},
		{"2006-04-29", "みどりの日", "until 2006"},
		{"2007-04-29", "昭和の日", "since 2007"},
		{"2007-05-04", "みどりの日", "since 2007"},
		{"1988-12-23", "", "the reign had not begun"},
		{"2018-12-23", "天皇誕生日", "the last of its reign"},
		{"2019-12-23", "", "2019 had no birthday"},
		{"2019-02-23", "", "2019 had no birthday"},
		{"2020-02-23", "天皇誕生日", "since 2020"},

		{"1973-02-12", "", "a Sunday before there were substitutes"},
		{"1973-04-30", "振替休日", "the first substitute"},
		{"1998-05-04", "振替休日", "between holidays, but first of all a substitute"},
		{"2008-05-06", "振替休日", "Sunday the 4th, chained over the 5th"},
		{"2009-05-06", "振替休日", "Sunday the 3rd, chained over two"},
		{"1981-05-04", "振替休日", "Sunday the 3rd before there was a holiday on the 4th"},
		{"1981-05-06", "", "no chain before 2007"},
		{"2020-02-24", "振替休日", "birthday on a Sunday"},
		{"2023-01-02", "振替休日", "New Year on a Sunday"},
		{"2024-11-04", "振替休日", "Culture Day on a Sunday"},
		{"2026-05-06", "振替休日", "Sunday the 3rd"},

		{"1985-05-04", "", "before days between holidays were off"},
		{"1986-05-04", "", "a Sunday"},
		{"1988-05-04", "国民の休日", "the first one"},
		{"2009-09-22", "国民の休日", "between two September holidays"},
		{"2015-09-22", "国民の休日", "between two September holidays"},
		{"2026-09-22", "国民の休日", "between two September holidays"},
		{"2032-09-21", "国民の休日", "between two September holidays"},

		{"1959-04-10", "皇太子明仁親王の結婚の儀", ""},
		{"1989-02-24", "昭和天皇の大喪の礼", ""},
		{"1990-11-12", "即位礼正殿の儀", ""},
		{"1993-06-09", "皇太子徳仁親王の結婚の儀", ""},
		{"2019-04-30", "国民の休日", "before the accession"},
		{"2019-05-01", "天皇の即位の日", ""},
		{"2019-05-02", "国民の休日", "after the accession"},
		{"2019-05-06", "振替休日", ""},
		{"2019-10-22", "即位礼正殿の儀の行われる日", ""},

		{"2020-07-20", "", "moved for the Games"},
		{"2020-07-23", "海の日", "moved for the Games"},
		{"2020-07-24", "スポーツの日", "moved for the Games"},
		{"2020-08-10", "山の日", "moved for the Games"},
		{"2020-08-11", "", "moved for the Games"},
		{"2020-10-12", "", "moved for the Games"},
		{"2021-07-19", "", "moved for the Games"},
		{"2021-07-22", "海の日", "moved for the Games"},
		{"2021-07-23", "スポーツの日", "moved for the Games"},
		{"2021-08-08", "山の日", "moved for the Games"},
		{"2021-08-09", "振替休日", "the moved day was a Sunday"},
		{"2021-08-11", "", "moved for the Games"},
		{"2021-10-11", "", "moved for the Games"},
	}
	for _, tt := range tests {
		if got := Japan(day(t, tt.date)); got != tt.want {
			t.Errorf("Japan(%s) = %q, want %q (%s)", tt.date, got, tt.want, tt.why)
		}
	}
}

func TestDay(t *testing.T) {
	for _, tt := range []struct {
		name string
		year int
		want string
	}{
		{"海の日", 2025, "2025-07-21"},
		{"海の日", 2021, "2021-07-22"},
		{"山の日", 2021, "2021-08-08"},
		{"みどりの日", 2000, "2000-04-29"},
		{"みどりの日", 2025, "2025-05-04"},
		{"天皇誕生日", 1988, "1988-04-29"},
		{"天皇誕生日", 2019, ""},
		{"春分の日", 2026, "2026-03-20"},
		{"即位礼正殿の儀の行われる日", 2019, "2019-10-22"},
		{"スポーツの日", 2019, ""},
		{"元日", 2100, ""},
		{"元日", 1949, ""},
		{"猫の日", 2025, ""},
	} {
		got, ok := Day(tt.name, tt.year)
		if got.String() != tt.want || ok != (tt.want != "") {
			t.Errorf("Day(%s, %d) = %s, %v, want %q", tt.name, tt.year, got, ok, tt.want)
		}
	}
}

// Every day with the name of a national holiday is the one that Day returns for it.
func TestDayAgreesWithJapan(t *testing.T) {
	for year := firstYear; year <= lastYear; year++ {
		for d := (civil.Date{Year: year, Month: 1, Day: 1}); d.Year == year; d = d.AddDays(1) {
			name := national(d)
			if name == "" {
				continue
			}
			if got, ok := Day(name, year); !ok || got != d {
				t.Errorf("Day(%s, %d) = %s, %v, want %s", name, year, got, ok, d)
			}
		}
	}
}

// Every name has an English one, and there is no year with fewer or more holidays than the law ever gave.
func TestEveryYear(t *testing.T) {
	for year := firstYear; year <= lastYear; year++ {
		count := 0
		for d := (civil.Date{Year: year, Month: 1, Day: 1}); d.Year == year; d = d.AddDays(1) {
			name := Japan(d)
			if name == "" {
				continue
			}
			count++
			if English(name) == "" {
				t.Errorf("English(%q) is empty (%s)", name, d)
			}
		}
		if count < 9 || count > 22 {
			t.Errorf("%d has %d holidays, want 9 to 22", year, count)
		}
	}
	if got := English("無い日"); got != "" {
		t.Errorf("English of no holiday = %q, want none", got)
	}
}

// The short formula agrees with the astronomy it stands for: the mean equinox by a polynomial in time with the largest
// periodic terms, in Japanese civil time.
func TestEquinoxes(t *testing.T) {
	for year := firstYear; year <= lastYear; year++ {
		y := float64(year-2000) / 1000
		march := 2451623.80984 + 365242.37404*y + 0.05169*y*y - 0.00411*y*y*y - 0.00057*y*y*y*y
		september := 2451810.21715 + 365242.01767*y - 0.11575*y*y + 0.00337*y*y*y + 0.00078*y*y*y*y
		if got, want := vernal(year), dayInJapan(march); got != want {
			t.Errorf("vernal(%d) = %d, want %d", year, got, want)
		}
		if got, want := autumnal(year), dayInJapan(september); got != want {
			t.Errorf("autumnal(%d) = %d, want %d", year, got, want)
		}
	}
}

// dayInJapan returns the day of the month on which the equinox near the mean one at jde falls in Japan.
func dayInJapan(jde float64) int {
	terms := [][3]float64{
		{485, 324.96, 1934.136},
		{203, 337.23, 32964.467},
		{199, 342.08, 20.186},
		{182, 27.85, 445267.112},
		{156, 73.14, 45036.886},
		{136, 171.52, 22518.443},
		{77, 222.54, 65928.934},
		{74, 296.72, 3034.906},
		{70, 243.58, 9037.513},
		{58, 119.81, 33718.147},
		{52, 297.17, 150.678},
		{50, 21.02, 2281.226},
		{45, 247.54, 29929.562},
		{44, 325.15, 31555.956},
		{29, 60.93, 4443.417},
		{18, 155.12, 67555.328},
		{17, 288.79, 4562.452},
		{16, 198.04, 62894.029},
		{14, 199.76, 31436.921},
		{12, 95.39, 14577.848},
		{12, 287.11, 31931.756},
		{12, 320.81, 34777.259},
		{9, 227.73, 1222.114},
		{8, 15.45, 16859.074},
	}
	rad := math.Pi / 180
	centuries := (jde - 2451545) / 36525
	w := (35999.373*centuries - 2.47) * rad
	lambda := 1 + 0.0334*math.Cos(w) + 0.0007*math.Cos(2*w)
	sum := 0.0
	for _, term := range terms {
		sum += term[0] * math.Cos((term[1]+term[2]*centuries)*rad)
	}
	jde += 0.00001 * sum / lambda
	const unixEpoch = 2440587.5
	seconds := (jde - unixEpoch) * 86400
	seconds -= 66 // the difference of dynamical and civil time, near enough over the range
	return time.Unix(int64(seconds), 0).In(time.FixedZone("JST", 9*60*60)).Day()
}

// The list of days that others keep, where it is at hand: every day of its years must agree.
func TestAgainstList(t *testing.T) {
	path := filepath.Join("..", "..", "..", "shared", "testdata", "nlu", "holidays_jp.jsonl")
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: the list of holidays %s is not here", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()

	want := map[string]string{}
	years := map[string]bool{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var row struct {
			Date string `json:"date"`
			Name string `json:"name_ja"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		want[row.Date] = row.Name
		years[row.Date[:4]] = true
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for year := range years {
		for d := day(t, year+"-01-01"); d.String()[:4] == year; d = d.AddDays(1) {
			compare(t, d, want[d.String()])
		}
	}
}

// compare looks at the name too, except that the list words substitutes and days between holidays in its own way.
func compare(t *testing.T, d civil.Date, want string) {
	t.Helper()
	got := Japan(d)
	switch {
	case strings.Contains(want, "休日"):
		if !strings.Contains(got, "休日") {
			t.Errorf("Japan(%s) = %q, want a substitute or a day between holidays (%s)", d, got, want)
		}
	case got != want:
		t.Errorf("Japan(%s) = %q, want %q", d, got, want)
	}
}
