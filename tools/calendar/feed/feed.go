// Package feed reads calendars that are a list in JSON or CSV: an event platform's API, an export
// of a spreadsheet.
//
// Its one idea: a [Mapping] says which member of an item, or which column of a row, is what. An
// item that can't be understood is counted and said, and the rest is read. When to read again is
// for package polled.
package feed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/polled"
	"annai/tools/calendar/recur"
)

// source is what [calendar.Event.Source] says of events read here.
const source = "feed"

// Limits of a feed.
const (
	maxItems    = 50_000
	maxProblems = 20
)

// A Mapping says where the parts of an event are: in JSON by paths of names with dots
// ("venue.name"), in CSV by the names of columns. Title, and Start or Date, are required; what is
// empty is not read.
type Mapping struct {
	// Items is the path of the list in JSON; empty where the file is a list itself.
	Items string
	// ID names an item, the same each time. Without it its title and time do.
	ID    string
	Title string
	// Start and End are times. Date is the day, where they are only hours; End may be an hour of
	// the day of Start. A day alone is an all-day event; a day as End is the last.
	Start, End, Date string
	// TimeZone is the IANA name of the zone in which the times are. Without it they are in the
	// calendar's.
	TimeZone string
	// Place and Address are its location, one after the other.
	Place, Address   string
	URL, Description string
	// Picture is the address of a picture.
	Picture string
	// Capacity and Accepted are numbers of people: where as many are accepted, the event is full.
	Capacity, Accepted string
	// Status is what Statuses, and words as titles have them, say something of: "cancelled", 満席.
	Status string
	// Statuses maps values of Status to confirmed, tentative, cancelled, postponed, full or
	// reserved.
	Statuses map[string]string
}

// Check returns [fault.ErrInvalid] for a mapping that lacks something, or maps to what there is
// not.
func (m Mapping) Check() error {
	switch {
	case m.Title == "":
		return fmt.Errorf("mapping.title is missing: %w", fault.ErrInvalid)
	case m.Start == "" && m.Date == "":
		return fmt.Errorf("mapping.start is missing, or mapping.date: %w", fault.ErrInvalid)
	case m.Status == "" && len(m.Statuses) > 0:
		return fmt.Errorf("mapping.statuses needs mapping.status: %w", fault.ErrInvalid)
	}
	for value, says := range m.Statuses {
		if _, known := (calendar.Event{}).SaysOf(says); !known {
			return fmt.Errorf("mapping.statuses.%s: %q is not confirmed, tentative, cancelled, "+
				"postponed, full or reserved: %w", value, says, fault.ErrInvalid)
		}
	}
	return nil
}

// URL returns the calendar at an address, as [polled.URL] does. A mapping that [Mapping.Check]
// refuses is [fault.ErrInvalid].
func URL(address string, m Mapping, opts polled.Options) (*polled.Reader, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	opts.Header = opts.Header.Clone()
	if opts.Header == nil {
		opts.Header = http.Header{}
	}
	opts.Header.Set("Accept", "application/json, text/csv, */*;q=0.5")
	return polled.URL(address, m.parse, opts)
}

// File returns the calendar in a file, as [polled.File] does. A mapping that [Mapping.Check]
// refuses is [fault.ErrInvalid].
func File(files fs.FS, path string, m Mapping, opts polled.Options) (*polled.Reader, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	return polled.File(files, path, m.parse, opts)
}

// parse reads a file: as JSON where it begins like that, else as CSV.
func (m Mapping) parse(c polled.Content) (polled.Document, error) {
	items, err := m.items(c)
	if err != nil {
		return nil, err
	}
	doc := &document{}
	seen := map[string]bool{}
	var bad []error
	for i, it := range items {
		if i == maxItems {
			bad = append(bad, fmt.Errorf("only the first %d items are read: %w", maxItems, fault.ErrInvalid))
			break
		}
		if err := doc.add(m, it, c, seen); err != nil {
			bad = append(bad, fmt.Errorf("item %d: %w", i+1, err))
		}
	}
	if len(bad) > 0 {
		doc.problems = append(doc.problems, fmt.Errorf("%d of %d items could not be read: %w", len(bad),
			len(items), fault.ErrInvalid))
	}
	doc.problems = append(doc.problems, bad[:min(len(bad), maxProblems)]...)
	return doc, nil
}

// A document is a [polled.Document]. It does not change, but remembers what was asked of it.
type document struct {
	events   []*recur.Expander
	problems []error
	windows  calendar.Windows
}

func (d *document) add(m Mapping, it item, c polled.Content, seen map[string]bool) error {
	e, err := m.event(it, c.Location)
	if err != nil {
		return err
	}
	if seen[e.ID] {
		return fmt.Errorf("its id, or title and time, are those of another item: %w", fault.ErrInvalid)
	}
	seen[e.ID] = true
	times, err := recur.Compile(recur.Series{Master: recur.Entry{Event: e}}, recur.Options{Location: c.Location})
	if err != nil {
		return err
	}
	d.events = append(d.events, times)
	return nil
}

// Problems implements [polled.Document].
func (d *document) Problems() []error { return d.problems }

// Events implements [polled.Document].
func (d *document) Events(ctx context.Context, window civil.TimeRange, limit int) ([]calendar.Event, []error, error) {
	return d.windows.Events(window, func() ([]calendar.Event, []error, error) {
		events, cut, err := recur.Expand(ctx, d.events, window, limit)
		if err != nil || len(cut) == 0 {
			return events, nil, err
		}
		left := fmt.Errorf("%d events are left out, there are too many in the window: %w", len(cut), fault.ErrInvalid)
		return events, []error{left}, nil
	})
}

var errNothing = errors.New("it is empty")
