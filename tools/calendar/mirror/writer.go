package mirror

import (
	"context"
	"fmt"

	"annai/tools/calendar"
)

// A write is one that was made through the mirror.
type write struct {
	id string
	// event is what is there now; nil if it was deleted.
	event *calendar.Event
}

// take makes a write in the contents, unless they have something newer.
func (c contents) take(w write) {
	if w.event == nil {
		c.remove(map[string]bool{w.id: true})
		return
	}
	if there, ok := c.Events[w.id]; ok && there.Updated.After(w.event.Updated) {
		return
	}
	c.Events[w.id] = *w.event
	delete(c.Problems, w.id)
}

// A Writer is a [calendar.Writer] whose reads are answered from the copy and whose writes go to the calendar. What was written is in the
// copy when the call returns.
type Writer struct {
	*Mirror
	calendar calendar.Writer
}

// Writer returns the mirror with w, the calendar that its feed is of, to write to.
func (m *Mirror) Writer(w calendar.Writer) *Writer { return &Writer{Mirror: m, calendar: w} }

// Get implements [calendar.Writer]. It asks the calendar, since who asks for one event means to change it, and the copy learns from it.
func (w *Writer) Get(ctx context.Context, id string) (calendar.Event, error) {
	e, err := w.calendar.Get(ctx, id)
	if err == nil && e.SeriesID == "" && !w.has(e) || calendar.KindOf(err) == calendar.Gone {
		if number, beginning := w.begin(ctx); beginning == nil { // what is not learnt now is synced later
			w.wrote(ctx, number, id, &e, err)
		}
	}
	return e, err
}

// Create implements [calendar.Writer].
func (w *Writer) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	number, err := w.begin(ctx)
	if err != nil {
		return calendar.Event{}, err
	}
	made, err := w.calendar.Create(ctx, e)
	w.wrote(ctx, number, made.ID, &made, err)
	return made, err
}

// Update implements [calendar.Writer].
func (w *Writer) Update(ctx context.Context, id string, c calendar.Change, etag string) (calendar.Event, error) {
	number, err := w.begin(ctx)
	if err != nil {
		return calendar.Event{}, err
	}
	made, err := w.calendar.Update(ctx, id, c, etag)
	w.wrote(ctx, number, id, &made, err)
	return made, err
}

// Delete implements [calendar.Writer].
func (w *Writer) Delete(ctx context.Context, id, etag string) error {
	number, err := w.begin(ctx)
	if err != nil {
		return err
	}
	err = w.calendar.Delete(ctx, id, etag)
	w.wrote(ctx, number, id, nil, err)
	return err
}

// begin says to other processes that something is about to be written, and returns its number.
func (m *Mirror) begin(ctx context.Context) (number int64, err error) {
	if m.shared == nil {
		return 0, nil
	}
	number, err = m.shared.begin(ctx)
	if err != nil {
		return 0, fmt.Errorf("write to calendar %s: %w", m.opts.CalendarID, err)
	}
	return number, nil
}

// has reports whether the copy has the event as it is.
func (m *Mirror) has(e calendar.Event) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	there, ok := m.copied.Events[e.ID]
	return ok && there.ETag == e.ETag
}

// wrote takes over into the copy what a call to the calendar showed: the event as it is now, nil for deleted. A failure that shows that the
// copy is behind asks for a sync. The number is what begin returned.
func (m *Mirror) wrote(ctx context.Context, number int64, id string, e *calendar.Event, err error) {
	showed := shows(e, err)
	if showed == deleted {
		e = nil
	}
	switch {
	case m.shared != nil:
		if err := m.end(ctx, number, showed, id, e); err != nil { // others know that something was begun
			m.opts.Log.Warn("what was written to a calendar can't be told to other servers",
				"calendar_id", m.opts.CalendarID, "err", err)
		}
	case showed == written, showed == deleted:
		m.take(id, e)
	}
	if showed != "" {
		m.Soon() // then the copy is kept, and what became of the overrides of a series only the calendar knows
	}
}

// shows is the kind of the row that says what a call to the calendar showed, "" where it showed nothing.
func shows(e *calendar.Event, err error) string {
	switch kind := calendar.KindOf(err); {
	case err == nil && e != nil:
		return written
	case err == nil, kind == calendar.Gone:
		return deleted
	case kind == calendar.NotFound, kind == calendar.Stale, kind == calendar.Exists, kind == calendar.Ambiguous:
		return unknown
	}
	return ""
}

// take makes a write in the copy, and remembers it for the sync that may be under way.
func (m *Mirror) take(id string, e *calendar.Event) {
	done := write{id: id}
	if e != nil {
		kept := clone(*e)
		done.event = &kept
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writes = append(m.writes, done)
	if m.asOf.IsZero() {
		return
	}
	next := m.copied.with(Changes{})
	next.take(done)
	m.copied = newCopied(m.feed, m.opts, next)
	m.outlived()
}
