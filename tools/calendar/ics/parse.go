package ics

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"annai/internal/fault"
	"annai/tools/calendar"
)

// Bounds on a file.
const (
	maxEvents   = 50_000
	maxProblems = 20
	// parseSteps is what all rules of a file may take while it is read, to find the ends of those with COUNT.
	parseSteps = 2_000_000
)

var untilProp = ical.NewProp("UNTIL")

// parse reads a file. An error is a file that is no calendar; what is wrong with single events is in the document.
func parse(data []byte, location *time.Location) (*document, error) {
	parts := takeApart(data)
	if parts.err != nil && len(parts.events) == 0 {
		return nil, parts.err
	}
	steps := &budget{left: parseSteps}
	p := parser{zones: newZones(parts, location, steps), steps: steps, byUID: map[string]*series{}}
	if parts.err != nil {
		p.problem(parts.err)
	}
	for i, b := range parts.events {
		if i == maxEvents {
			p.problem(fmt.Errorf("only the first %d events are read: %w", maxEvents, fault.ErrInvalid))
			break
		}
		if err := p.add(b); err != nil {
			p.problem(err)
		}
	}
	return p.document(), nil
}

// A parser gathers the series of a file.
type parser struct {
	zones    *zones
	steps    *budget
	series   []*series
	byUID    map[string]*series
	problems []error
	more     int
}

func (p *parser) problem(err error) {
	if len(p.problems) == maxProblems {
		p.more++
		return
	}
	p.problems = append(p.problems, err)
}

func (p *parser) document() *document {
	for _, s := range p.series {
		s.prepare()
	}
	if p.more > 0 {
		p.problems = append(p.problems, fmt.Errorf("%d more problems: %w", p.more, fault.ErrInvalid))
	}
	return newDocument(p.series, p.problems)
}

// add reads a VEVENT and puts it where it belongs.
func (p *parser) add(b block) error {
	c, err := b.decode()
	if err != nil {
		return fmt.Errorf("event %s: %w", uidOf(b), err)
	}
	e, err := p.entry(c, b)
	if err != nil {
		return fmt.Errorf("event %s: %w", uidOf(b), err)
	}
	s := p.byUID[e.uid]
	if s == nil {
		s = &series{uid: e.uid, z: p.zones}
		p.byUID[e.uid] = s
		p.series = append(p.series, s)
	}
	switch {
	case e.instead == nil:
		return s.setMaster(e)
	case e.following:
		s.followers = put(s.followers, e)
	default:
		s.singles = put(s.singles, e)
	}
	return nil
}

// setMaster keeps the newer of two, and says so where nothing tells which that is.
func (s *series) setMaster(e *entry) error {
	old := s.master
	if old == nil || e.newer(old) >= 0 {
		s.master = e
	}
	if old != nil && e.newer(old) == 0 && e.event.ETag != old.event.ETag {
		return fmt.Errorf("event %s: two events have this UID, the first is left out: %w", e.uid, fault.ErrInvalid)
	}
	return nil
}

// put adds a replacement, or replaces an older one of the same instance.
func put(list []*entry, e *entry) []*entry {
	for i, old := range list {
		if key(*old.instead) == key(*e.instead) && old.instead.date == e.instead.date {
			if e.newer(old) >= 0 {
				list[i] = e
			}
			return list
		}
	}
	return append(list, e)
}

// newer compares revisions.
func (e *entry) newer(o *entry) int { return slices.Compare(e.revision[:], o.revision[:]) }

// uidOf names a block for people, whatever is wrong with it.
func uidOf(b block) string {
	for _, line := range b.lines {
		if len(line) > 4 && strings.EqualFold(line[:4], "UID:") {
			return fmt.Sprintf("%.100q", strings.TrimSpace(line[4:]))
		}
	}
	return "without UID"
}

func (p *parser) entry(c *ical.Component, b block) (*entry, error) {
	sum := sha256.Sum256([]byte(strings.Join(b.lines, "\n")))
	hash := hex.EncodeToString(sum[:8])
	e := &entry{uid: cmp.Or(text(c, "UID"), "no-uid-"+hash)}
	e.event = calendar.Event{
		Title: text(c, "SUMMARY"), Description: text(c, "DESCRIPTION"), Location: text(c, "LOCATION"),
		Status: status(c), Visibility: visibility(c), Source: source, ETag: hash,
	}
	if address := text(c, "URL"); isHTTP(address) {
		e.event.URL = address
	}
	e.revision = p.revision(c)
	steps := []func(*ical.Component, *entry) error{p.setInstead, p.setStart, p.setLength, p.setRules, p.setDates}
	for _, step := range steps {
		if err := step(c, e); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func status(c *ical.Component) calendar.Status {
	switch strings.ToUpper(text(c, "STATUS")) {
	case "CANCELLED", "CANCELED":
		return calendar.Cancelled
	case "TENTATIVE":
		return calendar.Tentative
	default:
		return calendar.Confirmed
	}
}

// visibility takes unknown classes for private, as the standard asks.
func visibility(c *ical.Component) calendar.Visibility {
	switch strings.ToUpper(text(c, "CLASS")) {
	case "", "PUBLIC":
		return calendar.Public
	default:
		return calendar.Private
	}
}

func (p *parser) revision(c *ical.Component) [2]int64 {
	r := [2]int64{int64(number(c, "SEQUENCE"))}
	for _, name := range []string{"LAST-MODIFIED", "DTSTAMP"} {
		if prop := c.Props.Get(name); prop != nil {
			if m, err := p.zones.moment(prop, prop.Value); err == nil && !m.date {
				r[1] = m.instant().Unix()
				return r
			}
		}
	}
	return r
}

func (p *parser) setInstead(c *ical.Component, e *entry) error {
	prop := c.Props.Get("RECURRENCE-ID")
	if prop == nil {
		return nil
	}
	m, err := p.zones.moment(prop, prop.Value)
	if err != nil {
		return err
	}
	e.instead = &m
	switch r := strings.ToUpper(prop.Params.Get("RANGE")); r {
	case "":
	case "THISANDFUTURE":
		e.following = true
	default:
		return fmt.Errorf("RECURRENCE-ID has RANGE %.50q: %w", r, fault.ErrInvalid)
	}
	return nil
}

func (p *parser) setStart(c *ical.Component, e *entry) error {
	prop := c.Props.Get("DTSTART")
	switch {
	case prop == nil && e.instead == nil:
		return fmt.Errorf("no DTSTART: %w", fault.ErrInvalid)
	case prop == nil: // a bare cancellation
		e.start, e.bare = *e.instead, true
		return nil
	}
	m, err := p.zones.moment(prop, prop.Value)
	if err == nil && (m.wall.Year() < 1583 || m.wall.Year() > 9000) {
		err = fmt.Errorf("DTSTART %q is out of range: %w", prop.Value, fault.ErrInvalid)
	}
	e.start = m
	return err
}

func (p *parser) setLength(c *ical.Component, e *entry) error {
	var err error
	if prop := c.Props.Get("DTEND"); prop != nil {
		var end moment
		if end, err = p.zones.moment(prop, prop.Value); err == nil {
			e.length, err = between(e.start, end)
		}
	} else if prop := c.Props.Get("DURATION"); prop != nil {
		e.length, err = parseLength(prop.Value)
	} else {
		e.length = inferred(e.start)
	}
	if err == nil && e.start.date {
		e.length.days += int((e.length.exact + day - 1) / day) // hours of an all-day event are days begun
		e.length.exact = 0
		if e.length.days == 0 {
			e.length = inferred(e.start)
		}
	}
	return err
}

func inferred(start moment) length {
	if start.date {
		return length{days: 1, inferred: true}
	}
	return length{exact: calendar.DefaultLength, inferred: true}
}

// between returns how long it is from start to end. An all-day event that ends on the day it starts on is one of the many
// that forgot that the end is exclusive.
func between(start, end moment) (length, error) {
	if start.date != end.date {
		return length{}, fmt.Errorf("one of start and end is a date, the other a time: %w", fault.ErrInvalid)
	}
	seconds := end.wall.Unix() - start.wall.Unix()
	if !start.date {
		seconds = end.instant().Unix() - start.instant().Unix()
	}
	switch {
	case seconds < 0:
		return length{}, fmt.Errorf("the end is before the start: %w", fault.ErrInvalid)
	case seconds > int64(maxLength/time.Second):
		return length{}, fmt.Errorf("the end is too far from the start: %w", fault.ErrInvalid)
	case start.date:
		return length{days: int(seconds / 86400)}, nil
	}
	return length{exact: time.Duration(seconds) * time.Second}, nil
}

func (p *parser) setRules(c *ical.Component, e *entry) error {
	if len(c.Props.Values("EXRULE")) > 0 {
		return fmt.Errorf("EXRULE is not understood: %w", fault.ErrInvalid)
	}
	if e.instead != nil {
		return nil // a replacement does not recur by itself
	}
	for _, prop := range c.Props.Values("RRULE") {
		r, err := p.zones.rule(prop.Value, e.start, p.steps)
		if err != nil {
			return err
		}
		e.rules = append(e.rules, r)
	}
	return nil
}

func (p *parser) setDates(c *ical.Component, e *entry) error {
	if e.instead != nil {
		return nil
	}
	for _, prop := range c.Props.Values("RDATE") {
		for value := range strings.SplitSeq(prop.Value, ",") {
			d, err := p.date(&prop, value, e.start)
			if err != nil {
				return err
			}
			e.dates = append(e.dates, d)
		}
	}
	for _, prop := range c.Props.Values("EXDATE") {
		for value := range strings.SplitSeq(prop.Value, ",") {
			if strings.TrimSpace(value) == "" {
				continue
			}
			m, err := p.zones.moment(&prop, value)
			if err != nil {
				return err
			}
			e.except = append(e.except, m)
		}
	}
	return nil
}

// date reads one RDATE, which may be a period, of a series that starts at start.
func (p *parser) date(prop *ical.Prop, value string, start moment) (date, error) {
	value, end, isPeriod := strings.Cut(value, "/")
	m, err := p.zones.moment(prop, value)
	if err != nil {
		return date{}, err
	}
	if m.date != start.date {
		return date{}, fmt.Errorf("RDATE and DTSTART are not both dates or both times: %w", fault.ErrInvalid)
	}
	d := date{moment: m.in(start.zone)}
	if !isPeriod {
		return d, nil
	}
	var own length
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(end)), "P") {
		own, err = parseLength(end)
	} else {
		var until moment
		if until, err = p.zones.moment(prop, end); err == nil {
			own, err = between(m, until)
		}
	}
	d.length = &own
	return d, err
}
