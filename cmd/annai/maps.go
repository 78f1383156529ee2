package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"annai/internal/config"
	"annai/internal/geo"
	"annai/internal/setup"
	"annai/tools/directions"
	routes "annai/tools/directions/google"
	"annai/tools/directions/osrm"
	"annai/tools/places"
	googleplaces "annai/tools/places/google"
	"annai/tools/timezone"
	googlezones "annai/tools/timezone/google"
)

// mapServices are what the tools for places, time zones and ways ask; nil where they ask none.
type mapServices struct {
	places places.Resolver
	zones  timezone.Finder
	ways   map[directions.Mode]directions.Service
}

// openMaps makes the services that the settings name.
func (a *assembly) openMaps(ctx context.Context, c config.Config) (err error) {
	m := c.Maps
	if m.Google("places") {
		opts := googleplaces.Options{BaseURL: m.GoogleURL}
		if a.venue.At.Known {
			opts.Near = &a.venue.At.Point
		}
		if a.maps.places, err = googleplaces.New(ctx, m.GoogleKey, opts); err != nil {
			return err
		}
	}
	if m.Google("timezone") {
		a.maps.zones = googlezones.New(m.GoogleKey, m.GoogleURL, a.now)
	}
	a.maps.ways = map[directions.Mode]directions.Service{}
	if m.Google("directions") {
		google := directions.Service{Name: "google", Router: routes.New(m.GoogleKey, m.GoogleURL, a.now)}
		for _, mode := range []directions.Mode{directions.Driving, directions.Transit, directions.Walking} {
			a.maps.ways[mode] = google
		}
	}
	for mode, address := range map[directions.Mode]string{
		directions.Driving: m.OSRMDriving, directions.Walking: m.OSRMWalking,
	} {
		if address != "" {
			a.maps.ways[mode] = directions.Service{Name: "osrm", Router: osrm.New(address)}
		}
	}
	return nil
}

// registerMaps adds the tools.
func (a *assembly) registerMaps() error {
	return errors.Join(
		places.Register(a.tools, places.NewEmbedded(a.venue), a.maps.places),
		timezone.Register(a.tools, a.now, a.venue.Timezone, a.maps.zones),
		directions.Register(a.tools, a.maps.ways),
	)
}

// tryFor is how long the doctor waits for one service.
const tryFor = 8 * time.Second

// maps says which part each of the tools for places, time zones and ways uses, tries it, and says what more there
// could be.
func (d *doctor) maps(ctx context.Context, a *assembly) {
	ctx, cancel := context.WithTimeout(ctx, 3*tryFor)
	defer cancel()
	d.places(ctx, a)
	d.zones(ctx, a)
	d.ways(ctx, a)
}

func (d *doctor) places(ctx context.Context, a *assembly) {
	const part = "places"
	if !a.venue.At.Known {
		d.note(part, "the venue's file gives no location: no walk from here is told")
	}
	own := fmt.Sprintf("places_resolve: the venue's places: %d", len(a.venue.Places))
	if a.maps.places == nil {
		_, err := places.NewEmbedded(a.venue).Resolve(ctx, places.Query{Text: "東京"})
		if err != nil {
			d.say(false, part, "places_resolve: embedded list: %v", setup.OneLine(err))
			return
		}
		const more = "With google-maps-key: addresses, stations and shops by Google"
		d.say(true, part, "%s; then the embedded list of towns. %s", own, more)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	if _, err := a.maps.places.Resolve(ctx, places.Query{Text: a.venue.Name.In("ja"), Language: "ja"}); err != nil {
		d.say(false, part, "%s; Google Places failed (the embedded list answers instead): %v", own, setup.OneLine(err))
		return
	}
	d.say(true, part, "%s; then Google Places, and the embedded list where that fails", own)
}

func (d *doctor) zones(ctx context.Context, a *assembly) {
	const part = "timezone"
	at := anywhere(a)
	finder, what := timezone.Finder(timezone.Embedded{}), "timezone_resolve: embedded map"
	if a.maps.zones != nil {
		finder, what = a.maps.zones, "timezone_resolve: Google Time Zone"
	}
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	name, err := finder.Zone(ctx, at)
	switch {
	case err != nil:
		d.say(false, part, "%s: %v", what, setup.OneLine(err))
	case a.venue.At.Known && name != a.venue.Timezone:
		d.note(part, "%s: the venue's location is in %s, and its timezone is %s", what, name, a.venue.Timezone)
	case a.maps.zones == nil:
		const more = "With google-maps-key and google-maps-for timezone: Google, exact to the metre"
		d.say(true, part, "%s. %s", what, more)
	default:
		d.say(true, part, "%s, and the embedded map where that fails", what)
	}
}

func (d *doctor) ways(ctx context.Context, a *assembly) {
	const part = "directions"
	at := anywhere(a)
	var words []string
	estimated, failed := false, false
	for _, mode := range []directions.Mode{directions.Driving, directions.Transit, directions.Walking} {
		s, ok := a.maps.ways[mode]
		if !ok {
			estimated = true
			words = append(words, string(mode)+": estimate by distance")
			continue
		}
		words = append(words, string(mode)+": "+s.Name)
		trip := directions.Trip{From: at, To: geo.Point{Lat: at.Lat - 0.005, Lng: at.Lng}, Mode: mode}
		if err := tryWay(ctx, s, trip); err != nil {
			failed = true
			d.say(false, part, "directions_estimate: %s by %s failed (an estimate answers instead): %v",
				mode, s.Name, setup.OneLine(err))
		}
	}
	more := ""
	if estimated {
		more = ". With google-maps-key, or osrm-driving-url and osrm-walking-url: ways along streets"
	}
	if !failed {
		d.say(true, part, "directions_estimate: %s%s", strings.Join(words, ", "), more)
	}
}

func tryWay(ctx context.Context, s directions.Service, trip directions.Trip) error {
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	_, err := s.Router.Way(ctx, trip)
	return err
}

// anywhere is where the venue is, or where it is not known the station of Tokyo.
func anywhere(a *assembly) geo.Point {
	if a.venue.At.Known {
		return a.venue.At.Point
	}
	return geo.Point{Lat: 35.6812, Lng: 139.7671}
}
