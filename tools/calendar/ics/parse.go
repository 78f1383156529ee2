package ics

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// Bounds on a file.
const (
	maxEvents   = 50_000
	maxProblems = 20
	// parseSteps is what all rules of a file may take while it is read, to find the ends of those with COUNT.
	parseSteps = 2_000_000
)

// parse reads a file. An error is a file that is no calendar; what is wrong with single events is in the document.
func parse(data []byte, location *time.Location) (*document, error) {
	parts := takeApart(data)
	if parts.err != nil && len(parts.events) == 0 {
		return nil, parts.err
	}
	steps := recur.NewBudget(parseSteps)
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
	steps    *recur.Budget
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
	doc := &document{own: p.zones.own, nameless: p.zones.nameless()}
	for _, s := range p.series {
		all, err := s.expanders(p.compile)
		if err != nil {
			p.problem(fmt.Errorf("event %.100q: %w", s.uid, err))
			continue
		}
		doc.series = append(doc.series, all...)
	}
	if p.more > 0 {
		p.problems = append(p.problems, fmt.Errorf("%d more problems: %w", p.more, fault.ErrInvalid))
	}
	doc.problems = p.problems
	return doc
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
		s = &series{uid: e.uid}
		p.byUID[e.uid] = s
		p.series = append(p.series, s)
	}
	if e.instead.IsZero() {
		return p.addMaster(s, e)
	}
	s.put(e)
	return nil
}

func (p *parser) addMaster(s *series, e *entry) error {
	alone, err := p.compile(recur.Series{Master: e.Entry})
	if err != nil {
		return fmt.Errorf("event %.100q: %w", e.uid, err)
	}
	return s.setMaster(e, alone)
}

func (p *parser) compile(s recur.Series) (*recur.Expander, error) {
	return recur.Compile(s, recur.Options{Location: p.zones.own, Zone: p.zones.lookup, Steps: p.steps})
}

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
	sum := sha256.Sum256([]byte(strings.Join(b.lines, "\n") + b.picture))
	hash := hex.EncodeToString(sum[:8])
	e := &entry{uid: cmp.Or(text(c, "UID"), "no-uid-"+hash)}
	e.Event = calendar.Event{
		ID: e.uid, Title: title(c), Description: text(c, "DESCRIPTION"), Location: text(c, "LOCATION"),
		Status: status(c), Visibility: visibility(c), Source: source, ETag: hash,
		Free: strings.EqualFold(text(c, "TRANSP"), "TRANSPARENT"), Created: p.instant(c, "CREATED"), Updated: p.instant(c, "LAST-MODIFIED"),
	}
	e.Event.Picture = b.picture
	if address := text(c, "URL"); isHTTP(address) {
		e.Event.URL = address
	}
	e.revision = p.revision(c)
	steps := []func(*ical.Component, *entry) error{p.setInstead, p.setStart, p.setLength}
	for _, step := range steps {
		if err := step(c, e); err != nil {
			return nil, err
		}
	}
	if e.instead.IsZero() { // a replacement does not recur by itself
		e.Event.Recurrence = recurrence(c)
	}
	return e, nil
}

// instant reads a time that the standard wants in UTC. Zero is that there is none.
func (p *parser) instant(c *ical.Component, name string) time.Time {
	prop := c.Props.Get(name)
	if prop == nil {
		return time.Time{}
	}
	m, err := p.zones.moment(prop)
	if err != nil || m.IsDay() {
		return time.Time{}
	}
	return m.Instant().UTC()
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
		if at := p.instant(c, name); !at.IsZero() {
			r[1] = at.Unix()
			return r
		}
	}
	return r
}

func (p *parser) setInstead(c *ical.Component, e *entry) error {
	prop := c.Props.Get("RECURRENCE-ID")
	if prop == nil {
		return nil
	}
	m, err := p.zones.moment(prop)
	if err != nil {
		return err
	}
	e.instead = m
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
	case prop == nil && e.instead.IsZero():
		return fmt.Errorf("no DTSTART: %w", fault.ErrInvalid)
	case prop == nil: // a bare cancellation
		return nil
	}
	m, err := p.zones.moment(prop)
	if year := m.Date().Year; err == nil && (year < 1583 || year > 9000) {
		err = fmt.Errorf("DTSTART %q is out of range: %w", prop.Value, fault.ErrInvalid)
	}
	e.Start = m
	return err
}

func (p *parser) setLength(c *ical.Component, e *entry) error {
	start := e.Start
	if start.IsZero() { // bare: it lasts as long as what it replaces
		return nil
	}
	var err error
	if prop := c.Props.Get("DTEND"); prop != nil {
		var end recur.Moment
		if end, err = p.zones.moment(prop); err == nil {
			e.Length, err = recur.LengthBetween(start, end)
		}
	} else if prop := c.Props.Get("DURATION"); prop != nil {
		e.Length, err = recur.ParseLength(prop.Value)
	} else {
		e.Length = inferred(start)
	}
	if err == nil && start.IsDay() {
		e.Length.Days += int((e.Length.Exact + day - 1) / day) // hours of an all-day event are days begun
		e.Length.Exact = 0
		if e.Length.Days == 0 { // one of the many that forgot that the end is exclusive
			e.Length = inferred(start)
		}
	}
	return err
}

const day = 24 * time.Hour

func inferred(start recur.Moment) recur.Length {
	if start.IsDay() {
		return recur.Length{Days: 1, Inferred: true}
	}
	return recur.Length{Exact: calendar.DefaultLength, Inferred: true}
}

// isHTTP reports whether a visitor can be led to the address.
func isHTTP(address string) bool {
	lower := strings.ToLower(address)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}
