package server

import (
	"sync"
	"time"
)

// zones remembers the locations that were asked for. It holds no more than there are zones.
var zones sync.Map // of *time.Location by name

// zone returns the location with the IANA name. The server's own zone has no name here.
func zone(name string) (*time.Location, bool) {
	if known, ok := zones.Load(name); ok {
		location, ok := known.(*time.Location)
		return location, ok
	}
	if name == "" || name == "Local" {
		return nil, false
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	zones.Store(name, location)
	return location, true
}
