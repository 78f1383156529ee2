// Package google finds ways with Google's Routes API, method computeRoutes.
//
// What is asked and answered:
// https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes
package google

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/internal/restjson"
	"annai/internal/secret"
	"annai/tools/directions"
)

// Routes is a [directions.Router].
type Routes struct {
	key    secret.Text
	base   string
	now    func() time.Time
	client *http.Client
}

// New returns the ways that Google knows, asked for with a key. base is where the API is, empty for Google; now is the
// clock.
func New(key secret.Text, base string, now func() time.Time) *Routes {
	if base == "" {
		base = "https://routes.googleapis.com"
	}
	return &Routes{key: key, base: strings.TrimSuffix(base, "/"), now: now, client: restjson.NewClient()}
}

// modes are ours in the words of Google.
var modes = map[directions.Mode]string{
	directions.Driving: "DRIVE", directions.Transit: "TRANSIT", directions.Walking: "WALK",
}

type waypoint struct {
	Location struct {
		LatLng struct {
			Latitude  float64 `json:"latitude"`
			Longitude float64 `json:"longitude"`
		} `json:"latLng"`
	} `json:"location"`
}

func waypointAt(p geo.Point) (w waypoint) {
	w.Location.LatLng.Latitude, w.Location.LatLng.Longitude = p.Lat, p.Lng
	return w
}

type question struct {
	Origin            waypoint `json:"origin"`
	Destination       waypoint `json:"destination"`
	TravelMode        string   `json:"travelMode"`
	RoutingPreference string   `json:"routingPreference,omitempty"`
	DepartureTime     string   `json:"departureTime,omitempty"`
}

type reply struct {
	Routes []struct {
		DistanceMeters int    `json:"distanceMeters"`
		Duration       string `json:"duration"` // "165s"
	} `json:"routes"`
}

// Way asks for the way of a trip.
func (r *Routes) Way(ctx context.Context, trip directions.Trip) (directions.Way, error) {
	body, err := json.Marshal(r.question(trip))
	if err != nil {
		return directions.Way{}, fmt.Errorf("google routes: %w", err)
	}
	address := r.base + "/directions/v2:computeRoutes"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return directions.Way{}, fmt.Errorf("google routes: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Goog-Api-Key", string(r.key))
	request.Header.Set("X-Goog-FieldMask", "routes.duration,routes.distanceMeters")
	var answer reply
	if err := restjson.Do(r.client, request, &answer); err != nil {
		return directions.Way{}, fmt.Errorf("google routes: %w", err)
	}
	if len(answer.Routes) == 0 {
		return directions.Way{}, fmt.Errorf("google routes: no way: %w", fault.ErrNotFound)
	}
	first := answer.Routes[0]
	duration, err := time.ParseDuration(first.Duration)
	if err != nil || duration < 0 || first.DistanceMeters < 0 {
		return directions.Way{}, fmt.Errorf("google routes: a way of %.40q: %w", first.Duration, fault.ErrUnavailable)
	}
	return directions.Way{Duration: duration, Meters: first.DistanceMeters}, nil
}

// question is what is sent. Google takes no departure in the past but for trains, and of cars only
// where traffic counts.
func (r *Routes) question(trip directions.Trip) question {
	q := question{Origin: waypointAt(trip.From), Destination: waypointAt(trip.To), TravelMode: modes[trip.Mode]}
	if trip.Departure.After(r.now()) && trip.Mode != directions.Walking {
		q.DepartureTime = trip.Departure.UTC().Format(time.RFC3339)
		if trip.Mode == directions.Driving {
			q.RoutingPreference = "TRAFFIC_AWARE"
		}
	}
	return q
}
