package google

import (
	"sync"
	"time"
)

// zones remembers time zones by name: loading one reads a file.
type zones struct{ known sync.Map }

// find returns the zone of an IANA name; false says that there is none.
func (z *zones) find(name string) (*time.Location, bool) {
	if loc, ok := z.known.Load(name); ok {
		return loc.(*time.Location), true
	}
	if name == "" || name == "Local" {
		return nil, false
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	z.known.Store(name, loc)
	return loc, true
}
