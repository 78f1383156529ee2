package recur

import (
	"strings"
	"time"

	"annai/fault"
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

// instanceID writes "series/20260115T050000Z" for an instant, "series/20260115" for the midnight of a day. (With [time.Time.Format] it would
// be half of what an expansion costs.)
func instanceID(series string, at int64, isDay bool) string {
	t := time.Unix(at, 0).UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	stamp := [...]byte{
		'/', digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), digit(int(month) / 10), digit(int(month)), digit(day / 10), digit(day),
		'T', digit(hour / 10), digit(hour), digit(minute / 10), digit(minute), digit(second / 10), digit(second), 'Z',
	}
	if isDay {
		return series + string(stamp[:len("/20260115")])
	}
	return series + string(stamp[:])
}

// digit is the last one of n.
func digit(n int) byte { return byte('0' + n%10) }
