package feed

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"annai/civil"
	"annai/fault"
	"annai/internal/text"
	"annai/tools/calendar"
)

// event reads an item.
func (m Mapping) event(it item, loc *time.Location) (calendar.Event, error) {
	get := func(name string) string {
		if name == "" {
			return ""
		}
		return strings.TrimSpace(it(name))
	}
	e := calendar.Event{
		Title: text.OneLine(get(m.Title), calendar.MaxTitle), Description: lines(get(m.Description)),
		Location: text.OneLine(place(get(m.Place), get(m.Address)), calendar.MaxLocation),
		Status:   calendar.Confirmed, Visibility: calendar.Public, Source: source,
	}
	e.URL, e.Picture = webAddress(get(m.URL)), webAddress(get(m.Picture))
	if name := get(m.TimeZone); name != "" {
		zone, err := time.LoadLocation(name)
		if err != nil {
			return e, fmt.Errorf("there is no time zone %.40q: %w", name, fault.ErrInvalid)
		}
		loc = zone
	}
	e, err := when(e, get(m.Date), get(m.Start), get(m.End), loc)
	if err != nil {
		return e, err
	}
	e = m.says(e, get(m.Status), get(m.Capacity), get(m.Accepted))
	sum := sha256.Sum256([]byte(fmt.Sprintf("%q", []any{
		e.Title, e.Description, e.Location, e.URL, e.Picture, e.Start, e.End, e.FirstDay, e.EndDay, e.Status, e.Notice,
	})))
	e.ETag = hex.EncodeToString(sum[:8])
	named := sha256.Sum256([]byte(fmt.Sprintf("%q", []any{e.Title, e.Start, e.FirstDay})))
	e.ID = cmp.Or(text.OneLine(get(m.ID), calendar.MaxTitle), "feed-"+hex.EncodeToString(named[:8]))
	return e, e.Check()
}

// webAddress is the address if it is one of the web, else "".
func webAddress(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.String()
}

// lines is text of others with its lines, and no other control characters.
func lines(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if runes := []rune(s); len(runes) > calendar.MaxDescription {
		return string(runes[:calendar.MaxDescription-1]) + "…"
	}
	return s
}

// place is a name with its address, unless one says the other.
func place(name, address string) string {
	switch {
	case name == "" || strings.Contains(address, name):
		return address
	case address == "" || strings.Contains(name, address):
		return name
	}
	return name + ", " + address
}

// says is what the state of an item, and the numbers of people, say of it. A state that says
// nothing of that is as good as none: "open", 受付中.
func (m Mapping) says(e calendar.Event, status, capacity, accepted string) calendar.Event {
	for value, says := range m.Statuses {
		if text.Fold(value) == text.Fold(status) {
			status = says
		}
	}
	most, err := strconv.Atoi(number(capacity))
	come, noNumber := strconv.Atoi(number(accepted))
	if err == nil && noNumber == nil && most > 0 && come >= most {
		e.Notice = calendar.Full
	}
	e, _ = e.SaysOf(status)
	return e
}

// number is a number without what people write around it: "30名" is 30.
func number(s string) string {
	s = strings.ReplaceAll(text.Fold(s), ",", "")
	return strings.TrimFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// half a day is the longest that an event lasts whose end is an hour of the next day.
const half = 12 * time.Hour

// when fills in the times.
func when(e calendar.Event, date, start, end string, loc *time.Location) (calendar.Event, error) {
	first, err := read(strings.TrimSpace(date+" "+start), civil.Date{}, loc)
	if err != nil {
		return e, err
	}
	var last moment
	if end != "" {
		if last, err = read(end, first.day, loc); err != nil {
			return e, err
		}
	}
	if first.whole {
		e.AllDay, e.FirstDay = true, first.day
		if end != "" {
			e.EndDay = last.day.AddDays(1)
		}
		return e.WithEnd(), nil
	}
	e.Start, e.TimeZone = first.at, loc.String()
	switch {
	case end == "":
	case last.whole:
		e.End = last.day.AddDays(1).In(loc)
	case last.hour && last.at.Before(first.at) && last.at.AddDate(0, 0, 1).Sub(first.at) <= half: // after midnight
		e.End = last.at.AddDate(0, 0, 1)
	default:
		e.End = last.at
	}
	return e.WithEnd(), nil
}

// A moment is a time, or a day where whole says so. hour says that its day was not written.
type moment struct {
	at          time.Time
	day         civil.Date
	whole, hour bool
}

// Forms of times. Those without an offset are read where the calendar is.
var (
	instants = []string{
		time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05-07:00",
		"2006-01-02 15:04:05 -0700",
	}
	days  = []string{"2006-1-2", "2006/1/2", "2006.1.2", "2006年1月2日", "20060102"}
	hours = []string{"15:4:5", "15:4", "15時4分", "15時"}
)

// read reads a time or a day. An hour alone is one of that day.
func read(s string, of civil.Date, loc *time.Location) (moment, error) {
	folded := strings.Join(strings.Fields(withoutWeekday(strings.ReplaceAll(text.Fold(s), "t", "T"))), " ")
	folded = strings.ReplaceAll(folded, "z", "Z")
	for _, layout := range instants {
		if at, err := time.Parse(layout, folded); err == nil {
			at = at.In(loc)
			return moment{at: at, day: civil.DateOf(at)}, nil
		}
	}
	for _, layout := range hours {
		if at, err := time.ParseInLocation(layout, folded, loc); err == nil && !of.IsZero() {
			clock := time.Date(of.Year, of.Month, of.Day, at.Hour(), at.Minute(), at.Second(), 0, loc)
			return moment{at: clock, day: of, hour: true}, nil
		}
	}
	for _, day := range days {
		if at, err := time.ParseInLocation(day, folded, loc); err == nil {
			return moment{at: at, day: civil.DateOf(at), whole: true}, nil
		}
		for _, hour := range hours {
			for _, between := range []string{" ", "T", ""} {
				if at, err := time.ParseInLocation(day+between+hour, folded, loc); err == nil {
					return moment{at: at, day: civil.DateOf(at)}, nil
				}
			}
		}
	}
	if s == "" {
		return moment{}, fmt.Errorf("it has no start: %w", fault.ErrInvalid)
	}
	return moment{}, fmt.Errorf("%.60q is no time that can be read: %w", s, fault.ErrInvalid)
}

// withoutWeekday takes (火) and (Tue) out of a date.
func withoutWeekday(s string) string {
	before, rest, ok := strings.Cut(s, "(")
	inside, after, closed := strings.Cut(rest, ")")
	if !ok || !closed || len([]rune(inside)) > 9 || strings.ContainsAny(inside, "0123456789") {
		return s
	}
	return before + " " + after
}
