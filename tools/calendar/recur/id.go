package recur

import (
	"strings"
	"time"

	"annai/internal/fault"
)

// InstanceID returns the id of the instance of a series that was to be at original. It is the same at every read, and whatever replaces
// the instance.
func InstanceID(series string, original Moment) string {
	return instanceID(series, original.key(), original.IsDay())
}

// SplitID takes an id that [InstanceID] made apart. False is that it is none.
func SplitID(id string) (series string, original Moment, ok bool) {
	at := strings.LastIndexByte(id, '/')
	if at < 1 {
		return "", Moment{}, false
	}
	original, err := ParseMoment(id[at+1:], "", noZone)
	if err != nil || InstanceID(id[:at], original) != id {
		return "", Moment{}, false
	}
	return id[:at], original, true
}

func noZone(string) (*time.Location, error) { return nil, fault.ErrInvalid }

// instanceID writes "series/20260115T050000Z" for an instant, "series/20260115" for the midnight of a day. (It is half of what an expansion
// costs if it is done with [time.Time.Format].)
func instanceID(series string, at int64, isDay bool) string {
	t := time.Unix(at, 0).UTC()
	var id strings.Builder
	id.Grow(len(series) + len("/20260115T050000Z"))
	id.WriteString(series)
	id.WriteByte('/')
	year, month, day := t.Date()
	digits(&id, year, 4)
	digits(&id, int(month), 2)
	digits(&id, day, 2)
	if isDay {
		return id.String()
	}
	hour, minute, second := t.Clock()
	id.WriteByte('T')
	digits(&id, hour, 2)
	digits(&id, minute, 2)
	digits(&id, second, 2)
	id.WriteByte('Z')
	return id.String()
}

// digits writes the last digits of n.
func digits(to *strings.Builder, n, width int) {
	if width > 1 {
		digits(to, n/10, width-1)
	}
	to.WriteByte(byte('0' + n%10))
}
