// Package directions tells how long a way takes: measured by a service, or estimated from the distance.
//
// The one idea: an estimate says that it is one. It knows no streets, rivers and timetables, only how far two
// points are from each other and how fast people commonly get along. The package knows no HTTP.
package directions

import (
	"context"
	"math"
	"time"

	"annai/internal/geo"
)

// Mode is how one travels. It is a closed set.
type Mode string

// The values of [Mode].
const (
	Driving Mode = "driving"
	Transit Mode = "transit"
	Walking Mode = "walking"
)

// A Trip is a way that is asked for.
type Trip struct {
	From, To geo.Point
	Mode     Mode
	// Departure is zero for now.
	Departure time.Time
}

// A Way is how far and how long a trip is.
type Way struct {
	Duration time.Duration
	// Meters is the length of the way.
	Meters int
}

// A Router finds the way of a trip. Its errors wrap the kinds of package fault: [fault.ErrNotFound] where there is no
// way. It may be used concurrently.
type Router interface {
	Way(ctx context.Context, trip Trip) (Way, error)
}

// detour is how much longer a way is than the great circle between its ends. Ballou, Rahardja and
// Sakai, "Selected country circuity factors for road travel distance estimation" (2002), have 1.2 to
// 1.6 for most countries, between cities; in towns of a grid it is 4/π, 1.27, on average.
const detour = 1.3

// WalkingSpeed is that of notices of real estate in Japan: 80 metres a minute.
const WalkingSpeed = 80.0

// farthest is the great circle, in metres, beyond which nothing is estimated: there may be a sea between.
var farthest = map[Mode]float64{Walking: 50_000, Driving: 1_000_000, Transit: 1_000_000}

// A pace is the speed on a part of a way: so many metres, so many km/h.
type pace struct{ meters, speed float64 }

// paces are the speeds of a mode on the first part of a way, the next and the rest. Driving is town
// streets, main roads, motorways; transit is buses and subways, local and rapid trains, express trains.
var paces = map[Mode][]pace{
	Walking: {{math.Inf(1), WalkingSpeed * 60 / 1000}},
	Driving: {{5_000, 20}, {20_000, 35}, {math.Inf(1), 70}},
	Transit: {{10_000, 25}, {30_000, 45}, {math.Inf(1), 130}},
}

// ahead is what goes by before one moves: the walk to a stop and from it, and waiting.
var ahead = map[Mode]time.Duration{Transit: 10 * time.Minute}

// Estimate is what a trip takes by its distance alone. ok is false where it is too far for that to mean anything.
func Estimate(trip Trip) (way Way, ok bool) {
	straight := geo.Distance(trip.From, trip.To)
	if straight > farthest[trip.Mode] {
		return Way{}, false
	}
	meters := straight * detour
	hours, rest := 0.0, meters
	for _, p := range paces[trip.Mode] {
		part := min(rest, p.meters)
		hours, rest = hours+part/1000/p.speed, rest-part
	}
	duration := time.Duration(hours * float64(time.Hour))
	if meters >= 1 {
		duration += ahead[trip.Mode]
	}
	return Way{Duration: duration.Round(time.Second), Meters: int(math.Round(meters))}, true
}

const (
	// margin is what is added to the minutes of a way.
	margin = 5
	// unknownBuffer is how many minutes to keep for a way of which nothing is known.
	unknownBuffer = 15
)

// Minutes are those of the way, rounded up.
func (w Way) Minutes() int { return int(math.Ceil(w.Duration.Minutes())) }

// Buffer is how many minutes to keep for a way: its minutes, and five.
func (w Way) Buffer() int { return w.Minutes() + margin }
