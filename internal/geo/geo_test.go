package geo

import (
	"errors"
	"math"
	"testing"

	"annai/fault"
)

// The distances on the ellipsoid are those of Vincenty's formula.
func TestDistance(t *testing.T) {
	tokyo, osaka := Point{35.6812, 139.7671}, Point{34.7025, 135.4959}
	for _, tt := range []struct {
		name string
		a, b Point
		want float64
	}{
		{"the same point", tokyo, tokyo, 0},
		{"Tokyo to Osaka", tokyo, osaka, 403_900},
		{"a quarter of the equator", Point{0, 0}, Point{0, 90}, 10_018_754},
		{"across the date line", Point{0, 179.5}, Point{0, -179.5}, 111_319},
		{"pole to pole", Point{90, 0}, Point{-90, 77}, 20_003_931},
		{"the other side", Point{10, 20}, Point{-10, -160}, 20_003_931},
	} {
		got := Distance(tt.a, tt.b)
		if math.Abs(got-tt.want) > 0.006*tt.want {
			t.Errorf("%s: Distance = %.0f m, want %.0f within 0.6 %%", tt.name, got, tt.want)
		}
		if back := Distance(tt.b, tt.a); math.Abs(back-got) > 0.01 {
			t.Errorf("%s: Distance the other way = %f, want %f", tt.name, back, got)
		}
	}
}

func TestParsePoint(t *testing.T) {
	if p, err := ParsePoint(" 33.5925, 130.4039 "); err != nil || p != (Point{33.5925, 130.4039}) {
		t.Errorf("ParsePoint = %v, %v", p, err)
	}
	for _, s := range []string{"", "33.5", "33.5,", "91,0", "0,181", "NaN,0", "0,Inf", "a,b", "1,2,3"} {
		if p, err := ParsePoint(s); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("ParsePoint(%q) = %v, %v, want ErrInvalid", s, p, err)
		}
	}
}
