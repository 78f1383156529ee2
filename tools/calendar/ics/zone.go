package ics

import (
	"fmt"
	"strings"
	"time"

	"annai/fault"
	"annai/tools/calendar/recur"
)

// zones finds the zones that a file names. It is used while a file is read, by one goroutine.
type zones struct {
	// own is where floating times are meant.
	own *time.Location
	// defined are the file's VTIMEZONEs by TZID.
	defined map[string]*time.Location
	found   map[string]*time.Location // nil where there is none
}

// newZones takes the definitions of a file. What is wrong with one matters only to events that need it.
func newZones(s split, location *time.Location, steps *recur.Budget) *zones {
	z := &zones{own: location, defined: map[string]*time.Location{}, found: map[string]*time.Location{}}
	if loc := known(s.zone); loc != nil {
		z.own = loc
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
func (z *zones) lookup(tzid string) (*time.Location, error) {
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

func (z *zones) find(tzid string) *time.Location {
	if loc := known(tzid); loc != nil {
		return loc
	}
	return z.defined[tzid]
}

// nameless are the zones that only this file knows by their names.
func (z *zones) nameless() map[*time.Location]bool {
	all := map[*time.Location]bool{}
	for _, loc := range z.defined {
		if known(loc.String()) == nil {
			all[loc] = true
		}
	}
	return all
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
