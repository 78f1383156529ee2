package ics

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// A change is an instant from which a zone has another offset.
type change struct {
	at             int64 // seconds since 1970
	before, offset int   // seconds east of UTC
	daylight       bool
}

// The years for which the rules of a defined zone are worked out.
var (
	zoneFrom = time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC)
	zoneTo   = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// defineZone makes a zone of a VTIMEZONE. One that can't be understood is nil: what needs it will say so.
func defineZone(b block, steps *recur.Budget) (id string, defined *time.Location) {
	c, err := b.decode()
	if err != nil {
		return "", nil
	}
	id = text(c, "TZID")
	if loc := known(text(c, "X-LIC-LOCATION")); loc != nil {
		return id, loc
	}
	var changes []change
	for _, child := range c.Children {
		part, err := observance(child, steps)
		if err != nil {
			return id, nil
		}
		changes = append(changes, part...)
	}
	if id == "" || len(changes) == 0 {
		return id, nil
	}
	loc, err := time.LoadLocationFromTZData(id, zoneData(changes))
	if err != nil {
		return id, nil
	}
	return id, loc
}

// observance works out when a STANDARD or DAYLIGHT part begins to hold: it is a series like any other, on a clock that hangs where the
// offset before it holds.
func observance(c *ical.Component, steps *recur.Budget) ([]change, error) {
	before, err := parseOffset(text(c, "TZOFFSETFROM"))
	if err != nil {
		return nil, err
	}
	after, err := parseOffset(text(c, "TZOFFSETTO"))
	if err != nil {
		return nil, err
	}
	prop := c.Props.Get("DTSTART")
	if prop == nil {
		return nil, fmt.Errorf("a part of a time zone has no DTSTART: %w", fault.ErrInvalid)
	}
	z := &zones{own: time.FixedZone("", before)}
	start, err := z.moment(prop)
	if err != nil || start.IsDay() {
		return nil, fmt.Errorf("a part of a time zone has no time as DTSTART: %w", fault.ErrInvalid)
	}
	onsets, err := z.onsets(start, recurrence(c), steps)
	if err != nil {
		return nil, err
	}
	changes := make([]change, 0, len(onsets))
	for _, at := range onsets {
		changes = append(changes, change{at: at, before: before, offset: after, daylight: c.Name == ical.CompTimezoneDaylight})
	}
	return changes, nil
}

// onsets returns seconds since 1970.
func (z *zones) onsets(start recur.Moment, lines []string, steps *recur.Budget) ([]int64, error) {
	s := recur.Series{Master: recur.Entry{Start: start, Event: calendar.Event{Recurrence: lines}}}
	x, err := recur.Compile(s, recur.Options{Zone: z.lookup, Steps: steps})
	if err != nil {
		return nil, err
	}
	onsets := []int64{start.Instant().Unix()}
	for e := range x.Between(civil.TimeRange{Start: zoneFrom, End: zoneTo}, steps) {
		onsets = append(onsets, e.Start.Unix())
	}
	if steps.Exhausted() {
		return nil, fmt.Errorf("a time zone changes too often: %w", fault.ErrInvalid)
	}
	return onsets, nil
}

// parseOffset reads "+0900" or "-033015" as seconds.
func parseOffset(s string) (int, error) {
	digits := strings.TrimLeft(s, "+-")
	n, err := strconv.Atoi(digits)
	if err != nil || len(s) != len(digits)+1 || len(digits) != 4 && len(digits) != 6 {
		return 0, fmt.Errorf("offset %q is not of the form +0900: %w", s, fault.ErrInvalid)
	}
	if len(digits) == 4 {
		n *= 100
	}
	seconds := n/10000*3600 + n/100%100*60 + n%100
	if seconds >= 86400 {
		return 0, fmt.Errorf("offset %q is over a day: %w", s, fault.ErrInvalid)
	}
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, nil
}

// zoneData writes changes in the format of zone files (RFC 8536, version 2), which is how a [time.Location] is made.
func zoneData(changes []change) []byte {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	changes = slices.CompactFunc(changes, func(a, b change) bool { return a.at == b.at })
	type kind struct {
		offset   int
		daylight bool
	}
	kinds := []kind{{offset: changes[0].before}} // before the first change
	var times, index, types bytes.Buffer
	for _, c := range changes {
		k := kind{c.offset, c.daylight}
		at := 1 + slices.Index(kinds[1:], k)
		if at == 0 {
			at = len(kinds)
			kinds = append(kinds, k)
		}
		if at > 255 {
			break
		}
		_ = binary.Write(&times, binary.BigEndian, c.at) // a buffer takes everything
		index.WriteByte(byte(at))
	}
	kinds = kinds[:min(len(kinds), 256)]
	for _, k := range kinds {
		_ = binary.Write(&types, binary.BigEndian, int32(k.offset))
		types.WriteByte(map[bool]byte{true: 1}[k.daylight])
		types.WriteByte(0)
	}
	names := []byte("-\x00") // one abbreviation for all

	var out bytes.Buffer
	header := func(times, types, chars int) {
		out.WriteString("TZif2" + strings.Repeat("\x00", 15))
		for _, n := range []int{0, 0, 0, times, types, chars} {
			_ = binary.Write(&out, binary.BigEndian, uint32(n))
		}
	}
	header(0, 0, 0) // the part in 32 bits, which nobody reads
	header(index.Len(), len(kinds), len(names))
	for _, part := range [][]byte{times.Bytes(), index.Bytes(), types.Bytes(), names, []byte("\n\n")} {
		out.Write(part)
	}
	return out.Bytes()
}
