package ics

import (
	"fmt"
	"strings"
	"time"

	"annai/internal/fault"
)

// A zone is where a clock hangs.
type zone struct {
	loc *time.Location
	// iana says that the name of loc is one that others know.
	iana bool
}

var utc = &zone{loc: time.UTC, iana: true}

// zones finds the zones that a file names. It is used while a file is read, by one goroutine.
type zones struct {
	// own is where floating times are meant.
	own *zone
	// defined are the file's VTIMEZONEs by TZID.
	defined map[string]*zone
	found   map[string]*zone // nil where there is none
}

// newZones takes the definitions of a file. What is wrong with one matters only to events that need it.
func newZones(s split, location *time.Location, steps *budget) *zones {
	z := &zones{own: &zone{loc: location, iana: true}, defined: map[string]*zone{}, found: map[string]*zone{}}
	if location == time.UTC {
		z.own = utc
	}
	if loc := known(s.zone); loc != nil {
		z.own = &zone{loc: loc, iana: true}
	}
	for _, b := range s.zones {
		if id, defined := defineZone(b, steps); defined != nil {
			z.defined[id] = defined
		}
	}
	return z
}

// lookup returns the zone of a TZID; none is the calendar's own. A name that the world knows beats the file's definition,
// which is often an old or shortened copy.
func (z *zones) lookup(tzid string) (*zone, error) {
	tzid = strings.TrimSpace(tzid)
	if tzid == "" {
		return z.own, nil
	}
	found, ok := z.found[tzid]
	if !ok {
		found = z.find(tzid)
		z.found[tzid] = found
	}
	if found == nil {
		return nil, fmt.Errorf("time zone %q is unknown: %w", tzid, fault.ErrInvalid)
	}
	return found, nil
}

func (z *zones) find(tzid string) *zone {
	if loc := known(tzid); loc != nil {
		return &zone{loc: loc, iana: true}
	}
	return z.defined[tzid]
}

// known returns the location for an IANA name, one with a prefix ("/example.org/2026a/Asia/Tokyo") or a Windows name, else
// nil.
func known(name string) *time.Location {
	name = strings.Trim(strings.TrimSpace(name), `"`)
	if name == "" || name == "Local" {
		return nil
	}
	if iana, ok := windowsZones[strings.ToLower(name)]; ok {
		name = iana
	}
	if loc, err := time.LoadLocation(name); err == nil {
		return loc
	}
	parts := strings.Split(name, "/")
	for n := 3; n >= 2; n-- {
		if len(parts) <= n {
			continue
		}
		if loc, err := time.LoadLocation(strings.Join(parts[len(parts)-n:], "/")); err == nil {
			return loc
		}
	}
	return nil
}
