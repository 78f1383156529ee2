// Package timezone tells which time zone a point on the earth is in, and its offset at an instant.
//
// The one idea: which zone is geography, from a map inside the program or from a service; the offset is always
// computed from the zone and the instant with the time zone database of Go. The package knows no HTTP.
package timezone

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // offsets must be known on a machine without a zone database

	"github.com/klauspost/compress/zstd"
	"github.com/ringsaturn/tzf"
	pb "github.com/ringsaturn/tzf/gen/go/tzf/v1"
	"google.golang.org/protobuf/proto"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools/places/gazetteer"
)

// A Finder tells the zone of a point: a name of the IANA database. Its errors wrap the kinds of package fault. It
// may be used concurrently.
type Finder interface {
	Zone(ctx context.Context, at geo.Point) (string, error)
}

// Embedded is the map inside the program: the borders of timezone-boundary-builder, simplified, the sea included.
// It is unpacked when it is first asked for a point that is not plainly in Japan, which takes some tenths of a second
// and 60 MB that stay.
type Embedded struct{}

//go:generate go run ./generate
//go:embed data/zones.pb.zst
var compressed []byte

// mapBytes is what the map may take; it takes 4.7 MB.
const mapBytes = 64 << 20

// A zone is a part of the map.
type zone struct {
	name   string
	inside tzf.F
}

// zones unpacks the map a zone at a time: as one it would need twice the memory.
var zones = sync.OnceValues(func() ([]zone, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mapBytes))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	data, err := decoder.DecodeAll(compressed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack the map of time zones: %w", err)
	}
	packed := &pb.CompressedTimezones{}
	if err := proto.Unmarshal(data, packed); err != nil {
		return nil, fmt.Errorf("unpack the map of time zones: %w", err)
	}
	var all []zone
	for _, one := range packed.Timezones {
		inside, err := tzf.NewFinderFromCompressed(&pb.CompressedTimezones{
			Method: packed.Method, Version: packed.Version, Timezones: []*pb.CompressedTimezone{one},
		}, tzf.SetDropPBTZ)
		if err != nil {
			return nil, fmt.Errorf("unpack the zone %s: %w", one.Name, err)
		}
		all = append(all, zone{one.Name, inside})
	}
	slices.SortFunc(all, func(a, b zone) int { return strings.Compare(a.name, b.name) })
	return all, nil
})

const (
	// inland is how far the nearest town of a point is at most that is plainly in Japan, in metres, and abroad how far
	// the nearest one in another zone is at least: Busan is 50 km from Tsushima.
	inland = 20_000
	abroad = 60_000
)

// japan is the zone of all of Japan.
const japan = "Asia/Tokyo"

// inJapan reports whether towns of Japan are near a point and no others. Japan has one zone and no enclaves, so that
// they say as much as the map.
func inJapan(at geo.Point) bool {
	near := false
	for _, p := range gazetteer.Around(at, abroad) {
		if p.TimeZone != japan {
			return false
		}
		near = near || geo.Distance(p.Location, at) <= inland
	}
	return near
}

// gap is how wide a crack between simplified borders may be, in degrees.
const gap = 0.02

// Zone finds the zone on the map; the first by name where two are claimed, as in Xinjiang.
func (Embedded) Zone(_ context.Context, at geo.Point) (string, error) {
	if inJapan(at) {
		return japan, nil
	}
	all, err := zones()
	if err != nil {
		return "", err
	}
	for _, d := range []geo.Point{{}, {Lat: gap}, {Lat: -gap}, {Lng: gap}, {Lng: -gap}} {
		for _, z := range all {
			if name := z.inside.GetTimezoneName(at.Lng+d.Lng, at.Lat+d.Lat); name != "" {
				return name, nil
			}
		}
	}
	return "", fmt.Errorf("no time zone on the map at %.3f,%.3f: %w", at.Lat, at.Lng, fault.ErrUnavailable)
}

// load returns a zone by its name. One that Go does not know is [fault.ErrUnavailable].
func load(name string) (*time.Location, error) {
	loc, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, fmt.Errorf("there is no time zone %.64q: %w", name, fault.ErrUnavailable)
	}
	return loc, nil
}
