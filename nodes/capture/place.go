package capture

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/geo"
	"annai/nodes/owner"
	"annai/tools"
	"annai/tools/directions"
	"annai/tools/places"
	"annai/tools/timezone"
)

// query is the input of places_resolve.
type query struct {
	Query string `json:"query"`
}

// locate looks up where the place is, which time its clocks show and how long the way is. What can't be
// looked up is left out.
func (r *Reader) locate(ctx context.Context, caller tools.Caller, c *owner.Capture, now time.Time) {
	if c.Read.Place.Text == "" {
		return
	}
	place, ok := r.resolve(ctx, caller, c.Read.Place.Text)
	if !ok {
		return
	}
	if !c.Instant {
		r.zone(ctx, caller, c, place.Location, now)
	}
	if place.Precision == places.Exact && r.opts.Home != nil {
		c.Way = r.way(ctx, caller, *r.opts.Home, place.Location)
	}
}

// resolve finds a place by its name, or by the address in brackets behind it.
func (r *Reader) resolve(ctx context.Context, caller tools.Caller, name string) (place places.Resolved, ok bool) {
	names := []string{name}
	if i := strings.IndexAny(name, "(（"); i >= 0 {
		names = append(names, strings.Trim(name[i:], "()（） "), strings.TrimSpace(name[:i]))
	}
	for _, n := range names {
		if n == "" {
			continue
		}
		ok, err := r.call(ctx, caller, "places_resolve", query{n}, &place)
		if err != nil {
			r.opts.Log.WarnContext(ctx, "place not looked up", slog.Any("err", err))
			return places.Resolved{}, false
		}
		if ok {
			return place, true
		}
	}
	return places.Resolved{}, false
}

// zone tells the times of the announcement in the owner's zone, where the clocks of the place show
// another.
func (r *Reader) zone(ctx context.Context, caller tools.Caller, c *owner.Capture, at geo.Point, now time.Time) {
	w := &c.Read.When
	if w.Day.IsZero() || w.Start == nil || !w.LastDay.IsZero() {
		return
	}
	wall := w.Day.In(time.UTC).Add(time.Duration(*w.Start) * time.Minute)
	in := timezone.Input{Location: at, Timestamp: wall.Format("2006-01-02T15:04:05")}
	var out timezone.Output
	if ok, err := r.call(ctx, caller, "timezone_resolve", in, &out); err != nil || !ok || out.Degraded {
		r.opts.Log.WarnContext(ctx, "time zone not looked up", slog.Any("err", err))
		return
	}
	there, err := time.LoadLocation(out.TimeZoneID)
	if err != nil {
		return
	}
	start := time.Date(w.Day.Year, w.Day.Month, w.Day.Day, 0, *w.Start, 0, 0, there)
	here := start.In(now.Location())
	_, a := start.Zone()
	if _, b := here.Zone(); a == b {
		return
	}
	c.Zone, c.There = out.TimeZoneID, start
	shift := minutesOf(here) - *w.Start
	w.Day = civil.DateOf(here)
	for _, m := range []**int{&w.Start, &w.End, &w.Doors} {
		if *m != nil {
			moved := (**m + shift + 2*dayMinutes) % dayMinutes
			*m = &moved
		}
	}
}

// dayMinutes is how many minutes a day has.
const dayMinutes = 24 * 60

func minutesOf(t time.Time) int { return t.Hour()*60 + t.Minute() }

// walkable is how far it is at most, as the crow flies, that people are told to walk, in metres.
const walkable = 2_000

// way is how long it takes from one place to another.
func (r *Reader) way(ctx context.Context, caller tools.Caller, from, to geo.Point) owner.Way {
	in := directions.Input{Origin: from, Destination: to, Mode: directions.Driving}
	if geo.Distance(from, to) <= walkable {
		in.Mode = directions.Walking
	}
	var out directions.Output
	ok, err := r.call(ctx, caller, "directions_estimate", in, &out)
	if err != nil {
		r.opts.Log.WarnContext(ctx, "way not looked up", slog.Any("err", err))
	}
	if !ok || out.DurationSeconds <= 0 {
		return owner.Way{}
	}
	minutes := (out.DurationSeconds + 59) / 60
	return owner.Way{Minutes: minutes, Walking: in.Mode == directions.Walking, Estimate: out.Estimate}
}
