package mirror

import (
	"context"

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
		w.wrote(id, &e, err)
	}
	return e, err
}

// Create implements [calendar.Writer].
func (w *Writer) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	made, err := w.calendar.Create(ctx, e)
	w.wrote(made.ID, &made, err)
	return made, err
}

// Update implements [calendar.Writer].
func (w *Writer) Update(ctx context.Context, id string, c calendar.Change, etag string) (calendar.Event, error) {
	made, err := w.calendar.Update(ctx, id, c, etag)
	w.wrote(id, &made, err)
	return made, err
}

// Delete implements [calendar.Writer].
func (w *Writer) Delete(ctx context.Context, id, etag string) error {
	err := w.calendar.Delete(ctx, id, etag)
	w.wrote(id, nil, err)
	return err
}

// has reports whether the copy has the event as it is.
func (m *Mirror) has(e calendar.Event) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	there, ok := m.copied.Events[e.ID]
	return ok && there.ETag == e.ETag
}

// wrote takes over into the copy what a call to the calendar showed: the event as it is now, nil for deleted. A failure that shows that the
// copy is behind asks for a sync.
func (m *Mirror) wrote(id string, e *calendar.Event, err error) {
	switch kind := calendar.KindOf(err); {
	case err == nil:
		m.take(id, e)
		m.Soon() // then the file is written, and what became of the overrides of a series only the calendar knows
	case kind == calendar.Gone:
		m.Soon()
		m.take(id, nil)
	case kind == calendar.NotFound, kind == calendar.Stale, kind == calendar.Exists, kind == calendar.Ambiguous:
		m.Soon()
	}
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
