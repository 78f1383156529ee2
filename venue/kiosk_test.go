package venue_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"annai/venue"
)

func TestKiosk(t *testing.T) {
	parse := func(kiosk string) (*venue.Venue, error) {
		text := "name: X\nkiosk:\n" + kiosk
		return venue.Parse(fstest.MapFS{"venue.yaml": {Data: []byte(text)}}, "venue.yaml")
	}
	v, err := parse("  volumes:\n    - {hours: \"21:00-9:00\", volume: 0}\n")
	if err != nil {
		t.Fatal(err)
	}
	if k := v.Kiosk; *k.Volume != 100 || k.Volumes[0].Clock().String() != "21:00-09:00" || k.Volumes[0].Volume != 0 {
		t.Errorf("kiosk = %d %+v, want 100 and quiet at night", *k.Volume, k.Volumes)
	}
	for _, wrong := range []string{
		"  volume: 101\n", "  volumes: [{hours: 25:00-9:00, volume: 10}]\n",
		"  volumes: [{hours: \"9:00-12:00\", volume: -1}]\n",
	} {
		if _, err := parse(wrong); err == nil || !strings.Contains(err.Error(), "kiosk.volume") {
			t.Errorf("%q = %v, want it refused by name", wrong, err)
		}
	}
}
