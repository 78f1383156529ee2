package ics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar/recur"
	"annai/tools/tasks"
)

// WriteTasks writes tasks as a calendar of VTODOs (RFC 5545, 3.6.2), their IDs as UIDs.
func WriteTasks(all []tasks.Task, s Stamp) []byte {
	w := writer{}
	w.line("BEGIN:VCALENDAR")
	w.line("VERSION:2.0")
	w.line("PRODID:-//annai//annai//EN")
	for _, t := range all {
		w.line("BEGIN:VTODO")
		w.line("UID:" + t.ID)
		w.line("DTSTAMP:" + utc(s.Now))
		if !t.Updated.IsZero() {
			w.line("LAST-MODIFIED:" + utc(t.Updated))
		}
		for _, line := range slices.Concat(textLine("SUMMARY", t.Title), textLine("DESCRIPTION", t.Notes)) {
			w.line(line)
		}
		if !t.Due.IsZero() {
			w.line("DUE;VALUE=DATE:" + t.Due.In(time.UTC).Format("20060102"))
		}
		for _, line := range doneLines(t.Completed) {
			w.line(line)
		}
		w.line("END:VTODO")
	}
	w.line("END:VCALENDAR")
	return w.Bytes()
}

// doneLines say that a task was ticked off at a time; zero: that it is open.
func doneLines(at time.Time) []string {
	if at.IsZero() {
		return []string{"STATUS:NEEDS-ACTION"}
	}
	return []string{"STATUS:COMPLETED", "COMPLETED:" + utc(at), "PERCENT-COMPLETE:100"}
}

// A Todo is a task as a server keeps it, an object of its own. It does not change.
type Todo struct {
	// Task is what it says, its UID as ID.
	Task tasks.Task
	// Cancelled is that it is not to be done any more, and Recurs that it is to be done again and
	// again, as other programs make them.
	Cancelled, Recurs bool

	lines []string
	place part
}

// todoWanted are the properties that are read.
var todoWanted = []string{
	"UID", "SUMMARY", "DESCRIPTION", "STATUS", "DUE", "COMPLETED", "DTSTAMP", "CREATED", "LAST-MODIFIED",
}

// ReadTodo reads an object with a task, or with one that recurs and its instances. Location is where
// the owner's days begin. What is no calendar, and what has no task with a UID, is [fault.ErrInvalid].
func ReadTodo(data []byte, location *time.Location) (*Todo, error) {
	parts := takeApart(data)
	if parts.err != nil {
		return nil, parts.err
	}
	t := &Todo{lines: ownLines(data).all}
	all := slices.DeleteFunc(components(t.lines), func(c part) bool {
		return c.name != ical.CompToDo || c.has(t.lines, "RECURRENCE-ID")
	})
	if len(all) != 1 {
		return nil, fmt.Errorf("object has %d tasks: %w", len(all), fault.ErrInvalid)
	}
	t.place = all[0]
	t.Recurs = t.place.has(t.lines, "RRULE") || t.place.has(t.lines, "RDATE")
	c, err := t.component()
	if err != nil {
		return nil, err
	}
	return t, t.read(c, newZones(parts, location, recur.NewBudget(parseSteps)), location)
}

// component decodes the properties that are read.
func (t *Todo) component() (*ical.Component, error) {
	b := block{name: ical.CompToDo}
	for _, line := range t.place.own(t.lines) {
		name, _ := cutProperty(line)
		if !slices.Contains(todoWanted, name) {
			continue
		}
		if headLength(line) > maxHead {
			return nil, fmt.Errorf("property %s is too long: %w", name, fault.ErrInvalid)
		}
		b.lines = append(b.lines, strings.ToValidUTF8(line, "\uFFFD"))
	}
	return b.decode()
}

func (t *Todo) read(c *ical.Component, z *zones, location *time.Location) error {
	t.Task = tasks.Task{ID: text(c, "UID"), Title: text(c, "SUMMARY"), Notes: text(c, "DESCRIPTION")}
	if t.Task.ID == "" {
		return fmt.Errorf("task without UID: %w", fault.ErrInvalid)
	}
	if due := c.Props.Get("DUE"); due != nil {
		m, err := z.moment(due)
		if err != nil {
			return err
		}
		if t.Task.Due = m.Date(); !m.IsDay() {
			t.Task.Due = civil.DateOf(m.Instant().In(location))
		}
	}
	for _, name := range []string{"CREATED", "DTSTAMP", "LAST-MODIFIED"} {
		if at, ok := instant(c, name); ok {
			t.Task.Updated = at
		}
	}
	completed, known := instant(c, "COMPLETED")
	switch status := strings.ToUpper(text(c, "STATUS")); {
	case status == "CANCELLED":
		t.Cancelled = true
	case status == "COMPLETED" || status == "" && known:
		t.Task.Completed = completed
		if !known {
			t.Task.Completed = cmp.Or(t.Task.Updated, time.Unix(0, 0).UTC())
		}
	}
	return nil
}

// instant reads a time in UTC.
func instant(c *ical.Component, name string) (time.Time, bool) {
	at, err := time.Parse("20060102T150405Z", text(c, name))
	return at, err == nil
}

// Tick writes the object as ticked off at a time; zero: as open. What else is in it stays.
func (t *Todo) Tick(at time.Time, s Stamp) []byte {
	drop := []string{"DTSTAMP", "LAST-MODIFIED", "STATUS", "COMPLETED", "PERCENT-COMPLETE"}
	return rewrite(t.lines, t.place, drop, append(stampLines(s), doneLines(at)...), nil, nil)
}
