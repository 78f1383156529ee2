// Package geo is points on the earth and the distance between them.
package geo

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"annai/fault"
)

// A Point is a place on the earth in degrees (WGS 84).
type Point struct {
	Lat float64 `json:"lat" min:"-90" max:"90" jsonschema:"Latitude in degrees, north positive."`
	Lng float64 `json:"lng" min:"-180" max:"180" jsonschema:"Longitude in degrees, east positive."`
}

// ParsePoint reads "33.5925,130.4039", latitude first. What is no point is [fault.ErrInvalid].
func ParsePoint(s string) (Point, error) {
	before, after, ok := strings.Cut(s, ",")
	lat, latErr := strconv.ParseFloat(strings.TrimSpace(before), 64)
	lng, lngErr := strconv.ParseFloat(strings.TrimSpace(after), 64)
	p := Point{Lat: lat, Lng: lng}
	if !ok || latErr != nil || lngErr != nil || !p.Valid() {
		return Point{}, fmt.Errorf("%q is no latitude and longitude like 35.6812,139.7671: %w", s, fault.ErrInvalid)
	}
	return p, nil
}

// Valid reports whether p is on the earth.
func (p Point) Valid() bool {
	return p.Lat >= -90 && p.Lat <= 90 && p.Lng >= -180 && p.Lng <= 180 // false for what is not a number
}

// radius is the mean radius of the earth in metres (IUGG).
const radius = 6_371_008.8

// Distance returns the length in metres of the great circle between two points, by the haversine
// formula: within 0.6 % of the distance on the ellipsoid.
func Distance(a, b Point) float64 {
	lat1, lat2 := radians(a.Lat), radians(b.Lat)
	sinLat, sinLng := math.Sin((lat2-lat1)/2), math.Sin(radians(b.Lng-a.Lng)/2)
	h := sinLat*sinLat + math.Cos(lat1)*math.Cos(lat2)*sinLng*sinLng
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
