package ics

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"annai/tools/calendar"
)

// A Stamp is when something is written, and how attendees are.
type Stamp struct {
	Now time.Time
	// Invite lets the server invite attendees. Otherwise it is told not to (SCHEDULE-AGENT, RFC
	// 6638).
	Invite bool
}

// NewObject writes an event as an object (RFC 5545), its ID as UID. The event has passed its check
// and has an end, and its zone is one that Go knows.
func NewObject(e calendar.Event, s Stamp) []byte { return WriteEvents([]calendar.Event{e}, s) }

// WriteEvents writes events as one file, each as [NewObject] does.
func WriteEvents(all []calendar.Event, s Stamp) []byte {
	w := writer{}
	w.line("BEGIN:VCALENDAR")
	w.line("VERSION:2.0")
	w.line("PRODID:-//annai//annai//EN")
	zones := map[string]bool{}
	for _, e := range all {
		if !zones[e.TimeZone] {
			w.lines(zoneLines(e))
		}
		zones[e.TimeZone] = zones[e.TimeZone] || !e.AllDay
	}
	for _, e := range all {
		w.line("BEGIN:VEVENT")
		w.line("UID:" + e.ID)
		w.line("CREATED:" + utc(s.Now))
		w.lines(stampLines(s), textLines(e), whenLines(e), e.Recurrence, otherLines(e, s), alarmLines(e))
		w.line("END:VEVENT")
	}
	w.line("END:VCALENDAR")
	return w.Bytes()
}

// Edit writes the object with a change made, of which after is the event. What the change does not
// name stays as it is, and so does what is not known here.
func (o *Object) Edit(c calendar.Change, after calendar.Event, s Stamp) []byte {
	drop := []string{"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
	add := append(stampLines(s), "SEQUENCE:"+strconv.Itoa(o.sequence()+1))
	for _, text := range []struct {
		changed *string
		name    string
	}{{c.Title, "SUMMARY"}, {c.Description, "DESCRIPTION"}, {c.Location, "LOCATION"}} {
		if text.changed != nil {
			drop = append(drop, text.name)
			add = append(add, textLine(text.name, *text.changed)...)
		}
	}
	if c.When != nil {
		drop = append(drop, "DTSTART", "DTEND", "DURATION")
		add = append(add, whenLines(after)...)
	}
	if c.Reminders != nil {
		add = append(add, alarmLines(after)...)
	}
	master := o.masters()[0]
	var gone []part
	if c.Reminders != nil {
		gone = master.inside(o.lines, "VALARM")
	}
	return rewrite(o.lines, master, drop, add, gone, zonesToAdd(o.lines, after, c.When != nil))
}

// zonesToAdd is the zone of the event, where the object has it not yet.
func zonesToAdd(lines []string, e calendar.Event, moved bool) []string {
	if !moved || slices.Contains(lines, "TZID:"+e.TimeZone) {
		return nil
	}
	return zoneLines(e)
}

func (o *Object) sequence() int {
	for _, c := range o.masters() {
		for _, line := range c.own(o.lines) {
			if name, value := cutProperty(line); name == "SEQUENCE" {
				n, _ := strconv.Atoi(strings.TrimSpace(value))
				return n
			}
		}
	}
	return 0
}

// masters are the events that replace no instance: one, as objects are read.
func (o *Object) masters() []part {
	return slices.DeleteFunc(components(o.lines), func(c part) bool {
		return c.name != "VEVENT" || c.has(o.lines, "RECURRENCE-ID")
	})
}

// rewrite writes the lines without some of a component's properties and without what is gone in it,
// with others at its end, and zones in front of it.
func rewrite(lines []string, c part, drop, add []string, gone []part, zones []string) []byte {
	w, depth := writer{}, 0
	for i, line := range lines {
		name, _ := cutProperty(line)
		inside := i > c.from && i < c.to
		if inside && name == "END" {
			depth--
		}
		dropped := inside && depth == 0 && slices.Contains(drop, name) ||
			slices.ContainsFunc(gone, func(c part) bool { return i >= c.from && i <= c.to })
		if inside && name == "BEGIN" {
			depth++
		}
		if i == c.from {
			for _, z := range zones {
				w.line(z)
			}
		}
		if i == c.to {
			for _, a := range add {
				w.line(a)
			}
		}
		if !dropped {
			w.line(line)
		}
	}
	return w.Bytes()
}

func utc(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

func stampLines(s Stamp) []string {
	return []string{"DTSTAMP:" + utc(s.Now), "LAST-MODIFIED:" + utc(s.Now)}
}

var escape = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

func textLine(name, value string) []string {
	if value == "" {
		return nil
	}
	return []string{name + ":" + escape.Replace(value)}
}

func textLines(e calendar.Event) []string {
	return slices.Concat(
		textLine("SUMMARY", e.Title),
		textLine("DESCRIPTION", e.Description),
		textLine("LOCATION", e.Location),
	)
}

// whenLines are when an event is. An end that was inferred is left out.
func whenLines(e calendar.Event) []string {
	if e.AllDay {
		day := func(name string, t time.Time) string { return name + ";VALUE=DATE:" + t.Format("20060102") }
		lines := []string{day("DTSTART", e.FirstDay.In(time.UTC))}
		if !e.EndInferred {
			lines = append(lines, day("DTEND", e.EndDay.In(time.UTC)))
		}
		return lines
	}
	lines := []string{moment("DTSTART", e.Start, e.TimeZone)}
	if !e.EndInferred {
		lines = append(lines, moment("DTEND", e.End, e.TimeZone))
	}
	return lines
}

func moment(name string, t time.Time, zone string) string {
	loc, err := time.LoadLocation(zone)
	if err != nil || zone == "" || zone == "UTC" {
		return name + ":" + utc(t)
	}
	return name + ";TZID=" + zone + ":" + t.In(loc).Format("20060102T150405")
}

// otherLines are what else there is of a new event.
func otherLines(e calendar.Event, s Stamp) []string {
	var lines []string
	if e.URL != "" {
		lines = append(lines, "URL:"+e.URL)
	}
	if e.Picture != "" { // programs that do not know IMAGE (RFC 7986) show what is attached
		lines = append(lines, "IMAGE;VALUE=URI;DISPLAY=BADGE:"+e.Picture, "ATTACH:"+e.Picture)
	}
	switch e.Status {
	case calendar.Tentative, calendar.Cancelled:
		lines = append(lines, "STATUS:"+strings.ToUpper(string(e.Status)))
	case calendar.Confirmed, "":
	}
	if e.Visibility == calendar.Private || e.Visibility == calendar.Busy {
		lines = append(lines, "CLASS:PRIVATE")
	}
	if e.Free {
		lines = append(lines, "TRANSP:TRANSPARENT")
	}
	agent := ";SCHEDULE-AGENT=NONE"
	if s.Invite {
		agent = ";RSVP=TRUE"
	}
	for _, mail := range e.Attendees {
		lines = append(lines, "ATTENDEE"+agent+":mailto:"+mail)
	}
	return lines
}

// alarmLines are the event's own reminders. That there is to be none is said as Apple says it: else
// programs that show the calendar add theirs.
func alarmLines(e calendar.Event) []string {
	if e.Reminders == nil {
		return nil
	}
	alarm := func(action, trigger string) []string {
		return []string{"BEGIN:VALARM", "ACTION:" + action, "DESCRIPTION:Reminder", trigger, "END:VALARM"}
	}
	if len(e.Reminders.Before) == 0 {
		return alarm("NONE", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z")
	}
	var lines []string
	for _, before := range e.Reminders.Before {
		lines = append(lines, alarm("DISPLAY", fmt.Sprintf("TRIGGER:-PT%dM", before/time.Minute))...)
	}
	return lines
}

// A writer writes lines of at most 75 octets, folding longer ones (RFC 5545, 3.1).
type writer struct{ bytes.Buffer }

const maxOctets = 75

func (w *writer) lines(parts ...[]string) {
	for _, part := range parts {
		for _, line := range part {
			w.line(line)
		}
	}
}

func (w *writer) line(text string) {
	for room := maxOctets; len(text) > room; room = maxOctets - 1 {
		cut := room
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		w.WriteString(text[:cut])
		w.WriteString("\r\n ")
		text = text[cut:]
	}
	w.WriteString(text)
	w.WriteString("\r\n")
}
