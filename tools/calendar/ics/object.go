package ics

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// An Object is what a server keeps under one UID, a calendar object resource (RFC 4791, 4.1): an
// event, or a series with what replaces some of its instances. It does not change.
type Object struct {
	doc    *document
	series *recur.Expander
	event  calendar.Event
	lines  []string
}

// ReadObject reads an object. Its events have the etag, which is the server's. Location is where
// times without a zone are meant. What is no calendar, and what has not exactly one event or series,
// is [fault.ErrInvalid].
func ReadObject(data []byte, etag string, location *time.Location) (*Object, error) {
	parts := takeApart(data)
	if parts.err != nil {
		return nil, parts.err
	}
	steps := recur.NewBudget(parseSteps)
	p := parser{zones: newZones(parts, location, steps), steps: steps, byUID: map[string]*series{}}
	for _, b := range parts.events[:min(len(parts.events), maxEvents)] {
		if err := p.add(b); err != nil {
			return nil, err
		}
	}
	if len(p.series) != 1 {
		return nil, fmt.Errorf("object has %d events: %w", len(p.series), fault.ErrInvalid)
	}
	own := ownLines(data)
	s := p.series[0]
	for _, e := range append([]*entry{s.master}, s.replacements...) {
		if e == nil {
			continue
		}
		e.Event.ETag, e.Event.Attendees, e.Event.Reminders = etag, own.attendees, own.reminders
	}
	o := &Object{lines: own.all}
	if s.master != nil {
		var err error
		if s.alone, err = p.compile(recur.Series{Master: s.master.Entry}); err != nil {
			return nil, err
		}
		if o.event, err = p.single(s.master); err != nil {
			return nil, err
		}
	}
	o.doc = p.document()
	if len(o.doc.problems) > 0 {
		return nil, o.doc.problems[0]
	}
	o.series = o.doc.series[0]
	return o, nil
}

// single is the event that a series begins with, with what makes it recur.
func (p *parser) single(master *entry) (calendar.Event, error) {
	first := *master
	first.Event.Recurrence = nil
	x, err := p.compile(recur.Series{Master: first.Entry})
	if err != nil {
		return calendar.Event{}, err
	}
	events, _ := x.First(1, p.zones.own)
	if len(events) != 1 {
		return calendar.Event{}, fmt.Errorf("event %.100q is never: %w", master.uid, fault.ErrInvalid)
	}
	e := events[0]
	e.SeriesID, e.Recurrence = "", nil
	for _, line := range master.Event.Recurrence {
		e.Recurrence = append(e.Recurrence, strings.ReplaceAll(line, `"`, "")) // around the names of zones
	}
	return e, nil
}

// Event is the event, a series with its Recurrence. Its ID is the UID. It is zero where the object has
// only instances of a series that is elsewhere.
func (o *Object) Event() calendar.Event {
	e := o.event
	e.Recurrence, e.Attendees = slices.Clone(e.Recurrence), slices.Clone(e.Attendees)
	return e
}

// Events returns what overlaps the window, and what was left out of it. Nobody changes the events. The error
// is the context's.
func (o *Object) Events(ctx context.Context, window civil.TimeRange, limit int) ([]calendar.Event, []error, error) {
	return o.doc.Events(ctx, window, limit)
}

// Instance returns the instance of the series that was to be at original. False is that there is none.
func (o *Object) Instance(original recur.Moment) (calendar.Event, bool) {
	return o.series.Instance(original)
}

// own is what is read of an object beside what [parse] reads of everybody's files: it is the owner's.
type own struct {
	// all are the unfolded lines.
	all       []string
	attendees []string
	reminders *calendar.Reminders
}

// ownLines reads the attendees and the alarms of the event itself, not of what replaces instances.
func ownLines(data []byte) own {
	var o own
	var alarms []time.Duration
	alarmed := false
	for line := range unfold(data) {
		if line != "" {
			o.all = append(o.all, line)
		}
	}
	for _, c := range components(o.all) {
		if c.name != "VEVENT" || c.has(o.all, "RECURRENCE-ID") {
			continue
		}
		for _, line := range c.own(o.all) {
			if name, value := cutProperty(line); name == "ATTENDEE" {
				if mail, ok := cutFold(value, "mailto:"); ok {
					o.attendees = append(o.attendees, strings.TrimSpace(mail))
				}
			}
		}
		for _, a := range c.inside(o.all, "VALARM") {
			alarmed = true
			if before, ok := trigger(a.own(o.all)); ok {
				alarms = append(alarms, before)
			}
		}
	}
	if alarmed {
		o.reminders = calendar.RemindBefore(alarms...)
	}
	return o
}

// trigger is how long before the start an alarm is. ok is false for one at another time, and for one
// that says that there is none (ACTION:NONE, as Apple writes it).
func trigger(lines []string) (before time.Duration, ok bool) {
	for _, line := range lines {
		name, value := cutProperty(line)
		switch {
		case name == "ACTION" && strings.EqualFold(value, "NONE"):
			return 0, false
		case name != "TRIGGER" || strings.Contains(strings.ToUpper(line[:len(line)-len(value)]), "RELATED=END"):
			continue
		}
		length, err := recur.ParseLength(strings.TrimLeft(value, "+-"))
		total := time.Duration(length.Days)*24*time.Hour + length.Exact
		zero := total == 0
		if ok = err == nil && (strings.HasPrefix(value, "-") || zero); ok {
			before = total
		}
	}
	return before, ok
}

// cutProperty is the name of a line's property, in capitals, and its value.
func cutProperty(line string) (name, value string) {
	head := headLength(line)
	if head < 0 {
		return "", ""
	}
	name, _, _ = strings.Cut(line[:head], ";")
	return strings.ToUpper(strings.TrimSpace(name)), line[head+1:]
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// A component is where one stands among the lines: from its BEGIN to its END, both included.
type part struct {
	name     string
	from, to int
}

// components are those of a calendar, and what is in them, in the order of their ends.
func components(lines []string) []part {
	var found, open []part
	for i, line := range lines {
		name, value := cutProperty(line)
		switch {
		case name == "BEGIN":
			open = append(open, part{name: component(value), from: i})
		case name == "END" && len(open) > 0:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			last.to = i
			found = append(found, last)
		}
	}
	return found
}

// own are the lines of the component itself, not of those in it.
func (c part) own(lines []string) []string {
	var mine []string
	depth := 0
	for _, line := range lines[c.from+1 : c.to] {
		name, _ := cutProperty(line)
		switch {
		case name == "BEGIN":
			depth++
		case name == "END":
			depth--
		case depth == 0:
			mine = append(mine, line)
		}
	}
	return mine
}

// inside are the components of a name in this one.
func (c part) inside(lines []string, name string) []part {
	var found []part
	for _, other := range components(lines) {
		if other.name == name && other.from > c.from && other.to < c.to {
			found = append(found, other)
		}
	}
	return found
}

func (c part) has(lines []string, property string) bool {
	for _, line := range c.own(lines) {
		if name, _ := cutProperty(line); name == property {
			return true
		}
	}
	return false
}
