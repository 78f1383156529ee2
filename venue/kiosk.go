package venue

import "fmt"

// A Kiosk is how the venue's kiosks sound.
type Kiosk struct {
	// Volume is how loud they speak, in percent. Absent means 100; 0 is quiet mode, in which nothing is heard
	// before a visitor turns the voice on.
	Volume *int `yaml:"volume"`
	// Volumes are other volumes by the time of day; the first that fits counts.
	Volumes []VolumeHours `yaml:"volumes"`
}

// VolumeHours is a volume for a time of day.
type VolumeHours struct {
	// Hours are like 18:00-22:00, and may be over midnight.
	Hours  string `yaml:"hours"`
	Volume int    `yaml:"volume"`

	clock ClockRange
}

// Clock is the time of day for which it is the volume.
func (v VolumeHours) Clock() ClockRange { return v.clock }

// maxVolumes is how many times of day a kiosk may have.
const maxVolumes = 24

// checkKiosk fills in the defaults of the kiosk and what is derived, and adds what is wrong.
func (c *checker) checkKiosk(k *Kiosk) {
	const full = 100
	if k.Volume == nil {
		loud := full
		k.Volume = &loud
	}
	percent := func(key string, volume int) {
		if volume < 0 || volume > full {
			c.add(key, "%d is not from 0 to 100", volume)
		}
	}
	percent("kiosk.volume", *k.Volume)
	if len(k.Volumes) > maxVolumes {
		c.add("kiosk.volumes", "there are %d; at most %d can be", len(k.Volumes), maxVolumes)
	}
	for i := range k.Volumes {
		v, key := &k.Volumes[i], fmt.Sprintf("kiosk.volumes[%d]", i)
		percent(key+".volume", v.Volume)
		var ok bool
		if v.clock, ok = parseRange(v.Hours); !ok {
			c.add(key+".hours", "%q is not like 18:00-22:00", v.Hours)
		}
	}
}
