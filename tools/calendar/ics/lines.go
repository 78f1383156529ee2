package ics

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-ical"

	"annai/fault"
)

// Bounds on what the decoder is given: it recurses per level and takes quadratic time in the length of parameters.
const (
	maxDepth = 8
	maxHead  = 2048
)

// A block is an event or a time zone, as the unfolded lines of the properties that matter here.
type block struct {
	name  string
	lines []string
	// picture is the address of a picture of the event.
	picture string
	err     error
}

// A split is a file taken apart.
type split struct {
	events, zones []block
	// zone is the calendar's own (X-WR-TIMEZONE), if it names one.
	zone string
	err  error
}

// wanted are the properties that are read. All others are dropped before anything is decoded: attendees and organisers
// never get further than this.
var wanted = []string{
	"UID", "SUMMARY", otherSummary, "DESCRIPTION", "LOCATION", "URL", "STATUS", "CLASS", "TRANSP", "SEQUENCE", "DTSTAMP", "CREATED",
	"LAST-MODIFIED",
	"DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID",
	"TZID", "TZOFFSETFROM", "TZOFFSETTO", "X-LIC-LOCATION",
}

// A splitter walks through the lines of a file.
type splitter struct {
	split
	stack     []string
	open      *block
	calendars int
}

// takeApart finds the events and time zones of a file. Its err is what is wrong with the file as a whole.
func takeApart(data []byte) split {
	s := splitter{}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for line := range unfold(data) {
		if line != "" && !s.line(line) {
			break
		}
	}
	switch {
	case s.err != nil:
	case s.calendars == 0:
		s.err = fmt.Errorf("this is no calendar: it has no BEGIN:VCALENDAR: %w", fault.ErrInvalid)
	case len(s.stack) > 0:
		s.closeBlock("the file ends in the middle of it")
		s.err = fmt.Errorf("the file is cut off: %w", fault.ErrInvalid)
	}
	return s.split
}

// unfold yields logical lines: a line that begins with a space or tab continues the one before.
func unfold(data []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var logical strings.Builder
		started := false
		for raw := range bytes.Lines(data) {
			raw = bytes.TrimRight(raw, "\r\n")
			if len(raw) > 0 && (raw[0] == ' ' || raw[0] == '\t') {
				logical.Write(raw[1:])
				continue
			}
			if started && !yield(logical.String()) {
				return
			}
			logical.Reset()
			logical.Write(raw)
			started = true
		}
		yield(logical.String())
	}
}

// line takes one line. False is the end of what can be understood.
func (s *splitter) line(line string) bool {
	name, value := line, ""
	if i := strings.IndexAny(line, ";:"); i >= 0 {
		name, value = line[:i], line[i+1:]
	}
	name = strings.ToUpper(strings.TrimSpace(name))
	switch name {
	case "BEGIN":
		return s.begin(component(value))
	case "END":
		s.end(component(value))
		return true
	}
	switch {
	case s.open != nil:
		s.property(name, line)
	case name == "X-WR-TIMEZONE" && len(s.stack) == 1:
		s.zone = strings.TrimSpace(value)
	}
	return true
}

func component(value string) string { return strings.ToUpper(strings.TrimSpace(value)) }

func (s *splitter) begin(name string) bool {
	isBlock := name == ical.CompEvent || name == ical.CompTimezone
	if isBlock && s.open != nil { // the one before was not ended
		s.closeBlock("it is not ended")
		s.stack = s.stack[:1]
	}
	if len(s.stack) == maxDepth {
		s.err = fmt.Errorf("components are nested more than %d deep: %w", maxDepth, fault.ErrInvalid)
		return false
	}
	switch {
	case name == ical.CompCalendar && len(s.stack) == 0:
		s.calendars++
	case isBlock && len(s.stack) == 1:
		s.open = &block{name: name}
	case s.inZone():
		s.open.lines = append(s.open.lines, "BEGIN:"+name)
	}
	s.stack = append(s.stack, name)
	return true
}

func (s *splitter) end(name string) {
	at := len(s.stack) - 1
	for at >= 0 && s.stack[at] != name {
		at--
	}
	if at < 0 {
		return // it ends what never began
	}
	if at < len(s.stack)-1 && s.open != nil {
		s.open.err = fmt.Errorf("%s ends before %s: %w", name, s.stack[len(s.stack)-1], fault.ErrInvalid)
	}
	s.stack = s.stack[:at]
	switch {
	case s.open != nil && at <= 1:
		s.closeBlock("")
	case s.inZone():
		s.open.lines = append(s.open.lines, "END:"+name)
	}
}

func (s *splitter) inZone() bool { return s.open != nil && s.open.name == ical.CompTimezone }

// closeBlock puts the open block with its kind; problem says what is wrong with it.
func (s *splitter) closeBlock(problem string) {
	if s.open == nil {
		return
	}
	if problem != "" {
		s.open.err = fmt.Errorf("%s: %w", problem, fault.ErrInvalid)
	}
	if s.open.name == ical.CompEvent {
		s.events = append(s.events, *s.open)
	} else {
		s.zones = append(s.zones, *s.open)
	}
	s.open = nil
}

func (s *splitter) property(name, line string) {
	nested := len(s.stack) > 2
	if name == "IMAGE" || name == "ATTACH" {
		if address, image := pictureOf(name, line); !nested && address != "" && (s.open.picture == "" || image) {
			s.open.picture = address
		}
		return
	}
	if nested && !s.inZone() || !slices.Contains(wanted, name) { // an alarm, for example
		return
	}
	head := headLength(line)
	if head < 0 || head > maxHead {
		s.open.err = fmt.Errorf("property %s has no value or is too long: %w", name, fault.ErrInvalid)
		return
	}
	s.open.lines = append(s.open.lines, strings.ToValidUTF8(line, "\uFFFD"))
}

// headLength returns the length of name and parameters, up to the first colon outside quotes, or -1.
func headLength(line string) int {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			return i
		}
	}
	return -1
}

// decode reads a block. The decoder panics on some malformed parameters; that is an error like any other.
func (b block) decode() (c *ical.Component, err error) {
	if b.err != nil {
		return nil, b.err
	}
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, fmt.Errorf("malformed property: %v: %w", r, fault.ErrInvalid)
		}
	}()
	text := "BEGIN:VCALENDAR\r\nBEGIN:" + b.name + "\r\n" + strings.Join(b.lines, "\r\n") +
		"\r\nEND:" + b.name + "\r\nEND:VCALENDAR\r\n"
	cal, err := ical.NewDecoder(strings.NewReader(text)).Decode()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", err.Error(), fault.ErrInvalid)
	case len(cal.Children) != 1:
		return nil, errors.New("not one component")
	}
	return cal.Children[0], nil
}
