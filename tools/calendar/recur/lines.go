package recur

import (
	"fmt"
	"strings"
	"time"

	"annai/fault"
)

// lines are recurrence lines that were understood.
type lines struct {
	rules []*rule
	// dates are the RDATEs. Those without a length of their own last as long as the others.
	dates  []date
	except []Moment
}

// A date is an instance that is to be: from an RDATE, a rule, or the start of the series.
type date struct {
	wall   int64 // in the zone of the series' start
	length *Length
}

// read reads the lines of a series that starts at start.
func (o Options) read(texts []string, start Moment) (lines, error) {
	var l lines
	for _, text := range texts {
		if err := l.add(text, start, o); err != nil {
			return lines{}, fmt.Errorf("recurrence %.100q: %w", text, err)
		}
	}
	return l, nil
}

// A property is a line taken apart.
type property struct {
	value string
	tzid  string
	zone  func(name string) (*time.Location, error)
}

func (l *lines) add(text string, start Moment, o Options) error {
	head, value, ok := cutHead(text)
	if !ok {
		return fmt.Errorf("it has no value: %w", fault.ErrInvalid)
	}
	name, rest, _ := strings.Cut(head, ";")
	p := property{value: value, tzid: tzidOf(rest), zone: zoneIn(start, o)}
	switch strings.ToUpper(strings.TrimSpace(name)) {
	case "RRULE":
		r, err := newRule(value, start, o)
		if err != nil {
			return err
		}
		l.rules = append(l.rules, r)
		return nil
	case "RDATE":
		return l.addDates(p, start)
	case "EXDATE":
		return l.addExceptions(p)
	case "EXRULE":
		return fmt.Errorf("EXRULE is not understood: %w", fault.ErrInvalid)
	default:
		return fmt.Errorf("it is none of RRULE, RDATE and EXDATE: %w", fault.ErrInvalid)
	}
}

// cutHead cuts a line at the first colon outside quotes.
func cutHead(line string) (head, value string, ok bool) {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			return line[:i], line[i+1:], true
		}
	}
	return "", "", false
}

// tzidOf returns the TZID among parameters. The value's form says what it is, so that VALUE is not needed.
func tzidOf(params string) string {
	for param := range strings.SplitSeq(params, ";") {
		if name, value, _ := strings.Cut(param, "="); strings.EqualFold(strings.TrimSpace(name), "TZID") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// zoneIn finds zones for the lines of a series that starts at start: its own where none is named.
func zoneIn(start Moment, o Options) func(name string) (*time.Location, error) {
	own := start.zone
	if start.IsDay() {
		own = o.Location
	}
	return func(name string) (*time.Location, error) {
		if name == "" || name == own.String() {
			return own, nil
		}
		return o.Zone(name)
	}
}

func (l *lines) addDates(p property, start Moment) error {
	for value := range strings.SplitSeq(p.value, ",") {
		d, err := p.date(value, start)
		if err != nil {
			return err
		}
		l.dates = append(l.dates, d)
	}
	return nil
}

func (l *lines) addExceptions(p property) error {
	for value := range strings.SplitSeq(p.value, ",") {
		if strings.TrimSpace(value) == "" {
			continue
		}
		m, err := ParseMoment(value, p.tzid, p.zone)
		if err != nil {
			return err
		}
		l.except = append(l.except, m)
	}
	return nil
}

// date reads one RDATE, which may be a period, of a series that starts at start.
func (p property) date(value string, start Moment) (date, error) {
	value, end, isPeriod := strings.Cut(value, "/")
	m, err := ParseMoment(value, p.tzid, p.zone)
	if err != nil {
		return date{}, err
	}
	if m.IsDay() != start.IsDay() {
		return date{}, fmt.Errorf("RDATE and the start are not both dates or both times: %w", fault.ErrInvalid)
	}
	d := date{wall: m.in(start.zone).wall.Unix()}
	if !isPeriod {
		return d, nil
	}
	var own Length
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(end)), "P") {
		own, err = ParseLength(end)
	} else {
		var until Moment
		if until, err = ParseMoment(end, p.tzid, p.zone); err == nil {
			own, err = LengthBetween(m, until)
		}
	}
	d.length = &own
	return d, err
}
